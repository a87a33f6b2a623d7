/*  Which examples does a program cover?

    The program's rules stand in a module of their own for as long as it is evaluated. What
    they call is either defined by the program, and then found in that module, or named as
    the task's: a program's definition hides the task's from the program alone, and nothing
    of one program is seen by the next.

    A program that calls what it defines is tabled, so that it means its least model: left
    recursion ends, and so does every recursion over finitely many atoms. The other programs
    are plain Prolog, which need not find all answers to see that there is one.
*/
:- module(joiner_coverage, [coverage/5]).
:- use_module(database).
:- use_module(task).
:- use_module(tokens).
:- use_module(library(lists), [member/2, memberchk/2]).

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
    meaning(Rules, Module),
    setup_call_cleanup(
        true,
        ( forall(target(Head), stand(Module, Head)), % the program may have no rule for it
          state(Rules, Module),
          covered(pos, Module, Limit, Overruns, Pos, UnfinishedPos),
          (   Pos == [], Lazy == 1
          ->  Answer = [UnfinishedPos, []]
          ;   covered(neg, Module, Limit, Overruns, Neg, UnfinishedNeg),
              Unfinished is UnfinishedPos + UnfinishedNeg,
              Answer = [Unfinished, Pos, Neg]
          )
        ),
        forget(Rules, Module)).

meaning(Rules, joiner_tabled) :-
    member(rule(_, Body, _), Rules),
    memberchk(own(_), Body), !.
meaning(_, joiner_plain).

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
    forall(member(rule(Head, _, _), Rules), forget_head(Module, Head)),
    ( Module == joiner_tabled -> abolish_module_tables(Module) ; true ).

forget_head(Module, Head) :-
    functor(Head, Name, Arity),
    functor(General, Name, Arity),
    retractall(Module:General).

%!  covered(+Kind, +Module, +Limit, +Overruns, -Covered, -Unfinished)
%
%   Nearly always all the examples together stay below the limit of one, and no goal raises
%   an error: then no example needs a limit of its own. Otherwise each is tried by itself.

covered(Kind, Module, Limit, _, Covered, 0) :-
    catch(call_with_inference_limit(
              findall(Index, ( example(Kind, Index, Atom), \+ \+ Module:Atom ), Covered),
              Limit, Result),
          _, fail),
    Result \== inference_limit_exceeded, !.
covered(Kind, Module, Limit, Overruns, Covered, Unfinished) :-
    findall(Index-Atom, example(Kind, Index, Atom), Examples),
    one_by_one(Examples, Module, Limit, Overruns, Covered, 0, Unfinished).

one_by_one([], _, _, _, [], Unfinished, Unfinished).
one_by_one(Examples, _, _, 0, [], Unfinished0, Unfinished) :- !,
    length(Examples, Left),
    Unfinished is Unfinished0 + Left.
one_by_one([Index-Atom|Examples], Module, Limit, Overruns0, Covered0, Unfinished0, Unfinished) :-
    outcome(Module:Atom, Limit, Outcome),
    (   Outcome == covered
    ->  Covered0 = [Index|Covered], Overruns = Overruns0, Unfinished1 = Unfinished0
    ;   Covered0 = Covered,
        cost(Outcome, Overrun, One),
        Overruns is Overruns0 - Overrun,
        Unfinished1 is Unfinished0 + One
    ),
    one_by_one(Examples, Module, Limit, Overruns, Covered, Unfinished1, Unfinished).

cost(failed, 0, 0).
cost(error, 0, 1).
cost(overrun, 1, 1).

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
outcome_of(error(resource_error(private_table_space), _), overrun) :- !, abolish_all_tables.
outcome_of(error(resource_error(_), _), overrun) :- !.
outcome_of(_, error).
