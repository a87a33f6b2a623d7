/*  The task's clauses, in a module of their own.

    The texts are read, never consulted: directives are skipped, no term is expanded (grammar
    rules apart), and nothing of a text runs while it is loaded. A predicate that SWI-Prolog
    has already (succ/2, is_list/1, ...) is the task's own from its first clause on, in the
    task's module only.
*/
:- module(joiner_task_loader, [load_task/4, declare/2, admit/1]).
:- use_module(database).
:- use_module(recursion).
:- use_module(refusal).
:- use_module(safety).
:- use_module(stand_ins).
:- use_module(tokens).
:- use_module(library(lists), [member/2, nth0/3]).

%!  load_task(+Texts, +Examples, +Trusted, -Answer)
%
%   Examples are the tokens of the positive and of the negative atoms. Answer is
%   [loaded], or [refused, Kind, Message, Number of the text, Offset] for the first clause that
%   cannot be taken.

load_task(Texts, [Pos, Neg], Trusted, Answer) :-
    set_module(joiner_task:base(system)),
    (   Trusted == 1
    ->  assertz(joiner_database:trusted)
    ;   set_prolog_flag(autoload, explicit),
        install_stand_ins
    ),
    load_examples(pos, Pos),
    load_examples(neg, Neg),
    catch(( load_texts(Texts), Answer = [loaded] ),
          refused(Kind, Message, Number, Offset),
          Answer = [refused, Kind, Message, Number, Offset]).

load_examples(Kind, Tokens) :-
    phrase(terms(Atoms), Tokens),
    forall(nth0(Index, Atoms, Atom), assertz(joiner_database:example(Kind, Index, Atom))),
    forall(( member(Atom, Atoms), \+ target(Atom) ), add_target(Atom)).

add_target(Atom) :-
    functor(Atom, Name, Arity),
    functor(Head, Name, Arity),
    assertz(joiner_database:target(Head)).

load_texts(Texts) :-
    forall(nth0(Number, Texts, Text), load_text(Text, Number)),
    ( trusted -> true ; import_list ),
    forall(rule((Head :- Body), Number, Offset),
           located(Number, Offset, check_rule(Head, Body))),
    forall(compiled(Clause, Number, Offset),
           located(Number, Offset, check_compiled(Clause))),
    findall(Predicate, datalog_recursion(Predicate), Recursive),
    ( trusted -> true ; forall(declared(joiner_task, Head), make_static(Head)) ),
    forall(member(Predicate, Recursive), table(joiner_task:Predicate)).

load_text(Text, Number) :-
    % '[]' is the empty list, as in the field's texts and for the embedded engine; SWI-Prolog keeps the two apart.
    ( may_quote_nil(Text) -> Nil = quoted ; Nil = plain ),
    setup_call_cleanup(
        open_string(Text, Stream),
        load_clauses(Stream, Number, Nil),
        close(Stream)).

load_clauses(Stream, Number, Nil) :-
    repeat,
    read_clause(Stream, Number, Offset, Term),
    (   Term == end_of_file
    ->  !
    ;   unquote_nil(Nil, Term, Clause),
        located(Number, Offset, add(Clause, Number, Offset)),
        fail
    ).

read_clause(Stream, Number, Offset, Term) :-
    Options = [module(joiner_task), term_position(Position), cycles(false), quasi_quotations(Quotations)],
    catch(read_term(Stream, Term, Options),
          error(syntax_error(What), Context),
          syntax_refused(What, Context, Number)),
    stream_position_data(char_count, Position, Offset),
    (   Quotations == []
    ->  true
    ;   throw(refused(text, "quasi quotations are not read", Number, Offset))
    ).

syntax_refused(What, Context, Number) :-
    ( Context = stream(_, _, _, Offset) -> true ; Offset = 0 ),
    format(string(Message), "SWI-Prolog cannot read this: ~w", [What]),
    throw(refused(text, Message, Number, Offset)).

may_quote_nil(Text) :- sub_atom(Text, _, _, _, '\'[]\''), !.
may_quote_nil(Text) :- sub_atom(Text, _, _, _, '\\'), sub_atom(Text, _, _, _, '\''), !. % escapes can spell it too

unquote_nil(plain, Term, Term).
unquote_nil(quoted, Term0, Term) :- unquote_nil(Term0, Term).

unquote_nil(Term, Term) :- var(Term), !.
unquote_nil('[]', []) :- !.
unquote_nil(Term0, Term) :- compound(Term0), !,
    compound_name_arity(Term0, Name, Arity),
    compound_name_arity(Term, Name, Arity),
    unquote_arguments(1, Arity, Term0, Term).
unquote_nil(Term, Term).

unquote_arguments(I, Arity, _, _) :- I > Arity, !.
unquote_arguments(I, Arity, Term0, Term) :-
    arg(I, Term0, Argument0),
    arg(I, Term, Argument),
    unquote_nil(Argument0, Argument),
    Next is I + 1,
    unquote_arguments(Next, Arity, Term0, Term).

