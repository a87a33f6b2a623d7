"""The command `joiner`, a thin layer over the package: one module for each subcommand.

Bad input is reported as one error on the standard error stream, with exit status 2 and without a traceback.
Characters that the terminal cannot show are escaped.

A subcommand is a module with a function `add_command`, which declares its arguments and names the function that runs it. That
function returns the exit status: 0 if all is well, 1 if the command did its work and the answer is no (no solution, a part
that does not work, a run that failed), and 2 for bad input.

Modules that take long to import are imported by the function that needs them, so that `joiner --help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from joiner_magic.cli import bench, check, cover, doctor, learn, new, tutorial
from joiner_magic.errors import JoinerError
from joiner_magic.search.option_arguments import bare_options_last

BAD_INPUT = 2
INTERRUPTED = 130  # as shells have it


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command `joiner` with these arguments, and return its exit status.

    An error of the user is one line on the standard error stream, with the status 2. After Ctrl-C the status is 130, as shells have
    it. Where the reader of the output has gone, as after `joiner check DIR | head`, the rest is dropped without a word.
    """
    words = sys.argv[1:] if argv is None else argv
    arguments = parser().parse_args(bare_options_last(words))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    status = 0
    try:
        status = arguments.run(arguments)
        sys.stdout.flush()
    except JoinerError as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("interrupted before there was a result", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has seen enough; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def parser() -> argparse.ArgumentParser:
    """The parser of the command's arguments."""
    command = argparse.ArgumentParser(prog="joiner", description="Learn logic programs from examples.")
    commands = command.add_subparsers(title="commands", dest="command", required=True)
    learn.add_command(commands)
    check.add_command(commands)
    cover.add_command(commands)
    bench.add_command(commands)
    tutorial.add_command(commands)
    new.add_command(commands)
    doctor.add_command(commands)
    return command
