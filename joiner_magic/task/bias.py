"""The bias: which rules may be learnt.

A bias text is read into a value with every directive of the field; what the text leaves out has
a default, or is inferred from the other texts. `to_text` writes the value in the same language,
so that an inferred bias can be pasted, edited and read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from joiner_magic.errors import Place, TaskError
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Compound, Integer, Predicate, String, Symbol, Term
from joiner_magic.solvers.asp_text import AspText, asp_name
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.task.directives import Directive, Directives, read_directives
from joiner_magic.task.notes import Note
from joiner_magic.task.orders import (
    AT_MOST,
    EQUAL,
    FORBIDS,
    NO_EFFECT,
    SAME_OF_PREDICATES,
    WITHIN,
    at_most,
    clauses_needed,
    has_singletons,
    literals_needed,
    never_needed,
    ordered,
    orders_of,
    several_rules,
    variables_needed,
)
from joiner_magic.task.vocabulary import BOUNDS, DIRECTIVES, FLAGS

MAX_VARS = 6
MAX_BODY = 10
MAX_CLAUSES = 1
MAX_CLAUSES_RECURSIVE = 2  # also with invented predicates: both need a second clause


# An inferred bias takes more variables for a wide predicate, but not for one that is wider than this: of a table with
# nine columns and more there are so many literals that no search would come to anything else.
MAX_VARS_INFERRED = 8


@dataclass(frozen=True, slots=True)
class Bias:
    """Each field says how it orders spaces (`orders`): what earlier runs know is reused accordingly."""

    head: Predicate = field(metadata=ordered(EQUAL))
    body: tuple[Predicate, ...] = field(metadata=ordered(WITHIN))  # in order of appearance
    types: Mapping[Predicate, tuple[str, ...]] = field(
        default_factory=dict, metadata=ordered(SAME_OF_PREDICATES)
    )
    directions: Mapping[Predicate, tuple[str, ...]] = field(
        default_factory=dict, metadata=ordered(SAME_OF_PREDICATES)
    )
    constants: tuple[tuple[str, str], ...] = field(default=(), metadata=ordered(EQUAL))  # name and type
    max_vars: int = field(default=MAX_VARS, metadata=ordered(at_most(variables_needed)))
    max_body: int = field(default=MAX_BODY, metadata=ordered(at_most(literals_needed)))
    max_clauses: int = field(default=MAX_CLAUSES, metadata=ordered(at_most(clauses_needed)))
    enable_recursion: bool = field(default=False, metadata=ordered(at_most(several_rules)))
    enable_pi: bool = field(default=False, metadata=ordered(at_most(never_needed)))
    allow_singletons: bool = field(default=False, metadata=ordered(at_most(has_singletons)))
    non_datalog: bool = field(default=False, metadata=ordered(AT_MOST))
    constraints: str = field(
        default="", metadata=ordered(FORBIDS)
    )  # the user's own, in ASP over the meta-language
    # Where each directive is said, by its name and the predicate it is about.
    places: Mapping[tuple[str, Predicate | None], Place] = field(
        default_factory=dict, compare=False, repr=False, metadata=ordered(NO_EFFECT)
    )

    def place(self, directive: str, predicate: Predicate | None = None) -> Place | None:
        return self.places.get((directive, predicate))

    def to_text(self) -> str:
        """Bias text that reads back to this bias."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        for bound in BOUNDS:
            yield f"{bound}({getattr(self, bound)})."
        for flag in FLAGS:
            if getattr(self, flag):
                yield f"{flag}."
        yield ""
        yield from self._about("head_pred", self.head)
        for predicate in self.body:
            yield from self._about("body_pred", predicate)
        listed = {self.head, *self.body}
        for directive, tuples in (("type", self.types), ("direction", self.directions)):
            for predicate in tuples:
                if predicate not in listed:
                    yield _tuple_line(directive, predicate, tuples[predicate])
        for name, kind in self.constants:
            yield f"constant({asp_name(name)},{asp_name(kind)})."
        if self.constraints:
            yield ""
            yield self.constraints

    def _about(self, directive: str, predicate: Predicate) -> Iterator[str]:
        yield f"{directive}({asp_name(predicate.name)},{predicate.arity})."
        if predicate in self.types:
            yield _tuple_line("type", predicate, self.types[predicate])
        if predicate in self.directions:
            yield _tuple_line("direction", predicate, self.directions[predicate])


