"""The hypothesis space as ASP programs, whose models are its programs.

The bias is written out as facts, and those parts of the encodings (solvers/encodings) are chosen that together
say what docs/reference/hypothesis-space.md does. Single rules and programs of several rules are ASP programs of
their own, because only single rules are fragments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, count, islice, permutations
from typing import TypeAlias

from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.terms import Predicate
from joiner_magic.solvers.asp import instances
from joiner_magic.solvers.asp_text import AspText, asp_name, asp_tuple
from joiner_magic.solvers.generation import Programs, SpaceTooLarge
from joiner_magic.solvers.generation_process import answer_sets
from joiner_magic.solvers.interrupt import Stop, never, stoppable
from joiner_magic.task.bias import Bias
from joiner_magic.task.vocabulary import META_LANGUAGE

_Candidate: TypeAlias = tuple[str, tuple[int, ...]]  # a predicate and variables for it

# Parts of encodings/language.lp: predicates that are only defined where a constraint names them.
_ON_DEMAND = (
    "var", "clause_var", "var_member", "var_in_literal",
    "recursive", "recursive_clause", "base_clause", "num_recursive",
)  # fmt: skip

# Numbers that are no variables: what aggregates are compared with, and arities of literals.
_GUARD = re.compile(r"\}\s*(?:!=|[<>]=?|=)\s*\d+|\d+\s*(?:!=|[<>]=?|=)?\s*(?:#\w+\s*)?\{|\}\s*\d+")
_ARITY = re.compile(r"((?:body|head)_literal\s*\(\s*\w+\s*,\s*(?:\w+|\"[^\"]*\")\s*),\s*\d+")
_NUMERIC = re.compile(
    r"[<>+*/\\&?^~|-]|(?<!\w)\d|\.\.|#(?:min|max|sum)"
    r"|\b(?:var_pos|(?:body_)?size|num_recursive)\s*\(|\}\s*=|=\s*(?:#\w+\s*)?\{"
)


# Measured with literals of eight variables: bytes for a fact of the text, with all that is ground from it.
_BYTES_PER_FACT = 1_000
_LARGE = 50_000  # facts, and
_MANY = 2_000_000  # instances of the user's constraints, that are ground in a process of their own
# The meta-language's predicates of which there are many atoms: for each literal, and for each tuple of variables.
_OF_LITERALS = ("body_literal", "var_in_literal", "var_type")
_OF_TUPLES = ("vars", "var_pos", "var_member")
_VERY_MANY = 1_000_000_000  # literals
_NARROW = 4  # arguments up to which a predicate is not to blame for the number of literals
MEMORY = 2_000_000_000  # bytes, where nobody says anything else


def most_variables(bias: Bias) -> int:
    """More variables than this a rule cannot connect: grounding for them would only take time."""
    widest = max((predicate.arity for predicate in (bias.head, *usable(bias))), default=0)
    return bias.head.arity + bias.max_body * max(widest - 1, 1) + 1


def most_literals(bias: Bias) -> int:
    """More literals than this there are not for a body; where they are very many, some large number."""
    predicates = (*bias.body, *([bias.head] if bias.enable_recursion else []))
    literals = sum(_arrangements(bias.max_vars, predicate.arity, _VERY_MANY) for predicate in predicates)
    if bias.enable_pi:
        return _VERY_MANY
    return max(1, literals)


def usable(bias: Bias) -> tuple[Predicate, ...]:
    """The body predicates that a rule has enough variables for: those of one literal are all different."""
    return tuple(predicate for predicate in bias.body if predicate.arity <= bias.max_vars)


def single_rules(
    bias: Bias,
    *,
    splittable: bool,
    fragments: bool,
    any_numbers: bool = False,
    memory: int = MEMORY,
    stop: Stop = never,
) -> Programs:
    """With `any_numbers` a rule comes in every numbering of its variables.

    Raises SpaceTooLarge where `memory`, in bytes, is not enough.
    """
    bias = _bounded(bias, bias.body, 1, memory)
    literals = _literals(bias, bias.body, stop)
    parts = ["single", "connected" if splittable else "unsplittable"]
    if not fragments:
        parts.append("whole")
    if _directed(bias, bias.body):
        parts += ["directions", "head_bound"] if fragments else ["directions"]
    sizes = f"_sizes(2,{1 + bias.max_body})."
    idle = _idle(bias, literals, splittable=splittable)
    any_numbers = any_numbers or numbers_matter(bias)
    return _answer_sets(bias, literals, [sizes, *idle], parts, any_numbers, 1, memory, stop)


def programs_of_several(
    bias: Bias, *, any_numbers: bool = False, memory: int = MEMORY, stop: Stop = never
) -> Programs:
    """With `any_numbers` a program comes in every numbering of its variables and of rules that can change places.

    Raises SpaceTooLarge where `memory`, in bytes, is not enough.
    """
    any_numbers = any_numbers or numbers_matter(bias)
    called = [bias.head] if bias.enable_recursion else []
    ranks = [(bias.head, 0)]
    if bias.enable_pi:
        ranks += _inventions(bias)
        called += [predicate for predicate, rank in ranks if rank]
    predicates = (*bias.body, *called)
    bias = _bounded(bias, predicates, bias.max_clauses, memory)
    parts = ["several", "invention" if bias.enable_pi else "plain_heads", "connected", "whole"]
    if _directed(bias, predicates):
        parts.append("directions")
    if bias.max_clauses > 2 and not any_numbers:
        parts.append("interchangeable")
    facts = [f"_rank({asp_name(name)},{arity},{rank})." for (name, arity), rank in ranks]
    facts.append(f"_sizes(4,{bias.max_clauses * (1 + bias.max_body)}).")
    literals = _literals(bias, predicates, stop)
    if not bias.enable_pi:  # heads of other arities have other body-only variables
        facts += _idle(bias, literals, splittable=True)
    return _answer_sets(bias, literals, facts, parts, any_numbers, bias.max_clauses, memory, stop)


def _inventions(bias: Bias) -> list[tuple[Predicate, int]]:
    """Predicates that can be invented, in all their arities, and their ranks."""
    taken = {bias.head.name, *(predicate.name for predicate in bias.body)}
    names = (name for number in count(1) if (name := f"inv{number}") not in taken)
    widest = min(bias.max_vars, max(predicate.arity for predicate in (bias.head, *bias.body)))
    return [
        (Predicate(name, arity), rank)
        for rank, name in enumerate(islice(names, bias.max_clauses - 1), start=1)
        for arity in range(1, widest + 1)
    ]


def _bounded(bias: Bias, predicates: Sequence[Predicate], clauses: int, memory: int) -> Bias:
    """The bias, with a bound on bodies that their literals can reach; SpaceTooLarge if these alone are too many."""
    most = memory // _BYTES_PER_FACT
    literals = sum(_arrangements(bias.max_vars, predicate.arity, most) for predicate in predicates)
    compared = max(0, bias.max_vars - bias.head.arity)
    facts = literals * (2 + compared * (compared - 1) // 4)
    max_body = bias.max_body
    if not re.search(r"\bmax_body\b", bias.constraints):  # a body is a set of literals
        max_body = min(max_body, max(1, literals))
    if max(facts, clauses * literals, clauses * max_body * literals // 10) > most:
        raise SpaceTooLarge(_too_wide(bias, predicates))
    return replace(bias, max_body=max_body)


def _too_wide(bias: Bias, predicates: Sequence[Predicate]) -> str:
    """What makes the literals too many, and what to do, in a line."""
    fitting = [predicate for predicate in predicates if predicate.arity <= bias.max_vars]
    widest = max(fitting, key=lambda predicate: predicate.arity, default=bias.head)
    ways = _arrangements(bias.max_vars, widest.arity, _VERY_MANY)
    number = f"{ways:,}" if ways <= _VERY_MANY else f"over {_VERY_MANY:,}"
    told = f"clingo makes the programs, and {widest} can have its variables in {number} ways"
    if widest.arity <= _NARROW:
        return f"{told}: lower max_vars"
    rule = f"p(A,B) :- {widest.name}(A,B,_,…)"
    return f"{told}: in its place give the bias predicates of fewer arguments, with background rules such as {rule}"


def _arrangements(things: int, places: int, most: int) -> int:
    """In how many ways different things fill the places; anything above `most` if there are more than that."""
    ways = 1
    for used in range(min(places, things + 1)):
        ways *= things - used
        if ways > most or not ways:
            break
    return ways


def _literals(bias: Bias, predicates: Sequence[Predicate], stop: Stop) -> list[_Candidate]:
    """What a body may hold, in the order of the search: wide literals first, as they connect the others."""
    # The head's types hold in its own rules only: with invention, the encoding sees to them.
    head_types: tuple[str, ...] = ()
    if not bias.enable_pi:
        head_types = bias.types.get(bias.head, ())
    found = [
        (-predicate.arity, variables, number)
        for number, predicate in enumerate(predicates)
        for variables in stoppable(permutations(range(bias.max_vars), predicate.arity), stop)
        if all(
            kind == head_types[variable]
            for variable, kind in zip(variables, bias.types.get(predicate, ()), strict=False)
            if variable < len(head_types)
        )
    ]
    return [(predicates[number].name, variables) for _, variables, number in sorted(found)]


def _answer_sets(
    bias: Bias,
    literals: Sequence[_Candidate],
    facts: list[str],
    parts: list[str],
    any_numbers: bool,
    clauses: int,
    memory: int,
    stop: Stop,
) -> Programs:
    parts += [name for name in _ON_DEMAND if re.search(rf"\b{name}\b", bias.constraints)]
    if any_numbers:
        parts.append("any_numbers")
    else:
        parts.append("numbered")
        facts += stoppable(_comparisons(bias, literals), stop)
    facts += (
        f"_literal({asp_name(name)},{len(variables)},{asp_tuple(variables)})." for name, variables in literals
    )
    tuples = _tuples(bias, {bias.head.arity, *(len(variables) for _, variables in literals)})
    facts += stoppable(tuples, stop)
    facts += _arguments(bias)
    if len(facts) * _BYTES_PER_FACT > memory:
        raise SpaceTooLarge
    # The bias itself is ASP: its directives are facts, and the constraints follow.
    head = Literal(bias.head.name, tuple(range(bias.head.arity)))
    work = max(len(facts), clauses * bias.max_body * len(literals) / 10)
    large = work > _LARGE or _constrained(bias, len(literals) * clauses, len(facts)) > _MANY
    text = "\n".join([*facts, bias.to_text()])
    return answer_sets(text, parts, head, large=large, memory=memory, stop=stop)


def _constrained(bias: Bias, literals: int, facts: int) -> float:
    """At most so many instances the user's constraints have."""
    if not bias.constraints:
        return 0
    # Of the others there are a few for each clause.
    given = {
        predicate: float(literals if predicate.name in _OF_LITERALS else 10) for predicate in META_LANGUAGE
    }
    given.update({predicate: float(facts) for predicate in META_LANGUAGE if predicate.name in _OF_TUPLES})
    return instances(AspText(bias.constraints, "bias"), given)


