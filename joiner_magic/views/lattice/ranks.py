"""A layered layout of a graph: boxes in ranks from top to bottom, so that few links cross.

Each rank is ordered by barycentres in a few sweeps down and up. Boxes that were laid out before keep their order, so
that a person finds them again when others are added. A rank that is wider than the page is dealt into several rows,
from left to right, so that neighbours stay in the same part of the page. Then every box moves as near as it can to the
boxes that it is linked with. Under a fixed order this is a problem of least squares, which is solved by pooling
neighbours that would overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from math import ceil
from operator import add
from types import MappingProxyType
from typing import TypeAlias

GAP = 10.0  # between neighbours in a row
ROW_GAP = 8.0
RANK_GAP = 32.0  # room for the links' curves

_SWEEPS = 8
_MOVES = 6

_Ranks: TypeAlias = dict[int, list[str]]
_Neighbours: TypeAlias = Mapping[str, Sequence[str]]
NOTHING_KEPT: Mapping[int, Sequence[str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Box:
    """What is to be laid out: a box of this size, in this rank."""

    id: str
    rank: int
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a box is: the middle of its upper edge."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class RankBand:
    """The part of the page that a rank takes, and the order of its boxes."""

    rank: int
    top: float
    height: float
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole page: where each box and each rank stands."""

    width: float
    height: float
    spots: Mapping[str, Spot]
    bands: tuple[RankBand, ...]

    @property
    def orders(self) -> Mapping[int, Sequence[str]]:
        """The order of the boxes in each rank, which the next layout can keep."""
        return {band.rank: band.order for band in self.bands}


def laid_out(
    boxes: Sequence[Box],
    links: Sequence[tuple[str, str]],
    width: float,
    kept: Mapping[int, Sequence[str]] = NOTHING_KEPT,
) -> Layout:
    """Lay out boxes on a page of this width, or as wide as the widest box.

    Links lead from boxes to boxes of lower ranks; `kept` are orders of ranks that are to stay as they are.
    """
    by_id = {box.id: box for box in boxes}
    width = max([width, *(box.width for box in boxes)])
    up, down = _neighbours(links, by_id)
    ranks = _ordered(boxes, up, down, kept)
    rows: dict[int, list[list[Box]]] = {}
    for rank, order in ranks.items():
        rows[rank] = list(_rows([by_id[key] for key in order], width))
    across = _across(list(chain.from_iterable(rows.values())), up, down, width)
    return _stacked(ranks, rows, across, width)


def _stacked(
    ranks: _Ranks, rows: Mapping[int, Sequence[Sequence[Box]]], across: Mapping[str, float], width: float
) -> Layout:
    """The whole page: the rows of each rank one below the other, and the ranks one below the other."""
    spots: dict[str, Spot] = {}
    bands: list[RankBand] = []
    top = 0.0
    for rank, order in ranks.items():
        y = top
        for row in rows[rank]:
            for box in row:
                spots[box.id] = Spot(across[box.id], y)
            y += row[0].height + ROW_GAP
        bands.append(RankBand(rank, top, y - ROW_GAP - top, tuple(order)))
        top = y - ROW_GAP + RANK_GAP
    return Layout(width, max(top - RANK_GAP, 0.0), spots, tuple(bands))


def _neighbours(
    links: Sequence[tuple[str, str]], known: Mapping[str, Box]
) -> tuple[_Neighbours, _Neighbours]:
    """For each box the boxes that it is linked with above, and those below."""
    up: dict[str, list[str]] = {}
    down: dict[str, list[str]] = {}
    for key in known:
        up[key], down[key] = [], []
    for above, below in links:
        down[above].append(below)
        up[below].append(above)
    return up, down


def _ordered(
    boxes: Sequence[Box], up: _Neighbours, down: _Neighbours, kept: Mapping[int, Sequence[str]]
) -> _Ranks:
    """The boxes of each rank in an order in which few links cross. They are sorted by barycentres in a few sweeps, down
    and up in turn.
    """
    ranks = _by_rank(boxes)
    fixed: _Ranks = {}
    place: dict[str, float] = {}
    for rank, order in ranks.items():
        members = set(order)
        fixed[rank] = [key for key in kept.get(rank, ()) if key in members]
        place.update(_places(order))
    for sweep in range(_SWEEPS):
        upwards = sweep % 2 == 1
        neighbours = (up, down)[upwards]
        for rank in sorted(ranks, reverse=upwards):
            centre = _barycentres(ranks[rank], neighbours, place)
            ranks[rank] = _merged(fixed[rank], sorted(ranks[rank], key=centre.__getitem__), centre)
            place.update(_places(ranks[rank]))
    return ranks


