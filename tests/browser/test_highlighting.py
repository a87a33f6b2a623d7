"""Cells that start with our magics are shown as Prolog, while typing too, in JupyterLab and Notebook 7."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.server import Server
from joiner_magic.task.vocabulary import DIRECTIVES

if TYPE_CHECKING:
    from browser.lab import Lab, Token

pytestmark = pytest.mark.browser

FACTS = """\
%%bk --name world --timeout 60
% a child's "piece: don't stop here
path(X, Ökonom) :- edge(X, _Z), \\+ blocked('It''s', "text"), N is X + 12.5e3.
code(0'a, 0''', 16'FF, 1_000). /* many
lines, isn't it */ after(a).
'an escaped \\
end'(b).
unclosed('text).
next(Y).
"""
BIAS = """\
%%joiner
%* a block's
comment *% max_vars(6).
#const n = 3.
:- body_literal(C, type, 2, (V, W)), #count { X : piece(X) } > n.
:~ cost(X). [X@1]
"""
PYTHON = """\
def f(x):
    # it's Python
    return "text" + 1
"""


@pytest.fixture(scope="module")
def lab(tab: Lab) -> Lab:
    """The notebook of these tests. The last cell is a test's to change: `fresh` gives it a text."""
    tab.open("cells.ipynb", FACTS, BIAS, PYTHON, "")
    tab.wait_for_language(2, "python")
    return tab


@pytest.fixture(autouse=True)
def no_errors(lab: Lab) -> Iterator[None]:
    """Whatever a test does, the browser's console stays empty."""
    yield
    assert lab.errors == []


def fresh(lab: Lab, text: str) -> int:
    """The index of the last cell, which has this text now."""
    index = lab.number_of_cells - 1
    lab.set_source(index, text)
    return index


def styles(lab: Lab, index: int) -> dict[str, Token]:
    """The style of each piece of a cell's text; of equal pieces the last one's."""
    return {token.text.strip(): token for token in lab.tokens(index)}


def colours(lab: Lab, index: int, *texts: str) -> set[str]:
    """The colours in which these pieces are shown."""
    found = styles(lab, index)
    return {found[text].colour for text in texts}


def test_facts_and_rules(lab: Lab) -> None:
    assert lab.language(0) == "prolog"
    kinds = {
        "magic": ("%%bk",),
        "option": ("--name", "--timeout"),
        "plain": ("world", "path", "edge", "a", "b", "after", "next", "("),
        "variable": ("X", "Ökonom", "_Z", "N", "Y"),
        "operator": (":-", "\\+", "+"),
        "word": ("is",),
        "number": ("60", "12.5e3", "0'a", "0'''", "16'FF", "1_000"),
        "text": ("'It''s'", '"text"', "'an escaped \\", "end'", "'text)."),
        "comment": ("% a child's \"piece: don't stop here", "/* many", "lines, isn't it */"),
    }
    by_kind = {kind: colours(lab, 0, *texts) for kind, texts in kinds.items()}
    assert {kind: len(found) for kind, found in by_kind.items()} == dict.fromkeys(kinds, 1)
    assert len(set.union(*by_kind.values())) == len(kinds)
    assert [token.text for token in lab.tokens(0) if token.italic] == list(kinds["comment"])
    lab.screenshot("light")


def test_bias(lab: Lab) -> None:
    assert colours(lab, 1, "%* a block's", "comment *%") == colours(lab, 0, "/* many")
    assert colours(lab, 1, "#const", "#count") == colours(lab, 0, "is")
    assert colours(lab, 1, ":-", ":~", ">", "@") == colours(lab, 0, ":-")
    # `type` is a directive's name where a clause starts; here it is an argument.
    assert colours(lab, 1, "max_vars").isdisjoint(colours(lab, 1, "n", "body_literal", "type"))


def test_directives_stand_out(lab: Lab) -> None:
    names = [*DIRECTIVES, "pos", "neg"]
    index = fresh(lab, "%%bias\n" + "\n".join(f"{name}(x)." for name in names) + "\nother(x).")
    assert len(colours(lab, index, *names)) == 1
    assert colours(lab, index, "other").isdisjoint(colours(lab, index, *names))


def test_other_cells_are_left_alone(lab: Lab) -> None:
    assert lab.language(2) == "python"
    assert styles(lab, 2)["# it's Python"].italic
    for first in ("%%bkx", "%%bk?", "%%BK", "%bk", "x = 1\n%%bk", "# %%bk"):
        index = fresh(lab, f"{first}\nedge(a, B).")
        assert lab.language(index) == "python", first
    for first in ("\n  \n%%bk", "  %%examples", "%%bias\t-h"):
        index = fresh(lab, f"{first}\nedge(a, B).")
        assert lab.language(index) == "prolog", first


def test_highlighting_follows_the_keys(lab: Lab) -> None:
    index = fresh(lab, "")
    lab.type(index, "%%b")
    assert lab.language(index) == "python"
    lab.type(index, "k")
    assert lab.language(index) == "prolog"
    lab.type(index, "\n% don't\np(A, b) :- q(A).")
    shown = styles(lab, index)
    assert shown["% don't"].italic
    assert shown["A"].colour == styles(lab, 0)["X"].colour != shown["b"].colour
    lab.press(index, "Control+Home", "Delete")
    assert lab.language(index) == "python"
    assert not any(token.italic for token in lab.tokens(index))
    lab.page.keyboard.type("%")
    assert lab.language(index) == "prolog"


def test_the_editor_indents_and_comments_as_in_prolog(lab: Lab) -> None:
    index = fresh(lab, "%%bk\n")
    lab.type(index, "p(A) :-\nq(A).\nr(b).")
    lab.press(index, "Control+/")
    texts = [token.text for token in lab.tokens(index)]
    assert "    q" in texts
    assert texts[-1] == "% r(b)."


def test_cells_added_moved_and_changed_in_type(lab: Lab) -> None:
    last = fresh(lab, "%%bk\nedge(a, B).")
    lab.select(last)
    lab.command("notebook:insert-cell-above")
    lab.type(last, "%%bias\nmax_vars(3).")
    for index in (last, last + 1):
        lab.wait_for_language(index, "prolog")
    lab.set_source(last, "f(x)")
    lab.select(last)
    lab.command("notebook:move-cell-down")
    lab.wait_for_language(last, "prolog")
    lab.wait_for_language(last + 1, "python")
    lab.select(last)
    for kind in ("raw", "markdown"):
        lab.command(f"notebook:change-cell-to-{kind}")
        assert lab.language(last) != "prolog", kind
    lab.command("notebook:change-cell-to-code")
    lab.wait_for_language(last, "prolog")
    lab.select(last + 1)
    lab.command("notebook:delete-cell")


def test_colours_of_the_dark_theme(lab: Lab) -> None:
    light = styles(lab, 0)
    lab.use_theme("JupyterLab Dark")
    dark = styles(lab, 0)
    assert dark["X"].colour not in {light["X"].colour, dark["path"].colour}
    lab.screenshot("dark")
    lab.use_theme("JupyterLab Light")


def test_the_kernel_works_beside_it_and_a_reload_changes_nothing(lab: Lab) -> None:
    index = fresh(lab, "print(6 * 7)")
    lab.run(index)
    assert lab.outputs(index) == ["42\n"]
    before = lab.tokens(0)
    lab.reload()
    lab.wait_for_language(2, "python")
    assert lab.language(0) == "prolog"
    assert lab.tokens(0) == before


def test_the_export_menu_highlights_too(lab: Lab, server: Server) -> None:
    with urllib.request.urlopen(server.address("nbconvert/html/cells.ipynb")) as answer:
        page = answer.read().decode()
    assert '<span class="nv">X</span>' in page


@pytest.mark.parametrize("front_end", ["lab"], indirect=True, scope="module")
def test_a_console(lab: Lab) -> None:
    lab.command("console:create", path="cells.ipynb", activate=True)
    prompt = lab.page.wait_for_selector(".jp-CodeConsole-promptCell .cm-content")
    assert prompt is not None
    prompt.focus()
    lab.page.keyboard.type("%%bk")
    lab.page.wait_for_selector(".jp-CodeConsole-promptCell .cm-content[data-language=prolog]")


@pytest.mark.parametrize("front_end", ["lab"], indirect=True, scope="module")
def test_hundreds_of_cells(tab: Lab) -> None:
    tab.open("many.ipynb", *(text for _ in range(100) for text in ("%%bk\nedge(a, X).", "f(x)")))
    for index in (198, 0):
        tab.wait_for_language(index, "prolog")
        tab.wait_for_language(index + 1, "python")
    assert styles(tab, 0)["X"].colour != styles(tab, 0)["edge"].colour
