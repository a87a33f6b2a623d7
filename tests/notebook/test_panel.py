"""The widget that shows views: what it sends, what it hears, and the module that the browser runs."""

from __future__ import annotations

import re
from typing import Any

import pytest

from joiner_magic.notebook.widgets.bundle import module, style
from joiner_magic.notebook.widgets.panel import Panel
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.views.all import VIEWS, view
from joiner_magic.views.selection import SelectedItems


@pytest.fixture(scope="module")
def run() -> Run:
    session = Session()
    session.bk("p(a,x). p(b,y). red(x). blue(y).")
    session.examples("pos(f(a)). neg(f(b)).")
    session.learn()
    return session.runs[-1]


@pytest.fixture
def panel(run: Run, monkeypatch: pytest.MonkeyPatch) -> Any:
    """With a list of what it sends in the place of a browser."""
    panel = Panel([view(name, run) for name in VIEWS])
    sent: list[Any] = []
    monkeypatch.setattr(panel, "send", sent.append)
    return panel, sent


def ask(panel: Panel, view: str, question: str, **arguments: object) -> None:
    message = {"id": "1", "view": view, "question": question, "arguments": arguments}
    panel._handle_custom_msg(message, [])


def test_each_view_answers_with_its_scene(panel: Any, run: Run) -> None:
    widget, sent = panel
    for name in VIEWS:
        ask(widget, name, "scene")
        assert sent.pop() == {"id": "1", "answer": view(name, run).scene()}


def test_a_question_that_makes_no_sense_is_answered_too(panel: Any) -> None:
    widget, sent = panel
    ask(widget, "lattice", "save", path="x")
    assert "cannot answer" in sent.pop()["error"]
    ask(widget, "nowhere", "scene")
    assert "nowhere" in sent.pop()["error"]
    ask(widget, "lattice", "scene", surplus=1)
    assert sent.pop().keys() in ({"id", "answer"}, {"id", "error"})


def test_what_is_chosen_in_the_browser_is_seen_in_python_and_in_other_panels(panel: Any, run: Run) -> None:
    widget, _ = panel
    other = Panel([view("coverage", run)])
    (rule,) = view("lattice", run).answer("search", {"text": "f(A) :- p(A, B)."})["rules"]
    widget.set_state({"selected": {"rules": [rule["id"]], "examples": []}})
    assert view("lattice", run).selected == SelectedItems(("f(A) :- p(A, B).",))
    assert other.selected == {"rules": [rule["id"]], "examples": []}
    assert widget.texts == other.texts == {rule["id"]: "f(A) :- p(A, B)."}
    view("lattice", run).select(rules=[], examples=["f(a)"])
    assert widget.selected == other.selected == {"rules": [], "examples": ["f(a)"]}


def test_a_rule_is_the_same_in_all_views_however_it_is_written(panel: Any, run: Run) -> None:
    widget, _ = panel
    fragments = view("coverage", run).answer("choice", {"number": 0})["fragments"]
    best = view("progress", run).scene()["best"]
    rows = view("constraints", run).answer("page", {})["rows"]
    shown = [
        *((each["text"], each["id"]) for each in fragments),
        *zip(best["names"], best["ids"], strict=True),
    ]
    shown += [(row["cause"], row["id"]) for row in rows]
    for text, key in shown:
        for written in (text, text.replace("A", "Which").removesuffix(".")):
            view("lattice", run).select(rules=[written])
            assert widget.selected["rules"] == [key]
            assert view("lattice", run).selected.rules == (written,)


def test_a_rule_keeps_the_text_with_which_it_was_selected(panel: Any, run: Run) -> None:
    widget, _ = panel
    view("lattice", run).select(rules=["f(X):-p(X,Y)", "no rule"], examples=[])
    widget.set_state({"selected": {**widget.selected, "examples": ["f(a)"]}})
    assert view("lattice", run).selected == SelectedItems(("f(X):-p(X,Y)", "no rule"), ("f(a)",))
    assert list(widget.texts.values()) == ["f(X):-p(X,Y)", "no rule"]


def test_a_rule_in_the_state_of_an_older_notebook_is_a_text(panel: Any, run: Run) -> None:
    widget, _ = panel
    widget.set_state({"selected": {"rules": ["f(A) :- p(A, B)."], "examples": []}})
    assert view("lattice", run).selected == SelectedItems(("f(A) :- p(A, B).",))


@pytest.mark.parametrize("text", ["", "a", "r0", "% :-", "\ud800", "(((((", "f(A) :-", "f(A) :- p(A, 1), X."])
def test_any_text_can_be_selected_in_python(panel: Any, run: Run, text: str) -> None:
    widget, _ = panel
    view("lattice", run).select(rules=[text])
    assert view("lattice", run).selected.rules == (text,)
    assert list(widget.texts.values()) == [text]


def test_the_module_is_small_and_reaches_for_nothing_outside() -> None:
    assert len(module().encode()) < 31_500
    assert len(style().encode()) < 10_300
    assert len(re.findall(r"\bexport\b", module())) == len(re.findall(r"\bas default\b", module())) == 1
    addresses = set(re.findall(r"https?://[^\"'`\s]+", module() + style()))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|\beval\b|new Function|document\.write|\bimport\b", module()
    )
    assert not re.search(r"@import|url\(", style())


@pytest.mark.parametrize(
    "message",
    [None, 3, [], {}, {"view": []}, {"view": "lettuce"}, {"view": "lattice", "question": ["a"]}],
)
def test_messages_that_make_no_sense_get_one_line(panel: Any, message: object) -> None:
    widget, sent = panel
    widget._handle_custom_msg(message, [])
    assert len(sent) == 1
    assert len(sent[0]["error"]) < 100
    assert "went wrong" not in sent[0]["error"]


def test_what_is_wrong_is_said_briefly(panel: Any) -> None:
    widget, sent = panel
    ask(widget, "lattice", "detail", key="x" * 10_000)
    assert len(sent[0]["error"]) <= 300


@pytest.mark.parametrize(
    "chosen",
    [{"rules": 3}, {"rules": "f(A)", "examples": None}, {"rules": [1, None]}, {"rules": ["r999999"]}, {}],
)
def test_a_choice_that_makes_no_sense_chooses_nothing(
    panel: Any, run: Run, chosen: dict[str, object]
) -> None:
    widget, _ = panel
    view("lattice", run).select(rules=["f(A) :- p(A, B)."], examples=[])
    widget.set_state({"selected": chosen})
    assert view("lattice", run).selected == SelectedItems()
