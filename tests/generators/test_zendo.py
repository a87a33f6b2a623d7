"""Worlds of Zendo: the rule in mind is a solution, and every negative scene misses it narrowly."""

from __future__ import annotations

import pytest

from joiner_magic import Session, choose_engine, learn, read_program
from joiner_magic.generators.zendo import RULES, Zendo, big_rule, facts, scene, wanted, zendo

WORLDS = {
    **{name: zendo(rule) for name, rule in RULES.items()},
    "big": zendo(big_rule(12), scenes=40, seed=7),
}


@pytest.fixture(params=WORLDS)
def world(request: pytest.FixtureRequest) -> Zendo:
    return WORLDS[request.param]


def test_the_rule_in_mind_is_a_solution_on_held_out_scenes_too(world: Zendo) -> None:
    made = world.made()
    for task in (made.task(), made.held_out_task()):
        with choose_engine(task, "datalog").engine as engine:
            (found,) = engine.evaluate([read_program(made.rule)])
        assert found.pos.bit_count() == len(task.examples.pos) > 0
        assert found.neg == 0
        assert len(task.examples.neg) > 0


def test_each_negative_scene_misses_one_wanted_piece(world: Zendo) -> None:
    assert all(each.holds(found) for found in world.positives.values() for each in world.rule)
    for found in world.negatives.values():
        assert sum(not each.holds(found) for each in world.rule) == 1


def test_a_fifth_is_held_out(world: Zendo) -> None:
    made = world.made()
    seen, held_out = made.task().examples, made.held_out_task().examples
    assert not set(seen.pos + seen.neg) & set(held_out.pos + held_out.neg)
    for seen_atoms, held_out_atoms in ((seen.pos, held_out.pos), (seen.neg, held_out.neg)):
        assert len(held_out_atoms) == (len(seen_atoms) + len(held_out_atoms)) // 5


def test_the_same_seed_makes_the_same_texts() -> None:
    assert zendo(seed=3).made() == zendo(seed=3).made()
    assert zendo(seed=3).made() != zendo(seed=4).made()


def test_the_three_ways_are_learnt_whole() -> None:
    made = WORLDS["three ways"].made()
    result = learn(made.task())
    assert (result.status, result.size) == ("optimal", read_program(made.rule).size)


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_few_scenes_make_a_task_though_they_lack_some_words(seed: int) -> None:
    assert zendo(("blue",), scenes=2, seed=seed).made().task().examples.pos


def test_big_rules_have_as_many_different_pieces_as_asked_for() -> None:
    rule = big_rule(36)
    assert len({wanted(words).words for words in rule}) == 36
    assert read_program(zendo(big_rule(3)).made().rule).size == 1 + 3 * 4


def test_neighbours_are_those_that_touch() -> None:
    rule = wanted("blue touches red flat")
    assert rule.holds(scene("small blue left touches large red flat"))
    assert rule.holds(scene("large red flat touches small blue left"))
    assert not rule.holds(scene("small blue left, large red flat"))
    assert not rule.holds(scene("small blue left touches small green flat touches large red flat"))


def test_a_scene_is_read_as_it_is_written() -> None:
    text = "small blue left touches small green flat touches large red flat, medium red upright"
    assert str(scene(text)) == text
    assert scene(text).touching == {0, 1}
    for found in WORLDS["touching"].positives.values():
        assert scene(str(found)) == found


def test_facts_of_a_scene() -> None:
    assert facts("a", scene("small blue left touches large red flat")).split("\n") == [
        "piece(a,a_0). blue(a_0). left(a_0). small(a_0).",
        "piece(a,a_1). flat(a_1). large(a_1). red(a_1).",
        "touches(a_0,a_1). touches(a_1,a_0).",
        "",
    ]


def test_a_session_takes_it_in_the_place_of_what_was_there() -> None:
    session = Session()
    session.bk("leftover(a).")
    made = WORLDS["small red"].made()
    made.into(session)
    task = session.task()
    assert task.examples == made.task().examples
    assert task.background.predicates.keys() == made.task().background.predicates.keys()
    held_out = session.held_out(task)
    assert held_out is not None
    assert held_out.examples.pos == made.held_out_task().examples.pos
