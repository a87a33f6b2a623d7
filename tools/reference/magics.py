"""The magics, and the subcommands of `%joiner`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields

from joiner_magic.notebook.commands import COMMANDS
from joiner_magic.notebook.magics import JoinerMagics, text_parser
from joiner_magic.notebook.subcommands import learn_parser
from joiner_magic.search.options import Options
from joiner_magic.sessions.cells import Kind
from reference.arguments import taken
from reference.markdown import block, code, page, sentence, table
from reference.said import first_paragraph

_SAYING: tuple[Kind, ...] = ("bk", "examples", "bias")


def written() -> str:
    return page(
        "Magics",
        "`%load_ext joiner_magic` gives them to a Python kernel; in the kernel *Joiner (Python + ILP)* they are there."
        " Each says with `--help` what it takes. [In the notebook](notebook.md) tells how they work together.",
        *_says(),
        *_learns(),
        *_subcommands(),
    )


def _says() -> Iterator[str]:
    for kind in _SAYING:
        yield from _magic(kind)
        yield taken(text_parser(kind))


def _learns() -> Iterator[str]:
    yield from _magic("joiner")
    yield "The options of the learner are on [their own page](options.md). Besides them it takes"
    yield taken(learn_parser(), without=[option.name for option in fields(Options)])


def _magic(name: str) -> Iterator[str]:
    method = getattr(JoinerMagics, name)
    told = inspect.cleandoc(method.__doc__)
    shown = [line[4:] for line in told.splitlines() if line.startswith("    ") or not line]
    yield f"## %%{name}"
    yield first_paragraph(method, name)
    yield "<!-- not run: lines with their meaning beside them -->"
    yield block("\n".join(shown).strip())


def _subcommands() -> Iterator[str]:
    yield "## Subcommands of %joiner"
    yield table(
        ("subcommand", "what it does"),
        [(code(f"%joiner {each.name} {each.takes}".strip()), each.does) for each in COMMANDS.values()],
    )
    for command in COMMANDS.values():
        if command.own_parser is not None and command.name != "learn":  # whose options are those of %%joiner
            yield f"### %joiner {command.name}"
            yield sentence(command.does)
            yield taken(command.parser())
