"""04_bias_tuning: the report says what the prose reads in it, and each change does what it is said to do."""

from __future__ import annotations

from notebooks.played import Played, playing

notebook = playing("04_bias_tuning")


def test_it_shows_what_is_stored(notebook: Played) -> None:
    assert notebook.shown == notebook.stored


def test_without_a_word_for_order_every_late_parcel_is_impossible_and_no_change_helps(
    notebook: Played,
) -> None:
    assert notebook.ask("[first.status, first.shortfall.exhausted, len(first.shortfall.impossible)]") == [
        "none",
        True,
        16,
    ]
    assert notebook.ask("[len(first.task.examples.pos), len(first.shortfall.advice)]") == [16, 0]
    report = notebook.shown_by("-o first")
    assert all(word in report for word in ("searched", "uncovered", "impossible", "bounds hit"))
    assert "try" not in report


def test_the_missing_predicate_gives_the_rule_that_the_generator_had_in_mind(notebook: Played) -> None:
    assert notebook.ask("[generous.status, generous.size, generous.counts['tested']]") == ["optimal", 8, 3082]
    assert notebook.ask("sorted(len(p.rules[0].body) for p in generous.parts[0].conjunction.programs)") == [
        3,
        4,
    ]
    assert notebook.ask(
        "[generous.score(made.examples).accuracy, generous.score(made.held_out).accuracy]"
    ) == [
        1,
        1,
    ]


def test_types_and_directions_leave_fewer_programs_and_the_same_rule(notebook: Played) -> None:
    assert notebook.ask("[each.counts['tested'] for each in (typed, directed, fresh)]") == [1269, 1181, 288]
    assert notebook.ask("len({tuple(each.rules) for each in (generous, typed, directed, right, fresh)})") == 1


def test_bounds_that_are_too_tight_are_reported_with_what_helps(notebook: Played) -> None:
    assert notebook.ask("[str(each) for each in tight.shortfall.idle]") == ["next/2"]
    assert notebook.ask("[(a.change, a.covered) for a in tight.shortfall.advice]") == [["max_vars(3).", 12]]
    assert "run 4 has shown that no solution has fewer than 8 literals" in notebook.shown_by("-o tight")
    assert notebook.ask("[wider.confusion.tp, wider.size, session.runs[5].test.accuracy]") == [12, 46, 0.8]
    assert notebook.ask("[a.change for a in wider.shortfall.advice if a.solved]") == ["max_body(4)."]


def test_the_last_run_searches_nothing(notebook: Played) -> None:
    assert notebook.ask("[right.status, right.counts['tested']]") == ["optimal", 0]
    assert "run 4 has proven that none is smaller: nothing was searched" in notebook.shown_by("-o right")


def test_runs_with_a_solution_are_right_on_all_held_out_parcels_and_others_are_not(notebook: Played) -> None:
    assert notebook.ask("[run.test.accuracy for run in session.runs]") == [0.6, 1, 1, 1, 0.6, 0.8, 1, 1]
    assert notebook.ask("[session.runs[0].test.tp, session.runs[0].test.fp]") == [0, 0]
    assert len(notebook.shown_by("%joiner compare").splitlines()) == 16  # a title, runs, and changes between


def test_it_can_be_run_again(notebook: Played) -> None:
    assert notebook.shown_again() == notebook.shown
