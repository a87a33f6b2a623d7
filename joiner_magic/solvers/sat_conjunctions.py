"""The paper's own search for conjunctions with subset-maximal coverage: SAT calls with CaDiCaL.

There is a variable p_h for each piece h and a variable c_e for each positive example e, and

    c_e -> not p_h                for each piece h that misses e
    p_h or p_g or ...             for each obligation of a conjunction: the pieces that meet it
    c_e or c_f or ...             for each known coverage: the positives that it misses
    sum of cost(h) p_h <= k       see `size_bound`

(demands of the directions are obligations that only the pieces stuck under them bring). A model is a legal
conjunction without negatives whose coverage is in no known one. It is blocked, and the next call asks in
addition for all that it covers: so its coverage grows, until there is no model and it is maximal. Then the
call without this addition finds another one. By the paper's proposition on subsumed conjunctions, what
is inside a known coverage of no larger size is of no use.

All is incremental. A clause over the pieces ends in a literal for "or one of those that are to come", which
is assumed to be false. Known coverages are in force for bounds that their size does not exceed: a literal
for each size, which is assumed to be true, switches them on.

CaDiCaL cannot be interrupted, but it takes a limit on conflicts, and the next call goes on with what was
learnt. In the main thread PySAT would answer Ctrl-C by jumping out of the solver, which is then in no state
to be used again and may take the process down. So the calls are made in another thread.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from joiner_magic.logic.dominance import Piece, bits, ones
from joiner_magic.solvers.coverages import Known
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.obligations import Law, transposed
from joiner_magic.solvers.size_bound import SizeBound

_CONFLICTS = 500  # in one call: up to half a second on fragments of real tasks
_PIECES_PER_POLL = 64


class SatConjunctions:
    """Pieces are added once and for all. Of no use any more once it was interrupted."""

    def __init__(self, law: Law, known: Known) -> None:
        from pysat.solvers import Cadical195  # type: ignore[import-untyped]

        self._law = law
        self._known = known
        self._blocked = 0  # so many of the known coverages are clauses
        self._solver = Cadical195()
        self._thread = ThreadPoolExecutor(1)
        self._variables = 0
        self._pieces: list[Piece] = []
        self._chosen: list[int] = []  # by piece: p_h
        self._covers = [self._new_variable() for _ in range(law.positives)]  # by positive: c_e
        self._demanded = {number: self._new_variable() for number in range(law.first_demand, law.count)}
        # By obligation: its clause up to the pieces that are to come.
        self._begun: dict[int, list[int]] = {number: [] for number in bits(law.always)}
        self._begun |= {number: [-demanded] for number, demanded in self._demanded.items()}
        self._to_come = self._new_variable()
        self._size = SizeBound(1, self._new_variable, self._solver.add_clause)
        self._in_force: dict[int, int] = {}  # by size
        self._block(0, 0)

    def __len__(self) -> int:
        return len(self._pieces)

    def add(self, pieces: Sequence[Piece], stop: Stop) -> None:
        chosen = [self._new_variable() for _ in pieces]
        everything = ones(self._law.positives)
        for number, (piece, choice) in enumerate(zip(pieces, chosen, strict=True)):
            if not number % _PIECES_PER_POLL and stop():
                raise Interrupted
            for example in bits(everything & ~piece.pos):
                self._solver.add_clause([-self._covers[example], -choice])
            for demand in bits(self._law.brings(piece)):
                self._solver.add_clause([-choice, self._demanded[demand]])
        self._continue(
            transposed([self._law.meets(piece) for piece in pieces], self._law.count, stop), chosen
        )
        self._pieces += pieces
        self._chosen += chosen
        self._size.extend(_priced(pieces, chosen), stop)

    def maximal(self, bound: int, stop: Stop, *, including: int = 0) -> Iterator[tuple[int, ...] | None]:
        """The conjunctions of at most this size with maximal coverage that is not known.

        They cover all of `including`. Each is given by the numbers of its pieces, and must become known
        before the next one is asked for. None is a pause, after some work.
        """
        if bound > self._size.cap:
            # The old tree stays, but nothing is asked of it any more.
            self._size = SizeBound(2 * bound, self._new_variable, self._solver.add_clause)
            self._size.extend(_priced(self._pieces, self._chosen), stop)
        while conjunction := (yield from self._covering(including, bound, stop)):
            larger: tuple[int, ...] | None = conjunction
            while larger:
                conjunction, covered = larger, self._covered(larger)
                self._block(covered, bound)
                larger = yield from self._covering(covered, bound, stop)
            yield conjunction

    def _covering(
        self, examples: int, bound: int, stop: Stop
    ) -> Generator[tuple[int, ...] | None, None, tuple[int, ...] | None]:
        """A conjunction that covers these, and is not inside a known coverage; None if there is none."""
        answer: bool | None = None
        while answer is None:
            if stop():
                raise Interrupted
            for coverage, size in self._known.all[self._blocked :]:
                self._block(coverage, size)
            self._blocked = len(self._known.all)
            self._solver.conf_budget(_CONFLICTS)
            assumed = self._assumed(bound) + [self._covers[example] for example in bits(examples)]
            answer = self._thread.submit(self._solver.solve_limited, assumed).result()
            model = self._solver.get_model()
            yield None
        if not answer:
            return None
        return tuple(number for number, choice in enumerate(self._chosen) if model[choice - 1] > 0)

    def _assumed(self, bound: int) -> list[int]:
        in_force = [literal for size, literal in self._in_force.items() if size <= bound]
        return [-self._to_come, *self._size.at_most(bound - 1), *in_force]

    def _block(self, coverage: int, size: int) -> None:
        """Nothing inside this coverage with bounds from `size` on."""
        if size not in self._in_force:
            self._in_force[size] = self._new_variable()
        missed = bits(ones(self._law.positives) & ~coverage)
        self._solver.add_clause([-self._in_force[size], *(self._covers[example] for example in missed)])

    def _covered(self, conjunction: tuple[int, ...]) -> int:
        covered = ones(self._law.positives)
        for number in conjunction:
            covered &= self._pieces[number].pos
        return covered

    def _continue(self, meeting: Sequence[int], chosen: Sequence[int]) -> None:
        """Go on with the clause of each obligation: a new piece meets it, or one of those still to come."""
        self._solver.add_clause([self._to_come])
        self._to_come = self._new_variable()
        for number, begun in self._begun.items():
            later = self._new_variable()
            self._solver.add_clause([*begun, *(chosen[piece] for piece in bits(meeting[number])), later])
            self._solver.add_clause([-later, self._to_come])
            self._begun[number] = [-later]

    def _new_variable(self) -> int:
        self._variables += 1
        return self._variables


def _priced(pieces: Sequence[Piece], chosen: Sequence[int]) -> list[tuple[int, int]]:
    return [(piece.cost, choice) for piece, choice in zip(pieces, chosen, strict=True)]
