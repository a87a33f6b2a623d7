"""`joiner cover DIR PROGRAM`: which examples a program covers, and why."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from joiner_magic.cli.common_arguments import add_task
from joiner_magic.errors import TaskError
from joiner_magic.logic.programs import Evaluation
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Term
from joiner_magic.search.option_arguments import add_engine
from joiner_magic.task.folder import load_program, load_task
from joiner_magic.task.notes import counted
from joiner_magic.task.reader import read_term
from joiner_magic.task.task import Task

if TYPE_CHECKING:
    from joiner_magic.cli.common_arguments import Commands


def add_command(commands: Commands) -> None:
    """Add the subcommand `cover` and its arguments to the parser."""
    command = commands.add_parser("cover", help="show which examples a program covers")
    add_task(command)
    command.add_argument(
        "program", metavar="PROGRAM", help="a file of rules for the predicate of the examples"
    )
    command.add_argument("--explain", metavar="ATOM", help="say why the program covers this atom, or why not")
    add_engine(command)
    command.set_defaults(run=_cover)


def _cover(arguments: argparse.Namespace) -> int:
    """Run `joiner cover`: print what a program covers, or explain one atom."""
    from joiner_magic.engines.choose import choose_engine
    from joiner_magic.engines.narrate import narrate
    from joiner_magic.engines.protocol import explainable

    task = load_task(arguments.directory)
    program = load_program(arguments.program)
    head = task.examples.predicate
    if head not in program.defined:
        raise TaskError(
            f"{arguments.program} has no rule for {head}", remedy="define the examples' predicate"
        )
    if arguments.explain is not None:
        atom = read_term(arguments.explain, "--explain")
        asked = task.besides(atom) if explainable(program, atom) == head else task
        with choose_engine(asked, arguments.engine, trusted=arguments.trusted).engine as engine:
            print(narrate(engine.explain(program, atom)))
        return 0
    choice = choose_engine(task, arguments.engine, trusted=arguments.trusted)
    with choice.engine as engine:
        (evaluation,) = engine.evaluate([program])
    print(f"program     {counted(len(program.rules), 'rule')}, {counted(program.size, 'literal')}")
    print(f"engine      {choice}")
    for line in _coverage(task, evaluation):
        print(line)
    return 0


def _coverage(task: Task, evaluation: Evaluation) -> Iterator[str]:
    """The counts, and the first examples that are on the wrong side."""
    pos, neg = task.examples.pos, task.examples.neg
    missed = [atom for i, atom in enumerate(pos) if not evaluation.pos >> i & 1]
    wrong = [atom for i, atom in enumerate(neg) if (evaluation.neg or 0) >> i & 1]
    yield f"positive    {len(pos) - len(missed)} of {len(pos)} covered{_first('not', missed)}"
    yield f"negative    {len(wrong)} of {len(neg)} covered{_first('such as', wrong)}"
    if not evaluation.complete:
        yield "unfinished  the evaluation did not finish: perhaps more examples are covered"


def _first(what: str, atoms: Sequence[Term], most: int = 3) -> str:
    """The first few atoms as the end of a line, and how many more there are."""
    if not atoms:
        return ""
    shown = ", ".join(render_term(atom) for atom in atoms[:most])
    more = ""
    if len(atoms) > most:
        more = f" and {len(atoms) - most} more"
    return f", {what} {shown}{more}"
