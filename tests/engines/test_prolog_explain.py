"""Why the Prolog engine says a program covers an atom, or does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.flat_programs import atom, atoms, program
from joiner_magic.engines.narrate import narrate
from joiner_magic.engines.prolog.engine import PrologEngine
from joiner_magic.engines.protocol import Proof
from joiner_magic.errors import EngineError, TaskError
from joiner_magic.logic.programs import Argument, Evaluation
from joiner_magic.logic.terms import (
    NIL,
    Compound,
    Float,
    Integer,
    List,
    String,
    Symbol,
    Term,
    Variable,
    arguments_of,
)

pytestmark = pytest.mark.prolog

GRAPH = "edge(a,b). edge(b,c). edge(c,a). edge(c,d). blue(c). anything(_,_). pair(X,[X,_])."
REACHES = "f(A,B) :- f(A,C), f(C,B). f(A,B) :- edge(A,B)."


@pytest.fixture(scope="module")
def graph() -> Iterator[PrologEngine]:
    with PrologEngine([("bk", GRAPH)], atoms("f(a)"), []) as engine:
        yield engine


@pytest.fixture(scope="module")
def same() -> Iterator[PrologEngine]:
    with PrologEngine([("bk", "same(X,X).")], [], []) as engine:
        yield engine


def check(proof: Proof) -> int:
    """Every step follows from its premises; returns the height."""
    if proof.rule is None:
        assert not proof.premises
        return 0

    def value(arg: Argument) -> Term:
        return proof.bindings[arg] if isinstance(arg, int) else arg

    assert tuple(map(value, proof.rule.head.args)) == arguments_of(proof.atom)
    for literal, premise in zip(proof.rule.body, proof.premises, strict=True):
        assert tuple(map(value, literal.args)) == arguments_of(premise.atom)
    return 1 + max((check(premise) for premise in proof.premises), default=0)


def test_a_proof_has_the_rule_its_bindings_and_the_facts(graph: PrologEngine) -> None:
    rules = program("f(A) :- blue(A). f(A) :- edge(A,B), edge(B,C), blue(C).")
    explanation = graph.explain(rules, atom("f(a)"))
    assert explanation.covered
    assert explanation.proof == Proof(
        atom("f(a)"),
        rules.rules[1],
        tuple(map(Symbol, "abc")),
        tuple(map(Proof, atoms("edge(a,b) edge(b,c) blue(c)"))),
    )


def test_an_example_need_not_be_one_of_the_task(graph: PrologEngine) -> None:
    assert graph.explain(program("g(A,B) :- edge(A,B)."), atom("g(c,d)")).covered
    assert not graph.explain(program("g(A,B) :- edge(A,B)."), atom("g(d,c)")).covered
    assert graph.explain(program("yes :- blue(c)."), atom("yes")).covered


def test_a_recursive_proof_is_well_founded_and_as_low_as_can_be(graph: PrologEngine) -> None:
    explanation = graph.explain(program(REACHES), atom("f(a,a)"))
    assert explanation.proof is not None
    assert check(explanation.proof) == 3  # three edges, in halves


def test_a_proof_by_recursion_in_both_directions(graph: PrologEngine) -> None:
    text = "even(A) :- blue(A). even(A) :- edge(A,B), odd(B). odd(A) :- edge(A,B), even(B)."
    explanation = graph.explain(program(text), atom("even(a)"))
    assert explanation.proof is not None
    assert check(explanation.proof) == 3


def test_a_long_proof() -> None:
    items = List(tuple(map(Integer, range(300))), NIL)
    with PrologEngine([("bk", "rest([_|T],T). empty([]).")], [], []) as prolog:
        rules = program("f(A) :- empty(A). f(A) :- rest(A,B), f(B).")
        proof = prolog.explain(rules, Compound("f", (items,))).proof
    steps = 0
    while proof is not None and proof.rule is not None:
        steps, proof = steps + 1, proof.premises[-1]
    assert steps == 301


def test_a_subproof_that_is_needed_often_is_made_once() -> None:
    # Written out as a tree, the proof would have 2 to the power of 60 leaves.
    steps = " ".join(f"s({n},{n + 1})." for n in range(60))
    rules = program("f(A) :- zero(A). f(A) :- s(B,A), f(B), f(B).")
    with PrologEngine([("bk", f"zero(0). {steps}")], [], []) as prolog:
        explanation = prolog.explain(rules, atom("f(60)"))
    assert explanation.proof is not None
    assert explanation.proof.premises[1] is explanation.proof.premises[2]


def test_a_variable_that_stays_free_is_shown_as_such(graph: PrologEngine) -> None:
    proof = graph.explain(program("f(A) :- anything(A,B), pair(A,C)."), atom("f(a)")).proof
    assert proof is not None
    assert proof.bindings == (
        Symbol("a"),
        Variable("_"),
        List((Symbol("a"), Variable("_")), NIL),
    )


def test_a_failure_has_the_longest_prefix_and_a_witness(graph: PrologEngine) -> None:
    rules = program(
        "f(A) :- edge(A,B), edge(B,C), blue(B). f(A) :- blue(A). f(d) :- blue(A). g(A) :- blue(A)."
    )
    explanation = graph.explain(rules, atom("f(a)"))
    assert not explanation.covered
    first, second, third = explanation.failures
    assert (first.rule, first.holds, first.literal) == (rules.rules[0], 2, rules.rules[0].body[2])
    assert first.bindings == tuple(map(Symbol, "abc"))
    assert (second.rule, second.holds, second.literal) == (rules.rules[1], 0, rules.rules[1].body[0])
    assert second.bindings == (Symbol("a"),)
    assert (third.rule, third.holds, third.literal, third.bindings) == (rules.rules[2], -1, None, (None,))


def test_variables_beyond_the_prefix_are_not_bound(graph: PrologEngine) -> None:
    (failure,) = graph.explain(program("f(A) :- anything(B,C), blue(A), edge(A,D)."), atom("f(a)")).failures
    assert (failure.holds, failure.bindings) == (1, (Symbol("a"), None, None, None))


def test_the_failure_of_a_recursive_program(graph: PrologEngine) -> None:
    recursive, _ = graph.explain(program(REACHES), atom("f(a,e)")).failures
    assert recursive.holds == 1
    assert recursive.bindings[:2] == (Symbol("a"), Symbol("e"))
    assert recursive.bindings[2] in list(map(Symbol, "abcd"))


def test_a_program_that_never_ends_gets_no_further_than_where_it_is_stuck() -> None:
    with PrologEngine([("bk", "step(X,s(X)).")], [], []) as prolog:
        explanation = prolog.explain(program("f(A) :- step(A,B), f(B)."), atom("f(a)"))
    (failure,) = explanation.failures
    assert (failure.holds, failure.literal) == (1, failure.rule.body[1])
    assert not explanation.complete
    assert "it is not known whether f(a) is covered" in narrate(explanation)


def test_an_error_leaves_open_whether_an_atom_is_covered() -> None:
    with PrologEngine([("bk", "big(X) :- X > 1.")], [], []) as prolog:
        explanation = prolog.explain(program("f(A) :- big(A)."), atom("f(a)"))
    assert (explanation.covered, explanation.complete) == (False, False)


def test_an_atom_the_program_says_nothing_of_is_an_error(graph: PrologEngine) -> None:
    with pytest.raises(TaskError, match="no rule for g/1"):
        graph.explain(program("f(A) :- blue(A)."), atom("g(a)"))


def test_programs_to_explain_are_checked(graph: PrologEngine) -> None:
    with pytest.raises(EngineError, match="not allowed"):
        graph.explain(program("f(A) :- shell(A)."), atom("f(a)"))
    with pytest.raises(TaskError, match="purple/1"):
        graph.explain(program("f(A) :- purple(A)."), atom("f(a)"))
    assert graph.explain(program("f(A) :- edge(A,b)."), atom("f(a)")).covered


def test_explaining_leaves_nothing_behind(graph: PrologEngine) -> None:
    assert graph.explain(program("f(A) :- blue(A). blue(a) :- edge(a,b)."), atom("f(a)")).covered
    assert not graph.explain(program("f(A) :- blue(A)."), atom("f(a)")).covered
    assert graph.evaluate([program("f(A) :- blue(A).")]) == [Evaluation(0, 0)]


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
CONSTANTS: st.SearchStrategy[Term] = st.one_of(
    NAMES.map(Symbol),
    NAMES.map(String),
    st.sampled_from(
        ["[]", "{}", "true", "null", "@", "variable", "list", "end_of_file", "'", "\0", "_", "A"]
    ).map(Symbol),
    st.one_of(st.integers(), st.integers(10**30, 10**400), st.integers(-(2**64), -(2**63) + 1)).map(Integer),
    st.floats(allow_nan=False).map(Float),
)


def nested(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    items = st.lists(inner, min_size=1, max_size=4).map(tuple)
    tails = st.one_of(st.just(NIL), CONSTANTS)
    return st.one_of(st.builds(Compound, NAMES, items), st.builds(List, items, tails))


@settings(max_examples=300)
@given(st.recursive(CONSTANTS, nested, max_leaves=12))
def test_every_term_comes_back_as_it_went(same: PrologEngine, term: Term) -> None:
    proof = same.explain(program("f(A) :- same(A,B)."), Compound("f", (term,))).proof
    assert proof is not None
    assert repr(proof.bindings[1]) == repr(term)  # repr tells 0.0 from -0.0


def test_an_integer_of_any_size_comes_back(same: PrologEngine) -> None:
    huge = Integer(-(7**20000))  # too long for Python to print
    proof = same.explain(program("f(A) :- same(A,B)."), Compound("f", (huge,))).proof
    assert proof is not None
    assert proof.bindings[1] == huge


def test_a_term_of_any_depth_comes_back(same: PrologEngine) -> None:
    deep: Term = Symbol("zero")
    for _ in range(5000):
        deep = Compound("s", (deep,))
    proof = same.explain(program("f(A) :- same(A,B)."), Compound("f", (deep,))).proof
    assert proof is not None
    term, depth = proof.bindings[1], 0
    while isinstance(term, Compound):
        term, depth = term.args[0], depth + 1
    assert depth == 5000
