"""Recursive fragments, joined: what the notebook says of them, with and without SWI-Prolog."""

from __future__ import annotations

import pytest

from notebooks.played import Played, playing

notebook = playing("03_recursion")
without_prolog = playing("03_recursion", JOINER_SWIPL="missing")


@pytest.mark.prolog
def test_it_shows_what_is_stored(notebook: Played) -> None:
    assert notebook.shown == notebook.stored


def test_without_prolog_one_cell_says_so_and_all_others_show_what_is_stored(without_prolog: Played) -> None:
    (told,) = (
        shown
        for shown, stored in zip(without_prolog.shown, without_prolog.stored, strict=True)
        if shown != stored
    )
    assert told == [without_prolog.shown_by('engine="prolog"')]
    assert told[0].startswith("This cell would learn")
    assert "the Prolog engine cannot be used: missing does not run; pip install" in told[0]


def test_without_recursion_one_string_resists(without_prolog: Played) -> None:
    assert without_prolog.ask("[flat.solved, flat.confusion.tp, flat.confusion.fn]") == [False, 15, 1]
    assert without_prolog.ask("flat.score(made.held_out).accuracy") == 0.5
    by_heart = "learn(flat.task, max_vars=6, max_body=7, timeout=60)"
    assert without_prolog.ask(f"[[r.solved, r.score(made.held_out).accuracy] for r in [{by_heart}]]") == [
        [True, 0.5]
    ]


def test_both_words_are_found_and_joined(without_prolog: Played) -> None:
    assert without_prolog.ask("[result.optimal, result.size, len(result.rules)]") == [True, 21, 5]
    rules = without_prolog.ask("result.rules")
    assert rules[0] == "f(A) :- f_1(A), f_2(A)."
    assert any("is_c(C)" in rule and "is_a(D)" in rule for rule in rules if rule.startswith("f_1"))
    assert any("is_a(C)" in rule and "is_b(D)" in rule for rule in rules if rule.startswith("f_2"))


def test_each_bad_string_is_reached_by_one_fragment(without_prolog: Played) -> None:
    fragments = [line.split()[4] for line in without_prolog.shown_by("show coverage").splitlines()[2:]]
    assert len(fragments) == 2
    assert {*zip(*fragments, strict=True)} == {("●", "○"), ("○", "●")}


def test_proofs_go_down_the_string(without_prolog: Played) -> None:
    assert "f_2([a, b])   by f_2(A) :- head(A, C), is_a(C)" in without_prolog.shown_by("%joiner explain")
    assert "fails: f_2([d, c, a, d])" in without_prolog.shown_by("%joiner why-not")


def test_strings_that_were_not_seen(without_prolog: Played) -> None:
    assert without_prolog.ask("result.score(made.held_out).accuracy") == 1
    assert without_prolog.shown_by("long_one").splitlines()[-1] == "[True, False]"


def test_the_embedded_engine_says_where_it_cannot(without_prolog: Played) -> None:
    assert without_prolog.shown_by('engine="datalog"').startswith("bk:3:18: this clause uses reverse/2")


@pytest.mark.prolog
def test_prolog_finds_the_frame(notebook: Played) -> None:
    assert notebook.ask("[framing.optimal, framing.size, framing.rules]") == [
        True,
        5,
        ["f(A) :- even(A), head(A, B), reversed(A, C), head(C, B)."],
    ]
    assert notebook.ask("framing.score(mirror.held_out).accuracy") == 1


def test_it_can_be_run_again(without_prolog: Played) -> None:
    assert without_prolog.shown_again() == without_prolog.shown
