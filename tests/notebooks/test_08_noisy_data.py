"""08_noisy_data: exact learning overfits, learning with noise finds the secret rule and every wrong label."""

from __future__ import annotations

from notebooks.played import Played, playing

notebook = playing("08_noisy_data")


def test_it_shows_what_is_stored(notebook: Played) -> None:
    assert notebook.shown == notebook.stored


def test_exact_learning_overfits_and_advises_noise(notebook: Played) -> None:
    assert notebook.ask("[exact.status, len(exact.rules), exact.size]") == ["optimal", 5, 43]
    advice = "try --noise: 1 rule of 7 literals gets 58 of 64 right"
    assert advice in notebook.shown_by("-o exact").splitlines()


def test_with_noise_the_secret_rule_is_found(notebook: Played) -> None:
    assert notebook.ask("[result.status, result.size, result.cost, result.gap]") == ["optimal", 7, 13, 0]
    literals = "sorted(literal.name for literal in result.hypothesis.rules[0].body)"
    assert notebook.ask(literals) == ["blue", "large", "piece", "piece", "red", "small"]
    assert notebook.ask("[result.confusion.fn, result.confusion.fp]") == [4, 2]


def test_a_stopped_run_has_a_bound_that_holds(notebook: Played) -> None:
    assert notebook.ask("[early.status, early.cost, early.bound]") == ["best", 29, 3]
    assert notebook.ask("[late.status, late.cost, late.bound]") == ["optimal", 13, None]


def test_errors_go_down_fast_and_then_slowly(notebook: Played) -> None:
    points = notebook.ask("[[point.size, point.missed + point.wrong] for point in tradeoff]")
    assert [points[0], points[-2], points[-1]] == [[0, 34], [7, 6], [14, 3]]
    assert notebook.ask("[small.size, small.cost]") == [4, 20]


def test_all_wrong_labels_are_named_and_no_other(notebook: Played) -> None:
    assert notebook.ask("[len(flipped), sorted(named) == sorted(flipped)]") == [6, True]
    assert notebook.ask("render_term(suspects[0].example)") == "zendo(s28)"  # which the next cells name


def test_on_new_scenes_only_the_rule_with_errors_makes_none(notebook: Played) -> None:
    accuracies = notebook.ask("[each.score(new).accuracy for each in (exact, small, result)]")
    assert accuracies == [0.785, 0.75, 1]


def test_a_weight_makes_the_learner_believe_a_label(notebook: Played) -> None:
    assert notebook.ask("[len(sure.rules), result.rules[0] in sure.rules]") == [2, True]
    assert notebook.ask("[result.predict(['zendo(s28)']), sure.predict(['zendo(s28)'])]") == [[False], [True]]


def test_balanced_prices_are_near_one_and_give_the_same_rule(notebook: Played) -> None:
    assert notebook.ask("balanced.rules == result.rules") is True
    assert notebook.ask("[float(balanced.objective.missed) < 1 < balanced.objective.wrong]") == [True]


def test_it_can_be_run_again(notebook: Played) -> None:
    assert notebook.shown_again() == notebook.shown
