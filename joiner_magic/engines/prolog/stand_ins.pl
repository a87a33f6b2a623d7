/*  Predicates of the list that are ours, because Prolog's own do more than they should.

    They stand in the task's module under Prolog's names. A text that catches an error must not
    catch what ends an evaluation (limits, a full stack, a refusal), nor throw what looks like
    it: what a text throws is wrapped, and it catches that and errors. What a text prints is
    dropped. Formats call nothing, and reading a term runs nothing.
*/
:- module(joiner_stand_ins, [stand_in/1, install_stand_ins/0, check_format/1]).
:- use_module(refusal).
:- use_module(library(lists), [memberchk/2, sum_list/2]).

%!  stand_in(?Clause)

stand_in((catch(Goal, Catcher, Recovery) :- joiner_stand_ins:catching(Goal, Catcher, Recovery))).
stand_in((throw(Ball) :- joiner_stand_ins:throwing(Ball))).
stand_in((assertion(Goal) :- joiner_stand_ins:asserting(Goal))).
stand_in((term_to_atom(Term, Atom) :- joiner_stand_ins:term_and_text(Term, atom(Atom)))).
stand_in((term_string(Term, String) :- joiner_stand_ins:term_and_text(Term, string(String)))).
stand_in((sumlist(Numbers, Sum) :- lists:sum_list(Numbers, Sum))).
stand_in((format(Sink, Format, Arguments) :- joiner_stand_ins:formatting(Sink, Format, Arguments))).
stand_in(format(_)).
stand_in(format(_, _)).
stand_in(debug(_, _, _)).
stand_in(print_message(_, _)).
stand_in(write(_)).
stand_in(write(_, _)).
stand_in(writeln(_)).
stand_in(writeln(_, _)).
stand_in(print(_)).
stand_in(writeq(_)).
stand_in(writeq(_, _)).
stand_in(write_canonical(_)).
stand_in(portray_clause(_)).
stand_in(nl).
stand_in(nl(_)).
stand_in(tab(_)).
stand_in(put_char(_)).

%!  install_stand_ins
%
%   Before any clause of the task: Prolog binds a call of its own predicates when it compiles.

install_stand_ins :-
    forall(stand_in(Clause), install(Clause)).

install(Clause) :-
    ( Clause = (Head :- _) -> true ; Head = Clause ),
    functor(Head, Name, Arity),
    functor(General, Name, Arity),
    ( predicate_property(system:General, defined) -> redefine_system_predicate(joiner_task:General) ; true ),
    dynamic(joiner_task:Name/Arity),
    assertz(joiner_task:Clause).

% Errors

:- public catching/3, throwing/1, asserting/1, term_and_text/2, formatting/3.

catching(Goal, Catcher, Recovery) :-
    catch(joiner_task:Goal, Ball, recover(Ball, Catcher, Recovery)).

recover(Ball, Catcher, Recovery) :-
    (   catchable(Ball, Catcher)
    ->  joiner_task:Recovery
    ;   throw(Ball)
    ).

catchable(joiner_thrown(Ball), Ball).
catchable(error(Formal, Context), error(Formal, Context)) :-
    Formal \= resource_error(_).

throwing(Ball) :- var(Ball), !, throw(error(instantiation_error, _)).
throwing(Ball) :- throw(joiner_thrown(Ball)).

asserting(Goal) :-
    ( \+ \+ joiner_task:Goal -> true ; throw(joiner_thrown(assertion_failed(Goal))) ).

% Terms as texts

term_and_text(Term, Text) :- nonvar(Term), !, format(Text, "~q", [Term]).
term_and_text(Term, Text) :-
    arg(1, Text, Given),
    ( var(Given) -> throw(error(instantiation_error, _)) ; true ),
    text_to_string(Given, Unended),
    string_concat(Unended, " .", String),
    setup_call_cleanup(
        open_string(String, Stream),
        read_term(Stream, Read, [quasi_quotations(Quotations), cycles(false), syntax_errors(error)]),
        close(Stream)),
    ( Quotations == [] -> true ; throw(error(syntax_error(quasi_quotation), _)) ),
    Term = Read.

formatting(Sink, Format, Arguments) :-
    (   nonvar(Sink), sink(Sink)
    ->  check_format(Format),
        format(Sink, Format, Arguments)
    ;   stream(Sink)
    ->  true
    ;   throw(error(domain_error(output_sink, Sink), _))
    ).

sink(atom(_)).
sink(string(_)).
sink(codes(_)).
sink(chars(_)).

stream(Sink) :- Sink == user_error.
stream(Sink) :- Sink == user_output.

%!  check_format(+Format)
%
%   Refuses directives that call something: the goal of ~@, and the hooks behind ~p.

check_format(Format) :-
    catch(text_to_string(Format, Text), error(_, _), fail), !,
    string_codes(Text, Codes),
    (   phrase(format_text(Wrong), Codes), nonvar(Wrong)
    ->  char_code(Char, Wrong),
        refuse(unsafe, "~~~w in a format is not allowed: it calls what the list of pure predicates does not have", [Char])
    ;   true
    ).
check_format(_).                % no text: an error when it runs

format_text(Wrong) --> "~", !, argument, directive(Wrong).
format_text(Wrong) --> [_], !, format_text(Wrong).
format_text(_) --> [].

argument --> "`", !, [_].
argument --> "*", !.
argument --> digits.

digits --> [Digit], { code_type(Digit, digit) }, !, digits.
digits --> [].

directive(Wrong) --> ":", !, directive(Wrong).
directive(Wrong) --> [Code], { \+ harmless(Code) }, !, rest, { Wrong = Code }.
directive(Wrong) --> [_], !, format_text(Wrong).
directive(_) --> [].

rest --> [_], !, rest.
rest --> [].

harmless(Code) :-
    char_code(Char, Code),
    memberchk(Char, [~, a, c, d, 'D', e, f, g, h, i, 'I', k, n, q, r, 'R', s, w, t, '|', +]).
