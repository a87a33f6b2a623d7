"""The field's own tasks: each loads, and programs printed in the paper's appendix mean what they say."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from conftest import each_field_task, field_task
from joiner_magic.engines.choose import choose_engine
from joiner_magic.logic.programs import Evaluation
from joiner_magic.logic.terms import Compound, Integer, List, Symbol, Term
from joiner_magic.task.folder import load_task
from joiner_magic.task.reader import read_program
from joiner_magic.task.task import Task


@each_field_task
def test_every_task_loads_into_the_embedded_engine(folder: Path) -> None:
    task = load_task(folder)
    choice = choose_engine(task)
    assert choice.engine.name == "datalog"
    head = ", ".join(f"V{i}" for i in range(task.bias.head.arity))
    (everything,) = choice.engine.evaluate([read_program(f"{task.bias.head.name}({head}).")])
    assert everything == Evaluation((1 << len(task.examples.pos)) - 1, (1 << len(task.examples.neg)) - 1)


def both_engines(task: Task, program: str) -> Evaluation:
    """The evaluation on which both engines agree."""
    evaluations = []
    for name in ("datalog", "prolog"):
        with choose_engine(task, name).engine as engine:
            evaluations += engine.evaluate([read_program(program)])
    assert evaluations[0] == evaluations[1]
    return evaluations[0]


ZENDO = {
    "zendo1": "zendo(A):- piece(A,C),size(C,B),blue(C),small(B),contact(C,D),red(D).",
    "zendo2": """zendo(A):- piece(A,B),piece(A,D),piece(A,C),green(D),red(B),blue(C).
                 zendo(A):- piece(A,D),piece(A,B),coord1(B,C),green(D),lhs(B),coord1(D,C).""",
    "zendo3": """zendo(A):- piece(A,D),blue(D),coord1(D,B),piece(A,C),coord1(C,B),red(C).
                 zendo(A):- piece(A,D),contact(D,C),rhs(D),size(C,B),large(B).
                 zendo(A):- piece(A,B),upright(B),contact(B,D),blue(D),size(D,C),large(C).""",
}


@pytest.mark.prolog
@pytest.mark.parametrize("name", ZENDO)
def test_the_papers_zendo_rules_solve_the_tasks(name: str) -> None:
    """The data were made with these rules, and both engines find that they fit."""
    task = load_task(field_task(name))
    all_pos = (1 << len(task.examples.pos)) - 1
    assert both_engines(task, ZENDO[name]) == Evaluation(all_pos, 0)


@pytest.mark.prolog
def test_the_papers_pharma_rule_covers_what_it_says() -> None:
    """`active` if some atom has a bond2 to a typeh atom and some atom a bond1 to a typec atom."""
    task = load_task(field_task("pharma3-4"))
    facts: dict[str, list[tuple[Term, ...]]] = defaultdict(list)
    for clause in task.background.clauses():
        assert isinstance(clause.head, Compound)
        facts[clause.head.functor].append(clause.head.args)

    def has(bond: str, kind: str) -> set[Term]:
        right = {atom for (atom,) in facts[kind]}
        bonded = {left for left, other in facts[bond] if other in right}
        return {molecule for molecule, atom in facts["atm"] if atom in bonded}

    active = has("bond2", "typeh") & has("bond1", "typec")

    def bits(examples: tuple[Term, ...]) -> int:
        return sum(1 << i for i, e in enumerate(examples) if isinstance(e, Compound) and e.args[0] in active)

    rule = "active(A):- atm(A,D),bond2(D,E),typeh(E),atm(A,C),bond1(C,B),typec(B)."
    expected = Evaluation(bits(task.examples.pos), bits(task.examples.neg))
    assert expected.pos
    assert both_engines(task, rule) == expected


@pytest.mark.prolog
@pytest.mark.parametrize("name", ["stringbodysize_1-4", "stringbodysize_2_1-2"])
def test_the_papers_string_program_covers_what_it_says(name: str) -> None:
    """A string is positive if it contains all of the letters m, d, o, r and u."""
    task = load_task(field_task(name))
    program = "f(A):- " + ",".join(f"f_{i}(A)" for i in range(5)) + ".\n"
    for i, letter in enumerate("mdoru"):
        program += f"f_{i}(A):- head(A,B),c{letter}(B).\nf_{i}(A):- tail(A,B),f_{i}(B).\n"

    def bits(examples: tuple[Term, ...]) -> int:
        total = 0
        for i, example in enumerate(examples):
            assert isinstance(example, Compound)
            (string,) = example.args
            letters = set(string.items) if isinstance(string, List) else set()
            total |= letters.issuperset(map(Symbol, "mdoru")) << i
        return total

    assert both_engines(task, program) == Evaluation(bits(task.examples.pos), bits(task.examples.neg))


@pytest.mark.prolog
@pytest.mark.parametrize("name", ["iggp-rps", "imdb1", "onedarc_1d_flip", "iggp-coins"])
def test_single_literals_of_real_tasks_agree(name: str) -> None:
    """Each body predicate on its own, with the head's variables in every place they fit by type."""
    task = load_task(field_task(name))
    head, bias = task.bias.head, task.bias
    kinds = bias.types[head]
    variables = [f"H{i}" for i in range(head.arity)]
    rules = []
    for predicate in bias.body:
        args = []
        for i, kind in enumerate(bias.types[predicate]):
            fits = [variable for variable, k in zip(variables, kinds, strict=True) if k == kind]
            args.append(fits[0] if fits else f"B{i}")
        rules.append(f"{head.name}({','.join(variables)}) :- {predicate.name}({','.join(args)}).")
    programs = [read_program(rule) for rule in rules]
    with choose_engine(task, "datalog").engine as embedded, choose_engine(task, "prolog").engine as prolog:
        assert embedded.evaluate(programs) == prolog.evaluate(programs)


def test_integers_of_the_field_are_integers() -> None:
    task = load_task(field_task("zendo3"))
    assert task.examples.pos[0] == Compound("zendo", (Integer(0),))
