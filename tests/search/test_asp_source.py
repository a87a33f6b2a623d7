"""The ASP source against an enumeration of its own, written from docs/reference/hypothesis-space.md."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, combinations, permutations, product
from random import Random

import pytest

from conftest import field_task
from joiner_magic.logic.canonical import canonical, canonical_rule
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.stages.constrain import ConsistentFragment, Constraint, CoversNothing
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.task.bias import Bias
from joiner_magic.task.folder import load_task
from joiner_magic.task.reader import read_program


@dataclass(frozen=True)
class Rules:
    """The rules for one head, by the conditions of the document."""

    bias: Bias
    head: Predicate
    called: tuple[Predicate, ...] = ()
    types: Mapping[Predicate, tuple[str, ...]] | None = None
    directions: Mapping[Predicate, tuple[str, ...]] | None = None

    def of_length(self, length: int, *, fragments: bool, splittable: bool) -> Iterator[Rule]:
        """All rules under all numberings of their variables."""
        head = Literal(self.head.name, tuple(range(self.head.arity)))
        literals = [
            Literal(name, variables)
            for name, arity in (*self.bias.body, *self.called)
            for variables in permutations(range(self.bias.max_vars), arity)
        ]
        for body in combinations(literals, length):
            used = sorted({v for _, args in body for v in args} | set(head.args))  # type: ignore[type-var]
            if used == list(range(len(used))) and self.well_formed(body):
                legal = fragments or self.covers_head(body)
                if legal and self.runs(body, fragments) and (splittable or not self.splits(body)):
                    yield Rule(head, body)

    def inner(self, literal: Literal) -> set[int]:
        return {v for v in literal.args if isinstance(v, int) and v >= self.head.arity}

    def well_formed(self, body: tuple[Literal, ...]) -> bool:
        return self.typed(body) and self.connected(body) and self.no_singletons(body)

    def typed(self, body: tuple[Literal, ...]) -> bool:
        types = self.bias.types if self.types is None else self.types
        head = Literal(self.head.name, tuple(range(self.head.arity)))
        kinds: dict[object, str] = {}
        return all(
            kinds.setdefault(variable, kind) == kind
            for literal in (head, *body)
            for variable, kind in zip(literal.args, types.get(literal.predicate, ()), strict=False)
        )

    def connected(self, body: tuple[Literal, ...]) -> bool:
        if not self.head.arity:
            return True
        reached: set[object] = set(range(self.head.arity))
        for _ in body:
            reached |= {v for literal in body if reached & set(literal.args) for v in literal.args}
        return all(self.inner(literal) <= reached for literal in body)

    def no_singletons(self, body: tuple[Literal, ...]) -> bool:
        occurrences = [v for literal in body for v in self.inner(literal)]
        return self.bias.allow_singletons or all(occurrences.count(v) > 1 for v in occurrences)

    def covers_head(self, body: tuple[Literal, ...]) -> bool:
        return self.bias.non_datalog or set(range(self.head.arity)) <= {v for _, args in body for v in args}

    def runs(self, body: tuple[Literal, ...], all_bound: bool) -> bool:
        directions = self.bias.directions if self.directions is None else self.directions
        given = directions.get(self.head)
        bound: set[object] = {v for v in range(self.head.arity) if all_bound or not given or given[v] == "in"}
        waiting = list(body)
        while waiting:
            ready = [
                literal
                for literal in waiting
                if all(
                    d != "in" or v in bound
                    for v, d in zip(literal.args, directions.get(literal.predicate, ()), strict=False)
                )
            ]
            if not ready:
                return False
            bound.update(v for literal in ready for v in literal.args)
            waiting = [literal for literal in waiting if literal not in ready]
        return True

    def splits(self, body: tuple[Literal, ...]) -> bool:
        return any(
            not set().union(*map(self.inner, one))
            & set().union(*(self.inner(x) for x in body if x not in one))
            for size in range(1, len(body))
            for one in combinations(body, size)
        )


def single_rules(
    bias: Bias,
    size: int,
    *,
    fragments: bool = True,
    splittable: bool = False,
    allowed: Callable[[Rule], bool] = lambda _: True,
) -> set[Program]:
    """Rules of which a numbering is allowed."""
    rules = Rules(bias, bias.head).of_length(size - 1, fragments=fragments, splittable=splittable)
    return {canonical(Program((rule,))) for rule in rules if allowed(rule)}


def contains(rule: Rule, other: Rule) -> bool:
    """Some renumbering of the other's body-only variables makes it a part of the rule."""
    arity = len(rule.head.args)
    inner = sorted({v for _, args in other.body for v in args if isinstance(v, int) and v >= arity})
    for image in permutations(range(arity, 5), len(inner)):
        numbers = dict(zip(inner, image, strict=True))
        if {(n, tuple(numbers.get(v, v) for v in args)) for n, args in other.body} <= set(rule.body):  # type: ignore[arg-type]
            return True
    return False


