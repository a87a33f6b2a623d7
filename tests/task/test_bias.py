"""Bias texts: every directive, what is kept for the generator, and what is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from busy import within
from joiner_magic.errors import JoinerError, TaskError, TextError
from joiner_magic.logic.terms import Predicate
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.task.bias import Bias
from joiner_magic.task.bias_reader import read_bias
from joiner_magic.task.notes import Note
from joiner_magic.task.vocabulary import FLAGS

INFERRED = Bias(Predicate("inferred", 1), (Predicate("known", 2),), {Predicate("known", 2): ("a", "b")})


def read(text: str) -> Bias:
    return read_bias([AspText(text, "bias")], lambda: INFERRED)[0]


def notes(text: str) -> tuple[Note, ...]:
    return read_bias([AspText("head_pred(f,1). body_pred(p,1). " + text, "bias")], lambda: INFERRED)[1]


def failure(text: str) -> JoinerError:
    with pytest.raises(JoinerError) as caught:
        read(text)
    return caught.value


def test_every_directive() -> None:
    bias = read(
        """
        head_pred(f,2). body_pred(p,1). body_pred(q,3).
        type(f,(t,u)). type(p,(t,)). direction(f,(in,out)). direction(p,(in,)).
        constant(c,t). max_vars(4). max_body(5). max_clauses(3).
        enable_recursion. enable_pi. allow_singletons. non_datalog.
        """
    )
    f, p, q = Predicate("f", 2), Predicate("p", 1), Predicate("q", 3)
    assert bias == Bias(
        f, (p, q), {f: ("t", "u"), p: ("t",)}, {f: ("in", "out"), p: ("in",)}, (("c", "t"),),
        4, 5, 3, True, True, True, True,
    )  # fmt: skip


def test_defaults() -> None:
    bias = read("head_pred(f,1). body_pred(p,1).")
    assert (bias.max_vars, bias.max_body, bias.max_clauses) == (6, 10, 1)
    assert not any(getattr(bias, flag) for flag in FLAGS)


@pytest.mark.parametrize("flag", ["enable_recursion", "enable_pi"])
def test_recursion_and_invention_need_a_second_clause(flag: str) -> None:
    assert read(f"head_pred(f,1). body_pred(p,1). {flag}.").max_clauses == 2
    assert read(f"head_pred(f,1). body_pred(p,1). {flag}. max_clauses(5).").max_clauses == 5


def test_rules_over_directives_are_evaluated_in_order_of_appearance() -> None:
    bias = read(
        """
        head_pred(f,1).
        body_pred(zebra,2).
        body_pred(P,1) :- constant(P,_).
        type(P,(T,)) :- constant(P,T).
        body_pred(ant,2).
        constant(wasp,insect). constant(bee,insect). constant(oak,tree).
        """
    )
    assert [p.name for p in bias.body] == ["zebra", "wasp", "bee", "oak", "ant"]
    assert bias.types[Predicate("oak", 1)] == ("tree",)


def test_rules_may_use_helpers_negation_and_constants() -> None:
    bias = read(
        """
        #const most = 3.
        max_vars(most+1).
        colour(red;green). odd(green).
        body_pred(C,1) :- colour(C), not odd(C).
        body_pred(size,1..2).
        head_pred(f,1).
        """
    )
    assert bias.max_vars == 4
    assert bias.body == (Predicate("red", 1), Predicate("size", 1), Predicate("size", 2))
    assert bias.constraints == ""


def test_constraints_are_kept_in_the_users_words() -> None:
    constraint = ":-\n    clause(C),  % one example each\n    #count{V : clause_var(C,V)} != 1."
    bias = read(
        f"head_pred(f,1). body_pred(p,1).\n{constraint}\n% a comment between\nonce(p).\n:- once(P), size(9)."
    )
    assert bias.constraints == f"{constraint}\nonce(p).\n:- once(P), size(9)."
    assert not read_bias([AspText(bias.to_text(), "bias")], lambda: INFERRED)[1]


def test_what_only_directives_need_is_not_kept() -> None:
    bias = read(
        "colour(red). body_pred(C,1) :- colour(C). :- body_pred(P,_), body_literal(0,P,_,_). head_pred(f,1)."
    )
    assert bias.constraints == ":- body_pred(P,_), body_literal(0,P,_,_)."


def test_choices_are_the_generators_business() -> None:
    bias = read(
        "head_pred(f,1). body_pred(p,1). {pick(P)} :- body_pred(P,_). :- body_literal(_,P,_,_), not pick(P)."
    )
    assert bias.constraints.startswith("{pick(P)} :- body_pred(P,_).")


def test_names_in_quotes_may_be_anything() -> None:
    bias = read('head_pred("New York",1). body_pred("été",1). type("été",("Où",)).')
    assert bias.head == Predicate("New York", 1)
    assert bias.types == {Predicate("été", 1): ("Où",)}


def test_the_head_in_the_body_means_recursion() -> None:
    text = "head_pred(f,1). body_pred(p,1). body_pred(f,1)."
    bias, said = read_bias([AspText(text, "bias")], lambda: INFERRED)
    assert bias.enable_recursion
    assert bias.body == (Predicate("p", 1),)
    assert "enable_recursion" in said[0].message


def test_what_the_text_leaves_out_is_inferred() -> None:
    bias, said = read_bias([AspText("max_vars(4). enable_recursion.", "bias")], lambda: INFERRED)
    assert (bias.head, bias.body, bias.types) == (INFERRED.head, INFERRED.body, INFERRED.types)
    assert (bias.max_vars, bias.enable_recursion) == (4, True)
    assert len(said) == 2


def test_given_types_are_not_mixed_with_inferred_ones() -> None:
    bias = read("type(known,(x,y)).")
    assert bias.types == {Predicate("known", 2): ("x", "y")}


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("max_vars(5)\nmax_body(3).", 2, 1, "a name is not expected here"),
        ("body_pred(p,2).\ntype(p,(a,b)", 2, 13, "ends in the middle"),
        ("body_pred(p,2)).", 1, 15, "')' is not expected"),
        ("% é\nbody_pred(été,2).", 2, 11, "cannot be part of a name"),
        ('type("été",(a,)). max_vars(0).', 1, 19, "above 0"),
        ("max_vars(-1).", 1, 1, "above 0"),
        ("max_vars(six).", 1, 1, "not six"),
        ("max_body(five+1).", 1, 10, "operation undefined"),
        ("\n  max_vars(5).\nmax_vars(6).", 3, 1, "given twice: 5 in line 2, here 6"),
        ("type(p,(a,)). type(p,(b,)).", 1, 15, "type of p/1 is given twice: (a) in line 1, here (b)"),
        ("head_pred(f,1). head_pred(g,2).", 1, 17, "head_pred is given twice: f/1 in line 1, here g/2"),
        ("body_pred(Foo,2).", 1, 11, "predicate names start with a lower-case letter"),
        ("head_pred(F,2).", 1, 11, "predicate names start with a lower-case letter"),
        ("type(p,(Piece,)).", 1, 9, "names start with a lower-case letter"),
        ("body_pred(P,1) :- constant(Q,_).", 1, 11, "nothing gives the variable P a value"),
        ("body_pred(_,1).", 1, 11, "nothing gives the variable _ a value"),
        (":- body_literal(C,P,_,_), X > 3.", 1, 27, "nothing gives the variable X a value"),
        ("body_pred(p,two).", 1, 1, "two is not an arity"),
        ("body_pred(3,2).", 1, 1, "3 is not a name"),
        ("type(p,(f(x),)).", 1, 1, "f(x) is not a name"),
        ("body_pred(p).", 1, 1, "body_pred with 1 argument"),
        ("enable_recursion(yes).", 1, 1, "enable_recursion with 1 argument"),
        ("#script (python)\nx = 1\n#end.", 1, 1, "#script"),
        ('a.\n#include "other.lp".', 2, 1, "#include"),
        ("#external x.", 1, 1, "not this"),
        (":~ body_literal(_,p,_,_). [1]", 1, 1, "not this"),
        ("#minimize{1 : clause(1)}.", 1, 11, "not this"),
        ("#program extra.", 1, 1, "not this"),
        ("{body_pred(p,1)}.", 1, 1, "not be a choice"),
        ("body_pred(p,1) ; body_pred(q,1).", 1, 1, "not be a choice"),
        ("{pick(p)}. body_pred(P,1) :- pick(P).", 1, 1, "depend on this choice"),
        ("max_vars(@most()).", 1, 10, "another language"),
        ("body_pred(p,1) :- clause(0).", 1, 1, "about the rules that are generated"),
        ("flag :- not other. other :- not flag. enable_pi :- flag.", 1, 1, "more than one meaning"),
        ("enable_pi :- not enable_pi.", 1, 1, "no meaning"),
        ("n(1..100001). max_vars(X) :- n(X).", 1, 1, "more than 100000 values"),
        ("grid(1..1000,1..1000).", 1, 1, "more than 100000 values"),
        ("most(9). n(1..M) :- most(M). max_vars(X) :- n(X).", 1, 10, "not numbers"),
        ("max_vars(5). \x00 max_body(3).", 1, 14, "no text may hold"),
        ('max_vars(5). %* open', 1, 14, "never closed"),
        ('"é', 1, 2, "cannot be part of a name"),
    ],
)  # fmt: skip
def test_refused(text: str, line: int, column: int, message: str) -> None:
    error = failure(text)
    assert message in error.message
    assert error.place is not None
    assert (error.place.line, error.place.column) == (line, column)
    assert "\n" not in error.headline


@pytest.mark.parametrize(
    "rule",
    [
        "n(X+1) :- n(X).",
        "n(X) :- n(X-1).",
        "n(Y) :- n(X), Y = X+1.",
        "n(f(X)) :- n(X).",
        "n(Y) :- n(X), Y = (X,X).",
        "m(X+1) :- n(X). n(X) :- m(X).",
        "n(Y) :- n(X), Y = #sum{X; 1}.",
        "max_vars(X+1) :- max_vars(X). max_vars(1).",
    ],
)
def test_what_might_never_end_is_refused_at_once(rule: str) -> None:
    with within(1):
        assert "might never end" in failure(f"n(0). {rule} max_body(X) :- n(X).").message


def test_recursion_over_known_terms_is_fine() -> None:
    bias = read(
        """
        below(cat,animal). below(animal,thing).
        under(X,Y) :- below(X,Y).
        under(X,Z) :- under(X,Y), below(Y,Z).
        body_pred(X,1) :- under(X,thing).
        head_pred(f,1).
        """
    )
    assert {p.name for p in bias.body} == {"cat", "animal"}


def test_hostile_nesting_is_refused_before_clingo_sees_it() -> None:
    for text in (f"p({'f(' * 100_000}", f"max_vars({'-' * 100_000}1).", f"max_vars(1{'+1' * 100_000})."):
        assert "too long" in failure(text).message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max_rule_body(3).", "max_rule_body/1 means nothing here and is left out; write max_body(number)."),
        ("modeb(p,1).", "modeb/2 means nothing here and is left out; write body_pred(name, arity)."),
        ("functional(p,2).", "functional/2 means nothing here and is left out"),
        ("type(p,0,t).", "type/3 means nothing here and is left out; write type(name, (type1, ...))."),
        ("max_var(5).", "max_var/1 is not a directive and nothing uses it: it is left out; did you mean max_vars?"),
        ("banana.", "banana/0 is not a directive and nothing uses it: it is left out"),
        (":- body_litteral(_,p,_,_).",
         "nothing defines body_litteral/4: it is never true; did you mean body_literal?"),
        ("body_pred(P,1) :- constnat(P,_).", "nothing defines constnat/2: it is never true; did you mean constant?"),
        ("type(p,t).", "a tuple of one is written (t,)"),
        ("#show body_pred/2.", "#show means nothing here and is left out"),
    ],
)  # fmt: skip
def test_noted(text: str, message: str) -> None:
    (note,) = notes(text)
    assert note.message == message
    assert note.place is not None
    assert note.place.column == 33


def test_nothing_to_note_about_sound_texts() -> None:
    assert not notes(":- clause(C), #count{V : clause_var(C,V), var_type(C,V,ex)} != 1.")
    assert not notes("functional(p). :- functional(P), body_literal(_,P,_,_).")
    assert not notes("#defined extra/1. :- extra(P), body_literal(_,P,_,_).")


NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=8)
WORDS = st.one_of(
    st.sampled_from(["piece", "ex", "not", "_x", "it's", "Big", "a b", 'say "hi"', "\\n", "été"]), NAMES
)
PREDICATES = st.builds(Predicate, WORDS, st.integers(0, 4))


@st.composite
def biases(draw: st.DrawFn) -> Bias:
    head, *body = draw(st.lists(PREDICATES, min_size=2, max_size=5, unique=True))
    typed = draw(st.lists(st.sampled_from([head, *body]), unique=True))
    constraints = ["", ":- clause(1).", "seen(p).\n:- seen(P),\n   body_literal(_,P,_,_)."]
    return Bias(
        head,
        tuple(body),
        types={p: tuple(draw(st.lists(WORDS, min_size=p.arity, max_size=p.arity))) for p in typed},
        directions={p: ("in",) * p.arity for p in typed},
        constants=tuple(dict.fromkeys(draw(st.lists(st.tuples(WORDS, WORDS), max_size=3)))),
        max_vars=draw(st.integers(1, 20)),
        max_body=draw(st.integers(1, 20)),
        max_clauses=draw(st.integers(1, 20)),
        enable_recursion=draw(st.booleans()),
        enable_pi=draw(st.booleans()),
        allow_singletons=draw(st.booleans()),
        non_datalog=draw(st.booleans()),
        constraints=draw(st.sampled_from(constraints)),
    )


@given(biases())
def test_what_is_written_reads_back(bias: Bias) -> None:
    again, said = read_bias([AspText(bias.to_text(), "bias")], lambda: INFERRED)
    assert again == bias
    assert not said


PIECES = [
    "body_pred(p,2)", "max_vars(5)", "type(p,(a,b))", "n(X+1) :- n(X)", ":- clause(C)", '"é"', "é", '"', "%", "%*", "*%",
    "#sum{", "}", "(", ")", ".", ".", ",", ";", ":-", "not ", "X", "_", "..", "@f", "&t", "#const n=1", "#include", "-",
    "\n", "\r", "\x00", "\ud800", "1", "\\", "|", "#show", "{a}", "a:-not a",
]  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=12).map("".join))
@settings(max_examples=300)
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    with suppress(TextError, TaskError):
        read(text)
        return
    place = failure(text).place
    assert place is not None
    assert place.excerpt in text
