"""02_big_rules: what it says of sizes, proofs and the comparison is so."""

from __future__ import annotations

from notebooks.played import Played, playing

notebook = playing("02_big_rules")

SIZES = [7, 9, 13, 17, 25, 41, 65, 105]


def test_it_shows_what_is_stored(notebook: Played) -> None:
    assert notebook.shown == notebook.stored


def test_joining_finds_and_proves_every_rule(notebook: Played) -> None:
    assert notebook.ask("[[size, r.size, r.optimal] for size, r in joined.items()]") == [
        [size, size, True] for size in SIZES
    ]


def test_the_rules_that_were_tested_do_not_grow_with_the_rule(notebook: Played) -> None:
    tested = notebook.ask("[result.counts['tested'] for result in joined.values()]")
    assert tested[1:] == [137] * (len(SIZES) - 1)
    assert notebook.ask("[[r.task.bias.max_vars, r.task.bias.max_body] for r in joined.values()]") == [
        [2, 3],
        *[[2, 4]] * (len(SIZES) - 1),
    ]


def test_without_joining_small_rules_only(notebook: Played) -> None:
    assert notebook.ask("[[size, r.size, r.optimal] for size, r in whole.items() if r.solved]") == [
        [7, 7, True], [9, 9, True], [13, 13, True]
    ]  # fmt: skip
    assert notebook.ask("[whole[17].solved, whole[9].counts['tested'], whole[13].counts['tested']]") == [
        False, 7_429, 275_417
    ]  # fmt: skip


def test_the_plot_marks_what_was_given_up(notebook: Played) -> None:
    with_joining, without = notebook.shown_by("log_plot([").splitlines()[1:]
    assert with_joining.count(":") == 1 + len(SIZES)
    assert "more than" not in with_joining
    assert without.endswith("17: more than N")


def test_wide_bounds_cost_the_proof(notebook: Played) -> None:
    assert notebook.ask("[wide.solved, wide.optimal]") == [True, False]


def test_a_rule_of_105_literals_is_right_about_new_scenes(notebook: Played) -> None:
    assert notebook.ask("[big.size, big.optimal, len(big.rules)]") == [105, True, 1]
    assert notebook.shown_by("print(big.score") == "covers 10 of 10 positive and 0 of 10 negative examples\n"
    assert notebook.ask("len(session.coverage().fragments)") == 26


def test_no_fragment_can_be_spared(notebook: Played) -> None:
    counts = notebook.ask("[[f.pos.bit_count(), f.neg.bit_count()] for f in session.coverage().fragments]")
    assert all(pos == 40 and neg in (38, 39) for pos, neg in counts)
    left_out = notebook.ask(
        "[sum(not f.neg >> n & 1 for f in session.coverage().fragments) for n in range(40)]"
    )
    assert left_out == [1] * 40


def test_a_rule_of_every_kind_of_piece_is_learnt_as_the_end_suggests(notebook: Played) -> None:
    assert notebook.ask("[r.size for r in [learn(zendo(big_rule(36), scenes=100).made().task())]]") == [145]
