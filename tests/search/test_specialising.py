"""What a space has below a program: all of it, and nothing else; and what the record of a run says of it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from random import Random

import pytest

from joiner_magic import read_task
from joiner_magic.logic.canonical import generalisations
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.fate import Fate
from joiner_magic.search.record.plain_record import PlainRecord
from joiner_magic.search.record.record import RecordedProgram
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.spaces.specialisations import SpecialisationSpace
from joiner_magic.task.bias import Bias
from own_group import printed_by
from search.learning_tasks import random_learning_task
from search.test_asp_source import generated, random_bias
from search.test_record import everything, learnt


def every_program(bias: Bias, **space: bool) -> list[Program]:
    source = AspSource(bias, **space)
    return list(chain.from_iterable(generated(source, size) for size in range(2, source.largest + 1)))


def ancestors(program: Program, head: Predicate) -> Iterator[Program]:
    for above in generalisations(program, head):
        yield above
        yield from ancestors(above, head)


def check_specialisations(bias: Bias, rng: Random, **space: bool) -> None:
    programs = every_program(bias, **space)
    above = {program: set(generalisations(program, bias.head)) for program in programs}
    specialising = SpecialisationSpace(bias, **space)
    for program in rng.sample(programs, min(15, len(programs))):
        found = specialising.immediate(program)
        assert found is not None
        assert len(set(found)) == len(found)
        assert set(found) == {below for below in programs if program in above[below]}, bias.to_text()
        sample = specialising.sample(program, 20, 1, lambda _: True)
        assert len(set(sample)) == len(sample) <= 20
        assert len(sample) == 20 or set(found) <= set(sample)
        assert set(sample) <= above.keys()
        assert all(program in ancestors(below, bias.head) for below in sample)
        assert specialising.sample(program, 20, 1, lambda _: True) == sample
        assert specialising.sample(program, 20, 1, lambda _: False) == []


@pytest.mark.parametrize("seed", range(40))
def test_rules_with_a_literal_more_are_those_of_the_space(seed: int) -> None:
    rng = Random(seed)
    bias = random_bias(rng, max_vars=rng.randint(2, 4), max_body=3, predicates=rng.randint(1, 3))
    check_specialisations(bias, rng, splittable=rng.random() < 0.5, fragments=rng.random() < 0.5)


@pytest.mark.parametrize("seed", range(15))
def test_programs_of_several_rules_too(seed: int) -> None:
    rng = Random(seed)
    clauses = rng.choice([2, 2, 3])
    bias = random_bias(rng, max_vars=5 - clauses, max_body=2, predicates=2, widest=2)
    check_specialisations(replace(bias, enable_recursion=True, max_clauses=clauses), rng)


@pytest.mark.parametrize("seed", range(10))
def test_and_those_with_invented_predicates(seed: int) -> None:
    rng = Random(seed)
    bias = random_bias(rng, max_vars=2, max_body=2, predicates=2, widest=2)
    check_specialisations(replace(bias, enable_pi=True, max_clauses=2), rng)


def test_a_users_constraint_holds_for_specialisations() -> None:
    free = read_task(
        "p(a,b). q(b). r(b).",
        "pos(f(a)).",
        "max_vars(2). allow_singletons. head_pred(f,1). body_pred(p,2). body_pred(q,1).",
    ).bias
    bias = replace(free, constraints=":- body_literal(_,p,_,_), body_literal(_,q,_,_).")
    first = next(p for p in every_program(bias) if p.size == 2 and p.rules[0].body[0].name == "p")
    assert {"p", "q"} in [_names(below) for below in SpecialisationSpace(free).immediate(first) or ()]
    assert {"p", "q"} not in [_names(below) for below in SpecialisationSpace(bias).immediate(first) or ()]


def _names(program: Program) -> set[str]:
    return {literal.name for rule in program.rules for literal in rule.body}


@pytest.mark.parametrize("seed", range(24))
def test_the_record_counts_what_was_never_made(seed: int) -> None:
    rng = Random(seed)
    made = random_learning_task(rng, recursion=seed % 3 == 0)
    task = read_task(made.background, made.examples, made.bias)
    join = rng.random() < 0.8
    _, record = learnt(task, source="asp", join=join)
    head = task.bias.head
    noted = {one.program: one for one in everything(record)}
    programs = every_program(task.bias, splittable=not join, fragments=join)
    above = {program: set(generalisations(program, head)) for program in programs}
    for one in rng.sample(everything(record), min(25, len(record))):
        below = {program for program in programs if one.program in above[program]}
        found = record.specialisations(one.number)
        assert {record[number].program for number in found.made} == below & noted.keys()
        if not found.counted:
            assert not found.cut
            continue
        if len(one.program.rules) == 1 or one.cut:
            assert sum(cut.count for cut in found.cut) == len(below - noted.keys())
        by_kind = Counter[Fate]()
        for cut in found.cut:
            by_kind[cut.kind] += cut.count
            assert cut.kind == ("unfinished" if cut.cause is None else record[cut.cause].cut)
        for kind, count in by_kind.items():
            never_made = record.never_made(one.number, kind, 10_000)
            assert len(never_made) == count
            assert set(never_made) <= below - noted.keys()
            assert kind == "unfinished" or all(_has_cause(p, kind, noted, head) for p in never_made)
        for removed in record.sample_of_cut(one.number, 10, 1) if one.cut else ():
            assert removed in above
            assert removed not in noted
            assert one.program in ancestors(removed, head)


def _has_cause(program: Program, kind: Fate, noted: dict[Program, RecordedProgram], head: Predicate) -> bool:
    return any(
        noted[above].fate == kind and kind.prunes for above in ancestors(program, head) if above in noted
    )


def test_where_numbers_of_variables_matter_nobody_has_counted() -> None:
    task = read_task(
        "p(a,b). q(b). p(c,d).",
        "pos(f(a)). neg(f(c)).",
        "max_vars(3). head_pred(f,1). body_pred(p,2). body_pred(q,1). :- body_literal(0,q,1,(2,)).",
    )
    _, record = learnt(task, source="asp")
    assert len(record)
    found = [record.specialisations(number) for number in range(len(record))]
    assert all(not one.counted and not one.cut for one in found)


def test_a_full_record_does_not_take_what_it_missed_for_what_was_never_made() -> None:
    task = read_task(
        "p(a,b). p(b,a). q(b). r(a).",
        "pos(f(a)). neg(f(b)).",
        "max_vars(3). head_pred(f,1). body_pred(p,2). body_pred(q,1). body_pred(r,1).",
    )
    head = task.bias.head
    programs = every_program(task.bias)
    record = PlainRecord(SpecialisationSpace(task.bias), most=8)
    for program in programs[:12]:
        record.note(program, Evaluation(1, 1), Fate.JOINABLE)
    assert record.missed == 4
    assert [record[number].size for number in (0, 7)] == [2, 4]
    for number in range(8):
        one = record[number]
        found = record.specialisations(number)
        assert found.counted == (one.size == 2)
        assert {record[n].program for n in found.made} == {
            program for program in programs[:8] if one.program in generalisations(program, head)
        }


# Views ask in the kernel's main thread, where interrupts are raised: here one every few milliseconds.
_UNDER_FIRE = """
import os, signal, sys, threading, time
from joiner_magic import read_task
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.spaces.specialisations import SpecialisationSpace

