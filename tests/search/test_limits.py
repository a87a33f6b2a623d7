"""A limit on the work per program never makes a run say what is not true.

Random tasks with limits so low that many programs do not finish, against an exhaustive search without a limit: nothing
is called a solution, impossible, optimal or a lower bound that is none, and no example is said to be covered or not
if that is not so. Half of the runs may not come back to what did not finish, so that much stays unknown.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from contract.naive import Atom
from joiner_magic import Result, Session, learn, load_result, read_task, save_result
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.engines.protocol import NO_LIMIT
from joiner_magic.errors import EngineError, TaskError
from joiner_magic.logic.terms import Predicate, Symbol
from joiner_magic.questions.coverage.matrix import CoverageMatrix
from joiner_magic.search import loop
from joiner_magic.search.fate import Fate
from joiner_magic.search.options import Options
from joiner_magic.search.running.events import Evaluated, Event, Improved, SizeFinished
from joiner_magic.search.stages.limits import Limits
from search import test_optimal
from search.brute_force import Search, Space, evaluate, optimum
from search.learning_tasks import LearningTask, random_learning_task
from search.priced_tasks import DEAR, PricedTask
from seeds import SEEDS

E = "pos(f(a)). neg(f(b))."
B = "head_pred(f,1). body_pred(q,2). body_pred(r,1). max_vars(2). max_body(2)."
MISLEADING = "q(a,x1). r(x1). " + " ".join(f"q(b,y{i})." for i in range(1, 9)) + " r(y8)."
HIDDEN = "q(a,z). q(b,z). " + " ".join(f"q(a,y{i}). r(w{i})." for i in range(1, 9)) + " r(y8)."
SLOW = "p(a). p(b) :- between(1,300000000,X), X >= 300000000."


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What did not finish is left as it is."""
    monkeypatch.setattr(loop.Search, "_come_back", lambda search: False)


def test_what_covers_a_negative_example_is_no_solution() -> None:
    assert learn(read_task(MISLEADING, E, B), limit=3, advise=False).status == "none"


def test_a_solution_is_found_although_it_ran_into_the_limit() -> None:
    result = learn(read_task(HIDDEN, E, B), limit=5, advise=False)
    assert (result.status, result.size, result.counts["unfinished"]) == ("optimal", 3, 0)


def test_what_is_not_known_is_called_unverified(impatient: None) -> None:
    result = learn(read_task(MISLEADING, E, B), limit=3)
    assert (result.status, result.solved, result.optimal, result.bound) == ("unverified", False, False, None)
    assert (result.confusion.tp, result.confusion.tn, result.confusion.unknown_neg) == (1, 0, 1)
    assert "unverified solution" in str(result)
    assert "0 of 1 (and perhaps 1 more) negative" in str(result)
    assert result.predict(["f(a)", "f(b)"]) == [True, True]


def test_without_a_solution_nothing_is_called_impossible(impatient: None) -> None:
    result = learn(read_task(HIDDEN, E, B), limit=5)
    assert result.status == "none"
    assert "whether there is a solution with them is not known" in result.why
    assert result.shortfall is not None
    assert (result.shortfall.exhausted, result.shortfall.impossible, result.shortfall.idle) == (False, (), ())
    assert "the whole space was searched" not in str(result)


def test_unverified_results_are_kept_as_such(impatient: None, tmp_path: Any) -> None:
    result = learn(read_task(MISLEADING, E, B), limit=3)
    save_result(result, tmp_path / "result.json")
    loaded = load_result(tmp_path / "result.json")
    assert (loaded.status, loaded.confusion) == (result.status, result.confusion)


def test_a_session_makes_nothing_of_what_is_not_known(impatient: None) -> None:
    session = Session()
    session.bk(HIDDEN)
    session.examples(E)
    session.bias(B)
    assert session.learn(limit=5).status == "none"
    assert session.learn().size == 3


@pytest.mark.prolog
def test_the_limit_of_the_prolog_engine_is_no_answer_either() -> None:
    task = read_task(SLOW, E, "head_pred(f,1). body_pred(p,1).")
    result = learn(task, engine="prolog", timeout=2)
    assert (result.status, result.confusion.unknown_neg) == ("unverified", 1)


