/*  Which goals a text may call when nobody has said that it is trusted.

    Those of the task itself, since each of its clauses is checked on its own, and those on our
    list (pure.pl). Everything else is refused before anything runs, known to SWI-Prolog or not,
    and so is a goal that is only known when it runs. No module can be named: a goal means what
    its name means in the task's module, and that sees the task and the list.

    The check is of what is written. What Prolog has made of it is looked at besides
    (check_compiled/1): a clause that was compiled into a call of anything else is refused.
*/
:- module(joiner_safety, [prepare_list/0, import_list/0, check_safe/1, check_compiled/1, called/2, undefined/1, of_task/1]).
:- use_module(database).
:- use_module(pure).
:- use_module(refusal).
:- use_module(stand_ins).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).

:- dynamic
    listed/3,                   % Head, where it is defined, the same head with marks as arguments
    evaluable/1.                % Head of a function

%!  prepare_list
%
%   Loads every library of the list, with what it would load later by itself: after this no
%   file has to be read any more.

prepare_list :-
    forall(distinct_library(Library), load_whole(Library)),
    forall(( pure(_, Where, Entries), member(Entry, Entries) ), prepare_entry(Where, Entry)),
    forall(( function(Name/Arity), functor(Function, Name, Arity) ), assertz(evaluable(Function))),
    ignore('$in_library'(joiner, 0, _)). % reads the index of the libraries

prepare_entry(Where, Entry) :-
    ( Entry = Name/Arity, atom(Name), integer(Arity) -> functor(Marks, Name, Arity) ; Marks = Entry ),
    functor(Marks, Functor, Width),
    functor(Head, Functor, Width),
    ( is_there(Where, Head) -> assertz(listed(Head, Where, Marks)) ; true ).

is_there(library(Library), Head) :- !, predicate_property(Library:Head, defined). % not in every version
is_there(_, _).

distinct_library(Library) :-
    setof(Name, Theme^Entries^pure(Theme, library(Name), Entries), Names),
    member(Library, Names).

load_whole(Library) :-
    use_module(library(Library), []),
    (   current_predicate(Library:'$autoload'/3)
    ->  forall(Library:'$autoload'(File, _, import(Predicates)), use_module(Library:File, Predicates))
    ;   true
    ).

%!  import_list
%
%   The list's predicates of libraries become visible to the task, but for those it defines.

import_list :-
    forall(( listed(Head, library(Library), _), \+ of_task(Head), predicate_property(Library:Head, defined) ),
           ( functor(Head, Name, Arity), joiner_task:import(Library:Name/Arity) )).

%!  check_safe(+Body)
%
%   Refuses the first goal in Body that is neither the task's nor on the list.

check_safe(Goal) :- var(Goal), !, refuse_unknown(Goal).
check_safe(Goal) :- of_task(Goal), !.
check_safe(Goal) :- lambda(Goal, Body), !, check_safe(Body).
check_safe(Goal) :- callable(Goal), listed(Goal, Where, Marks), !,
    ( Where == library(yall) -> refuse_unknown(Goal) ; check_arguments(Marks, Goal) ).
check_safe(Goal) :- callable(Goal), !,
    functor(Goal, Name, Arity),
    refuse(unsafe, "~W is not allowed: ~q is not on the list of pure predicates that untrusted texts may call",
           [Goal, [quoted(true), numbervars(true), max_depth(20)], Name/Arity]).
check_safe(Goal) :-
    refuse(unsafe, "~p is not allowed: it is no goal", [Goal]).

refuse_unknown(Goal) :-
    refuse(unsafe, "~p is not allowed: what it calls is known only when it runs", [Goal]).

check_arguments(Marks, Goal) :-
    compound(Goal), !,
    forall(( arg(I, Marks, Mark), nonvar(Mark), Mark \== (?) ),
           ( arg(I, Goal, Argument), check_argument(Mark, Argument, Goal) )).
check_arguments(_, _).

check_argument(^, Argument, Whole) :- !, strip_existential(Argument, Goal), check_closure(0, Goal, Whole).
check_argument(//, Body, Whole) :- !, check_grammar(Body, Whole).
check_argument(expression, Expression, Whole) :- !, check_expression(Expression, Whole).
check_argument(aggregate, Template, Whole) :- !, check_aggregate(Template, Whole).
check_argument(format, Format, _) :- !, ( var(Format) -> true ; check_format(Format) ).
check_argument(message, Message, _) :- !,
    ( nonvar(Message), Message = format(Format, _), nonvar(Format) -> check_format(Format) ; true ).
check_argument(Extra, Closure, Whole) :- check_closure(Extra, Closure, Whole).

check_closure(_, Closure, Whole) :- var(Closure), !, refuse_unknown(Whole).
check_closure(Extra, Closure, _) :- callable(Closure), !,
    extended(Closure, Extra, Goal),
    check_safe(Goal).
check_closure(_, Closure, _) :-
    refuse(unsafe, "~p is not allowed: it is no goal", [Closure]).

extended(Closure, 0, Goal) :- !, Goal = Closure.
extended(Closure, Extra, Goal) :-
    Closure =.. List0,
    length(More, Extra),
    append(List0, More, List),
    Goal =.. List.

%!  lambda(+Goal, -Body)
%
%   Goal is a call of an expression of library(yall), and Body what it calls, with the arguments
%   that the parameters leave over. Fails for what is none.

lambda(Goal, Body) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, [First, Second|Arguments]),
    ( Name == (>>) ; Name == (/) ),
    listed(Goal, library(yall), _), !,
    length(Arguments, Extra),
    lambda(Name, First, Second, Extra, Body).

