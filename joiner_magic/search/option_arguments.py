"""The options of the learner as arguments: of the command and of the magics, which so have the same ones."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from dataclasses import Field, fields
from itertools import zip_longest
from typing import Any

from joiner_magic.search.options import Options

# The values of those options that may do without one.
_OPTIONAL_VALUES = {
    f"--{option.name}": option.metadata["argument"]["choices"]
    for option in fields(Options)
    if "const" in (option.metadata["argument"] or ())
}


def add_engine(command: argparse.ArgumentParser) -> None:
    """The options of those commands that test programs without learning any."""
    _add(command, ("engine", "trusted"))


def add_options(command: argparse.ArgumentParser, *, without: Collection[str] = ()) -> None:
    """The options of the learner, aside from those that a command leaves out."""
    _add(command, [option.name for option in fields(Options) if option.name not in without])


def _add(command: argparse.ArgumentParser, names: Collection[str]) -> None:
    """Add an option to a parser, with its help."""
    for option in fields(Options):
        if option.name in names:
            _add_option(command, option)


def _add_option(command: argparse.ArgumentParser, option: Field[Any]) -> None:
    """Written as the type of the option asks for; what it means is in `Options`."""
    flag = f"--{option.name.replace('_', '-')}"
    explanation, choices = option.metadata["help"], option.metadata["choices"]
    if option.metadata["argument"]:
        command.add_argument(flag, default=option.default, help=explanation, **option.metadata["argument"])
    elif isinstance(option.default, bool):
        _add_switch(command, option)
    elif choices:
        what = f"{explanation} (default: %(default)s)"
        command.add_argument(flag, choices=choices, default=option.default, help=what)
    elif "bool" in str(option.type):
        command.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=explanation)
    else:
        kind = float if "float" in str(option.type) else int
        command.add_argument(flag, type=kind, metavar="N", default=option.default, help=explanation)


def _add_switch(command: argparse.ArgumentParser, option: Field[Any]) -> None:
    """A truth value is switched to what it is not by default: what holds by default is switched off by --no-NAME."""
    name, explanation = option.name.replace("_", "-"), option.metadata["help"]
    if option.default:
        flag, action, what = f"--no-{name}", "store_false", f"do not {explanation}"
    else:
        flag, action, what = f"--{name}", "store_true", explanation
    command.add_argument(option.metadata["switch"] or flag, dest=option.name, action=action, help=what)


def bare_options_last(words: Sequence[str]) -> list[str]:
    """The words of a command, in which an option may do without its value, as `--noise` may in `--noise DIR`.

    argparse would take the next word for its value, whatever that is. So such an option is put where no word is behind it.
    """
    moved: list[str] = []
    kept: list[str] = []
    for word, following in zip_longest(words, words[1:]):
        values = _OPTIONAL_VALUES.get(word)
        (kept if values is None or following in values else moved).append(word)
    end = kept.index("--") if "--" in kept else len(kept)
    return [*kept[:end], *moved, *kept[end:]]


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of the learner, as they were given."""
    return {option.name: getattr(arguments, option.name) for option in fields(Options)}