def several_rules(bias: Bias, size: int) -> set[Program]:
    return {
        canonical(Program(tuple(rules)), bias.head)
        for count in range(2, bias.max_clauses + 1)
        for spaces in rule_spaces(bias)
        for lengths in product(range(1, bias.max_body + 1), repeat=count)
        if sum(lengths) + count == size and list(lengths) == sorted(lengths)
        for rules in chosen_rules(spaces, lengths)
        if is_program(bias, rules)
    }


def rule_spaces(bias: Bias) -> Iterator[list[Rules]]:
    """The rules for the head and for what is invented, under all types and directions of the latter."""
    own = (bias.head,) if bias.enable_recursion else ()
    yield [Rules(bias, bias.head, own)]
    if not bias.enable_pi:
        return
    kinds = sorted({kind for words in bias.types.values() for kind in words})
    widest = min(bias.max_vars, max(p.arity for p in (bias.head, *bias.body)))
    for number in range(1, bias.max_clauses):
        for arities in product(range(1, widest + 1), repeat=number):
            invented = [Predicate(f"inv{i}", arity) for i, arity in enumerate(arities, start=1)]
            typings = [product(kinds, repeat=arity) if kinds else [()] for arity in arities]
            modes = [product(("in", "out"), repeat=arity) if bias.directions else [()] for arity in arities]
            for words, ways in product(product(*typings), product(*modes)):
                types = {**bias.types, **dict(zip(invented, words, strict=True))}
                directions = {
                    **bias.directions,
                    **{p: way for p, way in zip(invented, ways, strict=True) if way},
                }
                heads = [bias.head, *invented]
                yield [
                    Rules(bias, head, tuple(heads[i + (not own) :]), types, directions)
                    for i, head in enumerate(heads)
                ]


def chosen_rules(spaces: list[Rules], lengths: tuple[int, ...]) -> Iterator[tuple[Rule, ...]]:
    pools = [
        list({
            canonical_rule(rule)
            for space in spaces
            for rule in space.of_length(length, fragments=False, splittable=True)
        })
        for length in lengths
    ]  # fmt: skip
    yield from product(*pools)


def is_program(bias: Bias, rules: tuple[Rule, ...]) -> bool:
    defined = {rule.head.predicate for rule in rules}
    invented = defined - {bias.head}
    calls = {(rule.head.predicate, x.predicate) for rule in rules for x in rule.body}
    own_calls = {
        (caller, called) for caller, called in calls if called in defined or called.name.startswith("inv")
    }
    return (
        bias.head in defined
        and bool(own_calls)
        and {called for caller, called in own_calls if caller != called} == invented
        and {called for _, called in own_calls} <= defined
        and sorted(p.name for p in invented) == [f"inv{i}" for i in range(1, len(invented) + 1)]
        and all(rule.head not in rule.body for rule in rules)
        and all(
            any(rule.head.predicate == p and p not in {x.predicate for x in rule.body} for rule in rules)
            for p, called in own_calls
            if p == called
        )
        and not any(one.head == other.head and contains(one, other) for one, other in permutations(rules, 2))
    )


def generated(source: AspSource, size: int) -> list[Program]:
    return [program for batch in source.generate(size) for program in batch.programs]


def random_bias(rng: Random, *, max_vars: int, max_body: int, predicates: int, widest: int = 3) -> Bias:
    arities = [arity for arity in (0, 1, 1, 2, 2, 3) if arity <= widest]
    head = Predicate("h", rng.choice(arities))
    names = rng.sample(["p", "q", "Odd name", "größer", "h", "size"], predicates)
    body = tuple(Predicate(name, rng.choice(arities)) for name in names)
    body = tuple(predicate for predicate in body if predicate != head)
    kinds = rng.choice([["t"], ["t", "Other kind"]])
    typed = [p for p in (head, *body) if rng.random() < 0.6]
    directed = [p for p in (head, *body) if rng.random() < rng.choice([0, 0.7])]
    return Bias(
        head,
        body or (Predicate("p", 1),),
        types={p: tuple(rng.choices(kinds, k=p.arity)) for p in typed if p.arity},
        directions={p: tuple(rng.choices(["in", "out"], k=p.arity)) for p in directed if p.arity},
        max_vars=max(head.arity, max_vars),
        max_body=max_body,
        allow_singletons=rng.random() < 0.5,
        non_datalog=rng.random() < 0.3,
    )