BIAS_ORDERS = orders_of(Bias)  # by the name of each field


def read_bias(
    texts: Sequence[AspText],
    missing: Callable[[], Bias],
    *,
    overriding: AspText | None = None,
    stop: Stop = never,
    memory: int | None = None,
) -> tuple[Bias, tuple[Note, ...]]:
    """The bias that the texts state together; where they name no predicates, they are those of `missing()`.

    Two texts must not contradict each other, but `overriding`, the last one, goes before the others.
    """
    text = AspText.joined([*texts, *([overriding] if overriding else [])])
    directives = read_directives(text, stop, memory)
    if overriding:
        directives = _overridden(directives, overriding.name)
    return _Reading(directives).bias(missing)


def _overridden(directives: Directives, by: str) -> Directives:
    """Without what a text of this name says otherwise."""
    said = {_subject(given) for given in directives.given if given.place.text == by}
    kept = tuple(g for g in directives.given if g.place.text == by or _subject(g) not in said)
    return replace(directives, given=kept)


def _subject(given: Directive) -> object:
    """What a directive is about that can only be said once; other directives add up."""
    match given.name, given.args:
        case (("max_vars" | "max_body" | "max_clauses" | "head_pred"), _):
            return given.name
        case (("type" | "direction"), (name, words)):
            return given.name, name, len(words.args) if isinstance(words, Compound) else 1
        case _:
            return given


