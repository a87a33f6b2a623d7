"""The embedded engine under stress: interrupts, threads, limits, large and hostile inputs."""

from __future__ import annotations

import _thread
import sys
import threading
import time

import pytest

from busy import within
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.engines.protocol import Cancelled
from joiner_magic.logic.programs import Evaluation, Literal, Program, Rule
from joiner_magic.logic.terms import Integer
from joiner_magic.task.reader import read_program, read_term
from joiner_magic.task.task import read_task


def dense(size: int, examples: str = "pos(f(0)). neg(f(1)).") -> DatalogEngine:
    """Everything meets everything: the worst fan-out there is. Only x, which nothing meets, has z."""
    background = "".join(f"e({i},{j}).\n" for i in range(size) for j in range(size)) + "e(x,x). e(x,z).\n"
    return DatalogEngine(read_task(background, examples, "head_pred(f,1). body_pred(e,2)."))


HARD = read_program(
    "f(A) :- t(A,B,C,D), n(B,C,D). t(A,B,C,D) :- e(A,B), e(C,D). n(A,B,C) :- e(A,B), e(B,C), e(C,z)."
)


def test_an_interrupt_ends_an_evaluation_within_a_second() -> None:
    with dense(60) as engine:
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        with within(1.3), pytest.raises(KeyboardInterrupt):
            engine.evaluate([HARD] * 1000)
        assert engine.evaluate([read_program("f(A) :- e(A,B).")]) == [Evaluation(1, 1)]


def test_an_explanation_can_be_cancelled() -> None:
    done = threading.Event()

    def keep_cancelling() -> None:  # a call that comes before the explanation begins has no effect
        while not done.wait(0.005):
            engine.cancel()

    with dense(80) as engine:
        thread = threading.Thread(target=keep_cancelling, daemon=True)
        thread.start()
        with pytest.raises(Cancelled):
            engine.explain(HARD, read_term("f(0)"))
        done.set()
        thread.join()


def test_other_threads_run_meanwhile() -> None:
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    with dense(50) as engine:
        thread = threading.Thread(target=tick)
        thread.start()
        started = time.monotonic()
        engine.evaluate([HARD] * 8)
        took = time.monotonic() - started
        done.set()
        thread.join()
    assert took > 0.1, "too fast to show anything: make the program harder"
    assert len(ticks) > took / 0.01 / 5


def test_memory_is_bounded() -> None:
    """A table of 80^4 answers does not fit: the program is left unfinished, the next one is fine."""
    resource = pytest.importorskip("resource", reason="this system does not tell how much memory was used")
    table = read_program(
        "f(A) :- t(B,C,D,E), n(B,C,D,E). t(A,B,C,D) :- e(A,B), e(C,D). n(A,B,C,D) :- t(A,B,C,z)."
    )
    with dense(80) as engine:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        unfinished, fine = engine.evaluate([table, read_program("f(A) :- e(A,A).")])
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert not unfinished.complete
        assert fine == Evaluation(1, 1)
        # ru_maxrss counts kilobytes on Linux and bytes on macOS: there this says nothing, but fails not.
        assert after - before < 300_000 or sys.platform == "darwin"


def test_a_limit_holds_for_each_program_on_its_own() -> None:
    with dense(30) as engine:
        easy = read_program("f(A) :- e(A,B), e(B,C), e(C,A).")
        results = engine.evaluate([easy, HARD, easy], limit=5_000)
        assert [result.complete for result in results] == [True, False, True]
        assert results[0] == results[2] == Evaluation(1, 1)


@pytest.mark.parametrize("literals", [1, 10, 100, 1000])
def test_long_bodies(literals: int) -> None:
    """A chain of variables as long as the body; more variables than bits in a word."""
    background = "".join(f"next({i},{(i + 1) % 7}).\n" for i in range(7))
    task = read_task(background, "pos(f(0)). neg(f(x)).", "head_pred(f,1). body_pred(next,2).")
    body = tuple(Literal("next", (i, i + 1)) for i in range(literals))
    ring = Program((Rule(Literal("f", (0,)), body),))
    with DatalogEngine(task) as engine:
        assert engine.evaluate([ring]) == [Evaluation(1, 0)]


