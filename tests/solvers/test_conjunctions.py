from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterable
from dataclasses import astuple, replace
from functools import partial
from itertools import combinations, count, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joiner_magic import _core
from joiner_magic.logic.dominance import ParetoFront, Piece
from joiner_magic.solvers import most_covering
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.join_solver import FoundConjunction, JoinSolver
from solvers.join_instances import Instance, instances, maximal, random_instance

LARGEST = 1 + 7 * 4


def outermost(found: Iterable[FoundConjunction]) -> set[int]:
    """The coverages of those that are inside no other one."""
    coverages = {conjunction.pos for conjunction in found}
    return {c for c in coverages if not any(c != other and not c & ~other for other in coverages)}


@given(instances())
def test_rising_bounds_find_each_maximal_coverage_at_its_smallest_size(instance: Instance) -> None:
    everything = instance.conjunctions()
    solver = instance.solver()
    smaller: set[int] = set()
    for bound in range(1, LARGEST + 1):
        found = list(solver.maximal(bound))
        expected = {c for c in maximal(everything, bound) if all(c & ~known for known in smaller)}
        assert sorted(conjunction.pos for conjunction in found) == sorted(expected)
        assert all(conjunction.size == bound for conjunction in found)
        assert all(instance.conjunction(conjunction.pieces) == conjunction for conjunction in found)
        smaller |= expected


@given(instances(), st.integers(1, LARGEST))
def test_one_bound_alone(instance: Instance, bound: int) -> None:
    found = list(instance.solver().maximal(bound))
    assert outermost(found) == maximal(instance.conjunctions(), bound)
    assert all(conjunction.size <= bound for conjunction in found)
    assert all(instance.conjunction(conjunction.pieces) == conjunction for conjunction in found)


def subsumed(conjunction: FoundConjunction, known: list[FoundConjunction]) -> bool:
    return any(not conjunction.pos & ~other.pos and other.size <= conjunction.size for other in known)


@given(instances(), st.lists(st.integers(0, 7), max_size=3))
def test_pieces_can_be_added_later(instance: Instance, batches: list[int]) -> None:
    ends = [*sorted(batches), len(instance.pieces)]
    solver = instance.solver(ends[0])
    known = [found for bound in range(LARGEST + 1) for found in solver.maximal(bound)]
    for begin, end in pairwise(ends):
        solver.add(instance.pieces[begin:end])
        for bound in range(LARGEST + 1):
            found = list(solver.maximal(bound))
            assert not any(subsumed(conjunction, known) for conjunction in found)
            known += found
    assert all(subsumed(conjunction, known) for conjunction in instance.conjunctions())


@given(instances(), st.lists(st.integers(1, LARGEST), max_size=4))
def test_bounds_in_any_order(instance: Instance, bounds: list[int]) -> None:
    solver = instance.solver()
    known: list[FoundConjunction] = []
    for bound in bounds:
        known += solver.maximal(bound)
        small = [conjunction for conjunction in known if conjunction.size <= bound]
        within = {conjunction.pos for conjunction in instance.conjunctions() if conjunction.size <= bound}
        assert outermost(small) == maximal(instance.conjunctions(), bound)
        assert {conjunction.pos for conjunction in small} <= within


@given(
    instances(),
    st.lists(st.tuples(st.integers(0, 15), st.integers(1, 12)), max_size=3),
    st.integers(1, 12),
)
def test_nothing_inside_a_blocked_program_of_the_same_size_or_a_smaller_one(
    instance: Instance, programs: list[tuple[int, int]], bound: int
) -> None:
    solver = instance.solver()
    blocked: list[int] = []
    for pos, size in programs:
        pos &= (1 << instance.positives) - 1
        solver.block(pos, size)
        blocked += [pos] if size <= bound else []
    expected = maximal(instance.conjunctions(), bound)
    assert outermost(solver.maximal(bound)) == {c for c in expected if all(c & ~pos for pos in blocked)}


