"""What views say is so: of what a rule covers, of what need not be tested, of where a picture comes from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.logic.canonical import canonical, generalisations
from joiner_magic.logic.programs import Program
from joiner_magic.questions.constraints.prunings import Prunings
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.views.all import VIEWS, view
from joiner_magic.views.constraints.view import ConstraintsView
from joiner_magic.views.coverage.view import CoverageView
from joiner_magic.views.lattice.view import LatticeView
from joiner_magic.views.progress.view import ProgressView
from joiner_magic.views.twin import twin
from views.claims import wide_worlds, zendo

# What is no rule yet may cover more than the core has looked at.


@pytest.mark.parametrize("make", [wide_worlds, zendo])
def test_nothing_is_said_to_cover_less_than_it_covers(make: object) -> None:
    session: Session = make()  # type: ignore[operator]
    session.learn(source="native", advise=False)
    view = LatticeView(session.runs[-1])
    record = session.runs[-1].record
    assert record is not None
    more = 0
    with DatalogEngine(session.runs[-1].task) as engine:
        for node in view.lattice.search(limit=100_000).nodes:
            detail = view.answer("detail", {"key": node.id})
            covered = detail["covered"]
            if node.outcome == "covers nothing":
                assert covered[0] == 0, node
            if node.outcome in ("consistent", "consistent fragment", "solution"):
                assert covered[1] == 0, node
            if detail["counts"] == "not counted":
                assert node.pos is None or node.neg is None
            elif detail["counts"].startswith("at least "):
                assert node.pos is not None
                assert node.pos <= covered[0]
            else:
                assert detail["counts"] == f"+{covered[0]} −{covered[1]}", node
            if node.fate == "nothing below":
                more += covered[0] > 0
                assert "no rule below it covers a positive example" in detail["why"]
                for below in record.sample_of_cut(int(node.id[1:]), 20, 1):
                    assert not engine.evaluate([below])[0].pos
    assert more or make is zendo


def test_a_body_that_is_no_rule_yet_is_not_said_to_cover_nothing_in_the_table() -> None:
    session = wide_worlds()
    session.learn(source="native", advise=False)
    prunings = Prunings(session.runs[-1])
    with DatalogEngine(session.runs[-1].task) as engine:
        for row in prunings.page("covers nothing", limit=1_000).rows:
            assert row.whole
            assert not engine.evaluate([prunings.record[row.number].program])[0].pos
    rows = ConstraintsView(session.runs[-1]).page("nothing below", limit=100)["rows"]
    assert rows
    assert all(row["covers"].startswith("at least ") for row in rows)


# A pruning says what need not be tested; what is forbidden is not tested.


def specialisations(run: Run) -> Iterator[tuple[Program, set[Program]]]:
    """Each recorded program, with all that it specialises."""
    record = run.record
    assert record is not None
    head = run.task.bias.head
    above: dict[Program, set[Program]] = {}

    def ancestors(program: Program) -> set[Program]:
        if program not in above:
            direct = set(generalisations(program, head))
            above[program] = direct.union(*map(ancestors, direct))
        return above[program]

    for number in range(len(record)):
        program = canonical(record[number].program, head)
        yield program, ancestors(program)


@pytest.mark.parametrize("source", ["native", "asp"])
def test_what_is_said_to_be_forbidden_was_never_tested(source: str) -> None:
    session = zendo()
    session.learn(source=source, advise=False)
    run = session.runs[-1]
    view = ConstraintsView(run)
    head = run.task.bias.head
    contained = list(specialisations(run))
    contradicted = 0
    for row in view.prunings.page(limit=100_000).rows:
        detail = view.detail(row.number)
        labels = {"forbids"} if "'forbids'" in str(detail["told"]) else set()
        cause = canonical(view.prunings.record[row.number].program, head)
        tested = [program for program, above in contained if cause in above]
        contradicted += bool(tested)
        assert ("forbids" in labels) == (source == "asp")
        if "forbids" in labels and "unless" not in row.needless:
            assert not tested, (row, tested)
        immediate = [program for program in tested if program.size == row.size + 1]
        if row.tested is not None:
            assert row.tested == len(immediate)
            assert (f"{len(immediate):,} were made from other bodies" in str(detail["told"])) == bool(
                immediate
            )
    if source == "native":
        assert contradicted, "the task must be one on which bodies have several parents"
        for text in (view.to_text(), view.to_html(), view.to_dot(), str(view.scene())):
            assert "forbid" not in text


# A run that reuses shows what it reuses.


def grown() -> Session:
    """A session in which the second run is settled by the first, on examples that are numbered differently."""
    session = Session()
    session.bk("p(a). p(b). p(c). q(a). q(b). q(d). q(z). p(y). s(a). s(c).")
    session.bias("head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(s,1).")
    session.say("examples", "pos(f(a)). pos(f(b)). neg(f(c)). neg(f(d)).", key="examples")
    session.learn()
    session.say(
        "examples", "pos(f(b)). pos(f(a)). neg(f(z)). neg(f(y)). neg(f(d)). neg(f(c)).", key="examples"
    )
    session.learn()
    first, second = session.runs
    assert "nothing was searched" in second.reused
    assert second.shown is first
    return session


@pytest.mark.parametrize("name", VIEWS)
def test_running_a_cell_again_does_not_empty_its_views(name: str) -> None:
    session = zendo()
    session.learn()
    first = view(name, session.runs[0])
    before, text = first.scene(), first.to_text()
    session.learn()
    again = view(name, session.runs[1])
    scene = again.scene()
    if name != "coverage":
        assert scene["whence"] == "as recorded in run 1: nothing was searched"
        assert "as recorded in run 1: nothing was searched" in again.to_text()
        assert "as recorded in run 1: nothing was searched" in again.to_html()
    if name == "lattice":
        assert scene["title"] == "The hypothesis of run 1"
    same = {"lattice": ["nodes", "edges", "outcomes", "sizes"], "constraints": ["page", "kinds", "sizes"]}
    same |= {"progress": ["columns", "legend"], "coverage": ["titles", "sizes"]}
    for key in same[name]:
        assert scene[key] == before[key], key
    assert set(text.split("\n")[1:]) <= set(again.to_text().split("\n")) | {text.split("\n")[-1]} or (
        name == "progress"
    )


def test_a_panel_that_was_opened_before_the_run_ended_shows_it_too() -> None:
    session = zendo()
    session.learn()
    second = session.start()
    views = {name: kind(second) for name, kind in VIEWS.items()}
    for each in views.values():
        each.scene()
    second.wait()
    assert len(views["lattice"].scene()["nodes"]) > 3
    assert views["constraints"].scene()["page"]["rows"]
    assert views["progress"].scene()["columns"]


def test_what_is_reused_is_shown_on_the_examples_that_it_was_tested_on() -> None:
    session = grown()
    first, second = session.runs
    lattice = LatticeView(second)
    assert lattice.scene()["examples"] == [2, 2]
    for node in lattice.lattice.search(limit=1_000).nodes:
        detail = lattice.lattice.detail(node.id)
        if node.pos is not None and node.whole:
            assert node.pos == detail.positives_covered
        if node.neg is not None and node.whole:
            assert node.neg == detail.negatives_covered
        assert set(detail.negatives) <= {"f(c)", "f(d)"}
    coverage = CoverageView(second)
    assert coverage.scene()["sizes"] == {"pos": 2, "neg": 4}  # that is evaluated anew
    assert len(coverage.choice(0)["fragments"]) == len(CoverageView(first).choice(0)["fragments"])
    assert ProgressView(second).scene()["best"]["text"].startswith("1 rule, 3 literals, covering 2 of 2")


def test_a_run_that_is_reused_keeps_its_record_and_one_that_is_not_is_said_to_be_forgotten() -> None:
    session = zendo()
    for _ in range(9):
        session.learn()
    assert all(run.shown is session.runs[0] for run in session.runs)
    assert len(LatticeView(session.runs[-1]).scene()["nodes"]) > 3
    for _ in range(7):
        session.learn(fresh=True)
    old, last = session.runs[0], session.runs[-1]
    assert old.record is None
    assert sum(run.record is not None for run in session.runs) <= 6
    for name in ("lattice", "constraints"):
        for said in (view(name, old).to_text(), view(name, old).to_html(), str(view(name, old).scene())):
            assert "What run 1 tested is forgotten: the last 5 runs keep theirs." in said
            assert "no program was tested" not in said.lower()
            assert "no hypothesis yet" not in said.lower()
        assert "is forgotten" not in str(view(name, last).scene())
    assert "is forgotten" in twin(old, "run 1").html


def test_the_other_hypothesis_is_said_to_be_another() -> None:
    session = zendo()
    session.learn()
    session.learn()
    first, second = session.runs
    assert "another hypothesis" not in second.whence
    assert first.result is not None
    from dataclasses import replace

    first.result = replace(first.result, hypothesis=None)
    assert second.whence == (
        "as recorded in run 1, which found another hypothesis than run 2: nothing was searched"
    )


# A finished run has ended.


def test_a_finished_run_does_not_say_yet() -> None:
    session = Session()
    session.bk("p(a). p(b).")
    session.examples("pos(f(a)). neg(f(b)).")
    result = session.learn()
    run = session.runs[-1]
    assert result.hypothesis is None
    for name in VIEWS:
        shown = view(name, run)
        assert " yet" not in shown.to_text().replace("no rule yet", "").lower(), name
        assert "hypothesis yet" not in str(shown.scene()), name
        assert "found yet" not in str(shown.scene()), name
    assert "nothing found," in str(run.progress)


def test_the_time_of_advice_belongs_to_a_stage() -> None:
    session = Session()
    numbers = range(40)
    session.bk(" ".join(f"e({n},{(n * 7 + 3) % 40}). c{n % 5}({n})." for n in numbers))
    session.examples(" ".join(f"{'pos' if n % 3 else 'neg'}(f({n}))." for n in numbers))
    session.bias("max_vars(2). max_body(2).")
    result = session.learn()
    assert result.shortfall is not None
    assert result.timings["advise"] > 0
    assert sum(result.timings.values()) == pytest.approx(result.seconds, abs=0.3 + result.seconds / 4)
    spent = dict(ProgressView(session.runs[-1]).scene()["spent"])
    assert spent["advise"] == pytest.approx(result.timings["advise"], abs=0.05)
    assert session.learn(fresh=True, advise=False).timings["advise"] == 0
    assert "advise" not in dict(ProgressView(session.runs[-1]).scene()["spent"])


# Words, labels and searches.


@pytest.mark.parametrize("source", ["native", "asp"])
def test_where_the_picture_begins_there_are_labels(source: str) -> None:
    session = zendo()
    session.learn(source=source)
    scene = LatticeView(session.runs[-1]).scene()
    below = {special for _, special in (*scene["edges"], *scene["joins"])}
    roots = [n for number, n in enumerate(scene["nodes"]) if number not in below and "stub" not in n]
    assert roots
    assert all(node.get("label") for node in roots)


def test_a_search_lights_up_what_it_finds_in_the_picture() -> None:
    session = zendo()
    session.learn()
    view = LatticeView(session.runs[-1])
    nodes = {node["id"]: node for node in view.scene()["nodes"]}
    found = view.answer("search", {"text": "red"})
    assert found["lit"]
    for key, node in nodes.items():
        if not node.get("stub"):
            assert (key in found["lit"]) == ("red(" in node["text"])
    whole = next(node for node in nodes.values() if node.get("role") == "solution" and "cut" not in node)
    assert view.answer("search", {"text": whole["text"]})["lit"] == [whole["id"]]
    assert view.answer("search", {"text": whole["text"]})["said"] == "1 rule"
    assert view.answer("search", {"text": "nobody"}) == {
        "total": 0,
        "said": "0 rules",
        "rules": [],
        "lit": [],
    }
    solution = view.answer("search", {"outcomes": ["solution"]})
    assert set(solution["lit"]) == {key for key, node in nodes.items() if node["outcome"] == "solution"}


def test_the_live_view_has_the_table_of_what_each_literal_is_for() -> None:
    session = zendo()
    session.learn()
    view = LatticeView(session.runs[-1])
    told = str(view.answer("without", {})["told"])
    lines = [line for line in view.to_text().split("\n") if line.startswith("    without ")]
    assert lines
    for line in lines:
        literal, counts = line.removeprefix("    without ").rsplit(": ", 1)
        assert f"'{literal}'" in told
        assert f"'{counts}'" in told


def test_the_rule_that_is_tried_is_the_one_of_the_ticked_fragments() -> None:
    session = Session()
    session.bk("red(a). big(a). red(b). big(b). red(c). big(d). warm(a).")
    session.examples("pos(f(a)). pos(f(b)). neg(f(c)). neg(f(d)).")
    session.learn()
    view = CoverageView(session.runs[-1])
    texts = [fragment["text"] for fragment in view.choice(0)["fragments"]]
    red, big = texts.index("f(A) :- red(A)."), texts.index("f(A) :- big(A).")

    def rules(*fragments: int) -> str:
        return str(view.answer("written", {"number": 0, "fragments": list(fragments)})["told"])

    assert "f(A) :- red(A)." in rules(red)
    assert "you try" in rules(red)
    assert view.choice(0)["rules"][0] in rules(big, red)
    assert "you try" not in rules(big, red)
    assert ":-" not in rules()
