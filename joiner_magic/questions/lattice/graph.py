"""What the hypothesis lattice is made of, as values: rules with their outcomes, and which specialises which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from joiner_magic.search.record.fates import called

# A fate, as search/record/fates.py counts it; or a rule of the hypothesis, whatever its fate is.
Outcome: TypeAlias = Literal[
    "solution",
    "consistent",
    "consistent fragment",
    "joinable",
    "covers nothing",
    "nothing below",
    "subsumed",
    "too large",
    "cheaper union",
    "implied",
    "dominated",
    "partial",
    "unfinished",
]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def outcome_of(fate: str) -> Outcome:
    """What a fate of search/record/record.py is in the lattice."""
    return cast("Outcome", called(fate))


@dataclass(frozen=True, slots=True)
class Node:
    """A rule; or a stub, which stands for immediate specialisations of one that were never made."""

    id: str  # stable within a run: "r<number>" recorded, "p<k>" evaluated for the lattice, "s<number>:<kind>" a stub
    size: int  # literals with the head
    text: str
    outcome: Outcome  # of a stub: the kind of constraint that cut them
    pos: int | None  # examples covered; None: not counted
    neg: int | None
    fate: str = (
        ""  # what became of it in its test, also where the outcome is that it is a solution; "": not recorded
    )
    whole: bool = True  # otherwise it is no rule yet, and may cover more than was counted
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
class NodePage:
    total: int
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class NodeDetail:
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
