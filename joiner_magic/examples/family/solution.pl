% A musician with a female ancestor who is one.
gifted(A) :- musician(A), ancestor(B,A), female(B), musician(B).
