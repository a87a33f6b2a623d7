"""What the views say in a browser is so: one notebook that is run, run again, and goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.patience import expect
from sessions.scenes import scenes

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from browser.lab import Lab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.parametrize("front_end", ["lab"], indirect=True, scope="module"),
]

_FACTS, _EXAMPLES = scenes(2)
_LEARN = "%%joiner\nmax_vars(4). max_body(4)."
CELLS = (
    f"%load_ext joiner_magic\n%bk {' '.join(_FACTS.split())}\n%examples {' '.join(_EXAMPLES.split())}",
    _LEARN,
    _LEARN,
    "%joiner learn --background --fresh --max-vars 4 --max-body 4",
    "for _ in range(7):\n    session.learn('max_vars(4). max_body(4).', fresh=True)",
)
BACKGROUND, MORE = 3, 4


@pytest.fixture(scope="module")
def lab(tab: Lab) -> Lab:
    tab.open("told.ipynb", *CELLS)
    tab.run(0)
    tab.run(1)
    return tab


def panel_of(lab: Lab, index: int) -> Locator:
    lab.select(index)
    return lab.page.locator(".jp-Notebook-cell").nth(index).locator(".joiner")


def opened(panel: Locator, title: str, name: str) -> Locator:
    panel.get_by_role("tab", name=title).click()
    return panel.locator(f".view.{name}")


def test_the_lattice_says_what_each_literal_is_for(lab: Lab) -> None:
    lattice = opened(panel_of(lab, 1), "Hypothesis lattice", "lattice")
    expect(lattice.locator(".about h4")).to_have_text("The hypothesis")
    table = lattice.locator(".about table.without")
    expect(table.locator("tr").first).to_be_visible()
    assert table.locator("tr", has_text="without ").count() > 1
    lab.screenshot("told-lattice")


def test_a_search_lights_the_picture_and_reset_takes_it_back(lab: Lab) -> None:
    lattice = opened(panel_of(lab, 1), "Hypothesis lattice", "lattice")
    lattice.get_by_role("searchbox").fill("red")
    expect(lattice.locator(".node.off").first).to_be_attached()
    kept = lattice.locator(".node:not(.off)").evaluate_all(
        "all => all.map(g => g.getAttribute('aria-label'))"
    )
    assert kept
    assert all("red(" in label for label in kept)
    lab.screenshot("told-search")
    chip = lattice.locator(".chips button", has_text="joinable")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    lattice.get_by_role("button", name="reset").click()
    expect(lattice.locator(".node.off")).to_have_count(0)
    expect(lattice.get_by_role("searchbox")).to_have_value("")
    expect(lattice.locator(".found")).to_be_hidden()
    expect(lattice.locator(".chips button[aria-pressed=true]")).to_have_count(0)
    lattice.get_by_role("searchbox").fill("zendo(A) :- piece(A,B), red(B), small(B).")
    expect(lattice.locator(".found b")).to_have_text("1 rule")
    lattice.get_by_role("button", name="reset").click()


def test_what_is_chosen_in_the_lattice_leaves_the_ticks_of_a_conjunction(lab: Lab) -> None:
    panel = panel_of(lab, 1)
    coverage = opened(panel, "Conjunction coverage", "coverage")
    coverage.get_by_role("tab", name="Rule 2").click()
    ticked = coverage.locator(".graph label input:checked")
    expect(ticked).to_have_count(2)
    heading = str(coverage.locator(".heading").text_content())
    lattice = opened(panel, "Hypothesis lattice", "lattice")
    lattice.locator(".node.solution[aria-label^='zendo(A) :- piece(A, B), red(B).']").click()
    expect(lattice.locator(".node.at.chosen")).to_have_count(1)
    coverage = opened(panel, "Conjunction coverage", "coverage")
    expect(coverage.locator("label.chosen").first).to_be_visible()
    expect(ticked).to_have_count(2)
    ticked.first.click()
    expect(coverage.locator(".heading")).to_contain_text("you try")
    expect(coverage.locator(".heading")).not_to_contain_text(heading)
    lab.screenshot("told-coverage")
    coverage.get_by_text("Solver's choice", exact=True).click()
    expect(coverage.locator(".heading")).to_have_text(heading)


def test_the_constraints_say_what_was_made_anyway(lab: Lab) -> None:
    constraints = opened(panel_of(lab, 1), "Pruning constraints", "constraints")
    expect(constraints.locator("th", has_text="made anyway")).to_be_visible()
    expect(constraints.get_by_text("not tested: ")).to_be_visible()
    constraints.locator("tr.cause").first.click()
    expect(constraints.locator("td[colspan]")).to_contain_text("no need to test")
    expect(constraints.locator("td[colspan]")).not_to_contain_text("forbid")
    lab.screenshot("told-constraints")


def test_running_the_cell_again_does_not_empty_its_views(lab: Lab) -> None:
    lab.run(2)
    panel = panel_of(lab, 2)
    expect(panel.locator(".progress .head")).to_contain_text("as recorded in run 1: nothing was searched")
    assert panel.locator(".progress figure g[role=img]").count() > 1
    lab.screenshot("told-again-progress")
    lattice = opened(panel, "Hypothesis lattice", "lattice")
    expect(lattice.locator("[role=status]").first).to_contain_text(
        "run 2, as recorded in run 1: nothing was searched."
    )
    expect(lattice.locator(".about h4")).to_have_text("The hypothesis of run 1")
    assert lattice.locator(".node").count() > 5
    lab.screenshot("told-again-lattice")
    constraints = opened(panel, "Pruning constraints", "constraints")
    expect(constraints.locator("tr.cause").first).to_be_visible()


def test_a_run_in_the_background_does_not_stay_running(lab: Lab) -> None:
    lab.run(BACKGROUND)
    expect(panel_of(lab, BACKGROUND).locator(".progress[data-state=finished]")).to_be_visible()
    said = "\n".join(lab.outputs(BACKGROUND))
    assert "run 3: begun" in said or "run 3: optimal" in said  # a fast machine has found it by then
    assert "running" not in said.lower()
    assert "found yet" not in said
    lab.screenshot("told-background")


def test_panels_of_runs_that_are_forgotten_show_what_stays(lab: Lab) -> None:
    lab.run(MORE)
    lab.select(1)
    cell = lab.page.locator(".jp-Notebook-cell").nth(1)
    expect(cell.locator(".joiner")).to_have_count(0)
    expect(cell.get_by_text("This does not move any more.")).to_be_visible()
    expect(
        cell.get_by_text("What run 1 tested is forgotten: the last 5 runs keep theirs.").first
    ).to_be_visible()
    lab.screenshot("told-forgotten")
    assert lab.errors == []
