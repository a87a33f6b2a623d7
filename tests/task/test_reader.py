"""The reader: what texts mean, where things are, and what is said about texts that cannot be read."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from busy import within
from conftest import each_field_task
from joiner_magic.errors import TextError
from joiner_magic.logic.programs import Literal, Rule
from joiner_magic.logic.render import render_clause
from joiner_magic.logic.terms import (
    NIL,
    Clause,
    Compound,
    Float,
    Integer,
    List,
    Predicate,
    String,
    Symbol,
    Term,
    Variable,
    subterms,
)
from joiner_magic.task.reader import Definition, PrologText, conjuncts, read_program, read_term

a, b, c = Symbol("a"), Symbol("b"), Symbol("c")
X, Y = Variable("X"), Variable("Y")


def op(functor: str, *args: Term) -> Compound:
    return Compound(functor, args)


def ints(*values: int) -> List:
    return List(tuple(Integer(value) for value in values), NIL)


TERMS: list[tuple[str, Term]] = [
    ("a", a),
    ("X", X),
    ("_", Variable("_")),
    ("_foo", Variable("_foo")),
    ("f(a, X)", op("f", a, X)),
    ("'New York'", Symbol("New York")),
    ("'it''s'", Symbol("it's")),
    ("''", Symbol("")),
    (r"'a\n\t\\\'\x41\\101\\u00e9\U0001F600'", Symbol("a\n\t\\'AAé😀")),
    ("'a\\\nb'", Symbol("ab")),
    ("'F'(a)", op("F", a)),
    ('"a \\"text\\" ""here"""', String('a "text" "here"')),
    ("`az`", ints(97, 122)),
    ("``", NIL),
    ("été(日本)", op("été", Symbol("日本"))),
    ("Éa", Variable("Éa")),
    # numbers
    ("12", Integer(12)),
    ("-12", Integer(-12)),
    ("- 12", op("-", Integer(12))),
    ("-(12)", op("-", Integer(12))),
    ("-a", op("-", a)),
    ("1_000_000", Integer(1000000)),
    ("0x1F", Integer(31)),
    ("0o17", Integer(15)),
    ("0b101", Integer(5)),
    ("16'ff", Integer(255)),
    ("0'a", Integer(97)),
    ("0'''", Integer(39)),
    (r"0'\n", Integer(10)),
    ("0'é", Integer(233)),
    ("9223372036854775807", Integer(2**63 - 1)),
    ("9223372036854775808", Integer(2**63)),
    ("-9223372036854775808", Integer(-(2**63))),
    ("-9223372036854775809", Integer(-(2**63) - 1)),
    ("0xffffffffffffffffffffffff", Integer(2**96 - 1)),
    ("000123456789012345678901234567890", Integer(123456789012345678901234567890)),
    ("1.5", Float(1.5)),
    ("-1.5e-3", Float(-0.0015)),
    ("1e3", Float(1000.0)),
    ("1.0Inf", Float(math.inf)),
    ("-1.0Inf", Float(-math.inf)),
    ("1.5NaN", Float(math.nan)),
    # lists and braces
    ("[]", NIL),
    ("'[]'", NIL),
    ("[a, b]", List((a, b), NIL)),
    ("[a|X]", List((a,), X)),
    ("[a|[b|[c]]]", List((a, b, c), NIL)),
    ("'[|]'(a, [b])", List((a, b), NIL)),
    ("{}", Symbol("{}")),
    ("{a, b}", op("{}", op(",", a, b))),
    ("[](a)", op("[]", a)),
    # operators
    ("a, b, c", op(",", a, op(",", b, c))),
    ("a - b - c", op("-", op("-", a, b), c)),
    ("a ^ b ^ c", op("^", a, op("^", b, c))),
    ("a : b : c", op(":", a, op(":", b, c))),
    ("X is 1 + 2 * 3", op("is", X, op("+", Integer(1), op("*", Integer(2), Integer(3))))),
    ("a -1", op("-", a, Integer(1))),
    ("1 - -1", op("-", Integer(1), Integer(-1))),
    ("(a -> b ; c)", op(";", op("->", a, b), c)),
    ("a | b", op("|", a, b)),
    (r"\+ a, b", op(",", op("\\+", a), b)),
    (r"\+ (a, b)", op("\\+", op(",", a, b))),
    (r"X = (\+ a)", op("=", X, op("\\+", a))),
    (r"f(:- a, \+ b)", op("f", op(":-", a), op("\\+", b))),
    ("- - a", op("-", op("-", a))),
    ("- -1", op("-", Integer(-1))),
    ("$ -1", op("$", Integer(-1))),
    ("X =.. [a]", op("=..", X, List((a,), NIL))),
    ("7 mod 2 rdiv 3", op("rdiv", op("mod", Integer(7), Integer(2)), Integer(3))),
    (":- dynamic a/1, b/2", op(":-", op("dynamic", op(",", op("/", a, Integer(1)), op("/", b, Integer(2)))))),
    # operators as plain symbols
    ("f(:-, -, +)", op("f", Symbol(":-"), Symbol("-"), Symbol("+"))),
    ("[-|-]", List((Symbol("-"),), Symbol("-"))),
    ("- = a", op("=", Symbol("-"), a)),
    ("(-) - a", op("-", Symbol("-"), a)),
    ("f(mod, is)", op("f", Symbol("mod"), Symbol("is"))),
    ("on(table, a)", op("on", Symbol("table"), a)),
    ("table :- a", op(":-", Symbol("table"), a)),
    ("- =(a, b, c)", op("-", op("=", a, b, c))),
    # layout
    ("a % comment", a),
    ("/* one\n two */ a", a),
]