@given(instances(), st.lists(st.integers(0, 15), min_size=1, max_size=4), st.integers(1, LARGEST))
def test_including_some_positives(instance: Instance, sets: list[int], bound: int) -> None:
    solver = instance.solver()
    found: list[FoundConjunction] = []
    for including in sets:
        including &= (1 << instance.positives) - 1
        new = list(solver.maximal(bound, including=including))
        assert not any(including & ~conjunction.pos for conjunction in new)
        found += new
        expected = {c for c in maximal(instance.conjunctions(), bound) if not including & ~c}
        assert expected <= {conjunction.pos for conjunction in found}


@given(instances(demands=0))
def test_coverages_of_any_size(instance: Instance) -> None:
    expected = maximal(instance.conjunctions(), LARGEST)
    found = instance.solver().coverages(16)
    assert found is not None
    assert sorted(found) == sorted(expected)


@given(instances())
def test_directions_only_shrink_what_can_be_covered(instance: Instance) -> None:
    found = instance.solver().coverages(16)
    assert found is not None
    assert all(any(not c.pos & ~coverage for coverage in found) for c in instance.conjunctions())


def test_too_many_coverages_are_not_listed() -> None:
    instance = random_instance(pieces=60, positives=40, negatives=40)
    assert instance.solver().coverages(100) is None


@given(instances(), st.integers(0, 15))
def test_covers_most(instance: Instance, uncovered: int) -> None:
    uncovered &= (1 << instance.positives) - 1
    useful = [c for c in instance.conjunctions() if c.pos & uncovered]
    found = instance.solver().covers_most(uncovered)
    if found is None:
        assert not useful
        return
    assert instance.conjunction(found.pieces) == found
    goal = found.pos & uncovered
    assert goal.bit_count() == max((c.pos & uncovered).bit_count() for c in useful)
    assert found.size == min(c.size for c in useful if not goal & ~c.pos)


@pytest.mark.parametrize(("positives", "negatives", "seed"), [(30, 4, 14), (80, 4, 19), (30, 6, 77)])
def test_covers_most_where_greed_is_not_enough(positives: int, negatives: int, seed: int) -> None:
    instance = random_instance(12, positives, negatives, seed)
    most = max(conjunction.pos.bit_count() for conjunction in instance.conjunctions())
    found = instance.solver().covers_most((1 << positives) - 1)
    assert found is not None
    assert found.pos.bit_count() == most
    greedy = instance.solver().covers_most((1 << positives) - 1, exact=False)
    assert greedy is not None
    assert greedy.pos.bit_count() < most


def native(instance: Instance) -> _core.Conjunctions:
    core = _core.Conjunctions(instance.positives, instance.negatives, instance.required, instance.demands)
    for piece in instance.pieces:
        core.add(*astuple(replace(piece, head=piece.head & instance.required)))
    return core


@given(instances(), st.integers(1, 15))
def test_the_papers_encoding_covers_as_much(instance: Instance, uncovered: int) -> None:
    uncovered &= (1 << instance.positives) - 1
    useful = [(c.pos & uncovered).bit_count() for c in instance.conjunctions() if c.pos & uncovered]
    if useful:
        covered = most_covering._most_by_maxsat(native(instance), uncovered, never)
        assert covered is not None
        assert covered.bit_count() == max(useful)
        assert any(not covered & ~c.pos for c in instance.conjunctions())


def test_the_papers_encoding_is_asked_where_the_core_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def ask(_: object, uncovered: int, __: Stop) -> None:
        asked.append(uncovered)

    monkeypatch.setattr(most_covering, "_most_by_maxsat", ask)
    everything = (1 << 300) - 1
    solver = random_instance(pieces=400, positives=300, negatives=200).solver()
    assert solver.covers_most(everything, exact=False)
    assert not asked
    assert solver.covers_most(everything)
    assert asked == [everything]


