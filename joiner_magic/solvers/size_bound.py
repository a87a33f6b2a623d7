"""The size bound of the paper's SAT encoding: the costs of the chosen pieces sum to no more than a budget.

A generalised totalizer: a tree with the pieces as leaves. A node has a literal for each sum v that the costs
below it can reach, which is true if they reach at least v: the literals of two nodes x, y imply that of
their parent for the sum of both,

    at_least(x, v) and at_least(y, w)  ->  at_least(parent, v + w).

Sums from the cap on share one literal, so a node has at most as many literals as the cap, and the size of
the tree is linear in the number of pieces. To bound the size is to assume that one literal of the root is
false. Pieces that come later get a tree of their own, and a new root above both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from joiner_magic.solvers.interrupt import Interrupted, Stop

_Node: TypeAlias = dict[int, int]  # by sum, in increasing order: the literal for at least this sum


class SizeBound:
    """Bounds below the cap; `new_variable` and `add_clause` are those of the solver."""

    def __init__(
        self, cap: int, new_variable: Callable[[], int], add_clause: Callable[[Sequence[int]], object]
    ) -> None:
        self.cap = cap
        self._new_variable = new_variable
        self._add_clause = add_clause
        self._root: _Node = {}

    def extend(self, priced: Iterable[tuple[int, int]], stop: Stop) -> None:
        """Sum up these too: what each literal costs."""
        # Next to equal costs there are fewer different sums.
        nodes = deque({min(cost, self.cap): literal} for cost, literal in sorted(priced))
        while len(nodes) > 1:
            if stop():
                raise Interrupted
            nodes.append(self._parent(nodes.popleft(), nodes.popleft()))
        if nodes:
            self._root = self._parent(self._root, nodes.pop())

    def at_most(self, budget: int) -> list[int]:
        """What to assume, for a budget below the cap."""
        return [-literal for total, literal in self._root.items() if total > budget][:1]

    def _parent(self, left: _Node, right: _Node) -> _Node:
        sums = sorted({min(v + w, self.cap) for v in (0, *left) for w in (0, *right)} - {0})
        parent = {total: self._new_variable() for total in sums}
        for lower, higher in pairwise(sums):
            self._add_clause([-parent[higher], parent[lower]])
        for v in (0, *left):
            for w in (0, *right):
                if v or w:
                    unless = [-node[total] for node, total in ((left, v), (right, w)) if total]
                    self._add_clause([*unless, parent[min(v + w, self.cap)]])
                if v + w >= self.cap:
                    break  # a higher sum on the right implies this one
        return parent
