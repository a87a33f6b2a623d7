/*  Why does a program cover an atom, or why not?

    The rules are interpreted here, one goal at a time, because a proof must name the rule
    and the bindings behind every step. Goals of the background knowledge are called and are
    leaves.

    A program that calls what it defines needs care: its proof must be well founded, and the
    search for it must end. The rank of an atom is the height of its lowest proof. It is
    tabled with the minimum kept, so it is found whenever the program's least model can be;
    and a proof that only uses atoms of lower rank cannot run in a circle.
*/
:- module(joiner_proof, [explain/4]).
:- use_module(task).
:- use_module(tokens).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth0/3, reverse/2]).

:- dynamic rule/4.              % Index, Head, Body, Variables: the program being explained

%!  explain(+Program, +AtomTokens, +Limit, -Answer)
%
%   Answer is [proof, Nodes], [failures, Failures], [unfinished, Failures] where the search for a
%   proof ran over the limit or raised an error, or [refused, Kind, Message]. A node is
%   [Atom, Rule, Bindings, Premises]; it stands after its premises, which are named by their
%   places in the list. A leaf has rule -1. A failure is [Rule, Holds, Bindings].

explain(Program, AtomTokens, Limit, Answer) :-
    phrase(program(Rules), Program),
    phrase(terms([Atom]), AtomTokens),
    setup_call_cleanup(
        forall(nth0(Index, Rules, rule(Head, Body, Variables)),
               assertz(rule(Index, Head, Body, Variables))),
        catch(answer(Atom, Limit, Answer),
              refused(Kind, Message),
              Answer = [refused, Kind, Message]),
        ( retractall(rule(_, _, _, _)), abolish_module_tables(joiner_proof) )).

answer(Atom, Limit, Answer) :-
    forall(( rule(_, _, Body, _), member(background(Goal), Body) ), admit(Goal)),
    outcome(Limit, proof(Atom, Nodes), Outcome),
    (   Outcome == true
    ->  Answer = [proof, Nodes]
    ;   findall([Index, Holds, Bindings], failure(Atom, Limit, Index, Holds, Bindings), Failures),
        ( Outcome == false -> Answer = [failures, Failures] ; Answer = [unfinished, Failures] )
    ).

:- meta_predicate within(+, 0), outcome(+, 0, -).

% A goal that fails, raises an error or runs over the limit is not within it.
within(Limit, Goal) :- outcome(Limit, Goal, true).

% Outcome is true, false, or unfinished where the goal raises an error or runs over the limit.
outcome(Limit, Goal, Outcome) :-
    (   catch(call_with_inference_limit(Goal, Limit, Result), _, Result = inference_limit_exceeded)
    ->  ( Result == inference_limit_exceeded -> Outcome = unfinished ; Outcome = true )
    ;   Outcome = false
    ).

%!  proof(+Atom, -Nodes)

proof(Atom, Nodes) :-
    ( rule(_, _, Body, _), memberchk(own(_), Body) -> rank(Atom, Rank) ; Rank = 1 ),
    empty_assoc(Known),
    prove(Atom, Rank, _, proof(0, [], Known), proof(_, Reversed, _)),
    reverse(Reversed, Nodes).

:- table rank(_, min).

rank(Atom, Rank) :-
    rule(_, Atom, Body, _),
    highest(Body, 0, Highest),
    Rank is Highest + 1.

highest([], Highest, Highest).
highest([Goal|Goals], Highest0, Highest) :-
    holds(Goal, Rank),
    Highest1 is max(Highest0, Rank),
    highest(Goals, Highest1, Highest).

holds(own(Atom), Rank) :- rank(Atom, Rank).
holds(background(Goal), 0) :- joiner_task:Goal.

%!  prove(+Atom, +Rank, -Place, +Proof0, -Proof)
%
%   Proof is proof(Count, Nodes, Known): the nodes so far, last first, and where each atom
%   stands in them, since an atom that is needed twice is proved once.

prove(Atom, _, Place, Proof, Proof) :-
    Proof = proof(_, _, Known),
    get_assoc(Atom, Known, Place), !.
prove(Atom, Rank, Place, Proof0, Proof) :-
    derivation(Atom, Rank, Index, Goals, Variables), !,
    premises(Goals, Places, Proof0, Proof1),
    bindings(Variables, Bindings),
    add(Atom, Index, Bindings, Places, Place, Proof1, Proof).

derivation(Atom, Rank, Index, Goals, Variables) :-
    rule(Index, Atom, Body, Variables),
    lower(Body, Rank, Goals).

lower([], _, []).
lower([Goal|Body], Rank, [Goal-Lower|Goals]) :-
    holds(Goal, Lower),
    Lower < Rank,
    lower(Body, Rank, Goals).

premises([], [], Proof, Proof).
premises([own(Atom)-Rank|Goals], [Place|Places], Proof0, Proof) :-
    prove(Atom, Rank, Place, Proof0, Proof1),
    premises(Goals, Places, Proof1, Proof).
premises([background(Atom)-_|Goals], [Place|Places], Proof0, Proof) :-
    add(Atom, -1, [], [], Place, Proof0, Proof1),
    premises(Goals, Places, Proof1, Proof).

add(Atom, Index, Bindings, Places, Count, proof(Count, Nodes, Known0), proof(Next, [Node|Nodes], Known)) :-
    term_tokens(Atom, Tokens),
    Node = [Tokens, Index, Bindings, Places],
    Next is Count + 1,
    ( Index >= 0, ground(Atom) -> put_assoc(Atom, Known0, Count, Known) ; Known = Known0 ).

bindings(Variables, Bindings) :-
    compound_name_arguments(Variables, _, Values),
    maplist(term_tokens, Values, Bindings).

%!  failure(+Atom, +Limit, -Index, -Holds, -Bindings)
%
%   How far the rules of Atom's predicate get. Holds is the length of the longest part of the
%   body that holds, read from the left, or -1 when not even the head matches.

failure(Atom, Limit, Index, Holds, Bindings) :-
    functor(Atom, Name, Arity),
    functor(Head, Name, Arity),
    rule(Index, Head, Body, Variables),
    (   Head \= Atom
    ->  Holds = -1,
        compound_name_arity(Variables, Functor, Width),
        compound_name_arity(Unbound, Functor, Width),
        bindings(Unbound, Bindings)
    ;   Head = Atom,
        length(Body, Length),
        longest_prefix(Length, Body, Limit, Holds),
        bindings(Variables, Bindings)
    ).

longest_prefix(Length, Body, Limit, Holds) :-
    Shorter is Length - 1,
    (   Shorter =< 0
    ->  Holds = 0
    ;   length(Prefix, Shorter),
        append(Prefix, _, Body),
        within(Limit, highest(Prefix, 0, _))
    ->  Holds = Shorter
    ;   longest_prefix(Shorter, Body, Limit, Holds)
    ).
