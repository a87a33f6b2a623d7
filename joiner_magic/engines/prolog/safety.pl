/*  Which goals a text may call when nobody has said that it is trusted.

    SWI-Prolog's library(sandbox) decides, with two changes. It believes what any package
    declares safe about itself, and one of them reads files; here only the modules below are
    believed. And it lets a text change the database of its own module and the flags of the
    process; here nothing may be left over from one evaluation to the next.

    Every clause of the task is checked on its own, so a call of a task's predicate counts as
    safe: its clauses answer for themselves.
*/
:- module(joiner_safety, [restrict_sandbox/0, check_safe/1, called/2, undefined/1, refuse/3]).
:- use_module(database).
:- use_module(library(sandbox)).
:- use_module(library(prolog_wrap)).

%!  check_safe(+Body)
%
%   Refuses what could reach outside when called in the task's module, and names the first
%   goal in it that could.

check_safe(Body) :-
    safe(Body, Error),
    (   Error == none
    ->  true
    ;   called(Body, Goal),
        \+ ( called(Goal, Inner), Inner \== Goal ),
        safe(Goal, GoalError),
        GoalError \== none
    ->  unsafe(GoalError, Goal)
    ;   unsafe(Error, Body)
    ).

safe(Goal, Error) :-
    catch(( safe_goal(joiner_task:Goal), Error = none ), error(Error, _), true).

unsafe(instantiation_error, Goal) :- !,
    refuse(unsafe, "~p is not allowed: what it calls is known only when it runs", [Goal]).
unsafe(_, Goal) :-
    refuse(unsafe, "~p is not allowed: it could reach outside the task (files, processes, network, database)",
           [Goal]).

%!  restrict_sandbox
%
%   From here on, what library(sandbox) declares holds only as far as believed/1 goes.

restrict_sandbox :-
    wrap_predicate(sandbox:safe_primitive(Goal), joiner, Declared,
                   ( joiner_safety:harmless(Goal) ; joiner_safety:believed(Goal), Declared )),
    restrict(safe_meta_predicate(Predicate), Predicate),
    restrict(safe_meta(Meta, _), Meta),
    restrict(safe_meta(MetaInContext, _, _), MetaInContext).

restrict(Declaration, Subject) :-
    wrap_predicate(sandbox:Declaration, joiner, Declared, ( joiner_safety:believed(Subject), Declared )).

harmless(joiner_task:Goal) :- of_task(Goal).
harmless(write(_)).             % what is printed goes nowhere but to the worker's log
harmless(writeq(_)).
harmless(system:print(_)).
harmless(nl).

of_task(Goal) :-
    callable(Goal),
    functor(Goal, Name, Arity),
    functor(General, Name, Arity),
    declared(joiner_task, General).

believed(Subject) :- var(Subject), !.
believed(Module:Goal) :- !, pure(Module), \+ changes_state(Goal).
believed(Goal) :- \+ changes_state(Goal).

pure(Module) :- sub_atom(Module, 0, _, _, $), !.
pure(system).
pure(aggregate).
pure(apply).
pure(clpb).
pure(clpfd).
pure(dcg_high_order).
pure(error).
pure(prolog_debug).
pure(when).
pure(yall).

changes_state(assert(_)).
changes_state(asserta(_)).
changes_state(assertz(_)).
changes_state(retract(_)).
changes_state(retractall(_)).
changes_state(use_module(_)).
changes_state(use_module(_, _)).
changes_state(load_files(_, _)).
changes_state(set_prolog_flag(_, _)).
changes_state(set_prolog_stack(_, _)).
changes_state(abolish_all_tables).
changes_state(abolish_table_subgoals(_)).
changes_state(abort).
changes_state(sleep(_)).

%!  called(+Body, -Goal)
%
%   Goal is called by Body, directly or through arguments that are goals themselves.

called(Body, _) :- var(Body), !, fail.
called(Module:Body, Goal) :- !, Goal = Module:Body.
called(Body, Goal) :-
    callable(Body),
    \+ of_task(Body),
    predicate_property(joiner_task:Body, meta_predicate(Specification)), !,
    (   Goal = Body
    ;   arg(I, Specification, Mode),
        arg(I, Body, Argument),
        goal_argument(Mode, Argument, Inner),
        called(Inner, Goal)
    ).
called(Goal, Goal).

goal_argument(^, Argument, Goal) :- !, strip_existential(Argument, Goal).
goal_argument(Extra, Closure, Goal) :-
    integer(Extra),
    callable(Closure),
    Closure \= _:_,
    Closure =.. List0,
    length(More, Extra),
    append(List0, More, List),
    Goal =.. List.

strip_existential(Goal, Goal) :- var(Goal), !.
strip_existential(_ ^ Goal0, Goal) :- !, strip_existential(Goal0, Goal).
strip_existential(Goal, Goal).

undefined(Goal) :-
    callable(Goal),
    \+ of_task(Goal),
    \+ predicate_property(joiner_task:Goal, visible).

%!  refuse(+Kind, +Format, +Arguments)
%
%   Kind says what is wrong (head, reserved, text, undefined, unknown, unsafe), so that the
%   other end can say what to do about it.

refuse(Kind, Format, Arguments) :-
    numbervars(Arguments, 0, _, [singletons(true)]),
    format(string(Message), Format, Arguments),
    throw(refused(Kind, Message)).