@given(instances(), st.integers(1, 15))
def test_a_greedy_answer_cannot_grow(instance: Instance, uncovered: int) -> None:
    uncovered &= (1 << instance.positives) - 1
    useful = [c for c in instance.conjunctions() if c.pos & uncovered]
    found = instance.solver().covers_most(uncovered, exact=False)
    if found is None:
        assert not useful
        return
    goal = found.pos & uncovered
    assert instance.conjunction(found.pieces) == found
    assert not any(c.pos & uncovered & ~goal and not goal & ~c.pos for c in useful)


def test_where_a_smallest_one_is_too_hard_no_piece_is_too_many() -> None:
    instance = random_instance(pieces=600, positives=2, negatives=400)
    found = instance.solver().covers_most(0b11)
    assert found is not None
    assert instance.conjunction(found.pieces) == found
    fewer = combinations(found.pieces, len(found.pieces) - 1)
    assert all(instance.conjunction(pieces) is None for pieces in fewer)


def cheapest_union(conjunctions: list[FoundConjunction], goal: int) -> int | None:
    """The least size of a set of conjunctions that covers the goal."""
    best = {0: 0}
    for conjunction in conjunctions:
        for covered, size in list(best.items()):
            union, total = covered | conjunction.pos, size + conjunction.size
            best[union] = min(total, best.get(union, total))
    return min((size for covered, size in best.items() if not goal & ~covered), default=None)


@given(instances())
def test_dominance_changes_no_optimum(instance: Instance) -> None:
    front = ParetoFront(
        instance.positives, instance.negatives, required=instance.required, demands=instance.demands
    )
    kept = tuple(instance.pieces[number] for number in front.extend(instance.pieces))
    fewer = Instance(instance.positives, instance.negatives, instance.required, instance.demands, kept)
    goal = (1 << instance.positives) - 1
    solver = fewer.solver()
    found = [conjunction for bound in range(LARGEST + 1) for conjunction in solver.maximal(bound)]
    assert cheapest_union(found, goal) == cheapest_union(instance.conjunctions(), goal)


def test_a_large_batch_of_pieces_can_be_interrupted() -> None:
    instance = random_instance(pieces=2_000, positives=40, negatives=40)

    def poll() -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        ParetoFront(40, 40).extend(instance.pieces, poll)


def test_the_papers_example() -> None:
    """Example 3: positives [a,b,c,d] and [c,b,d,e], negatives [c,b], [d,b] and [a,c,d,e]; plain sizes."""
    pieces = [
        Piece(2, 0b01, 0b100),  # head(S,a)
        Piece(2, 0b10, 0b100),  # last(S,e)
        Piece(3, 0b11, 0b011),  # tail(S,T), head(T,b)
        Piece(5, 0b11, 0b101),  # contains c
        Piece(5, 0b11, 0b110),  # contains d
    ]
    solver = JoinSolver(positives=2, negatives=3)
    solver.add(pieces)
    assert solver.covers_most(0b11) == FoundConjunction((2, 3, 4), 0b11, 14)
    found = [conjunction for bound in range(14) for conjunction in solver.maximal(bound)]
    assert sorted(found, key=lambda c: c.pos) == [
        FoundConjunction((0, 2), 0b01, 6),
        FoundConjunction((1, 2), 0b10, 6),
    ]
    assert list(solver.maximal(14)) == [FoundConjunction((2, 3, 4), 0b11, 14)]


def test_the_same_pieces_give_the_same_answer() -> None:
    instance = random_instance(pieces=40, positives=12, negatives=12)
    one, other = instance.solver(), instance.solver()
    for bound in range(9):
        assert list(one.maximal(bound)) == list(other.maximal(bound))
    assert one.covers_most(0xFFF) == other.covers_most(0xFFF)


