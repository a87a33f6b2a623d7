"""The view of the constraints in a browser: its chart filters, its rows open, and a pruning can be doubted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.patience import expect
from sessions.scenes import scenes

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from browser.lab import Lab

pytestmark = pytest.mark.browser

_FACTS, _EXAMPLES = scenes(2)
_FORGED = """
from joiner_magic.logic.programs import Evaluation
from joiner_magic.search.fate import Fate
from joiner_magic.search.record.plain_record import PlainRecord
from joiner_magic.search.spaces.specialisations import SpecialisationSpace
from joiner_magic.questions.constraints.prunings import Prunings
from joiner_magic.task.reader import read_program
forged = PlainRecord(SpecialisationSpace(shown.run.task.bias))
forged.note(read_program("zendo(A) :- piece(A,B)."), Evaluation(0, 0), Fate.COVERS_NOTHING)
shown._prunings = Prunings(shown.run, forged)
"""
_SEVERAL = """
from joiner_magic.notebook.live_views import StaticTwin, show_panel
from joiner_magic.views.all import view
show_panel(get_ipython(), [view("constraints"), view("lattice")], StaticTwin());
"""
CELLS = (
    f"%load_ext joiner_magic\n%bk {' '.join(_FACTS.split())}\n%examples {' '.join(_EXAMPLES.split())}",
    "%joiner learn --quiet --max-body 4 --max-vars 4",
    "%joiner show constraints -o shown",
    "print(shown.selected.rules)",
    "shown.select(rules=[shown.page('too large', limit=100)['rows'][-1]['cause']])",
    _FORGED,
    _SEVERAL,
)


@pytest.fixture(scope="module")
def view(tab: Lab) -> Locator:
    tab.open(f"constraints-{tab.front_end}.ipynb", *CELLS)
    for index in range(3):
        tab.run(index)
    found = tab.page.locator(".joiner .constraints")
    expect(found.locator("tr.cause").first).to_be_visible()
    return found


def test_the_table_is_paged_and_sorted(view: Locator) -> None:
    rows, status = view.locator("tr.cause"), view.locator(".line [role=status]").first
    expect(rows).to_have_count(25)
    expect(status).to_contain_text("1–25 of")
    view.get_by_role("button", name="next page").click()
    expect(status).to_contain_text("26–")
    view.get_by_role("button", name="previous page").click()
    view.locator("th button").last.click()
    expect(view.locator("th button").last).to_have_text("tested ▾")
    expect(rows.first).to_contain_text("size 5")
    view.locator("th button").last.click()
    expect(rows.first).not_to_contain_text("size 5")


def test_a_segment_of_the_chart_filters_the_table(view: Locator) -> None:
    segment = view.get_by_role("button", name="size 4: 5 covers nothing")
    segment.focus()
    segment.press("Enter")
    expect(view.locator("tr.cause")).to_have_count(5)
    expect(segment).to_have_attribute("aria-pressed", "true")
    assert {row.split(",")[0][-6:] for row in view.locator("tr.cause td:last-child").all_text_contents()} == {
        "size 4"
    }
    view.get_by_role("button", name="show all").click()
    expect(view.locator("tr.cause")).to_have_count(25)


def test_words_find_rules(view: Locator) -> None:
    view.get_by_label("find", exact=True).fill("red sma")
    expect(view.locator("tr.cause").first).to_contain_text("small(")
    for text in view.locator("tr.cause code").all_text_contents():
        assert "red(" in text
        assert "small(" in text
    view.get_by_role("button", name="show all").click()
    expect(view.locator("tr.cause")).to_have_count(25)
    expect(view.get_by_label("find", exact=True)).to_have_value("")


def test_a_row_opens_is_chosen_and_can_be_verified(view: Locator, tab: Lab) -> None:
    row = view.locator("tr.cause").first
    row.get_by_role("button").press("Enter")
    expect(view.locator("dl")).to_contain_text(":- body_literal(0,")
    expect(view.locator("td[colspan]")).to_contain_text("of the paper")
    expect(row).to_have_class("cause chosen")
    view.get_by_role("button", name="verify").click()
    expect(view.locator(".right")).to_contain_text("that were never made")
    tab.run(3)
    cause = (row.locator("code").text_content() or "").removesuffix(", …")
    assert f"'{cause}.'" in tab.outputs(3)[-1]
    row.click()
    expect(view.locator("dl")).to_have_count(0)


def test_what_python_chooses_is_found(view: Locator, tab: Lab) -> None:
    tab.run(4)
    view.get_by_role("button", name="show it").click()
    expect(view.locator("tr.cause")).to_have_count(1)
    expect(view.locator("tr.chosen")).to_contain_text("too large")
    view.get_by_role("button", name="show all").click()
    expect(view.locator("tr.cause")).to_have_count(25)


def test_a_wrong_pruning_is_shown_in_red(view: Locator, tab: Lab) -> None:
    tab.run(5)
    view.get_by_role("button", name="next page").click()  # of the forged record there is none
    expect(view.locator("tr.cause")).to_have_count(0)
    view.get_by_role("button", name="previous page").click()
    expect(view.locator("tr.cause")).to_have_count(1)
    view.locator("tr.cause").click()
    view.get_by_role("button", name="verify").click()
    expect(view.locator(".wrong")).to_contain_text("✗ This pruning is wrong")
    expect(view.locator(".wrong code").first).to_contain_text("zendo(A) :- ")


def test_a_cause_is_shown_in_the_lattice(view: Locator, tab: Lab) -> None:
    tab.run(6)
    beside = tab.page.locator(".joiner:has([role=tablist])")
    beside.locator("tr.cause").first.click()
    beside.get_by_role("button", name="show in lattice").click()
    expect(beside.get_by_role("tab", name="Hypothesis lattice")).to_have_attribute("aria-selected", "true")
    expect(view.get_by_role("button", name="show in lattice")).to_have_count(0)
    assert tab.errors == []
