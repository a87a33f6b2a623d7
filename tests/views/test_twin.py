"""The static twin: bounded in bytes and in time, whatever the views do."""

from __future__ import annotations

import time
from html.parser import HTMLParser
from typing import ClassVar

import pytest

from busy import within
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.views.all import VIEWS
from joiner_magic.views.coverage.view import CoverageView
from joiner_magic.views.lattice.view import LatticeView
from joiner_magic.views.markup import Html
from joiner_magic.views.twin import MOST_BYTES, only_line, twin

PICTURE = "data:image/svg+xml;base64,"


@pytest.fixture(scope="module")
def run() -> Run:
    session = Session()
    session.bk("p(a,x). p(b,y). red(x). blue(y).")
    session.examples("pos(f(a)). neg(f(b)).")
    session.learn()
    return session.runs[-1]


class Balance(HTMLParser):
    """What is open, and whether something was closed that was not."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_line_is_seen_at_once_and_the_views_in_their_order_on_request(run: Run) -> None:
    output = twin(run, "run 1: <so far>", seconds=30)
    assert output.text == "run 1: <so far>"
    line, hidden = output.html.split("<details", 1)
    assert "run 1: &lt;so far&gt;" in line
    assert hidden.count(PICTURE) == len(VIEWS)
    places = [hidden.index(f">{kind.title}</b>") for kind in VIEWS.values()]
    assert places == sorted(places)
    assert not Balance(output.html).open
    assert "<details" not in only_line("x").html


def test_a_view_that_is_added_to_the_list_is_in_the_twin(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class AddedView(CoverageView):
        name: ClassVar[str] = "added"
        title: ClassVar[str] = "Added"

    monkeypatch.setitem(VIEWS, AddedView.name, AddedView)
    assert twin(run, "run 1", seconds=30).html.count(PICTURE) == len(VIEWS)


def test_what_is_too_large_goes_first_and_is_spoken_of(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LatticeView, "to_svg", lambda view: "x" * 180_000)
    monkeypatch.setattr(CoverageView, "to_svg", lambda view: "x" * 90_000)
    html = twin(run, "line", seconds=30).html
    assert len(html.encode()) <= MOST_BYTES
    assert html.count(PICTURE) == len(VIEWS) - 1
    assert "%joiner show lattice" in html
    assert "%joiner show coverage" not in html
    monkeypatch.setattr(LatticeView, "to_table", lambda view: Html("y" * 300_000))
    html = twin(run, "line", seconds=30).html
    assert len(html.encode()) <= MOST_BYTES
    assert "%joiner show lattice" in html
    assert not Balance(html).open


def test_a_view_that_takes_too_long_is_not_waited_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(view: object) -> str:
        time.sleep(1.5)
        return ""

    monkeypatch.setattr(CoverageView, "to_svg", slow)
    with within(1.2):
        html = twin(run, "line", seconds=0.8).html
    assert html.count(PICTURE) == len(VIEWS) - 1
    assert "taken too long; %joiner show coverage" in html


def test_a_view_that_fails_costs_nothing_else(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(view: object) -> str:
        raise ZeroDivisionError("<oh>")

    monkeypatch.setattr(LatticeView, "to_svg", broken)
    html = twin(run, "line", seconds=30).html
    assert html.count(PICTURE) == len(VIEWS) - 1
    assert "ZeroDivisionError(&#x27;&lt;oh&gt;&#x27;)" in html
