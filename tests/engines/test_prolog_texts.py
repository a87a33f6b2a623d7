"""What the Prolog engine makes of a task's texts, and what it refuses of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import each_field_task
from engines.flat_programs import atoms, program
from engines.prolog_tasks import GRAPH, covers, engine
from joiner_magic.engines.prolog.engine import PrologEngine
from joiner_magic.errors import EngineError, TaskError
from joiner_magic.logic.programs import Evaluation
from joiner_magic.logic.terms import NIL, Compound

pytestmark = pytest.mark.prolog


# The texts


@pytest.mark.parametrize(
    "background",
    [
        "succ(a,zero). f0(X) :- succ(X,zero).",
        "is_list(a). f0(X) :- is_list(X).",
        "atom_length(a,long). f0(X) :- atom_length(X,long).",
        "length(a,none). f0(X) :- length(X,none).",
        "append(a,b,c). f0(X) :- append(X,b,c).",
        "max(a,_,a). f0(X) :- max(X,b,a).",
        "in(1,a,3). f0(X) :- in(1,X,3).",
        "plus(a). f0(X) :- plus(X).",
        "a < b. f0(X) :- X < b.",
        "print_message(a,b). f0(X) :- print_message(X,b).",
        "halt(a). f0(X) :- halt(X).",
    ],
)
def test_a_task_may_define_what_prolog_has_already(background: str) -> None:
    assert covers(background, "f(A) :- f0(A).")


def test_a_program_may_define_what_prolog_has_already() -> None:
    assert covers("edge(1,a).", "succ(A,B) :- edge(A,B).", "succ(1,a)")
    assert covers("edge(1,a).", "succ(A,B) :- edge(A,C), succ(A,B). succ(1,A) :- edge(1,A).", "succ(1,a)")


@pytest.mark.parametrize(
    "clause", ["(a , b).", "true.", "call(x).", "X = X.", "\\+ x.", "lists:append(a,b,c)."]
)
def test_what_is_part_of_prolog_itself_cannot_be_defined(clause: str) -> None:
    with pytest.raises(EngineError, match=r"part of Prolog itself") as caught:
        engine(f"edge(a,b).\n  {clause}")
    assert caught.value.place is not None
    assert (caught.value.place.text, caught.value.place.line, caught.value.place.column) == ("bk", 2, 3)


@pytest.mark.parametrize(
    "body", ["missing(X)", "edge(X,_), \\+ missing(X)", "maplist(missing,[X])", "(edge(X,X) ; missing(X))"]
)
@pytest.mark.parametrize("trusted", [False, True])
def test_a_call_of_what_nothing_defines_is_refused(body: str, trusted: bool) -> None:
    with pytest.raises(
        EngineError, match=r"p/1 calls missing\(_\w*\), which nothing defines|missing\(A\)"
    ) as caught:
        engine(f"edge(a,b).\nö('é').\np(X) :- {body}.", trusted=trusted)
    assert caught.value.place is not None
    assert caught.value.place.line == 3
    assert caught.value.place.excerpt == f"p(X) :- {body}."


def test_a_syntax_error_has_its_place() -> None:
    with pytest.raises(EngineError, match="cannot read") as caught:
        PrologEngine([("one", "a(1)."), ("two", "b(1).\nc(1) :- d(.\n")], [], [])
    assert caught.value.place is not None
    assert (caught.value.place.text, caught.value.place.line) == ("two", 2)


def test_directives_are_not_executed(tmp_path: Path) -> None:
    made = tmp_path / "made"
    directives = f"""
        :- initialization(halt).
        :- halt.
        ?- halt.
        :- open('{made.as_posix()}', write, S), close(S).
        :- op(700, xfx, ===>).
    """
    assert covers(directives + "edge(a,b).", "f(A) :- edge(A,b).")
    assert covers(directives + "edge(a,b).", "f(A) :- edge(A,b).", trusted=True)
    assert not made.exists()


def test_a_predicate_declared_dynamic_exists_without_clauses() -> None:
    background = ":- dynamic p/1, q/2.\n:- dynamic([r/1]). p(a). s(X) :- p(X), \\+ q(X,X), \\+ r(X)."
    assert covers(background, "f(A) :- s(A).")
    assert not covers(background, "f(A) :- r(A).")


def test_no_clause_is_expanded() -> None:
    background = "term_expansion(edge(a,b), edge(a,c)). goal_expansion(edge(X,c), true). edge(a,b).\n"
    assert covers(background + "p(X) :- edge(X,b). q(X) :- edge(X,c).", "f(A) :- p(A).")
    assert not covers(background + "q(X) :- edge(X,c).", "f(A) :- q(A).")


def test_clauses_of_a_predicate_may_be_scattered_over_texts() -> None:
    texts = [("one", "p(a). q(b). p(c)."), ("two", "q(d). p(e).")]
    with PrologEngine(texts, atoms("f(a) f(c) f(e)"), atoms("f(b)")) as prolog:
        assert prolog.evaluate([program("f(A) :- p(A).")]) == [Evaluation(0b111, 0)]


def test_libraries_and_grammars_work() -> None:
    background = """
        p(X) :- append(_, [X], [c,b,a]), memberchk(X, [a,b]), between(1, 3, N), length(L, N),
                msort([b,X], L), foldl([_,A,B]>>(B is A + 1), L, 0, 2), aggregate_all(count, q(_), 2),
                \\+ X == b, phrase(greeting, [hello, X]).
        q(1). q(2).
        greeting --> [hello], name.
        name --> [a] ; [b].
    """
    assert covers(background, "f(A) :- p(A).")


def test_a_quoted_empty_list_is_the_empty_list() -> None:
    with PrologEngine([("bk", "empty('[]'). two(['[]',[]]).")], [Compound("f", (NIL,))], []) as prolog:
        assert prolog.evaluate([program("f(A) :- empty(A).")]) == [Evaluation(1, 0)]


def test_a_program_that_calls_what_the_task_does_not_define_is_an_error() -> None:
    with engine(GRAPH) as prolog:
        with pytest.raises(TaskError, match="calls purple/1"):
            prolog.evaluate([program("f(A) :- edge(A,B)."), program("f(A) :- purple(A).")])
        assert prolog.evaluate([program("f(A) :- edge(A,b).")]) == [Evaluation(1, 0)]


def test_what_prolog_prints_is_no_answer() -> None:
    noise = "p(X) :- write(X), nl, print(X), writeln(X), format('~w~n', [X]), print_message(error, X), between(1,200,N), N >= 200."
    assert covers(noise, "f(A) :- p(A).")


def test_two_engines_do_not_see_each_other() -> None:
    with engine("p(a). q(b).", "f(a) f(b)") as one, engine("p(b). r(a).", "f(a) f(b)") as other:
        rule = program("f(A) :- p(A).")
        assert (one.evaluate([rule]), other.evaluate([rule])) == ([Evaluation(1, 0)], [Evaluation(2, 0)])
        with pytest.raises(TaskError, match="q/1"):
            other.evaluate([program("f(A) :- q(A).")])
        assert one.evaluate([rule]) == [Evaluation(1, 0)]


# Safety

UNSAFE = """
shell(ls) | shell(ls,_) | system:shell(ls) | process_create(path(ls),[],[]) | getenv('HOME',_) | setenv(a,b)
open('x',write,_) | see('x') | tell('x') | read_file_to_string('x',_,[]) | read_file_to_terms('x',_,[])
load_structure('x',_,[]) | exists_file('x') | delete_file('x') | directory_files('.',_) | tmp_file(a,_) | read(_)
consult(x) | [x] | use_module(library(lists)) | load_files(x,[]) | working_directory(_,'/') | set_stream(user_input,tty(true))
assertz(q(2)) | assert(q(2)) | asserta(q(2)) | assertz(user:q(2)) | assertz((q(2) :- halt)) | retract(q(_)) | retractall(q(_))
abolish(q/1) | recordz(a,b) | flag(a,_,1) | nb_setval(a,1) | gensym(a,_) | abolish_all_tables
halt | halt(3) | abort | sleep(10) | thread_create(true,_) | tcp_connect(_,_,_) | set_prolog_flag(double_quotes,codes)
op(700,xfx,foo) | redefine_system_predicate(q(_)) | '$set_source_module'(user) | janus:py_call(os:getcwd) | @(true,user)
call(G) | G =.. [shell,ls], G | X = shell(ls), call(X) | call(shell,ls) | apply(shell,[ls]) | term_to_atom(G,'halt'), call(G)
findall(X,shell(X),_) | forall(true,shell(ls)) | maplist(shell,[ls]) | maplist([X]>>shell(X),[ls]) | aggregate_all(count,shell(ls),_)
catch(shell(ls),_,true) | \\+ shell(ls) | (true ; shell(ls)) | (true -> shell(ls)) | freeze(X,shell(ls)), X = 1
setup_call_cleanup(true,true,shell(ls)) | format("~@",[shell(ls)]) | phrase({shell(ls)},[]) | when(ground(a),shell(ls))
"""


@pytest.mark.parametrize(
    "goal", [goal.strip() for line in UNSAFE.split("\n") for goal in line.split(" | ") if goal]
)
def test_what_reaches_outside_is_refused(goal: str) -> None:
    with pytest.raises(EngineError, match="is not allowed") as caught:
        engine(f"q(1).\np(X) :- q(X), {goal}.")
    assert caught.value.place is not None
    assert caught.value.place.line == 2
    assert "trusted" in caught.value.remedy


def test_a_refusal_names_the_goal() -> None:
    with pytest.raises(EngineError) as caught:
        engine("p(X) :- q(X), findall(Y, (q(Y), shell(ls)), _). q(1).")
    assert caught.value.message.startswith("shell(ls) is not allowed")


def test_a_predicate_of_the_task_may_have_a_dangerous_name() -> None:
    assert covers("shell(a). open(X,Y,Z) :- shell(X), Y = Z. p(X) :- open(X,1,1).", "f(A) :- p(A), shell(A).")


def test_programs_are_checked_too() -> None:
    with engine(GRAPH) as prolog:
        for text in (
            "f(A) :- halt.",
            "f(A) :- edge(A,B), shell(B).",
            "f(A) :- call(A).",
            "f(A) :- assertz(A).",
        ):
            with pytest.raises(EngineError, match="is not allowed"):
                prolog.evaluate([program(text)])
        assert prolog.evaluate([program("f(A) :- atom(A).")]) == [Evaluation(1, 0)]


def test_a_trusted_text_may_do_all_this(tmp_path: Path) -> None:
    made = tmp_path / "made"
    background = f"""
        :- dynamic seen/1, other/2.
        p(X) :- assertz(seen(X)), seen(a), G = open('{made.as_posix()}',write,S), call(G), close(S).
    """
    assert covers(background, "f(A) :- p(A).", trusted=True)
    assert made.exists()


# Real tasks


@each_field_task
def test_the_background_of_every_task_of_the_field_loads(folder: Path) -> None:
    file = folder / "bk.pl"
    PrologEngine([(str(file), file.read_text())], [], []).close()
