"""The rules that a run has kept, as far as a trade-off of size against errors needs them.

A run can know tens of thousands of rules at its end. The trade-off is looked for afterwards, when somebody asks, so a
result keeps some hundreds of them: the rules of its hypothesis, for each positive example a rule that covers it, and the
best rules of each size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple

from joiner_magic.search.objective import EXACT, Objective, PriceList
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.search.stages.priced_rules import PricedRules
from joiner_magic.task.task import Task

_MOST_KEPT = 400
_MOST_COMPARED = 20_000
_BITS_KEPT = 20_000_000  # of coverage: where examples are very many, fewer rules are kept, and fewer compared
_BITS_COMPARED = 400_000_000


class ErrorPrices:
    """What the errors of a hypothesis cost together, counted on bitsets: examples of the same price all at once.

    Errors that the objective does not allow cost more here than all others together. So a hypothesis without them is always
    preferred. In exact learning each missed example costs 1, and covering a negative one is not allowed.
    """

    def __init__(self, task: Task, objective: Objective) -> None:
        prices = _price_list(task, objective)
        self.literal = prices.literal
        self.everything = (1 << len(prices.missed)) - 1
        self._missed = _by_price(prices.missed)
        self._wrong = _by_price(prices.wrong)

    @property
    def kinds(self) -> int:
        """How many different prices there are: so much work is one count."""
        return len(self._missed) + len(self._wrong)

    def of(self, pos: int, neg: int) -> int:
        """What it costs to cover these examples and no others."""
        left = self.everything & ~pos
        missed = sum(price * (left & examples).bit_count() for price, examples in self._missed)
        if not neg:
            return missed
        return missed + sum(price * (neg & examples).bit_count() for price, examples in self._wrong)


class _Candidate(NamedTuple):
    """A rule that may be kept, and what it is worth alone."""

    number: int
    size: int
    pos: int
    worth: int


def known_rules(
    hypothesis: Sequence[Part], parts: Parts, priced: PricedRules | None, prices: ErrorPrices
) -> tuple[Part, ...]:
    """The rules to keep of all that a run knows: those of its hypothesis, and the best of the others."""
    width = max(1, prices.everything.bit_length())
    compared = min(_MOST_COMPARED, _BITS_COMPARED // (width * max(1, prices.kinds)))
    kept = min(_MOST_KEPT, max(20, _BITS_KEPT // width))
    rules = [*hypothesis, *islice(parts, compared)]
    if priced is not None:
        rules += priced.seen
    closed = []
    if priced is not None:
        closed = list(islice(priced.worthwhile, compared))
    coverages = [(rule.size, rule.pos, rule.neg) for rule in rules]
    coverages += [(size, pos, neg) for _, _, size, pos, neg in closed]
    chosen = _chosen(coverages, kept, prices)
    found = [*hypothesis, *(rules[number] for number in chosen if number < len(rules))]
    if priced is not None:
        found += priced.as_parts([closed[number - len(rules)] for number in chosen if number >= len(rules)])
    return tuple(dict.fromkeys(found))


def _chosen(coverages: Sequence[tuple[int, int, int]], most: int, prices: ErrorPrices) -> list[int]:
    """The numbers of the rules that are kept, given as size and coverage."""
    nothing = prices.of(0, 0)
    candidates: dict[tuple[int, int, int], _Candidate] = {}
    for number, (size, pos, neg) in enumerate(coverages):
        worth = nothing - prices.of(pos, neg)
        if worth > 0:
            candidates.setdefault((size, pos, neg), _Candidate(number, size, pos, worth))
    covering = islice(_covering(candidates.values()), most // 2)
    chosen = dict.fromkeys([*covering, *_best_by_size(candidates.values())])
    return [candidate.number for candidate in islice(chosen, most)]


def _covering(candidates: Iterable[_Candidate]) -> Iterator[_Candidate]:
    """Rules that together cover what all of them cover, those that are worth the most for their size first."""
    covered = 0
    for candidate in sorted(candidates, key=lambda each: (-each.worth / each.size, each.number)):
        if candidate.pos & ~covered:
            covered |= candidate.pos
            yield candidate


def _best_by_size(candidates: Iterable[_Candidate]) -> Iterator[_Candidate]:
    """The best rule of each size, then the second best of each, and so on."""
    by_size: dict[int, list[_Candidate]] = {}
    for candidate in sorted(candidates, key=lambda each: (each.size, -each.worth, each.number)):
        by_size.setdefault(candidate.size, []).append(candidate)
    for rank in zip_longest(*by_size.values()):
        yield from (candidate for candidate in rank if candidate is not None)


def _price_list(task: Task, objective: Objective) -> PriceList:
    """The prices by example; in exact learning those that a trade-off is counted in."""
    examples = task.examples
    prices = objective.price_list(examples.pos_weights, examples.neg_weights)
    if prices is not None:
        return prices
    assert objective == EXACT, "others have a price list"
    counted = Objective(missed=1).price_list([1] * len(examples.pos), [1] * len(examples.neg))
    assert counted is not None, "missed examples have a price"
    return counted


def _by_price(prices: Sequence[int]) -> list[tuple[int, int]]:
    """Each price with the examples that have it, as a bitset."""
    members: dict[int, bytearray] = {}
    for example, price in enumerate(prices):
        bits = members.setdefault(price, bytearray(len(prices) // 8 + 1))
        bits[example // 8] |= 1 << example % 8
    return [(price, int.from_bytes(bits, "little")) for price, bits in members.items()]
