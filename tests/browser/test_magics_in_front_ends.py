"""A task in cells, as a person works with it: run, edit, run again, stop, come back.

Each front end opens notebooks of its own: one of the same name would get the other's kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.hard_task import BIAS, FACTS, LABELS
from browser.patience import until

if TYPE_CHECKING:
    from browser.lab import Lab

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def no_errors(tab: Lab) -> Iterator[None]:
    """Whatever a test does, the browser's console stays empty."""
    tab.errors.clear()
    yield
    assert tab.errors == []


def test_a_task_is_said_learnt_edited_and_learnt_again(tab: Lab) -> None:
    tab.open(
        f"said-{tab.front_end}.ipynb",
        "%%bk\np(1). p(2). p(3). q(2). q(3).",
        "%%examples\npos(f(2)). neg(f(1)).",
        "%%joiner",
        "%joiner status",
    )
    tab.run_all()
    assert tab.outputs(0) == ["bk: added 5 facts, 2 predicates; in all 5 facts, 2 predicates"]
    assert "f(A) :- q(A)." in tab.outputs(2)[-1]
    tab.set_source(0, "%%bk\np(1). p(2). p(3). q(2). r(2). r(3).")
    tab.run(0)
    assert tab.outputs(0) == ["bk: replaced by 6 facts, 3 predicates; in all 6 facts, 3 predicates"]
    tab.set_source(1, "%%examples\npos(f(2)). pos(f(3)). neg(f(1)).")
    tab.run(1)
    tab.run(2)
    assert "f(A) :- r(A)." in tab.outputs(2)[-1]
    tab.run(3)
    assert "2 positive, 1 negative" in tab.outputs(3)[0]
    tab.screenshot("said")


def test_an_error_is_one_line_stops_and_changes_nothing(tab: Lab) -> None:
    behind = ["print('not reached')"] * 20
    tab.open(f"wrong-{tab.front_end}.ipynb", "%%bk\np(1).\nq(2", *behind, "%joiner status")
    tab.run_all()
    (error,) = tab.outputs(0)
    assert "In [1]:3:2: unclosed '('" in error
    assert "Traceback" not in error
    assert [index for index in range(1, 21) if tab.outputs(index)] == []
    tab.run(21)
    assert "facts" not in tab.outputs(21)[0]


def test_a_run_in_the_background_is_stopped_by_its_button_and_leaves_a_line(tab: Lab) -> None:
    tab.open(
        f"background-{tab.front_end}.ipynb",
        f"%%bk\n{FACTS}",
        f"%%examples\n{LABELS}",
        f"%%joiner --background\n{BIAS}",
        "1 + 1",
    )
    tab.run_all()
    assert "2" in tab.outputs(3)[0]
    button = tab.cell(2).wait_for_selector("button:has-text('Stop')")
    assert button is not None
    tab.screenshot("background")
    button.click()
    until(lambda: not button.is_visible())
    until(lambda: "pictures" in tab.outputs(2)[1])
    twin = tab.outputs(2)[1]
    assert twin.startswith("run 1: size")
    tab.reload()
    assert tab.outputs(2)[1] == twin


def test_the_interrupt_of_the_front_end_gives_the_best_so_far(tab: Lab) -> None:
    tab.open(
        f"interrupted-{tab.front_end}.ipynb",
        f"%%bk\n{FACTS}",
        f"%%examples\n{LABELS}",
        f"%%joiner\n{BIAS}",
    )
    tab.run(0)
    tab.run(1)
    tab.start(2)
    until(lambda: any("programs tested" in text for text in tab.outputs(2)))
    tab.command("notebook:interrupt-kernel")
    until(lambda: len(tab.outputs(2)) == 3)
    assert "the run was" in tab.outputs(2)[-1]