@pytest.mark.parametrize(
    "program",
    [
        "f(A) :- e(B,A), f(B). f(A) :- e(A,B), e(B,y).",
        "f(A) :- e(B,A), f(B). f(A) :- g(A). g(A) :- e(y,A).",
        "f(A) :- e(B,A), f(B). f(A) :- g(A). g(A) :- f(A).",
    ],
)
def test_what_no_rule_can_derive_is_not_tried(program: str) -> None:
    with dense(30) as engine:
        assert engine.evaluate([read_program(program)], limit=1) == [Evaluation(0, 0, complete=True)]


def test_a_rule_that_holds_elsewhere_is_tried() -> None:
    program = read_program("f(A) :- e(A,B), f(B). f(A) :- e(A,z).")
    with dense(5, "pos(f(x)). neg(f(1)).") as engine:
        assert engine.evaluate([program]) == [Evaluation(1, 0)]


def test_deep_recursion_needs_no_stack() -> None:
    background = "".join(f"next({i},{i + 1}).\n" for i in range(50_000)) + "last(50000)."
    bias = "head_pred(f,1). body_pred(next,2). body_pred(last,1). enable_recursion."
    with DatalogEngine(read_task(background, "pos(f(0)). neg(f(z)).", bias)) as engine:
        walk = read_program("f(A) :- last(A). f(A) :- next(A,B), f(B).")
        assert engine.evaluate([walk]) == [Evaluation(1, 0)]
        proof = engine.explain(walk, read_term("f(49000)")).proof
        depth = 0
        while proof is not None and proof.rule is not None:
            proof, depth = proof.premises[-1], depth + 1
        assert depth == 1001


def test_many_constants_and_wide_relations() -> None:
    background = "".join(f"wide({i},{i},{i},{i},{i + 1}).\n" for i in range(10_000))
    with DatalogEngine(read_task(background, "pos(f(5)). neg(f(10000)).", None)) as engine:
        assert engine.evaluate([read_program("f(A) :- wide(A,B,C,D,E).")]) == [Evaluation(1, 0)]
        assert engine.evaluate([read_program("f(A) :- wide(A,A,A,A,E), wide(E,E,E,E,F).")]) == [
            Evaluation(1, 0)
        ]
        assert engine.evaluate([read_program("f(A) :- wide(B,C,D,E,A).")]) == [Evaluation(1, 1)]


@pytest.mark.parametrize("count", [1, 63, 64, 65, 128, 1000])
def test_bits_of_any_number_of_examples(count: int) -> None:
    background = "".join(f"even({i}).\n" for i in range(0, count, 2))
    examples = "".join(f"pos(f({i})).\n" for i in range(count))
    with DatalogEngine(read_task(background, examples, "head_pred(f,1). body_pred(even,1).")) as engine:
        (evaluation,) = engine.evaluate([read_program("f(A) :- even(A).")])
        assert evaluation == Evaluation(sum(1 << i for i in range(0, count, 2)), 0)


def test_programs_that_are_no_programs_are_refused() -> None:
    with dense(2) as engine:
        with pytest.raises(ValueError, match="out of range"):
            engine.evaluate([Program((Rule(Literal("f", (-1,)), ()),))])
        with pytest.raises(TypeError):
            engine.evaluate([Program((Rule(Literal("f", [0]), ()),))])  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="63 arguments"):
            engine.evaluate([Program((Rule(Literal("f", (0,)), (Literal("e", (0,) * 64),)),))])
        with pytest.raises(AttributeError):
            engine.evaluate([Integer(1)])  # type: ignore[list-item]
