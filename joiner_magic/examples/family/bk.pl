% A family over five generations, and who plays an instrument.

parent(ada,carl).
parent(abe,carl).
parent(ada,bea).
parent(abe,bea).
parent(cleo,dan).
parent(ben,dan).
parent(cleo,dora).
parent(ben,dora).
parent(bea,eli).
parent(dan,eli).
parent(bea,emma).
parent(dan,emma).
parent(carl,fay).
parent(dora,fay).
parent(carl,fred).
parent(dora,fred).
parent(emma,gus).
parent(hugo,gus).
parent(emma,gwen).
parent(hugo,gwen).
parent(fay,hana).
parent(ivan,hana).
parent(fay,iris).
parent(ivan,iris).
parent(gwen,jack).
parent(karl,jack).
parent(gwen,june).
parent(karl,june).
parent(fred,kim).
parent(lena,kim).
parent(fred,leo).
parent(lena,leo).
parent(dora,rosa).
parent(paul,rosa).
parent(rosa,sam).
parent(otto,sam).

female(ada).
female(bea).
female(cleo).
female(dora).
female(emma).
female(fay).
female(gwen).
female(hana).
female(iris).
female(june).
female(kim).
female(lena).
female(rosa).

male(abe).
male(ben).
male(carl).
male(dan).
male(eli).
male(fred).
male(gus).
male(hugo).
male(ivan).
male(jack).
male(karl).
male(leo).
male(paul).
male(sam).
male(otto).

musician(ada).
musician(ben).
musician(dan).
musician(eli).
musician(fay).
musician(gus).
musician(hugo).
musician(iris).
musician(ivan).
musician(jack).
musician(june).
musician(karl).
musician(lena).
musician(leo).
musician(paul).
musician(rosa).
musician(sam).

ancestor(X,Y) :- parent(X,Y).
ancestor(X,Y) :- parent(X,Z), ancestor(Z,Y).

sibling(X,Y) :- parent(Z,X), parent(Z,Y), X \= Y.
