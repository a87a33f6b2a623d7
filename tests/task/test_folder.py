"""Tasks as directories: the field's, our own, and what is written and read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT, field_tasks
from joiner_magic.engines.choose import choose_engine
from joiner_magic.errors import TaskError, TextError
from joiner_magic.logic.terms import Compound, Float, Integer, List, String, Symbol, Term
from joiner_magic.task.folder import load_task, save_task
from joiner_magic.task.reader import PrologText, read_program
from joiner_magic.task.task import read_task

SHIPPED = sorted((ROOT / "joiner_magic" / "examples").iterdir())


def test_three_tasks_are_shipped() -> None:
    assert [path.name for path in SHIPPED] == ["family", "pyramids", "strings"]


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_shipped_solutions_are_solutions(folder: Path) -> None:
    task = load_task(folder)
    assert not task.notes
    program = read_program((folder / "solution.pl").read_text(encoding="utf-8"))
    with choose_engine(task, "datalog").engine as engine:
        (found,) = engine.evaluate([program])
    assert found.complete
    assert found.pos == (1 << len(task.examples.pos)) - 1
    assert found.neg == 0


@pytest.mark.parametrize("folder", [*SHIPPED, *field_tasks()], ids=lambda folder: folder.name)
def test_a_task_survives_writing_and_reading(folder: Path, tmp_path: Path) -> None:
    task = load_task(folder)
    save_task(task, tmp_path)
    again = load_task(tmp_path)
    assert again == task
    assert [(p, r.facts) for p, r in again.background.predicates.items()] == [
        (p, r.facts) for p, r in task.background.predicates.items()
    ]


def test_an_inferred_bias_is_written_out(tmp_path: Path) -> None:
    task = read_task("p(a,b). q(b).", "pos(f(a)). neg(f(b)).")
    save_task(task, tmp_path / "new" / "folder")
    again = load_task(tmp_path / "new" / "folder")
    assert again == task
    assert not again.notes


def test_several_texts_are_written_as_one(tmp_path: Path) -> None:
    sources = [PrologText.read("p(a,b). % the end", "cell 1"), PrologText.read("q(b).", "cell 2")]
    task = read_task(sources, "pos(f(a)).")
    save_task(task, tmp_path)
    assert load_task(tmp_path) == task


def test_comments_of_the_background_are_kept(tmp_path: Path) -> None:
    save_task(read_task("% who knows whom\nknows(ann,bob).", "pos(f(ann))."), tmp_path)
    assert (tmp_path / "bk.pl").read_text(encoding="utf-8").startswith("% who knows whom\n")


WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6)
CONSTANTS = st.one_of(
    st.builds(Symbol, WORDS),
    st.builds(Integer, st.integers()),
    st.builds(Float, st.floats(allow_nan=False, allow_infinity=False)),
    st.builds(String, WORDS),
)
TERMS = st.recursive(
    CONSTANTS,
    lambda inner: st.one_of(
        st.builds(lambda items: List(tuple(items), Symbol("[]")), st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda args: Compound("g", tuple(args)), st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=6,
)


@given(st.lists(TERMS, min_size=1, max_size=5, unique=True), st.lists(TERMS, max_size=5, unique=True))
def test_any_ground_examples_survive(pos: list[Term], neg: list[Term]) -> None:
    task = read_task("p(a).", "pos(f(a)).")
    atoms = [Compound("f", (term,)) for term in pos]
    others = [Compound("f", (term,)) for term in neg if term not in pos]
    examples = replace(task.examples, pos=tuple(atoms), neg=tuple(others))
    assert read_task("p(a).", examples.to_text()).examples == examples


def write(folder: Path, **texts: bytes) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.pl").write_bytes(text)
    return folder


def test_bias_is_optional_and_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    folder = write(tmp_path, bk=b"\xef\xbb\xbfp(a).\r\nq(a).\r\n", exs=b"pos(f(a)).\r\n")
    assert [str(predicate) for predicate in load_task(folder).bias.body] == ["p/1", "q/1"]


@pytest.mark.parametrize("missing", ["bk", "exs"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    texts = {"bk": b"p(a).", "exs": b"pos(f(a))."}
    del texts[missing]
    with pytest.raises(TaskError, match=f"{missing}.pl") as caught:
        load_task(write(tmp_path, **texts))
    assert "a directory with" in caught.value.remedy


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="nowhere"):
        load_task(tmp_path / "nowhere")


def test_bytes_that_are_no_utf8_have_a_place(tmp_path: Path) -> None:
    folder = write(tmp_path, bk="p(a).\np(é, ".encode() + b"\xe9).", exs=b"pos(f(a)).")
    with pytest.raises(TextError, match="not UTF-8") as caught:
        load_task(folder)
    place = caught.value.place
    assert place is not None
    assert (place.line, place.column) == (2, 6)


def test_errors_name_the_file(tmp_path: Path) -> None:
    folder = write(tmp_path, bk=b"p(a).", exs=b"pos(f(a)).", bias=b"max_vars(0).")
    with pytest.raises(TaskError) as caught:
        load_task(folder)
    assert caught.value.place is not None
    assert caught.value.place.text == str(folder / "bias.pl")
