"""What the columns of a person's tables are taken for."""

from __future__ import annotations

from pathlib import Path

import pytest

from joiner_magic.cli.notebooks.tables import Role, key_of, name_of, read_table, roles
from joiner_magic.errors import CommandError


def written(folder: Path, name: str, *lines: str) -> Path:
    file = folder / name
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_is_read_whatever_separates_its_values(tmp_path: Path, separator: str) -> None:
    file = written(tmp_path, "My Trains.csv", *(separator.join(row) for row in ("ab", "12", "34")))
    table = read_table(file)
    assert table.name == "my_trains"
    assert table.separator == separator
    assert table.columns == {"a": ["1", "3"], "b": ["2", "4"]}


def test_a_name_with_a_comma_in_it(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "t.csv", "name,age", '"Doe, Jane",3'))
    assert table.columns["name"] == ["Doe, Jane"]


def test_a_value_with_a_line_break_in_it(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "t.csv", "name,age", '"Jane\nDoe",3'))
    assert table.columns["name"] == ["Jane\nDoe"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "has no rows"),
        (["a,b"], "has no rows"),
        (["a,b", "1,2", "3"], "row 3 of .* has 1 values for 2 columns"),
        (["a,a", "1,2"], "has two columns 'a'"),
    ],
    ids=["empty", "heading only", "ragged", "one name twice"],
)
def test_tables_that_are_none(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        read_table(written(tmp_path, "t.csv", *lines))


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n\xff\xfe,1\n")
    with pytest.raises(CommandError, match="not a text in UTF-8"):
        read_table(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("first", "key"), [(["x", "y", "z"], "first"), (["x", "y", "x"], None), (["0.5", "1.5", "2.5"], None)]
)
def test_the_first_column_names_the_rows_if_it_can(tmp_path: Path, first: list[str], key: str | None) -> None:
    rows = [f"{value},{at % 2}" for at, value in enumerate(first)]
    assert key_of(read_table(written(tmp_path, "t.csv", "first,goal", *rows)), "goal", ()) == key


def test_roles_of_columns_over_several_tables(tmp_path: Path) -> None:
    molecules = written(tmp_path, "molecules.csv", "molecule,weight,note,active",
                        *(f"m{n},{n}.5,text {n},{n % 2}" for n in range(30)))  # fmt: skip
    atoms = written(tmp_path, "atoms.csv", "molecule,atom,kind",
                    *(f"m{n},a{n},{'ring' if n % 3 else 'donor'}" for n in range(30)))  # fmt: skip
    bonds = written(tmp_path, "bonds.csv", "one,other,order", "a1,a2,1", "a1,a3,2", "a2,a1,1")
    tables = [read_table(file) for file in (molecules, atoms, bonds)]
    assert roles(tables, "molecule", (), "active") == {
        ("molecules", "molecule"): Role.THING,
        ("molecules", "weight"): Role.NUMBERS,
        ("molecules", "note"): Role.PROSE,
        ("atoms", "molecule"): Role.THING,
        ("atoms", "atom"): Role.THING,
        ("atoms", "kind"): Role.VALUES,
        ("bonds", "one"): Role.THING,
        ("bonds", "other"): Role.THING,
        ("bonds", "order"): Role.VALUES,
    }


@pytest.mark.parametrize(
    ("words", "name"), [("Age (years)", "age_years"), ("2nd", "t_2nd"), ("größe", "größe"), ("", "t_")]
)
def test_names(words: str, name: str) -> None:
    assert name_of(words) == name
