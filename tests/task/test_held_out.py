from __future__ import annotations

from pathlib import Path

import pytest

from conftest import each_field_task
from joiner_magic import load_held_out, load_task, read_task
from joiner_magic.errors import TextError
from joiner_magic.logic.terms import Predicate

TASK = read_task("p(a). q(b).", "pos(f(a)). neg(f(b)).")


def held_out(folder: Path, bk: str | None, examples: str = "pos(f(c)). neg(f(d)).") -> Path:
    if bk is not None:
        (folder / "bk.pl").write_text(bk)
    (folder / "exs.pl").write_text(examples)
    return folder


def test_without_background_knowledge_the_tasks_own_is_used(tmp_path: Path) -> None:
    task = load_held_out(held_out(tmp_path, None), TASK)
    assert task.background == TASK.background
    assert len(task.examples.pos) == len(task.examples.neg) == 1


def test_what_is_no_prolog_is_left_out_with_a_note(tmp_path: Path) -> None:
    bk = "p(c).\n#show p/1.\np(d).\nbad(X) :-\n    p(X),\n    not q(X).\nq(e)."
    task = load_held_out(held_out(tmp_path, bk), TASK)
    assert set(task.background.predicates) == {Predicate("p", 1), Predicate("q", 1)}
    assert task.background.facts == 3
    (note,) = task.notes
    assert "this statement (and 1 more) is no Prolog and is left out" in str(note)
    assert "bk.pl:2:" in str(note)


def test_a_predicate_without_facts_is_no_body_predicate(tmp_path: Path) -> None:
    assert load_held_out(held_out(tmp_path, "p(c)."), TASK).bias.body == (Predicate("p", 1),)


def test_a_text_that_is_no_prolog_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TextError):
        load_held_out(held_out(tmp_path, "#x.\n" * 200), TASK)


@each_field_task
def test_held_out_examples_of_the_field(folder: Path) -> None:
    task = load_task(folder)
    assert load_held_out(folder / "test", task).examples.predicate == task.bias.head
