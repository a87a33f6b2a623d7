/*  Everything the worker asks of Prolog.  */
:- module(joiner, []).
:- reexport([task, coverage, proof]).
