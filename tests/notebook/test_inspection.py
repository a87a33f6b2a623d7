"""What is said of a predicate, of a directive, and of the word under the cursor."""

from __future__ import annotations

import pytest

from joiner_magic.logic.terms import Predicate
from joiner_magic.notebook.cursor import Cursor, question
from joiner_magic.notebook.inspection import describe, describe_at
from joiner_magic.sessions.session import Session
from joiner_magic.task.vocabulary import DIRECTIVES


@pytest.fixture
def session() -> Session:
    session = Session()
    facts = "".join(f"piece({i},p{i}).\n" for i in range(9))
    session.say("bk", f"colour(p1,red).\n{facts}", name="cell 3", line=2)
    session.say("bk", "piece(X) :- piece(X,_).\npiece(10,p10).", name="cell 5", key="again")
    session.examples("pos(zendo(1)). neg(zendo(2)).")
    session.bias("body_pred(piece,2). type(piece,(state,brick)). direction(piece,(in,out)).")
    return session


def test_a_predicate_is_described(session: Session) -> None:
    assert describe(session, "piece/2") == (
        "piece/2: rules may use it\n"
        "  10 facts\n"
        "  defined in cell 3, line 3; cell 5, line 2\n"
        "  types: state, brick\n"
        "  directions: in, out\n"
        "  such as:\n"
        "    piece(0, p0).\n    piece(1, p1).\n    piece(2, p2).\n    piece(3, p3).\n    piece(4, p4)."
    )


def test_roles(session: Session) -> None:
    assert "rules may not use it" in (describe(session, "colour/2") or "")
    assert "to be learnt" in (describe(session, "zendo/1") or "")
    assert "pos(zendo(1))" in (describe(session, "zendo/1") or "")


def test_a_name_alone_means_all_its_predicates(session: Session) -> None:
    found = describe(session, "piece") or ""
    assert "piece/1" in found
    assert "piece/2" in found


def test_every_directive_has_a_meaning(session: Session) -> None:
    for name, usage in DIRECTIVES.items():
        text = describe(session, name) or ""
        assert text.startswith(f"{usage}.\n")
        assert len(text.splitlines()[1]) > 10


@pytest.mark.parametrize("unknown", ["nothing/1", "piece/7", "nothing", "", "/", "max_vars/9", "piece/x"])
def test_what_is_unknown(session: Session, unknown: str) -> None:
    assert describe(session, unknown) is None


def test_long_facts_are_cut() -> None:
    session = Session()
    session.bk(f"p('{'x ' * 5_000}').")
    assert len(describe(session, "p/1") or "") < 1_000


def at(text: str) -> Cursor | None:
    return Cursor.at_offset(text.replace("|", ""), text.index("|"))


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("%%bk\nf(X) :- pi|ece(X,Y).", "piece/2:"),
        ("%%bk\nf(X) :- |piece(f(X,Z)).", "piece/1:"),
        ("%%bk\nf(X) :- piece(X, [a,b], Y)|, piece|(X).", "piece/1:"),
        ("%%examples\npos(zen|do(3)).", "zendo/1:"),
        ("%%bias\nbody_pred(pie|ce,2).", "piece/"),
        ("%%bias\nmax_va|rs(3).", "max_vars("),
        ("%%joiner\nbody_p|red(piece,2).", "body_pred("),
        ("%joiner explain zen|do(1)", "zendo/1:"),
        ("x = 1\n%bk pie|ce(1,2).", "piece/2:"),
    ],
)
def test_the_word_under_the_cursor(session: Session, cell: str, expected: str) -> None:
    cursor = at(cell.replace("|", "", cell.count("|") - 1))
    assert cursor is not None
    assert (describe_at(session, cursor) or "").startswith(expected)


@pytest.mark.parametrize(
    "cell", ["pie|ce(1,2)", "%%html\npie|ce(1,2).", "# %%bk\npie|ce", "%%bkx\npie|ce(a).", "|"]
)
def test_plain_cells_are_left_alone(cell: str) -> None:
    assert at(cell) is None


def test_between_words_there_is_nothing(session: Session) -> None:
    cursor = at("%%bk\nf(X) :-  |  g(X).")
    assert cursor is not None
    assert describe_at(session, cursor) is None


def test_questions() -> None:
    assert question("piece/2?") == Predicate("piece", 2)
    assert question(" 'Odd name' / 3 ?\n") == Predicate("Odd name", 3)
    for other in ("piece/2", "x = piece/2?", "Piece/2?", "piece?", "1/2?", "a/b?", "p/2?\nq/1?"):
        assert question(other) is None
