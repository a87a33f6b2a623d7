/*  Which examples does a program cover?

    The program's rules stand in a module of their own for as long as it is evaluated. What
    they call is either defined by the program, and then found in that module, or named as
    the task's: a program's definition hides the task's from the program alone, and nothing
    of one program is seen by the next.

    A program that calls what it defines means its least model. Plain Prolog finds much of it: what it
    proves is in the model, and what it fails to prove in the end is not. Only where it goes on for too
    long are the examples left to tabling, with which left recursion ends, and so does every recursion
    over finitely many atoms. Tabling copies the terms of every call and answer, so it is slower by far.

    Tables belong to a thread. One that is stopped by a limit leaves tables behind that cannot be completed,
    nor abolished, and a later call of the same goal raises an error. So tabling has a thread of its own for
    each program, with which all its tables end.
*/
:- module(joiner_coverage, [coverage/5]).
:- use_module(database).
:- use_module(task).
:- use_module(tokens).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).

%!  coverage(+Program, +Limit, +Overruns, +Lazy, -Answer)
%
%   Answer is [Unfinished, Pos, Neg]: how many examples were not finished, and the indexes of
%   those covered; [Unfinished, []] when Lazy is 1 and no positive example is covered.
%   Limit bounds the inferences for one example. After so many Overruns the rest of the
%   examples are not tried: the program is hopeless, and the search has others. A refusal is
%   ['refused', Kind, Message].

coverage(Program, Limit, Overruns, Lazy, Answer) :-
    catch(coverage_(Program, Limit, Overruns, Lazy, Answer),
          refused(Kind, Message),
          Answer = [refused, Kind, Message]).

coverage_(Program, Limit, Overruns, Lazy, Answer) :-
    phrase(program(Rules), Program),
    meaning(Rules, Meaning),
    with_rules(joiner_plain, Rules,
        ( covered(pos, Meaning, Limit, Overruns, Pos, UnfinishedPos),
          (   Pos == [], Lazy == 1
          ->  Answer = [UnfinishedPos, []]
          ;   covered(neg, Meaning, Limit, Overruns, Neg, UnfinishedNeg),
              Unfinished is UnfinishedPos + UnfinishedNeg,
              Answer = [Unfinished, Pos, Neg]
          )
        )).

meaning(Rules, recursive(Rules)) :-
    member(rule(_, Body, _), Rules),
    memberchk(own(_), Body), !.
meaning(_, plain).

:- meta_predicate with_rules(+, +, 0).

with_rules(Module, Rules, Goal) :-
    setup_call_cleanup(
        true,
        ( forall(target(Head), stand(Module, Head)), % the program may have no rule for it
          state(Rules, Module),
          call(Goal)
        ),
        forget(Rules, Module)), !.

state([], _).
state([rule(Head, Goals, _)|Rules], Module) :-
    stand(Module, Head),
    body(Goals, Body),
    assertz(Module:(Head :- Body)),
    state(Rules, Module).

body([], true).
body([Goal|Goals], Body) :-
    goal(Goal, First),
    ( Goals == [] -> Body = First ; Body = (First, Rest), body(Goals, Rest) ).

goal(own(Goal), Goal).
goal(background(Goal), joiner_task:Goal) :- admit(Goal).

stand(Module, Head) :- declared(Module, Head), !.
stand(Module, Head) :-
    declare(Module, Head),
    functor(Head, Name, Arity),
    ( Module == joiner_tabled -> table(Module:Name/Arity) ; true ).

forget(Rules, Module) :-
    forall(member(rule(Head, _, _), Rules), forget_head(Module, Head)).

forget_head(Module, Head) :-
    functor(Head, Name, Arity),
    functor(General, Name, Arity),
    retractall(Module:General).

%!  covered(+Kind, +Meaning, +Limit, +Overruns, -Covered, -Unfinished)
%
%   Where the program is not recursive, nearly always all the examples together stay below the limit of
%   one, and no goal raises an error: then no example needs a limit of its own. Otherwise each is tried by itself.