@pytest.mark.prolog
def test_what_covers_a_rule_that_did_not_finish_is_told_as_such() -> None:
    task = read_task(
        "big(X) :- X > 1. p(a). p(2).", "pos(f(2)). neg(f(a)).", "head_pred(f,1). body_pred(big,1)."
    )
    matrix = CoverageMatrix.of(learn(task, engine="prolog", advise=False))
    assert "perhaps more: not evaluated to the end" in str(matrix)


@pytest.mark.prolog
def test_what_raises_an_error_is_not_known_to_be_false() -> None:
    task = read_task(
        "big(X) :- X > 1. p(a). p(2).", "pos(f(2)). neg(f(a)).", "head_pred(f,1). body_pred(big,1)."
    )
    result = learn(task, engine="prolog", advise=False)
    assert result.status == "unverified"
    with pytest.raises(EngineError, match=r"whether the hypothesis covers f\(a\) is not known"):
        result.predict(["f(a)"])
    assert result.predict(["f(2)"]) == [True]
    assert result.score("pos(f(2)). neg(f(a)).").unknown == 1


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, 10**30, NO_LIMIT + 1])
def test_a_limit_that_is_none_is_refused(limit: Any) -> None:
    with pytest.raises(TaskError, match="limit is"):
        Options(limit=limit)


def check(made: LearningTask, engine: str, limit: int) -> Result:
    events: list[Event] = []
    task = read_task(made.background, made.examples, made.bias)
    result = learn(task, engine=engine, advise=False, limit=limit, listeners=[events.append])
    told = f"limit {limit}, {result}\n{made}"
    best = optimum(made)
    everything = (1 << len(made.pos)) - 1
    assert result.status != "optimal" or result.size == best, told
    assert result.status != "best" or result.size >= (best or 0) > 0, told
    for bound in (result.bound, *(event.bound for event in events if isinstance(event, SizeFinished))):
        assert bound is None or best is None or bound <= best, told
    for event in events:
        if isinstance(event, Improved):
            pos, neg = evaluate(made, event.hypothesis.program)
            assert (neg == 0, pos == everything or not event.solution) == (True, True), told
    if result.hypothesis:
        check_confusion(made, result, told)
    if result.shortfall and result.shortfall.exhausted:
        assert best is None, told
    for atom in result.shortfall.impossible if result.shortfall else ():
        covered = task.examples.pos.index(atom)
        search = Search(Space(made))
        bit = search.space.examples[covered]
        assert not any(part.extension & bit for part in (*search.plain, *search.alone)), told
    return result


def check_confusion(made: LearningTask, result: Result, told: str) -> None:
    assert result.hypothesis
    pos, neg = evaluate(made, result.hypothesis)
    confusion = result.confusion
    assert confusion.tp <= pos.bit_count() <= confusion.tp + confusion.unknown_pos, told
    assert confusion.fp <= neg.bit_count() <= confusion.fp + confusion.unknown_neg, told
    assert result.status == "unverified" or not neg, told
    assert result.status == "none" or pos == (1 << len(made.pos)) - 1, told


def wide_task(rng: Random) -> LearningTask:
    """Subjects with many objects each: what is true of the last of them only, a low limit does not see."""
    subjects = tuple(Symbol(f"s{i}") for i in range(rng.randint(3, 6)))
    objects = tuple(Symbol(f"o{i}") for i in range(rng.randint(4, 9)))
    facts: set[Atom] = {("q", pair) for pair in product(subjects, objects) if rng.random() < 0.5}
    facts |= {("l", pair) for pair in product(subjects, subjects) if rng.random() < 0.25}
    facts |= {(name, (one,)) for name in "rt" for one in (*subjects, *objects) if rng.random() < 0.3}
    facts |= {("q", (subjects[0], objects[-1])), ("l", (subjects[0], subjects[1])), ("r", (objects[-1],))}
    recursion = rng.random() < 0.3
    shuffled = rng.sample(subjects, len(subjects))
    cut = rng.randint(1, len(subjects) - 1)
    names = {"q": 2, "l": 2, "r": 1, "t": 1}
    return LearningTask(
        Predicate("f", 1),
        tuple(Predicate(*name) for name in names.items() if name[0] in {fact[0] for fact in facts}),
        frozenset(facts),
        (*subjects, *objects),
        tuple((one,) for one in shuffled[:cut]),
        tuple((one,) for one in shuffled[cut:]),
        max_vars=2,
        max_body=rng.choice([2, 2, 3]),
        max_clauses=2 if recursion else 1,
        enable_recursion=recursion,
        allow_singletons=rng.random() < 0.3,
    )


