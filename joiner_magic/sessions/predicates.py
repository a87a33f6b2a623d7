"""What is known of each predicate: where it is defined, what the bias says about it, and some of its facts.

Completion and inspection in a notebook show it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

from joiner_magic.errors import JoinerError, Place
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Compound, Predicate, predicate_of
from joiner_magic.sessions.cells import Cells
from joiner_magic.task.bias import Bias
from joiner_magic.task.examples import collect_examples
from joiner_magic.task.reader import PrologText

Role: TypeAlias = Literal["head", "body", "background"]

_SAMPLE = 5


@dataclass(frozen=True, slots=True)
class PredicateInfo:
    """What is known of one predicate; None where the bias does not say."""

    predicate: Predicate
    role: Role  # "background" is defined, but not used in rules
    facts: int = 0
    rules: int = 0
    places: tuple[Place, ...] = ()  # its first clause in each text
    types: tuple[str, ...] | None = None
    directions: tuple[str, ...] | None = None
    sample: tuple[str, ...] = ()  # facts, or examples of what is to be learnt


def describe_predicates(cells: Cells) -> dict[Predicate, PredicateInfo]:
    """All predicates of the examples and the background knowledge: the one that is learnt first, then as they appear."""
    bias = _bias(cells)
    found = dict(_head(cells, bias))
    for source in cells.sources("bk"):
        for predicate, definition in source.predicates.items():
            known = found.get(predicate) or PredicateInfo(predicate, _role(predicate, bias))
            types, directions = _declared(predicate, bias)
            found[predicate] = PredicateInfo(
                predicate,
                _role(predicate, bias),
                known.facts + definition.facts,
                known.rules + len(definition.rules),
                (*known.places, source.clause_place(definition.first)),
                types,
                directions,
                (*known.sample, *_facts(source, predicate, _SAMPLE - len(known.sample))),
            )
    return found


def _declared(
    predicate: Predicate, bias: Bias | None
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """The types and the directions that the bias declares for a predicate; None where it does not say."""
    if bias is None:
        return None, None
    return bias.types.get(predicate), bias.directions.get(predicate)


def _bias(cells: Cells) -> Bias | None:
    """The bias of the task; None while the texts do not make a task yet."""
    try:
        return cells.task(noise=True).bias
    except JoinerError:
        return None


def _role(predicate: Predicate, bias: Bias | None) -> Role:
    """Where rules may use the predicate."""
    if bias is None or predicate in bias.body:
        return "body"
    if predicate == bias.head:
        return "head"
    return "background"


def _head(cells: Cells, bias: Bias | None) -> dict[Predicate, PredicateInfo]:
    """The predicate that is to be learnt, with the first examples; empty while there are no examples."""
    examples = list(collect_examples(cells.sources("examples"), noise=True)[0].values())
    if not examples:
        return {}
    predicate = predicate_of(examples[0].atom)
    assert predicate is not None, "checked when it was read"
    sample = tuple(f"{e.label}({render_term(e.atom)})" for e in islice(examples, _SAMPLE))
    types, directions = _declared(predicate, bias)
    info = PredicateInfo(predicate, "head", 0, 0, (examples[0].place,), types, directions, sample)
    return {predicate: info}


def _facts(source: PrologText, predicate: Predicate, most: int) -> list[str]:
    """The first facts of the predicate in a text, at most so many."""
    columns = source.reading.columns(*predicate)
    if not columns and not source.predicates[predicate].facts:
        return []
    if not columns:
        return [predicate.name][:most]
    rows = islice(zip(*columns, strict=True), most)
    atoms = [Compound(predicate.name, tuple(map(source.reading.term, row))) for row in rows]
    return [render_term(atom) for atom in atoms]
