/*  What is known of the task while it is loaded and after.  */
:- module(joiner_database, [declared/2, rule/3, compiled/3, trusted/0, example/3, target/1]).

:- dynamic
    declared/2,                 % Module, Head: the module has a predicate of its own there
    rule/3,                     % Clause, number of its text, offset in it; facts are not kept
    compiled/3,                 % reference of a rule of an untrusted text, and its place as above
    trusted/0,                  % the user has said so: goals are not checked
    example/3,                  % pos or neg, Index, Atom
    target/1.                   % Head: examples are of this predicate
