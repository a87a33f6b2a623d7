% There is a b, and there is a d.
f(A) :- has_b(A), has_d(A).

has_b(A) :- head(A,B), letter_b(B).
has_b(A) :- tail(A,B), has_b(B).

has_d(A) :- head(A,B), letter_d(B).
has_d(A) :- tail(A,B), has_d(B).
