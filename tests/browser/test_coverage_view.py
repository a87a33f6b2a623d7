"""Conjunction coverage in a browser: build a conjunction by hand, ask about an example, scroll through thousands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.patience import until

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from browser.lab import Lab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.parametrize("front_end", ["lab"], indirect=True, scope="module"),
]

_HOSTILE = "<img src=x onerror=window.broken=1>"
_TASK = (
    "%%bk\nred(a). big(a). red(b). big(b). red(c). big(d). warm(a).",
    f"%%examples\npos(f(a)). pos(f(b)). neg(f(c)). neg(f(d)). neg(f('{_HOSTILE}')).",
    "%%joiner",
    "%joiner show coverage -o v",
    "print(v.selected.rules, v.selected.examples)",
    "v.select(rules=['f(A) :- red(A).', 'f(A) :- warm(A).'], examples=['f(d)'])",
)
# Each third example is a positive one, and each needs both properties.
_MANY = """
from joiner_magic.sessions.current import current
from joiner_magic.views.all import view
numbers = range(10_000)
session = current()
session.reset()
session.bk(" ".join(f"red({n}). " * (n % 3 < 2) + f"big({n})." * (n % 3 != 1) for n in numbers))
session.examples(" ".join(f"{'neg' if n % 3 else 'pos'}(f({n}))." for n in numbers))
session.learn()
view("coverage")
"""


@pytest.fixture(scope="module")
def notebook(tab: Lab) -> Lab:
    tab.open("coverage.ipynb", *_TASK, _MANY)
    for index in range(4):
        tab.run(index)
    tab.page.wait_for_selector(".coverage .graph")
    return tab


@pytest.fixture(autouse=True)
def no_errors(tab: Lab) -> Iterator[None]:
    yield
    assert tab.errors == []
    assert tab.page.evaluate("window.broken") is None


def shown(lab: Lab) -> Locator:
    return lab.page.locator(".coverage").last


def says(lab: Lab, *parts: str) -> None:
    """Wait until the figures say all of it."""
    for part in parts:
        shown(lab).locator(".figures", has_text=part).wait_for()


def python_sees(lab: Lab, end: str) -> None:
    """Soon: a choice waits in the browser until the one before it has arrived."""

    def seen() -> bool:
        lab.run(4)
        return "".join(lab.outputs(4)).strip().endswith(end)

    until(seen)


def test_the_solvers_choice_comes_first(notebook: Lab) -> None:
    says(
        notebook,
        "2 of 2 positives kept",
        "0 of 3 negatives still in",
        "3 literals",
        "This is the solver's choice.",
    )
    assert shown(notebook).locator(".graph .e").count() == 5
    assert shown(notebook).locator(".graph .e.on").count() == 2
    named = [name.strip() for name in shown(notebook).locator(".graph .e").all_inner_texts()]
    assert {"f(a)", "f(b)", "f(c)", "f(d)"} <= set(named)
    assert _HOSTILE in str(shown(notebook).locator(".graph").text_content())
    notebook.screenshot("coverage")


def test_a_fragment_is_left_out_with_the_keyboard_and_python_sees_it(notebook: Lab) -> None:
    box = shown(notebook).locator(".graph label", has_text="big(A)").locator("input")
    box.focus()
    notebook.page.keyboard.press("Space")
    says(notebook, "1 of 3 negatives still in", "Not consistent.", "The solver's choice keeps 2 positives")
    assert shown(notebook).locator(".graph .e.neg.on").count() == 1
    python_sees(notebook, "('f(A) :- red(A).',) ()")
    shown(notebook).get_by_text("Solver's choice", exact=True).click()
    says(notebook, "0 of 3 negatives still in", "This is the solver's choice.")


def test_an_example_is_explained(notebook: Lab) -> None:
    shown(notebook).locator(".graph .e", has_text="f(c)").click()
    told = shown(notebook).locator(".told")
    told.get_by_text("is not covered by the hypothesis").wait_for()
    assert "fails big(c)" in str(told.text_content())
    shown(notebook).locator(".graph .e.chosen", has_text="f(c)").wait_for()
    python_sees(notebook, "('f(c)',)")
    notebook.screenshot("coverage-explained")


def test_why_it_is_minimal(notebook: Lab) -> None:
    shown(notebook).get_by_text("Why is it minimal?").click()
    shown(notebook).locator(".told table").wait_for()
    assert "fewer than 3 literals" in str(shown(notebook).locator(".told").text_content())
    assert shown(notebook).locator(".told tr").count() == 3


def test_what_python_chooses_is_shown(notebook: Lab) -> None:
    notebook.run(5)
    says(notebook, "1 of 2 positives kept", "0 of 3 negatives still in")
    shown(notebook).locator(".graph label.on", has_text="warm(A)").wait_for()
    shown(notebook).locator(".graph .e.chosen", has_text="f(d)").wait_for()


def test_thousands_of_examples_scroll(notebook: Lab) -> None:
    notebook.run(6)
    # The run before is forgotten, and its panel closed.
    notebook.page.wait_for_function("document.querySelectorAll('.coverage').length === 1")
    shown(notebook).get_by_text("Show all 10,000 examples").click()
    rows = shown(notebook).locator(".rows")
    rows.get_by_text("f(0)", exact=True).wait_for()
    for place, name in ((3_000, "f(9000)"), (9_999, "f(9998)"), (3_333, "f(9999)")):
        rows.evaluate("(list, place) => { list.scrollTop = 22 * place; }", place)
        rows.get_by_text(name, exact=True).wait_for()
        assert rows.locator(".row").count() < 40
    notebook.screenshot("coverage-matrix")
    shown(notebook).locator("label", has_text="big(A)").locator("input").click()
    says(notebook, "3,334 of 3,334 positives kept", "3,333 of 6,666 negatives still in")
