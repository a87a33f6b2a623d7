"""Tables read from CSV files, and what their columns mean for a learner.

A column names things (molecules, atoms), or it is a property of the things in its row. Which of the two is guessed. A
column names things if it is the key of the examples' table; if several tables have it and its values are all different
in one of them; if it belongs to another table and its values are all different names; or if all its values are names of
things already. `keys` names such columns where the guess is wrong.
"""

from __future__ import annotations

import builtins
import csv
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from io import StringIO
from itertools import chain, count
from keyword import kwlist
from pathlib import Path
from unicodedata import normalize

from joiner_magic.errors import CommandError
from joiner_magic.task.notes import did_you_mean

_TAKEN = {
    *kwlist,
    *dir(builtins),
    "held_out",
    "pandas",
    "result",
    "seen",
    "session",
    "tell",
    "thirds",
}  # names in the notebook
# What pandas, with which the notebook reads the table, takes for a missing value.
_MISSING = {
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
}
_FEW = 6  # different numbers up to which each is a value of its own
_MANY = 20  # different texts from which a column is prose


class Role(Enum):
    """What a column means for a learner."""

    THING = "names things"
    VALUES = "few values, each a predicate"
    NUMBERS = "numbers: low, middle and high ones"
    PROSE = "too many different values"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a CSV file, and how the file is written."""

    name: str  # for a variable and a predicate
    path: Path
    separator: str
    is_spaced: bool  # a space may follow the separator
    columns: Mapping[str, Sequence[str]]  # "" where a value is missing

    def values(self, column: str) -> set[str]:
        """The different values of a column, missing ones left out."""
        return {value for value in self.columns[column] if value}


def read_table(path: Path) -> Table:
    """A table with a heading and rows; an error says in one line what is wrong with the file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}", remedy="give a CSV file") from error
    except UnicodeDecodeError:
        raise CommandError(f"{path} is not a text in UTF-8", remedy="save it as CSV UTF-8") from None
    if "\0" in text:
        raise CommandError(f"{path} is not a text", remedy="give a CSV file")
    separator = max(",;\t", key=text.partition("\n")[0].count)  # a comma if there is none
    is_spaced = f"{separator} " in text
    try:
        reader = csv.reader(StringIO(text), delimiter=separator, skipinitialspace=is_spaced)
        lines = [row for row in reader if row]
    except csv.Error as error:
        raise CommandError(f"cannot read {path}: {error}", remedy="give a CSV file") from error
    if len(lines) < 2:
        raise CommandError(
            f"{path} has no rows", remedy="give a table with a line of column names and rows below"
        )
    heading, *rows = lines
    names = [name or f"Unnamed: {at}" for at, name in enumerate(heading)]  # as pandas calls them
    for number, row in enumerate(rows, start=2):
        if len(row) != len(names):
            raise CommandError(f"row {number} of {path} has {len(row)} values for {len(names)} columns")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise CommandError(f"{path} has two columns {twice!r}", remedy="give them different names")
    columns = {
        name: ["" if row[at] in _MISSING else row[at] for row in rows] for at, name in enumerate(names)
    }
    name = name_of(path.stem)
    return Table(f"{name}_table" if name in _TAKEN else name, path, separator, is_spaced, columns)


def name_of(words: str) -> str:
    """Words as the name of a variable or a predicate."""
    name = re.sub(r"[\W_]+", "_", normalize("NFKC", words).lower()).strip("_")
    return name if name[:1].isalpha() else f"t_{name}"


def free(name: str, taken: Collection[str], endings: Collection[str] = ("",)) -> str:
    """The name, or the name with a number if with one of the endings it is taken."""
    names = chain([name], (f"{name}_{n}" for n in count(2)))
    return next(each for each in names if not any(f"{each}{ending}" in taken for ending in endings))


def with_column(tables: Sequence[Table], column: str, option: str) -> Table:
    """The first table that has the column; CommandError if none has it."""
    for table in tables:
        if column in table.columns:
            return table
    known = [name for table in tables for name in table.columns]
    raise CommandError(
        f"no table has a column {column!r} ({option})",
        remedy=did_you_mean(column, known) or f"there are {', '.join(known)}",
    )


def key_of(table: Table, target: str, keys: Collection[str]) -> str | None:
    """The column that names what the examples are about; None if rows have no name."""
    named = [column for column in table.columns if column in keys]
    if named:
        return named[0]
    first = next((column for column in table.columns if column != target), None)
    if first is None or not _differ(table.columns[first]) or _are_decimals(table.values(first)):
        return None
    return first


def roles(
    tables: Sequence[Table], key: str | None, keys: Collection[str], target: str
) -> dict[tuple[str, str], Role]:
    """The role of each column, by the names of table and column; the target column is left out."""
    shared = [name for table in tables for name in table.columns]
    differ = {name for table in tables for name, values in table.columns.items() if _differ(values)}
    things = {
        (table.name, column)
        for table, column in _columns(tables, target)
        if column == key
        or column in keys
        or (shared.count(column) > 1 and column in differ)
        or (
            table is not tables[0]
            and _differ(table.columns[column])
            and not _are_numbers(table.values(column))
        )
    }
    names = {value for table, column in _columns(tables, target) if (table.name, column) in things
             for value in table.values(column)}  # fmt: skip
    found = {}
    for table, column in _columns(tables, target):
        values = table.values(column)
        is_thing = (table.name, column) in things or (
            not _are_numbers(values) and bool(values) and values <= names
        )
        found[table.name, column] = Role.THING if is_thing else _property(values)
    return found


def _property(values: set[str]) -> Role:
    """The role of a column that describes the rows: by what its values look like, and how many there are."""
    if _are_numbers(values):
        if len(values) > _FEW:
            return Role.NUMBERS
        return Role.VALUES
    if len(values) > _MANY:
        return Role.PROSE
    return Role.VALUES


def _columns(tables: Sequence[Table], target: str) -> Iterator[tuple[Table, str]]:
    """Every column of the tables with its table, except the target."""
    return ((table, column) for table in tables for column in table.columns if column != target)


def have_numbers(names: set[str]) -> bool:
    """Whether one of the names is a number."""
    return any(_are_numbers({name}) for name in names)


def _differ(values: Sequence[str]) -> bool:
    """Whether no value is missing, and no two are the same."""
    return all(values) and len(set(values)) == len(values)


def _are_numbers(values: set[str]) -> bool:
    """Whether there are values, and all of them are numbers."""
    try:
        return bool([float(value) for value in values])
    except ValueError:
        return False


def _are_decimals(values: set[str]) -> bool:
    """Whether all values are numbers, and one of them is written with a point or an exponent."""
    return _are_numbers(values) and any("." in value or "e" in value.lower() for value in values)
