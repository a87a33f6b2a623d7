"""Panels that are alive: few at a time, closed when they are of no use, and nothing is kept for their sake."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from ipywidgets import Widget

from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.notebook.panels import MOST, panels_of
from joiner_magic.notebook.widgets.panel import Panel
from joiner_magic.questions.engine_of_run import MOST as MOST_ENGINES
from joiner_magic.search.learner import Learner
from joiner_magic.search.record.native_record import NativeRecord
from joiner_magic.sessions.current import current
from joiner_magic.sessions.run_history import RECORDED
from joiner_magic.sessions.runs import Run
from joiner_magic.views.view import View

Cell = Callable[..., Any]
_TASK = (
    "%bk p(a). p(b). p(c). q(a). q(b). q(d). e(a,b). e(b,c). e(c,d).",
    "%examples pos(f(a)). pos(f(b)). neg(f(c)). neg(f(d)).",
)


@pytest.fixture
def published(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[tuple[dict[str, Any], bool]]]:
    """A shell that has a front end: what is shown there, and whether in the place of something."""
    shown: list[tuple[dict[str, Any], bool]] = []

    def publish(data: dict[str, Any], *_: object, update: bool = False, **__: object) -> None:
        shown.append((data, update))

    monkeypatch.setattr(shell, "kernel", object(), raising=False)
    monkeypatch.setattr(shell.display_pub, "publish", publish)
    yield shown
    panels_of(shell).close_all()


@pytest.fixture(autouse=True)
def no_widgets_before() -> None:
    Widget.close_all()
    gc.collect()


def alive(*kinds: type) -> list[int]:
    """How many of each there are. Some are found in cycles."""
    gc.collect()
    objects = gc.get_objects()
    return [sum(isinstance(each, kind) for each in objects) for kind in kinds]


def widgets() -> int:
    from ipywidgets.widgets import widget

    return len(widget._instances)


def test_many_runs_leave_few_panels_and_a_reset_leaves_none(
    cell: Cell, shell: InteractiveShell, published: list[Any]
) -> None:
    before = alive(Run, View, Panel, Learner, NativeRecord, DatalogEngine)
    for text in _TASK:
        cell(text)
    for number in range(60):
        cell(f"%%joiner --fresh -o result\nmax_vars({2 + number % 2}). max_body({2 + number % 3}).")
    runs, views, panels, learners, records, engines = alive(
        Run, View, Panel, Learner, NativeRecord, DatalogEngine
    )
    kept = len(current().runs)  # to be compared, and no more than that
    assert kept < 60
    assert runs - before[0] == kept
    assert panels - before[2] == len(panels_of(shell)) <= RECORDED + 1
    assert views - before[1] == 4 * (panels - before[2])
    assert learners - before[3] <= 1
    assert records - before[4] <= RECORDED + 1
    assert engines - before[5] <= 1 + MOST_ENGINES
    assert widgets() <= 2 * (RECORDED + 1)
    cell("%joiner reset all")
    assert alive(Run, View, Panel, Learner, NativeRecord, DatalogEngine) == before
    assert widgets() == 0


def test_a_cell_that_is_run_again_closes_the_panel_that_it_had(
    cell: Cell, shell: InteractiveShell, published: list[Any]
) -> None:
    for text in _TASK:
        cell(text)
    for _ in range(4):
        cell("%joiner learn", cell_id="learning")
        cell("%joiner show lattice", cell_id="showing")
        assert len(panels_of(shell)) == 2
    assert alive(Panel) == [2]


def test_where_cells_have_no_id_the_last_panels_are_alive(
    cell: Cell, shell: InteractiveShell, published: list[Any]
) -> None:
    for text in _TASK:
        cell(text)
    cell("%joiner learn", cell_id=None)
    for _ in range(MOST + 5):
        cell("%joiner show coverage", cell_id=None)
    assert len(panels_of(shell)) == MOST
    assert alive(Panel) == [MOST]


def test_where_a_panel_was_its_twin_says_why_it_does_not_move(cell: Cell, published: list[Any]) -> None:
    for text in _TASK:
        cell(text)
    cell("%joiner learn")
    for _ in range(RECORDED):
        cell("%joiner learn --fresh")
    assert not any("does not move" in str(data) for data, _ in published)
    cell("%joiner learn --fresh")
    (closed,) = [data for data, update in published if update and "does not move" in data["text/html"]]
    assert "What run 1 tested is forgotten: the last 5 runs keep theirs." in closed["text/html"]
    assert "<svg" in closed["text/html"] or "<img" in closed["text/html"]  # what it looked like stays
    cell("%joiner reset runs")
    said = [
        data["text/html"] for data, update in published if update and "does not move" in data["text/html"]
    ]
    assert sum("Run 7 was forgotten." in each for each in said) == 1


def test_a_closed_panel_keeps_nothing_and_answers_nothing(
    cell: Cell, shell: InteractiveShell, published: list[Any]
) -> None:
    before = alive(Run)
    for text in _TASK:
        cell(text)
    cell("%joiner learn")
    (one,) = panels_of(shell)._open
    panel = one.panel
    del one
    cell("%joiner reset runs")
    assert not panel._views
    assert panel.comm is None
    assert alive(Run) == before


def test_a_run_in_the_background_is_told_in_a_way_that_stays_true(
    cell: Cell, shell: InteractiveShell, published: list[Any]
) -> None:
    for text in _TASK:
        cell(text)
    run = cell("run = %joiner learn --background\nrun")
    assert isinstance(run, Run)
    data, _ = shell.display_formatter.format(run)  # type: ignore[union-attr]
    run.wait()
    finished, _ = shell.display_formatter.format(run)  # type: ignore[union-attr]
    for each in (data["text/plain"], data["text/html"]):
        assert "running" not in each
    assert "optimal" in finished["text/plain"]


def test_views_of_a_run_share_one_engine(cell: Cell, published: list[Any]) -> None:
    for text in _TASK:
        cell(text)
    (before,) = alive(DatalogEngine)
    cell("%joiner learn")
    run = current().runs[-1]
    run.close()
    for name in ("lattice", "constraints", "coverage", "progress"):
        for _ in range(3):
            cell(f"%joiner show {name}")
    assert alive(DatalogEngine) == [before + 1]


def test_unloading_the_extension_closes_all(
    cell: Cell, shell: InteractiveShell, published: list[Any]
) -> None:
    for text in _TASK:
        cell(text)
    cell("%joiner learn")
    cell("%unload_ext joiner_magic")
    assert widgets() == 0