bias = read_task(
    "p(a,b). q(b). r(b).",
    "pos(f(a)).",
    "max_vars(4). max_body(4). allow_singletons. head_pred(f,1). body_pred(p,2). body_pred(q,1). body_pred(r,1).",
).bias
programs = [p for size in (2, 3, 4) for batch in AspSource(bias).generate(size) for p in batch.programs][:40]
wanted = [set(SpecialisationSpace(bias).immediate(program)) for program in programs]
left = 300  # interrupts
begun = threading.Event()


def fire():
    global left
    begun.wait()
    while left:
        time.sleep(0.004)
        left -= 1
        os.kill(os.getpid(), signal.SIGINT)


def interrupt(*_):
    if left:  # the last ones come when nobody asks any more
        raise KeyboardInterrupt


def ask():
    global interrupted, specialising
    while left:
        try:
            begun.set()
            specialising = SpecialisationSpace(bias)
            while left:
                found = [specialising.immediate(program) for program in programs]
        except KeyboardInterrupt:
            interrupted += 1


interrupted = 0
signal.signal(signal.SIGINT, interrupt)
threading.Thread(target=fire).start()
while left:
    try:
        ask()
    except KeyboardInterrupt:  # while it dealt with another one
        interrupted += 1
print(interrupted > 50, [set(specialising.immediate(program)) for program in programs] == wanted)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C alone")
def test_interrupts_end_the_question_and_nothing_else() -> None:
    assert printed_by(_UNDER_FIRE) == "True True"
