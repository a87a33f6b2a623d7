/*  Background knowledge that is a Datalog recursion means its least model, as it does to the
    embedded engine: such predicates are tabled, so that left recursion and cycles end.

    Only recursion that builds and takes apart no terms, and has no cuts: tabling finds all
    answers before it gives the first, which for a recursion over lists may be never.
*/
:- module(joiner_recursion, [datalog_recursion/1]).
:- use_module(database).
:- use_module(safety).
:- use_module(library(lists), [member/2]).

%!  datalog_recursion(-Predicate)

datalog_recursion(Name/Arity) :-
    setof(Caller, Callee^calls(Caller, Callee), Callers),
    member(Name/Arity, Callers),
    reaches(Name/Arity, Name/Arity),
    functor(Head, Name, Arity),
    forall(clause(joiner_task:Head, Body), (flat(Head), datalog(Body))).

:- table reaches/2.

reaches(Caller, Callee) :- calls(Caller, Callee).
reaches(Caller, Callee) :- reaches(Caller, Between), calls(Between, Callee).

calls(Name/Arity, CalleeName/CalleeArity) :-
    rule((Head :- Body), _, _),
    functor(Head, Name, Arity),
    called(Body, Goal),
    functor(Goal, CalleeName, CalleeArity).

datalog(Goal) :- var(Goal), !, fail.
datalog(true).
datalog((A, B)) :- datalog(A), datalog(B).
datalog((A ; B)) :- datalog(A), datalog(B).
datalog(\+ Goal) :- datalog(Goal).
datalog(Goal) :-
    functor(Goal, Name, Arity),
    functor(General, Name, Arity),
    ( declared(joiner_task, General) -> true ; comparison(General) ),
    flat(Goal).

comparison(_ = _).
comparison(_ \= _).
comparison(_ == _).
comparison(_ \== _).
comparison(_ < _).
comparison(_ =< _).
comparison(_ > _).
comparison(_ >= _).
comparison(_ =:= _).
comparison(_ =\= _).

flat(Atom) :- atom(Atom), !.
flat(Atom) :- forall(arg(_, Atom, Argument), ( var(Argument) ; ground(Argument) )).
