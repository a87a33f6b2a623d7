"""Bias texts as a value: what the directives of one or more texts say together.

What the texts leave out has a default, or is inferred from the other texts of the task.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from joiner_magic.errors import Place, TaskError
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Compound, Integer, Predicate, String, Symbol, Term
from joiner_magic.solvers.asp_text import AspText, asp_name, decimal_of_shadow
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.task.bias import BIAS_DIRECTIVES, MAX_CLAUSES_RECURSIVE, Bias
from joiner_magic.task.declarations import DirectiveKind
from joiner_magic.task.directives import Directives, GivenDirective, read_directives
from joiner_magic.task.exact_numbers import NotExact, check_exact, read_exact
from joiner_magic.task.noise import BALANCED, Noise
from joiner_magic.task.notes import Note
from joiner_magic.task.vocabulary import BOUNDS, DIRECTIVES, FLAGS

_DEFAULT_BOUNDS: Mapping[str, Any] = {each.name: each.default for each in fields(Bias) if each.name in BOUNDS}


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
    return _BiasBuilder(directives).bias(missing)


def _overridden(directives: Directives, by: str) -> Directives:
    """The directives without those about which the text of this name says something else."""
    overriding = {_subject(given) for given in directives.given if given.place.text == by}
    kept = [
        given for given in directives.given if given.place.text == by or _subject(given) not in overriding
    ]
    return replace(directives, given=tuple(kept))


def _subject(given: GivenDirective) -> object:
    """What a directive is about that can only be said once; other directives add up."""
    match BIAS_DIRECTIVES[given.name].kind, given.args:
        case ((DirectiveKind.BOUND | DirectiveKind.HEAD | DirectiveKind.PRICES), _):
            return given.name
        case DirectiveKind.WORDS, (name, words):
            arity = 1
            if isinstance(words, Compound):
                arity = len(words.args)
            return given.name, name, arity
        case _:
            return given


class _BiasBuilder:
    """Makes a bias of the directives that hold; collects where they stand, and what there is to say about them."""

    def __init__(self, directives: Directives) -> None:
        """A reader of these directives."""
        self._directives = directives
        self._places: dict[tuple[str, Predicate | None], Place] = {}
        self._notes = list(directives.notes)

    def bias(self, missing: Callable[[], Bias]) -> tuple[Bias, tuple[Note, ...]]:
        """The bias and notes about it; `missing` infers what the directives leave open."""
        heads, body = self._predicates("head_pred"), self._predicates("body_pred")
        if len(heads) > 1:
            first, second, *_ = heads
            raise self._twice(("head_pred", first), first, second, self._places["head_pred", second])
        types: Mapping[Predicate, tuple[str, ...]] = self._tuples("type")
        defaults = _DEFAULT_BOUNDS
        inferred = None
        if not heads or not body:
            inferred = missing()
        if inferred and not body:  # a text that narrows the inferred space must not widen it elsewhere
            body, types = inferred.body, types or inferred.types
            defaults = {name: getattr(inferred, name) for name in _DEFAULT_BOUNDS}
            self._notes.append(Note(f"no body_pred: rules may use all {len(body)} background predicates"))
        if inferred and not heads:
            heads = (inferred.head,)
            self._notes.append(Note(f"no head_pred: {inferred.head} follows from the examples"))
        (head,) = heads
        flags = {name: bool(self._directives.named(name)) for name in FLAGS}
        flags["enable_recursion"] = flags["enable_recursion"] or self._calls_itself(head)
        if flags["enable_recursion"] or flags["enable_pi"]:
            defaults = {**defaults, "max_clauses": MAX_CLAUSES_RECURSIVE}
        directions, constants = self._tuples("direction"), self._constants()
        bounds: dict[str, Any] = {name: self._bound(name, default) for name, default in defaults.items()}
        bias = Bias(
            head,
            body=tuple(predicate for predicate in body if predicate != head),
            types=types,
            directions=directions,
            constants=constants,
            noise=self._noise(),
            constraints=self._directives.constraints,
            places=self._places,
            **bounds,
            **flags,
        )
        return bias, tuple(self._notes)

    def _calls_itself(self, head: Predicate) -> bool:
        """Older texts allow recursion by naming the head predicate among the body predicates."""
        place = self._places.get(("body_pred", head))
        if place:
            self._notes.append(Note(f"{head} as a body predicate is read as enable_recursion", place))
        return place is not None

    def _predicates(self, directive: str) -> tuple[Predicate, ...]:
        """The predicates that directives with this name state, each once, in order."""
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
        """For each predicate the words that directives with this name give its arguments."""
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

    def _words(self, given: GivenDirective, value: Term) -> tuple[str, ...]:
        """The words of a tuple. A single word is taken for a tuple of one, with a note."""
        if isinstance(value, Compound) and not value.functor:
            return tuple(self._name(given, word) for word in value.args)
        word = self._name(given, value)
        self._notes.append(Note(f"a tuple of one is written ({asp_name(word)},)", given.place))
        return (word,)

    def _bound(self, directive: str, default: int) -> int:
        """The number that directives with this name give, or the default if there is none."""
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

    def _noise(self) -> Noise | None:
        """What errors cost; None if no directive allows them."""
        found: Noise | None = None
        for given in self._directives.named("noisy"):
            noise = _noise_of(given)
            if found is not None and found != noise:
                first, second = found.to_text().removesuffix("."), noise.to_text().removesuffix(".")
                raise self._twice(("noisy", None), first, second, given.place)
            found = noise
            self._places.setdefault(("noisy", None), given.place)
        return found

    def _constants(self) -> tuple[tuple[str, str], ...]:
        """The constants that rules may contain, each with its type."""
        found: dict[tuple[str, str], None] = {}
        for given in self._directives.named("constant"):
            value, kind = given.args
            name = self._name(given, value) if isinstance(value, (Symbol, String)) else _shown(value)
            found[name, self._name(given, kind)] = None
        return tuple(found)

    def _name(self, given: GivenDirective, term: Term) -> str:
        """The name that a term is, with or without quotes; TaskError if it is something else."""
        if isinstance(term, Symbol):
            return term.name
        if isinstance(term, String) and term.value:
            return term.value
        raise _wrong(given, f"{_shown(term)} is not a name")

    def _twice(
        self, key: tuple[str, Predicate | None], first: object, second: object, place: Place
    ) -> TaskError:
        """The error for two statements about the same thing that differ."""
        directive, predicate = key
        about = ""
        if predicate and directive != "head_pred":
            about = f" of {predicate}"
        before = self._places[key].seen_from(place)
        return TaskError(
            f"{directive}{about} is given twice: {first} in {before}, here {second}",
            place=place,
            remedy="keep one of them",
        )


def _noise_of(given: GivenDirective) -> Noise:
    """The prices that one directive gives."""
    if not given.args:
        return Noise()
    if given.args == (Symbol("balanced"),):
        return BALANCED
    prices = [_price(given, term) for term in given.args]
    return Noise(prices[0], prices[-1])


def _price(given: GivenDirective, term: Term) -> Fraction:
    """A price, exactly as it is written: a whole number, a decimal, or in quotes either of them or a quotient."""
    try:
        match term:
            case Integer(value):
                return check_exact(Fraction(value))
            case String(text):
                return read_exact(text)
            case Symbol(name) if decimal := decimal_of_shadow(name):
                return read_exact(decimal)
            case _:
                raise NotExact("is no number")
    except NotExact as problem:
        shown = _shown(term)
        if isinstance(term, Symbol):
            shown = decimal_of_shadow(term.name) or shown
        raise TaskError(
            f"{shown[:60]} {problem}, so it cannot be the price of an error",
            place=given.place,
            remedy="write noisy. or a number above 0, such as noisy(2). or noisy(0.5,1). or noisy(balanced).",
        ) from None


def _wrong(given: GivenDirective, message: str) -> TaskError:
    """The error for a directive with a wrong argument; its remedy shows the form of the directive."""
    return TaskError(message, place=given.place, remedy=f"write {DIRECTIVES[given.name]}.")


def _shown(term: Term) -> str:
    """A term as the bias would have it: a tuple stands in brackets."""
    if isinstance(term, Compound) and not term.functor:
        return f"({','.join(_shown(argument) for argument in term.args)})"
    return render_term(term)
