"""Random small Datalog tasks and programs, hostile shapes included."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

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
    rules: tuple[Rule, ...] = ()  # of the background knowledge, for predicates q0, q1, …

    @property
    def background(self) -> str:
        facts = "".join(f"{render_term(fact)}.\n" for fact in self.facts)
        return facts + "".join(f"{render_rule(rule)}\n" for rule in self.rules)

    @property
    def examples(self) -> str:
        lines = [f"pos({render_term(e)}).\n" for e in self.pos] + [f"neg({render_term(e)}).\n" for e in self.neg]
        return "".join(lines)

    @property
    def bias(self) -> str:
        body = "".join(f"body_pred({p.name},{p.arity}).\n" for p in self.predicates)
        return f"head_pred({HEAD},{self.arity}).\n{body}max_vars({max(6, self.arity)}).\n"


def atom(name: str, args: tuple[Term, ...]) -> Term:
    return Compound(name, args) if args else Symbol(name)


@st.composite
def tasks(draw: st.DrawFn, recursive_rules: bool = False) -> RandomTask:
    domain = tuple(draw(st.lists(st.sampled_from(CONSTANTS), min_size=1, max_size=4, unique_by=repr)))
    constant = st.sampled_from(domain)

    def tuples(arity: int) -> st.SearchStrategy[tuple[Term, ...]]:
        return st.tuples(*[constant] * arity)

    predicates = [Predicate(f"p{i}", draw(st.integers(0, 3))) for i in range(draw(st.integers(1, 4)))]
    facts = tuple(
        atom(p.name, row)
        for p in predicates
        for row in draw(st.lists(tuples(p.arity), min_size=1, max_size=8))  # duplicates mean nothing new
    )
    rules: list[Rule] = []
    for name in ("q0", "q1")[: draw(st.integers(0, 2))]:
        made = Predicate(name, draw(st.integers(0, 2)))
        callable_ = [*predicates, made] if recursive_rules else list(predicates)
        rules += [draw(background_rules(made, callable_, domain)) for _ in range(draw(st.integers(1, 2)))]
        predicates.append(made)
    arity = draw(st.integers(0, 3))
    rows = draw(st.lists(tuples(arity), min_size=1, max_size=8, unique_by=repr))
    split = draw(st.integers(1, len(rows)))
    examples = tuple(atom(HEAD, row) for row in rows)
    return RandomTask(
        arity, tuple(predicates), facts, examples[:split], examples[split:], domain, tuple(rules)
    )


def background_rules(
    head: Predicate, callable_: list[Predicate], domain: tuple[Term, ...]
) -> st.SearchStrategy[Rule]:
    """Safe rules: the body binds every variable of the head."""

    def is_safe(rule: Rule) -> bool:
        bound = {arg for literal in rule.body for arg in literal.args if isinstance(arg, int)}
        return bool(rule.body) and all(arg in bound for arg in rule.head.args if isinstance(arg, int))

    return rules(head, callable_, domain).filter(is_safe)


@st.composite
def programs(draw: st.DrawFn, task: RandomTask) -> Program:
    """Rules for the target, perhaps with recursion and an invented predicate."""
    head = Predicate(HEAD, task.arity)
    invented = Predicate("inv", draw(st.integers(0, 2)))
    recursive = draw(st.booleans())
    heads = [head, *draw(st.lists(st.sampled_from([head, invented]), max_size=2))] if recursive else [head]
    if not recursive and draw(st.booleans()):
        heads.append(head)
    callable_ = [*task.predicates, *(heads if recursive else [])]
    return Program(tuple(draw(rules(h, callable_, task.domain)) for h in heads))


@st.composite
def rules(draw: st.DrawFn, head: Predicate, callable_: list[Predicate], domain: tuple[Term, ...]) -> Rule:
    variable = st.integers(0, 3)
    argument: st.SearchStrategy[Argument] = st.one_of(*[variable] * 7, st.sampled_from(domain))
    plain = draw(st.booleans())
    head_args = tuple(range(head.arity)) if plain else draw(st.tuples(*[argument] * head.arity))
    body = [
        Literal(p.name, draw(st.tuples(*[argument] * p.arity)))
        for p in draw(st.lists(st.sampled_from(callable_), max_size=4))
    ]
    return Rule(Literal(head.name, head_args), tuple(body))
