"""What every engine must do: the same cases for both."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from busy import within
from joiner_magic.engines.choose import choose_engine
from joiner_magic.engines.protocol import Cancelled, Engine, Proof
from joiner_magic.errors import EngineError, TaskError
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Integer, Symbol
from joiner_magic.task.reader import read_program, read_term
from joiner_magic.task.task import read_task

GRAPH = "edge(a,b). edge(b,c). edge(c,a). edge(d,e). red(a). red(e). succ(0,1). succ(1,2). "
GRAPH_EXAMPLES = "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)). neg(f(e)). neg(f(lonely))."
GRAPH_BIAS = "head_pred(f,1). body_pred(edge,2). body_pred(red,1). body_pred(succ,2)."

Opener = Callable[..., Engine]


@pytest.fixture
def opened(engine_name: str) -> Opener:
    def open_engine(bk: str = GRAPH, exs: str = GRAPH_EXAMPLES, bias: str | None = GRAPH_BIAS) -> Engine:
        return choose_engine(read_task(bk, exs, bias), engine_name).engine

    return open_engine


def covers(engine: Engine, program: str) -> tuple[int, int | None]:
    (evaluation,) = engine.evaluate([read_program(program)])
    assert evaluation.complete
    return evaluation.pos, evaluation.neg


@pytest.mark.parametrize(
    ("program", "pos", "neg"),
    [
        ("f(A) :- edge(A,B).", 0b111, 0b001),
        ("f(A) :- edge(A,B), red(B).", 0b100, 0b001),
        ("f(A) :- edge(A,B), edge(B,C), edge(C,A).", 0b111, 0b000),
        ("f(A) :- red(A).", 0b001, 0b010),
        ("f(A) :- red(A). f(A) :- edge(A,B), red(B).", 0b101, 0b011),
        ("f(A).", 0b111, 0b111),
        ("f(a).", 0b001, 0b000),
        ("f(A) :- edge(b,A).", 0b100, 0b000),
        ("f(A) :- edge(A,A).", 0b000, 0b000),
        ("f(A) :- edge(B,B).", 0b000, 0b000),
        ("f(A) :- edge(B,C), red(C).", 0b111, 0b111),
        ("f(A) :- reach(A,A). reach(A,B) :- edge(A,B). reach(A,B) :- edge(A,C), reach(C,B).", 0b111, 0b000),
        ("f(A) :- reach(A,A). reach(A,B) :- edge(A,B). reach(A,B) :- reach(A,C), edge(C,B).", 0b111, 0b000),
        ("f(A) :- f(B), edge(A,B). f(A) :- red(A).", 0b111, 0b011),
        ("f(A) :- f(A).", 0b000, 0b000),
        ("f(A) :- even(A). even(A) :- red(A). even(A) :- edge(A,B), odd(B). odd(A) :- edge(A,B), even(B).", 0b111, 0b010),
        ("f(A) :- edge(A,B), inv(B). inv(A) :- edge(A,B), red(B).", 0b010, 0b000),
        ("f(A) :- any(A,B), red(B). any(A,B) :- edge(A,C).", 0b111, 0b001),
        ("g(A) :- red(A).", 0b000, 0b000),
        ("red(A) :- edge(A,B). f(A) :- red(A).", 0b111, 0b001),
        ("f(A) :- succ(B,C), edge(A,D).", 0b111, 0b001),
    ],
)  # fmt: skip
def test_coverage(opened: Opener, program: str, pos: int, neg: int) -> None:
    with opened() as engine:
        assert covers(engine, program) == (pos, neg)


def test_arity_nought_and_a_single_example(opened: Opener) -> None:
    with opened("rain. p(1).", "pos(wet).", "head_pred(wet,0). body_pred(rain,0). body_pred(p,1).") as engine:
        assert covers(engine, "wet :- rain.") == (1, 0)
        assert covers(engine, "wet :- p(2).") == (0, 0)


def test_facts_of_every_kind_of_term(opened: Opener) -> None:
    terms = [
        "1",
        "1.0",
        '"1"',
        "'1'",
        "[1]",
        "s(1)",
        "'Quoted atom'",
        "[]",
        "12345678901234567890",
        "-3",
        "é",
    ]
    background = "".join(f"v({i}, {term}).\n" for i, term in enumerate(terms))
    examples = "".join(f"pos(f({term})).\n" for term in terms)
    with opened(background, examples, "head_pred(f,1). body_pred(v,2).") as engine:
        for i in range(len(terms)):
            assert covers(engine, f"f(A) :- v({i},A).")[0] == 1 << i


def test_lists_are_taken_apart(opened: Opener) -> None:
    background = "head([H|_],H). tail([_|T],T). empty([]). isx(x)."
    bias = """head_pred(f,1). body_pred(head,2). body_pred(tail,2). body_pred(empty,1). body_pred(isx,1).
              direction(f,(in,)). direction(head,(in,out)). direction(tail,(in,out)). direction(empty,(in,)).
              direction(isx,(in,)). enable_recursion."""
    examples = "pos(f([a,b,x])). pos(f([x])). neg(f([a,b])). neg(f([]))."
    with opened(background, examples, bias) as engine:
        assert covers(engine, "f(A) :- head(A,B), isx(B). f(A) :- tail(A,B), f(B).") == (0b11, 0)
        assert covers(engine, "f(A) :- empty(A). f(A) :- tail(A,B), f(B).") == (0b11, 0b11)


def test_fan_out_is_no_obstacle(opened: Opener) -> None:
    """A chain of literals whose bindings number 30^6 is decided at once by the embedded engine."""
    background = "".join(f"p({i},{j}).\n" for i in range(30) for j in range(30)) + "q(none)."
    with opened(
        background, "pos(f(1)). neg(f(2)).", "head_pred(f,1). body_pred(p,2). body_pred(q,1)."
    ) as engine:
        program = "f(A) :- p(A,B), p(B,C), p(C,D), p(D,E), p(E,F), p(F,G), q(G)."
        (evaluation,) = engine.evaluate([read_program(program)], limit=100_000)
        assert evaluation.pos == 0
        assert evaluation.complete == (engine.name == "datalog")


def test_lazy_evaluation_leaves_out_negatives_that_do_not_matter(opened: Opener) -> None:
    with opened() as engine:
        nothing, something = engine.evaluate(
            [read_program("f(A) :- edge(A,A)."), read_program("f(A) :- red(A).")], lazy=True
        )
        assert (nothing.pos, nothing.neg) == (0, None)
        assert (something.pos, something.neg) == (1, 0b010)


def test_batches_keep_their_order(opened: Opener) -> None:
    programs = [read_program(text) for text in ("f(a).", "f(b).", "f(c).")] * 500
    with opened() as engine:
        assert [evaluation.pos for evaluation in engine.evaluate(programs)] == [1, 2, 4] * 500
        assert engine.evaluate([]) == []


def test_a_limit_leaves_the_program_unfinished(opened: Opener) -> None:
    background = "".join(f"e({i},{(i + 1) % 400}).\n" for i in range(400))
    with opened(background, "pos(f(0)).", "head_pred(f,1). body_pred(e,2). enable_recursion.") as engine:
        program = read_program("f(A) :- t(A,B), e(B,A). t(A,B) :- e(A,B). t(A,B) :- e(A,C), t(C,B).")
        (evaluation,) = engine.evaluate([program], limit=300)
        assert evaluation == (0, 0, False)
        (evaluation,) = engine.evaluate([program], limit=100_000_000)
        assert evaluation == (1, 0, True)


def test_a_running_evaluation_can_be_cancelled(opened: Opener) -> None:
    # Only x, which the others do not reach, has z: no shortcut shows that there is no way to it.
    background = "".join(f"e({i},{j}).\n" for i in range(60) for j in range(60)) + "e(x,x). e(x,z).\n"
    loop = read_program(
        "f(A) :- t(A,B,C,D), n(B,C,D). t(A,B,C,D) :- e(A,B), e(C,D). n(A,B,C) :- e(A,B), e(B,C), e(C,z)."
    )
    with opened(background, "pos(f(0)). neg(f(1)).", "head_pred(f,1). body_pred(e,2).") as engine:
        threading.Timer(0.5, engine.cancel).start()
        with within(3), pytest.raises(Cancelled):
            engine.evaluate([loop] * 1000, limit=10**12)
        assert covers(engine, "f(A) :- e(A,B).") == (1, 1)  # and it goes on working


def leaves(proof: Proof) -> list[str]:
    if proof.rule is None:
        return [render_term(proof.atom)]
    return [leaf for premise in proof.premises for leaf in leaves(premise)]


def test_explaining_a_covered_example(opened: Opener) -> None:
    with opened() as engine:
        explanation = engine.explain(read_program("f(A) :- edge(A,B), red(B)."), read_term("f(c)"))
        assert explanation.covered
        proof = explanation.proof
        assert proof is not None
        assert proof.bindings == (Symbol("c"), Symbol("a"))
        assert leaves(proof) == ["edge(c, a)", "red(a)"]


def test_explaining_a_recursive_derivation(opened: Opener) -> None:
    with opened() as engine:
        program = read_program("f(A) :- red(A). f(A) :- edge(A,B), f(B).")
        proof = engine.explain(program, read_term("f(b)")).proof
        assert proof is not None
        assert leaves(proof) == ["edge(b, c)", "edge(c, a)", "red(a)"]
        assert render_term(proof.premises[1].atom) == "f(c)"


def test_explaining_where_each_rule_fails(opened: Opener) -> None:
    with opened() as engine:
        program = read_program("f(A) :- edge(A,B), edge(B,C), red(C). f(A) :- succ(A,B). f(zzz) :- red(a).")
        explanation = engine.explain(program, read_term("f(d)"))
        assert not explanation.covered
        first, second, third = explanation.failures
        assert (first.holds, first.literal) == (1, program.rules[0].body[1])
        assert first.bindings[:2] == (Symbol("d"), Symbol("e"))
        assert first.bindings[2] is None
        assert (second.holds, second.literal) == (0, program.rules[1].body[0])
        assert (third.holds, third.literal) == (-1, None)


def test_examples_that_are_not_in_the_task_can_be_explained(opened: Opener) -> None:
    with opened() as engine:
        assert not engine.explain(read_program("f(A) :- red(A)."), read_term("f(new)")).covered
        assert engine.explain(read_program("f(A)."), read_term("f(new)")).covered


def test_an_atom_the_program_does_not_define_cannot_be_explained(opened: Opener) -> None:
    with opened() as engine, pytest.raises(TaskError, match="no rule for g/1"):
        engine.explain(read_program("f(A) :- red(A)."), read_term("g(a)"))


def test_a_predicate_nobody_defines_is_an_error(opened: Opener) -> None:
    with opened() as engine, pytest.raises((TaskError, EngineError), match="egde/2"):
        engine.evaluate([read_program("f(A) :- egde(A,B).")])


def test_two_tasks_do_not_see_each_other(opened: Opener) -> None:
    with opened() as first, opened("edge(x,y). red(x).", "pos(f(x)).", None) as second:
        assert covers(second, "f(A) :- edge(A,B).") == (1, 0)
        assert covers(first, "f(A) :- edge(A,B).") == (0b111, 0b001)
        assert covers(second, "f(A) :- edge(B,C), red(C).") == (0, 0)


def test_integers_and_their_look_alikes(opened: Opener) -> None:
    bias = "head_pred(f,1). body_pred(n,1)."
    with opened("n(1). n('2').", "pos(f(1)). pos(f('1')). pos(f(2)). pos(f('2')).", bias) as engine:
        assert covers(engine, "f(A) :- n(A).") == (0b1001, 0)
        proof = engine.explain(read_program("f(A) :- n(A)."), read_term("f(1)")).proof
        assert proof is not None
        assert proof.bindings == (Integer(1),)
