max_vars(3).
max_body(3).
enable_recursion.

head_pred(f,1).
type(f,(list,)).
direction(f,(in,)).

body_pred(head,2).
type(head,(list,letter)).
direction(head,(in,out)).

body_pred(tail,2).
type(tail,(list,list)).
direction(tail,(in,out)).

body_pred(empty,1).
type(empty,(list,)).
direction(empty,(in,)).

constant(letter_a,letter).
constant(letter_b,letter).
constant(letter_c,letter).
constant(letter_d,letter).
constant(letter_e,letter).

body_pred(P,1) :- constant(P,_).
type(P,(T,)) :- constant(P,T).
direction(P,(in,)) :- constant(P,_).
