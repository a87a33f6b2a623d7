"""06_molecules: from tables to the pharmacophore, which is found, proven and right on other molecules."""

from __future__ import annotations

from notebooks.played import Played, playing

notebook = playing("06_molecules")


def test_it_shows_what_is_stored(notebook: Played) -> None:
    assert notebook.shown == notebook.stored


def test_the_tables_become_the_facts_that_the_generator_has_in_mind(notebook: Played) -> None:
    same = "set(session.task().background.clauses()) == set(tables.made.task().background.clauses())"
    assert notebook.ask(same) is True
    assert notebook.ask("[len(session.task().examples.pos), len(session.task().examples.neg)]") == [24, 24]


def test_the_rule_is_optimal_and_the_secret_one(notebook: Played) -> None:
    assert notebook.ask("[result.status, result.size, len(result.rules)]") == ["optimal", 9, 1]
    literals = "sorted(literal.predicate.name for literal in result.hypothesis.rules[0].body)"
    assert notebook.ask(literals) == sorted(
        ["atom", "acceptor", "near", "donor", "atom", "charge", "far", "ring"]
    )


def test_pictures_say_who_has_both_sides(notebook: Played) -> None:
    said = notebook.ask("str(drawn(first))").splitlines()
    both = ["near" in line and "far" in line for line in said]
    assert both == [True, False] * 4
    assert notebook.ask("molecules_table.active[:8].tolist()") == both


def test_each_side_covers_all_active_molecules_and_half_of_the_others(notebook: Played) -> None:
    counts = "[matrix[matrix.label == label].sum(numeric_only=True).tolist() for label in ('pos', 'neg')]"
    assert notebook.ask(counts) == [[24, 24, 24], [0, 12, 12]]
    names = "[column.text for column in session.coverage().columns]"
    rule, near, far = notebook.ask(names)
    assert "near" in rule
    assert "far" in rule
    assert "near" in near  # the notebook gives columns names by hand
    assert "far" in far


def test_all_twelve_other_molecules_are_predicted(notebook: Played) -> None:
    assert notebook.ask("[len(kept), session.runs[-1].test.accuracy]") == [12, 1]


def test_a_third_side_takes_no_more_programs(notebook: Played) -> None:
    assert notebook.ask("[third.status, third.size]") == ["optimal", 13]
    assert notebook.ask("[result.counts['tested'], third.counts['tested']]") == [245, 245]
    assert notebook.ask("third.score(larger.made.held_out_task()).accuracy") == 1


def test_it_can_be_run_again(notebook: Played) -> None:
    assert notebook.shown_again() == notebook.shown
