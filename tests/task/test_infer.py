"""A bias from background knowledge and examples alone."""

from __future__ import annotations

import time
from pathlib import Path

from conftest import each_field_task, field_task
from joiner_magic.logic.terms import Predicate
from joiner_magic.task.bias import Bias
from joiner_magic.task.folder import load_task
from joiner_magic.task.infer import infer_bias
from joiner_magic.task.task import read_task


def inferred(bk: str, exs: str) -> Bias:
    return read_task(bk, exs).bias


def types(bias: Bias, name: str) -> tuple[str, ...]:
    (found,) = [words for predicate, words in bias.types.items() if predicate.name == name]
    return found


def test_predicates_and_bounds() -> None:
    bias = inferred("p(a,b). q(a). r(X) :- q(X). rainy.", "pos(f(a)). neg(f(b)).")
    assert bias.head == Predicate("f", 1)
    assert bias.body == (Predicate("p", 2), Predicate("q", 1), Predicate("r", 1))
    assert (bias.max_vars, bias.max_body, bias.max_clauses) == (6, 6, 1)


def test_variables_suffice_for_the_widest_predicate() -> None:
    assert inferred("p(a,b,c,d,e,f,g,h).", "pos(f(a)).").max_vars == 8


def test_shared_names_share_a_type() -> None:
    bias = inferred(
        "person(ann). person(bob). drives(ann,audi). drives(bob,fiat). brand(audi). likes(ann,bob).",
        "pos(f(ann)). neg(f(bob)).",
    )
    assert types(bias, "drives")[0] == types(bias, "f")[0] == "person"
    assert types(bias, "likes") == ("person", "person")
    assert types(bias, "drives")[1] == types(bias, "brand")[0] == "drives"


def test_rules_carry_types_through_their_variables() -> None:
    bias = inferred(
        "parent(ann,bob). age(ann,60). old(X) :- age(X,Y), Y > 50. anc(X,Y) :- parent(X,Y). anc(X,Z) :- anc(X,Y), anc(Y,Z).",
        "pos(f(ann)).",
    )
    (person,) = types(bias, "f")
    assert types(bias, "anc") == (person, person)
    assert types(bias, "old") == (person,)
    assert types(bias, "age") == (person, "number")


def test_lists_and_their_elements() -> None:
    bias = inferred("head([H|_],H). tail([_|T],T). empty([]). vowel(a).", "pos(f([a,b])). neg(f([b])).")
    assert types(bias, "f") == ("list",)
    assert types(bias, "head") == ("list", "element")
    assert types(bias, "tail") == ("list", "list")
    assert types(bias, "empty") == ("list",)
    assert types(bias, "vowel") == ("element",)


def test_prologs_own_predicates_connect_only_lists() -> None:
    bias = inferred("long(L) :- length(L,N), N > 3. known(X) :- nonvar(X). vowel(a).", "pos(f([a,b])).")
    assert types(bias, "long") == ("list",)
    assert types(bias, "known") not in (("list",), ("element",))


def scenes(states: int) -> tuple[str, str]:
    """Scenes numbered from 0, pieces with a size from 0 to 10, and words for small and large sizes."""
    pieces = "".join(f"piece({s},p{s}). size(p{s},{s % 11}). " for s in range(states))
    words = "".join(f"small({n}). " for n in range(4)) + "".join(f"large({n}). " for n in range(7, 11))
    return pieces + words + "largest(10).", "".join(f"pos(f({s})). " for s in range(states))


def test_numbers_that_identify_examples_are_no_quantities() -> None:
    bias = inferred(*scenes(60))
    (state,) = types(bias, "f")
    assert types(bias, "piece") == (state, "piece")
    assert types(bias, "size") == ("piece", "number")
    assert types(bias, "small") == types(bias, "large") == types(bias, "largest") == ("number",)
    assert state != "number"


