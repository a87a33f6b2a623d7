"""Do the three texts make a task?

Each check takes what it needs and either returns notes or raises the one error that tells the
user what is wrong, where, and what to do. The order matters: a later check relies on the
earlier ones, so that the first error shown is the cause and not a consequence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from joiner_magic.errors import TaskError
from joiner_magic.logic.terms import Predicate, predicate_of
from joiner_magic.solvers.interrupt import Stop, never, stoppable
from joiner_magic.task.background import Background, directive_notes, goals
from joiner_magic.task.bias import BIAS_DIRECTIVES, Bias
from joiner_magic.task.declarations import DirectiveKind, names_of_kind
from joiner_magic.task.examples import Examples
from joiner_magic.task.notes import Note, did_you_mean, with_hint

# Predicates of SWI-Prolog that published tasks use without defining them.
_BUILTINS_BY_ARITY = {
    1: "atom atomic callable compound float ground integer is_list is_set nonvar number string var",
    2: "= \\= == \\== < > =< >= =:= =\\= @< @> @=< @>= is append atom_chars atom_codes atom_length"
    " atom_number atom_string char_code char_type code_type downcase_atom upcase_atom"
    " flatten last length list_to_set list_to_ord_set max_list max_member member memberchk"
    " min_list min_member msort number_codes permutation reverse sort string_chars string_codes"
    " string_length string_lower string_upper subset succ sum_list sumlist term_to_atom",
    3: "append arg atom_concat atomic_list_concat between delete functor intersection nth0 nth1 numlist"
    " plus select selectchk string_concat subtract union",
    4: "nth0 nth1 select sort",
    5: "sub_atom sub_string",
}
BUILTINS = frozenset(
    Predicate(name, arity) for arity, names in _BUILTINS_BY_ARITY.items() for name in names.split()
)
_MODES = ("in", "out")
_NAMED = 3  # predicates in a note


def validate(
    background: Background, examples: Examples, bias: Bias, stop: Stop = never
) -> tuple[frozenset[Predicate], tuple[Note, ...]]:
    """The built-in predicates that the bias relies on, and notes; TaskError if this is no task."""
    _check_head(examples, bias)
    _check_independence(background, bias.head, stop)
    builtins = frozenset(p for p in bias.body if p not in background.predicates and p in BUILTINS)
    for predicate in bias.body:
        if predicate not in background.predicates and predicate not in builtins:
            raise _undefined(predicate, background, bias)
    if not bias.body:
        raise TaskError("there is no predicate that a rule could use", remedy="add background knowledge")
    for words in bias.directions.items():
        _check_modes(*words, bias)
    notes = [note for source in background.sources for note in directive_notes(source)]
    for directive in names_of_kind(BIAS_DIRECTIVES, DirectiveKind.WORDS):
        notes.extend(_check_tuples(directive, bias))
    notes.extend(_too_wide(bias))
    return builtins, tuple(notes)


def _check_head(examples: Examples, bias: Bias) -> None:
    """Raise TaskError unless the examples are of the predicate that the bias says is learnt."""
    found, head = examples.predicate, bias.head
    if found != head:
        raise TaskError(
            f"the examples are of {found}, but head_pred says {head}",
            place=bias.place("head_pred", head) or examples.place,
            remedy=f"write head_pred({found.name},{found.arity}). or change the examples",
        )
    check_bounds(bias)


def check_bounds(bias: Bias) -> None:
    """A rule must at least have room for the variables of its head."""
    head = bias.head
    if head.arity > bias.max_vars:
        raise TaskError(
            f"{head} has {head.arity} variables in the head alone, but max_vars is {bias.max_vars}",
            place=bias.place("max_vars") or bias.place("head_pred", head),
            remedy=f"write max_vars({head.arity + 2}). or more",
        )


def _too_wide(bias: Bias) -> Iterator[Note]:
    """The variables of one literal are all different: a predicate can have more arguments than there are."""
    wide = [predicate for predicate in bias.body if predicate.arity > bias.max_vars]
    if not wide:
        return
    names = ", ".join(map(str, wide[:_NAMED]))
    if len(wide) > _NAMED:
        names += " and others"
    it = "it" if len(wide) == 1 else "them"
    enough = min(predicate.arity for predicate in wide)
    told = f"no rule can use {names}: max_vars is {bias.max_vars}"
    hint = f"write max_vars({enough}). or more to use {it}"
    yield Note(with_hint(told, hint), bias.place("body_pred", wide[0]))


def _check_independence(background: Background, head: Predicate, stop: Stop) -> None:
    """The paper's assumption: the background knowledge neither defines nor calls what is to be learnt."""
    relation = background.predicates.get(head)
    if relation is not None:
        raise TaskError(
            f"the background knowledge defines {head}, which is to be learnt",
            place=relation.first.place,
            remedy="give it another name here",
        )
    for rule in stoppable(background.rules(), stop):
        for goal in goals(rule.clause.body):
            if predicate_of(goal) == head:
                raise TaskError(
                    f"the background knowledge calls {head}, which is to be learnt",
                    place=rule.source.place(goal.position),
                    remedy="give it another name here",
                )


def _undefined(predicate: Predicate, background: Background, bias: Bias) -> TaskError:
    """The error for a predicate that rules may use though the background does not define it."""
    arities = [known.arity for known in background.predicates if known.name == predicate.name]
    if arities:
        known = " and ".join(f"{predicate.name}/{arity}" for arity in arities)
        message = f"the background knowledge defines {known}, but the bias says {predicate}"
        remedy = "correct the arity"
    else:
        message = f"the background knowledge does not define {predicate}"
        remedy = did_you_mean(predicate.name, (known.name for known in background.predicates))
        remedy = remedy or "define it, or take it out of the bias"
    return TaskError(message, place=bias.place("body_pred", predicate), remedy=remedy)


def _check_modes(predicate: Predicate, modes: Iterable[str], bias: Bias) -> None:
    """Raise TaskError for a direction of an argument that is neither `in` nor `out`."""
    for mode in modes:
        if mode not in _MODES:
            raise TaskError(
                f"the direction {mode} of {predicate} is neither in nor out",
                place=bias.place("direction", predicate),
                remedy=did_you_mean(mode, _MODES) or "write in or out for each argument",
            )


def _check_tuples(directive: str, bias: Bias) -> Iterator[Note]:
    """A type or direction for each predicate, and as long as its arity."""
    given = bias.words(directive)
    listed = (bias.head, *bias.body)
    arities_of: dict[str, list[int]] = {}
    for known in listed:
        arities_of.setdefault(known.name, []).append(known.arity)
    for predicate in given:
        arities = arities_of.get(predicate.name, [])
        place = bias.place(directive, predicate)
        if arities and predicate.arity not in arities:
            raise TaskError(
                f"the {directive} of {predicate.name} has length {predicate.arity},"
                f" but the bias says {predicate.name}/{arities[0]}",
                place=place,
                remedy="write one word for each argument",
            )
        if not arities:
            hint = did_you_mean(predicate.name, (known.name for known in listed))
            told = f"a {directive} for {predicate}, which is neither head nor body predicate"
            yield Note(with_hint(told, hint), place)
    lacking = [str(predicate) for predicate in listed if predicate not in given]
    if given and lacking:
        yield Note(f"no {directive} is given for {', '.join(lacking)}")
