"""A game to be learnt by watching: noughts and crosses with an eraser, on a board of three by three.

In turns, a player touches a square that does not show the own sign. A blank square gets the player's sign, the other
player's sign is wiped away. Whoever has three in a line has won. Nobody tells the learner: it sees games that were
played at random, position by position, in the words of general game playing (true_cell, does), and what came of them:

- next_cell(State, X, Y, Sign): what a square shows after the turn,
- goal(State, Player, Points): what a position is worth to a player.

Each sign and each number of points that a square or a position does not have is a negative example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from random import Random

from joiner_magic.generators.generated_task import GeneratedTask, labelled

PLAYERS = ("x", "o")
SIGNS = (*PLAYERS, "blank")
POINTS = (100, 50, 0)
INDICES = (1, 2, 3)
Square = tuple[int, int]  # column and row
SQUARES: tuple[Square, ...] = tuple((x, y) for x in INDICES for y in INDICES)
_LINES = (
    *(tuple((x, y) for y in INDICES) for x in INDICES),
    *(tuple((x, y) for x in INDICES) for y in INDICES),
    tuple((i, i) for i in INDICES),
    tuple((i, 4 - i) for i in INDICES),
)
_LONGEST = 12  # turns of a game that are watched, if nobody wins before

_COMMON = """filled(x). filled(o). is_blank(blank).
player(x). player(o). other(x,o). other(o,x).
win(100). draw(50). loss(0).
distinct(1,2). distinct(1,3). distinct(2,1). distinct(2,3). distinct(3,1). distinct(3,2).
line(S,P) :- true_cell(S,X,1,P), true_cell(S,X,2,P), true_cell(S,X,3,P), filled(P).
line(S,P) :- true_cell(S,1,Y,P), true_cell(S,2,Y,P), true_cell(S,3,Y,P), filled(P).
line(S,P) :- true_cell(S,1,1,P), true_cell(S,2,2,P), true_cell(S,3,3,P), filled(P).
line(S,P) :- true_cell(S,1,3,P), true_cell(S,2,2,P), true_cell(S,3,1,P), filled(P).
open(S) :- true_cell(S,1,1,_), \\+ line(S,x), \\+ line(S,o).
"""
_NEXT_CELL_BIAS = """head_pred(next_cell,4). type(next_cell,(state,index,index,sign)).
body_pred(true_cell,4). type(true_cell,(state,index,index,sign)).
body_pred(does,4). type(does,(state,sign,index,index)).
body_pred(distinct,2). type(distinct,(index,index)).
body_pred(filled,1). type(filled,(sign,)).
body_pred(is_blank,1). type(is_blank,(sign,)).
direction(true_cell,(in,out,out,out)). direction(does,(in,out,out,out)).
max_vars(7). max_body(2). allow_singletons.
"""
_NEXT_CELL_RULE = """next_cell(S,X,Y,P) :- does(S,P,X,Y), true_cell(S,X,Y,B), is_blank(B).
next_cell(S,X,Y,B) :- does(S,P,X,Y), true_cell(S,X,Y,Q), filled(Q), is_blank(B).
next_cell(S,X,Y,Q) :- true_cell(S,X,Y,Q), does(S,P,V,W), distinct(X,V).
next_cell(S,X,Y,Q) :- true_cell(S,X,Y,Q), does(S,P,V,W), distinct(Y,W).
"""
_GOAL_BIAS = """head_pred(goal,3). type(goal,(state,player,points)).
body_pred(line,2). type(line,(state,player)).
body_pred(open,1). type(open,(state,)).
body_pred(player,1). type(player,(player,)).
body_pred(other,2). type(other,(player,player)).
body_pred(win,1). type(win,(points,)).
body_pred(draw,1). type(draw,(points,)).
body_pred(loss,1). type(loss,(points,)).
max_vars(4). max_body(2).
"""
_GOAL_RULE = """goal(S,P,N) :- line(S,P), win(N).
goal(S,P,N) :- line(S,Q), other(P,Q), loss(N).
goal(S,P,N) :- open(S), player(P), draw(N).
"""


@dataclass(frozen=True, slots=True)
class BoardPosition:
    """A board, whose turn it is, and what the player does.

    It is a value: a turn does not change it, but makes the next one.
    """

    board: Mapping[Square, str]
    player: str  # whose turn it is
    touched: Square | None  # by the player; None at the end of a game

    def shown_next(self) -> Mapping[Square, str]:
        """The board after the turn."""
        if self.touched is None:
            return self.board
        sign = "blank"
        if self.board[self.touched] == "blank":
            sign = self.player
        return {**self.board, self.touched: sign}

    @property
    def winner(self) -> str | None:
        """The player who has three in a line, if there is one."""
        return _winner(self.board)

    def points(self, player: str) -> int:
        """What the position is worth to a player."""
        if self.winner is None:
            return 50
        if self.winner == player:
            return 100
        return 0


def watched(games: int, seed: int = 1) -> tuple[dict[str, BoardPosition], ...]:
    """Games that are played at random, each from the empty board to the end, as its positions by name.

    Both players choose at random among the squares that they may touch, so most games are played badly. A rule has to hold
    however a game is played.
    """
    rng = Random(seed)
    played = []
    for number in range(1, games + 1):
        positions = enumerate(_game(rng), 1)
        played.append({f"g{number}_{turn}": position for turn, position in positions})
    return tuple(played)


def noughts(games: int = 5, seed: int = 1) -> GeneratedTask:
    """A task about what squares show after a turn. The last fifth of the games is held out."""
    return _task(watched(games, seed), _next_cells, _NEXT_CELL_BIAS, _NEXT_CELL_RULE)


def goals(games: int = 10, seed: int = 1) -> GeneratedTask:
    """A task about what positions are worth to a player. The last fifth of the games is held out."""
    return _task(watched(games, seed), _goals, _GOAL_BIAS, _GOAL_RULE)


def _game(rng: Random) -> Iterator[BoardPosition]:
    """The positions of one game that is played at random."""
    board: Mapping[Square, str] = dict.fromkeys(SQUARES, "blank")
    for turn in range(_LONGEST):
        player = PLAYERS[turn % 2]
        position = BoardPosition(board, player, rng.choice([at for at in SQUARES if board[at] != player]))
        yield position
        board = position.shown_next()
        if _winner(board) is not None:
            break
    yield BoardPosition(board, PLAYERS[(turn + 1) % 2], None)


def _winner(board: Mapping[Square, str]) -> str | None:
    """The player whose sign a whole line of the board shows, if there is one."""
    for line in _LINES:
        sign, *others = {board[square] for square in line}
        if not others and sign != "blank":
            return sign
    return None


Truths = Iterable[tuple[str, bool]]  # atoms, and whether they are true


def _next_cells(name: str, position: BoardPosition) -> Truths:
    """For each square and sign, whether the square shows it after the turn."""
    if position.touched is None:
        return ()
    board = position.shown_next()
    return (
        (f"next_cell({name},{x},{y},{sign})", board[x, y] == sign) for (x, y), sign in product(SQUARES, SIGNS)
    )


def _goals(name: str, position: BoardPosition) -> Truths:
    """For each player and number of points, whether the position is worth that to the player."""
    return (
        (f"goal({name},{player},{points})", position.points(player) == points)
        for player, points in product(PLAYERS, POINTS)
    )


def _task(
    games: tuple[dict[str, BoardPosition], ...],
    truths: Callable[[str, BoardPosition], Truths],
    bias: str,
    rule: str,
) -> GeneratedTask:
    """The task of some games: `truths` gives the atoms of a position, each with whether it is true."""
    first_held_out = len(games) - max(len(games) // 5, 1)
    background = _COMMON
    seen: list[tuple[str, bool]] = []
    held_out: list[tuple[str, bool]] = []
    for number, game in enumerate(games):
        told = seen
        if number >= first_held_out:
            told = held_out
        for name, position in game.items():
            background += _facts(name, position)
            told.extend(truths(name, position))
    return GeneratedTask(
        background=background,
        examples=_examples(seen),
        bias=bias,
        held_out=_examples(held_out),
        rule=rule,
    )


def _facts(name: str, position: BoardPosition) -> str:
    """A position as facts."""
    cells = " ".join(f"true_cell({name},{x},{y},{sign})." for (x, y), sign in position.board.items())
    if position.touched is None:
        return f"{cells}\n"
    x, y = position.touched
    return f"{cells}\ndoes({name},{position.player},{x},{y}).\n"


def _examples(truths: Truths) -> str:
    """True atoms as positive examples, false ones as negative; an atom that is told twice is one example."""
    known = dict(truths)
    return labelled((a for a, true in known.items() if true), (a for a, true in known.items() if not true))
