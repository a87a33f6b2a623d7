"""A notebook that learns from a person's tables. The code that turns them into facts is in its cells, to be edited.

Each value of a property becomes a predicate of the things of its row: the row "a1, a1_3, donor" of the columns molecule, atom and
kind is the fact kind_donor(a1, a1_3).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from joiner_magic.cli.notebooks.ipynb import LOADED, NotebookCell, code, prose
from joiner_magic.cli.notebooks.tables import (
    Role,
    Table,
    free,
    have_numbers,
    key_of,
    name_of,
    roles,
    with_column,
)
from joiner_magic.errors import CommandError

Roles = Mapping[tuple[str, str], Role]  # by table and column

_LABELS = (
    {"true", "false"},
    {"1", "0"},
    {"pos", "neg"},
    {"+", "-"},
)  # of which the learner knows the positive one
_AFFIRMATIVE = {"yes", "y", "t"}
_FACTS = '''
session.reset("bk")


def tell(table, values, name, things):
    """Each value is a predicate of the things of its row, whether it is written Red or red."""
    words = values.dropna().astype(str).str.lower().str.replace(" ", "_")
    for word, rows in table.dropna(subset=things).groupby(words):
        session.add_facts(rows, f"{name}_{word}", things)


def thirds(numbers):
    """Numbers as words."""
    return pandas.cut(numbers.rank(pct=True), [0, 1 / 3, 2 / 3, 1], labels=["low", "middle", "high"])


'''


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be learnt: which rows of a table are positive."""

    table: Table
    column: str
    key: str  # the column that names its rows
    is_numbered: bool  # that column is not in the file: the notebook makes it
    positive: str | None  # the value that makes a row positive; None where the learner knows

    @property
    def predicate(self) -> str:
        """The predicate that is learnt."""
        return name_of(self.column if self.positive is None else f"{self.column}_{self.positive}")

    @property
    def label(self) -> str:
        """The column of the notebook's DataFrame that says which rows are positive."""
        if self.positive is None:
            return self.column
        return free(f"is {self.positive}", set(self.table.columns))


def from_tables(
    title: str,
    tables: Sequence[Table],
    column: str,
    folder: Path,
    keys: Collection[str] = (),
    positive: str | None = None,
) -> Sequence[NotebookCell]:
    """The cells of a notebook that learns a column of one of the tables. It will stand in `folder`."""
    for each in keys:
        with_column(tables, each, "--key")
    if column in keys:
        raise CommandError(f"{column} cannot be learnt and name things", remedy="name another --key")
    if len({each.name for each in tables}) < len(tables):
        raise CommandError("two tables have the same name", remedy="rename a file: facts are called by it")
    table = with_column(tables, column, "--target")
    tables = (table, *(other for other in tables if other is not table))
    key = key_of(table, column, keys)
    if key is None and len(tables) > 1:
        raise CommandError(
            f"nothing in {table.path} names its rows for the other tables",
            remedy="say which column does: --key COLUMN",
        )
    named = key or free("row", table.columns)
    target = Target(table, column, named, key is None, _positive(table, column, positive))
    found = roles(tables, key, keys, column)
    _check_roles(tables, found, key)
    return (
        prose(f"# {title}\n\nWhich rows are `{target.predicate}`, and why? A task made of"
              f" {', '.join(f'`{each.path.name}`' for each in tables)}. Run all cells, then change them."),
        LOADED,
        prose("## Tables\n\nNumbers that name things are read as texts: 007 is not 7."),
        code("\n".join(_reading_code(tables, target, found, folder))),
        prose("## Facts\n\nEach value of a column becomes a predicate, numbers as low, middle and high. Which"
              " words a rule may use is decided here: leave out what should not matter, and add what you know."),
        code(_FACTS + "\n".join(_fact_code(tables, target, found))),
        prose("## Examples\n\nA fifth of the rows is held out: the learner never sees it, it only measures."),
        code("\n".join(_example_code(target))),
        prose("## Learn\n\nA rule must cover every positive row and no negative one. Where rows that look alike have"
              " different labels no rule can do that; the report then says which rows resist, and what is best."),
        code("%%joiner --timeout 60 -o result\n"
             "% Bias for this run alone: edit it and run the cell again.\nmax_body(6)."),
        prose("The coverage: which rules and which of their fragments cover which rows."),
        code("%joiner show coverage"),
        prose("How did it do, on the rows it saw and on those held out?"),
        code("%joiner compare"),
        prose("## What to try next\n\n- Fewer predicates: what does the rule say without a column?\n"
              "- Other words for numbers: `table[\"age\"] > 60` is a property too.\n"
              "- `%joiner why-not ATOM` says why a row is not covered, `%joiner bias` prints the bias in force."),
    )  # fmt: skip