@pytest.mark.parametrize("seed", range(150))
def test_single_rules_are_those_of_the_definition(seed: int) -> None:
    rng = Random(seed)
    bias = random_bias(rng, max_vars=rng.randint(2, 4), max_body=3, predicates=rng.randint(1, 3))
    fragments, splittable = rng.choice([(True, False), (True, True), (False, False), (False, True)])
    source = AspSource(bias, splittable=splittable, fragments=fragments)
    for size in range(2, source.largest + 1):
        found = generated(source, size)
        assert len(found) == len(set(found))
        expected = single_rules(bias, size, fragments=fragments, splittable=splittable)
        assert set(found) == expected, bias.to_text()
    assert generated(source, source.largest + 1) == []


@pytest.mark.parametrize("seed", range(40))
def test_recursive_programs_are_those_of_the_definition(seed: int) -> None:
    rng = Random(seed)
    clauses = rng.choice([2, 2, 3])
    bias = random_bias(rng, max_vars=5 - clauses, max_body=2, predicates=2, widest=2)
    check_programs_of_several(replace(bias, enable_recursion=True, max_clauses=clauses))


@pytest.mark.parametrize("seed", range(40))
def test_programs_with_invention_are_those_of_the_definition(seed: int) -> None:
    rng = Random(seed)
    clauses = rng.choice([2, 2, 3])
    bias = random_bias(rng, max_vars=2, max_body=4 - clauses, predicates=2, widest=2)
    recursion = rng.random() < 0.4
    check_programs_of_several(replace(bias, enable_pi=True, enable_recursion=recursion, max_clauses=clauses))


def check_programs_of_several(bias: Bias) -> None:
    source = AspSource(bias)
    for size in range(2, source.largest + 1):
        found = [program for program in generated(source, size) if len(program.rules) > 1]
        assert len(found) == len(set(found))
        assert set(found) == several_rules(bias, size), bias.to_text()


SMALL = Bias(
    Predicate("h", 2),
    (Predicate("p", 2), Predicate("q", 1), Predicate("r", 2)),
    types={Predicate("q", 1): ("t",), Predicate("r", 2): ("t", "u")},
    max_vars=4,
    max_body=3,
    allow_singletons=True,
)


def variables(rule: Rule, kind: str) -> set[object]:
    """The rule's variables of type t or u, as SMALL has them."""
    return {
        v
        for literal in rule.body
        for v, word in zip(literal.args, SMALL.types.get(literal.predicate, ()), strict=False)
        if word == kind
    }


def names(rule: Rule) -> set[str]:
    return {name for name, _ in rule.body}


def increasing(rule: Rule) -> bool:
    return all(args[0] < args[1] for name, args in rule.body if name == "p")  # type: ignore[operator]


CONSTRAINTS: list[tuple[str, Callable[[Rule], bool]]] = [
    (":- clause(C), #count{V : clause_var(C,V), var_type(C,V,t)} != 1.", lambda r: len(variables(r, "t")) == 1),
    (":- body_literal(_,p,_,(A,B)), A > B.", increasing),
    (":- body_literal(C,p,2,(V,_)), body_literal(C,q,1,(V,)).",
     lambda r: not {x.args[0] for x in r.body if x.name == "p"} & {x.args[0] for x in r.body if x.name == "q"}),
    (":- body_literal(_,_,_,(_,3)).", lambda r: all(x.args[-1] != 3 or x.name == "q" for x in r.body)),
    (":- body_size(_,N), N > 2.", lambda r: len(r.body) <= 2),
    (":- size(3).", lambda r: len(r.body) != 2),
    (":- head_literal(C,h,_,(V,_)), not body_var(C,V).", lambda r: any(0 in x.args for x in r.body)),
    (":- head_var(C,V), var_in_literal(C,p,Vars,V), var_pos(V,Vars,0), V = 1.",
     lambda r: all(x.args[0] != 1 or x.name != "p" for x in r.body)),
    (":- vars(2,Vars), head_vars(2,Vars), body_literal(_,_,2,Vars).",
     lambda r: all(x.args != (0, 1) for x in r.body)),
    (":- var_member(V,Vars), body_literal(C,q,1,Vars), head_var(C,V).",
     lambda r: all(x.name != "q" or x.args[0] not in (0, 1) for x in r.body)),
    (":- var(V), V > 2, body_var(_,V).", lambda r: all(3 not in x.args for x in r.body)),
    ("both :- body_literal(_,p,_,_), body_literal(_,q,_,_). :- both.", lambda r: not {"p", "q"} <= names(r)),
    ("one :- not two. two :- not one. :- one, body_literal(_,q,_,_).", lambda r: True),
    (":- recursive. :- recursive_clause(_,_,_). :- base_clause(C,h,2), body_literal(C,r,_,_).",
     lambda r: "r" not in names(r)),
    (":- body_pred(P,1), body_literal(_,P,_,_), max_vars(4).", lambda r: "q" not in names(r)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "allowed"), CONSTRAINTS, ids=[text for text, _ in CONSTRAINTS])
