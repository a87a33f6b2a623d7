"""01_first_rule: what it says of its rules, scenes and pictures is so."""

from __future__ import annotations

import re

from joiner_magic import read_program
from notebooks.played import Played, playing

notebook = playing("01_first_rule")

SCENES = "{**follow, **break_it, **follow_too, **break_it_too}"
FACTS = "__import__('joiner_magic.generators.zendo', fromlist=['facts']).facts"
HELD_OUT = "covers 5 of 5 positive and 0 of 5 negative examples\n"


def test_it_shows_what_is_stored(notebook: Played) -> None:
    assert notebook.shown == notebook.stored


def test_the_facts_are_those_of_the_drawn_scenes(notebook: Played) -> None:
    generated = notebook.ask(f"''.join({FACTS}(name, each) for name, each in {SCENES}.items())")
    generated = re.sub(r"_(\d)", lambda found: str(int(found[1]) + 1), generated)
    cells = notebook.ask("[cell for cell in get_ipython().history_manager.input_hist_raw if '%%bk' in cell]")
    written = "".join(cell.removeprefix("%%bk") for cell in cells if cell.startswith("%%bk"))
    assert clauses(written) == clauses(generated)


def clauses(text: str) -> set[str]:
    return {clause for clause in re.sub(r"\s", "", text).split(".") if clause}


def test_the_examples_are_labelled_as_the_scenes_are_drawn(notebook: Played) -> None:
    assert notebook.ask("[*follow, *follow_too]") == ["a", "b", "c", "f"]
    assert notebook.ask("[*break_it, *break_it_too]") == ["d", "e", "g"]
    atoms = notebook.ask("[str(atom) for atom in small_red.predict([f'zendo({n})' for n in 'abcfdeg'])]")
    assert atoms == ["True"] * 4 + ["False"] * 3


def test_the_first_guess_is_wrong_and_the_second_is_not(notebook: Played) -> None:
    assert notebook.ask("blue.rules") == ["zendo(A) :- piece(A, B), blue(B)."]
    assert notebook.ask("[blue.size, blue.optimal]") == [3, True]
    assert "zendo(d) is not covered" in notebook.shown_by("why-not zendo(d)")
    assert notebook.ask("small_red.rules") == ["zendo(A) :- piece(A, B), red(B), small(B)."]
    assert notebook.ask("small_red.optimal") is True
    assert "fails: small(g2)" in notebook.shown_by("why-not zendo(g)")


def test_pieces_that_touch(notebook: Played) -> None:
    assert notebook.ask("touching.rules") == [
        "zendo(A) :- piece(A, B), blue(B), upright(B), touches(B, C), red(C)."
    ]
    assert "optimal" in notebook.shown_by("-o touching")
    assert notebook.shown_by("print(touching.score") == HELD_OUT


def test_three_things_at_once(notebook: Played) -> None:
    assert notebook.ask("[three.size, three.optimal, len(three.rules)]") == [14, True, 1]
    assert read_program(notebook.ask("made.rule")).size == 14
    assert notebook.shown_by("print(three.score") == HELD_OUT
    bounds = notebook.shown_by("bias.max_vars")
    assert bounds.startswith("at most 3 variables and 5 body literals; ")
    assert "1 rule, 14 literals" in notebook.shown_by("-o three")


def test_each_fragment_covers_all_positives_and_some_negatives(notebook: Played) -> None:
    lines = notebook.shown_by("fragment.pos.bit_count()").splitlines()
    assert len(lines) == 3
    for line in lines:
        positives, negatives = map(int, re.findall(r"[+−](\d+)", line))
        assert positives == 20
        assert 0 < negatives < 20
    sizes = [read_program(line.split(None, 2)[2]).size for line in lines]
    assert sorted(sizes) == [5, 5, 6]


def test_a_negative_scene_is_covered_by_two_fragments(notebook: Played) -> None:
    covering = "[[bool(f.neg >> n & 1) for f in session.coverage().fragments] for n in range(20)]"
    assert all(sum(each) == 2 for each in notebook.ask(covering))


def test_eight_scenes_are_too_few(notebook: Played) -> None:
    assert notebook.ask("[few.size, few.optimal, len(few.rules)]") == [10, True, 2]
    assert notebook.shown_by("scenes=10").endswith(
        "covers 15 of 20 positive and 10 of 20 negative examples\n"
    )


def test_the_pictures_show_what_the_text_says(notebook: Played) -> None:
    assert notebook.shown_by("show coverage").count("\nfragment") == 3
    lattice = notebook.shown_by("show lattice")
    without = re.findall(r"without .*: \+20 −(\d+)", lattice)
    assert without == ["20"] * 13
    first = "covers nothing: no need to test zendo(A) :- piece(A, B), green(B), red(B), …"
    assert first in notebook.shown_by("show constraints")


def test_it_can_be_run_again(notebook: Played) -> None:
    assert notebook.shown_again() == notebook.shown
