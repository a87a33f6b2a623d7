/*  How a text, a goal or a program is refused.  */
:- module(joiner_refusal, [refuse/3]).

%!  refuse(+Kind, +Format, +Arguments)
%
%   Kind says what is wrong (head, reserved, text, undefined, unknown, unsafe), so that the
%   other end can say what to do about it.

refuse(Kind, Format, Arguments) :-
    numbervars(Arguments, 0, _, [singletons(true)]),
    format(string(Message), Format, Arguments),
    throw(refused(Kind, Message)).