@pytest.mark.parametrize(("text", "term"), TERMS)
def test_terms(text: str, term: Term) -> None:
    assert read_term(text) == term


@pytest.mark.parametrize(("text", "term"), [(text, term) for text, term in TERMS if ":-" not in text])
def test_ground_facts_are_interned_without_loss(text: str, term: Term) -> None:
    ground = not any(isinstance(part, Variable) for part in subterms(term))
    source = PrologText.read(f"p(({text}\n)).")
    assert source.predicates[Predicate("p", 1)].facts == ground
    if ground:
        [[number]] = source.reading.columns("p", 1)
        assert source.reading.term(number) == term


def test_a_byte_order_mark_and_windows_lines() -> None:
    assert read_term("\ufefff(a,\r\n b).\r\n") == op("f", a, b)
    with pytest.raises(TextError) as caught:
        PrologText.read("p(a).\r\np(b)\r\np(c).\r\n")
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.excerpt) == (2, "p(b)")


def test_zero_keeps_its_sign() -> None:
    read, interned = read_term("-0.0"), PrologText.read("p(0.0). p(-0.0).").reading
    assert isinstance(read, Float)
    assert math.copysign(1, read.value) == -1
    [[plus, minus]] = interned.columns("p", 1)
    assert plus != minus


def test_a_source_knows_its_clauses() -> None:
    source = PrologText.read(":- dynamic q/1.\np(a). p(X) :- q(X).\nq(b). p(b). p(_). r.\n")
    assert len(source) == 7
    assert source.directives == (0,)
    assert list(source.predicates.items()) == [
        (Predicate("p", 1), Definition(facts=2, first=1, rules=(2, 5))),
        (Predicate("q", 1), Definition(facts=1, first=3, rules=())),
        (Predicate("r", 0), Definition(facts=1, first=6, rules=())),
    ]
    assert source.clause(2) == Clause(op("p", X), op("q", X))
    assert source.clause(0).head is None
    assert [clause.body is None for clause in source.clauses()] == [
        False,
        True,
        False,
        True,
        True,
        True,
        True,
    ]
    assert source.clause_place(3).line == 3
    with pytest.raises(IndexError):
        source.clause(7)


def test_an_empty_text_has_no_clauses() -> None:
    for text in ("", "  \n", "% nothing", "/* nothing */"):
        assert len(PrologText.read(text)) == 0


def test_columns_follow_the_facts() -> None:
    reading = PrologText.read("p(a, 1). q(c). p(X, 2). p(b, 1). p([a], f(b)).").reading
    first, second = reading.columns("p", 2)
    assert [reading.term(number) for number in first] == [a, b, List((a,), NIL)]
    assert second[0] == second[1]
    assert reading.term(second[2]) == op("f", b)
    assert reading.columns("p", 3) == [[], [], []]


def test_positions_count_code_points() -> None:
    source = PrologText.read("p(a).\n'é😀'(b,\n  q(X, [c])) :-\n\tr(X).", name="cell")
    clause = source.clause(1)
    assert clause.position == (2, 1)
    assert isinstance(clause.head, Compound)
    first, second = clause.head.args
    assert first.position == (2, 6)
    assert [part.position for part in subterms(second)][:4] == [(3, 3), (3, 5), (3, 8), (3, 9)]
    assert clause.body is not None
    place = source.place(clause.body.position)
    assert (place.text, place.line, place.column, place.excerpt) == ("cell", 4, 2, "\tr(X).")