def test_constraints_of_the_user(text: str, allowed: Callable[[Rule], bool]) -> None:
    """A rule is generated if one of its numberings satisfies them."""
    source = AspSource(replace(SMALL, constraints=text))
    for size in range(2, source.largest + 1):
        assert set(generated(source, size)) == single_rules(SMALL, size, allowed=allowed)


def recursive(program: Program, name: str = "h") -> list[Rule]:
    return [rule for rule in program.rules if rule.head.name == name and name in names(rule)]


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        (":- num_recursive(h,1).", lambda p: len(recursive(p)) != 1),
        (":- recursive_clause(C,h,_), body_literal(C,e,_,(V,_)), head_var(C,V).",
         lambda p: all(Literal("e", (0, 1)) not in r.body for r in recursive(p))),
        (":- base_clause(C,h,1), body_literal(C,q,_,_).",
         lambda p: all(r in recursive(p) or "q" not in names(r) for r in p.rules if r.head.name == "h")),
        (":- not recursive.", lambda p: any(recursive(p, name) for name in ("h", "inv1", "inv2"))),
        (":- invented(_,1).", lambda p: all(r.head.name == "h" or len(r.head.args) == 2 for r in p.rules)),
        (":- clause(2).", lambda p: len(p.rules) < 3),
    ],
)  # fmt: skip
def test_constraints_on_programs_of_several_rules(text: str, allowed: Callable[[Program], bool]) -> None:
    body = (Predicate("q", 1), Predicate("e", 2))
    bias = Bias(Predicate("h", 1), body, max_vars=2, max_body=2, max_clauses=3, allow_singletons=True)
    bias = replace(bias, enable_recursion=True, enable_pi=True)
    free, bound = AspSource(bias), AspSource(replace(bias, constraints=text))
    several = [p for size in range(4, 7) for p in generated(free, size) if len(p.rules) > 1]
    expected = {program for program in several if allowed(program)}
    assert 0 < len(expected) < len(several)
    assert {p for size in range(4, 7) for p in generated(bound, size) if len(p.rules) > 1} == expected


def specialises(rule: Rule, general: Rule) -> bool:
    """The body holds the other's under some map of its variables to different ones that keeps the head's."""
    own = sorted({v for _, args in general.body for v in args if isinstance(v, int)})
    kept = {v for v in own if v < len(rule.head.args)}
    inner = [v for v in own if v not in kept]
    for image in permutations([v for v in range(5) if v not in kept], len(inner)):
        numbers: dict[object, int] = dict(zip(inner, image, strict=True))
        if all(Literal(n, tuple(numbers.get(v, v) for v in args)) in rule.body for n, args in general.body):
            return rule.head == general.head
    return False


@pytest.mark.parametrize("seed", range(20))
def test_constraints_forbid_specialisations_of_rules_and_nothing_else(seed: int) -> None:
    rng = Random(seed)
    bias = replace(SMALL, max_vars=rng.choice([3, 4]), types=rng.choice([{}, SMALL.types]))
    source = AspSource(bias, splittable=rng.random() < 0.5, fragments=rng.random() < 0.8)
    expected = [generated(source, size) for size in range(2, 5)]
    causes: list[Constraint] = []
    for size, programs in zip(range(2, 5), expected, strict=True):
        allowed = {program for program in programs if not any(forbids(cause, program) for cause in causes)}
        assert set(generated(source, size)) == allowed
        some = rng.sample(sorted(allowed, key=repr), min(4, len(allowed)))
        new = [
            CoversNothing(program)
            if rng.random() < 0.6
            else ConsistentFragment(program, rng.choice([(0,), (0, 1)]))
            for program in some
        ]
        source.constrain(new)
        causes += new


def forbids(cause: Constraint, program: Program) -> bool:
    (general,), (rule,) = cause.program.rules, program.rules
    exempt = cause.missing if isinstance(cause, ConsistentFragment) else ()
    return specialises(rule, general) and not any(v in args for v in exempt for _, args in rule.body)


