"""Notebooks whose task stands in their cells: made by a generator, or empty.

Whoever opens one can run all cells at once and gets a result. What is in the cells is what a person would write by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import fill

from joiner_magic.cli.notebooks.ipynb import LOADED, NotebookCell, code, prose
from joiner_magic.generators.games import noughts
from joiner_magic.generators.generated_task import GeneratedTask
from joiner_magic.generators.strings import strings
from joiner_magic.generators.zendo import zendo


@dataclass(frozen=True, slots=True)
class TaskKind:
    """A kind of generated task: how it is made from a seed, and what its notebook says about it."""

    make: Callable[[int], GeneratedTask]
    description: str
    attempts: str  # what to change, as a list


# Small enough to be read in a cell, large enough for the rule to be found.
KINDS = {
    "zendo": TaskKind(
        lambda seed: zendo(("small red", "large blue"), scenes=20, seed=seed).made(),
        "Scenes of small pyramids. Some follow a secret rule; which one?",
        "- Give the bias `max_body(2).`: is there still a rule?\n"
        "- Change the colour of a piece, and run the cells again.\n"
        "- Take a predicate out of the bias: can the rest say the same?",
    ),
    "games": TaskKind(
        lambda seed: noughts(games=2, seed=seed),
        "Noughts and crosses with an eraser, watched turn by turn. What will a square show after the turn?",
        "- Give the bias `max_body(1).`: is there still a program?\n"
        "- Take `distinct/2` out of the bias: what does the report say is missing?\n"
        "- Delete half of the examples: is what is learnt of the rest still right about those held out?",
    ),
    "strings": TaskKind(
        lambda seed: strings(count=24, seed=seed),
        "Strings as lists of letters. What do the positive ones hold? The rules call themselves, since what is"
        " looked for may stand anywhere.",
        "- Take `enable_recursion.` out of the bias: what does the report say?\n"
        "- Add a string of your own to the examples, positive or negative.\n"
        "- Change `max_body`: how long may the words be then?",
    ),
}

_LEARN = """%%joiner --timeout 60 -o result
% Bias for this run alone: edit it and run the cell again, for instance with max_body(2).
"""
_LOOK = (
    prose("""
        ## Look

        The lattice: every rule that was tested, the more special ones below. Click one to see what it covers."""),
    code("%joiner show lattice"),
    prose("The coverage: which rules and which of their fragments cover which examples."),
    code("%joiner show coverage"),
)


def from_generator(title: str, name: str, seed: int) -> Sequence[NotebookCell]:
    """The cells of a notebook with a generated task of one of `KINDS`; its secret rule is at the end.

    The rule is hidden in the last cell, so that a person can guess first.
    """
    kind = KINDS[name]
    made = kind.make(seed)
    return (
        prose(f"# {title}\n\n{kind.description} Run all cells, then change them: each cell that is run again replaces what"
              " it said."),
        LOADED,
        prose("## Background knowledge\n\nFacts, and perhaps rules, that are true of all examples."),
        code(f"%%bk\n{_pack(made.background)}"),
        prose("## Examples\n\nThe rule must cover every positive one and no negative one."),
        code(f"%%examples\n{_pack(made.examples)}"),
        prose("## Bias\n\nWhich rules may be learnt: their predicates, types and sizes."),
        code(f"%%bias\n{made.bias}"),
        prose("## Held out\n\nExamples that the learner never sees: they only measure what it has learnt."),
        code(f"%%examples --test\n{_pack(made.held_out)}"),
        prose("## Learn"),
        code(_LEARN),
        *_LOOK,
        prose("How did it do, on the examples it saw and on those held out?"),
        code("%joiner compare"),
        prose(f"## What to try next\n\n{kind.attempts}"),
        prose(
            "<details><summary>The rule that made this task</summary>\n\n"
            f"```prolog\n{made.rule.strip()}\n```\n\nThe learner may have found a shorter one: examples are few."
            f"\n\n</details>\n\n`joiner new NAME --from {name} --seed {seed + 1}` makes another."
        ),
    )  # fmt: skip


def empty(title: str) -> Sequence[NotebookCell]:
    """The cells of a notebook to fill in; the comments in them are a small task that works."""
    return (
        prose(f"# {title}\n\nA task in four cells. Lines that begin with `%` are comments: replace them by your own"
              " facts, or take the `%` away to try them."),
        LOADED,
        prose("## Background knowledge\n\nWhat is known: facts, and perhaps rules."),
        code("%%bk\n% parent(ann, bob).\n% parent(bob, cat).\n% parent(bob, dan)."),
        prose("## Examples\n\nWhat is to be learnt: where it is true, and where it is not."),
        code("%%examples\n% pos(grandparent(ann, cat)).\n% pos(grandparent(ann, dan)).\n"
             "% neg(grandparent(bob, cat)).\n% neg(grandparent(ann, bob))."),
        prose("## Bias\n\nWhich rules may be learnt. What is not said here is taken from the facts: `%joiner bias` prints it."),
        code("%%bias\n% max_vars(4).\n% max_body(3)."),
        prose("## Learn"),
        code(_LEARN),
        *_LOOK,
        prose("""
            ## What to try next

            - `%%examples --test` takes examples that only measure; `%joiner compare` shows how each run did.
            - `%joiner why-not grandparent(bob, cat)` says why the rule does not cover something.
            - No rule was found? The report says what stands in the way, and what to change."""),
    )  # fmt: skip


def _pack(clauses: str) -> str:
    """Clauses in few lines, since a cell of hundreds of lines would hide the rest.

    Facts stand side by side; below them each rule has a line of its own.
    """
    lines = clauses.splitlines()
    facts = " ".join(line for line in lines if ":-" not in line)
    rules = [line for line in lines if ":-" in line]
    return "\n".join([fill(facts, width=88, break_long_words=False, break_on_hyphens=False), *rules])