def test_long_lists_and_bodies_do_not_nest() -> None:
    items = ", ".join(map(str, range(100_000)))
    source = PrologText.read(f"p([{items}]).\nq :- {', '.join(f'r({i})' for i in range(2000))}.")
    [[number]] = source.reading.columns("p", 1)
    interned = source.reading.term(number)
    assert isinstance(interned, List)
    assert interned.items[-1] == Integer(99_999)
    clause = source.clause(1)
    assert list(conjuncts(clause.body)) == [op("r", Integer(i)) for i in range(2000)]
    assert render_clause(PrologText.read(render_clause(clause)).clause(0)) == render_clause(clause)


@pytest.mark.parametrize(
    "text",
    ["f(" * 199 + "a" + ")" * 199, "(" * 199 + "a" + ")" * 199, "[" * 199 + "]" * 199, "a" + " - a" * 200],
)
def test_nesting_within_the_limit(text: str) -> None:
    assert read_term(text) == read_term(text)


@pytest.mark.parametrize(
    "text",
    [
        "f(" * 100_000 + "a",
        "(" * 100_000,
        "[" * 100_000,
        "{" * 100_000,
        "- " * 100_000 + "a",
        "a" + " - a" * 100_000,
        "a" + " ^ a" * 100_000,
        "f(" * 100_000 + "a" + ")" * 100_000,
    ],
)
def test_nesting_beyond_the_limit(text: str) -> None:
    with pytest.raises(TextError, match="nests more than 200 levels deep"):
        read_term(text)


# What is wrong, where (line, column), and a word of the message or the remedy.
ERRORS = [
    ("p(a)\nq(b).", 1, 5, "missing '.' at the end of the clause"),
    ("p(a).\nq(b) :- r % c\n\ns(c).", 2, 10, "missing '.' at the end of the clause"),
    ("p(a)", 1, 5, "missing '.' at the end of the clause"),
    ("q.\np(a,\nq(b).", 2, 2, "unclosed '(' opened at line 2"),
    ("p :- q(\n", 1, 7, "unclosed '('"),
    ("p([a, b.", 1, 3, "unclosed '['"),
    ("p :- {a.", 1, 6, "unclosed '{'"),
    ("p(a\nq(b).", 1, 4, "missing comma, or unclosed '(' opened at line 1"),
    ("p(a].", 1, 4, "expected ')' to close '(' opened at line 1, found ']'"),
    ("p(a)).", 1, 5, "')' without an opening bracket"),
    ("p(a) q(b).", 1, 6, "two terms next to each other"),
    ("p(a b).", 1, 5, "two terms next to each other"),
    ("p(a,).", 1, 5, "expected an argument"),
    ("p(,a).", 1, 3, "expected an argument"),
    ("p().", 1, 3, "without parentheses"),
    ("p([a,]).", 1, 6, "expected an item of the list"),
    ("p(a) :- .", 1, 9, "expected a term after ':-'"),
    ("p(a):-.", 1, 7, "expected a term"),
    ("p(a) :- q(a),.", 1, 14, "expected a term after ','"),
    (".", 1, 1, "expected a term"),
    ("Foo(a).", 1, 1, "write foo(...) or quote it: 'Foo'(...)"),
    ("p :- Foo(X).", 1, 6, "predicate names start with a lower-case letter"),
    ("p.\nX.", 2, 1, "not with a variable"),
    ("3.", 1, 1, "not with a number"),
    ("[a].", 1, 1, "not with a list"),
    ('"s" :- a.', 1, 1, "not with a string"),
    ("p :- q, 3.", 1, 9, "a goal is a predicate with its arguments, not a number"),
    ("p :- (q -> r ; \\+ [a]).", 1, 19, "not a list"),
    ("p :- \\+(a, b).", 1, 6, "negates one goal"),
    ("a, b.", 1, 1, "not a conjunction"),
    ("a :- b, c :- d.", 1, 11, "a second ':-' in one clause"),
    ("p :- (a :- b).", 1, 7, "a second ':-' in one clause"),
    ("a --> b.", 1, 1, "grammar rules"),
    ("a => b.", 1, 1, "'=>'"),
    ("m:p(a).", 1, 1, "module"),
    ("\\+ a.", 1, 1, "negated"),
    ("dynamic foo/1.", 1, 1, "put ':-' before it"),
    ("X = Y.", 1, 1, "built in"),
    ("!.", 1, 1, "cannot define '!'"),
    ("p('abc).\nq.", 1, 3, "unterminated quoted atom"),
    ('p("abc).', 1, 3, "unterminated string"),
    ("p(`abc).", 1, 3, "unterminated back-quoted text"),
    ("p.\n/* abc", 2, 1, "a comment is never closed"),
    ("p(a).q(b).", 1, 5, "followed by a space or a new line"),
    ("p(1a).", 1, 3, "a name cannot start with a digit"),
    ("p(a) :- not q(a).", 1, 13, "write \\+ for negation"),
    ("p(X) :- X != 3.", 1, 11, "write \\= for different terms"),
    ("p(X) :- X <= 3.", 1, 11, "write =< for less or equal"),
    ("p(1..3).", 1, 4, "no intervals"),
    ("#show a/1.", 1, 2, "not Prolog"),
    ("p :- X = Y = Z.", 1, 12, "add parentheses"),
    ("p(a :- b).", 1, 5, "add parentheses"),
    ("p :- X = \\+ a.", 1, 10, "add parentheses"),
    (r"p('\q').", 1, 4, "unknown escape"),
    (r"p('\x110000\').", 1, 4, "not a character"),
    (r"p('\ud800').", 1, 4, "not a character"),
    ("p(\0).", 1, 3, "unexpected character U+0000"),
    ("p('\0').", 1, 4, "U+0000"),
    ("p(\u202ea).", 1, 3, "unexpected character U+202E"),
    ("p(é, →).", 1, 6, "'→' (U+2192)"),
    ("p.\np(\ud800).", 2, 3, "lone surrogate"),
    ("p(0'", 1, 3, "0' needs a character"),
    ("p(1e999).", 1, 3, "too large"),
    ("p(" + "9" * 3000 + ").", 1, 3, "digits"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), ERRORS)
