/*  Everything the worker asks of Prolog.  */
:- module(joiner, []).
:- reexport([task, coverage, proof]).
:- use_module(safety, [prepare_list/0]).
:- initialization(prepare_list).
