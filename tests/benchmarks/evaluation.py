"""How fast the embedded engine loads tasks and evaluates two-literal rules, in CPU seconds.

    python tests/benchmarks/evaluation.py [TASK …]

Reads the field's tasks from $JOINER_TASKS. Every rule of two body literals that the types allow
is evaluated (connected to the head, within max_vars), over and over for about a second.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from joiner_magic.engines.choose import choose_engine
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.terms import Predicate
from joiner_magic.task.bias import Bias
from joiner_magic.task.folder import load_task

ROOT = Path(__file__).resolve().parent.parent.parent
TASKS = Path(os.environ.get("JOINER_TASKS", ROOT.parent / "shared" / "tasks"))
DEFAULT = ["iggp-rps", "zendo3", "iggp-coins", "imdb3", "onedarc_1d_flip", "pharma1-4", "stringbodysize_1-4"]


def literals(bias: Bias, kinds: list[str]) -> Iterator[tuple[Literal, list[str]]]:
    """Body literals over variables of these types and new ones, with the types after each."""

    def extend(
        predicate: Predicate, args: tuple[int, ...], known: list[str]
    ) -> Iterator[tuple[Literal, list[str]]]:
        if len(args) == predicate.arity:
            yield Literal(predicate.name, args), known
            return
        kind = bias.types[predicate][len(args)]
        for variable, known_kind in enumerate(known):
            if known_kind == kind and variable not in args:
                yield from extend(predicate, (*args, variable), known)
        if len(known) < bias.max_vars:
            yield from extend(predicate, (*args, len(known)), [*known, kind])

    for predicate in bias.body:
        yield from extend(predicate, (), kinds)


def two_literal_rules(bias: Bias) -> Iterator[Program]:
    head = Literal(bias.head.name, tuple(range(bias.head.arity)))
    for first, kinds in literals(bias, list(bias.types[bias.head])):
        if not any(isinstance(arg, int) and arg < bias.head.arity for arg in first.args):
            continue
        for second, _ in literals(bias, kinds):
            if second > first or set(second.args) & set(first.args):
                yield Program((Rule(head, (first, second)),))


def main() -> None:
    print(
        f"{'task':22} {'examples':>9} {'load s':>7} {'engine s':>8} {'rules':>6} {'rules/s':>9} {'lazy/s':>9}"
    )
    for name in sys.argv[1:] or DEFAULT:
        start = time.process_time()
        task = load_task(TASKS / name)
        loaded = time.process_time()
        engine = choose_engine(task, "datalog").engine
        ready = time.process_time()
        programs = list(two_literal_rules(task.bias))
        rates = []
        for lazy in (False, True):
            engine.evaluate(programs, lazy=lazy)  # indexes are built once
            batch = programs * max(1, 100_000 // len(programs))
            begin = time.process_time()
            engine.evaluate(batch, lazy=lazy)
            rates.append(len(batch) / (time.process_time() - begin))
        count = len(task.examples.pos) + len(task.examples.neg)
        times = f"{loaded - start:7.3f} {ready - loaded:8.3f}"
        print(f"{name:22} {count:9,} {times} {len(programs):6,} {rates[0]:9,.0f} {rates[1]:9,.0f}")


if __name__ == "__main__":
    main()
