"""The canonical form: equal for isomorphic programs, and only for those."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from joiner_magic.logic.canonical import canonical, canonical_rule
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.terms import Predicate

HEAD = Literal("h", (0, 1))


def random_rule(rng: Random, head: Literal = HEAD, calls: tuple[Predicate, ...] = ()) -> Rule:
    """Few predicates and many variables, so that symmetric bodies are frequent."""
    predicates = [Predicate("p", 2), Predicate("q", 2), Predicate("r", 1), Predicate("p", 3), *calls]
    arity = len(head.args)
    variables = range(arity + rng.randint(1, 4))
    body = {
        Literal(name, tuple(rng.sample(variables, width)))
        for name, width in rng.choices(predicates, k=rng.randint(1, 5))
        if width <= len(variables)
    }
    return Rule(head, tuple(sorted(body)))


def shuffled(rng: Random, rule: Rule) -> Rule:
    """The same rule with other numbers for its body-only variables and its literals in another order."""
    arity = len(rule.head.args)
    inner = sorted({v for _, args in rule.body for v in args if isinstance(v, int) and v >= arity})
    numbers = dict(zip(inner, rng.sample(range(arity, arity + 18), len(inner)), strict=True))
    body = [Literal(name, tuple(numbers.get(v, v) for v in args)) for name, args in rule.body]  # type: ignore[arg-type]
    return Rule(rule.head, tuple(rng.sample(body, len(body))))


def least(rule: Rule) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The same for isomorphic rules only: the least of all renumbered bodies."""
    arity = len(rule.head.args)
    inner = sorted({v for _, args in rule.body for v in args if isinstance(v, int) and v >= arity})
    bodies = []
    for numbers in permutations(range(arity, arity + len(inner))):
        renumber = dict(zip(inner, numbers, strict=True))
        bodies.append(tuple(sorted((n, tuple(renumber.get(v, v) for v in args)) for n, args in rule.body)))  # type: ignore[arg-type]
    return min(bodies)


def test_shuffling_a_rule_changes_nothing() -> None:
    rng = Random(1)
    for _ in range(2000):
        rule = random_rule(rng)
        expected = canonical_rule(rule)
        assert least(expected) == least(rule)
        assert canonical_rule(shuffled(rng, rule)) == expected


def test_rules_of_the_same_form_are_isomorphic() -> None:
    rng = Random(2)
    forms: dict[Rule, object] = {}
    for _ in range(5000):
        rule = random_rule(rng)
        assert forms.setdefault(canonical_rule(rule), least(rule)) == least(rule)
    assert len(set(forms.values())) == len(forms)


def test_regular_bodies_need_every_order() -> None:
    """In a cycle all variables have the same colour: one cycle of six is not two of three."""

    def edges(*pairs: tuple[int, int]) -> Program:
        return Program((Rule(Literal("h", ()), tuple(Literal("e", pair) for pair in pairs)),))

    six = edges((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0))
    also_six = edges((0, 3), (3, 1), (1, 4), (4, 2), (2, 5), (5, 0))
    two_threes = edges((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3))
    assert canonical(six) == canonical(also_six)
    assert canonical(six) != canonical(two_threes)


def test_head_variables_are_numbered_as_in_the_head() -> None:
    rule = Rule(Literal("h", (7, 3)), (Literal("p", (3, 5)), Literal("p", (5, 7))))
    expected = Rule(Literal("h", (0, 1)), (Literal("p", (1, 2)), Literal("p", (2, 0))))
    assert canonical_rule(rule) == expected


def test_variables_of_the_head_are_no_renaming_of_each_other() -> None:
    one, other = (Program((Rule(HEAD, (Literal("r", (variable,)),)),)) for variable in (0, 1))
    assert canonical(one) != canonical(other)


@pytest.mark.parametrize("seed", range(5))
def test_programs_up_to_order_and_names_of_invented_predicates(seed: int) -> None:
    rng = Random(seed)
    calls = (Predicate("inv1", 1), Predicate("inv2", 1), Predicate("inv2", 2))
    swap = {"inv1": "inv2", "inv2": "inv1"}

    def renamed(literal: Literal) -> Literal:
        return Literal(swap.get(literal.name, literal.name), literal.args)

    for _ in range(200):
        rules = [
            random_rule(rng, calls=calls),
            random_rule(rng, Literal("inv1", (0,)), calls),
            random_rule(rng, Literal("inv2", (0,)), calls),
        ]
        again = [shuffled(rng, rule) for rule in rng.sample(rules, 3)]
        named = [Rule(renamed(head), tuple(map(renamed, body))) for head, body in again]
        head = Predicate("h", 2)
        expected = canonical(Program(tuple(rules)), head)
        assert canonical(Program(tuple(again)), head) == expected
        if not any(literal.predicate == Predicate("inv2", 2) for rule in rules for literal in rule.body):
            assert canonical(Program(tuple(named)), head) == expected


def test_names_of_invented_predicates_go_forward() -> None:
    variables = (0,)
    rules = (
        Rule(Literal("h", variables), (Literal("inv2", variables),)),
        Rule(Literal("inv2", variables), (Literal("inv1", variables),)),
        Rule(Literal("inv1", variables), (Literal("r", variables),)),
    )
    called = {rule.head.name: rule.body[0].name for rule in canonical(Program(rules)).rules}
    assert called == {"h": "inv1", "inv1": "inv2", "inv2": "r"}


def star(rays: int) -> tuple[Literal, ...]:
    return tuple(Literal("p", (0, 2 + ray)) for ray in range(rays))


def paths(number: int) -> tuple[Literal, ...]:
    ways = (
        (Literal("p", (0, 2 + 2 * way)), Literal("q", (2 + 2 * way, 3 + 2 * way))) for way in range(number)
    )
    return tuple(literal for way in ways for literal in way)


def cycles(number: int, length: int) -> tuple[Literal, ...]:
    return tuple(
        Literal("p", (2 + cycle * length + at, 2 + cycle * length + (at + 1) % length))
        for cycle in range(number)
        for at in range(length)
    )


@pytest.mark.parametrize("body", [star(12), paths(8), cycles(1, 12), cycles(3, 4), cycles(2, 6)])
def test_many_variables_that_can_be_exchanged_take_no_longer(body: tuple[Literal, ...]) -> None:
    """Of twelve variables there are 479,001,600 orders."""
    rng = Random(3)
    rule = Rule(HEAD, body)
    forms = {canonical_rule(shuffled(rng, rule)) for _ in range(5)}
    assert len(forms) == 1
    (form,) = forms
    assert len(form.body) == len(body)


def test_equal_colours_do_not_make_bodies_equal() -> None:
    """Every variable of these has one literal before it and one after it."""
    assert canonical_rule(Rule(HEAD, cycles(3, 4))) != canonical_rule(Rule(HEAD, cycles(2, 6)))
    assert canonical_rule(Rule(HEAD, cycles(4, 3))) != canonical_rule(Rule(HEAD, cycles(1, 12)))