class _Reading:
    """Collects the values of one bias text, where they stand, and what there is to say about them."""

    def __init__(self, directives: Directives) -> None:
        self._directives = directives
        self._places: dict[tuple[str, Predicate | None], Place] = {}
        self._notes = list(directives.notes)

    def bias(self, missing: Callable[[], Bias]) -> tuple[Bias, tuple[Note, ...]]:
        heads, body = self._predicates("head_pred"), self._predicates("body_pred")
        if len(heads) > 1:
            first, second, *_ = heads
            raise self._twice(("head_pred", first), first, second, self._places["head_pred", second])
        types: Mapping[Predicate, tuple[str, ...]] = self._tuples("type")
        inferred = missing() if not heads or not body else None
        bounds = (MAX_VARS, MAX_BODY)
        if inferred and not body:  # a text that narrows the inferred space must not widen it elsewhere
            body, types, bounds = (
                inferred.body,
                types or inferred.types,
                (inferred.max_vars, inferred.max_body),
            )
            self._notes.append(Note(f"no body_pred: rules may use all {len(body)} background predicates"))
        if inferred and not heads:
            heads = (inferred.head,)
            self._notes.append(Note(f"no head_pred: {inferred.head} follows from the examples"))
        (head,) = heads
        recursion = self._flag("enable_recursion") or self._calls_itself(head)
        pi = self._flag("enable_pi")
        bias = Bias(
            head,
            body=tuple(predicate for predicate in body if predicate != head),
            types=types,
            directions=self._tuples("direction"),
            constants=self._constants(),
            max_vars=self._bound("max_vars", bounds[0]),
            max_body=self._bound("max_body", bounds[1]),
            max_clauses=self._bound("max_clauses", MAX_CLAUSES_RECURSIVE if recursion or pi else MAX_CLAUSES),
            enable_recursion=recursion,
            enable_pi=pi,
            allow_singletons=self._flag("allow_singletons"),
            non_datalog=self._flag("non_datalog"),
            constraints=self._directives.constraints,
            places=self._places,
        )
        return bias, tuple(self._notes)

    def _flag(self, directive: str) -> bool:
        return bool(self._directives.named(directive))

    def _calls_itself(self, head: Predicate) -> bool:
        """Older texts allow recursion by naming the head predicate among the body predicates."""
        place = self._places.get(("body_pred", head))
        if place:
            self._notes.append(Note(f"{head} as a body predicate is read as enable_recursion", place))
        return place is not None

    def _predicates(self, directive: str) -> tuple[Predicate, ...]:
        found: dict[Predicate, None] = {}
        for given in self._directives.named(directive):
            name, arity = given.args
            if not isinstance(arity, Integer) or arity.value < 0:
                raise _wrong(given, f"{_shown(arity)} is not an arity")
            predicate = Predicate(self._name(given, name), arity.value)
            found[predicate] = None
            self._places.setdefault((directive, predicate), given.place)
        return tuple(found)

    def _tuples(self, directive: str) -> dict[Predicate, tuple[str, ...]]:
        found: dict[Predicate, tuple[str, ...]] = {}
        for given in self._directives.named(directive):
            name = self._name(given, given.args[0])
            words = self._words(given, given.args[1])
            predicate = Predicate(name, len(words))
            if found.setdefault(predicate, words) != words:
                first, second = (f"({','.join(pair)})" for pair in (found[predicate], words))
                raise self._twice((directive, predicate), first, second, given.place)
            self._places.setdefault((directive, predicate), given.place)
        return found

    def _words(self, given: Directive, value: Term) -> tuple[str, ...]:
        if isinstance(value, Compound) and not value.functor:
            return tuple(self._name(given, word) for word in value.args)
        word = self._name(given, value)
        self._notes.append(Note(f"a tuple of one is written ({asp_name(word)},)", given.place))
        return (word,)

    def _bound(self, directive: str, default: int) -> int:
        found: int | None = None
        for given in self._directives.named(directive):
            (value,) = given.args
            if not isinstance(value, Integer) or value.value < 1:
                raise _wrong(given, f"{directive} is a number above 0, not {_shown(value)}")
            if found is not None and found != value.value:
                raise self._twice((directive, None), found, value.value, given.place)
            found = value.value
            self._places.setdefault((directive, None), given.place)
        return default if found is None else found

    def _constants(self) -> tuple[tuple[str, str], ...]:
        found: dict[tuple[str, str], None] = {}
        for given in self._directives.named("constant"):
            value, kind = given.args
            name = self._name(given, value) if isinstance(value, (Symbol, String)) else _shown(value)
            found[name, self._name(given, kind)] = None
        return tuple(found)

    def _name(self, given: Directive, term: Term) -> str:
        if isinstance(term, Symbol):
            return term.name
        if isinstance(term, String) and term.value:
            return term.value
        raise _wrong(given, f"{_shown(term)} is not a name")

    def _twice(
        self, key: tuple[str, Predicate | None], first: object, second: object, place: Place
    ) -> TaskError:
        directive, predicate = key
        about = f" of {predicate}" if predicate and directive != "head_pred" else ""
        before = self._places[key].seen_from(place)
        return TaskError(
            f"{directive}{about} is given twice: {first} in {before}, here {second}",
            place=place,
            remedy="keep one of them",
        )


def _wrong(given: Directive, message: str) -> TaskError:
    return TaskError(message, place=given.place, remedy=f"write {DIRECTIVES[given.name]}.")


def _shown(term: Term) -> str:
    if isinstance(term, Compound) and not term.functor:
        return f"({','.join(_shown(argument) for argument in term.args)})"
    return render_term(term)


def _tuple_line(directive: str, predicate: Predicate, words: tuple[str, ...]) -> str:
    comma = "," if len(words) == 1 else ""
    return f"{directive}({asp_name(predicate.name)},({','.join(map(asp_name, words))}{comma}))."
