"""The command `joiner`, a thin layer over the package: `joiner check DIR`, `joiner cover DIR PROGRAM`.

Bad input is the user's to mend: one error on the standard error stream, exit status 2, no
traceback. Whatever the terminal cannot show is escaped.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from io import TextIOWrapper

from joiner_magic.errors import JoinerError, TaskError
from joiner_magic.logic.programs import Evaluation
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Term
from joiner_magic.task.bias import Bias
from joiner_magic.task.directives import BOUNDS, FLAGS
from joiner_magic.task.folder import load_program, load_task
from joiner_magic.task.notes import Note
from joiner_magic.task.reader import read_term
from joiner_magic.task.task import Task

BAD_INPUT = 2


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        arguments.run(arguments)
        sys.stdout.flush()
    except JoinerError as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader of our output has seen enough; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="joiner", description="Learn logic programs from examples.")
    commands = parser.add_subparsers(title="commands", dest="command", required=True)
    check = commands.add_parser("check", help="show what is understood of a task")
    check.add_argument("directory", metavar="DIR", help="a directory with bk.pl, exs.pl and perhaps bias.pl")
    check.add_argument(
        "--bias", action="store_true", help="print only the bias in force, as text for bias.pl"
    )
    _add_engine(check)
    check.set_defaults(run=_check)
    cover = commands.add_parser("cover", help="show which examples a program covers")
    cover.add_argument("directory", metavar="DIR", help="a directory with bk.pl, exs.pl and perhaps bias.pl")
    cover.add_argument("program", metavar="PROGRAM", help="a file of rules for the predicate of the examples")
    cover.add_argument("--explain", metavar="ATOM", help="say why the program covers this atom, or why not")
    _add_engine(cover)
    cover.set_defaults(run=_cover)
    return parser


def _add_engine(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--engine",
        choices=("auto", "datalog", "prolog"),
        default="auto",
        help="what answers which examples a program covers (default: %(default)s)",
    )
    command.add_argument(
        "--trusted",
        action="store_true",
        help="let the Prolog engine run background knowledge that reaches files, processes or the network",
    )


def _check(arguments: argparse.Namespace) -> None:
    task = load_task(arguments.directory)
    if arguments.bias:
        print(task.bias.to_text(), end="")
        return
    for line in _report(task):
        print(line)
    # Imported late: a bad task is reported without loading the engines.
    from joiner_magic.engines.choose import choose_engine

    choice = choose_engine(task, arguments.engine, trusted=arguments.trusted)
    with choice.engine:
        print(f"engine      {choice}")
        _print_notes((*task.notes, *choice.notes))


def _cover(arguments: argparse.Namespace) -> None:
    from joiner_magic.engines.choose import choose_engine
    from joiner_magic.engines.narrate import narrate

    task = load_task(arguments.directory)
    program = load_program(arguments.program)
    head = task.examples.predicate
    if head not in program.defined:
        raise TaskError(
            f"{arguments.program} has no rule for {head}", remedy="define the examples' predicate"
        )
    choice = choose_engine(task, arguments.engine, trusted=arguments.trusted)
    with choice.engine as engine:
        if arguments.explain is not None:
            print(narrate(engine.explain(program, read_term(arguments.explain, "--explain"))))
            return
        (evaluation,) = engine.evaluate([program])
    print(f"program     {_count(len(program.rules), 'rule')}, {_count(program.size, 'literal')}")
    print(f"engine      {choice}")
    for line in _coverage(task, evaluation):
        print(line)


def _coverage(task: Task, evaluation: Evaluation) -> Iterator[str]:
    """The counts, and the first examples that are on the wrong side."""
    pos, neg = task.examples.pos, task.examples.neg
    missed = [atom for i, atom in enumerate(pos) if not evaluation.pos >> i & 1]
    wrong = [atom for i, atom in enumerate(neg) if (evaluation.neg or 0) >> i & 1]
    yield f"positive    {len(pos) - len(missed)} of {len(pos)} covered{_first('not', missed)}"
    yield f"negative    {len(wrong)} of {len(neg)} covered{_first('such as', wrong)}"
    if not evaluation.complete:
        yield "unfinished  a limit was hit: examples that were not finished count as not covered"


def _first(what: str, atoms: Sequence[Term], most: int = 3) -> str:
    shown = ", ".join(render_term(atom) for atom in atoms[:most])
    more = f" and {len(atoms) - most} more" if len(atoms) > most else ""
    return f", {what} {shown}{more}" if atoms else ""


def _report(task: Task) -> Iterator[str]:
    background, examples, bias = task.background, task.examples, task.bias
    rules = sum(1 for _ in background.rules())
    yield (
        f"background  {_count(background.facts, 'fact')}, {_count(rules, 'rule')},"
        f" {_count(len(background.predicates), 'predicate')}, {_count(background.constants, 'constant')}"
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


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _table(bias: Bias) -> Iterator[str]:
    """One line for each predicate: its types and directions."""
    rows = [("", "predicate", "types", "directions")]
    for kind, predicate in (("head", bias.head), *(("body", p) for p in bias.body)):
        types, directions = bias.types.get(predicate, ()), bias.directions.get(predicate, ())
        rows.append((kind, str(predicate), ", ".join(types) or "-", ", ".join(directions) or "-"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _print_notes(notes: Sequence[Note]) -> None:
    if notes:
        print("\nnotes:")
    for note in notes:
        print(f"  {note}")
