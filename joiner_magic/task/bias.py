"""The bias: which rules may be learnt.

Here is the value, with every directive of the field; `bias_reader` makes it of texts. `to_text` writes it in the language of
the texts, so that an inferred bias can be pasted, edited and read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from joiner_magic.errors import Place
from joiner_magic.logic.terms import Predicate
from joiner_magic.solvers.asp_text import asp_name
from joiner_magic.task.declarations import (
    DirectiveKind,
    bound,
    directive,
    directives_of,
    flag,
    names_of_kind,
    no_directive,
    orders_of,
)
from joiner_magic.task.noise import Noise
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
    several_rules,
    variables_needed,
)

MAX_VARS = 6
MAX_BODY = 10
MAX_CLAUSES = 1
MAX_CLAUSES_RECURSIVE = 2  # also with invented predicates: both need a second clause
MAX_BODY_INFERRED = 6

# An inferred bias takes more variables for a wide predicate, but not for one that is wider than this: of a table with
# nine columns and more there are so many literals that no search would come to anything else.
MAX_VARS_INFERRED = 8


@dataclass(frozen=True, slots=True)
class Bias:
    """Which rules may be learnt. Each field declares the directive that gives it, and how it orders spaces."""

    head: Predicate = field(
        metadata=directive(
            "head_pred(name, arity)",
            "the predicate that is learnt",
            DirectiveKind.HEAD,
            EQUAL,
            absent="the predicate of the examples",
        )
    )
    body: tuple[Predicate, ...] = field(  # in order of appearance
        metadata=directive(
            "body_pred(name, arity)",
            "a predicate that rules may use",
            DirectiveKind.PREDICATES,
            WITHIN,
            absent="all predicates of the background knowledge",
        )
    )
    types: Mapping[Predicate, tuple[str, ...]] = field(
        default_factory=dict,
        metadata=directive(
            "type(name, (type1, ...))",
            "the types of a predicate's arguments: a variable has one type throughout its rule",
            DirectiveKind.WORDS,
            SAME_OF_PREDICATES,
            absent="inferred where no `body_pred` is given, otherwise none",
        ),
    )
    directions: Mapping[Predicate, tuple[str, ...]] = field(
        default_factory=dict,
        metadata=directive(
            "direction(name, (in, out, ...))",
            "which arguments must be bound when a literal runs (in), and which it binds (out)",
            DirectiveKind.WORDS,
            SAME_OF_PREDICATES,
            absent="none",
        ),
    )
    constants: tuple[tuple[str, str], ...] = field(  # name and type
        default=(),
        metadata=directive(
            "constant(name, type)",
            "a name and its type, for other lines of the bias; rules that are learnt have no constants",
            DirectiveKind.PAIRS,
            EQUAL,
            absent="none",
        ),
    )
    max_vars: int = field(
        default=MAX_VARS,
        metadata=bound(
            "the most variables in a generated rule; joined rules may have more", at_most(variables_needed)
        ),
    )
    max_body: int = field(
        default=MAX_BODY,
        metadata=bound(
            "the most literals in the body of a generated rule; joined rules may have more",
            at_most(literals_needed),
            absent=f"{MAX_BODY}; where no `body_pred` is given {MAX_BODY_INFERRED}",
        ),
    )
    max_clauses: int = field(
        default=MAX_CLAUSES,
        metadata=bound(
            "the most rules of a recursive program",
            at_most(clauses_needed),
            absent=f"{MAX_CLAUSES}; with recursion or invention {MAX_CLAUSES_RECURSIVE}",
        ),
    )
    enable_recursion: bool = field(
        default=False,
        metadata=flag("rules may call the predicate that is learnt", at_most(several_rules)),
    )
    enable_pi: bool = field(
        default=False,
        metadata=flag("rules may call predicates that the learner invents", at_most(never_needed)),
    )
    allow_singletons: bool = field(
        default=False, metadata=flag("a variable of the body may occur only once", at_most(has_singletons))
    )
    non_datalog: bool = field(
        default=False, metadata=flag("a variable of the head need not occur in the body", AT_MOST)
    )
    noise: Noise | None = field(
        default=None,
        metadata=directive(
            "noisy(missed, wrong)",
            "errors are allowed, at a price for each positive example that is missed and each negative one that is"
            " covered, times its weight; also `noisy.` for 1 and 1, `noisy(price).` for both, `noisy(balanced).`",
            DirectiveKind.PRICES,
            EQUAL,
            absent="errors are not allowed",
        ),
    )
    # The user's own, in ASP over the meta-language.
    constraints: str = field(default="", metadata=no_directive(FORBIDS))
    # Where each directive is said, by its name and the predicate it is about.
    places: Mapping[tuple[str, Predicate | None], Place] = field(
        default_factory=dict, compare=False, repr=False, metadata=no_directive(NO_EFFECT)
    )

    def place(self, directive: str, predicate: Predicate | None = None) -> Place | None:
        """Where the bias states a directive, about this predicate if one is given; None if no text states it."""
        return self.places.get((directive, predicate))

    def words(self, directive: str) -> Mapping[Predicate, tuple[str, ...]]:
        """What a directive with a word for each argument says, by predicate: their types or their directions."""
        found: Mapping[Predicate, tuple[str, ...]] = getattr(self, BIAS_DIRECTIVES[directive].field)
        return found

    def to_text(self) -> str:
        """Bias text that reads back to this bias."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        """The directives, one in each line: bounds and flags first, then what is said about each predicate."""
        for name in names_of_kind(BIAS_DIRECTIVES, DirectiveKind.BOUND):
            yield f"{name}({getattr(self, name)})."
        for name in names_of_kind(BIAS_DIRECTIVES, DirectiveKind.FLAG):
            if getattr(self, name):
                yield f"{name}."
        if self.noise is not None:
            yield self.noise.to_text()
        yield ""
        yield from self._about("head_pred", self.head)
        for predicate in self.body:
            yield from self._about("body_pred", predicate)
        listed = {self.head, *self.body}
        for name in names_of_kind(BIAS_DIRECTIVES, DirectiveKind.WORDS):
            for predicate, words in self.words(name).items():
                if predicate not in listed:
                    yield _tuple_line(name, predicate, words)
        for name, kind in self.constants:
            yield f"constant({asp_name(name)},{asp_name(kind)})."
        if self.constraints:
            yield ""
            yield self.constraints

    def _about(self, directive: str, predicate: Predicate) -> Iterator[str]:
        """The lines about one predicate: that rules may use it, and the words for its arguments."""
        yield f"{directive}({asp_name(predicate.name)},{predicate.arity})."
        for name in names_of_kind(BIAS_DIRECTIVES, DirectiveKind.WORDS):
            words = self.words(name).get(predicate)
            if words is not None:
                yield _tuple_line(name, predicate, words)


BIAS_ORDERS = orders_of(Bias)  # by the name of each field
BIAS_DIRECTIVES = directives_of(Bias)  # by name, in the order of the fields


def _tuple_line(directive: str, predicate: Predicate, words: tuple[str, ...]) -> str:
    """A directive that has a word for each argument of a predicate, such as its types."""
    comma = "," if len(words) == 1 else ""
    return f"{directive}({asp_name(predicate.name)},({','.join(map(asp_name, words))}{comma}))."
