"""Background knowledge: the clauses of one or more texts, seen as one program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from joiner_magic.errors import Place
from joiner_magic.logic.render import render_clause
from joiner_magic.logic.terms import Clause, Predicate, Term, arguments_of, predicate_of
from joiner_magic.task.notes import Note
from joiner_magic.task.reader import PrologText


@dataclass(frozen=True, slots=True)
class ClauseRef:
    """A clause by its text and its number there."""

    source: PrologText
    index: int

    @property
    def clause(self) -> Clause:
        """The clause itself."""
        return self.source.clause(self.index)

    @property
    def place(self) -> Place:
        """Where the clause stands in its text."""
        return self.source.clause_place(self.index)


@dataclass(frozen=True, slots=True)
class Relation:
    """How the background knowledge defines a predicate."""

    facts: int  # number of ground facts, each as often as it is written
    first: ClauseRef
    rules: tuple[ClauseRef, ...]  # clauses that are not ground facts: rules, and facts with variables


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """The facts and rules of all texts.

    Equal to another if it has the same clauses in the same order, however they are spread over texts.
    """

    sources: tuple[PrologText, ...]
    predicates: Mapping[Predicate, Relation] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Collect what the texts say about each predicate."""
        object.__setattr__(self, "predicates", _merged(self.sources))

    @property
    def facts(self) -> int:
        """How many ground facts there are, each as often as it is written."""
        return sum(relation.facts for relation in self.predicates.values())

    @property
    def constants(self) -> int:
        """How many different terms are arguments of facts."""
        terms: set[Term] = set()
        for source in self.sources:
            numbers: set[int] = set()
            for predicate in source.predicates:
                numbers.update(*source.reading.columns(*predicate))
            terms.update(map(source.reading.term, numbers))
        return len(terms)

    def rules(self) -> Iterator[ClauseRef]:
        """Every clause that is neither a ground fact nor a directive, predicate by predicate."""
        for relation in self.predicates.values():
            yield from relation.rules

    def clauses(self) -> Iterator[Clause]:
        """All clauses of all texts, in order."""
        for source in self.sources:
            yield from source.clauses()

    def __eq__(self, other: object) -> bool:
        """Two backgrounds are equal if they have the same clauses in the same order, in however many texts."""
        if not isinstance(other, Background):
            return NotImplemented
        if sum(map(len, self.sources)) != sum(map(len, other.sources)):
            return False
        # As text: comparing a clause of hundreds of literals term by term would recurse too deep.
        pairs = zip(self.clauses(), other.clauses(), strict=True)
        return all(render_clause(mine) == render_clause(theirs) for mine, theirs in pairs)

    def __hash__(self) -> int:
        """Equal backgrounds define the same predicates in the same order."""
        return hash(tuple(self.predicates))


def _merged(sources: tuple[PrologText, ...]) -> dict[Predicate, Relation]:
    """For each predicate its facts and rules in all texts."""
    merged: dict[Predicate, Relation] = {}
    for source in sources:
        for predicate, definition in source.predicates.items():
            rules = tuple(ClauseRef(source, index) for index in definition.rules)
            known = merged.get(predicate)
            if known is None:
                merged[predicate] = Relation(definition.facts, ClauseRef(source, definition.first), rules)
            else:
                merged[predicate] = Relation(known.facts + definition.facts, known.first, known.rules + rules)
    return merged


# Arguments that are goals, by predicate: what a body calls is also looked for in there.
_GOAL_ARGUMENTS: Mapping[Predicate, tuple[int, ...]] = {
    **dict.fromkeys((Predicate(name, 2) for name in (",", ";", "|", "->", "*->", "forall")), (0, 1)),
    **dict.fromkeys((Predicate(name, 1) for name in ("\\+", "not", "call", "once", "ignore")), (0,)),
    **dict.fromkeys((Predicate(name, 3) for name in ("findall", "bagof", "setof", "aggregate_all")), (1,)),
    Predicate(":", 2): (1,),
    Predicate("^", 2): (1,),
}


def goals(body: Term | None) -> Iterator[Term]:
    """The goals that a body calls, left to right, control constructs taken apart."""
    stack = [] if body is None else [body]
    while stack:
        goal = stack.pop()
        predicate = predicate_of(goal)
        positions = _GOAL_ARGUMENTS.get(predicate, ()) if predicate else ()
        if not positions:
            yield goal
        stack.extend(arguments_of(goal)[position] for position in reversed(positions))


def directive_notes(source: PrologText) -> Iterator[Note]:
    """One note for all directives of a text: `:- goal.` is read, but never executed."""
    if source.directives:
        first, *others = source.directives
        more = ""
        if others:
            more = f" (and {len(others)} more)"
        yield Note(f"this directive{more} is not executed", source.clause_place(first))
