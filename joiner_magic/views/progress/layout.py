"""The layout of the progress view. The browser and the static picture draw the same coordinates.

There is a column for each size of programs. Its height says how many programs were tested, on a logarithmic scale,
because sizes differ by orders of magnitude. Its bands say in proportion what became of them, as search/fate.py
counts it. A second chart shows how the best hypothesis came about, and a bar how long each stage took.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log10

from joiner_magic.search.fate import Fate, untested_of
from joiner_magic.search.objective import Price, price_text
from joiner_magic.search.running.progress import (
    CurrentSize,
    FinishedSize,
    Improvement,
    Progress,
    ProvenBound,
)

# The charts of columns and of the history, side by side.
COLUMNS_WIDTH, HISTORY_WIDTH, HEIGHT = 420, 280, 168
LEFT, TOP, FLOOR = 64, 14, 146  # of what is drawn in them
_MARGIN = 8  # of the history
_WIDEST = 52  # from column to column
_GAP = 0.28  # of that
_THINNEST = 2.0  # the least height of a column, so that it can be seen
_SIGNED = 13  # from this height on a band has room for its sign
_MOST_COLUMNS = 24  # the last ones
_MOST_STEPS = 60

_FATES = [fate for fate in Fate if fate.is_tested]
# Fates that the legend has before they occur, so that it does not grow while somebody looks at it.
_ALWAYS = (Fate.CONSISTENT, Fate.JOINABLE, Fate.COVERS_NOTHING, Fate.SUBSUMED, Fate.TOO_LARGE)


@dataclass(frozen=True, slots=True)
class ColumnBand:
    """The part of a column for the programs of one size that met one fate."""

    word: Fate
    number: int
    y: float
    height: float
    signed: bool  # whether there is room for its sign


@dataclass(frozen=True, slots=True)
class SizeColumn:
    """The column for the programs of one size."""

    size: int
    tested: int
    untested: Mapping[Fate, int]  # made, and left out before any test
    done: bool
    x: float
    width: float
    bands: tuple[ColumnBand, ...]


@dataclass(frozen=True, slots=True)
class History:
    """The best hypothesis over time: paths like stairs, the last solution, and a label beside it.

    Where errors have a price, the cost of solutions takes the place of their literals.
    """

    remark: str  # which path is which
    covered: str  # the path for positive examples covered
    literals: str  # the path for literals of solutions, or for their cost
    bound: str  # the path for the least cost that is proven; empty without one
    end: tuple[float, float] | None
    label: tuple[float, float, str]


@dataclass(frozen=True, slots=True)
class StageTime:
    """How long one stage of the search took, in seconds and as a part of the whole."""

    stage: str
    seconds: float
    part: float


def columns(sizes: Sequence[FinishedSize | CurrentSize]) -> list[SizeColumn]:
    """A column for each of the last sizes.

    With many sizes the first ones are left out, as the last ones are those that matter.
    """
    shown = sizes[-_MOST_COLUMNS:]
    step = min((COLUMNS_WIDTH - LEFT) / max(len(shown), 1), _WIDEST)
    found = []
    for number, size in enumerate(shown):
        height = max(_logarithm(size.tested) / _top(shown) * (FLOOR - TOP), _THINNEST)
        found.append(
            SizeColumn(
                size.size,
                size.tested,
                untested_of(size.fates),
                isinstance(size, FinishedSize),
                LEFT + step * (number + _GAP / 2),
                step * (1 - _GAP),
                tuple(_bands(size, height, signed=step > _SIGNED)),
            )
        )
    return found


def ticks(sizes: Sequence[FinishedSize | CurrentSize]) -> list[tuple[int, float]]:
    """The powers of ten on the axis of the columns, and the height of each."""
    top = _top(sizes[-_MOST_COLUMNS:])
    found = []
    for power in range(1, 12):
        part = _logarithm(10**power) / top
        if part <= 1:
            found.append((10**power, _y(part)))
    return found


def legend(sizes: Sequence[FinishedSize | CurrentSize]) -> list[tuple[Fate, int]]:
    """Each fate that occurred, or that the legend always has, and how many programs met it."""
    found = []
    for word in _FATES:
        number = sum(size.fates.get(word, 0) for size in sizes)
        if number or word in _ALWAYS:
            found.append((word, number))
    return found


def history(progress: Progress) -> History:
    """How the best hypothesis came about, over the time of the search."""
    found = _thinned(progress.improvements)
    solutions = [each for each in found if each.solution]
    now = max([progress.seconds, 0.001, *(each.seconds for each in found)])
    largest = max(map(_cost, solutions), default=1)

    def at(each: Improvement | ProvenBound) -> float:
        """Where the time of an improvement is on the horizontal axis."""
        return _MARGIN + min(each.seconds / now, 1) * (HISTORY_WIDTH - 2 * _MARGIN)

    covered = [(float(_MARGIN), float(FLOOR))]
    literals = []
    for each in found:
        positives = each.hypothesis.evaluation.pos.bit_count()
        covered.append((at(each), _y(positives / max(progress.positives, 1))))
        if each.solution:
            literals.append((at(each), _y(float(_cost(each) / largest))))
    remark = _remark(progress)
    if not literals:
        return History(remark, _stairs(covered), "", "", None, (0.0, 0.0, ""))
    bounds = []
    if not progress.objective.is_exact:
        bounds = [(at(each), _y(min(float(each.cost / largest), 1.0))) for each in progress.bounds]
    end = literals[-1]
    label = (*_beside(*end), _label(progress, solutions[-1]))
    return History(remark, _stairs(covered), _stairs(literals), _stairs(bounds) if bounds else "", end, label)


def _remark(progress: Progress) -> str:
    """Which path of the history is which."""
    if progress.objective.is_exact:
        return "dashed: positives covered; solid: literals"
    return "dashed: positives covered; solid: cost; dotted: bound"


def _label(progress: Progress, last: Improvement) -> str:
    """What the last solution costs."""
    if progress.objective.is_exact:
        return f"{last.hypothesis.size:,} literals"
    return f"cost {price_text(_cost(last))}"


def _cost(solution: Improvement) -> Price:
    """What a solution costs: without a price of errors, its literals."""
    if solution.cost is None:
        return solution.hypothesis.size
    return solution.cost


def _beside(x: float, y: float) -> tuple[float, float]:
    """Where the label of a point stands: towards the middle of the chart, where there is room for it."""
    across, down = 9, -8
    if x > HISTORY_WIDTH / 2:
        across = -9
    if y < (TOP + FLOOR) / 2:
        down = 17
    return x + across, y + down


def stage_times(progress: Progress) -> list[StageTime]:
    """How long each stage took; trying changes of the bias is left out if it took no time."""
    timings = {stage: spent for stage, spent in progress.timings.items() if spent or stage != "advise"}
    whole = sum(timings.values()) or 1.0
    return [StageTime(stage, seconds, seconds / whole) for stage, seconds in timings.items()]


def _bands(size: FinishedSize | CurrentSize, height: float, *, signed: bool) -> Iterator[ColumnBand]:
    """From below to above, in the palette's order."""
    y = float(FLOOR)
    for word in _FATES:
        number = size.fates.get(word, 0)
        if number:
            tall = number / max(size.tested, 1) * height
            y -= tall
            yield ColumnBand(word, number, y, tall, signed and tall > _SIGNED)


def _top(sizes: Sequence[FinishedSize | CurrentSize]) -> float:
    """The logarithm at the top of the chart."""
    return max((_logarithm(size.tested) for size in sizes), default=0.0) or 1.0


def _logarithm(number: int) -> float:
    """The logarithm of a number, so that nothing has the height 0."""
    return log10(1 + number)


def _y(part: float) -> float:
    """Where a part of the whole is on the vertical axis: 0 is the floor, 1 is the top."""
    return FLOOR - part * (FLOOR - TOP)


def _stairs(points: Sequence[tuple[float, float]]) -> str:
    """A path of steps: each value lasts until the next one, and the last value until now."""
    (x, y), *others = points
    steps = "".join(f"H{x:.1f}V{y:.1f}" for x, y in others)
    return f"M{x:.1f} {y:.1f}{steps}H{HISTORY_WIDTH - _MARGIN}"


def _thinned(improvements: Sequence[Improvement]) -> Sequence[Improvement]:
    """At most sixty improvements or so, the first and the last among them."""
    stride = -(-len(improvements) // _MOST_STEPS) or 1
    return [*improvements[:-1:stride], *improvements[-1:]]
