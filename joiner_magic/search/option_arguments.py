"""The options of the learner as arguments: of the command and of the magics, which so have the same ones."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import fields
from typing import Any

from joiner_magic.search.options import Options

# How each option of the learner is written on a line; its explanation is in `Options`.
_SWITCHES = {
    "join": "--no-join",
    "splittable": "--allow-splittable",
    "advise": "--no-advice",
    "every_rule": "--every-rule",
    "trusted": "--trusted",
}


def add_engine(command: argparse.ArgumentParser) -> None:
    """The options of those commands that test programs without learning any."""
    _add(command, ("engine", "trusted"))


def add_options(command: argparse.ArgumentParser, *, without: Collection[str] = ()) -> None:
    """The options of the learner, aside from those that a command leaves out."""
    _add(command, [option.name for option in fields(Options) if option.name not in without])


def _add(command: argparse.ArgumentParser, names: Collection[str]) -> None:
    for option in fields(Options):
        name, explanation = option.name, option.metadata["help"]
        flag = f"--{name.replace('_', '-')}"
        if name not in names:
            continue
        if name in _SWITCHES:
            action = "store_false" if option.default else "store_true"
            what = f"do not {explanation}" if option.default else explanation
            command.add_argument(_SWITCHES[name], dest=name, action=action, help=what)
        elif choices := option.metadata["choices"]:
            what = f"{explanation} (default: %(default)s)"
            command.add_argument(flag, choices=choices, default=option.default, help=what)
        elif "bool" in str(option.type):
            command.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=explanation)
        else:
            kind = float if "float" in str(option.type) else int
            command.add_argument(flag, type=kind, metavar="N", default=option.default, help=explanation)


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of the learner, as they were given."""
    return {option.name: getattr(arguments, option.name) for option in fields(Options)}