def _tuples(bias: Bias, arities: set[int]) -> Iterator[str]:
    for arity in sorted(arities):
        yield f"head_vars({arity},{asp_tuple(range(arity))})."
        for variables in permutations(range(bias.max_vars), arity):
            written = asp_tuple(variables)
            yield f"vars({arity},{written})."
            yield from (f"var_pos({v},{written},{i})." for i, v in enumerate(variables))


def _arguments(bias: Bias) -> Iterator[str]:
    for (name, arity), kinds in bias.types.items():
        for i, kind in enumerate(kinds):
            yield f"_type({asp_name(name)},{arity},{i},{asp_name(kind)})."
    for (name, arity), directions in bias.directions.items():
        yield f"_directed({asp_name(name)},{arity})."
        yield from (f"_in({asp_name(name)},{arity},{i})." for i, d in enumerate(directions) if d == "in")


def _directed(bias: Bias, predicates: Sequence[Predicate]) -> bool:
    """Whether directions can forbid anything."""
    return any("in" in bias.directions.get(predicate, ()) for predicate in predicates)


def _comparisons(bias: Bias, literals: Sequence[_Candidate]) -> Iterator[str]:
    """For every two variables that may be body-only the literals to compare, see `numbered` in rules.lp."""
    lowest = min(bias.head.arity, 1) if bias.enable_pi else bias.head.arity
    for v, w in combinations(range(lowest, bias.max_vars), 2):
        exchange = {v: w, w: v}
        place = 0
        for name, variables in literals:
            exchanged = tuple([exchange.get(variable, variable) for variable in variables])
            if variables < exchanged:
                place += 1
                pair = f"{asp_tuple(variables)},{asp_tuple(exchanged)}"
                yield f"_compare({v},{w},{place},{asp_name(name)},{len(variables)},{pair})."


