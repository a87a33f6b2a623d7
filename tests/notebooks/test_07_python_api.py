"""07_python_api: what a script can do, and what it is said to give."""

from __future__ import annotations

from notebooks.played import Played, playing

notebook = playing("07_python_api")


def test_it_shows_what_is_stored(notebook: Played) -> None:
    assert notebook.shown == notebook.stored


def test_the_result_is_optimal_and_right_on_held_out_molecules(notebook: Played) -> None:
    assert notebook.ask("[result.status, result.size, held_out.accuracy]") == ["optimal", 13, 1]


def test_tables_become_a_task(notebook: Played) -> None:
    assert "broken(A) :- contains(A, B), fragile(B)." in notebook.shown_by("orders.add_facts")


def test_every_fold_is_right_and_learns_from_32_molecules(notebook: Played) -> None:
    assert notebook.ask("[accuracies, len(seen), len(kept)]") == [[1, 1, 1, 1, 1], 32, 8]


def test_few_examples_give_rules_that_are_too_short_and_yet_optimal(notebook: Played) -> None:
    literals, accuracy = notebook.ask("[curve.literals.tolist(), curve.accuracy.tolist()]")
    assert max(literals[0] + literals[1]) < 13
    assert literals[-1] == [13] * 5
    assert accuracy == ["54%", "56%", "96%", "100%"]
    assert notebook.ask("learn(task.subset([0, 1, len(labels) - 1, len(labels) - 2])).status") == "optimal"


def test_a_listener_hears_of_programs_and_solutions(notebook: Played) -> None:
    told = notebook.shown_by("def tell(event)").splitlines()
    assert "a solution of 13 literals" in told
    assert sum(int(line.split(": ")[1].split()[0]) for line in told if "tested" in line) == 245
    assert notebook.ask("max(len(p.rules[0].body) for p in result.parts[0].conjunction.programs)") == 4


def test_a_paused_run_goes_on_to_its_end(notebook: Played) -> None:
    assert notebook.ask("[paused.status, finished.status, finished.size]") == ["none", "optimal", 13]


def test_a_loaded_result_predicts(notebook: Played) -> None:
    assert notebook.ask("[again.rules == result.rules, again.predict(['active(m1)', 'active(m2)'])]") == [
        True,
        [True, False],
    ]


def test_a_folder_of_others_is_learnt_and_measured(notebook: Played) -> None:
    assert notebook.ask("[cycle.status, cycle.size]") == ["optimal", 4]
    assert "covers 2 of 2 positive and 0 of 1 negative" in notebook.shown_by("print(cycle.score(")
    assert "bias.pl bk.pl exs.pl" in notebook.shown_by("save_task(task, mine)")


def test_nothing_stays_on_the_disk(notebook: Played) -> None:
    assert notebook.ask("mine.exists()") is False
