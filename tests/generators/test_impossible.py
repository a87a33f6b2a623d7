"""What a generator is asked for and cannot make: an error that says so, and no search without an end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from joiner_magic.errors import TaskError
from joiner_magic.generators.games import noughts
from joiner_magic.generators.molecules import PHARMACOPHORE, Side, molecules
from joiner_magic.generators.strings import framed, strings
from joiner_magic.generators.zendo import big_rule, scene, wanted, zendo


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: zendo(()), "one piece at least"),
        (lambda: zendo(("bleu",)), "did you mean blue?"),
        (lambda: zendo(("red blue",)), "no scene with these pieces"),
        (lambda: zendo(("red", "small red")), "no scene that misses piece 1 alone"),
        (lambda: zendo(("",)), "no scene that misses piece 1 alone"),
        (lambda: zendo(scenes=0).made().task(), "there is no positive example"),
        (lambda: scene("tiny red left"), "'tiny red left' is no piece"),
        (lambda: scene("small red"), "'small red' is no piece"),
        (lambda: big_rule(37), "from 1 to 36"),
        (lambda: strings(()), "give words of the letters abcd"),
        (lambda: strings(("ab", "")), "give words of the letters abcd"),
        (lambda: strings(("xy",)), "give words of the letters abcd"),
        (lambda: strings(("ab", "b")), "no string that misses 'b' alone"),
        (lambda: strings(("AB",), letters="AB"), "a to z"),
        (lambda: strings(("ab",), letters="ab", length=3), "ask for fewer strings"),
        (lambda: framed(letters="a"), "a to z"),
        (lambda: noughts(games=1).task(), "there is no positive example"),
        (lambda: molecules(()), "one side at least"),
        (lambda: molecules((Side("metal", "ring", "near"),)), "donor, acceptor, ring, charge, greasy"),
        (lambda: molecules(PHARMACOPHORE[:1] * 2), "no molecule that misses side 1 alone"),
    ],
)
def test_it_is_said_what_cannot_be_made(make: Callable[[], object], said: str) -> None:
    with pytest.raises(TaskError) as error:
        make()
    assert said in error.value.headline


def test_a_piece_that_touches_any_other_can_be_asked_for() -> None:
    made = zendo(("blue touches",)).made()
    assert "max_vars(3). max_body(3)." in made.bias
    assert wanted("blue touches").literals == 3
