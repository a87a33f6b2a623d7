"""Games at random, told as tasks: true to the rules of the game, and small enough to be learnt while one waits."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from generators.in_mind import covers_exactly
from joiner_magic import learn
from joiner_magic.generators.boards import drawn
from joiner_magic.generators.games import SQUARES, BoardPosition, goals, noughts, watched
from joiner_magic.generators.generated_task import GeneratedTask

EMPTY = dict.fromkeys(SQUARES, "blank")
MAKERS = [noughts, goals]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_rules_of_the_game_cover_what_is_seen_and_what_is_held_out(
    make: Callable[..., GeneratedTask], seed: int
) -> None:
    assert covers_exactly(make(seed=seed))


@pytest.mark.parametrize("make", MAKERS)
def test_the_seed_decides(make: Callable[..., GeneratedTask]) -> None:
    assert make(seed=4) == make(seed=4)
    assert make(seed=4) != make(seed=5)


@pytest.mark.parametrize("make", MAKERS)
def test_held_out_games_are_not_seen(make: Callable[..., GeneratedTask]) -> None:
    made = make()
    seen, held_out = (set(re.findall(r"\((g\d+)_", text)) for text in (made.examples, made.held_out))
    assert seen
    assert held_out
    assert not seen & held_out


def test_a_negative_example_has_only_the_sign_wrong() -> None:
    found = re.findall(r"(pos|neg)\(next_cell\((.*),(\w+)\)\)", noughts().examples)
    true = {square: sign for kind, square, sign in found if kind == "pos"}
    false = [(square, sign) for kind, square, sign in found if kind == "neg"]
    assert false
    assert all(true[square] != sign for square, sign in false)


@pytest.mark.parametrize(("make", "rules", "size"), [(noughts, 4, 17), (goals, 3, 11)])
def test_it_is_learnt_optimally(make: Callable[..., GeneratedTask], rules: int, size: int) -> None:
    made = make()
    result = learn(made.task(), timeout=120)
    assert (result.status, len(result.rules), result.size) == ("optimal", rules, size)
    assert result.score(made.held_out_task()).accuracy == 1


def test_a_touched_square_gets_the_sign_or_is_wiped() -> None:
    marked = BoardPosition(EMPTY, "x", (2, 1)).shown_next()
    assert marked == {**EMPTY, (2, 1): "x"}
    assert BoardPosition(marked, "o", (2, 1)).shown_next() == EMPTY


@pytest.mark.parametrize(
    "line", [[(1, 2), (2, 2), (3, 2)], [(3, 1), (3, 2), (3, 3)], [(1, 3), (2, 2), (3, 1)]]
)
def test_three_in_a_line_win(line: list[tuple[int, int]]) -> None:
    won = BoardPosition({**EMPTY, **dict.fromkeys(line, "o")}, "x", None)
    assert (won.winner, won.points("o"), won.points("x")) == ("o", 100, 0)
    unfinished = BoardPosition({**EMPTY, **dict.fromkeys(line[:2], "o")}, "x", None)
    assert (unfinished.winner, unfinished.points("o"), unfinished.points("x")) == (None, 50, 50)


def test_games_are_played_by_the_rules() -> None:
    games = watched(20)
    for game in games:
        *turns, last = game.values()
        assert last.touched is None
        for before, after in zip(turns, [*turns[1:], last], strict=True):
            assert before.winner is None
            assert before.touched is not None
            assert before.board[before.touched] != before.player != after.player
            assert before.shown_next() == after.board
    assert {[*game.values()][-1].winner for game in games} >= {"x", "o"}


def test_boards_are_drawn_and_told() -> None:
    board = {**EMPTY, (1, 1): "x", (2, 2): "o"}
    picture = drawn({"one": BoardPosition(board, "x", (2, 2)), "two": BoardPosition(board, "o", None)})
    assert str(picture).splitlines() == [
        "one: x-- -o- ---, x touches column 2, row 2",
        "two: x-- -o- ---, nobody has won",
    ]
    assert picture.svg.count("<rect") == 1 + 2 * 9
    assert picture.svg.count("<circle") == 2
