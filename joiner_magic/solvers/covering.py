"""The combine stage's solver: the cheapest parts that together cover a set of examples.

Weighted set cover, with sets of parts that may not be chosen together. First what cannot matter is left out:

- a part that covers no more of the target than another one which is no dearer, and which is in no forbidden
  set: put in its place, that one covers as much and forbids nothing;
- an example whose parts include all the parts of another: covering that one covers it too.

The rest is a cheapest model of one clause for each example, and one for each forbidden set (`optimum`).
Of what was tried, only clingo guided by unsatisfiable cores solved all covers by conjunctions of zendo3
within 15 s (8,081 parts in 0.1 s, 7,519 parts in 0.3 s). RC2 needed 0.2 s for the first but did not end on
the second, branch and bound on neither. Random covers (500 parts, 100 examples) were too hard for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from joiner_magic.logic.dominance import Front, Piece, bits
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.solvers.optimum import cheapest_model


def cheapest_cover(
    target: int,
    parts: Sequence[tuple[int, int]],
    *,
    secondary: Sequence[int] | None = None,
    below: int | None = None,
    forbidden: Sequence[frozenset[int]] = (),
    stop: Stop = never,
) -> list[int] | None:
    """Numbers of parts, given as (size, coverage), that cover the target and have the least size together.

    Of equally cheap choices one with the least sum of `secondary`, none of which is negative. None if no choice is legal, or none is
    cheaper than `below`.
    """
    if below is not None and below <= 0:
        return None
    if not target:
        return []
    second = secondary if secondary is not None else [0] * len(parts)
    assert all(price >= 0 for price in second), "clingo would not come to an end"
    kept = _undominated(target, parts, second, frozenset().union(*forbidden))
    variables = {number: variable for variable, number in enumerate(kept, 1)}

    def clauses() -> Iterator[list[int]]:
        for covering in _hardest([parts[number][1] & target for number in kept], target):
            yield [1 + place for place in bits(covering)]
        for together in forbidden:
            if all(number in variables for number in together):
                yield [-variables[number] for number in sorted(together)]

    costs = [{variables[number]: parts[number][0] for number in kept}]
    if secondary is not None:
        costs.append({variables[number]: second[number] for number in kept})
    model = cheapest_model(len(kept), clauses(), costs, stop, below=below)
    return None if model is None else [number for number in kept if variables[number] in model]


def greedy_cover(target: int, parts: Sequence[tuple[int, int]]) -> list[int]:
    """Parts that cover what the parts can of the target, each time the one that covers most for its size."""
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


def _undominated(
    target: int, parts: Sequence[tuple[int, int]], secondary: Sequence[int], restricted: frozenset[int]
) -> list[int]:
    # One price for both costs: the second only decides between equals.
    unit = 1 + sum(secondary)
    pieces = [
        Piece(size * unit + second, pos & target, 0)
        for (size, pos), second in zip(parts, secondary, strict=True)
    ]
    free = [number for number in range(len(parts)) if number not in restricted and pieces[number].pos]
    front = Front(target.bit_length(), 0)
    kept = [free[place] for place in front.extend([pieces[number] for number in free])]
    return sorted([*kept, *(number for number in restricted if not front.dominates(pieces[number]))])


def _hardest(coverages: Sequence[int], target: int) -> list[int]:
    """By example, the parts that cover it, without examples that are covered whenever another one is."""
    covering = _transposed(coverages, target.bit_length())
    hardest: list[int] = []
    for parts in sorted({covering[example] for example in bits(target)}, key=lambda p: (p.bit_count(), p)):
        if all(other & ~parts for other in hardest):
            hardest.append(parts)
    return hardest


def _transposed(rows: Sequence[int], width: int) -> list[int]:
    """By bit: which of the rows have it."""
    # Through text, because the loops over bits are then not in Python.
    written = [format(row, f"0{width}b") for row in reversed(rows)]
    columns = [int("".join(column), 2) for column in zip(*written, strict=True)]
    return columns[::-1] if rows and width else [0] * width