@pytest.mark.parametrize("seed", range(10))
def test_constraints_forbid_specialisations_of_programs_and_nothing_else(seed: int) -> None:
    rng = Random(seed)
    body = (Predicate("q", 1), Predicate("e", 2))
    bias = Bias(
        Predicate("h", 1), body, max_vars=3, max_body=2, enable_recursion=True, max_clauses=rng.choice([2, 3])
    )
    source = AspSource(bias)
    sizes = range(4, 8)
    expected = [[p for p in generated(source, size) if len(p.rules) > 1] for size in sizes]
    causes: list[Program] = []
    for size, programs in zip(sizes, expected, strict=True):
        allowed = {p for p in programs if not any(specialises_program(p, cause) for cause in causes)}
        assert {p for p in generated(source, size) if len(p.rules) > 1} == allowed
        new = rng.sample(sorted(allowed, key=repr), min(3, len(allowed)))
        source.constrain([CoversNothing(program) for program in new])
        causes += new


@pytest.mark.parametrize("seed", range(6))
def test_what_is_left_out_are_the_programs_with_a_rule_and_nothing_else(seed: int) -> None:
    rng = Random(seed)
    body = (Predicate("q", 1), Predicate("e", 2))
    bias = Bias(
        Predicate("h", 1), body, max_vars=3, max_body=2, enable_recursion=True, max_clauses=rng.choice([2, 3])
    )
    source = AspSource(replace(bias, enable_pi=seed % 2 == 0), single=False)
    sizes = range(4, 8)
    expected = [generated(source, size) for size in sizes]
    rules = {rule for programs in expected for program in programs for rule in program.rules}
    # Invented predicates have other names where a program is made.
    gone = set(rng.sample(sorted(rule for rule in rules if "inv" not in str(rule)), 4))
    source.leave_out(sorted(gone))
    for size, programs in zip(sizes, expected, strict=True):
        assert set(generated(source, size)) == {p for p in programs if gone.isdisjoint(p.rules)}
    assert any(not gone.isdisjoint(program.rules) for programs in expected for program in programs)


def specialises_program(program: Program, general: Program) -> bool:
    return all(any(specialises(rule, other) for other in general.rules) for rule in program.rules)


def test_rules_of_one_constraint_at_a_time_are_those_of_all_at_once() -> None:
    apart, together = AspSource(SMALL), AspSource(SMALL)
    causes = [CoversNothing(program) for program in generated(apart, 3)[::3]]
    for cause in causes:
        apart.constrain([cause])
    together.constrain(causes)
    assert generated(apart, 4) == generated(together, 4)
    assert len(generated(together, 4)) < len(generated(AspSource(SMALL), 4))


@pytest.mark.parametrize(
    ("task", "size", "number"),
    [
        ("zendo3", 5, 276),
        ("iggp-rps", 5, 1154),
        ("onedarc_1d_flip", 3, 392),
        ("stringbodysize_2_1-2", 7, 234),
    ],
)
def test_fragments_of_the_fields_tasks(task: str, size: int, number: int) -> None:
    bias = load_task(field_task(task)).bias
    found = generated(AspSource(bias), size)
    assert len(found) == len(set(found)) == number
    assert all(canonical(program) == program and program.size == size for program in found)


def test_the_fields_constraint_of_one_example_a_rule() -> None:
    bias = load_task(field_task("iggp-coins")).bias
    for program in chain.from_iterable(generated(AspSource(bias), size) for size in range(2, 5)):
        for rule in program.rules:
            kinds = [
                (v, kind)
                for literal in (rule.head, *rule.body)
                for v, kind in zip(literal.args, bias.types[literal.predicate], strict=True)
            ]
            assert len({v for v, kind in kinds if kind == "ex"}) == 1


class Chunks:
    """Programs of a space, in the chunks that are given."""

    def __init__(self, *chunks: list[Program]) -> None:
        self._chunks = chunks
        self.closed = False

    def programs(self, size: int, stop: Stop = never) -> Generator[list[Program], None, None]:
        try:
            yield from self._chunks
        finally:
            self.closed = True


def test_single_rules_and_programs_of_several_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    single = [read_program(f"f(A) :- {name}(A).") for name in "pqr"]
    several = [read_program(f"f(A) :- {name}(A). f(A) :- e(A,B), f(B).") for name in "pq"]
    kinds = Chunks(*([each] for each in single)), Chunks(several)
    source = AspSource(Bias(Predicate("f", 1), tuple(Predicate(name, 1) for name in "pqr")))
    monkeypatch.setattr(source, "_answer_sets", lambda size, stop: kinds)
    assert [len(batch.programs) for batch in source.generate(2)] == [1, 2, 1, 1]
    half = source.generate(2)
    assert len([next(half), next(half)]) == 2
    half.close()
    assert all(kind.closed for kind in kinds)
