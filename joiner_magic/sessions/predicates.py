"""What is known of each predicate: where it is defined, what the bias says of it, some of its facts."""

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
    predicate: Predicate
    role: Role  # "background" is defined, but not used in rules
    facts: int = 0
    rules: int = 0
    places: tuple[Place, ...] = ()  # its first clause in each text
    types: tuple[str, ...] | None = None
    directions: tuple[str, ...] | None = None
    sample: tuple[str, ...] = ()  # facts, or examples of what is to be learnt


def describe_predicates(cells: Cells) -> dict[Predicate, PredicateInfo]:
    """The head first, then in order of appearance."""
    bias = _bias(cells)
    found = dict(_head(cells, bias))
    for source in cells.sources("bk"):
        for predicate, definition in source.predicates.items():
            known = found.get(predicate)
            sample = known.sample if known else ()
            found[predicate] = PredicateInfo(
                predicate,
                _role(predicate, bias),
                (known.facts if known else 0) + definition.facts,
                (known.rules if known else 0) + len(definition.rules),
                (*(known.places if known else ()), source.clause_place(definition.first)),
                bias.types.get(predicate) if bias else None,
                bias.directions.get(predicate) if bias else None,
                (*sample, *_facts(source, predicate, _SAMPLE - len(sample))),
            )
    return found


def _bias(cells: Cells) -> Bias | None:
    """As far as the cells make a task already."""
    try:
        return cells.task().bias
    except JoinerError:
        return None


def _role(predicate: Predicate, bias: Bias | None) -> Role:
    if bias is None or predicate in bias.body:
        return "body"
    return "head" if predicate == bias.head else "background"


def _head(cells: Cells, bias: Bias | None) -> dict[Predicate, PredicateInfo]:
    """What is to be learnt, from the examples."""
    examples = list(collect_examples(cells.sources("examples"))[0].values())
    if not examples:
        return {}
    predicate = predicate_of(examples[0].atom)
    assert predicate is not None, "checked when it was read"
    sample = tuple(f"{e.label}({render_term(e.atom)})" for e in islice(examples, _SAMPLE))
    types = bias.types.get(predicate) if bias else None
    directions = bias.directions.get(predicate) if bias else None
    info = PredicateInfo(predicate, "head", 0, 0, (examples[0].place,), types, directions, sample)
    return {predicate: info}


def _facts(source: PrologText, predicate: Predicate, most: int) -> list[str]:
    columns = source.reading.columns(*predicate)
    if not columns:
        return [predicate.name][:most] if source.predicates[predicate].facts else []
    rows = islice(zip(*columns, strict=True), most)
    atoms = [Compound(predicate.name, tuple(map(source.reading.term, row))) for row in rows]
    return [render_term(atom) for atom in atoms]
