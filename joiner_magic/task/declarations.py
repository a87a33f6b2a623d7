"""What each field of a bias declares: the directive that gives its value, and how it orders spaces.

A declaration stands once, as metadata of the field of `Bias`. How the directive is written and what it means, how flags
and bounds are read, how a bias is written out, completion, help, docs/reference/bias.md and the reuse of earlier
runs all go through the declarations. A field without one is an error when the module is imported, so nothing of this
can be forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from joiner_magic.logic.programs import Program
    from joiner_magic.task.bias import Bias

_ORDER, _DIRECTIVE = "order", "directive"  # of the metadata


@dataclass(frozen=True, slots=True)
class Order:
    """How one field orders spaces. Both questions may be answered no where yes would be right, never the other way.

    A bias is *narrower* than another if each hypothesis of its space is one of the other's. A program *keeps to* a field
    of a bias if it, a program of some other space, is in that space as far as this field decides.
    """

    name: str  # in words
    # Of the field: whether the first bias is narrower than the second, as far as the field decides.
    is_narrower: Callable[[str, Bias, Bias], bool]
    # Of the field: whether a program of the first space keeps to the second.
    keeps: Callable[[str, Program, Bias, Bias], bool]


class DirectiveKind(Enum):
    """What a directive gives, by its arguments."""

    FLAG = "no argument: something holds"
    BOUND = "a number above 0, which is said once"
    HEAD = "the name and arity of a predicate, which is said once"
    PREDICATES = "the name and arity of one predicate of several"
    WORDS = "a predicate's name and a tuple with a word for each argument, said once for each predicate"
    PAIRS = "one pair of several"
    PRICES = "nothing, one price for all errors, or one for each kind of error, which is said once"

    @property
    def arity(self) -> int:
        """How many arguments such a directive has, at most."""
        return {DirectiveKind.FLAG: 0, DirectiveKind.BOUND: 1}.get(self, 2)

    @property
    def arities(self) -> tuple[int, ...]:
        """All numbers of arguments that such a directive may have."""
        if self is DirectiveKind.PRICES:
            return (0, 1, 2)
        return (self.arity,)


@dataclass(frozen=True, slots=True)
class Directive:
    """One word of the language of biases."""

    name: str
    field: str  # of `Bias`: where its value is held
    kind: DirectiveKind
    form: str  # how it is written, such as max_vars(number)
    meaning: str
    absent: str  # what holds where no text gives it


@dataclass(frozen=True, slots=True)
class _Declaration:
    """The part of a directive that its field says; what is empty follows from the field and the kind."""

    kind: DirectiveKind
    meaning: str
    form: str = ""
    absent: str = ""


def flag(meaning: str, order: Order) -> dict[str, Any]:
    """The metadata of a field that is true where a text has its name as a directive."""
    return {_ORDER: order, _DIRECTIVE: _Declaration(DirectiveKind.FLAG, meaning)}


def bound(meaning: str, order: Order, *, absent: str = "") -> dict[str, Any]:
    """The metadata of a field that is a number; `absent` where there is more to say than its default."""
    return {_ORDER: order, _DIRECTIVE: _Declaration(DirectiveKind.BOUND, meaning, absent=absent)}


def directive(form: str, meaning: str, kind: DirectiveKind, order: Order, *, absent: str) -> dict[str, Any]:
    """The metadata of a field of another kind, whose directive may have another name."""
    return {_ORDER: order, _DIRECTIVE: _Declaration(kind, meaning, form, absent)}


def no_directive(order: Order) -> dict[str, Any]:
    """The metadata of a field that no directive gives."""
    return {_ORDER: order, _DIRECTIVE: None}


def orders_of(kind: type) -> dict[str, Order]:
    """The order of each field of a dataclass, by its name; a field without one is an error of ours."""
    found: dict[str, Any] = {each.name: each.metadata.get(_ORDER) for each in fields(kind)}
    missing = [name for name, order in found.items() if not isinstance(order, Order)]
    if missing:
        raise TypeError(f"{kind.__name__} does not say how it orders spaces by {', '.join(missing)}")
    return found


def directives_of(kind: type) -> dict[str, Directive]:
    """The directives that give the fields of a dataclass, by name; a field that declares nothing is an error of ours."""
    missing = [each.name for each in fields(kind) if _DIRECTIVE not in each.metadata]
    if missing:
        raise TypeError(f"{kind.__name__} does not say which directives give {', '.join(missing)}")
    declared = [
        _directive(each, each.metadata[_DIRECTIVE]) for each in fields(kind) if each.metadata[_DIRECTIVE]
    ]
    return {each.name: each for each in declared}


def _directive(of: Field[Any], declared: _Declaration) -> Directive:
    """The directive that a declared field of the bias stands for."""
    if declared.kind is DirectiveKind.FLAG:
        _check_default(of, bool)
        return Directive(of.name, of.name, declared.kind, of.name, declared.meaning, "no")
    if declared.kind is DirectiveKind.BOUND:
        _check_default(of, int)
        absent = declared.absent or str(of.default)
        return Directive(of.name, of.name, declared.kind, f"{of.name}(number)", declared.meaning, absent)
    name, _, _ = declared.form.partition("(")
    return Directive(name, of.name, declared.kind, declared.form, declared.meaning, declared.absent)


def _check_default(of: Field[Any], kind: type) -> None:
    """Raise TypeError if a field's default is not of the type that its declaration needs."""
    if type(of.default) is not kind:
        raise TypeError(
            f"{of.name} is declared to be of type {kind.__name__}, but its default is {of.default!r}"
        )


def names_of_kind(directives: Mapping[str, Directive], *kinds: DirectiveKind) -> tuple[str, ...]:
    """The names of the directives of some kinds, in the order of their fields."""
    return tuple(each.name for each in directives.values() if each.kind in kinds)
