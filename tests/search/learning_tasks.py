"""Random small tasks for the learner, most of them with a hidden hypothesis behind the examples.

Drawn from a seeded generator, in sizes that an exhaustive search can still exhaust. A task is a
value that the reference reads and three texts that the learner reads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise, permutations, product
from operator import and_
from random import Random
from typing import TypeAlias

from contract.naive import Atom, least_model
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.render import render_rule, render_term
from joiner_magic.logic.terms import Compound, Predicate, Symbol, Term
from search.brute_force import Kind, Search, Space, rules_by_step

HEAD = "f"
Row: TypeAlias = tuple[Term, ...]
Words: TypeAlias = dict[Predicate, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Constraint:
    """A user's constraint on rules: in ASP, and as what it means."""

    text: str
    allows: Callable[[Rule], bool] = field(repr=False)


@dataclass(frozen=True, slots=True)
class LearningTask:
    head: Predicate
    body: tuple[Predicate, ...]
    facts: frozenset[Atom]  # all that the background knowledge entails
    domain: Row
    pos: tuple[Row, ...] = ()
    neg: tuple[Row, ...] = ()
    types: Words = field(default_factory=dict)
    directions: Words = field(default_factory=dict)
    constants: tuple[tuple[str, str], ...] = ()  # unary predicates among `body`, and their types
    rules: tuple[Rule, ...] = ()  # of the background knowledge
    max_vars: int = 3
    max_body: int = 3
    max_clauses: int = 1
    enable_recursion: bool = False
    enable_pi: bool = False
    allow_singletons: bool = False
    non_datalog: bool = False
    constraint: Constraint | None = None

    @property
    def background(self) -> str:
        derived = {rule.head.name for rule in self.rules}
        facts = sorted(render_term(_term(*atom)) + ".\n" for atom in self.facts if atom[0] not in derived)
        again = facts[::5]  # saying a fact twice means nothing new
        return "".join([*facts, *again]) + "".join(f"{render_rule(rule)}\n" for rule in self.rules)

    @property
    def examples(self) -> str:
        labelled = [("pos", row) for row in self.pos] + [("neg", row) for row in self.neg]
        return "".join(f"{label}({render_term(_term(HEAD, row))}).\n" for label, row in labelled)

    @property
    def bias(self) -> str:
        named = {name for name, _ in self.constants}
        lines = [f"head_pred({self.head.name},{self.head.arity})."]
        lines += [f"body_pred({p.name},{p.arity})." for p in self.body if p.name not in named]
        lines += [_tuple_line("type", p, kinds) for p, kinds in self.types.items() if p.name not in named]
        lines += [_tuple_line("direction", p, modes) for p, modes in self.directions.items()]
        lines += [f"constant({name},{kind})." for name, kind in self.constants]
        if self.constants:
            lines += ["body_pred(P,1) :- constant(P,_).", "type(P,(T,)) :- constant(P,T)."]
        lines += [f"{bound}({getattr(self, bound)})." for bound in ("max_vars", "max_body", "max_clauses")]
        flags = ("enable_recursion", "enable_pi", "allow_singletons", "non_datalog")
        lines += [f"{flag}." for flag in flags if getattr(self, flag)]
        lines += [self.constraint.text] if self.constraint else []
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return f"% bk\n{self.background}% exs\n{self.examples}% bias\n{self.bias}"


def _tuple_line(directive: str, predicate: Predicate, words: tuple[str, ...]) -> str:
    comma = "," if len(words) == 1 else ""
    return f"{directive}({predicate.name},({','.join(words)}{comma}))."


def _term(name: str, args: Row) -> Term:
    return Compound(name, args) if args else Symbol(name)


def random_learning_task(rng: Random, *, recursion: bool = False, invention: bool = False) -> LearningTask:
    """A task; with `recursion` or `invention` one that allows programs of several rules."""
    several = recursion or invention
    head = Predicate(HEAD, rng.choice([1, 1, 2] if several else [0, 1, 1, 1, 2, 2, 2, 2, 2, 3]))
    most_constants = (7 if head.arity == 1 else 5) if several else 9 if head.arity < 2 else 7
    domain: Row = tuple(map(Symbol, "abcdefghi"[: rng.randint(4 if several else 3, most_constants)]))
    body, types, facts = _background(rng, domain, several)
    rules = _derived(rng, body) if rng.random() < 0.25 else ()
    body += [rule.head.predicate for rule in rules]
    known = least_model(facts, Program(rules), domain)
    constants = _constants(rng, domain) if rng.random() < 0.3 else {}
    known |= {(name, (constant,)) for name, (constant, _) in constants.items()}
    body += [Predicate(name, 1) for name in constants]
    if head.arity:
        types[head] = tuple(rng.choice("sst") for _ in range(head.arity))
    typed = {p for p in types if rng.random() < 0.9} if rng.random() < 0.6 else set()
    max_vars, longest, max_clauses = _bounds(rng, head, body, recursion, invention)
    task = LearningTask(
        head,
        tuple(body),
        frozenset(known),
        domain,
        types={p: types[p] for p in types if p in typed} | _constant_types(constants),
        directions=_directions(rng, [head, *body]) if rng.random() < 0.35 else {},
        constants=tuple((name, kind) for name, (_, kind) in constants.items()),
        rules=rules,
        max_vars=max_vars,
        max_body=longest if rng.random() < 0.6 else rng.randint(1, longest),
        max_clauses=max_clauses,
        enable_recursion=recursion,
        enable_pi=invention,
        allow_singletons=rng.random() < 0.4,
        non_datalog=not several and rng.random() < 0.15,
        constraint=_constraint(rng, head, body, several) if rng.random() < 0.2 else None,
    )
    pos, neg = _examples(rng, task)
    return replace(task, pos=pos, neg=neg)