def _by_rank(boxes: Sequence[Box]) -> _Ranks:
    """The ids of the boxes of each rank, in the order in which they are given; the ranks from top to bottom."""
    ranks: _Ranks = {}
    for box in sorted(boxes, key=lambda box: box.rank):
        ranks.setdefault(box.rank, []).append(box.id)
    return ranks


def _barycentres(
    keys: Sequence[str], neighbours: _Neighbours, place: Mapping[str, float]
) -> dict[str, float]:
    """For each box the mean place of its neighbours; its own place if it has none."""
    centre: dict[str, float] = {}
    for key in keys:
        centre[key] = _mean([place[other] for other in neighbours[key]], place[key])
    return centre


def _places(order: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The places of boxes in their rank, as numbers from 0 to 1."""
    for number, key in enumerate(order):
        yield key, (number + 0.5) / len(order)


def _merged(fixed: Sequence[str], order: Sequence[str], centre: Mapping[str, float]) -> list[str]:
    """An order in which the fixed boxes stand in their own order, and the others between them."""
    if not fixed:
        return list(order)
    stays = dict(_places(fixed))
    free = [key for key in order if key not in stays]
    return sorted([*fixed, *free], key=lambda key: stays.get(key, centre[key]))


def _rows(order: Sequence[Box], width: float) -> Iterator[list[Box]]:
    """The rows of a rank. Boxes of the same height share rows, and the tallest come first."""
    for height in sorted({box.height for box in order}, reverse=True):
        yield from _dealt([box for box in order if box.height == height], width)


def _dealt(order: Sequence[Box], width: float) -> list[list[Box]]:
    """As few rows as the boxes fit into; each box goes to the row that is shortest so far."""
    needed = sum(box.width + GAP for box in order) - GAP
    for number in count(max(ceil(needed / width), 1)):
        rows: list[list[Box]] = [[] for _ in range(number)]
        ends = [0.0] * number
        for box in order:
            row = ends.index(min(ends))
            rows[row].append(box)
            ends[row] += box.width + GAP
        if max(ends) - GAP <= width or number >= len(order):
            return [row for row in rows if row]
    raise AssertionError("a row for each box always does")


def _across(
    rows: Sequence[Sequence[Box]], up: _Neighbours, down: _Neighbours, width: float
) -> dict[str, float]:
    """The middle of each box on the page."""
    x: dict[str, float] = {}
    for row in rows:
        _place_row(row, _packed(row, width), x)
    for move in range(_MOVES):
        in_turn = list(rows)
        if move % 2:
            in_turn.reverse()
        for row in in_turn:
            wanted = []
            for box in row:
                linked = (*up[box.id], *down[box.id])
                wanted.append(_mean([x[other] for other in linked], x[box.id]))
            _place_row(row, _nearest(row, wanted, width), x)
    return x


def _place_row(row: Sequence[Box], middles: Sequence[float], x: dict[str, float]) -> None:
    """Note in `x` where the middle of each box of a row is."""
    for box, middle in zip(row, middles, strict=True):
        x[box.id] = middle


def _offsets(row: Sequence[Box]) -> list[float]:
    """Middles of the boxes, one right after the other."""
    middles: list[float] = []
    start = 0.0
    for box in row:
        middles.append(start + box.width / 2)
        start += box.width + GAP
    return middles


def _packed(row: Sequence[Box], width: float) -> list[float]:
    """The middles of the boxes of a row that stands in the middle of the page."""
    free = width - sum(box.width + GAP for box in row) + GAP
    return [free / 2 + offset for offset in _offsets(row)]


def _nearest(row: Sequence[Box], wanted: Sequence[float], width: float) -> list[float]:
    """Places as near to the wanted ones as possible without overlaps: boxes that would overlap move together, as one."""
    offsets = _offsets(row)
    pools: list[tuple[float, int]] = []  # of neighbours that touch: their common shift, and how many they are
    for want, offset in zip(wanted, offsets, strict=True):
        shift, number = want - offset, 1
        while pools and pools[-1][0] > shift:
            before, many = pools.pop()
            shift = (before * many + shift * number) / (many + number)
            number += many
        pools.append((shift, number))
    free = max(width - offsets[-1] - row[-1].width / 2, 0.0)
    shifts: list[float] = []
    for shift, number in pools:
        shifts += [min(max(shift, 0.0), free)] * number
    return list(map(add, offsets, shifts))


def _mean(values: Sequence[float], otherwise: float) -> float:
    """The mean of some values; without any, what is given for that case."""
    if not values:
        return otherwise
    return sum(values) / len(values)