def test_an_interrupted_search_has_given_what_it_found_and_finds_the_rest_later() -> None:
    instance = random_instance(pieces=300, positives=10, negatives=90)
    whole = outermost(instance.solver().maximal(15))
    solver = instance.solver()
    found: list[FoundConjunction] = []
    for patience in count():
        answers = iter([False] * (2**patience - 1))
        try:
            for conjunction in solver.maximal(15, partial(next, answers, True)):
                found.append(conjunction)  # noqa: PERF402 - what was given before it is interrupted counts
        except Interrupted:
            continue
        break
    assert patience
    assert outermost(found) == whole
    assert len({conjunction.pos for conjunction in found}) == len(found)


@pytest.mark.skipif(sys.platform == "win32", reason="a signal to one process only")
def test_a_keyboard_interrupt_comes_through_and_harms_nothing() -> None:
    code = """
        from solvers.join_instances import random_instance
        solver = random_instance(pieces=300, positives=100, negatives=100).solver()
        print("begin", flush=True)
        for _ in range(2):
            try:
                list(solver.maximal(40))
            except KeyboardInterrupt:
                print("interrupted", flush=True)
    """
    paths = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        for _ in range(2):
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            assert process.stdout.readline() == "interrupted\n"
            assert time.monotonic() < begin + 0.5
        assert process.wait(timeout=10) == 0


QUESTIONS: dict[str, Callable[[JoinSolver, Stop], object]] = {
    "maximal": lambda solver, stop: list(solver.maximal(40, stop)),
    "coverages": lambda solver, stop: solver.coverages(10**9, stop),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_long_search_stops_when_it_is_told_to(question: str) -> None:
    solver = random_instance(pieces=3_000, positives=300, negatives=300).solver()
    begin = time.monotonic()
    with pytest.raises(Interrupted):
        QUESTIONS[question](solver, lambda: time.monotonic() > begin + 0.05)
    assert time.monotonic() < begin + 0.7


@pytest.mark.parametrize("seed", range(30))
def test_obligations_that_follow_from_others_are_left_out(seed: int) -> None:
    rng = Random(seed)
    negatives, positives = rng.choice([1, 30, 1_000]), rng.choice([1, 70])
    instance = [(rng.getrandbits(positives), rng.getrandbits(negatives)) for _ in range(rng.randint(1, 80))]
    core = _core.Conjunctions(positives, negatives, 0, 0)
    for pos, neg in instance:
        core.add(1, pos, neg, 0, 0, 0)
    missing = [
        sum(1 << piece for piece, (_, neg) in enumerate(instance) if not neg >> negative & 1)
        for negative in range(negatives)
    ]
    everyone = (1 << len(instance)) - 1
    rows = {everyone, *missing}
    assert sorted(core.owed()) == sorted(
        row for row in rows if not any(other != row and not other & ~row for other in rows)
    )
    assert core.owed() == sorted(core.owed(), key=int.bit_count)


@pytest.mark.parametrize(("pieces", "negatives"), [(300, 300), (3_000, 30)])
def test_coverages_are_looked_for_within_limits(pieces: int, negatives: int) -> None:
    solver = random_instance(pieces=pieces, positives=300, negatives=negatives).solver()
    begin = time.process_time()
    assert solver.coverages(10**9) is None
    assert time.process_time() < begin + 3


def test_the_most_is_looked_for_within_limits() -> None:
    solver = random_instance(pieces=20_000, positives=100, negatives=100).solver()
    begin = time.process_time()
    assert solver.covers_most((1 << 100) - 1)
    assert time.process_time() < begin + 2


def test_the_papers_encoding_stops_while_it_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(most_covering, "_CONFLICTS", 10**9)
    instance = random_instance(pieces=400, positives=120, negatives=120)
    asked: list[float] = []

    def stop() -> bool:
        asked.append(time.monotonic())
        return len(asked) > 4  # the first questions are asked while the clauses are written

    with pytest.raises(Interrupted):
        most_covering._most_by_maxsat(native(instance), (1 << 120) - 1, stop)
    assert time.monotonic() < asked[4] + 1
