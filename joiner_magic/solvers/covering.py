"""The combine stage's solver: the cheapest parts that together cover a set of examples, or pay for what they do not.

Weighted set cover, with sets of parts that may not be chosen together. The native core leaves out what cannot
matter (dominated parts, implied examples) and searches by branch and bound (`core/combine/cover.hpp` says why that
is sound). The covers that runs ask for take it 0.02 to 2 ms, one by 11,555 conjunctions of zendo3 50 ms.

Some covers are too hard for it, such as those that fall apart into many small ones. After a fixed amount of
work, so that runs can be repeated, what is left becomes a cheapest model of one clause for each example
and one for each forbidden set (`optimum`). For random covers (400 parts, 100 examples) both are too slow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from joiner_magic import _core
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.optimum import cheapest_model

_WORK = 30_000_000  # table entries that may be visited: a tenth of a second, about as long as setting up clingo takes
_MOST_UNIONS = 50_000  # that may be compared at once: a tenth of a second as well


def cheapest_cover(
    target: int,
    parts: Sequence[tuple[int, int]],
    *,
    secondary: Sequence[int] | None = None,
    below: int | None = None,
    forbidden: Sequence[frozenset[int]] = (),
    stop: Stop = never,
) -> list[int] | None:
    """Numbers of parts that together cover the target and have the least size; None if there is no legal choice.

    A part is given as its size and its coverage, a bitset. Between choices of equal size the sum of `secondary`
    decides; none of its numbers may be negative. With `below`, only choices of a smaller size are considered.
    """
    if below is not None and below <= 0:
        return None
    if not target:
        return []
    second = secondary if secondary is not None else [0] * len(parts)
    assert all(price >= 0 for price in second), "neither search would come to an end"
    # One price for both costs: the second only decides between equals.
    unit = 1 + sum(second)
    priced = [(size * unit + price, pos) for (size, pos), price in zip(parts, second, strict=True)]
    together = [sorted(numbers) for numbers in forbidden]
    try:
        covering = _core.Covering(target, priced, together, stop)
        decided, chosen = covering.cheapest(None if below is None else below * unit, _WORK, stop)
    except _core.Stopped:
        raise Interrupted from None
    if decided:
        return chosen
    costs = [size for size, _ in parts]
    return _cheapest_model(covering, [costs, second], together, below, stop)


def _cheapest_model(
    covering: _core.Covering,
    costs: Sequence[Sequence[int]],
    forbidden: Sequence[Sequence[int]],
    below: int | None,
    stop: Stop,
) -> list[int] | None:
    numbers = covering.numbers
    variables = {number: variable for variable, number in enumerate(numbers, 1)}

    def clauses() -> Iterator[list[int]]:
        for places in covering.covering:
            yield [1 + place for place in places]
        for together in forbidden:
            if all(number in variables for number in together):
                yield [-variables[number] for number in together]

    prices = [{variables[number]: prices[number] for number in numbers} for prices in costs]
    model = cheapest_model(len(numbers), clauses(), prices, stop, below=below)
    if model is None:
        return None
    return [number for number in numbers if variables[number] in model]


class Unions:
    """What parts can cover together within a budget; a part is given as its size and its coverage, a bitset."""

    def __init__(self, parts: Sequence[tuple[int, int]]) -> None:
        self._core = _core.Unions(parts, _MOST_UNIONS)

    def within(self, budget: int, stop: Stop = never) -> list[int] | None:
        """The maximal coverages of unions of parts with at most so many literals; None if there are too many unions."""
        try:
            return self._core.within(budget, stop)
        except _core.Stopped:
            raise Interrupted from None


def greedy_cover(target: int, parts: Sequence[tuple[int, int]]) -> list[int]:
    """Numbers of parts that cover as much of the target as all parts do, chosen greedily.

    The part that covers the most new examples for its size is taken each time; at the end, parts that the others make
    superfluous are dropped.
    """
    chosen: list[int] = []
    left = target
    while parts:
        best = max(
            range(len(parts)), key=lambda number: (parts[number][1] & left).bit_count() / parts[number][0]
        )
        if not parts[best][1] & left:
            break
        chosen.append(best)
        left &= ~parts[best][1]
    needed = list(chosen)
    for number in chosen:
        covered = 0
        for other in needed:
            covered |= parts[other][1] if other != number else 0
        if not parts[number][1] & target & ~covered:
            needed.remove(number)
    return sorted(needed)
