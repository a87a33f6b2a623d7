"""What a hypothesis says of an atom is the same alone, together with others, in training, and to Prolog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from joiner_magic import Result, learn, read_task
from joiner_magic.engines.choose import choose_engine
from joiner_magic.logic.programs import Program
from joiner_magic.task.reader import read_program, read_term
from seeds import SEEDS

BACKGROUND = r"""
z(zz). z(b). e(a,b). e(b,zz). e(zz,1). known([zz]). known([a,b]). nil([]).
hd([H|_],H). tl([_|T],T). big([H|_]) :- H > 2. two([_,_]).
last([X],X). last([_|T],X) :- last(T,X).
"""
ITEMS = ["a", "b", "zz", "1", "3.5"]
LISTS = [f"[{','.join(items)}]" for length in range(4) for items in product(ITEMS, repeat=length)]
PREDICATES = ["z/1", "e/2", "known/1", "nil/1", "hd/2", "tl/2", "big/1", "two/1", "last/2"]
FEATURES: list[Callable[[Sequence[str]], bool]] = [
    lambda items: items[:1] == ["zz"],
    lambda items: items[:1] == ["3.5"],
    lambda items: len(items) == 2,
    lambda items: items[-1:] == ["a"],
    lambda items: "b" in items,
    lambda items: items[1:2] == ["zz"],
]


def random_result(rng: Random) -> Result:
    """Learnt from lists with one of two features: without directions, or with some; now and then with recursion."""
    one, other = rng.sample(FEATURES, 2)
    chosen = rng.sample(LISTS, rng.randint(4, 10))
    signs = ["pos" if _has(text, one) or _has(text, other) else "neg" for text in chosen]
    if "pos" not in signs:
        signs[0] = "pos"
    examples = "\n".join(f"{sign}(f({text}))." for sign, text in zip(signs, chosen, strict=True))
    body = rng.sample(PREDICATES, 5)
    bias = [
        "head_pred(f,1). max_vars(3). max_body(3).",
        *(f"body_pred({p.replace('/', ',')})." for p in body),
    ]
    bias += [
        f"direction({name},(in,out))."
        for name in ("hd", "tl", "last")
        if f"{name}/2" in body and rng.random() < 0.3
    ]
    if rng.random() < 0.1:
        bias.append("enable_recursion. max_clauses(2).")
    return learn(read_task(BACKGROUND, examples, "\n".join(bias)), engine="datalog", timeout=5, advise=False)


def _has(text: str, feature: Callable[[Sequence[str]], bool]) -> bool:
    return feature(text[1:-1].split(",") if text != "[]" else [])


def check(result: Result, rng: Random) -> None:
    training = [*result.task.examples.pos, *result.task.examples.neg]
    with choose_engine(result.task, "datalog").engine as engine:
        assert result.hypothesis is not None
        (evaluation,) = engine.evaluate([result.hypothesis])
    bits = evaluation.pos | (evaluation.neg or 0) << len(result.task.examples.pos)
    expected = [bool(bits >> i & 1) for i in range(len(training))]
    assert result.predict(training) == expected, result
    new = [read_term(f"f({text})") for text in rng.sample(LISTS, 5)]
    mixed = [*zip(training, expected, strict=True), *((atom, result.predict([atom])[0]) for atom in new)]
    rng.shuffle(mixed)
    assert result.predict([atom for atom, _ in mixed]) == [covered for _, covered in mixed], result
    atom, covered = rng.choice(mixed)
    assert result.predict([atom]) == [covered], f"{atom}\n{result}"
    assert result.explain(atom).covered == covered, f"{atom}\n{result}"
    scored = result.score(f"pos({atom}). pos(f([zz,zz,a])).")
    assert (
        scored.tp == covered + result.predict(["f([zz,zz,a])"])[0] - (str(atom) == "f([zz, zz, a])") * covered
    )


def hypotheses(seed: int, how_many: int) -> list[Program]:
    rng = Random(seed)
    found = []
    for _ in range(how_many):
        result = random_result(rng)
        if result.hypothesis is not None:
            check(result, rng)
            found.append(result.hypothesis)
    assert len(found) > how_many / 3, f"seed {seed}: nearly nothing was learnt"
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_alone_together_and_in_training(seed: int) -> None:
    hypotheses(seed, 40)


@pytest.mark.prolog
@pytest.mark.parametrize("seed", [seed + 1 for seed in SEEDS])
def test_prolog_says_the_same(seed: int) -> None:
    found = hypotheses(seed, 40)
    examples = "\n".join(f"pos(f({text}))." for text in LISTS)
    bias = "head_pred(f,1). " + " ".join(f"body_pred({p.replace('/', ',')})." for p in PREDICATES)
    task = read_task(BACKGROUND, examples, bias)
    with choose_engine(task, "datalog").engine as embedded, choose_engine(task, "prolog").engine as prolog:
        for program in found:
            assert embedded.is_local(program)
            (one,), (other,) = embedded.evaluate([program]), prolog.evaluate([program])
            if other.complete:
                assert one == other, str(program)
            assert one.pos & other.pos == other.pos, str(program)


@pytest.mark.parametrize("engine", ["datalog", pytest.param("prolog", marks=pytest.mark.prolog)])
def test_a_list_of_another_example_is_no_help(engine: str) -> None:
    """`f(A) :- hd(B,C), z(C), tl(B,A)` held of [a] as long as [zz,a] was at hand; in Prolog it holds of any A."""
    task = read_task(
        "z(zz). tl([_|T],T). hd([H|_],H).",
        "pos(f([a])). neg(f([b])). neg(f([zz,a])).",
        "head_pred(f,1). body_pred(z,1). body_pred(tl,2). body_pred(hd,2). max_vars(4). max_body(3).",
    )
    assert learn(task, engine=engine, timeout=60, advise=False).status == "none"


def test_a_program_that_is_not_local_is_asked_about_each_atom_in_its_own_surroundings() -> None:
    """With its own directions for the body alone, a recursive program may call itself for whatever is at hand."""
    task = read_task(
        "tl([_|T],T). z([]).", "pos(f([a])). pos(f([b])).", "head_pred(f,1). body_pred(tl,2). body_pred(z,1)."
    )
    with choose_engine(task, "datalog").engine as engine:
        assert engine.is_local(read_program("f(A) :- tl(A,B), z(B)."))
        assert not engine.is_local(read_program("f(A) :- tl(B,A), z(A)."))
        assert not engine.is_local(read_program("f(A) :- z(A). f(A) :- f(B), tl(B,A)."))
        assert engine.is_local(read_program("f(A) :- z(A). f(A) :- tl(A,B), f(B)."))


def test_what_is_not_local_is_asked_as_it_was_learnt() -> None:
    """Of a saved result, say, from when such rules were learnt."""
    task = read_task(
        "z(zz). tl([_|T],T). hd([H|_],H).",
        "pos(f([a])). pos(f([zz])). neg(f([b])). neg(f([zz,a])).",
        "head_pred(f,1). body_pred(z,1). body_pred(tl,2). body_pred(hd,2).",
    )
    program = read_program("f(A) :- hd(B,C), z(C), tl(B,A).")
    result = replace(learn(task, engine="datalog", timeout=60, advise=False), hypothesis=program)
    with choose_engine(task, "datalog").engine as engine:
        (training,) = engine.evaluate([program])
    assert (training.pos, training.neg) == (0b01, 0b00)
    assert result.predict(["f([a])"]) == [True]
    assert result.predict(["f([zz,b])", "f([b])", "f([a])", "f([zz,zz])"]) == [False, False, True, False]
    assert result.explain("f([a])").covered
    assert not result.explain("f([b])").covered
    assert result.score("pos(f([a])). neg(f([b])). neg(f([zz,b])).").tp == 1
    assert result.score("pos(f([a])). neg(f([b])). neg(f([zz,b])).").fp == 0
