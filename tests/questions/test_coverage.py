"""The coverage matrix of a result, against what the engine says of each rule by itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from joiner_magic.engines.choose import choose_engine
from joiner_magic.errors import MissingPart
from joiner_magic.questions.coverage.matrix import CoverageMatrix
from joiner_magic.search.learn import learn
from joiner_magic.search.outcome.result import Result
from joiner_magic.search.outcome.result_json import load_result, save_result
from joiner_magic.task.task import read_task

BK = """
red(a1). big(a1). red(a2). big(a2). red(b). big(c). round('D d'). round(e).
"""
EXAMPLES = "pos(f(a1)). pos(f(a2)). pos(f('D d')). neg(f(b)). neg(f(c)). pos(f(e))."


@pytest.fixture
def result(engine_name: str) -> Result:
    return learn(read_task(BK, EXAMPLES), engine=engine_name)


def test_rules_and_their_fragments(result: Result) -> None:
    matrix = CoverageMatrix.of(result)
    # In which order a joined rule has its literals, depends on the source of its fragments.
    covered = {
        (column.kind, frozenset(literal.name for literal in column.program.rules[0].body)): (
            column.pos,
            column.neg,
        )
        for column in matrix.columns
    }
    assert covered == {
        ("rule", frozenset({"round"})): (0b1100, 0),
        ("rule", frozenset({"red", "big"})): (0b0011, 0),
        ("fragment", frozenset({"red"})): (0b0011, 0b01),
        ("fragment", frozenset({"big"})): (0b0011, 0b10),
    }
    assert {fragment.rule for fragment in matrix.fragments} == {1}  # that of the second rule


def test_the_frame_has_a_row_for_each_example(result: Result) -> None:
    frame = CoverageMatrix.of(result).to_frame()
    assert list(frame.index) == ["f(a1)", "f(a2)", "f('D d')", "f(e)", "f(b)", "f(c)"]
    assert list(frame["label"]) == ["pos"] * 4 + ["neg"] * 2
    assert list(frame["f(A) :- round(A)."]) == [False, False, True, True, False, False]
    assert list(frame["f(A) :- red(A)."]) == [True, True, False, False, True, False]


def test_an_engine_at_hand_is_asked(result: Result) -> None:
    with choose_engine(result.task).engine as engine:
        assert CoverageMatrix.of(result, engine) == CoverageMatrix.of(result)


def test_a_loaded_result_has_rules_only(result: Result, tmp_path: Path) -> None:
    save_result(result, tmp_path / "result.json")
    loaded = CoverageMatrix.of(load_result(tmp_path / "result.json"))
    assert loaded.rules == CoverageMatrix.of(result).rules
    assert loaded.fragments == ()


def test_a_recursive_rule_is_asked_together_with_the_others(engine_name: str) -> None:
    edges = "edge(a,b). edge(b,c). edge(c,d)."
    examples = (
        "pos(path(a,b)). pos(path(a,c)). pos(path(a,d)). pos(path(b,d)). neg(path(b,a)). neg(path(d,a))."
    )
    bias = "head_pred(path,2). body_pred(edge,2). max_vars(3). max_body(2). enable_recursion."
    result = learn(read_task(edges, examples, bias), engine=engine_name)
    assert result.solved
    columns = CoverageMatrix.of(result).columns
    covered = {
        "path" in column.text.split(":-")[1]: column.pos for column in columns if column.kind == "rule"
    }
    assert covered == {False: 0b0001, True: 0b1110}


def test_without_a_hypothesis_there_are_no_columns() -> None:
    nothing = learn(read_task("p(1). q(1).", "pos(f(2)). neg(f(1)).", "head_pred(f,1). body_pred(p,1)."))
    matrix = CoverageMatrix.of(nothing)
    assert matrix.columns == ()
    assert len(matrix.to_frame()) == 2


def test_without_pandas_only_the_frame_is_missing(result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    matrix = CoverageMatrix.of(result)
    assert len(list(matrix.rows())) == 6
    with pytest.raises(MissingPart):
        matrix.to_frame()