def _bounds(
    rng: Random, head: Predicate, body: list[Predicate], recursion: bool, invention: bool
) -> tuple[int, int, int]:
    """The variables, the longest body and the rules of a program, such that not too many bodies are possible."""
    several = recursion or invention
    max_vars = rng.randint(2, 3) if several else rng.randint(max(2, head.arity), 4 - (head.arity != 2))
    max_clauses = rng.choice([2, 2, 2, 3]) if recursion else 2 if invention else 1
    literals = sum(math.perm(max_vars, p.arity) for p in [*body, *[head] * recursion])
    most = (60 if max_clauses == 3 else 400) if several else 6000
    lengths = range(2, 3 if invention else 5)
    return max_vars, max((n for n in lengths if math.comb(literals, n) <= most), default=1), max_clauses


def _background(
    rng: Random, domain: Row, several: bool
) -> tuple[list[Predicate], dict[Predicate, tuple[str, ...]], set[Atom]]:
    """Predicates with facts; constants of the types s and t overlap. For recursion the first is a chain."""
    kinds = {"s": domain[: len(domain) - 1], "t": domain[1:]}
    arities = [2, 1] if several else []
    arities += [
        rng.choice([0, 1, 1, 1, 2, 2, 2, 2, 3])
        for _ in range(rng.randint(0 if several else 2, 2 if several else 4))
    ]
    body = [Predicate(f"p{i}", min(arity, 2) if several else arity) for i, arity in enumerate(arities)]
    types = {p: tuple(rng.choice(["s", "s", "t"]) for _ in range(p.arity)) for p in body if p.arity}
    facts: set[Atom] = set()
    for predicate in body:
        rows = list(product(*(kinds[kind] for kind in types.get(predicate, ()))))
        share = rng.choice([0.25, 0.4, 0.6, 0.75])
        facts |= {(predicate.name, row) for row in rng.sample(rows, max(1, round(len(rows) * share)))}
    if several:
        facts = {atom for atom in facts if atom[0] != body[0].name}
        facts |= {(body[0].name, (one, other)) for one, other in pairwise(domain)}
        types[body[0]] = ("s", "s")
    return body, types, facts


def _derived(rng: Random, body: Iterable[Predicate]) -> tuple[Rule, ...]:
    """A simple rule of the background knowledge: a projection or the converse of a relation."""
    pairs = [p for p in body if p.arity == 2]
    if not pairs:
        return ()
    made = Literal("q", rng.choice([(0,), (1,), (1, 0)]))
    return (Rule(made, (Literal(rng.choice(pairs).name, (0, 1)),)),)


def _constants(rng: Random, domain: Row) -> dict[str, tuple[Term, str]]:
    chosen = rng.sample(domain, rng.randint(1, 2))
    return {f"k{i}": (constant, rng.choice(["s", "t"])) for i, constant in enumerate(chosen)}


def _constant_types(constants: Mapping[str, tuple[Term, str]]) -> Words:
    return {Predicate(name, 1): (kind,) for name, (_, kind) in constants.items()}


def _directions(rng: Random, predicates: Iterable[Predicate]) -> Words:
    chosen = [p for p in predicates if p.arity and rng.random() < 0.7]
    return {p: tuple(rng.choice(["in", "in", "out"]) for _ in range(p.arity)) for p in chosen}


def _examples(rng: Random, task: LearningTask) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """A few of each kind; again if a single rule tells them apart, unless that happens too often."""
    space = Space(task)
    rules = [Kind(space.extension(rule.mask), rule.mentioned, rule.flow) for rule in space.rules()]
    rules = [kind for kind in rules if 0 < kind.extension < (1 << len(space.tuples)) - 1]
    recursive = _recursive(rng, space) if task.enable_recursion else []
    pool = [*recursive, *rng.sample(rules, min(len(recursive) or len(rules), len(rules)))]
    arbitrary = rng.choice([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 8])
    for _ in range(rng.choice([1, 10, 20, 20])):
        pos, neg = _labelled(rng, _hidden(rng, space, pool), len(space.tuples), arbitrary)
        must, must_not = (sum(1 << i for i in bits) for bits in (pos, neg))
        if not any(x.extension & must == must and not x.extension & must_not for x in rules):
            break
    row = [tuple(task.domain[value] for value in digits) for digits in space.tuples]
    return tuple(row[i] for i in pos), tuple(row[i] for i in neg)


