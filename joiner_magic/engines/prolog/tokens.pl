/*  Terms and programs cross between Python and Prolog as flat lists of tokens.

    A term in prefix order: a tag, what the tag needs, then the arguments. Flat, because
    neither side may run out of stack on a deep term, and tagged, because Python has one
    type for what Prolog keeps apart as atoms and strings. codec.py is the other end.
*/
:- module(joiner_tokens, [program//1, terms//1, term_tokens/2]).
:- use_module(library(lists), [append/3]).

%!  program(-Rules)//
%
%   Rules are rule(Head, Body, Variables); a body is a list of own(Goal), for predicates the
%   program defines, and background(Goal). Variables is a compound with the rule's variables
%   in the order of their numbers.

program(Rules) -->
    [Count],
    rules(Count, Rules).

rules(0, []) --> !, [].
rules(N, [rule(Head, Body, Variables)|Rules]) -->
    [Width, Length],
    { compound_name_arity(Variables, v, Width) },
    literal(Variables, Head),
    body(Length, Variables, Body),
    { N1 is N - 1 },
    rules(N1, Rules).

body(0, _, []) --> !, [].
body(N, Variables, [Goal|Goals]) -->
    [Whose],
    literal(Variables, Literal),
    { whose(Whose, Literal, Goal), N1 is N - 1 },
    body(N1, Variables, Goals).

whose(own, Literal, own(Literal)).
whose(background, Literal, background(Literal)).

literal(Variables, Literal) -->
    [Name, Arity],
    compound(Name, Arity, Variables, Literal).

%!  terms(-Terms)//
%
%   Ground terms, after their number.

terms(Terms) -->
    [Count],
    { length(Terms, Count) },
    items(Terms, none).

items([], _) --> [].
items([Item|Items], Variables) -->
    term(Variables, Item),
    items(Items, Variables).

term(Variables, Term) -->
    [Tag],
    term(Tag, Variables, Term).

term(variable, Variables, Term) --> [Number], { arg(Number, Variables, Term) }.
term(symbol, _, Term)           --> [Name], { Name == '[]' -> Term = [] ; Term = Name }.
term(number, _, Number)         --> [Number].
term(string, _, String)         --> [Text], { atom_string(Text, String) }.
term(compound, Variables, Term) --> [Name, Arity], compound(Name, Arity, Variables, Term).
term(list, Variables, List)     -->
    [Length],
    { length(Items, Length), append(Items, Tail, List) },
    items(Items, Variables),
    term(Variables, Tail).

compound(Name, 0, _, Name) --> !, [].
compound(Name, Arity, Variables, Term) -->
    { compound_name_arity(Term, Name, Arity) },
    arguments(1, Arity, Variables, Term).

arguments(I, Arity, _, _) --> { I > Arity }, !, [].
arguments(I, Arity, Variables, Term) -->
    { arg(I, Term, Argument), I1 is I + 1 },
    term(Variables, Argument),
    arguments(I1, Arity, Variables, Term).

%!  term_tokens(+Term, -Tokens)
%
%   What has no counterpart in Python (streams and other blobs) becomes the symbol it prints as.

term_tokens(Term, Tokens) :-
    phrase(tokens(Term), Tokens).

tokens(Term) --> { var(Term) }, !, [variable].
tokens(Term) --> { integer(Term) ; float(Term) }, !, [number, Term].
tokens(Term) --> { string(Term) }, !, [string, Term].
tokens([])   --> !, [symbol, "[]"].
tokens(Term) --> { atom(Term), atom_string(Term, Name) }, !, [symbol, Name].
tokens(Term) --> { Term = [_|_] }, !,
    { '$skip_list'(Length, Term, Tail), length(Items, Length), append(Items, Tail, Term) },
    [list, Length],
    each(Items),
    tokens(Tail).
tokens(Term) --> { compound(Term) }, !,
    { compound_name_arguments(Term, Name, Arguments),
      length(Arguments, Arity),
      atom_string(Name, Text)
    },
    [compound, Text, Arity],
    each(Arguments).
tokens(Term) --> { rational(Term, N, D) }, !, tokens(rdiv(N, D)).
tokens(Term) --> { format(string(Text), "~w", [Term]) }, [symbol, Text].

each([]) --> [].
each([Term|Terms]) --> tokens(Term), each(Terms).
