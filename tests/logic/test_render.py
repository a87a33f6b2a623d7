"""Rendering: text that reads back to the same value, and looks as a person would write it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joiner_magic import _core
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.render import render_clause, render_literal, render_program, render_rule, render_term
from joiner_magic.logic.terms import (
    NIL,
    Clause,
    Compound,
    Float,
    Integer,
    List,
    String,
    Symbol,
    Term,
    Variable,
    is_ground,
)
from joiner_magic.task.reader import PrologText, read_program, read_term

OPERATORS = sorted({name for name, *_ in [*_core.infix_operators(), *_core.prefix_operators()]})

characters = st.characters(blacklist_categories=["Cs"], blacklist_characters="\0")
odd_names = ["a", "foo", "[]", "{}", "!", ";", "|", ",", ".", "/*", "..", "not", "Éa", "été"]
names = st.sampled_from(odd_names) | st.sampled_from(OPERATORS) | st.text(characters, max_size=4)
variable_names = st.from_regex(r"\A[A-Z_][A-Za-z0-9_]{0,3}\Z")
leaves: st.SearchStrategy[Term] = st.one_of(
    variable_names.map(Variable),
    names.map(Symbol),
    st.integers().map(Integer),
    st.integers(min_value=-(10**40), max_value=10**40).map(Integer),
    (st.floats(allow_nan=False) | st.just(math.nan)).map(Float),
    st.text(characters, max_size=4).map(String),
)


def wholes(parts: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    functors = names | st.sampled_from(OPERATORS)
    arguments = st.lists(parts, min_size=1, max_size=3).map(tuple)
    tails = st.just(NIL) | parts.filter(lambda term: not isinstance(term, List))
    return st.builds(Compound, functors, arguments) | st.builds(List, arguments, tails)


terms = st.recursive(leaves, wholes, max_leaves=12)


@given(terms)
def test_terms_read_back(term: Term) -> None:
    assert read_term(render_term(term)) == term


# Operators make goals and heads that have a meaning of their own, which the reader checks.
other_names = st.sampled_from([name for name in odd_names if name not in OPERATORS]) | st.text(
    characters, max_size=4
).filter(lambda name: name not in OPERATORS)
atoms = st.builds(Compound, other_names, st.lists(terms, min_size=1, max_size=4).map(tuple))


@given(
    atoms, st.lists(atoms | st.sampled_from([Symbol("!"), Variable("G"), Compound("\\+", (Symbol("a"),))]))
)
def test_clauses_read_back(head: Term, goals: list[Term]) -> None:
    body: Term | None = None
    for goal in goals:
        body = goal if body is None else Compound(",", (goal, body))
    clauses = [Clause(head, body), Clause(None, head)]
    text = "\n".join(map(render_clause, clauses))
    assert list(PrologText.read(text).clauses()) == clauses


ground = terms.filter(is_ground)
predicates = st.sampled_from(["f", "g", "has piece", "Δ", "été"])
literals = st.builds(Literal, predicates, st.lists(st.integers(0, 60) | ground, max_size=3).map(tuple))
rules = st.builds(Rule, literals, st.lists(literals, max_size=4).map(tuple))


def in_order(rule: Rule) -> Rule:
    """The rule with its variables numbered by appearance."""
    numbers: dict[int, int] = {}

    def renumbered(literal: Literal) -> Literal:
        args = [
            numbers.setdefault(arg, len(numbers)) if isinstance(arg, int) else arg for arg in literal.args
        ]
        return Literal(literal.name, tuple(args))

    return Rule(renumbered(rule.head), tuple(map(renumbered, rule.body)))


@given(st.lists(rules, max_size=3))
def test_programs_read_back(rules: list[Rule]) -> None:
    text = render_program(Program(tuple(rules)))
    assert read_program(text) == Program(tuple(map(in_order, rules)))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (Symbol("blue"), "blue"),
        (Symbol("New York"), "'New York'"),
        (Symbol("it's"), "'it\\'s'"),
        (Symbol("\n\x01\u200b"), r"'\n\x1\\x200b\'"),
        (Symbol("Anna"), "'Anna'"),
        (Symbol("日本"), "日本"),
        (Symbol(","), "','"),
        (Integer(-3), "-3"),
        (Compound("-", (Integer(3),)), "- 3"),
        (Compound("-", (Integer(1), Integer(-1))), "1 - -1"),
        (Compound("-", (Symbol("-"), Symbol("a"))), "(-) - a"),
        (Compound("f", (Symbol("-"), Symbol(":-"))), "f(-, :-)"),
        (Compound("*", (Compound("+", (Variable("X"), Integer(1))), Integer(2))), "(X + 1) * 2"),
        (Compound("\\+", (Compound("p", (Variable("X"),)),)), "\\+ p(X)"),
        (Compound("f", (Compound(",", (Symbol("a"), Symbol("b"))),)), "f((a, b))"),
        (List((Symbol("a"), Variable("X")), Variable("T")), "[a, X|T]"),
        (List((Symbol("a"),), NIL), "[a]"),
        (Compound("{}", (Symbol("a"),)), "{a}"),
        (String('say "hi"'), '"say \\"hi\\""'),
        (Float(1e22), "1.0e+22"),
        (Float(-math.inf), "-1.0Inf"),
        (Float(-0.0), "-0.0"),
    ],
)
def test_terms_look_familiar(term: Term, text: str) -> None:
    assert render_term(term) == text
    assert str(term) == text
    assert read_term(text) == term


def test_clauses_look_familiar() -> None:
    text = ":- dynamic p / 1.\np(a).\np(X) :- q(X, Y), \\+ r(Y), (Y > 3 -> s ; t).\n+ ."
    assert "\n".join(map(render_clause, PrologText.read(text).clauses())) == text


def test_rules_name_their_variables_by_letters() -> None:
    rule = Rule(
        Literal("f", (0, 25)), (Literal("g", (26, 52)), Literal("h", (Symbol("X"),)), Literal("k", ()))
    )
    assert render_rule(rule) == "f(A, Z) :- g(A1, A2), h('X'), k."
    assert render_rule(Rule(Literal("f", (0,)), ())) == "f(A)."
    assert render_literal(Literal("f", (0, Integer(-1)))) == "f(A, -1)"
    assert render_program(Program((rule, rule))).count("\n") == 2
