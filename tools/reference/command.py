"""The command `joiner` and its subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import fields

from joiner_magic.cli import BAD_INPUT, INTERRUPTED, bench, doctor, learn, parser
from joiner_magic.search.options import Options
from reference.arguments import subcommands, summary, taken, takes, usage
from reference.markdown import block, code, page, sentence, table


def written() -> str:
    joiner = parser()
    commands = subcommands(joiner)
    overview = table(
        ("command", ""), [(f"[`joiner {name}`](#joiner-{name})", summary(joiner, name)) for name in commands]
    )
    parts = [overview]
    for name, command in commands.items():
        told = command.description or sentence(summary(joiner, name))
        parts += [f"## joiner {name}", block(usage(command)), told, *_arguments(command)]
    return page(
        "The command joiner",
        "Each command prints its part of this page with `--help`.",
        *filter(None, parts),
        "## Exit status",
        table(("status", "means"), [(code(str(status)), meaning) for status, meaning in _statuses()]),
    )


def _statuses() -> Iterator[tuple[int, str]]:
    yield 0, "the command has done its work; for `joiner learn`: there is a solution"
    yield learn.NO_SOLUTION, "`joiner learn` has no solution"
    yield bench.SOME_FAILED, "`joiner bench`: a task could not be measured"
    yield doctor.BROKEN, "`joiner doctor`: a part that is needed does not work"
    yield BAD_INPUT, "bad input; one line says what is wrong"
    yield (
        INTERRUPTED,
        "Ctrl-C before there was a result; once there is one, Ctrl-C makes `joiner learn` print the best so far",
    )


def _arguments(command: argparse.ArgumentParser) -> Iterator[str]:
    """The options of the learner are told once, on their own page."""
    learns = takes(command, "timeout")
    yield taken(command, without=[option.name for option in fields(Options)] if learns else ())
    if learns:
        yield "Besides these it takes [the options of the learner](options.md#of-the-learner)."
