"""What the hypothesis lattice is made of, as values: rules with their outcomes, and which specialises which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

Outcome: TypeAlias = Literal[
    "solution",
    "consistent",
    "joinable",
    "covers nothing",
    "subsumed",
    "too large",
    "cheaper union",
    "implied",
    "dominated",
    "partial",
    "unfinished",
]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

# Fates that are called differently where a person looks at them.
_CALLED: Mapping[str, Outcome] = {"fragment": "joinable", "consistent fragment": "consistent"}


def outcome_of(fate: str) -> Outcome:
    """What a fate of search/record.py is in the lattice."""
    return _CALLED.get(fate) or cast("Outcome", fate)


def fates_of(outcome: str) -> tuple[str, ...]:
    others = tuple(fate for fate, called in _CALLED.items() if called == outcome)
    return others if outcome == "joinable" else (outcome, *others)


@dataclass(frozen=True, slots=True)
class Node:
    """A rule; or a stub, which stands for immediate specialisations of one that were never made."""

    id: str  # stable within a run: "r<number>" recorded, "p<k>" evaluated for the lattice, "s<number>:<kind>" a stub
    size: int  # literals with the head
    text: str
    outcome: Outcome  # of a stub: the kind of constraint that cut them
    pos: int | None  # examples covered; None: not counted
    neg: int | None
    stub: int = 0  # how many rules it stands for; 0: a rule
    role: str = ""  # "solution": of the hypothesis; "ancestor" of that; "best" of its size
    above: int = (
        0  # immediate generalisations, and specialisations, that are known but not in the graph given
    )
    below: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """From a rule to one that has a literal more."""

    general: str
    special: str


@dataclass(frozen=True, slots=True)
class Graph:
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Page:
    total: int
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Detail:
    """What is known of a node. Examples are those it covers, the first of them by name."""

    node: Node
    program: str  # laid out, over several lines where it is long
    positives: tuple[str, ...]
    positives_covered: int | None  # None: not evaluated, or only with more work than is allowed
    negatives: tuple[str, ...]
    negatives_covered: int | None
    why: str  # it was kept or cut, in a sentence or two
    constraint: str = ""  # the kind of the constraint that it gave rise to
    forbids: str = ""  # what that forbids, as a pattern
    conjunctions: tuple[str, ...] = ()  # rules that it is a fragment of
