"""Bias texts against mutation: clingo, which is not made for hostile texts, must never see one.

Run this file as a script to try other seeds: `PYTHONPATH=tests python
tests/task/test_fuzz_bias.py SEED CASES`.
"""

from __future__ import annotations

import sys

from joiner_magic.errors import JoinerError
from joiner_magic.logic.terms import Predicate
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.task.bias import Bias
from joiner_magic.task.bias_reader import read_bias
from task.mutations import accepted_apart, check_refusal, try_all

SEED = 20240806
CASES = 4_000

SNIPPETS = [
    "max_vars(5).\nmax_body(6).\nhead_pred(zendo,1). body_pred(piece,2).\ntype(piece,(state,piece)).",
    "head_pred(f,1).\nbody_pred(P,1) :- constant(P,_).\ntype(P,(T,)) :- constant(P,T).\nconstant(red,colour).",
    ":- clause(C), #count{V : clause_var(C,V), var_type(C,V,ex)} != 1.\nenable_recursion. head_pred(g,2).",
    "direction(head,(in,out)). direction(empty,(in,)). allow_singletons. non_datalog. enable_pi.",
    '% a comment\n:- body_literal(_,different,_,(A,B)), A > B.\n%* a block *%\nhead_pred("New York",1).',
    "#const n = 3.\nmax_vars(n+2). size_of(1..n). body_pred(p,N) :- size_of(N). head_pred(h,1).",
    "old(X) :- new(X), not body_pred(X,2). new(a;b). max_clauses(3). #defined old/1. #show.",
    'noisy(0.5,2). head_pred(f,1).\nnoisy("1/3") :- never. noisy(balanced) :- never. #defined never/0. body_pred(p,1).',
]


def check(text: str) -> bool:
    """Whether the text reads; if so, it is written as text that says the same."""

    def missing() -> Bias:
        return Bias(Predicate("head", 1), (Predicate("body", 1),))

    try:
        bias, _ = read_bias([AspText(text, "fuzz")], missing=missing)
    except JoinerError as error:
        check_refusal(text, error)
        return False
    again, _ = read_bias([AspText(bias.to_text(), "written")], missing=missing)
    assert again == bias
    return True


def test_mutated_bias_texts_are_read_or_refused() -> None:
    accepted = accepted_apart(__file__, SEED, CASES, SNIPPETS)
    assert CASES / 20 < accepted < CASES * 3 / 4


if __name__ == "__main__":
    try_all(int(sys.argv[1]), int(sys.argv[2]), SNIPPETS, check)