lambda(/, _, Lambda, Extra, Body) :-
    nonvar(Lambda),
    Lambda = _ >> _,
    extended(Lambda, Extra, Body).
lambda(>>, Free, Lambda, Extra, Body) :-
    ( nonvar(Free), Free = _ / Parameters -> true ; Parameters = Free ),
    is_list(Parameters),
    callable(Lambda),
    length(Parameters, Count),
    Rest is max(0, Extra - Count),
    extended(Lambda, Rest, Body).

check_grammar(Body, Whole) :- var(Body), !, refuse_unknown(Whole).
check_grammar(Body, _) :-
    dcg_translate_rule((joiner --> Body), (_ :- Goal)),
    check_safe(Goal).

check_aggregate(Template, _) :- \+ compound(Template), !.
check_aggregate(Template, Whole) :-
    forall(arg(_, Template, Argument), check_aggregate(Argument, Whole)),
    (   functor(Template, Name, _), memberchk(Name, [sum, max, min])
    ->  arg(1, Template, Expression), check_expression(Expression, Whole)
    ;   true
    ).

%!  check_expression(+Expression, +Whole)
%
%   Functions that SWI-Prolog has and the list has not are refused. What is no function at all
%   is an error when it runs.

check_expression(Expression, _) :- \+ callable(Expression), !.
check_expression(Expression, Whole) :- evaluable(Expression), !,
    ( compound(Expression) -> forall(arg(_, Expression, Argument), check_expression(Argument, Whole)) ; true ).
check_expression(Expression, _) :- is_function(Expression), !,
    functor(Expression, Name, Arity),
    refuse(unsafe, "~p is not allowed: ~q is not on the list of functions that untrusted texts may evaluate",
           [Expression, Name/Arity]).
check_expression(_, _).

is_function(Expression) :-
    functor(Expression, Name, Arity),
    length(Ones, Arity),
    maplist(=(1), Ones),
    Trial =.. [Name|Ones],
    Trial \= [_|_],
    catch(( _ is Trial, Found = true ), error(Error, _), true),
    ( Found == true -> true ; Error \= type_error(evaluable, _) ).

%!  check_compiled(+Clause)
%
%   Every predicate that the compiled clause calls is the task's or on the list.

check_compiled(Clause) :-
    forall(( '$xr_member'(Clause, Reference), Reference = Module:Goal, callable(Goal) ),
           check_reference(Module, Goal)).

check_reference(joiner_task, Goal) :- !, check_reference(Goal).
check_reference(_, Goal) :- listed(Goal, _, _), !.
check_reference(Module, Goal) :- refuse(unsafe, "~p is not allowed: it is not on the list", [Module:Goal]).

check_reference(Goal) :- ( of_task(Goal) ; listed(Goal, _, _) ), !.
check_reference(Goal) :- refuse(unsafe, "~p is not allowed: it is not on the list", [Goal]).

of_task(Goal) :-
    callable(Goal),
    functor(Goal, Name, Arity),
    functor(General, Name, Arity),
    declared(joiner_task, General), !.

%!  called(+Body, -Goal)
%
%   Goal is called by Body, directly or through arguments that are goals themselves.

called(Body, _) :- var(Body), !, fail.
called(Module:Body, Goal) :- !, Goal = Module:Body.
called(Body, Goal) :- \+ of_task(Body), lambda(Body, Inner), !, called(Inner, Goal).
called(Body, Goal) :-
    callable(Body),
    \+ of_task(Body),
    marks(Body, Marks), !,
    (   Goal = Body
    ;   arg(I, Marks, Mark),
        nonvar(Mark),
        arg(I, Body, Argument),
        goal_argument(Mark, Argument, Inner),
        called(Inner, Goal)
    ).
called(Goal, Goal).

marks(Body, Marks) :- listed(Body, _, Marks), !, compound(Marks).
marks(Body, Marks) :- trusted, predicate_property(joiner_task:Body, meta_predicate(Marks)).

goal_argument(^, Argument, Goal) :- !, strip_existential(Argument, Goal).
goal_argument(Extra, Closure, Goal) :-
    integer(Extra),
    callable(Closure),
    Closure \= _:_,
    extended(Closure, Extra, Goal).

strip_existential(Goal, Goal) :- var(Goal), !.
strip_existential(_ ^ Goal0, Goal) :- !, strip_existential(Goal0, Goal).
strip_existential(Goal, Goal).

%!  undefined(+Goal)
%
%   Neither the task nor SWI-Prolog, with all its libraries, defines it.

undefined(Goal) :-
    callable(Goal),
    \+ of_task(Goal),
    \+ listed(Goal, _, _),
    functor(Goal, Name, Arity),
    functor(General, Name, Arity),
    \+ predicate_property(system:General, defined),
    (   trusted
    ->  \+ predicate_property(joiner_task:General, visible)
    ;   \+ '$in_library'(Name, Arity, _)
    ).
