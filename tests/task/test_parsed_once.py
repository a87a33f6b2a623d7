"""A bias text goes through clingo once, however often it is asked what it says; errors and bounds are as without that."""

from __future__ import annotations

from typing import Any

import clingo
import pytest
from clingo import ast

from joiner_magic.errors import JoinerError
from joiner_magic.sessions.session import Session
from joiner_magic.solvers import asp, asp_shapes
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.solvers.interrupt import Interrupted
from joiner_magic.task import directives
from joiner_magic.task.directives import read_directives
from joiner_magic.task.recent import RecentValues

BIAS = "head_pred(f,1). body_pred(p,2). body_pred(q,1). max_vars(3). max_body(3)."
CONSTRAINT = ":- body_literal(_,p,_,(V,V))."


class Calls:
    """What clingo was asked for."""

    def __init__(self) -> None:
        self.parsed: list[str] = []
        self.grounded = 0

    def take(self) -> tuple[int, int]:
        """How many texts were parsed and how many programs grounded since this was asked last."""
        taken = len(self.parsed), self.grounded
        self.parsed, self.grounded = [], 0
        return taken


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Counted from a state in which no text is known."""
    counted = Calls()
    parse_string, control = ast.parse_string, clingo.Control

    def parse(text: str, *args: Any, **named: Any) -> None:
        counted.parsed.append(text)
        parse_string(text, *args, **named)

    def make(*args: Any, **named: Any) -> object:
        counted.grounded += 1
        return control(*args, **named)

    monkeypatch.setattr(ast, "parse_string", parse)
    monkeypatch.setattr(clingo, "Control", make)
    monkeypatch.setattr(directives, "_recent", RecentValues(16, lambda key, value: 1, 1_000))
    asp_shapes._shapes_or_reason.cache_clear()
    asp._described.cache_clear()
    return counted


@pytest.fixture
def session() -> Session:
    session = Session()
    session.bk("p(a,b). p(b,c). p(c,d). q(a). q(d).")
    session.examples("pos(f(a)). neg(f(b)). neg(f(c)).")
    return session


def test_a_cell_is_parsed_once_for_itself_and_all_runs(session: Session, calls: Calls) -> None:
    session.bias(BIAS)
    assert calls.take() == (1, 1)
    session.learn()
    session.predicates()
    session.task()
    session.learn(fresh=True)
    session.bias(BIAS)
    assert calls.take() == (0, 0)


def test_constraints_are_taken_apart_once(session: Session, calls: Calls) -> None:
    session.bias(f"{BIAS} {CONSTRAINT}")
    assert calls.take() == (1, 2)
    session.learn()
    assert calls.parsed == [CONSTRAINT]
    session.learn(fresh=True)
    assert calls.take() == (1, 0)


def test_constraints_without_a_shape_are_parsed_for_that_and_for_their_size(
    session: Session, calls: Calls
) -> None:
    shapeless = ":- body_literal(C,p,_,_), not body_literal(C,q,_,_)."
    session.bias(f"{BIAS} {shapeless}")
    calls.take()
    session.learn()
    assert calls.parsed == [shapeless] * 2
    calls.take()
    session.learn(fresh=True)
    assert calls.parsed == []


def test_a_second_cell_is_parsed_alone_and_with_the_first(session: Session, calls: Calls) -> None:
    session.bias(BIAS)
    session.bias("allow_singletons.")
    assert calls.parsed == [BIAS, "allow_singletons.", f"{BIAS}\nallow_singletons."]
    calls.take()
    session.learn()
    assert calls.take() == (0, 0)


def test_the_body_of_a_run_is_parsed_with_the_cells_once(session: Session, calls: Calls) -> None:
    session.bias(BIAS)
    calls.take()
    session.learn("max_body(2).")
    session.learn("max_body(2).", fresh=True)
    assert calls.take() == (1, 1)


def test_the_same_words_in_another_cell_have_their_own_place(session: Session, calls: Calls) -> None:
    text = f"{BIAS} direktion(p,(in,out))."
    (note,) = session.say("bias", text, key="cell", name="In [1]").notes
    assert str(note.place) == "In [1]:1:75"
    (note,) = session.say("bias", text, key="cell", name="In [7]", line=2).notes
    assert str(note.place) == "In [7]:2:75"


def test_an_error_is_found_anew_with_its_place(session: Session, calls: Calls) -> None:
    for _ in range(2):
        with pytest.raises(JoinerError) as caught:
            session.bias("max_vars(5)\nmax_body(3).")
        assert str(caught.value.place) == "bias:2:1"
        assert calls.take() == (1, 0)


def test_an_interrupted_text_is_not_kept(calls: Calls) -> None:
    text = AspText(BIAS, "bias")
    with pytest.raises(Interrupted):
        read_directives(text, lambda: True)
    assert calls.take() == (1, 0)
    assert len(read_directives(text).given) == 5
    assert calls.take() == (1, 1)


def test_who_is_to_stop_stops_with_a_text_that_is_kept(calls: Calls) -> None:
    text = AspText(BIAS, "bias")
    read_directives(text)
    with pytest.raises(Interrupted):
        read_directives(text, lambda: True)


def test_with_less_memory_a_text_is_worked_out_anew(calls: Calls) -> None:
    text = AspText(BIAS, "bias")
    read_directives(text)
    read_directives(text, memory=20)
    assert calls.take() == (2, 2)
    read_directives(text, memory=5_000)  # there is no more of it than usual
    assert calls.take() == (0, 0)


def test_what_is_kept_is_plain(calls: Calls) -> None:
    read_directives(AspText(f"{BIAS} {CONSTRAINT}", "bias"))
    seen: set[int] = set()
    todo: list[object] = [directives._recent._values]
    while todo:
        value = todo.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        assert not type(value).__module__.startswith("clingo")
        if isinstance(value, dict):
            todo += [*value.keys(), *value.values()]
        elif isinstance(value, (tuple, list)):
            todo += value
        elif hasattr(value, "__slots__"):
            todo += [getattr(value, name) for name in type(value).__slots__]
