"""One counting unit: the numbers of all views of a run agree, with each other and with what they list."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest

from joiner_magic.questions.constraints.fates import Fates
from joiner_magic.search.fate import PRUNING, UNTESTED
from joiner_magic.sessions.comparison import Comparison
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.views.constraints.view import ConstraintsView
from joiner_magic.views.lattice.view import LatticeView
from joiner_magic.views.progress.view import ProgressView
from views.claims import random, wide_worlds, zendo


def long_names() -> Session:
    """A predicate that is symmetric and one that follows from another: bodies repeat themselves and are implied."""
    session = zendo()
    session.bk("touches(X,Y) :- contact(X,Y). touches(X,Y) :- contact(Y,X). scene(S) :- piece(S,_).")
    return session


TASKS: dict[str, Callable[[], Session]] = {
    "zendo": zendo,
    "worlds": wide_worlds,
    "implied": long_names,
    **{f"random {seed}": lambda seed=seed: random(seed) for seed in (2, 3, 4, 8, 17)},  # type: ignore[misc]
}


@pytest.fixture(
    scope="module", params=[(name, source) for name in TASKS for source in ("auto", "asp")], ids=" ".join
)
def run(request: pytest.FixtureRequest) -> Run:
    name, source = request.param
    session = TASKS[name]()
    session.learn(source=source, advise=False)
    return session.runs[-1]


def recorded(run: Run) -> Counter[tuple[int, str]]:
    """By size and fate, straight from the record: one by one."""
    record = run.record
    assert record is not None
    assert not record.missed
    entries = (record[number] for number in range(len(record)))
    return Counter((one.size, one.fate) for one in entries)


def by_fate(counts: Counter[tuple[int, str]]) -> Counter[str]:
    fates: Counter[str] = Counter()
    for (_, fate), number in counts.items():
        fates[fate] += number
    return fates


def test_what_became_of_programs_is_the_same_number_in_every_view(run: Run) -> None:
    counts = recorded(run)
    fates = by_fate(counts)
    lattice = LatticeView(run).scene()
    constraints = ConstraintsView(run).scene()
    progress = ProgressView(run).scene()
    chips = {word: number for word, number, _ in lattice["outcomes"] if word != "solution"}
    kinds = {kind["kind"]: kind["count"] for kind in constraints["kinds"]}
    legend = {word: number for word, number in progress["legend"] if number}
    told = {fate.kind: fate.programs for fate in Fates.of(run).fates}
    assert fates == Counter(chips) == Counter(kinds) == Counter(legend) == Counter(told)
    assert run.result is not None
    assert {fate: run.result.counts.get(fate, 0) for fate in fates if fate != "unfinished"} == {
        fate: number for fate, number in fates.items() if fate != "unfinished"
    }


def test_sizes_add_up_in_every_view(run: Run) -> None:
    counts = recorded(run)
    sizes: Counter[int] = Counter()
    for (size, _), number in counts.items():
        sizes[size] += number
    assert run.result is not None
    assert sizes.total() == run.result.counts["tested"]
    bands = {size: number for size, _, _, number in LatticeView(run).scene()["sizes"]}
    assert bands.items() <= sizes.items() | {(size, 0) for size in bands if size not in sizes}
    scene = ConstraintsView(run).scene()
    assert {bar["size"]: bar["total"] for bar in scene["sizes"] if bar["total"]} == sizes
    assert (
        scene["heading"].endswith("no program was tested")
        or f" {sizes.total():,} tested " in scene["heading"]
    )
    columns = {column["size"]: column["told"] for column in ProgressView(run).scene()["columns"]}
    for size, lines in columns.items():
        assert lines[0] == f"size {size}: {sizes[size]:,} tested"
        bands_told = Counter(
            {word: int(n) for n, word in (line.split(" ", 1) for line in lines[1:]) if n.isdigit()}
        )
        assert bands_told == Counter({fate: n for (of, fate), n in counts.items() if of == size})
    tiles = dict(ProgressView(run).scene()["tiles"])
    assert tiles["programs tested"] == f"{sizes.total():,}"
    (compared,) = Comparison.of([run]).runs
    assert compared.tested == sizes.total()


def test_what_is_pruned_is_what_the_table_lists(run: Run) -> None:
    fates = by_fate(recorded(run))
    pruned = sum(fates[kind] for kind in PRUNING)
    view = ConstraintsView(run)
    assert dict(ProgressView(run).scene()["tiles"])["pruned"] == f"{pruned:,}"
    assert view.prunings.page(limit=0).total == pruned
    assert f"{pruned:,} pruned" in str(run.progress)
    (compared,) = Comparison.of([run]).runs
    assert compared.pruned == pruned


def test_a_chip_lists_as_many_as_it_says(run: Run) -> None:
    lattice, constraints = LatticeView(run), ConstraintsView(run)
    for word, number, _ in lattice.scene()["outcomes"]:
        assert lattice.answer("search", {"outcomes": [word]})["total"] == number, word
        assert len(lattice.lattice.search(outcomes=[word], limit=100_000).nodes) == number
    for kind in constraints.scene()["kinds"]:
        found = constraints.prunings.page(kind["kind"], limit=100_000)
        assert found.total == len(found.rows) == kind["count"]
        assert {row.kind for row in found.rows} == {kind["kind"]}


def test_what_was_not_tested_is_told_apart_and_no_chip(run: Run) -> None:
    scene = ConstraintsView(run).scene()
    assert not {kind["kind"] for kind in scene["kinds"]} & set(UNTESTED)
    assert not {word for word, _ in ProgressView(run).scene()["legend"]} & set(UNTESTED)
    assert run.result is not None
    untested = {word: run.result.counts[word] for word in UNTESTED if run.result.counts.get(word)}
    assert untested == Fates.of(run).untested
    for word, number in untested.items():
        assert f"'{number:,} {word}'" in str(scene["untested"])


def test_the_static_pictures_say_the_same(run: Run) -> None:
    fates = by_fate(recorded(run))
    for view in (LatticeView(run), ConstraintsView(run)):
        found = {
            word: int(n.replace(",", ""))
            for n, word in re.findall(r"([\d,]+) ([a-z ]+?)(?=,|$)", view.summary)
        }
        assert {fate: found.get(fate) for fate in fates} == dict(fates), view.summary
    for size, lines in _told_by_size(LatticeView(run).to_text()).items():
        assert lines == {fate: n for (of, fate), n in recorded(run).items() if of == size}


def _told_by_size(text: str) -> dict[int, dict[str, int]]:
    """From lines such as `size 4: 77 tested: 13 covers nothing, 64 partial; not tested: 65 duplicate`."""
    found = {}
    for size, fates in re.findall(r"^size (\d+): [\d,]+ tested: ([^;\n]+)", text, re.MULTILINE):
        counted = (each.split(" ", 1) for each in fates.split(", "))
        found[int(size)] = {fate: int(n.replace(",", "")) for n, fate in counted}
    return found


def test_a_task_on_which_bodies_repeat_themselves_is_among_these() -> None:
    session = long_names()
    result = session.learn(advise=False)
    assert result.counts["repeats itself"] > 0
    assert result.counts["duplicate"] > 0
