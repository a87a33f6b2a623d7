"""Conjunction coverage: the bitsets that a front end gets are what the engine says, and so is all that it may ask."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from busy import within
from joiner_magic.errors import CommandError
from joiner_magic.generators.zendo import big_rule, zendo
from joiner_magic.logic.conjunctions import Conjunction, sigma
from joiner_magic.logic.programs import Program
from joiner_magic.questions.coverage.fragments import FragmentChoice, KnownFragments
from joiner_magic.questions.coverage.minimality import minimality
from joiner_magic.questions.naming import Naming
from joiner_magic.search.options import Options
from joiner_magic.sessions.runs import Run, State
from joiner_magic.sessions.session import Session
from joiner_magic.views.coverage.view import CoverageView
from search.learning_tasks import random_learning_task

# Both properties are needed; each alone covers a negative example.
BK = "red(a). big(a). red(b). big(b). red(c). big(d). warm(a)."
EXAMPLES = "pos(f(a)). pos(f(b)). neg(f(c)). neg(f(d))."


def learnt(bk: str, examples: str, bias: str = "", **options: Any) -> Run:
    session = Session()
    session.bk(bk)
    session.examples(examples)
    if bias:
        session.bias(bias)
    session.learn(timeout=10.0, **options)
    return session.runs[-1]


@pytest.fixture(scope="module")
def view() -> CoverageView:
    return CoverageView(learnt(BK, EXAMPLES))


def texts(tree: object) -> str:
    """What a tree of elements shows."""
    return "".join(map(texts, tree[2:])) if isinstance(tree, list) else str(tree)


def random_runs(seeds: range) -> Iterator[Run]:
    for seed in seeds:
        task = random_learning_task(Random(seed))
        if task.pos:
            yield learnt(task.background, task.examples, task.bias)


def test_the_rule_comes_with_its_fragments(view: CoverageView) -> None:
    assert view.scene()["titles"] == ["Rule 1"]
    choice = view.choice(0)
    assert choice["solver"] == 2
    own = {
        each["text"]: (each["pos"], each["neg"], each["size"], each["cost"])
        for each in choice["fragments"][:2]
    }
    assert own == {"f(A) :- red(A).": ("3", "1", 2, 1), "f(A) :- big(A).": ("3", "2", 2, 1)}
    assert choice["told"] == "The solver's choice keeps 2 positives with 3 literals."


def test_intersections_are_what_the_engine_says_of_the_conjunction() -> None:
    tried = 0
    for run in random_runs(range(30)):
        view = CoverageView(run)
        scene = view.scene()
        known = KnownFragments.of(run, 10.0)
        for number in range(len(scene["titles"])):
            sent = view.choice(number)["fragments"]
            fragments = known.choice(number).fragments
            assert [each["text"] for each in sent] == [fragment.text for fragment in fragments]
            pairs = list(combinations(range(len(sent)), 2))[:40]
            programs = [conjunction(known, [fragments[i].program, fragments[j].program]) for i, j in pairs]
            with known.engine() as engine:
                evaluations = engine.evaluate(programs)
            for (i, j), evaluation in zip(pairs, evaluations, strict=True):
                assert int(sent[i]["pos"], 16) & int(sent[j]["pos"], 16) == evaluation.pos
                assert int(sent[i]["neg"], 16) & int(sent[j]["neg"], 16) == evaluation.neg
                tried += 1
    assert tried > 100


def conjunction(known: KnownFragments, programs: list[Program]) -> Program:
    task = known.problem.task
    taken = {task.bias.head.name, *(predicate.name for predicate in task.background.predicates)}
    return sigma([Conjunction(tuple(programs))], task.bias.head, taken)


def test_a_smaller_conjunction_is_found_exactly_if_there_is_one() -> None:
    found = missed = 0
    for run in random_runs(range(30)):
        known = KnownFragments.of(run, 10.0)
        if not 2 <= len(known.coverage) <= 10:
            continue
        for programs in combinations(known.coverage, 2):
            wanted = reduce(int.__and__, (known.coverage[program].pos for program in programs))
            if not wanted or not is_rule(known, list(programs), wanted):
                continue
            chosen = known.fragments_of(programs)
            answer = minimality(known, FragmentChoice("", (), chosen, (), wanted), 10.0)
            expected = brute_force(known, wanted)
            assert answer.finished
            if expected < answer.size:
                assert answer.smaller_size == expected
                found += 1
            else:
                assert answer.smaller == ()
                missed += 1
    assert found
    assert missed


def brute_force(known: KnownFragments, wanted: int) -> int:
    """The fewest literals of a conjunction of known fragments that keeps what is wanted and no negative."""
    sizes = [
        Conjunction(programs).size
        for length in range(1, 5)
        for programs in combinations(known.coverage, length)
        if is_rule(known, list(programs), wanted)
    ]
    return min(sizes)


def is_rule(known: KnownFragments, programs: list[Program], wanted: int) -> bool:
    """Whether the conjunction belongs to the space, is consistent and keeps what is wanted."""
    evaluations = [known.coverage[program] for program in programs]
    keeps = not any(wanted & ~evaluation.pos for evaluation in evaluations)
    if not keeps or reduce(int.__and__, (evaluation.neg or 0 for evaluation in evaluations)):
        return False
    return known.problem.is_legal(conjunction(known, programs))


def test_without_a_fragment_negatives_come_back(view: CoverageView) -> None:
    told = view.minimal(0)["told"]
    assert "keeps the same 2 positives and no negative with fewer than 3 literals" in texts(told)
    rows = [texts(row) for row in told[-1][3:]]
    assert sorted(rows) == ["f(A) :- big(A).1f(c)", "f(A) :- red(A).1f(d)"]


def test_without_a_literal_of_a_rule_that_was_not_joined() -> None:
    bk = "has(a,x). red(x). has(b,y). blue(y). red(z)."
    view = CoverageView(learnt(bk, "pos(f(a)). neg(f(b)). neg(f(c))."))
    rows = [texts(row) for row in view.minimal(0)["told"][-1][3:]]
    assert len(rows) == 2
    assert "red(B)1f(b)" in rows
    assert any("A of the head would not occur in the body" in row for row in rows)


def test_an_example_is_explained_by_each_fragment(view: CoverageView) -> None:
    numbers = {each["text"]: number for number, each in enumerate(view.choice(0)["fragments"])}
    red, big = numbers["f(A) :- red(A)."], numbers["f(A) :- big(A)."]
    positive = view.explain(0, "pos", 0, [red, big])
    assert positive["name"] == "f(a)"
    assert "f(a) is covered by the hypothesis." in texts(positive["told"])
    assert "✓ f(A) :- big(A).because big(a)" in texts(positive["told"])
    negative = texts(view.explain(0, "neg", 0, [red, big])["told"])
    assert "f(c) is not covered by the hypothesis." in negative
    assert "✓ f(A) :- red(A).because red(c)" in negative
    assert "✗ f(A) :- big(A).fails big(c)" in negative


def test_chosen_examples_are_found_again(view: CoverageView) -> None:
    assert view.find(["f(d)", "f(a)", "f(unknown)"]) == {"found": [["pos", 0], ["neg", 1]]}


def test_the_picture_has_what_is_tried(view: CoverageView) -> None:
    texts_sent = [each["text"] for each in view.choice(0)["fragments"]]
    other = texts_sent.index("f(A) :- warm(A).")
    picture = view.picture(0, [0, other], 700)
    assert [left[0] for left in picture["left"]] == [0, 1, other]
    assert {right[2] for right in picture["right"]} == {"f(a)", "f(b)", "f(c)", "f(d)"}


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("choice", {"number": 7}),
        ("choice", {"number": -1}),
        ("choice", {"number": "0"}),
        ("picture", {"number": 0, "fragments": [99], "width": 700}),
        ("picture", {"number": 0, "fragments": "0", "width": 700}),
        ("picture", {"number": 0, "fragments": [], "width": "wide"}),
        ("names", {"label": "maybe", "start": 0}),
        ("names", {"label": "pos", "start": -5}),
        ("find", {"examples": 3}),
        ("explain", {"number": 0, "label": "pos", "example": 99, "fragments": []}),
    ],
)
def test_nonsense_is_refused(view: CoverageView, question: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(CommandError):
        view.answer(question, arguments)


def test_a_picture_says_that_it_has_not_all_fragments(view: CoverageView) -> None:
    made = zendo(big_rule(10), scenes=60).made()
    svg = CoverageView(learnt(made.background, made.examples, made.bias)).to_svg()
    assert "8 of its 10 fragments are shown" in svg
    assert "fragments are shown" not in view.to_svg()


def test_no_rule_at_all() -> None:
    view = CoverageView(learnt("p(1). q(1).", "pos(f(2)). neg(f(1)).", "head_pred(f,1). body_pred(p,1)."))
    assert view.scene()["note"].startswith("No rule was found, and no fragment")
    assert view.choice(0)["fragments"] == []
    assert view.picture(0, [], 700)["left"] == []
    assert "No rule was found" in view.to_text()
    ElementTree.fromstring(view.to_svg())
    with pytest.raises(CommandError, match="no rule"):
        view.minimal(0)


def test_without_a_rule_the_best_fragments_are_shown() -> None:
    view = CoverageView(
        learnt("p(1). p(2). p(3). q(1). q(2). q(4).", "pos(f(1)). neg(f(2)). neg(f(3)). neg(f(4)).")
    )
    choice = view.choice(0)
    assert choice["solver"] == 0
    assert choice["told"] == ""
    assert {each["text"] for each in choice["fragments"]} >= {"f(A) :- p(A).", "f(A) :- q(A)."}
    assert "not covered" not in texts(view.explain(0, "pos", 0, [0])["told"])
    assert "f(A) :- p(A)." in view.to_table()


def test_positives_that_are_left_have_a_place_of_their_own() -> None:
    view = CoverageView(learnt("p(1). q(2). q(3).", "pos(f(1)). pos(f(2)). neg(f(3))."))
    assert view.scene()["titles"] == ["Rule 1", "Not covered"]
    assert view.scene()["note"] == "The hypothesis covers 1 of 2 positives."
    assert [each["text"] for each in view.choice(1)["fragments"]] == ["f(A) :- q(A)."]


def test_without_negatives_everything_is_consistent() -> None:
    view = CoverageView(learnt("p(1). p(2).", "pos(f(1)). pos(f(2)).", "head_pred(f,1). body_pred(p,1)."))
    assert view.scene()["sizes"] == {"pos": 2, "neg": 0}
    assert "no negatives" in view.scene()["note"]
    assert {right[0] for right in view.picture(0, [], 700)["right"]} == {"pos"}
    assert "fewer than 2 literals" in texts(view.minimal(0)["told"])


def test_a_recursive_program_is_one_fragment() -> None:
    bk = "edge(a,b). edge(b,c). edge(c,d)."
    examples = (
        "pos(path(a,b)). pos(path(a,c)). pos(path(a,d)). pos(path(b,d)). neg(path(b,a)). neg(path(d,a))."
    )
    bias = "head_pred(path,2). body_pred(edge,2). max_vars(3). max_body(2). enable_recursion."
    view = CoverageView(learnt(bk, examples, bias))
    assert view.scene()["titles"] == ["Rules 1–2"]
    own = view.choice(0)["fragments"][0]
    assert own["pos"] == "f"
    assert own["neg"] == "0"
    assert own["text"].count(":-") == 2
    assert "✗" in texts(view.explain(0, "neg", 0, [0])["told"])
    assert "literals" in texts(view.minimal(0)["told"])


class _GoingOn(Run):
    """A run in the middle of its work."""

    @property
    def state(self) -> State:
        return "running"


def test_a_run_that_goes_on_shows_its_best() -> None:
    run = learnt(BK, EXAMPLES)
    going_on = _GoingOn(1, run.task, Options())
    view = CoverageView(going_on)
    assert view.scene()["note"] == "run 1 is still at work: it has found nothing yet."
    assert view.scene()["titles"] == ["Not covered"]
    going_on.progress = run.progress  # it has found something
    assert view.scene()["note"] == "run 1 is still at work: this is the best so far."
    assert view.scene()["titles"] == ["Rule 1"]
    assert view.choice(0)["solver"] == 2
    assert "is still at work" in view.to_text()
    assert "is still at work" in view.to_table()


def test_a_run_that_never_began_has_nothing_to_show() -> None:
    run = Run(1, learnt(BK, EXAMPLES).task, Options())
    assert "No rule was found" in CoverageView(run).scene()["note"]


def test_ten_thousand_examples_with_long_names_are_sent_in_pages() -> None:
    name = "x" * 2_000
    bk = " ".join(
        f"{'red' if n % 3 else 'big'}('{name}{n}'). big('{name}{n}')." for n in range(10_000) if n % 5
    )
    examples = " ".join(f"{'pos' if n % 3 and n % 5 else 'neg'}(f('{name}{n}'))." for n in range(10_000))
    view = CoverageView(learnt(bk, examples, "head_pred(f,1). body_pred(red,1). body_pred(big,1)."))
    with within(1):
        answers = [view.scene(), view.choice(0), view.picture(0, [0], 700)]
    assert sum(len(json.dumps(answer)) for answer in answers) < 300_000
    page = view.names("neg", 100)["names"]
    assert len(page) == 100
    assert len(json.dumps(page)) < 20_000
    assert view.explain(0, "neg", 50, [0])["name"].startswith(f"f({name}")
    assert len(view.to_svg()) < 60_000
    assert len(view.to_html()) < 100_000


def test_names_do_not_depend_on_how_a_rule_was_numbered() -> None:
    bias = learnt(BK, EXAMPLES).task.bias
    naming = Naming(bias)
    known = KnownFragments.of(learnt("has(a,x). red(x). has(b,y). red(z).", "pos(f(a)). neg(f(b))."), 1.0)
    for fragment in known.choice(0).fragments:
        assert naming(fragment.program) == fragment.text
        variables = [letter for letter in fragment.text if letter.isupper()]
        assert list(dict.fromkeys(variables)) == sorted(set(variables))
