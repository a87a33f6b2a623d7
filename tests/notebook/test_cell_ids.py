"""A cell that is run again takes the place of what it said; one that fails has said nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from joiner_magic.errors import TextError
from joiner_magic.sessions.current import current, switch

Cell = Callable[..., Any]


def texts() -> list[str]:
    return [cell.text.strip() for cell in current().cells]


def test_a_cell_that_is_run_again_replaces_what_it_said(cell: Cell) -> None:
    cell("%%bk\np(1).", "a")
    cell("%%bk\np(2).", "b")
    cell("%%bk\np(3).", "a")
    assert texts() == ["p(3).", "p(2)."]


def test_each_line_of_a_cell_is_replaced_by_itself(cell: Cell) -> None:
    cell("%bk p(1).\n%bk p(2).\n%examples pos(f(1)).", "a")
    cell("%bk p(1).\n%bk p(3).\n%examples pos(f(1)).", "a")
    assert texts() == ["p(1).", "p(3).", "pos(f(1))."]


def test_what_a_cell_no_longer_says_is_forgotten(cell: Cell) -> None:
    cell("%bk p(1).\n%bk p(2).", "a")
    cell("%bk p(9).", "ab")  # whose id begins like the other's
    cell("%bk p(1).", "a")
    assert texts() == ["p(1).", "p(9)."]
    cell("x = 1", "a")
    assert texts() == ["p(9)."]


def test_a_cell_may_turn_to_another_kind(cell: Cell) -> None:
    cell("%%bk\npos(f(1)).", "a")
    cell("%%examples\npos(f(1)).", "a")
    assert [each.kind for each in current().cells] == ["examples"]


@pytest.mark.parametrize("broken", ["%%bk\np(", "%bk p(7).\n%bk p(", "%bk p(7).\n1/0", "%bk p(7).\n%bk\nx ="])
def test_an_edited_cell_with_an_error_leaves_everything_as_it_was(cell: Cell, broken: str) -> None:
    cell("%bk p(1).\n%bk p(2).", "a")
    with pytest.raises((TextError, ZeroDivisionError, SyntaxError)):
        cell(broken, "a")
    assert texts() == ["p(1).", "p(2)."]
    cell("%bk p(3).", "a")
    assert texts() == ["p(3)."]


def test_a_reset_in_a_cell_that_fails_is_taken_back(cell: Cell) -> None:
    cell("%bk p(1).")
    with pytest.raises(ZeroDivisionError):
        cell("%joiner reset\n1/0")
    assert texts() == ["p(1)."]


def test_a_name_takes_the_place_of_the_cell(cell: Cell) -> None:
    cell("%bk --name facts p(1).", "a")
    cell("%bk --name facts p(2).", "b")
    cell("x = 1", "a")
    assert texts() == ["p(2)."]


def test_a_cell_that_says_something_by_another_name_or_none_does_not_double_it(cell: Cell) -> None:
    cell("%bk --name facts2 p(0).")
    cell("%%bk --name facts\np(1).", "a")
    cell("%%bk --name trains\np(1).", "a")
    assert texts() == ["p(0).", "p(1)."]
    cell("%%bk\np(1).", "a")
    assert texts() == ["p(0).", "p(1)."]
    cell("%%bk --name facts\np(1).", "a")
    assert texts() == ["p(0).", "p(1)."]
    with pytest.raises(ZeroDivisionError):
        cell("%bk p(1).\n1/0", "a")
    assert texts() == ["p(0).", "p(1)."]


def test_each_kind_has_names_of_its_own(cell: Cell) -> None:
    cell("%bk --name trains p(1).")
    cell("%examples --name trains pos(f(1)).")
    assert texts() == ["p(1).", "pos(f(1))."]


def test_without_ids_the_same_text_is_said_once(cell: Cell) -> None:
    for text in ("%bk p(1).", "%bk p(1).", "%bk p(2).", "%%bk --name n\np(3).", "%%bk --name n\np(4)."):
        cell(text, None)
    assert texts() == ["p(1).", "p(2).", "p(4)."]


def test_a_cell_without_an_id_that_fails_is_taken_back(cell: Cell) -> None:
    with pytest.raises(TextError):
        cell("%bk p(1).\n%bk p(", None)
    assert texts() == []


def test_a_task_keeps_what_a_cell_said_when_the_cell_now_speaks_to_another(cell: Cell) -> None:
    cell("%bk p(1).", "a")
    cell("%joiner task other")
    cell("%bk p(2).", "a")
    assert texts() == ["p(2)."]
    switch("main")
    assert texts() == ["p(1)."]


def test_a_failure_is_taken_back_in_every_task_the_cell_spoke_to(cell: Cell) -> None:
    with pytest.raises(ZeroDivisionError):
        cell("%bk p(1).\n%joiner task other\n%bk p(2).\n1/0")
    assert texts() == []
    switch("main")
    assert texts() == []


def test_the_cell_that_loads_the_extension_may_speak(bare_shell: InteractiveShell) -> None:
    text = "%load_ext joiner_magic\n%bk p(1)."
    for _ in range(2):
        bare_shell.run_cell(text, store_history=True, cell_id="a").raise_error()  # type: ignore[no-untyped-call]
    assert [each.key for each in current().cells] == ["a#1"]


def test_a_cell_that_runs_another(cell: Cell) -> None:
    inner = "get_ipython().run_cell('%bk p(2).', cell_id='b')"
    cell(f"%bk p(1).\n{inner}\n%bk p(3).", "a")
    assert [(each.key, each.text) for each in current().cells] == [
        ("a#1", "p(1)."),
        ("b#1", "p(2)."),
        ("a#2", "p(3)."),
    ]


def test_empty_cells_are_no_trouble(cell: Cell) -> None:
    cell("%bk p(1).", "a")
    for text in ("", "  \n"):
        cell(text, "b")
    cell("%bk p(2).", "a")
    assert texts() == ["p(2)."]


def test_code_in_an_awaiting_cell_speaks_too(cell: Cell) -> None:
    cell("import asyncio\n%bk p(1).\nawait asyncio.sleep(0)\n%bk p(2).", "a")
    assert [each.key for each in current().cells] == ["a#1", "a#2"]


def test_a_cell_that_was_emptied_says_nothing_any_more(cell: Cell) -> None:
    cell("%%bk\np(1).", "a")
    cell("%%bk", "a")
    assert texts() == [""]
    cell("%%bk --name other\n\n", "b")
    assert texts() == ["", ""]


def test_learning_needs_no_body(cell: Cell) -> None:
    cell("%%bk\np(1).\np(2). q(2).", "a")
    cell("%%examples\npos(f(2)). neg(f(1)).", "b")
    assert cell("%%joiner --quiet", "c").optimal
    assert cell("%%joiner --quiet --no-join\n", "c").optimal


def test_a_cell_that_loads_what_it_said_once_keeps_it(cell: Cell, tmp_path: Path) -> None:
    cell("%bk p(1).\n%bk p(2).", "a")
    cell(f"%joiner save {tmp_path / 'saved'}")
    cell(f"%joiner load {tmp_path / 'saved'}", "a")
    assert texts() == ["p(1).", "p(2)."]
    cell("%bk p(3).", "a")
    assert texts() == ["p(3)."]
