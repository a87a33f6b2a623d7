"""What the hypothesis lattice consists of, as values: rules with their outcomes, and which rule specialises which."""

from __future__ import annotations

from dataclasses import dataclass, field

from joiner_magic.logic.programs import Program
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.search.fate import UNTESTED, Fate

# What became of a rule: its fate, or SOLUTION for a rule of the hypothesis. Views list outcomes in this order.
OUTCOMES: tuple[Fate, ...] = tuple(fate for fate in Fate if fate not in UNTESTED)


@dataclass(frozen=True, slots=True)
class Node:
    """A rule of the lattice; or a stub, which stands for immediate specialisations of a rule that were never made.

    A rule carries its program, so that nobody has to read it back from its text.
    """

    id: NodeId
    size: int  # literals with the head
    text: str  # the program in one line; of a stub, how many rules it stands for
    outcome: Fate  # of a stub: the kind of constraint that cut them
    pos: int | None  # examples covered; None: not counted
    neg: int | None
    fate: Fate | None = (
        None  # what became of it in its test, also if the outcome is SOLUTION; None: not recorded
    )
    whole: bool = True  # otherwise it is no rule yet, and may cover more than was counted
    stub: int = 0  # how many rules a stub stands for; 0: this is a rule
    role: str = ""  # "solution": of the hypothesis; "ancestor" of such a rule; "best" of its size
    above: int = 0  # how many immediate generalisations are known, but not in the graph
    below: int = 0  # how many immediate specialisations are known, but not in the graph
    program: Program | None = field(
        default=None, compare=False, repr=False
    )  # as the text has it; None: a stub


@dataclass(frozen=True, slots=True)
class Edge:
    """From a rule to a specialisation that has one literal more."""

    general: NodeId
    special: NodeId


@dataclass(frozen=True, slots=True)
class Graph:
    """Some nodes of the lattice, and edges among them and others that are shown already."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class NodePage:
    """Some of the nodes that a search has found, and how many it has found in all."""

    total: int
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class NodeDetail:
    """Everything that is known about one node. Of the examples that it covers, the first are named."""

    node: Node
    program: str  # laid out, over several lines where it is long
    positives: tuple[str, ...]
    positives_covered: int | None  # None: not evaluated, or only with more work than is allowed
    negatives: tuple[str, ...]
    negatives_covered: int | None
    why: str  # why it was kept or cut, in a sentence or two
    constraint: Fate | None = None  # the kind of the constraint that it gave rise to
    forbids: str = ""  # what that forbids, as a pattern
    conjunctions: tuple[str, ...] = ()  # rules that it is a fragment of
