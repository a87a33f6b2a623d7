"""The progress of a run, drawn: columns by size, the best over time, the time by stage."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from joiner_magic.errors import JoinerError
from joiner_magic.questions.constraints.fates import fates_by_size
from joiner_magic.search.fate import Fate
from joiner_magic.search.running.progress import FinishedSize
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.views.palette import MARKS
from joiner_magic.views.progress import layout
from joiner_magic.views.progress.view import ProgressView

# A solution at once, and the rest takes minutes.
LONG: dict[str, Any] = {"source": "asp", "join": False, "max_vars": 6, "max_body": 10}


def session() -> Session:
    found = Session()
    found.bk(
        "\n".join(
            f"has(s{n},o{n}). has(s{n},u{n}). next(o{n},u{n}). "
            + " ".join(f"{name}(o{n})." for k, name in enumerate("abcdeg") if (n * 5 + k * 3) % 7 < 3)
            for n in range(12)
        )
    )
    found.examples("\n".join(f"{'pos' if n % 3 else 'neg'}(f(s{n}))." for n in range(12)))
    return found


@pytest.fixture(scope="module")
def run() -> Run:
    found = session()
    found.learn(max_vars=4, max_body=5)
    return found.runs[-1]


def done(size: int, tested: int, **fates: int) -> FinishedSize:
    named = {Fate.called(fate.replace("_", " ")): number for fate, number in fates.items()}
    return FinishedSize(size, tested, 0, 0, named, float(size), tested + named.get(Fate.DUPLICATE, 0))


def test_bands_fill_their_column_in_the_order_of_the_palette() -> None:
    fates = {"covers_nothing": 50, "consistent": 10, "duplicate": 900, "subsumed": 20, "joinable": 20}
    (column,) = layout.columns([done(4, 100, **fates)])
    assert [(band.word, band.number) for band in column.bands] == [
        ("consistent", 10),
        ("joinable", 20),
        ("covers nothing", 50),
        ("subsumed", 20),
    ]
    assert column.untested == {"duplicate": 900}
    order = [mark.word for mark in MARKS]
    assert sorted(order.index(band.word) for band in column.bands) == [
        order.index(band.word) for band in column.bands
    ]
    below = float(layout.FLOOR)
    for band in column.bands:
        assert band.y + band.height == pytest.approx(below)
        below = band.y
    assert below == pytest.approx(layout.TOP)


def test_small_sizes_stay_to_be_seen_beside_large_ones() -> None:
    columns = layout.columns([done(size, n, joinable=n) for size, n in ((2, 1), (3, 40), (4, 3_000_000))])
    heights = [layout.FLOOR - column.bands[-1].y for column in columns]
    assert heights == sorted(heights)
    assert heights[0] >= 2
    assert heights[1] > (layout.FLOOR - layout.TOP) / 10
    assert all(one.x + one.width < other.x for one, other in pairwise(columns))
    assert columns[-1].x + columns[-1].width <= layout.COLUMNS_WIDTH


def test_many_sizes_still_fit_and_a_size_without_programs_is_no_trouble() -> None:
    columns = layout.columns([done(size, 0 if size % 5 else size**3) for size in range(2, 80)])
    assert columns[0].x >= layout.LEFT
    assert columns[-1].size == 79
    assert columns[-1].x + columns[-1].width <= layout.COLUMNS_WIDTH
    assert all(one.x + one.width < other.x for one, other in pairwise(columns))


def test_ticks_are_powers_of_ten_where_columns_of_that_height_end() -> None:
    sizes = [done(size, n, joinable=n) for size, n in ((2, 10), (3, 1000), (4, 5000))]
    ticks = dict(layout.ticks(sizes))
    assert list(ticks) == [10, 100, 1000]
    tops = {column.tested: column.bands[-1].y for column in layout.columns(sizes)}
    assert tops[10] == pytest.approx(ticks[10])
    assert tops[1000] == pytest.approx(ticks[1000])


def test_a_finished_run(run: Run) -> None:
    view = ProgressView(run)
    scene = view.scene()
    assert run.result is not None
    assert (scene["state"], scene["doing"], scene["can_stop"]) == ("finished", "finished", False)
    assert scene["remark"] == run.result.why
    tested = run.result.counts["tested"]
    assert dict(scene["tiles"])["programs tested"] == f"{tested:,}"
    columns = layout.columns(run.progress.begun)
    assert sum(number for _, number in scene["legend"]) == tested
    assert any(column.untested for column in columns)
    for sent, column in zip(scene["columns"], columns, strict=True):
        assert (sent["size"], len(sent["bands"])) == (column.size, len(column.bands))
        assert f"{column.tested:,} tested" in sent["told"][0]
    assert scene["best"]["rules"] == run.result.rules
    assert len(scene["best"]["names"]) == len(run.result.rules)
    assert [stage for stage, _ in scene["spent"]] == list(run.result.timings)
    assert view.line.startswith("run 1: size ")
    assert json.loads(json.dumps(scene)) == scene


def test_rules_are_not_told_twice_where_the_result_stands_below(run: Run) -> None:
    best = ProgressView(run, waited_for=True).scene()["best"]
    assert (best["rules"], best["names"], best["told_below"]) == ([], [], True)
    assert best["text"] == ProgressView(run).scene()["best"]["text"]


def test_a_run_is_followed_and_stopped() -> None:
    found = session()
    run = found.start(**LONG)
    view, blocked = ProgressView(run), ProgressView(run, waited_for=True)
    stages = set()

    def watch(run: Run) -> None:
        scene = view.scene()
        assert json.loads(json.dumps(scene)) == scene
        stages.add(scene["stage"])
        if sum(size.tested for size in run.progress.begun) > 2000 and scene["state"] == "running":
            assert scene["can_stop"]
            assert not blocked.scene()["can_stop"]
            assert blocked.scene()["best"]["rules"]
            assert not scene["best"]["names"]
            assert view.answer("stop", {})["state"] == "stopped"

    run.wait(watch, every=0.02)
    assert stages & {"generate", "test", "constrain"}
    scene = view.scene()
    assert (scene["state"], scene["stage"]) == ("stopped", "")
    assert "cancelled" in scene["remark"]
    assert scene["columns"][-1]["done"] is False
    assert "so far" in view.to_text()
    run.close()


def test_what_changes_is_told_and_time_alone_is_not(run: Run) -> None:
    view = ProgressView(run)
    before = view.changes
    assert view.changes == before
    run.progress.improvements = run.progress.improvements[:-1]
    assert view.changes != before
    run.progress.improvements = before[-1] if isinstance(before, tuple) else ()


def test_a_run_that_failed_or_has_not_begun_is_drawn() -> None:
    found = Session()
    found.bk("p(X) :- q(X), atom_length(X, _). q(a).")
    found.examples("pos(f(a)).")
    run = found.start(engine="datalog")
    with pytest.raises(JoinerError):
        run.wait()
    view = ProgressView(run)
    scene = view.scene()
    assert (scene["state"], scene["size"], scene["columns"]) == ("failed", 0, [])
    assert scene["remark"] == run.failure
    for made in (view.to_svg(), view.to_html(), view.to_dot(), view.to_text()):
        assert made


def test_a_run_that_reused_a_result_says_so(run: Run) -> None:
    found = session()
    found.learn(max_vars=4, max_body=5)
    found.learn(max_vars=4, max_body=5)
    view = ProgressView(found.runs[-1])
    assert "nothing has changed since run 1" in view.scene()["remark"]
    assert "nothing has changed since run 1" in view.line


def test_the_picture_is_bounded_however_much_there_is(run: Run) -> None:
    progress = run.progress
    sizes, improvements = progress.sizes, progress.improvements
    kinds = {mark.word.replace(" ", "_"): 10**8 for mark in MARKS}
    progress.sizes = tuple(done(size, 10**10, **kinds) for size in range(2, 500))
    progress.improvements = tuple(replace(improvements[-1], seconds=n / 100) for n in range(5000))
    try:
        view = ProgressView(run)
        assert len(view.to_svg()) < 60_000
        assert len(view.to_html()) < 100_000
        assert len(json.dumps(view.scene())) < 40_000
    finally:
        progress.sizes, progress.improvements = sizes, improvements


def test_sizes_of_which_nothing_is_generated_have_no_column() -> None:
    """Beyond the largest program only conjunctions are joined."""
    found = Session()
    scenes = {"p1": "abc", "p2": "abcd", "n1": "ab", "n2": "bcd", "n3": "acd"}
    found.bk("".join(f"has({s},{s}{c}). {c}({s}{c}).\n" for s, colours in scenes.items() for c in colours))
    found.examples("".join(f"{'pos' if s[0] == 'p' else 'neg'}(f({s})).\n" for s in scenes))
    result = found.learn(max_vars=2, max_body=2)
    run = found.runs[-1]
    assert result.size == 7
    assert run.progress.size > run.progress.largest == 3
    scene = ProgressView(run).scene()
    assert [column["size"] for column in scene["columns"]] == [2, 3]
    assert scene["tiles"][0] == ["size", f"{run.progress.size}, joined"]
    assert run.record is not None
    assert [size.size for size in fates_by_size(run)] == [2, 3]