def test_errors_say_what_is_wrong_and_where(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(TextError) as caught:
        PrologText.read(text, name="cell")
    error = caught.value
    assert words in error.headline
    assert "\n" not in error.headline
    assert error.place is not None
    assert (error.place.text, error.place.line, error.place.column) == ("cell", line, column)
    assert error.place.excerpt == text.split("\n")[line - 1]


def test_a_term_is_the_whole_text() -> None:
    assert read_term("f(a). ") == op("f", a)
    for text in ("f(a). b", "f(a) b", "f(a) b.", ""):
        with pytest.raises(TextError):
            read_term(text)


def test_programs_number_variables_by_appearance() -> None:
    program = read_program("f(A, B) :- g(C, B), h(A, _, C, _), k([1], blue).\nf(_, x).\ng.")
    assert program.rules == (
        Rule(
            Literal("f", (0, 1)),
            (Literal("g", (2, 1)), Literal("h", (0, 3, 2, 4)), Literal("k", (ints(1), Symbol("blue")))),
        ),
        Rule(Literal("f", (0, Symbol("x"))), ()),
        Rule(Literal("g", ()), ()),
    )


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("f(A) :- \\+ g(A).", 9, "\\+/1 is a control construct"),
        ("f(A) :- g(A) ; h(A).", 9, "control construct"),
        ("f(A) :- g(A), !.", 15, "control construct"),
        ("f(A) :- g(A, B), B > 3.", 18, ">/2 is a comparison"),
        ("f(A) :- call(g, A).", 9, "control construct"),
        ("f(A) :- G.", 9, "a variable cannot be called"),
        ("f([A|B]) :- g(A).", 3, "a variable or a term without variables"),
        (":- dynamic f/1.", 1, "no directives"),
        ("f(A) :- G(A).", 9, "lower-case letter"),
    ],
)
def test_programs_are_definite_rules(text: str, column: int, words: str) -> None:
    with pytest.raises(TextError) as caught:
        read_program(text)
    assert words in caught.value.headline
    assert caught.value.place is not None
    assert caught.value.place.column == column


def test_a_large_text_reads_fast() -> None:
    text = "\n".join(f"bond(m{i % 500}, a{i}_{i % 7}, a{i}_{i % 11}, {i % 9})." for i in range(50_000))
    with within(2):
        source = PrologText.read(text)
    assert source.predicates[Predicate("bond", 4)].facts == 50_000


@each_field_task
def test_the_tasks_of_the_field_read_and_render_back(folder: Path) -> None:
    for name in ("bk.pl", "exs.pl"):
        source = PrologText.read((folder / name).read_text(encoding="utf-8"), name=str(folder / name))
        # Files of tens of thousands of facts are sampled: their facts look alike.
        clauses = [source.clause(index) for index in range(0, len(source), 1 + len(source) // 1000)]
        again = PrologText.read("\n".join(map(render_clause, clauses)))
        assert list(again.clauses()) == clauses
