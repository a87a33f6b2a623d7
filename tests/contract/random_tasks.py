"""Random small Datalog tasks and programs, hostile shapes included.

Drawn from a seeded generator: what comes out is spread evenly over programs that cover some, all
and no examples, which a shrinking generator of small values does not manage.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random

from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.render import render_rule, render_term
from joiner_magic.logic.terms import NIL, Compound, Float, Integer, List, Predicate, String, Symbol, Term

CONSTANTS: list[Term] = [
    Symbol("a"),
    Symbol("b"),
    Symbol("Odd 'name'"),
    Integer(1),
    Float(1.0),
    String("a"),
    List((Symbol("a"), Integer(2)), NIL),
    Compound("f", (Symbol("a"),)),
]
HEAD = "target"


@dataclass(frozen=True)
class RandomTask:
    arity: int
    predicates: tuple[Predicate, ...]
    facts: tuple[Term, ...]
    pos: tuple[Term, ...]
    neg: tuple[Term, ...]
    domain: tuple[Term, ...]
    rules: tuple[Rule, ...]  # of the background knowledge, for predicates q0 and q1

    @property
    def background(self) -> str:
        facts = "".join(f"{render_term(fact)}.\n" for fact in self.facts)
        return facts + "".join(f"{render_rule(rule)}\n" for rule in self.rules)

    @property
    def examples(self) -> str:
        lines = [f"pos({render_term(e)}).\n" for e in self.pos] + [
            f"neg({render_term(e)}).\n" for e in self.neg
        ]
        return "".join(lines)

    @property
    def bias(self) -> str:
        body = "".join(f"body_pred({p.name},{p.arity}).\n" for p in self.predicates)
        return f"head_pred({HEAD},{self.arity}).\n{body}max_vars(6).\n"


def atom(name: str, args: tuple[Term, ...]) -> Term:
    return Compound(name, args) if args else Symbol(name)


def random_task(rng: Random, *, recursive_rules: bool = False) -> RandomTask:
    domain = tuple(rng.sample(CONSTANTS, rng.choice([1, 3, 4, 4, 5])))
    predicates = [
        Predicate(f"p{i}", rng.choice([0, 1, 1, 1, 2, 2, 2, 2, 3])) for i in range(rng.randint(2, 5))
    ]
    facts = tuple(  # some of them twice, which means nothing new
        atom(p.name, tuple(rng.choices(domain, k=p.arity)))
        for p in predicates
        for _ in range(rng.randint(1, 6))
    )
    rules: list[Rule] = []
    for name in ("q0", "q1")[: rng.randint(0, 2)]:
        made = Predicate(name, rng.randint(0, 2))
        callable_ = [*predicates, made] if recursive_rules else [*predicates]
        rules += [safe_rule(rng, made, callable_, domain) for _ in range(rng.randint(1, 2))]
        predicates.append(made)
    arity = rng.choice([0, 1, 1, 2, 2, 2, 3])
    rows = list(product(domain, repeat=arity))
    rows = rng.sample(rows, min(len(rows), rng.randint(1, 15)))
    examples = tuple(atom(HEAD, row) for row in rows)
    split = rng.randint(1, len(rows))
    return RandomTask(
        arity, tuple(predicates), facts, examples[:split], examples[split:], domain, tuple(rules)
    )


def random_program(rng: Random, task: RandomTask) -> Program:
    """Rules for the target, in half of the cases with recursion and an invented predicate."""
    head = Predicate(HEAD, task.arity)
    callable_ = list(task.predicates)
    heads = [head] * rng.randint(1, 2)
    if rng.random() < 0.5:
        invented = Predicate("inv", rng.randint(0, 2))
        heads = [head, head, *rng.choices([head, invented], k=rng.randint(0, 2))]
        callable_ += heads
    return Program(tuple(random_rule(rng, h, callable_, task.domain) for h in heads))


def random_rule(rng: Random, head: Predicate, callable_: list[Predicate], domain: tuple[Term, ...]) -> Rule:
    """Mostly as a learner writes them; now and then constants and repeated variables in the head."""

    def arguments(count: int) -> tuple[Argument, ...]:
        return tuple(
            rng.choice(domain) if rng.random() < 0.1 else rng.choice([0, 0, 1, 1, 2, 3]) for _ in range(count)
        )

    head_args = tuple(range(head.arity)) if rng.random() < 0.8 else arguments(head.arity)
    called = rng.choices(callable_, k=rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 3, 4]))
    return Rule(Literal(head.name, head_args), tuple(Literal(p.name, arguments(p.arity)) for p in called))


def safe_rule(rng: Random, head: Predicate, callable_: list[Predicate], domain: tuple[Term, ...]) -> Rule:
    """A rule whose body binds every variable of its head."""
    while True:
        rule = random_rule(rng, head, callable_, domain)
        bound = {arg for literal in rule.body for arg in literal.args if isinstance(arg, int)}
        if rule.body and all(arg in bound for arg in rule.head.args if isinstance(arg, int)):
            return rule
