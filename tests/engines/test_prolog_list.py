"""Ordinary Prolog is on the list: harmless clauses that must be accepted, untrusted, and mean what they always meant."""

from __future__ import annotations

import pytest

from engines.flat_programs import atoms
from joiner_magic import read_program
from joiner_magic.engines.prolog.engine import PrologEngine
from joiner_magic.logic.programs import Evaluation

pytestmark = pytest.mark.prolog

# Each line is a body that holds.
HARMLESS = r"""
true
\+ fail
not(false)
once(member(_, [a,b]))
ignore(fail)
(fail ; true)
(true -> true ; fail)
(fail -> fail ; true)
(member(X, [1,2]) *-> X > 0 ; fail)
forall(member(X, [1,2]), X > 0)
call(atom, a)
call(plus(1), 2, 3)
call((X = 1, X == 1))
call([X]>>(X > 1), 2)
catch(atom_length(_, _), error(E, _), true), E == instantiation_error
catch(throw(oops(1)), oops(N), N == 1)
catch(number_codes(_, "a"), error(syntax_error(_), _), true)
catch(member(X, [1,2]), _, true), X == 2
assertion(1 < 2)
repeat, !
findall(X, member(X, [b,a]), [b,a])
findall(X-Y, (member(X, [1,2]), member(Y, [a])), L), length(L, 2)
findall(X, member(X, [a]), [a,b], [b])
bagof(X, member(X, [c,a]), [c,a])
bagof(X, Y^member(X-Y, [c-1,a-2]), [c,a])
setof(X, Y^member(X-Y, [c-1,a-2]), [a,c])
setof(K-Vs, setof(V, member(K-V, [a-1,b-2,a-3]), Vs), [a-[1,3],b-[2]])
aggregate_all(count, member(_, [a,b]), 2)
aggregate_all(sum(X), member(X, [1,2]), 3)
aggregate_all(max(X), member(X, [1,2]), 2)
aggregate_all(max(X, W), member(X-W, [1-a,2-b]), max(2, b))
aggregate_all(bag(X), member(X, [b,a]), [b,a])
aggregate_all(set(X), member(X, [b,a]), [a,b])
aggregate(count, X^member(X, [a,b]), 2)
foreach(member(X, [1,2]), X < 3)
X = f(Y), Y = 1, X == f(1)
a \= b
a \== b
f(_) =@= f(_)
a @< b, b @> a, a @=< a, a @>= a
compare(<, 1, 2)
unify_with_occurs_check(X, f(Y)), X == f(Y)
\+ unify_with_occurs_check(X, f(X))
subsumes_term(f(_), f(a))
dif(X, a), X = b
dif(X, Y), X = a, \+ Y = a
?=(a, b)
var(_), nonvar(a), atom(a), atomic(1), number(1.5), integer(3), float(1.0), compound(f(a)), callable(a)
is_list([a]), string("abc"), ground(f(a)), acyclic_term(f(a))
X is 1 + 2 * 3 - 4 // 2, X =:= 5
X is 7 mod 3 + 7 rem 3 + gcd(12, 18), X == 8
X is max(1, 2) + min(3, 4) + abs(-1) + sign(-2), X == 5
X is sqrt(16) + 2 ** 3 + 2 ^ 3, X =:= 20
X is truncate(3.7) + round(2.5) + ceiling(1.2) + floor(1.9), X == 9
X is pi + e + sin(0) + cos(0) + exp(0) + log(1) + atan2(0, 1), X > 7
X is 5 /\ 3 + 5 \/ 3 + 1 << 4 + 5 xor 1, integer(X)
X is tan(1.0) + asin(0.5) + sinh(1.0), float(X)
X is 10 ** 30, X > 10 ** 29
1 < 2, 2 > 1, 1 =< 1, 1 >= 1, 1 =:= 1.0, 1 =\= 2
succ(3, 4), succ(P, 4), P == 3, plus(1, 2, 3)
between(1, 3, 2), findall(X, between(1, 3, X), [1,2,3])
divmod(7, 2, 3, 1)
functor(f(a,b), f, 2), functor(T, g, 1), T = g(_)
arg(1, f(a,b), a), findall(X, arg(_, f(a,b), X), [a,b])
f(a,b) =.. [f,a,b], T =.. [g,1], T == g(1)
compound_name_arguments(f(a), f, [a]), compound_name_arity(f(a), f, 1)
copy_term(f(X,Y,X), f(A,B,C)), A == C, A \== B
term_variables(f(X,g(Y),X), [X,Y])
numbervars(f(X,Y), 0, 2), X == '$VAR'(0)
sub_term(b, f(a,g(b)))
occurrences_of_term(a, f(a,g(a)), 2)
atom_length(abc, 3), atom_concat(a, b, ab), atom_chars(abc, [a,b,c]), atom_codes(a, [97])
findall(X, atom_concat(X, _, ab), ['', a, ab])
sub_atom(hello, 1, 3, 1, ell), sub_atom(abc, B, 1, 0, c), B == 2
atom_number('12', 12), number_codes(X, "42"), X == 42, atom_number(A, 7), A == '7'
char_code(a, 97), upcase_atom(abc, 'ABC'), downcase_atom('ABC', abc)
char_type(a, alpha), code_type(0'1, digit(W)), W == 1
atomic_list_concat([a,b,c], abc), atomic_list_concat([a,b], '-', 'a-b'), atomic_list_concat(L, ',', 'x,y'), L == [x,y]
split_string("a,b", ",", "", ["a","b"]), string_concat("a", "b", "ab"), string_length("abc", 3)
string_chars(S, [a,b]), string_codes(S, [97,98]), sub_string("hello", 0, 2, _, "he"), string_upper("ab", "AB")
atom_string(A, "abc"), A == abc, number_string(N, "12"), N == 12, string_lower("AB", "ab"), text_to_string(abc, "abc")
term_to_atom(f(a,1), 'f(a,1)'), term_to_atom(T, 'g(x)'), T == g(x), term_string(f(b), "f(b)")
format(atom(A), '~w-~a ~d', [f(x), b, 3]), A == 'f(x)-b 3'
format(string(S), "~t~w~5|", [ab]), string_length(S, 5)
format(codes(C), '~q', ['A b']), atom_codes(A, C), A == '\'A b\''
write(a), print(b), nl, writeln(c), format('~w~n', [d]), write(user_error, e), tab(2), writeq('A')
length([a,b], 2), length(L, 2), L = [_,_]
append([a], [b], [a,b]), append([[a],[b]], [a,b]), findall(X, append(X, _, [a]), [[],[a]])
member(a, [b,a]), memberchk(a, [b,a]), \+ member(c, [a,b])
reverse([a,b], [b,a]), last([a,b], b), nth0(0, [a,b], a), nth1(1, [a,b], a)
msort([b,a,b], [a,b,b]), sort([b,a,b], [a,b]), sort(0, @>=, [1,2,1], [2,1,1]), keysort([b-1,a-2], [a-2,b-1])
predsort([O,A,B]>>compare(O,A,B), [b,a,b], [a,b])
sum_list([1,2], 3), sumlist([1,2], 3), max_list([1,3], 3), min_list([1,3], 1), numlist(1, 3, [1,2,3])
select(a, [b,a,c], [b,c]), selectchk(a, [a,a], [a]), exclude([X]>>(X == a), [a,b], [b]), subtract([a,b], [a], [b])
permutation([a,b], [b,a]), flatten([a,[b,[c]]], [a,b,c]), list_to_set([a,b,a], [a,b])
intersection([a,b], [b,c], [b]), union([a], [b], [a,b]), subset([a], [a,b]), delete([a,b,a], a, [b])
max_member(c, [a,c,b]), min_member(a, [c,a,b]), nextto(a, b, [a,b]), sumlist([], 0), is_set([a,b])
maplist(atom, [a,b]), maplist(succ, [1,2], [2,3]), maplist(plus, [1], [2], [3])
maplist([X,Y]>>(Y is X * 2), [1,2], [2,4])
N = 3, maplist({N}/[X,Y]>>(Y is X * N), [1,2], [3,6])
maplist([X]>>([Y]>>(Y = X)), [1], [1])
foldl([X,A,B]>>(B is A + X), [1,2,3], 0, 6), foldl(plus, [1,2], 0, 3)
include([X]>>(X > 1), [1,2,3], [2,3]), partition([X]>>(X < 2), [1,2], [1], [2]), convlist([X,Y]>>(X > 1, Y is X + 1), [1,2], [3])
pairs_keys_values(P, [a,b], [1,2]), pairs_keys(P, [a,b]), pairs_values(P, [1,2]), transpose_pairs(P, [1-a,2-b])
group_pairs_by_key([a-1,a-2,b-3], [a-[1,2],b-[3]]), map_list_to_pairs(atom_length, [ab], [2-ab])
list_to_ord_set([b,a], S), ord_memberchk(a, S), ord_union(S, [c], [a,b,c]), ord_subtract(S, [a], [b]), ord_insert_test(S)
list_to_assoc([a-1], A), get_assoc(a, A, 1), put_assoc(b, A, 2, B), assoc_to_list(B, [a-1,b-2]), assoc_to_keys(B, [a,b])
empty_assoc(E), \+ get_assoc(x, E, _)
phrase(greeting, [hello, world]), phrase(digits(Ds), [1,2], []), Ds == [1,2]
phrase(([a], rest), [a,b])
recursive(5, 15), even_length([a,b]), mapped([1,2], [1,4])
\+ \+ (X = 1, X == 1), var(X)
G = p0(a), G =.. [p0|As], As == [a]
shell(a), open(b)
"""

