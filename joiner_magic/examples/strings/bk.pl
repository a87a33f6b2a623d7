% Strings are lists of letters.

head([H|_],H).
tail([_|T],T).
empty([]).

letter_a(a).
letter_b(b).
letter_c(c).
letter_d(d).
letter_e(e).
