"""Strings that hold words, and strings that are framed: with near misses."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from generators.in_mind import covers_exactly
from joiner_magic import learn
from joiner_magic.generators.generated_task import GeneratedTask
from joiner_magic.generators.strings import framed, strings


def read(examples: str, kind: str) -> list[str]:
    return [
        line.removeprefix(f"{kind}(f([").removesuffix("])).").replace(",", "")
        for line in examples.splitlines()
        if line.startswith(kind)
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("words", [("ab",), ("ab", "ca"), ("abc", "d")])
def test_the_rule_in_mind_covers_what_is_seen_and_what_is_held_out(words: Sequence[str], seed: int) -> None:
    assert covers_exactly(strings(words, seed=seed))


@pytest.mark.prolog
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_frame_in_mind_covers_what_is_seen_and_what_is_held_out(seed: int) -> None:
    assert covers_exactly(framed(seed=seed))


def test_the_seed_decides() -> None:
    assert strings(seed=4) == strings(seed=4) != strings(seed=5)
    assert framed(seed=4) == framed(seed=4) != framed(seed=5)


@pytest.mark.parametrize("made", [strings(), framed()], ids=["strings", "framed"])
def test_no_string_that_is_held_out_is_seen(made: GeneratedTask) -> None:
    every = read(made.examples + made.held_out, "pos") + read(made.examples + made.held_out, "neg")
    assert len(every) == len(set(every)) == 40


def test_a_negative_string_misses_one_word_but_has_its_letters() -> None:
    for string in read(strings().examples + strings().held_out, "neg"):
        missing = [word for word in ("ab", "ca") if word not in string]
        assert len(missing) == 1
        assert set("abc") <= set(string)


def test_a_string_that_is_not_framed_has_one_thing_wrong() -> None:
    for string in read(framed().examples + framed().held_out, "neg"):
        assert (len(string) % 2 == 0) != (string[0] == string[-1])


def test_recursive_fragments_are_joined() -> None:
    made = strings()
    result = learn(made.task(), timeout=120)
    assert (result.status, result.size, len(result.rules)) == ("optimal", 21, 5)
    assert result.score(made.held_out_task()).accuracy == 1


@pytest.mark.prolog
def test_a_frame_is_learnt_with_prolog() -> None:
    made = framed()
    result = learn(made.task(), timeout=120)
    assert (result.status, result.size, result.engine) == ("optimal", 5, "prolog")
    assert result.score(made.held_out_task()).accuracy == 1