def _recursive(rng: Random, space: Space) -> list[Kind]:
    """Some recursive programs whose recursion matters."""
    search = Search(space)
    bases, steps = (list(rules_by_step(space, called)) for called in (None, space.task.head))
    pairs = [(rng.choice(bases).mask, rng.choice(steps)) for _ in range(60) if bases and steps]
    models = [(base, search.model(base, frozenset([step]))) for base, step in pairs]
    return [search.called(model) for base, model in models if base < model < (1 << len(space.tuples)) - 1]


def _hidden(rng: Random, space: Space, pool: list[Kind]) -> list[list[int]]:
    """A union of conjunctions, each fragment of which matters and leaves something; most are legal."""
    union = []
    for _ in range(rng.choice([1, 1, 2, 2, 3]) if pool else 0):
        for _ in range(10):
            conjunction = [rng.choice(pool)]
            for _ in range(rng.randint(0, 2)):
                left = reduce(and_, (kind.extension for kind in conjunction))
                conjunction += [
                    x for x in rng.sample(pool, min(5, len(pool))) if 0 < x.extension & left < left
                ][:1]
            whole = reduce(Kind.joined, conjunction)
            if space.legal(whole.mentioned, whole.flow):
                break
        union.append([kind.extension for kind in conjunction])
    return union


def _labelled(rng: Random, union: list[list[int]], count: int, arbitrary: int) -> tuple[list[int], list[int]]:
    """Numbers of positive and negative head tuples; some labels may be arbitrary.

    Negatives that miss a conjunction narrowly come first: they make its fragments necessary.
    """
    bits = list(range(count))
    rng.shuffle(bits)
    missing = {i: min((sum(1 - (x >> i & 1) for x in some) for some in union), default=1) for i in bits}
    missing.update((i, rng.randint(0, 1)) for i in bits[:arbitrary])
    bits.sort(key=lambda i: missing[i])
    pos = [i for i in bits if not missing[i]][: rng.randint(2, 8)]
    neg = [i for i in bits if missing[i]][: rng.randint(2, 12)]
    return (pos, neg) if pos else (neg[:1], neg[1:])


def _constraint(rng: Random, head: Predicate, body: list[Predicate], several: bool) -> Constraint:
    """One of the kinds that users write; with programs of several rules, one that parts of a rule inherit."""
    one, other = rng.choice(body), rng.choice(body)
    pairs = [p for p in body if p.arity == 2]
    kinds = [forbidden(one), apart(one, other), *map(ordered, pairs[:1])]
    return rng.choice(kinds if several else [*kinds, counted(head.arity + rng.randint(0, 1))])


def forbidden(predicate: Predicate) -> Constraint:
    text = f":- body_literal(_,{predicate.name},{predicate.arity},_)."
    return Constraint(text, lambda rule: predicate not in (literal.predicate for literal in rule.body))


def apart(one: Predicate, other: Predicate) -> Constraint:
    """No two literals of a rule are of these predicates; one predicate occurs once at most."""
    if one == other:
        text = f":- clause(C), #count{{Vs : body_literal(C,{one.name},_,Vs)}} > 1."
        return Constraint(text, lambda rule: [x.predicate for x in rule.body].count(one) < 2)
    text = f":- body_literal(C,{one.name},_,_), body_literal(C,{other.name},_,_)."
    return Constraint(text, lambda rule: not {one, other} <= {literal.predicate for literal in rule.body})


def counted(number: int) -> Constraint:
    text = f":- clause(C), #count{{V : clause_var(C,V)}} != {number}."
    return Constraint(
        text, lambda rule: len({arg for literal in (rule.head, *rule.body) for arg in literal.args}) == number
    )


def ordered(predicate: Predicate) -> Constraint:
    """The variables of the predicate's literals rise, in some numbering of the body-only ones."""

    def allows(rule: Rule) -> bool:
        first = len(rule.head.args)
        pairs = [[v for v in x.args if isinstance(v, int)] for x in rule.body if x.predicate == predicate]
        body_only = sorted({v for pair in pairs for v in pair if v >= first})
        numberings = (dict(zip(body_only, numbers, strict=True)) for numbers in permutations(body_only))
        return any(all(n.get(a, a) < n.get(b, b) for a, b in pairs) for n in numberings)

    return Constraint(f":- body_literal(_,{predicate.name},_,(A,B)), A > B.", allows)