def test_a_property_of_some_examples_is_still_one_of_examples() -> None:
    bk, exs = scenes(60)
    bias = inferred(bk + " special(41). special(57). special(59).", exs)
    assert types(bias, "special") == types(bias, "f")


def test_a_property_of_one_example_is_no_constant_unless_its_number_is_elsewhere() -> None:
    bias = read_task("p(1). p(2). q(2).", "pos(f(2)). neg(f(1)).").bias
    assert len(set(bias.types.values())) == 1
    bias = read_task("p(1). p(2). q(2). cost(a,2). cost(b,3).", "pos(f(2)). neg(f(1)).").bias
    assert bias.types[Predicate("q", 1)] == bias.types[Predicate("cost", 2)][1:]


def test_properties_of_numbered_examples_are_of_their_type() -> None:
    """Though each is of few of them, and shares as many with other properties as with the examples."""
    bk = "".join(
        f"{('red', 'blue', 'grey')[n % 3]}({n}). {('small', 'large')[n % 2]}({n}). " for n in range(30)
    )
    examples = "".join(f"{'neg' if n % 6 else 'pos'}(f({n})). " for n in range(30))
    assert len(set(read_task(bk, examples).bias.types.values())) == 1
    # even where a property is of most of them
    assert (
        len(set(read_task(bk + "".join(f"old({n}). " for n in range(25)), examples).bias.types.values())) == 1
    )


def test_numbers_that_are_related_are_one_type() -> None:
    succ = "".join(f"succ({n},{n + 1}). " for n in range(8))
    bias = inferred(succ + "even(0). even(2). even(4). even(6).", "".join(f"pos(f({n})). " for n in range(8)))
    assert types(bias, "f") == types(bias, "even") == ("number",)
    assert types(bias, "succ") == ("number", "number")


def test_inference_is_deterministic_and_reads_back() -> None:
    bk, exs = scenes(30)
    task = read_task(bk, exs)
    assert read_task(bk, exs).bias.to_text() == task.bias.to_text()
    assert read_task(bk, exs, task.bias.to_text()) == task


def test_odd_names_survive() -> None:
    task = read_task("'New York'('It\\'s'). 'été'(x,'It\\'s'). '[]'(x).", "pos(f(x)).")
    assert (
        read_task("'New York'('It\\'s'). 'été'(x,'It\\'s'). '[]'(x).", "pos(f(x)).", task.bias.to_text())
        == task
    )


@each_field_task
def test_types_of_the_field_are_never_split(folder: Path) -> None:
    """Coarser types than the author's cost time; finer ones would hide solutions."""
    task = load_task(folder)
    found = infer_bias(task.background, task.examples)
    joined: dict[str, set[str]] = {}
    for predicate, given in task.bias.types.items():
        for mine, theirs in zip(found.types.get(predicate, ()), given, strict=False):
            joined.setdefault(theirs, set()).add(mine)
    assert {theirs: mine for theirs, mine in joined.items() if len(mine) > 1} == {}
    assert found.head == task.bias.head
    assert set(task.bias.body) <= set(found.body)


def test_a_large_task_takes_less_than_a_second() -> None:
    task = load_task(field_task("pharma1-4"))
    started = time.process_time()
    bias = infer_bias(task.background, task.examples)
    assert time.process_time() - started < 1
    assert len(set(types(bias, "atm"))) == 2


def test_a_bound_that_is_said_leaves_the_other_as_it_is_inferred() -> None:
    texts = "has(t1,c1). short(c1). wide(a,b,c,d,e,f,g).", "pos(east(t1)). neg(east(t2))."
    inferred = read_task(*texts).bias
    assert (inferred.max_vars, inferred.max_body) == (7, 6)
    narrower = read_task(*texts, "max_vars(4).").bias
    assert (narrower.max_vars, narrower.max_body) == (4, 6)
    stated = read_task(*texts, "head_pred(east,1). body_pred(has,2).").bias
    assert (stated.max_vars, stated.max_body) == (6, 10)
