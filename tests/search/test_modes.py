from __future__ import annotations

import pytest

from joiner_magic import learn, read_task
from joiner_magic.logic.render import render_rule
from joiner_magic.search.running.events import Evaluated, Event
from joiner_magic.search.spaces.modes import Modes
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.task.bias import Bias
from joiner_magic.task.bias_reader import read_bias
from joiner_magic.task.reader import read_program


def bias(head: str, *directions: str) -> Bias:
    text = f"head_pred(f,2). body_pred(p,2). direction(f,({head})). " + " ".join(directions)
    return read_bias([AspText(text, "bias")], missing=lambda: pytest.fail("nothing is missing"))[0]


GENERATE = "direction(p,(in,out)). body_pred(q,1). direction(q,(in,))."


def ordered(modes: Modes, text: str) -> str | None:
    (rule,) = read_program(text).rules
    found = modes.in_order(rule)
    return None if found is None else render_rule(found)


def test_inputs_are_bound_before_use() -> None:
    modes = Modes(bias("in,out", GENERATE))
    assert ordered(modes, "f(A,B) :- q(B), p(A,B).") == "f(A, B) :- p(A, B), q(B)."
    assert ordered(modes, "f(A,B) :- p(C,B), p(A,C).") == "f(A, B) :- p(A, C), p(C, B)."
    assert ordered(modes, "f(A,B) :- q(B).") is None


def test_tests_go_before_generators() -> None:
    modes = Modes(bias("in,in", GENERATE))
    assert ordered(modes, "f(A,B) :- p(A,C), q(C), q(A), p(B,C).") == (
        "f(A, B) :- q(A), p(A, C), q(C), p(B, C)."
    )


def test_a_head_without_directions_is_bound() -> None:
    text = "head_pred(f,2). body_pred(p,2). direction(p,(in,in))."
    modes = Modes(read_bias([AspText(text, "bias")], missing=lambda: pytest.fail("nothing is missing"))[0])
    assert modes.demands == 0
    assert ordered(modes, "f(A,B) :- p(B,A).") == "f(A, B) :- p(B, A)."


def test_profile_says_what_a_fragment_needs_and_binds() -> None:
    modes = Modes(bias("in,out", GENERATE))
    assert modes.demands == 1
    assert modes.profile(read_program("f(A,B) :- p(A,B).")) == (1, 0)
    assert modes.profile(read_program("f(A,B) :- q(B).")) == (0, 1)
    assert modes.profile(read_program("f(A,B) :- q(A).")) == (0, 0)


def test_profile_of_two_outputs_tells_sets_apart() -> None:
    modes = Modes(bias("out,out", GENERATE))
    assert modes.demands == 3  # {A}, {B}, {A, B}
    # Runs once A is bound, and then binds B.
    assert modes.profile(read_program("f(A,B) :- p(A,B).")) == (0b010, 0b101)


def test_a_called_program_needs_only_the_inputs() -> None:
    modes = Modes(bias("in,out", GENERATE))
    program = read_program("f(A,B) :- p(A,B). f(A,B) :- p(A,C), f(C,B).")
    assert modes.profile(program) == (1, 0)


def test_a_fragment_is_run_with_all_head_variables_bound() -> None:
    modes = Modes(bias("in,out", GENERATE))
    (rule,) = modes.program_in_order(read_program("f(A,B) :- q(C), p(B,C).")).rules
    assert render_rule(rule) == "f(A, B) :- p(B, C), q(C)."


def test_a_rule_that_needs_the_inputs_only_is_run_as_it_will_be_written() -> None:
    modes = Modes(bias("in,out", GENERATE))
    (rule,) = modes.program_in_order(read_program("f(A,B) :- q(B), p(A,B).")).rules
    assert render_rule(rule) == "f(A, B) :- p(A, B), q(B)."


LISTS = "head([H|_],H). tail([_|T],T). even(0). even(2). even(A) :- A > 2, 0 is A mod 2."
LIST_EXAMPLES = "pos(f([3,2],[2])). pos(f([1,4,6],[4,6])). neg(f([3,1],[1])). neg(f([4],[4]))."
LIST_BIAS = """head_pred(f,2). body_pred(even,1). body_pred(head,2). body_pred(tail,2). max_body(3).
    direction(f,(in,out)). direction(even,(in,)). direction(head,(in,out)). direction(tail,(in,out)).
    type(f,(list,list)). type(even,(element,)). type(head,(list,element)). type(tail,(list,list))."""


def test_fragments_that_rely_on_outputs_of_the_head_are_tested_to_the_end(engine_name: str) -> None:
    found: dict[str, tuple[int, bool]] = {}

    def hear(event: Event) -> None:
        if isinstance(event, Evaluated):
            for program, evaluation in zip(event.programs, event.evaluations, strict=True):
                found[render_rule(program.rules[0])] = evaluation.pos, evaluation.complete

    learn(read_task(LISTS, LIST_EXAMPLES, LIST_BIAS), engine=engine_name, source="asp", listeners=[hear])
    assert all(complete for _, complete in found.values())
    assert found["f(A, B) :- even(C), head(B, C)."] == (0b11, True)
