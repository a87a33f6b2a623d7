"""The pictures of a run in both front ends: four views of one panel, linked with each other and with Python.

The tests go through one notebook in their order; the last ones take its kernel away.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.contrast import hard_to_read
from browser.patience import expect, until
from sessions.scenes import scenes
from views.hostile_task import HOSTILE, HOSTILE_EXAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from browser.lab import Lab

pytestmark = pytest.mark.browser

_FACTS, _EXAMPLES = scenes(2)
_CONSISTENT = "zendo(A) :- piece(A, B), contact(C, B), green(C)."
_RED, _SMALL = "zendo(A) :- piece(A, B), red(B).", "zendo(A) :- piece(A, B), contact(B, C), small(C)."
_LEARN, _PRINT, _HOSTILE = 1, 3, 7
CELLS = (
    f"%bk {' '.join(_FACTS.split())}\n%examples {' '.join(_EXAMPLES.split())}",
    "%joiner learn --max-body 4 --max-vars 4",
    "from joiner_magic.views.all import view\nshown = view('coverage')",
    "print(shown.selected)",
    "%joiner task hostile",
    f"%%bk\n{HOSTILE}",
    f"%%examples\n{HOSTILE_EXAMPLES}",
    "%joiner learn",
)
_DRAWN = {
    "Progress": ".progress .tiles b",
    "Hypothesis lattice": ".lattice .node",
    "Pruning constraints": ".constraints tr.cause",
    "Conjunction coverage": ".coverage .graph .e",
}
# Colours fade: what moves for ever is not waited for.
_FADED = """() => Promise.all(document.getAnimations()
    .filter(each => each.effect.getComputedTiming().endTime < Infinity)
    .map(each => each.finished.catch(() => null)))"""
_THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


@pytest.fixture(scope="module")
def notebook(tab: Lab) -> Lab:
    tab.open(f"pictures-{tab.front_end}.ipynb", *CELLS)
    tab.run_all()
    return tab


@pytest.fixture
def panel(notebook: Lab) -> Locator:
    """That of the first run."""
    notebook.select(_LEARN)
    return notebook.page.locator(".jp-CodeCell", has_text=CELLS[_LEARN]).locator(".joiner")


@pytest.fixture(autouse=True)
def nothing_breaks(tab: Lab) -> Iterator[None]:
    yield
    assert tab.errors == []
    assert tab.page.evaluate("window.broken") is None


def opened(panel: Locator, title: str) -> Locator:
    panel.get_by_role("tab", name=title).click()
    expect(panel.locator(_DRAWN[title]).first).to_be_visible()
    return panel.locator(_DRAWN[title].split()[0])


def choose(node: Locator) -> None:
    """Click until it is chosen: a click while the picture is still moving into place drags it."""

    def is_chosen() -> bool:
        node.click()
        return "chosen" in (node.get_attribute("class") or "")

    until(is_chosen)


def python_sees(notebook: Lab, rule: str) -> None:
    """Soon: a choice waits in the browser until the one before it has arrived."""

    def seen() -> bool:
        notebook.run(_PRINT)
        return f"rules=('{rule}',)" in "".join(notebook.outputs(_PRINT))

    until(seen)
    notebook.select(_LEARN)  # a cell that is out of sight is taken out of the page


def test_each_tab_opens_and_draws(notebook: Lab, panel: Locator) -> None:
    assert panel.get_by_role("tab").all_text_contents() == list(_DRAWN)
    for title in _DRAWN:
        opened(panel, title)
        expect(panel.locator("> .view:visible")).to_have_count(1)


def test_a_rule_of_the_lattice_is_chosen_in_every_view(notebook: Lab, panel: Locator) -> None:
    node = opened(panel, "Hypothesis lattice").locator(f".node[aria-label^='{_CONSISTENT}']")
    node.click()
    expect(node).to_have_class("node solution at chosen")
    python_sees(notebook, _CONSISTENT)
    constraints = opened(panel, "Pruning constraints")
    expect(constraints.locator("tr.chosen")).to_contain_text("consistent")
    coverage = opened(panel, "Conjunction coverage")
    expect(coverage.locator("label.on")).to_have_count(1)
    expect(coverage.locator("label.on")).to_contain_text("contact(C, B), green(C)")


def test_fragments_that_are_chosen_light_up_in_the_lattice(notebook: Lab, panel: Locator) -> None:
    coverage = opened(panel, "Conjunction coverage")
    coverage.get_by_role("tab", name="Rule 2").click()
    expect(coverage.locator(".figures")).to_contain_text("0 of 7 negatives still in")
    coverage.locator(".graph label", has_text="red(B)").locator("input").uncheck()
    expect(coverage.locator(".figures")).to_contain_text("3 of 7 negatives still in")
    python_sees(notebook, _SMALL)
    coverage.locator(".graph label", has_text="red(B)").locator("input").check()
    lattice = opened(panel, "Hypothesis lattice")
    chosen = lattice.locator(".node.chosen")
    expect(chosen).to_have_count(2)
    labels = chosen.evaluate_all("nodes => nodes.map(node => node.getAttribute('aria-label'))")
    assert [rule for rule in (_RED, _SMALL) if not any(label.startswith(rule) for label in labels)] == []


def test_the_lattice_is_filtered_searched_and_grows(panel: Locator) -> None:
    lattice = opened(panel, "Hypothesis lattice")
    nodes = lattice.locator(".node")
    before = nodes.count()
    chip = lattice.locator("button.chip", has_text="joinable")
    chip.click()
    expect(lattice.locator(".node.off").first).to_be_visible()
    chip.click()
    expect(lattice.locator(".node.off")).to_have_count(0)
    lattice.get_by_role("searchbox").fill("green small")
    expect(lattice.locator(".found .hit").first).to_contain_text("small(")
    lattice.get_by_role("searchbox").fill("")
    expect(lattice.locator(".found")).to_be_hidden()
    lattice.locator(".node.ancestor").first.dblclick()
    expect(nodes).not_to_have_count(before)
    lattice.get_by_role("button", name="reset").click()
    expect(nodes).to_have_count(before)


def test_a_pruning_is_verified(panel: Locator) -> None:
    constraints = opened(panel, "Pruning constraints")
    constraints.locator("button.chip", has_text="covers nothing").click()
    expect(constraints.locator("tr.cause")).to_have_count(5)
    constraints.locator("tr.cause").first.click()
    constraints.get_by_role("button", name="verify").click()
    expect(constraints.locator(".right")).to_contain_text("confirmed")


def test_a_tooltip_is_beside_what_it_describes_and_goes_with_it(panel: Locator) -> None:
    lattice = opened(panel, "Hypothesis lattice")
    described, tip = lattice.locator(".node.solution").first, panel.locator(".tip")
    described.hover()
    expect(tip).to_contain_text("zendo(A) :-")
    node, box, frame = (each.bounding_box() for each in (described, tip, panel))
    assert node
    assert box
    assert frame
    assert box["y"] + box["height"] <= node["y"] or node["y"] + node["height"] <= box["y"]
    assert frame["x"] <= box["x"]
    assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
    panel.get_by_role("tab", name="Hypothesis lattice").focus()
    panel.page.keyboard.press("ArrowLeft")
    expect(tip.filter(has_text="zendo(A) :-")).to_be_hidden()


@pytest.mark.parametrize("theme", _THEMES)
def test_every_text_can_be_read(notebook: Lab, panel: Locator, theme: str) -> None:
    notebook.use_theme(_THEMES[theme])  # type: ignore[arg-type]
    for title in _DRAWN:
        view = opened(panel, title)
        panel.page.mouse.move(0, 0)
        panel.page.evaluate("jupyterapp.shell.currentWidget.content.scrollToItem(1, 'start')")
        panel.page.evaluate(_FADED)
        assert hard_to_read(view) == {}, title
        notebook.screenshot(f"pictures-{title.split()[-1].lower()}-{theme}")


def test_keys_that_are_pressed_in_a_panel_are_no_commands_of_the_notebook(
    notebook: Lab, panel: Locator
) -> None:
    opened(panel, "Progress")
    notebook.page.keyboard.press("ArrowRight")
    expect(panel.get_by_role("tab", name="Hypothesis lattice")).to_be_focused()
    node = panel.locator(".lattice .node[tabindex='0']")
    node.focus()
    before = node.get_attribute("aria-label")
    for key in ("ArrowUp", "d", "d", "x", "b"):
        notebook.page.keyboard.press(key)
    focused = panel.locator(".lattice .node:focus")
    expect(focused).to_have_count(1)
    assert focused.get_attribute("aria-label") != before
    assert notebook.number_of_cells == len(CELLS)
    notebook.page.keyboard.press("Escape")
    expect(panel.locator(":focus")).to_have_count(0)
    notebook.page.keyboard.press("ArrowDown")  # a command again
    assert notebook.active_cell == _LEARN + 1


def test_names_are_shown_and_mean_nothing_to_the_browser(notebook: Lab) -> None:
    notebook.use_theme(_THEMES["light"])  # type: ignore[arg-type]
    notebook.select(_HOSTILE)
    panel = notebook.page.locator(".jp-CodeCell").last.locator(".joiner")
    for title in _DRAWN:
        view = opened(panel, title)
        if title != "Progress":
            expect(view).to_contain_text("'<b>bold</b>'(B)")
        if title == "Hypothesis lattice":
            choose(view.locator(".node.solution"))
            expect(view.locator(".examples").first).to_contain_text("<script>window.broken=1</script>")
            expect(view.locator(".examples").first).to_contain_text("\\x202e\\gnirts")
        expect(panel.locator("script, img, [onerror], b b")).to_have_count(0)
        assert panel.evaluate("panel => panel.scrollWidth <= panel.clientWidth + 1"), title
        notebook.screenshot(f"pictures-hostile-{title.split()[-1].lower()}")


def test_a_panel_whose_kernel_is_gone_says_so_and_shows_its_twin(notebook: Lab, panel: Locator) -> None:
    opened(panel, "Progress")
    notebook.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect(panel.locator(".said")).to_contain_text("run the cell again")
    expect(notebook.page.locator("div[id^=joiner-]").first).to_be_visible()
    opened(panel, "Pruning constraints").locator("button.chip").first.click()  # is no error either


def test_the_twin_is_there_without_a_kernel(notebook: Lab) -> None:
    notebook.command("docmanager:save")
    notebook.visit_without_kernel(f"pictures-{notebook.front_end}.ipynb")
    notebook.select(_LEARN)
    twin = notebook.page.locator(".jp-RenderedHTMLCommon", has_text="pictures: progress").first
    twin.get_by_text("pictures: progress").click()
    images = twin.locator("img").all()
    assert len(images) + twin.get_by_text("would have taken too long").count() == 4
    assert images
    for image in images:
        assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        expect(image).to_be_visible()
    assert hard_to_read(twin) == {}
    notebook.screenshot("pictures-without-kernel")
