"""Constraints as checks, against what the ASP source makes of the same text."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from conftest import each_field_task
from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.spaces.restrictions import (
    ForbiddenPattern,
    MostLiterals,
    MostOfType,
    NotMinable,
    Pattern,
    Restriction,
    restrictions,
)
from joiner_magic.solvers.asp_text import asp_name
from joiner_magic.task.bias import Bias
from joiner_magic.task.folder import load_task
from search.test_asp_source import random_bias


def allows(restriction: Restriction, bias: Bias, rule: Rule) -> bool:
    match restriction:
        case ForbiddenPattern(literals=literals, fixed=fixed):
            return not any(
                matches(literals, fixed, choice) for choice in product(rule.body, repeat=len(literals))
            )
        case MostOfType(type=kind, most=most):
            typed = {
                variable
                for literal in (rule.head, *rule.body)
                for variable, word in zip(
                    literal.args, bias.types.get(literal.predicate, ()), strict=False
                )
                if word == kind
            }  # fmt: skip
            return len(typed) <= most
        case MostLiterals(predicate=predicate, most=most):
            return [literal.predicate for literal in rule.body].count(predicate) <= most


def matches(literals: tuple[Pattern, ...], fixed: Mapping[int, int], choice: tuple[Literal, ...]) -> bool:
    values: dict[int, Argument] = {**fixed}
    return all(
        pattern.predicate == literal.predicate
        and all(
            values.setdefault(variable, value) == value
            for variable, value in zip(pattern.args, literal.args, strict=True)
        )
        for pattern, literal in zip(literals, choice, strict=True)
    )


def rules(bias: Bias, *, splittable: bool) -> set[Program]:
    source = AspSource(bias, splittable=splittable)
    return {
        program
        for size in range(2, source.largest + 1)
        for batch in source.generate(size)
        for program in batch.programs
    }


def random_atom(rng: Random, bias: Bias, names: str) -> str:
    """A literal of a constraint: mostly of a predicate of the bias, rarely of one that it does not have."""
    in_head = rng.random() < 0.25
    predicate = bias.head if in_head else rng.choice([*bias.body, *bias.body, Predicate("elsewhere", 1)])
    arity = rng.choice([str(predicate.arity), "_", "Arity"]) if rng.random() < 0.9 else "1"
    variables = [rng.choice([*names, "_"]) for _ in range(predicate.arity)]
    comma = "," if predicate.arity == 1 else ""
    args = rng.choice([f"({','.join(variables)}{comma})"] * 4 + ["_", "Whole"])
    kind = "head_literal" if in_head else "body_literal"
    return f"{kind}({rng.choice(['C', 'C', '_'])},{asp_name(predicate.name)},{arity},{args})"


def random_conjunction(rng: Random, bias: Bias) -> str:
    atoms = [random_atom(rng, bias, "UVW"[: rng.randint(1, 3)]) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.3 or all("(C," not in atom for atom in atoms):
        atoms.insert(0, "clause(C)")
    return f":- {', '.join(atoms)}."


def random_count(rng: Random, bias: Bias) -> str:
    kinds = sorted({kind for words in bias.types.values() for kind in words} | {"unheard"})
    predicate = rng.choice(bias.body)
    counted = rng.choice(
        [
            f"V : clause_var(C,V), var_type(C,V,{asp_name(rng.choice(kinds))})",
            f"V : var_type(C,V,{asp_name(rng.choice(kinds))}), clause_var(C,V)",
            f"Vs : body_literal(C,{asp_name(predicate.name)},{rng.choice(['_', predicate.arity])},Vs)",
        ]
    )
    guard = rng.choice([">", ">", ">=", "!=", "!=", "<", "<="])
    return f":- clause(C), #count{{{counted}}} {guard} {rng.randint(0, 3)}."


def random_fit_constraints(rng: Random, bias: Bias) -> str:
    while True:
        kinds = rng.choices([random_conjunction, random_conjunction, random_count], k=rng.randint(1, 2))
        text = " ".join(kind(rng, bias) for kind in kinds)
        with suppress(NotMinable):
            restrictions(replace(bias, constraints=text))
            return text


@pytest.mark.parametrize("seed", range(120))
def test_checks_allow_what_the_constraints_allow(seed: int) -> None:
    rng = Random(seed)
    bias = random_bias(rng, max_vars=rng.randint(2, 4), max_body=3, predicates=rng.randint(1, 3))
    splittable = rng.random() < 0.5
    free = rules(bias, splittable=splittable)
    for _ in range(3):
        constrained = replace(bias, constraints=random_fit_constraints(rng, bias))
        checks = restrictions(constrained)
        expected = {p for p in free if all(allows(check, bias, p.rules[0]) for check in checks)}
        assert rules(constrained, splittable=splittable) == expected, constrained.to_text()


BIAS = Bias(
    Predicate("h", 2),
    (Predicate("p", 1), Predicate("p", 2), Predicate("q", 2), Predicate("Odd name", 1)),
    types={Predicate("h", 2): ("t", "u"), Predicate("q", 2): ("t", "v")},
    max_vars=4,
    max_body=3,
)
P1, P2, Q, ODD = BIAS.body


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("% nothing but a comment", ()),
        (":- body_literal(C,q,_,(X,Y)), body_literal(C,q,2,(Y,_)).",
         (ForbiddenPattern((Pattern(Q, (0, 1)), Pattern(Q, (1, 2))), {}),)),
        (":- body_literal(C,p,_,_).",
         (ForbiddenPattern((Pattern(P1, (0,)),), {}), ForbiddenPattern((Pattern(P2, (0, 1)),), {}))),
        (":- body_literal(C,p,1,(X,)), head_literal(C,h,_,(_,X)).",
         (ForbiddenPattern((Pattern(P1, (0,)),), {0: 1}),)),
        (":- head_literal(C,h,A,Vs), body_literal(C,q,A,Vs).",
         (ForbiddenPattern((Pattern(Q, (0, 1)),), {0: 0, 1: 1}),)),
        (":- body_literal(_,\"Odd name\",_,(X,)).", (ForbiddenPattern((Pattern(ODD, (0,)),), {}),)),
        (":- body_literal(_,\"q\",_,_).", ()),
        (":- body_literal(_,q,_,(X,X)).", ()),
        (":- body_literal(_,r,_,_), clause(_).", ()),
        (":- head_literal(_,h,_,(X,X)).", ()),
        (":- clause(_).", (ForbiddenPattern((), {}),)),
        (":- clause(C), #count{V : clause_var(C,V), var_type(C,V,t)} != 1.", (MostOfType("t", 1),)),
        (":- #count{V : var_type(_,V,v)} > 1.", (MostOfType("v", 1),)),
        (":- 2 <= #count{V : var_type(_,V,v)}.", (MostOfType("v", 1),)),
        (":- clause(C), #count{V : clause_var(C,V), var_type(C,V,t)} >= 1.", (ForbiddenPattern((), {}),)),
        (":- clause(C), #count{V : clause_var(C,V), var_type(C,V,t)} < 1.", ()),
        (":- clause(C), #count{V : clause_var(C,V), var_type(C,V,w)} != 1.", (ForbiddenPattern((), {}),)),
        (":- clause(C), #count{Vs : body_literal(C,q,_,Vs)} > 1.", (MostLiterals(Q, 1),)),
    ],
)  # fmt: skip
def test_fit(text: str, expected: tuple[Restriction, ...]) -> None:
    assert restrictions(replace(BIAS, constraints=text)) == expected


@pytest.mark.parametrize(
    ("text", "because"),
    [
        (":- body_literal(C,p,_,(A,B)), A > B.", "plain atoms"),
        (":- body_literal(C,p,_,_), not body_literal(C,q,_,_).", "negation"),
        (":- head_var(C,V), not body_var(C,V).", "negation"),
        (":- body_literal(C,p,_,_) : clause(C).", "condition"),
        (":- body_literal(C,P,1,_), head_literal(C,P,1,_).", "in the place of a name"),
        (":- body_literal(0,p,1,_).", "in the place of a variable"),
        (":- body_literal(C,p,1,(0,)).", "in the place of a variable"),
        (":- body_literal(C,p,1,(C,)).", "uses C in two ways"),
        (":- body_literal(C,p,N,(N,)).", "uses N in two ways"),
        (":- body_literal(_,p,(1;2),_).", "in the place of a variable"),
        (":- body_size(C,N), body_literal(C,p,N,_).", "speaks of body_size"),
        (":- body_literal(C,p,1).", "speaks of body_literal"),
        ("both :- body_literal(_,p,_,_), body_literal(_,q,_,_). :- both.", "is more than a constraint"),
        ("#const q = p. :- body_literal(_,q,_,_).", "is more than a constraint"),
        (":- body_literal(C,q,_,_), #count{V : var_type(C,V,t)} > 1.", "a count and more"),
        (":- clause(C), #count{V : var_type(C,V,t)} = 2.", "compares a count"),
        (":- clause(C), 1 < #count{V : var_type(C,V,t)} < 3.", "unusual"),
        (":- clause(C), #sum{V : var_type(C,V,t)} > 2.", "unusual"),
        (":- clause(C), #count{V : clause_var(C,V)} > 2.", "other than variables of a type"),
        (":- clause(C), #count{C : clause_var(C,V), var_type(C,V,t)} > 2.", "uses C in two ways"),
        (":- clause(C), #count{V : clause_var(C,W), var_type(C,V,t)} > 2.", "other than variables"),
        (":- clause(C), #count{A : body_literal(C,p,A,Vs)} > 1.", "uses A in two ways"),
        (":- clause(C), #count{Vs : body_literal(C,p,_,Vs)} > 1.", "several predicates"),
        (":- clause(C), #count{Vs : body_literal(C,q,_,Vs)} < 1.", "more than the head"),
        (":- clause(C), #count{V : var_type(C,V,v)} != 1.", "more than the head"),
    ],
)  # fmt: skip
def test_unfit(text: str, because: str) -> None:
    with pytest.raises(NotMinable, match=because) as raised:
        restrictions(replace(BIAS, constraints=text))
    assert str(raised.value).startswith("the ")


def test_a_long_constraint_is_shortened() -> None:
    text = f":- {', '.join(['body_literal(C,p,_,_)'] * 20)}, not clause(1)."
    with pytest.raises(NotMinable) as raised:
        restrictions(replace(BIAS, constraints=text))
    assert len(str(raised.value)) < 130
    assert "…" in str(raised.value)


@each_field_task
def test_the_fields_constraints_are_fit(folder: Path) -> None:
    bias = load_task(folder).bias
    assert bool(restrictions(bias)) == bool(bias.constraints)
