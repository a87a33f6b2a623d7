"""What every view can do, whatever it shows."""

from __future__ import annotations

import gc
import json
import shutil
import weakref
from inspect import signature
from pathlib import Path
from xml.etree import ElementTree

import pytest

from joiner_magic.errors import CommandError, JoinerError, MissingPart, TaskError
from joiner_magic.sessions.current import current, forget_all
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.views.all import VIEWS, view
from joiner_magic.views.graphs import quoted, rendered
from joiner_magic.views.selection import SelectedItems, Selection
from joiner_magic.views.view import View
from views.hostile_task import HOSTILE, HOSTILE_EXAMPLES


@pytest.fixture(scope="module")
def run() -> Run:
    session = Session()
    session.bk(HOSTILE)
    session.examples(HOSTILE_EXAMPLES)
    session.learn()
    return session.runs[-1]


@pytest.fixture(params=VIEWS)
def shown(request: pytest.FixtureRequest, run: Run) -> View:
    return view(request.param, run)


def test_the_picture_is_whole_and_has_no_markup_of_the_task(shown: View) -> None:
    tags = {element.tag.split("}")[1] for element in ElementTree.fromstring(shown.to_svg()).iter()}
    assert "svg" in tags
    assert not tags & {"script", "img", "x", "b"}


def test_html_has_no_markup_of_the_task(shown: View) -> None:
    html = shown.to_html()
    assert "data:image/svg+xml;base64," in html
    assert "<script" not in html
    assert "<img src=x" not in html
    assert "\u202e" not in html


def test_who_does_not_see_the_picture_is_told_what_it_shows(shown: View) -> None:
    assert f'alt="{shown.title} of run 1: {shown.summary}"' in shown.to_html()
    told = {
        "progress": "size 3, 6 programs tested, ",
        "lattice": "6 programs tested by size, 1 rule of the hypothesis; ",
        "constraints": "what became of ",
        "coverage": "1 rule made of 1 fragment, covering ",
    }
    assert shown.summary.startswith(told[shown.name])


def test_scenes_are_json(shown: View) -> None:
    assert json.loads(json.dumps(shown.scene())) == shown.scene()
    assert shown.answer("scene", {}) == shown.scene()


def test_only_questions_are_answered(shown: View) -> None:
    with pytest.raises(CommandError, match="cannot answer"):
        shown.answer("save", {"path": "x.svg"})


GOOD: dict[str, object] = {
    "number": 0,
    "fragments": [0],
    "width": 600,
    "label": "pos",
    "start": 0,
    "examples": [],
    "example": 0,
    "key": "r0",
    "to": "",
    "text": "",
    "predicates": [],
    "outcomes": [],
    "sizes": [],
    "offset": 0,
    "keys": ["r0"],
    "rule": "f(A) :- p(A,B).",
    "kind": "",
    "size": None,
    "order": "size",
    "backwards": False,
    "limit": 5,
}
NONSENSE: tuple[object, ...] = (
    *(
        None,
        True,
        -1,
        10**9,
        2**70,
        -(2**70),
        1.5,
        float("nan"),
        float("inf"),
        "",
        "x",
        "r999999999",
        "s0:x",
        "p7",
    ),
    *([], [1], ["x"], [[]], [2**70], ["r0"] * 1000, {}, {"a": 1}, "p " * 1000, "\ud800", "(((((", "f(A) :-"),
    f"f(A) :- {', '.join(f'p(A,B{number})' for number in range(200))}.",
)


def answered(shown: View, question: str, arguments: object) -> str:
    """A scene, or what is wrong with the question; any other error is one of ours."""
    try:
        return json.dumps(shown.answer(question, arguments))
    except JoinerError as error:
        return error.headline


def test_questions_that_make_no_sense_are_answered_in_one_line(shown: View) -> None:
    for question in sorted(shown.questions):
        names = list(signature(getattr(shown, question)).parameters)
        good = {name: GOOD[name] for name in names}
        asked: list[object] = [None, [], "x", {"nonsense": 1}, {}]
        asked += [{**good, name: nonsense} for name in names for nonsense in NONSENSE]
        for arguments in asked:
            assert "\n" not in answered(shown, question, arguments)
    others: tuple[object, ...] = (None, [], 3, "__init__")
    for nonsense in others:
        with pytest.raises(CommandError, match="cannot answer"):
            shown.answer(nonsense, {})


def test_a_label_means_nothing_to_graphviz() -> None:
    assert quoted('&lt; "a"\\N\n') == '"&amp;lt; \\"a\\"\\\\N\\n"'
    if shutil.which("dot"):
        label = "&lt;b&gt; \\N"
        drawn = rendered(f"digraph {{ n [label={quoted(label)}] }}", "svg").decode()
        texts = [one.text for one in ElementTree.fromstring(drawn).iter() if one.tag.endswith("}text")]
        assert texts == [label]


def test_texts_are_saved_by_their_ending(shown: View, tmp_path: Path) -> None:
    for ending, expected in ((".svg", shown.to_svg()), (".dot", shown.to_dot()), (".txt", shown.to_text())):
        shown.save(tmp_path / f"picture{ending}")
        assert (tmp_path / f"picture{ending}").read_text(encoding="utf-8") == expected
    with pytest.raises(CommandError, match=r"picture\.jpg"):
        shown.save(tmp_path / "picture.jpg")


def test_graphviz_reads_the_graph_where_it_is(shown: View, tmp_path: Path) -> None:
    if shutil.which("dot"):
        shown.save(tmp_path / "picture.png")
        assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    else:
        with pytest.raises(MissingPart, match="Graphviz"):
            shown.save(tmp_path / "picture.png")


def test_views_of_a_run_share_what_is_chosen(run: Run) -> None:
    first, *others = (view(name, run) for name in VIEWS)
    first.select(rules=["f(A):- p(A,B)."], examples=["f(1)"])
    assert all(other.selected == SelectedItems(("f(A):- p(A,B).",), ("f(1)",)) for other in others)
    others[0].select(rules=[])
    assert first.selected == SelectedItems((), ("f(1)",))


def test_a_selection_tells_who_watches_and_forgets_who_is_gone() -> None:
    class Watcher:
        def __init__(self) -> None:
            self.heard: list[SelectedItems] = []

        def hear(self, selected: SelectedItems) -> None:
            self.heard.append(selected)

    selection, watcher, gone = Selection(), Watcher(), Watcher()
    selection.watch(watcher.hear)
    selection.watch(gone.hear)
    reference = weakref.ref(gone)
    del gone
    gc.collect()
    assert reference() is None
    selection.choose(rules=["a"])
    selection.choose(rules=["a"])
    assert watcher.heard == [SelectedItems(("a",))]


def test_the_last_run_is_looked_at() -> None:
    forget_all()
    with pytest.raises(TaskError, match="no run"):
        view("lattice")
    current().bk("p(a). p(b). q(a).")
    current().examples("pos(f(a)). neg(f(b)).")
    current().learn()
    assert view("lattice").run is current().runs[-1]
    with pytest.raises(CommandError, match="no view 'lettuce'"):
        view("lettuce")
    forget_all()