covered(Kind, plain, Limit, _, Covered, 0) :-
    catch(call_with_inference_limit(
              findall(Index, ( example(Kind, Index, Atom), \+ \+ joiner_plain:Atom ), Covered),
              Limit, Result),
          _, fail),
    Result \== inference_limit_exceeded, !.
covered(Kind, Meaning, Limit, Overruns, Covered, Unfinished) :-
    findall(Index-Atom, example(Kind, Index, Atom), Examples),
    plain_limit(Meaning, Limit, PlainLimit),
    one_by_one(Examples, joiner_plain, PlainLimit, Overruns, Covered0, Errors, Left),
    the_rest(Meaning, Left, Limit, Overruns, Covered0, Covered, StillLeft),
    Unfinished is Errors + StillLeft.

% Where a recursion ends in plain Prolog at all, it ends soon.
plain_limit(plain, Limit, Limit).
plain_limit(recursive(_), Limit, PlainLimit) :- PlainLimit is min(Limit, 5_000).

%!  the_rest(+Meaning, +Examples, +Limit, +Overruns, +Covered0, -Covered, -Unfinished)
%
%   The examples that plain Prolog has left are tabled, if that can make a difference. An inference counts
%   for ten then: that is how much longer it takes, or more.

the_rest(recursive(Rules), [Example|Examples], Limit0, Overruns, Covered0, Covered, Unfinished) :- !,
    Limit is Limit0 // 10 + 1,
    with_rules(joiner_tabled, Rules,
        in_a_thread(Found-Unfinished, tabled([Example|Examples], Limit, Overruns, Found, Unfinished))),
    append(Covered0, Found, Covered).
the_rest(_, Examples, _, _, Covered, Covered, Unfinished) :- length(Examples, Unfinished).

tabled(Examples, Limit, Overruns, Covered, Unfinished) :-
    one_by_one(Examples, joiner_tabled, Limit, Overruns, Covered, Errors, Left),
    length(Left, Overrun),
    Unfinished is Errors + Overrun.

:- meta_predicate in_a_thread(?, 0).

in_a_thread(Answer, Goal) :-
    thread_self(Asking),
    thread_create(( call(Goal), thread_send_message(Asking, answer(Answer)) ), Thread),
    thread_join(Thread, Status),
    (   Status == true
    ->  thread_get_message(answer(Answer))
    ;   Status = exception(Error), throw(Error)
    ).

%!  one_by_one(+Examples, +Module, +Limit, +Overruns, -Covered, -Errors, -Left)
%
%   The indexes of covered examples, how many raise an error, and the examples that are left because they ran
%   over the limit, or were not tried after so many Overruns.

one_by_one([], _, _, _, [], 0, []).
one_by_one(Examples, _, _, 0, [], 0, Examples) :- !.
one_by_one([Index-Atom|Examples], Module, Limit, Overruns0, Covered0, Errors, Left0) :-
    outcome(Module:Atom, Limit, Outcome),
    (   Outcome == covered -> Covered0 = [Index|Covered] ; Covered0 = Covered ),
    (   Outcome == overrun
    ->  Left0 = [Index-Atom|Left], Overruns is Overruns0 - 1
    ;   Left0 = Left, Overruns = Overruns0
    ),
    one_by_one(Examples, Module, Limit, Overruns, Covered, Errors1, Left),
    ( Outcome == error -> Errors is Errors1 + 1 ; Errors = Errors1 ).

outcome(Goal, Limit, Outcome) :-
    catch(( call_with_inference_limit(Goal, Limit, Result), ! ), Error, true),
    (   nonvar(Error)
    ->  outcome_of(Error, Outcome)
    ;   Result == inference_limit_exceeded
    ->  Outcome = overrun
    ;   Outcome = covered
    ).
outcome(_, _, failed).

outcome_of(refused(Kind, Message), _) :- !, throw(refused(Kind, Message)). % by a stand-in, when it ran
outcome_of(error(resource_error(_), _), overrun) :- !.
outcome_of(_, error).
