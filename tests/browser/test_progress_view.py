"""The panel of a run and its progress, alive: it grows, can be stopped, and leaves a twin that stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.hard_task import BIAS, FACTS, LABELS
from browser.patience import until

if TYPE_CHECKING:
    from browser.lab import Lab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.parametrize("front_end", ["lab"], indirect=True, scope="module"),
]

_TILES = "cell => [...cell.querySelectorAll('.tiles b')].map(tile => tile.textContent)"
_HEIGHTS = "cell => [...cell.querySelectorAll('.joiner .progress, .joiner')].map(node => node.offsetHeight)"


@pytest.fixture(scope="module")
def lab(tab: Lab) -> Lab:
    """A task, a run in the background, two cells to ask, and a run that is waited for."""
    tab.open(
        f"progress-{tab.front_end}.ipynb",
        f"%%bk\n{FACTS}",
        f"%%examples\n{LABELS}",
        f"%%joiner --background\n{BIAS}",
        "from joiner_magic import session\nsession.runs[0].state, session.runs[0].can_go_on",
        "from joiner_magic.views.all import view\nlen(view('progress', session.runs[0]).selected.rules)",
        "%joiner learn --fresh --max-body 4",
    )
    for cell in range(3):
        tab.run(cell)
    return tab


@pytest.fixture(autouse=True)
def no_errors(lab: Lab) -> Iterator[None]:
    yield
    assert lab.errors == []


def number_tested(lab: Lab) -> int:
    """As the panel says it."""
    said = lab.cell(2).evaluate(_TILES)[1]
    return int(re.sub(r"\D", "", said) or 0)


def test_numbers_grow_and_nothing_jumps(lab: Lab) -> None:
    cell = lab.cell(2)
    cell.wait_for_selector(".joiner .progress .tiles")
    assert cell.eval_on_selector_all(".tabs button", "tabs => tabs.length") == 4
    until(lambda: number_tested(lab) > 1000)
    before, heights = number_tested(lab), cell.evaluate(_HEIGHTS)
    until(lambda: number_tested(lab) > before)
    assert cell.evaluate(_HEIGHTS) == heights
    columns = cell.query_selector_all(".progress g[tabindex='0']")
    assert len(columns) > 2
    columns[-1].hover()
    tip = cell.wait_for_selector(".tip")
    assert tip is not None
    assert re.match(r"size \d+.*[\d,]+ tested", tip.text_content() or "")
    overlap = columns[-1].evaluate(
        "(node, tip) => { const a = node.getBoundingClientRect(), b = tip.getBoundingClientRect();"
        " return a.top < b.bottom && b.top < a.bottom; }",
        tip,
    )
    assert not overlap


def test_the_twin_is_hidden_while_the_panel_is_there(lab: Lab) -> None:
    twin = lab.cell(2).query_selector("div[id^='joiner-']")
    assert twin is not None
    assert not twin.is_visible()


def test_the_button_stops_the_run_and_python_knows(lab: Lab) -> None:
    lab.cell(2).wait_for_selector(".rules .rule")
    button = lab.cell(2).wait_for_selector("button:has-text('Stop')")
    assert button is not None
    button.focus()
    lab.page.keyboard.press("Enter")
    lab.cell(2).wait_for_selector(".progress[data-state=stopped]")
    assert not button.is_visible()
    lab.run(3)
    assert lab.outputs(3) == ["('finished', True)"]


def test_a_rule_is_chosen_with_the_keyboard_and_seen_in_python(lab: Lab) -> None:
    rule = lab.cell(2).wait_for_selector(".rules [role=button]")
    assert rule is not None
    rule.focus()
    lab.page.keyboard.press("Enter")
    lab.cell(2).wait_for_selector(".rules [aria-pressed=true]")
    lab.run(4)
    assert lab.outputs(4) == ["1"]


def test_a_run_that_is_waited_for_has_no_button(lab: Lab) -> None:
    lab.start(5)
    hint = lab.cell(5).wait_for_selector(".head >> text=interrupt the kernel")
    assert hint is not None
    assert lab.cell(5).query_selector("button:has-text('Stop'):visible") is None
    lab.command("notebook:interrupt-kernel")
    until(lambda: len(lab.outputs(5)) == 3)
    lab.cell(5).wait_for_selector(".progress:not([data-state=running])")
    assert not hint.is_visible()


def test_a_page_that_is_opened_again_shows_the_panel_as_it_was(lab: Lab) -> None:
    before = lab.cell(2).evaluate(_TILES)
    lab.screenshot("progress")
    lab.reload()
    lab.cell(2).wait_for_selector(".progress[data-state=stopped]")
    assert lab.cell(2).evaluate(_TILES) == before
    twin = lab.cell(2).query_selector("div[id^='joiner-']")
    assert twin is not None
    assert not twin.is_visible()
    assert (twin.text_content() or "").startswith("run 1: size")
