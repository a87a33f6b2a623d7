"""A game that is learnt by watching: what the notebook says of its rules."""

from __future__ import annotations

import re

from notebooks.played import Played, playing

notebook = playing("05_games")


def test_it_shows_what_is_stored(notebook: Played) -> None:
    assert notebook.shown == notebook.stored


def test_the_game_that_is_watched_has_what_the_prose_asks_about(notebook: Played) -> None:
    shown = notebook.shown_by("drawn(games[0])")
    assert shown.endswith("x has won")
    assert "x touches column 2, row 1\ng1_8: x-o" in shown  # the o there is wiped


def test_four_rules_are_learnt_and_proven(notebook: Played) -> None:
    assert notebook.ask("[result.optimal, result.size]") == [True, 17]
    assert sorted(notebook.ask("result.rules")) == [
        "next_cell(A, B, C, D) :- does(A, D, B, C), true_cell(A, B, C, E), is_blank(E).",
        "next_cell(A, B, C, D) :- is_blank(D), does(A, E, B, C), true_cell(A, B, C, F), filled(F).",
        "next_cell(A, B, C, D) :- true_cell(A, B, C, D), distinct(B, E), does(A, F, E, G).",
        "next_cell(A, B, C, D) :- true_cell(A, B, C, D), distinct(C, E), does(A, F, G, E).",
    ]
    assert notebook.ask("len(result.task.examples.pos + result.task.examples.neg)") == 837


def test_rules_are_unequal_and_all_are_needed(notebook: Played) -> None:
    shown = notebook.shown_by("show coverage").splitlines()
    rules = [re.findall(r"\+(\d+) +−(\d+)", line)[0] for line in shown if line.startswith("rule")]
    assert sorted((int(pos), int(neg)) for pos, neg in rules) == [(6, 0), (25, 0), (186, 0), (186, 0)]
    assert notebook.ask("sum(len(game) - 1 for game in games[:3])") == 6 + 25
    (stays,) = (line for line in shown if line.endswith(" next_cell(A, B, C, D) :- true_cell(A, B, C, D)."))
    assert "−31 " in stays


def test_the_held_out_game_is_told_right(notebook: Played) -> None:
    assert notebook.ask("result.score(made.held_out).accuracy") == 1
    assert notebook.shown_by("drawn(games[3]").startswith("covers 108 of 108 positive and 0 of 216")
    assert "by next_cell(A, B, C, D) :- is_blank(D)" in notebook.shown_by("%joiner explain")


def test_what_positions_are_worth(notebook: Played) -> None:
    assert notebook.ask("[points.optimal, points.size]") == [True, 11]
    assert sorted(notebook.ask("points.rules")) == [
        "goal(A, B, C) :- line(A, B), win(C).",
        "goal(A, B, C) :- loss(C), line(A, D), other(B, D).",
        "goal(A, B, C) :- open(A), player(B), draw(C).",
    ]
    assert notebook.ask("points.score(worth.held_out).accuracy") == 1


def test_two_games_are_enough_too(notebook: Played) -> None:
    assert notebook.ask("__import__('joiner_magic').learn(noughts(games=2).task(), timeout=120).size") == 17