add((:- dynamic(Predicates)), _, _) :- !, % that says of a predicate that it exists, no more
    forall(listed(Predicates, Name/Arity),
           ( functor(Head, Name, Arity), declare(joiner_task, Head) )).
add((:- _), _, _) :- !.                 % the task's notes tell the user of directives
add((?- _), _, _) :- !.
add((Head --> Body), Number, Offset) :- !,
    dcg_translate_rule((Head --> Body), Clause),
    add(Clause, Number, Offset).
add((Head :- Body), Number, Offset) :- var(Body), !,
    add((Head :- call(Body)), Number, Offset).
add((Head :- Body), Number, Offset) :- !,
    declare(joiner_task, Head),
    assertz(joiner_task:(Head :- Body), Clause),
    ( trusted -> true ; assertz(joiner_database:compiled(Clause, Number, Offset)) ),
    assertz(joiner_database:rule((Head :- Body), Number, Offset)).
add(Head, _, _) :-
    declare(joiner_task, Head),
    assertz(joiner_task:Head).

listed(Predicates, _) :- var(Predicates), !, fail.
listed((First, Rest), Predicate) :- !, ( listed(First, Predicate) ; listed(Rest, Predicate) ).
listed([First|Rest], Predicate) :- !, ( listed(First, Predicate) ; listed(Rest, Predicate) ).
listed(Name/Arity, Name/Arity) :- atom(Name), integer(Arity).

%!  located(+Number, +Offset, :Goal)
%
%   What Goal refuses, and what Prolog itself finds wrong, gets its place in the texts.

:- meta_predicate located(+, +, 0).

located(Number, Offset, Goal) :-
    catch(Goal, Error, relocate(Error, Number, Offset)).

relocate(refused(Kind, Message), Number, Offset) :- !,
    throw(refused(Kind, Message, Number, Offset)).
relocate(error(Formal, _), Number, Offset) :- !,
    message_to_string(error(Formal, _), Message),
    throw(refused(text, Message, Number, Offset)).
relocate(Error, _, _) :-
    throw(Error).

%!  declare(+Module, +Head)
%
%   Makes the head's predicate Module's own, whatever SWI-Prolog means by its name.

declare(Module, Head) :-
    (   callable(Head),
        functor(Head, Name, Arity),
        atom(Name),
        functor(General, Name, Arity)
    ->  declare(Module, General, Name/Arity)
    ;   refuse(head, "~p cannot be the head of a clause", [Head])
    ).

declare(Module, General, _) :-
    declared(Module, General), !.
declare(_, General, Predicate) :-
    reserved(General), !,
    refuse(reserved, "~q is part of Prolog itself and cannot be defined again", [Predicate]).
declare(Module, General, Predicate) :-
    ( Module == joiner_task, \+ trusted -> remove_stand_in(General) ; true ),
    ( predicate_property(system:General, defined) -> redefine_system_predicate(Module:General) ; true ),
    dynamic(Module:Predicate),
    assertz(joiner_database:declared(Module, General)).

remove_stand_in(General) :-
    ( ( stand_in(General) ; stand_in((General :- _)) ) -> retractall(joiner_task:General) ; true ).

% What SWI-Prolog compiles into a call without looking at the predicate: a definition would be
% ignored, and what looks like a call of the task's predicate would call something else. (Tests
% of types and == are compiled too, but call nothing.) Names that begin with $ are Prolog's own.
reserved((_, _)).
reserved((_ ; _)).
reserved('|'(_, _)).
reserved((_ -> _)).
reserved((_ *-> _)).
reserved(\+ _).
reserved(!).
reserved(true).
reserved(fail).
reserved(_ = _).
reserved(_ : _).
reserved(@(_, _)).
reserved(Reserved) :- functor(Reserved, Name, _), sub_atom(Name, 0, _, _, $).
reserved(Call) :- functor(Call, call, Arity), Arity >= 1.

% Static code is faster. Where there is none, calls of the predicate would be errors.
make_static(Head) :-
    (   predicate_property(joiner_task:Head, number_of_clauses(0))
    ->  true
    ;   functor(Head, Name, Arity),
        compile_predicates(joiner_task:[Name/Arity])
    ).

check_rule(Head, Body) :-
    (   called(Body, Goal),
        undefined(Goal)
    ->  functor(Head, Name, Arity),
        refuse(undefined, "~q calls ~p, which nothing defines", [Name/Arity, Goal])
    ;   trusted
    ->  true
    ;   check_safe(Body)
    ).

%!  admit(+Goal)
%
%   Goal may be called by programs: it is the task's, or SWI-Prolog's and harmless.

admit(Goal) :-
    functor(Goal, Name, Arity),
    functor(General, Name, Arity),
    (   declared(joiner_task, General)
    ->  true
    ;   undefined(General)
    ->  refuse(unknown, "the program calls ~q, which the task does not define", [Name/Arity])
    ;   trusted
    ->  true
    ;   check_safe(Goal)
    ).
