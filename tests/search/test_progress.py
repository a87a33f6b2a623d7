"""How far a run is: asked from another thread while it goes on, and afterwards."""

from __future__ import annotations

import threading
import time
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from conftest import ROOT
from joiner_magic import learn, load_task
from joiner_magic.search.fate import Fate
from joiner_magic.search.objective import Objective, price_text
from joiner_magic.search.running.events import (
    Evaluated,
    Event,
    Improved,
    SizeFinished,
    SizeStarted,
    Started,
)
from joiner_magic.search.running.ledger import STAGES, Ledger
from joiner_magic.search.running.progress import CurrentSize, Progress
from search.noisy_task import noisy_task

PYRAMIDS = ROOT / "joiner_magic" / "examples" / "pyramids"


def evaluated(size: int, tested: int, share: float | None = None, **fates: int) -> Evaluated:
    return Evaluated(
        size, [], [], tested, tested, {Fate.called(word): number for word, number in fates.items()}, share
    )


@pytest.mark.parametrize("source", ["native", "asp"])
def test_what_is_told_in_the_middle_adds_up_to_the_whole(source: str) -> None:
    events: list[Event] = []
    result = learn(load_task(PYRAMIDS), listeners=[events.append], source=source, every_rule=False)
    batches: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    shares = []
    progress = Progress()
    for event in events:
        progress.hear(event)
        if isinstance(event, Evaluated):
            batches.update(event.fates)
            shares.append((event.size, event.share))
        if isinstance(event, SizeFinished):
            sizes.update(event.fates)
            assert batches == sizes
            assert progress.fates == dict(+sizes)
    assert progress.tested == result.counts["tested"] == sum(size.tested for size in progress.begun)
    if source == "asp":
        assert all(share is None for _, share in shares)
    else:
        last = dict(shares)
        assert set(last.values()) == {1.0}
        assert all(
            one[1] is not None and other[1] is not None and (one[0] < other[0] or one[1] <= other[1])
            for one, other in pairwise(shares)
        )


def test_a_size_at_hand_is_counted_once_also_when_it_is_done() -> None:
    progress = Progress()
    progress.hear(Started(1, 1, 7, "datalog", "native"))
    progress.hear(SizeStarted(2))
    progress.hear(evaluated(2, 10, subsumed=4))
    progress.hear(evaluated(2, 5, subsumed=1, dominated=2))
    assert [(size.size, size.tested, dict(size.fates)) for size in progress.begun] == [
        (2, 15, {"subsumed": 5, "dominated": 2})
    ]
    assert progress.pruned == 5
    at_hand = progress.at_hand
    progress.hear(SizeFinished(2, 15, 0, 0, None, {}, {Fate.SUBSUMED: 5, Fate.DOMINATED: 2}))
    progress.at_hand = at_hand  # as another thread may see it in between
    assert [size.tested for size in progress.begun] == [15]
    assert progress.pruned == 5


@pytest.mark.parametrize(
    ("spent", "share", "rest"),
    [
        (2.0, 0.5, 2.0),
        (2.0, 0.25, 6.0),
        (2.0, 1.0, 0.0),
        (2.0, None, None),
        (0.1, 0.5, None),
        (2.0, 0.001, None),
    ],
)
def test_the_rest_of_a_size_is_estimated_where_there_is_something_to_go_by(
    spent: float, share: float | None, rest: float | None
) -> None:
    assert CurrentSize(5, began=1.0, seconds=1.0 + spent, tested=10, share=share).rest == rest


def test_stages_can_be_read_in_the_middle_of_one() -> None:
    now = 0.0
    ledger = Ledger(lambda: now)
    progress = Progress()
    progress.follow(ledger)
    assert progress.stage == ""
    with ledger.timed("join"):
        now = 2.0
        assert progress.stage == "join"
        assert progress.timings == {**dict.fromkeys(STAGES, 0.0), "join": 2.0}
    assert progress.stage == "join"  # until there is another
    progress.end()
    with ledger.timed("test"):
        now = 5.0
        assert progress.stage == ""
        assert progress.timings["join"] == 2.0
        assert progress.timings["test"] == 0.0


def test_a_reader_never_sees_time_counted_twice() -> None:
    began = time.monotonic()
    ledger = Ledger(lambda: time.monotonic() - began)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            for stage in STAGES:
                with ledger.timed(stage):
                    pass

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(3_000):
            timings = ledger.timings
            assert sum(timings.values()) <= time.monotonic() - began
    finally:
        stop.set()
        thread.join()


def test_where_errors_have_a_price_the_cost_is_told_and_what_is_proven_about_it() -> None:
    progress = Progress()
    told: list[str] = []

    def hear(event: Event) -> None:
        progress.hear(event)
        told.append(str(progress))

    result = learn(noisy_task(), noise=True, listeners=[hear])
    assert (result.cost, progress.bound) == (5, 5)
    assert "cost 5, the least" in told[-1]
    assert not any("literals" in line for line in told)
    costs = [improvement.cost for improvement in progress.improvements]
    assert costs[-1] == 5
    assert costs == sorted(costs, key=lambda cost: -(cost or 0))
    assert all(bound.cost <= 5 for bound in progress.bounds)


def test_a_bound_below_the_cost_is_told_beside_it() -> None:
    progress = Progress()
    progress.hear(Started(8, 8, 7, "datalog", "native", Objective(1, 1)))
    found: list[Improved] = []
    learn(
        noisy_task(), noise=True, listeners=[lambda e: found.append(e) if isinstance(e, Improved) else None]
    )
    progress.hear(found[-1])
    assert ", cost 5, " in str(progress)
    progress.hear(SizeFinished(2, 1, 0, 0, Fraction(7, 2), {}, {}))
    progress.hear(SizeFinished(3, 1, 0, 0, 3, {}, {}))  # no news
    assert ", cost 5, at least 3.5, " in str(progress)


@pytest.mark.parametrize(
    ("price", "text"), [(5, "5"), (1234, "1,234"), (Fraction(7, 2), "3.5"), (Fraction(13, 3), "≈4.33")]
)
def test_prices_are_written_as_people_read_them(price: Fraction | int, text: str) -> None:
    assert price_text(price) == text
