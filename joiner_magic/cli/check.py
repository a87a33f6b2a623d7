"""`joiner check DIR`: what is understood of a task.

It prints how many facts, rules and examples were read, the bias in force with what was inferred for it, the types and directions
of each predicate, the engine that takes the task and why, and notes on whatever looks like a mistake. Nothing is learnt.
With `--bias` it prints the bias alone, as a text to begin a bias.pl with.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from joiner_magic.cli.common_arguments import add_task, print_notes
from joiner_magic.search.option_arguments import add_engine
from joiner_magic.task.bias import Bias
from joiner_magic.task.folder import load_task
from joiner_magic.task.notes import counted
from joiner_magic.task.task import Task
from joiner_magic.task.vocabulary import BOUNDS, FLAGS

if TYPE_CHECKING:
    from joiner_magic.cli.common_arguments import Commands


def add_command(commands: Commands) -> None:
    """Add the subcommand `check` and its arguments to the parser."""
    command = commands.add_parser("check", help="show what is understood of a task")
    add_task(command)
    command.add_argument(
        "--bias", action="store_true", help="print only the bias in force, as text for bias.pl"
    )
    add_engine(command)
    command.set_defaults(run=_check)


def _check(arguments: argparse.Namespace) -> int:
    """Run `joiner check`: print what is understood of a task, and which engine takes it."""
    task = load_task(arguments.directory)
    if arguments.bias:
        print(task.bias.to_text(), end="")
        return 0
    for line in _report(task):
        print(line)
    # Imported late: a bad task is reported without loading the engines.
    from joiner_magic.engines.choose import choose_engine

    choice = choose_engine(task, arguments.engine, trusted=arguments.trusted)
    with choice.engine:
        print(f"engine      {choice}")
        print_notes((*task.notes, *choice.notes))
    return 0


def _report(task: Task) -> Iterator[str]:
    """The lines that describe a task: background knowledge, examples, bias."""
    background, examples, bias = task.background, task.examples, task.bias
    rules = sum(1 for _ in background.rules())
    yield (
        f"background  {counted(background.facts, 'fact')}, {counted(rules, 'rule')},"
        f" {counted(len(background.predicates), 'predicate')}, {counted(background.constants, 'constant')}"
    )
    yield f"examples    {len(examples.pos):,} positive, {len(examples.neg):,} negative, of {examples.predicate}"
    bounds = [f"{bound} {getattr(bias, bound)}" for bound in BOUNDS]
    yield f"bias        {', '.join([*bounds, *(flag for flag in FLAGS if getattr(bias, flag))])}"
    yield ""
    yield from _table(bias)
    if bias.constraints:
        yield ""
        yield "constraints for the generator:"
        yield from (f"  {line}" for line in bias.constraints.splitlines())
    if task.builtins:
        yield ""
        yield f"defined by Prolog: {', '.join(sorted(map(str, task.builtins)))}"
    yield ""


def _table(bias: Bias) -> Iterator[str]:
    """One line for each predicate: its types and directions.

    A dash stands where nothing is declared: any type, any direction.
    """
    rows = [("", "predicate", "types", "directions")]
    for kind, predicate in (("head", bias.head), *(("body", p) for p in bias.body)):
        types, directions = bias.types.get(predicate, ()), bias.directions.get(predicate, ())
        rows.append((kind, str(predicate), ", ".join(types) or "-", ", ".join(directions) or "-"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