def family(seed: int, number: int) -> tuple[LearningTask, int]:
    """A task, and a limit that some of its programs run into."""
    rng = Random(f"{seed} {number}")
    if number % 25 == 0:
        made = random_learning_task(rng, recursion=number % 3 == 0, invention=number % 3 == 1)
    else:
        made = wide_task(rng)
    return made, rng.choice([1, 2, 3, 4, 6, 8, 12, 20, 40])


def test_parts_that_fail_together_are_still_tried_apart_with_others() -> None:
    """A partial hypothesis of two parts reaches a negative example; written apart, they are half of a solution."""
    made, limit = family(839298429, 16)
    assert check(made, "datalog", limit).solved


@pytest.mark.parametrize("seed", SEEDS)
def test_random_tasks_with_low_limits(seed: int) -> None:
    for number in range(80):
        made, limit = family(seed, number)
        check(made, "datalog", limit)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_tasks_with_low_limits_that_stay(seed: int, impatient: None) -> None:
    results = []
    for number in range(80, 160):
        made, limit = family(seed, number)
        results.append(check(made, "datalog", limit))
    assert sum(result.counts["unfinished"] > 0 for result in results) > 20
    assert {"unverified", "none"} <= {result.status for result in results}


@pytest.mark.prolog
@pytest.mark.parametrize("seed", SEEDS)
def test_random_tasks_with_low_limits_on_prolog(seed: int, impatient: None) -> None:
    results = []
    for number in range(160, 180):
        made, limit = family(seed, number)
        results.append(check(made, "prolog", 5 * limit))
    assert any(result.counts["unfinished"] for result in results)


def hurry(monkeypatch: pytest.MonkeyPatch, first: int, usual: int) -> None:
    """Give the embedded engine a first limit that many programs run into, as Prolog has one."""
    monkeypatch.setattr(DatalogEngine, "first_limit", first)
    monkeypatch.setattr(DatalogEngine, "limit", usual)


@pytest.mark.parametrize("seed", range(40))
def test_a_short_first_attempt_changes_no_answer(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = random_learning_task(Random(f"hurried {seed}"), recursion=True)
    hurry(monkeypatch, first=2 + seed % 5, usual=100_000)
    test_optimal.check(made, "datalog", {"joining": {}})


@pytest.mark.parametrize("seed", range(40))
def test_a_short_first_attempt_changes_no_cost(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    priced = PricedTask.random(Random(f"hurried {seed}"), DEAR, recursion=True, flipped=seed % 2 == 0)
    options = {**priced.prices, "source": "asp", "advise": False, "timeout": 30}
    patient = learn(priced.task(), **options)
    hurry(monkeypatch, first=2 + seed % 5, usual=100_000)
    hurried = learn(priced.task(), **options)
    assert (hurried.status, hurried.cost) == (patient.status, patient.cost), str(priced)


def test_what_is_left_of_a_first_attempt_is_finished_before_the_next_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hurry(monkeypatch, first=3, usual=300)
    unfinished: list[int] = []

    def hear(event: Event) -> None:
        if isinstance(event, Evaluated):
            unfinished.append(event.fates.get(Fate.UNFINISHED, 0))
        if isinstance(event, SizeFinished):
            assert event.fates.get(Fate.UNFINISHED, 0) == 0
            assert sum(event.fates.values()) == event.tested

    result = learn(read_task(HIDDEN, E, B), source="asp", advise=False, listeners=[hear])
    assert any(unfinished)
    assert (result.status, result.size, result.counts["unfinished"]) == ("optimal", 3, 0)


def test_each_attempt_has_ten_times_the_work() -> None:
    limits = Limits(10, 1_000)
    assert [limit for limit in limits.further if limits.is_usual(limit)] == [100, 1_000]
    assert list(Limits(None, None).further) == []
    assert not Limits(10, None).is_usual(100)
    assert next(Limits(5, 5).further) == 50
