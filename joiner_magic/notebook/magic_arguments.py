"""Parses the line of a magic: options, and the text behind them.

Where words are expected they are split at blanks and unquoted. A text of the task is left as it is, since Prolog has
quotes of its own. A mistake is a CommandError that suggests the nearest word that is allowed.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from joiner_magic.errors import CommandError
from joiner_magic.task.notes import did_you_mean

_QUOTED = re.compile(r'"([^"]*)"|\'([^\']*)\'')
_WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|\S)+""")


class HelpRequested(Exception):
    """Raised when a line asks for help; its message is the help."""


class _Help(argparse.Action):
    """What `--help` does."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> NoReturn:
        raise HelpRequested(parser.format_help().rstrip())


class MagicParser(argparse.ArgumentParser):
    """A parser for the line of a magic. It never ends the process: help and mistakes are exceptions."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            add_help=False,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.add_argument("-h", "--help", action=_Help, nargs=0, help="show this")

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{self.prog}: {message}", remedy=self._see_help)

    def of(self, line: str) -> argparse.Namespace:
        """The arguments of a line that consists of nothing but arguments."""
        return self._checked(words(line))

    def before_text(self, line: str) -> tuple[argparse.Namespace, str]:
        """The options that a line begins with, and the text behind them, unchanged."""
        given: list[str] = []
        at = 0
        wants_value = False
        for word in _WORD.finditer(line):
            if not wants_value and not word[0].startswith("-"):
                break
            given.append(_unquoted(word[0]))
            wants_value = not wants_value and self.values(given[-1]) is not None
            at = word.end()
        return self._checked(given), line[at:].strip()

    @property
    def flags(self) -> list[str]:
        """All options, in the order of the help."""
        return list(self._option_string_actions)

    def values(self, flag: str) -> Sequence[str] | None:
        """The values that an option may have; empty if it may have any, None if it takes no value."""
        action = self._option_string_actions.get(flag)
        if action is None or action.nargs is not None:
            return None
        return [str(choice) for choice in action.choices or ()]

    def _checked(self, given: Sequence[str]) -> argparse.Namespace:
        """The arguments that these words are. Raises CommandError for an option that the magic does not have."""
        arguments, unknown = self.parse_known_args(given)
        if unknown:
            flag = unknown[0].split("=")[0]
            known = self._option_string_actions if flag.startswith("-") else ()
            raise unknown_word(f"{self.prog} does not take {flag}", flag, known, self._see_help)
        return arguments

    @property
    def _see_help(self) -> str:
        """The remedy for what the magic does not take."""
        return f"{self.prog} --help shows what it takes"


def unknown_word(message: str, word: str, known: Iterable[str], remedy: str) -> CommandError:
    """An error about a word that is not known. If a known word is similar, the error suggests it as the remedy."""
    return CommandError(message, remedy=did_you_mean(word, known) or remedy)


def words(line: str) -> list[str]:
    """The words of a line. Quotes keep a word together; a backslash has no special meaning, as it occurs in paths."""
    return [_unquoted(word) for word in _WORD.findall(line)]


def _unquoted(word: str) -> str:
    """A word without its quotes."""
    return _QUOTED.sub(lambda quoted: quoted[quoted.lastindex or 0], word)