DEFINED = r"""
ord_insert_test(_).
greeting --> [hello], name.
name --> [world] ; [you].
digits([D|Ds]) --> [D], { integer(D) }, digits(Ds).
digits([]) --> [].
rest --> [b], !.
recursive(0, 0) :- !.
recursive(N, S) :- M is N - 1, recursive(M, T), S is T + N.
even_length([]).
even_length([_,_|T]) :- even_length(T).
mapped([], []).
mapped([X|Xs], [Y|Ys]) :- ( X > 1 -> Y is X * X ; Y = X ), mapped(Xs, Ys).
p0(a).
shell(a).
open(b).
"""

BODIES = [line for line in HARMLESS.strip().splitlines() if line]


def test_there_are_enough_of_them() -> None:
    assert len(BODIES) >= 100


@pytest.mark.parametrize("trusted", [False, True])
def test_each_is_accepted_and_holds(trusted: bool) -> None:
    """The same with Prolog's own predicates and with those that stand in for them."""
    clauses = [f"c{number}(_) :- {body}." for number, body in enumerate(BODIES)]
    background = "\n".join([*clauses, DEFINED])
    programs = [read_program(f"f(A) :- c{number}(A).") for number in range(len(BODIES))]
    with PrologEngine([("bk", background)], atoms("f(a)"), [], trusted=trusted) as prolog:
        found = prolog.evaluate(programs)
    assert [
        body for body, evaluation in zip(BODIES, found, strict=True) if evaluation != Evaluation(1, 0)
    ] == []
