"""What running text names in code is there: commands and magics with their options, settings, and names in files."""

from __future__ import annotations

import re
from collections.abc import Collection

import pytest

from conftest import ROOT
from docs.pages import NOTEBOOKS, PAGES, Page
from docs.test_links import files_called
from docs.test_paper_map import is_in
from joiner_magic.cli import parser
from joiner_magic.notebook.commands import COMMANDS, parser_of
from joiner_magic.notebook.config import Joiner
from joiner_magic.notebook.magics import text_parser
from joiner_magic.notebook.subcommands import learn_parser
from reference.arguments import subcommands

_COMMAND = re.compile(r"(?:\S+/)?joiner ([\w-]+)(.*)")
_SUBCOMMAND = re.compile(r"%joiner ([\w-]+)(.*)")
_SAYING = re.compile(r"%%?(bk|examples|bias)\b(.*)")
_LEARNING = re.compile(r"%%joiner\b(.*)")
_SETTING = re.compile(r"%config (\w+)(?:\.(\w+))?")
_IN_FILE = re.compile(r"([\w/-]+\.(?:py|cpp|hpp|lp)): ([\w.:]+)")
_FLAG = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
_MISTAKES = "docs/reference/errors.md"  # shows what happens after some


@pytest.mark.parametrize(
    "page", [page for page in [*PAGES, *NOTEBOOKS] if page.name != _MISTAKES], ids=lambda page: page.name
)
def test_what_is_named_is_there(page: Page) -> None:
    assert not [name for name in page.names_in_code if not is_right(name)]


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("joiner check DIR --bias", True),
        ("joiner check DIR --biaz", False),
        (".venv/bin/joiner docter", False),
        ("%joiner why-not zendo(p1)", True),
        ("%joiner whynot zendo(p1)", False),
        ("%joiner show lattice -o NAME", True),
        ("%joiner show lattice -p NAME", False),
        ("%%joiner --timeout 60", True),
        ("%%joiner --timout 60", False),
        ("%%examples --test", True),
        ("%bias --test", False),
        ("%config Joiner.pictures", True),
        ("%config Joiner.picture", False),
        ("%config Joyner", False),
        ("search/loop.py: Search.run", True),
        ("search/loop.py: Search.running", False),
        ("mining/miner.cpp: Miner::grow", True),
        ("mining/miner.cpp: Miner::growing", False),
    ],
)
def test_a_name_of_nothing_would_be_noticed(name: str, right: bool) -> None:
    assert is_right(name) == right


def is_right(name: str) -> bool:
    if found := _COMMAND.fullmatch(name):
        command = subcommands(parser()).get(found[1])
        return command is not None and takes(command._option_string_actions, found[2])
    if found := _SUBCOMMAND.fullmatch(name):
        return found[1] in COMMANDS and takes(parser_of(found[1])._option_string_actions, found[2])
    if found := _SAYING.fullmatch(name):
        return takes(text_parser(found[1])._option_string_actions, found[2])  # type: ignore[arg-type]
    if found := _LEARNING.fullmatch(name):
        return takes(learn_parser()._option_string_actions, found[1])
    if found := _SETTING.match(name):
        return found[1] == "Joiner" and (found[2] is None or found[2] in Joiner.class_own_traits(config=True))
    if found := _IN_FILE.fullmatch(name):
        return any(is_in(found[2], ROOT / file) for file in files_called(found[1]))
    return True


def takes(options: Collection[str], line: str) -> bool:
    return set(_FLAG.findall(line)) <= set(options)