def _check_roles(tables: Sequence[Table], found: Roles, key: str | None) -> None:
    """Raise CommandError if a table has no column that names things, or if no column can be in a rule."""
    for other in tables[1:]:
        if not any(role is Role.THING for (name, _), role in found.items() if name == other.name):
            raise CommandError(
                f"nothing in {other.path} names things", remedy="say which column does: --key COLUMN"
            )
    if all(role is Role.PROSE or column == key for (_, column), role in found.items()):
        raise CommandError(
            f"nothing in {tables[0].path} can be in a rule", remedy="add columns of few values, or tables"
        )


def _positive(table: Table, column: str, asked: str | None) -> str | None:
    """The value that makes a row positive; None if the learner knows it. CommandError if it has to be given."""
    values = table.values(column)
    shown = ", ".join(sorted(values)[:5]) + (", …" if len(values) > 5 else "")
    if len(values) < 2:
        raise CommandError(
            f"{column} is the same wherever it is given",
            remedy="name a column that tells them apart: --target COLUMN",
        )
    if asked is not None:
        if asked not in values:
            raise CommandError(
                f"{asked!r} does not tell rows apart (--positive)",
                remedy=f"the values of {column} are {shown}",
            )
        return asked
    if len(values) == 2 and any({value.lower() for value in values} == known for known in _LABELS):
        return None
    known = [value for value in values if value.lower() in _AFFIRMATIVE]
    if len(values) == 2 and known:
        return known[0]
    raise CommandError(
        f"the values of {column} are {shown}", remedy="say which one is positive: --positive VALUE"
    )


def _reading_code(tables: Sequence[Table], target: Target, found: Roles, folder: Path) -> Iterator[str]:
    """The code that reads the tables, line by line."""
    yield "import pandas\n\nfrom joiner_magic import session\n"
    texts = [
        (table.name, column)
        for table in tables
        for column in table.columns
        if found.get((table.name, column)) is Role.THING and have_numbers(table.values(column))
    ]
    if target.positive is not None:  # TRUE and 1.0 would be read as True and 1
        texts.append((target.table.name, target.column))
    for table in tables:
        path = table.path.resolve()
        home = folder.resolve()
        shown = path.relative_to(home) if path.is_relative_to(home) else path
        arguments = [repr(shown.as_posix())]
        if table.separator != ",":
            arguments.append(f"sep={table.separator!r}")
        if table.is_spaced:
            arguments.append("skipinitialspace=True")
        if mine := [f"{column!r}: str" for name, column in texts if name == table.name]:
            arguments.append(f"dtype={{{', '.join(mine)}}}")
        yield f"{table.name} = pandas.read_csv({', '.join(arguments)}).convert_dtypes()"
    name = target.table.name
    if "" in target.table.columns[target.column]:
        yield f"{name} = {name}.dropna(subset=[{target.column!r}])"
    if target.is_numbered:
        yield f'{name}.insert(0, {target.key!r}, [f"r{{number}}" for number in range(1, len({name}) + 1)])'
    if target.positive is not None:
        yield f"{name}[{target.label!r}] = {name}[{target.column!r}] == {target.positive!r}"
    yield f"{name}.head()"


def _fact_code(tables: Sequence[Table], target: Target, found: Roles) -> Iterator[str]:
    """The code that turns columns into facts, a line for each column."""
    properties = [column for (_, column), role in found.items() if role is not Role.THING]
    taken = {target.predicate, *(table.name for table in tables)}
    for table in tables:
        mine = {column: role for (name, column), role in found.items() if name == table.name}
        things = [column for column, role in mine.items() if role is Role.THING]
        if table is target.table and target.is_numbered:
            things = [target.key, *things]
        if len(things) > 1:
            yield f"session.add_facts({table.name}.dropna(subset={things!r}), {table.name!r}, {things!r})"
        for column, role in mine.items():
            if role is Role.PROSE:
                yield f"# {column} of {table.name} has {len(table.values(column))} different values: left out"
            elif role is not Role.THING and things:
                is_unique = properties.count(column) == 1
                stem = name_of(column if is_unique else f"{table.name}_{column}")
                endings = [f"_{word}" for word in _words(table, column, role)]
                name = free(stem, taken, endings)
                taken |= {f"{name}{ending}" for ending in endings}
                values = f"{table.name}[{column!r}]"
                words = f"thirds({values})" if role is Role.NUMBERS else values
                yield f"tell({table.name}, {words}, {name!r}, {things!r})"
    yield "session"


def _words(table: Table, column: str, role: Role) -> set[str]:
    """The words that the notebook's function `tell` makes of the values of a column."""
    if role is Role.NUMBERS:
        return {"low", "middle", "high"}
    return {value.lower().replace(" ", "_") for value in table.values(column)}


def _example_code(target: Target) -> Iterator[str]:
    """The code that makes examples of the rows, a fifth of them held out."""
    name, label = target.table.name, target.label
    arguments = f"{target.predicate!r}, label={label!r}, columns={[target.key]!r}"
    yield f"held_out = {name}.groupby({label!r}).sample(frac=0.2, random_state=1)"
    yield f"seen = {name}.drop(held_out.index)"
    yield f"session.add_examples(held_out, {arguments}, test=True)"
    yield f"session.add_examples(seen, {arguments})"
