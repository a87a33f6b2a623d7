"""The view of the pruning constraints: its chart, its pages, its answers, for every sort of run."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from joiner_magic.errors import CommandError
from joiner_magic.logic.programs import Evaluation
from joiner_magic.questions.constraints.prunings import Prunings
from joiner_magic.questions.naming import Naming
from joiner_magic.search.fate import Fate
from joiner_magic.search.record.plain_record import PlainRecord
from joiner_magic.search.spaces.specialisations import SpecialisationSpace
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.task.reader import read_program
from joiner_magic.views.constraints.view import ConstraintsView
from sessions.scenes import run_of, scenes


@pytest.fixture(scope="module")
def view() -> ConstraintsView:
    return ConstraintsView(run_of(2))


def learnt(bk: str, examples: str, bias: str = "", timeout: float | None = None) -> Run:
    session = Session()
    session.bk(bk)
    session.examples(examples)
    session.learn(bias, advise=False, timeout=timeout)
    return session.runs[-1]


def nothing_found() -> Run:
    return learnt("p(a). p(b).", "pos(f(a)). neg(f(b)).")


def no_negatives() -> Run:
    return learnt("p(a). p(b). q(a).", "pos(f(a)). pos(f(b)).")


def recursive() -> Run:
    facts = "edge(a,b). edge(b,c). edge(c,d). edge(x,y)."
    examples = "pos(f(a,b)). pos(f(a,c)). pos(f(a,d)). neg(f(a,x)). neg(f(b,a)). neg(f(d,a))."
    return learnt(facts, examples, "enable_recursion. max_body(2). max_vars(3). max_clauses(2).")


def many_examples() -> Run:
    names = range(10_000)
    facts = [*(f"p(x{n},y{n % 7})." for n in names), "q(y1). q(y3). q(y4). r(y3). r(y5). s(y0)."]
    examples = "\n".join(f"{'pos' if n % 7 % 2 else 'neg'}(f(x{n}))." for n in names)
    return learnt("\n".join(facts), examples, "max_body(3). max_vars(2).")


def repeated() -> Run:
    session = Session()
    facts, examples = scenes(2)
    session.bk(facts)
    session.examples(examples)
    for _ in range(2):
        session.learn(max_body=3, max_vars=3, advise=False)
    assert session.runs[-1].reused
    return session.runs[-1]


def stopped() -> Run:
    facts, examples = scenes(3)
    return learnt(facts, examples, timeout=0)


def not_begun() -> Run:
    run = run_of(2)
    return Run(2, run.task, run.options)


RUNS = [nothing_found, no_negatives, recursive, many_examples, repeated, stopped, not_begun]


@pytest.mark.parametrize("make", RUNS, ids=lambda make: make.__name__)
def test_every_sort_of_run_is_shown(make: object) -> None:
    assert callable(make)
    view = ConstraintsView(make())
    scene = view.scene()
    assert json.loads(json.dumps(scene)) == scene
    assert len(json.dumps(scene)) < 40_000
    assert len(view.to_svg()) < 60_000
    assert len(view.to_html()) < 100_000
    assert ElementTree.fromstring(view.to_svg()) is not None
    assert view.to_text().startswith("run ")
    assert view.to_dot().startswith("digraph")
    for row in scene["page"]["rows"][:5]:
        detail = view.detail(row["number"])
        _, _, proposition, *_ = detail["told"]
        assert proposition.endswith(".")
        if detail["verifiable"]:
            assert view.verify(row["number"])["right"]


def test_bars_are_made_of_what_was_tested(view: ConstraintsView) -> None:
    scene = view.scene()
    assert view.run.result
    tested = view.run.result.counts["tested"]
    assert sum(count for size in scene["sizes"] for _, count, _, _ in size["fates"]) == tested
    assert scene["heading"] == f"what became of {tested:,} tested programs"
    for size in scene["sizes"]:
        assert size["total"] == sum(count for _, count, _, _ in size["fates"])
    kinds = [kind["kind"] for kind in scene["kinds"]]
    assert {"covers nothing", "consistent", "too large", "joinable"} <= set(kinds)
    assert [kind["cuts"] for kind in scene["kinds"]] == sorted(
        (kind["cuts"] for kind in scene["kinds"]), reverse=True
    )


def test_bars_of_the_picture_fill_their_width_and_stay_apart(view: ConstraintsView) -> None:
    picture = ElementTree.fromstring(view.to_svg())
    rows: dict[str, list[tuple[float, float]]] = {}
    for bar in picture.iter("{http://www.w3.org/2000/svg}rect"):
        if bar.get("height") == "16":
            rows.setdefault(bar.get("y", ""), []).append((float(bar.get("x", 0)), float(bar.get("width", 0))))
    assert len(rows) == len(view.scene()["sizes"])
    for bars in rows.values():
        assert bars[0][0] == 70
        assert all(x + width <= later for (x, width), (later, _) in pairwise(bars))
        assert bars[-1][0] + bars[-1][1] == pytest.approx(579, abs=1)


def test_causes_are_written_as_everywhere(view: ConstraintsView) -> None:
    naming = Naming(view.run.task.bias)
    for row in view.page()["rows"]:
        assert naming(read_program(row["cause"])) == row["cause"]


def test_pages_follow_each_other(view: ConstraintsView) -> None:
    first, second = view.page(limit=10), view.page(offset=10, limit=10)
    assert (first["before"], first["after"], second["before"]) == (None, 10, 0)
    assert first["said"].startswith("1–10 of ")
    assert second["said"] == first["said"].replace("1–10", "11–20")
    numbers = [row["number"] for row in [*first["rows"], *second["rows"]]]
    assert numbers == sorted(set(numbers))
    beyond = view.page(offset=10_000)
    assert (beyond["rows"], beyond["said"], beyond["after"]) == ([], "none", None)
    covered = [row["pos"] for row in view.page("consistent", order="positives")["rows"]]
    assert covered == sorted(covered, reverse=True)


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("page", {"kind": "purple"}),
        ("page", {"size": "4"}),
        ("page", {"size": True}),
        ("page", {"text": 7}),
        ("page", {"text": "x" * 5_000}),
        ("page", {"order": "__class__"}),
        ("page", {"offset": -1}),
        ("page", {"limit": 1_000}),
        ("detail", {"number": "1"}),
        ("detail", {"number": 10**9}),
        ("verify", {"number": -1}),
        ("verify", {"number": None}),
    ],
)
def test_nonsense_is_refused(view: ConstraintsView, question: str, arguments: dict[str, object]) -> None:
    with pytest.raises(CommandError):
        view.answer(question, arguments)


def test_a_wrong_pruning_is_said_to_be_wrong() -> None:
    view = ConstraintsView(run_of(2))
    forged = PlainRecord(SpecialisationSpace(view.run.task.bias))
    forged.note(read_program("zendo(A) :- piece(A,B)."), Evaluation(0, 0), Fate.COVERS_NOTHING)
    view._prunings = Prunings(view.run, forged)
    answer = view.answer("verify", {"number": 0})
    assert not answer["right"]
    assert re.match(r"✗ This pruning is wrong, counterexamples: \d+; ", answer["said"])
    assert answer["counterexamples"][0]["text"].startswith("zendo(A) :- ")
    assert answer["counterexamples"][0]["pos"] > 0


def test_the_graph_has_a_cluster_for_each_kind(view: ConstraintsView) -> None:
    dot = view.to_dot()
    kinds = {row["kind"] for row in view.page(limit=100)["rows"]}
    assert set(re.findall(r'cluster_\d+ \{ label="([^"]+)"', dot)) == kinds
    assert dot.count("->") == dot.count("shape=plain")
    assert dot.count("{") == dot.count("}")
