"""The ids of rules, which all views of a run share."""

from __future__ import annotations

import gc
import weakref

import pytest

from joiner_magic.questions.lattice.lattice import Lattice
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.questions.naming import Naming
from joiner_magic.questions.rule_ids import RuleIds, read_written_rule, rule_ids_of
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.task.reader import read_program
from joiner_magic.views.all import view


def learnt() -> Run:
    session = Session()
    session.bk("p(a,x). p(b,y). red(x). blue(y). warm(x).")
    session.examples("pos(f(a)). neg(f(b)).")
    session.learn()
    return session.runs[-1]


@pytest.fixture(scope="module")
def run() -> Run:
    return learnt()


@pytest.fixture
def ids(run: Run) -> RuleIds:
    return RuleIds(run.task.bias.head)


def test_a_recorded_rule_has_its_number_in_the_record(run: Run, ids: RuleIds) -> None:
    record = run.record
    assert record is not None
    naming = Naming(run.task.bias)
    for number in range(len(record)):
        program = record[number].program
        key = ids.of_program(program, naming(program), record)
        assert key == NodeId.recorded(number)
        assert ids.of_text(naming(program), record) == key
        assert ids.of_text(naming(program), None) == key  # the record may be forgotten


def test_a_rule_that_is_not_recorded_has_one_id_however_it_is_written(run: Run, ids: RuleIds) -> None:
    text = "f(A) :- p(A, B), p(B, C), p(C, D), p(D, E), red(E)."
    program = read_program(text)
    key = ids.of_program(program, text, run.record)
    assert key.is_evaluated
    assert ids.of_text("f(X):- red(E), p(C,D), p(B,C), p(X,B), p(D,E)", run.record) == key
    noted = ids.noted(key)
    assert noted is not None
    assert (noted.text, noted.program) == (text, program)


def test_texts_that_are_no_rules_have_ids_of_their_own(run: Run, ids: RuleIds) -> None:
    keys = [ids.of_text(text, run.record) for text in ("", "a", "% f(A) :- red(A).", "f(A) :-", "r0", "a")]
    assert len(set(keys)) == 5
    assert keys[1] == keys[-1]
    assert ids.noted(NodeId.recorded(0)) is None


def test_a_rule_is_read_with_or_without_its_full_stop() -> None:
    assert read_written_rule("f(A) :- p(A, B)") == read_written_rule("f(A) :- p(A, B). ") is not None
    assert read_written_rule("f(A) :-") is read_written_rule("% nothing") is None


def test_lattices_of_a_run_share_their_ids(run: Run) -> None:
    first, second = Lattice.of(run), Lattice.of(run)
    expanded = [
        lattice.expand(node.id, shown=[]) for lattice in (first, second) for node in lattice.opening().nodes
    ]
    texts: dict[str, set[str]] = {}
    for graph in expanded:
        for node in graph.nodes:
            texts.setdefault(node.id, set()).add(node.text)
    assert all(len(of_one) == 1 for of_one in texts.values())


def test_a_rule_of_another_view_is_found_by_its_id(run: Run) -> None:
    (row, *_) = view("constraints", run).answer("page", {})["rows"]
    assert Lattice.of(run).find(row["id"]) == row["id"]
    page = view("constraints", run).answer("page", {"rule": row["id"]})
    assert [each["id"] for each in page["rows"]] == [row["id"]]
    scene = view("lattice", run).answer("reveal", {"rule": row["id"]})
    assert scene["found"] in [node["id"] for node in scene["nodes"]]
    written = rule_ids_of(run).of_text("f(Z) :- p(Z, Y), red(Y)", None)
    found = Lattice.of(run).find(written)
    assert found is not None
    assert Lattice.of(run).detail(found).node.text == "f(A) :- p(A, B), red(B)."
    assert Lattice.of(run).find("p999") is Lattice.of(run).find("f(A) :- nowhere(A).") is None


def test_ids_keep_no_run_alive() -> None:
    own = learnt()
    view("lattice", own).scene()
    view("coverage", own).answer("choice", {"number": 0})
    gone = weakref.ref(own)
    del own
    gc.collect()
    assert gone() is None
