"""A game to be learnt by watching: noughts and crosses on a board of four by four, described move by move.

What a square holds after a move depends on the move: the square that is marked gets the player's sign, one that is
marked already keeps it, all others stay blank. In the words of general game playing: next_cell(State, X, Y, Sign),
from true_cell, does and what is known of signs and numbers.
"""

from __future__ import annotations

from itertools import product
from random import Random

from joiner_magic.generators.made import Made, labelled

_SIZE = 4
_SQUARES = tuple(product(range(1, _SIZE + 1), repeat=2))
_SIGNS = ("x", "o", "blank")
_BIAS = """head_pred(next_cell,4).
body_pred(true_cell,4). body_pred(does,4). body_pred(distinct,2). body_pred(filled,1). body_pred(is_blank,1).
type(next_cell,(state,index,index,sign)). type(true_cell,(state,index,index,sign)).
type(does,(state,sign,index,index)). type(distinct,(index,index)). type(filled,(sign,)). type(is_blank,(sign,)).
max_vars(7). max_body(4).
"""
_RULE = """next_cell(S,X,Y,P) :- does(S,P,X,Y).
next_cell(S,X,Y,P) :- true_cell(S,X,Y,P), filled(P).
next_cell(S,X,Y,B) :- true_cell(S,X,Y,B), is_blank(B), does(S,P,V,W), distinct(X,V).
next_cell(S,X,Y,B) :- true_cell(S,X,Y,B), is_blank(B), does(S,P,V,W), distinct(Y,W).
"""


def noughts(states: int = 12, seed: int = 1) -> Made:
    """So many positions of games at random, each with one move; the last fifth is held out."""
    rng = Random(seed)
    facts = ["filled(x). filled(o). is_blank(blank)."]
    facts += [f"distinct({a},{b})." for a, b in product(range(1, _SIZE + 1), repeat=2) if a != b]
    atoms: list[tuple[list[str], list[str]]] = []
    for number in range(states):
        board = dict.fromkeys(_SQUARES, "blank")
        for move in range(rng.randint(1, len(_SQUARES) - 2)):
            board[rng.choice([at for at in _SQUARES if board[at] == "blank"])] = _SIGNS[move % 2]
        filled = sum(sign != "blank" for sign in board.values())
        mark = rng.choice([at for at in _SQUARES if board[at] == "blank"])
        state, player = f"s{number + 1}", _SIGNS[filled % 2]
        facts += [f"true_cell({state},{x},{y},{sign})." for (x, y), sign in board.items()]
        facts.append(f"does({state},{player},{mark[0]},{mark[1]}).")
        after = {**board, mark: player}
        told = [(after[x, y], f"next_cell({state},{x},{y},") for x, y in _SQUARES]
        atoms.append(
            (
                [f"{atom}{sign})" for sign, atom in told],
                [f"{atom}{other})" for sign, atom in told for other in _SIGNS if other != sign],
            )
        )
    seen = states - states // 5
    return Made(
        background="\n".join(facts) + "\n",
        examples=_examples(atoms[:seen]),
        bias=_BIAS,
        held_out=_examples(atoms[seen:]),
        rule=_RULE,
    )


def _examples(atoms: list[tuple[list[str], list[str]]]) -> str:
    return labelled((a for pos, _ in atoms for a in pos), (a for _, neg in atoms for a in neg))
