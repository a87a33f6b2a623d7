% A small blue pyramid, and a large one that touches a red one.
follows(A) :- has(A,B), blue(B), small(B), has(A,C), large(C), touches(C,D), red(D).
