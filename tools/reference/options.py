"""What the learner can be told, the defaults of a notebook, and environment variables."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import joiner_magic
from joiner_magic.notebook.config import Joiner
from joiner_magic.search.option_arguments import add_options
from joiner_magic.search.options import Options
from reference.arguments import flags
from reference.markdown import code, page, table
from reference.said import Unsaid

_PACKAGE = Path(joiner_magic.__file__).parent
_READ = re.compile(r"\bJOINER_[A-Z_]+")
# What each variable of the environment that the package reads is for.
_ENVIRONMENT = {
    "JOINER_PICTURES": "the default of `%config Joiner.pictures`, for whoever runs notebooks to store or publish them",
    "JOINER_SWIPL": "the program `swipl` for the Prolog engine, in place of those on `PATH`",
    "JOINER_SWIPL_CACHE": "where `tools/provide-swipl` puts the SWI-Prolog that it builds, in place of"
    " `~/.cache/joiner-magic/swipl`; looked at after `PATH`",
}


def written() -> str:
    return page(
        "Options",
        "These are the options of `learn(task, …)` and `session.learn(…)` in Python, of `joiner learn` on a command line and of"
        " `%%joiner` in a cell. Where an option and the bias differ, the option counts.",
        "## Of the learner",
        table(("option", "on a line", "default", "meaning"), _options()),
        "`native` is an error where that source cannot be used. `learn` also takes `listeners`, functions that are called"
        " with every [event](events.md), and `budget`, a `Budget` in place of the timeout.",
        "## Of the notebook: %config Joiner",
        "`%config Joiner.timeout = 60` holds until the kernel ends, for runs whose line says nothing else.",
        table(("setting", "default", "meaning"), _settings()),
        "## Environment variables",
        table(("variable", "meaning"), _environment()),
    )


def _options() -> Iterator[tuple[str, str, str, str]]:
    parser = argparse.ArgumentParser()
    add_options(parser)
    for option in fields(Options):
        meaning = option.metadata["help"]
        if choices := option.metadata["choices"]:
            meaning += f": {', '.join(map(code, choices))}"
        yield code(option.name), flags(parser, option.name), code(repr(option.default)), meaning


def _settings() -> Iterator[tuple[str, str, str]]:
    for name, trait in sorted(Joiner.class_own_traits(config=True).items()):
        default = "live" if name == "pictures" else trait.default_value  # it depends on the environment
        yield code(name), code(repr(default)), trait.help


def _environment() -> Iterator[tuple[str, str]]:
    read = {name for file in _PACKAGE.rglob("*.py") for name in _READ.findall(file.read_text("utf-8"))}
    if read != _ENVIRONMENT.keys():
        raise Unsaid(f"environment variables: {', '.join(sorted(read ^ _ENVIRONMENT.keys()))}")
    return ((code(name), meaning) for name, meaning in _ENVIRONMENT.items())
