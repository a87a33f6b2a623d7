"""What a parser of arguments takes, from its actions: what it prints differs between versions of Python."""

from __future__ import annotations

import argparse
from collections.abc import Collection

from reference.markdown import code, table
from reference.said import Unsaid


def usage(parser: argparse.ArgumentParser) -> str:
    """The line that calls it; options are in the table."""
    positional = [_placed(action) for action in _actions(parser) if not action.option_strings]
    options = ["[options]"] if any(action.option_strings for action in _actions(parser)) else []
    return " ".join([parser.prog, *positional, *options])


def taken(parser: argparse.ArgumentParser, *, without: Collection[str] = ()) -> str:
    """A table of its arguments, "" if it takes none."""
    shown = [action for action in _actions(parser) if action.dest not in without]
    rows = [(_written(action), _meaning(parser, action)) for action in shown]
    return table(("argument", "meaning"), rows) if rows else ""


def takes(parser: argparse.ArgumentParser, name: str) -> bool:
    return any(action.dest == name for action in _actions(parser))


def flags(parser: argparse.ArgumentParser, name: str) -> str:
    """How the option of this name is written."""
    return _written(next(action for action in _actions(parser) if action.dest == name))


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return dict(commands.choices)


def summary(parser: argparse.ArgumentParser, name: str) -> str:
    """What the list of subcommands says about one."""
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    (found,) = (choice.help for choice in commands._choices_actions if choice.dest == name)
    if not found:
        raise Unsaid(f"{parser.prog} {name} has no help")
    return found


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if action.dest != "help"]


def _placed(action: argparse.Action) -> str:
    value = _value(action)
    return {"?": f"[{value}]", "*": f"[{value} ...]"}.get(str(action.nargs), value)


def _value(action: argparse.Action) -> str:
    if action.metavar:
        return str(action.metavar)
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def _written(action: argparse.Action) -> str:
    if not action.option_strings:
        return code(_placed(action))
    value = "" if action.nargs == 0 else f" {_value(action)}"
    return ", ".join(code(f"{flag}{value}") for flag in action.option_strings)


def _meaning(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    if not action.help:
        raise Unsaid(f"{parser.prog} does not say what {action.dest} is")
    return action.help.replace("%(default)s", str(action.default))