def _idle(bias: Bias, literals: Sequence[_Candidate], *, splittable: bool) -> Iterator[str]:
    """For each number of literals the first variable that they cannot have use for.

    One literal has variables of the head. Each of the others, in the order in which they are connected,
    shares a variable with those before; it is body-only if the rule is not splittable.
    Without singletons every body-only variable has two places.
    """
    arity = bias.head.arity
    widths = [(sum(v >= arity for v in args), any(v < arity for v in args)) for _, args in literals]
    widest = max((width for width, _ in widths), default=0)
    at_head = max((width for width, head in widths if head), default=0) if arity else widest
    new = max(widest - 1, at_head if splittable else 0)
    for length in range(1, bias.max_body + 1):
        variables = at_head + (length - 1) * new
        if not bias.allow_singletons:
            variables = min(variables, (at_head + (length - 1) * widest) // 2)
        if arity + variables < bias.max_vars:
            yield f"_idle({length},{arity + variables})."


def numbers_matter(bias: Bias) -> bool:
    """Whether the user's constraints may tell apart variables, or clauses, by their numbers.

    They do if they compare or calculate, or if a number that is no arity and no bound of an aggregate
    may meet that of a variable or clause. All other constraints are true of every numbering of a rule or
    of none. Doubt costs time only.
    """
    text = re.sub(r'"(?:[^"\\]|\\.)*"', '""', bias.constraints).replace(":-", "")
    return bool(_NUMERIC.search(_ARITY.sub(r"\1", _GUARD.sub("", text))))


def redundant(program: Program) -> bool:
    """Whether a rule contains another one for the same head, in some numbering of its body-only variables."""
    return any(
        one is not other and one.head == other.head and _contains(one, other)
        for one in program.rules
        for other in program.rules
    )


def _contains(rule: Rule, other: Rule) -> bool:
    """Whether `rule` has all literals of the other, whose body-only variables may be renumbered."""
    if len(other.body) > len(rule.body):
        return False
    renumberings = [{variable: variable for variable in rule.head.args}]
    for name, args in other.body:
        renumberings = [
            extended
            for renumbering in renumberings
            for same_name, into in rule.body
            if same_name == name and (extended := _extended(renumbering, args, into)) is not None
        ]
        if not renumberings:
            return False
    return True


def _extended(
    renumbering: dict[Argument, Argument], args: Sequence[Argument], into: Sequence[Argument]
) -> dict[Argument, Argument] | None:
    """The renumbering that also takes `args` to `into`, different variables to different ones."""
    if len(args) != len(into):
        return None
    extended = dict(renumbering)
    for variable, number in zip(args, into, strict=True):
        if variable not in extended and number not in extended.values():
            extended[variable] = number
        elif extended.get(variable) != number:
            return None
    return extended
