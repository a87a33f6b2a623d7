"""The reference pages say what the code says now."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping

import pytest

from conftest import ROOT
from joiner_magic.cli import parser
from joiner_magic.notebook.commands import COMMANDS, parser_of
from joiner_magic.notebook.magics import JoinerMagics
from reference import NAMES, pages
from reference.arguments import subcommands, taken, usage
from reference.markdown import table
from reference.said import Unsaid, docstring, fields, signature

FOLDER = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def written() -> Mapping[str, str]:
    return pages()


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_what_the_code_says(name: str, written: Mapping[str, str]) -> None:
    said = (FOLDER / name).read_text(encoding="utf-8")
    assert said == written[name], "run .venv/bin/python tools/write-reference"


def test_every_subcommand_is_there(written: Mapping[str, str]) -> None:
    for name in subcommands(parser()):
        assert f"## joiner {name}\n" in written["command.md"]
    for name in COMMANDS:
        assert f"| `%joiner {name}" in written["magics.md"]
        has_options = any("--help" not in action.option_strings for action in _options(parser_of(name)))
        assert (f"### %joiner {name}\n" in written["magics.md"]) == (has_options and name != "learn")


def test_every_magic_is_there(written: Mapping[str, str]) -> None:
    assert {name for kind in ("line", "cell") for name in JoinerMagics.magics[kind]} == set(
        re.findall(r"^## %%(\w+)$", written["magics.md"], re.MULTILINE)
    )


def _options(command: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in command._actions if action.option_strings]


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_subcommand_takes_is_what_its_overview_says(name: str) -> None:
    takes = COMMANDS[name].takes
    positional = [a for a in parser_of(name)._actions if not a.option_strings]
    assert len(positional) == (not takes.startswith("[-") and bool(takes) and name != "learn")


def test_arguments_are_written_as_they_are_given() -> None:
    command = argparse.ArgumentParser(prog="joiner try")
    command.add_argument("directory", metavar="DIR", help="where")
    command.add_argument("more", nargs="*", help="what else")
    command.add_argument("--engine", choices=["a", "b"], default="a", help="which (default: %(default)s)")
    command.add_argument("--fast", action=argparse.BooleanOptionalAction, help="soon")
    assert usage(command) == "joiner try DIR [MORE ...] [options]"
    assert taken(command) == table(
        ("argument", "meaning"),
        [
            ("`DIR`", "where"),
            ("`[MORE ...]`", "what else"),
            ("`--engine a|b`", "which (default: a)"),
            ("`--fast`, `--no-fast`", "soon"),
        ],
    )


class Said:
    """Something is said."""

    behind: int = 3  # with a comment behind it
    # With a comment
    # above it.
    above: str

    def method(self, one: int, *, other: str | None = None, **rest: float) -> list[int]:
        return [one, len(other or rest)]


class Silent:
    pass


def test_comments_are_what_fields_mean() -> None:
    found = [(field.name, field.type, field.default, field.comment) for field in fields(Said)]
    assert found == [
        ("behind", "int", "3", "with a comment behind it"),
        ("above", "str", "", "With a comment above it."),
    ]


def test_signatures_are_as_they_are_written() -> None:
    assert signature(Said.method) == "(one: int, *, other: str | None = None, **rest: float) -> list[int]"


def test_what_says_nothing_of_itself_is_refused() -> None:
    assert docstring(Said, "Said") == "Something is said."
    with pytest.raises(Unsaid, match="Silent has no docstring"):
        docstring(Silent, "Silent")
