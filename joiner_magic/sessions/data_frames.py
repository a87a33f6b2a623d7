"""DataFrames of pandas as texts of a task: each row becomes a fact or an example.

pandas is optional and slow to import, so it is imported only when a DataFrame is used.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from joiner_magic.errors import MissingPart, TaskError
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import NIL, Float, Integer, List, Symbol, Term
from joiner_magic.task.exact_numbers import NotExact, read_exact, write_exact
from joiner_magic.task.notes import did_you_mean

if TYPE_CHECKING:
    from pandas import DataFrame, Series

_LABELS = {"pos": "pos", "neg": "neg", "+": "pos", "-": "neg", 1: "pos", 0: "neg"}


def import_pandas() -> Any:
    """The module pandas; MissingPart, which says how to install it, if it is not there."""
    try:
        import pandas
    except ImportError:
        raise MissingPart(
            "pandas is not installed", remedy="install it with pip install joiner-magic[frames]"
        ) from None
    return pandas


def facts_text(frame: DataFrame, predicate: str, columns: Sequence[str] | None = None) -> str:
    """Each row as a fact of the predicate, its arguments in the order of the columns."""
    atoms = _atoms(frame, predicate, _chosen_columns(frame, columns))
    return "".join(f"{atom}.\n" for atom in atoms)


def examples_text(
    frame: DataFrame,
    predicate: str,
    label: str,
    columns: Sequence[str] | None = None,
    *,
    weight: str | None = None,
) -> str:
    """Each row as an example; the column `label` says whether it is a positive one.

    The column `weight`, if one is named, has what each example weighs where errors are allowed.
    """
    atoms = _atoms(frame, predicate, _chosen_columns(frame, columns, but=(label, weight)))
    labels = _labels(_column(frame, label))
    if weight is None:
        return "".join(f"{label}({atom}).\n" for label, atom in zip(labels, atoms, strict=True))
    rows = zip(labels, atoms, _weights(_column(frame, weight)), strict=True)
    return "".join(f"{label}({atom}, {written}).\n" for label, atom, written in rows)


def _atoms(frame: DataFrame, predicate: str, columns: Sequence[Hashable]) -> Iterator[str]:
    """An atom of the predicate for each row, as text."""
    if not isinstance(predicate, str) or not predicate:
        raise TaskError(f"{predicate!r} is not the name of a predicate", remedy="give a name such as piece")
    if not columns:
        raise TaskError("there is no column to take arguments from", remedy="name the columns")
    functor = render_term(Symbol(predicate))
    arguments = [_texts(_column(frame, name)) for name in columns]
    return (f"{functor}({', '.join(row)})" for row in zip(*arguments, strict=True))


def _chosen_columns(
    frame: DataFrame, columns: Sequence[str] | None, but: Sequence[str | None] = ()
) -> Sequence[Hashable]:
    """The columns that were asked for; if none were, all but those that say something else."""
    if not isinstance(frame, import_pandas().DataFrame):
        raise TaskError(
            f"facts come from a DataFrame of pandas, not from {type(frame).__name__}",
            remedy="make one with pandas.DataFrame(…)",
        )
    if columns is None:
        return [name for name in frame.columns if name not in but]
    if isinstance(columns, str):
        return [columns]
    return list(columns)


def _column(frame: DataFrame, name: Hashable) -> Series:
    """The column of this name; TaskError if there is none, or more than one."""
    found = list(frame.columns).count(name)
    if not found:
        known = list(map(str, frame.columns))
        raise TaskError(
            f"the frame has no column {name!r}",
            remedy=did_you_mean(str(name), known) or f"its columns are {', '.join(known)}",
        )
    if found > 1:
        raise TaskError(f"the frame has {found} columns {name!r}", remedy="give them different names")
    return frame[name]


def _texts(column: Series) -> list[str]:
    """The values of a column as they are written in a fact."""
    _check_complete(column)
    values = column.tolist()
    # A column holds few different names, each many times; only names: 1 and True would be one key.
    names = {value: render_term(Symbol(value)) for value in set(filter(_is_name, values))}
    return [names[value] if _is_name(value) else _constant_text(value) for value in values]


def _is_name(value: object) -> bool:
    """Whether a value of a column is a text, and nothing that behaves like one."""
    return type(value) is str


def _constant_text(value: object) -> str:
    """A value as a constant in Prolog."""
    if type(value) is int:
        return str(value)
    return render_term(_term(value))


def _term(value: Any) -> Term:
    """The constant of Prolog for a value. A value that Prolog has no form for, such as a date, becomes its text."""
    match value:
        case str():
            return Symbol(value)
        case bool():
            return Symbol(str(value).lower())
        case Integral():
            return Integer(int(value))
        case Real():
            return Float(float(value))
        case list() | tuple():
            items = tuple(map(_term, value))
            return List(items, NIL) if items else NIL
        case _ if hasattr(value, "tolist"):  # a scalar or an array of numpy
            return _term(value.tolist())
        case _:
            return Symbol(str(value))


def _check_complete(column: Series) -> None:
    """Raise TaskError if a value is missing."""
    missing = column.isna()
    if missing.any():
        raise TaskError(
            f"no value in {_row(column, int(missing.argmax()))}",
            remedy="fill it in, or leave such rows out with dropna()",
        )


def _labels(column: Series) -> list[str]:
    """The label of each row: "pos" or "neg"."""
    _check_complete(column)
    return [_label(value, column, row) for row, value in enumerate(column.tolist())]


def _label(value: Any, column: Series, row: int) -> str:
    key = value.strip().lower() if isinstance(value, str) else value
    if isinstance(key, Hashable) and key in _LABELS:
        return _LABELS[key]
    raise TaskError(
        f"{value!r} in {_row(column, row)} is no label",
        remedy='labels are True and False, 1 and 0, "pos" and "neg", or "+" and "-"',
    )


def _weights(column: Series) -> list[str]:
    """The weight of each row, as it is written in an example."""
    _check_complete(column)
    return [_weight(value, column, row) for row, value in enumerate(column.tolist())]


def _weight(value: Any, column: Series, row: int) -> str:
    """A weight by its shortest decimal: 0.1 is a tenth, and not the float that is nearest to it."""
    try:
        if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
            raise NotExact("is no number")
        return write_exact(read_exact(str(value)))
    except NotExact as problem:
        raise TaskError(
            f"{str(value)[:60]!r} in {_row(column, row)} {problem}, so it cannot be a weight",
            remedy="weights are numbers above 0",
        ) from None


def _row(column: Series, number: int) -> str:
    """A place in the frame, in words: the row by its number from 0, and by its index where that is different."""
    index = column.index[number]
    called = ""
    if index != number:
        called = f" (index {index!r})"
    return f"row {number}{called}, column {column.name!r}"
