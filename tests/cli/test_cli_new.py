"""`joiner new`: the notebooks it makes run from top to bottom and solve their tasks; what it refuses."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from joiner_magic.cli import main
from joiner_magic.generators.molecules import molecules
from notebooks.played import texts


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JOINER_PICTURES", "static")
    return tmp_path


def shown(name: str) -> str:
    """All that a notebook shows when it is run."""
    notebook = nbformat.read(name, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=120, kernel_name="joiner").execute()
    return "\n".join(text for cell in notebook.cells for text in texts(cell))


def write_table(name: str, rows: Sequence[Mapping[str, object]]) -> None:
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        table.writerows(rows)


def mushrooms() -> list[dict[str, object]]:
    """Red ones with gills are poisonous, and heavy conical ones."""
    rows: list[dict[str, object]] = [
        {"cap": cap, "colour": colour, "weight": weight, "gills": gills}
        for cap in ("flat", "conical")
        for colour in ("red", "brown", "white")
        for weight in (5.5, 8, 11, 24, 25, 27.5, 48, 52, 55)
        for gills in ("yes", "no")
    ]
    for row in rows:
        red, heavy = row["colour"] == "red", float(str(row["weight"])) > 40
        is_poisonous = (red and row["gills"] == "yes") or (heavy and row["cap"] == "conical")
        row["class"] = "poisonous" if is_poisonous else "edible"
    return rows


@pytest.mark.parametrize("origin", ["zendo", "games", "strings"])
def test_generated_tasks_are_solved(origin: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "mine", "--from", origin]) == 0
    said = capsys.readouterr().out
    assert said.startswith("mine.ipynb is made; open it with: ")
    assert "-m jupyterlab" in said
    output = shown("mine.ipynb")
    assert "optimal solution" in output
    assert "100.0%  100.0%" in output  # seen and held out


def test_without_jupyterlab_it_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["new", "mine"]) == 0
    assert "open it with: pip install 'joiner-magic[tutorial]', then " in capsys.readouterr().out


def test_seeds_make_different_tasks() -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        main(["new", name, "--from", "zendo", "--seed", seed])
    one, same, other = (
        Path(f"{name}.ipynb").read_text(encoding="utf-8").replace(f"# {name}", "") for name in "abc"
    )
    assert one == same
    assert one != other


def test_several_tables() -> None:
    tables = molecules()
    write_table("molecules.csv", tables.molecules)
    write_table("atoms.csv", tables.atoms)
    distances = [
        {"atom": f"{name}_{i + 1}", "other": f"{name}_{j + 1}", "distance": molecule.distance(i, j)}
        for name, molecule in tables.structures.items()
        for i, j in permutations(range(len(molecule.kinds)), 2)
    ]
    write_table("distances.csv", distances)
    files = [f"--data={name}.csv" for name in ("atoms", "molecules", "distances")]
    assert main(["new", "active", "--from", "csv", *files, "--target", "active"]) == 0
    output = shown("active.ipynb")
    assert "optimal solution, 1 rule, 7 literals" in output
    assert "100.0%  100.0%" in output


def test_one_table_without_names(folder: Path) -> None:
    (folder / "data").mkdir()
    write_table("data/mushrooms.csv", mushrooms())
    options = ["--data", "data/mushrooms.csv", "--target", "class", "--positive", "poisonous"]
    assert main(["new", "mushrooms", *options]) == 0
    assert "read_csv('data/mushrooms.csv', " in Path("mushrooms.ipynb").read_text(encoding="utf-8")
    output = shown("mushrooms.ipynb")
    assert "class_poisonous(A) :- colour_red(A), gills_yes(A)." in output
    assert "class_poisonous(A) :- cap_conical(A), weight_high(A)." in output


def test_odd_names_missing_values_and_other_separators() -> None:
    rows = [f"{n};{'New York' if n % 2 else 'Ulm'};{'' if n % 5 == 0 else 'free text'};{'Yes' if n % 2 else 'no'}"
            for n in range(1, 21)]  # fmt: skip
    Path("class.csv").write_text("\n".join(["Id;Home Town;Note;goes east?", *rows, "99;Ulm;x;"]) + "\n")
    assert main(["new", "odd", "--data", "class.csv", "--target", "goes east?"]) == 0
    assert "goes_east_yes(A) :- home_town_new_york(A)." in shown("odd.ipynb")


def test_a_table_as_other_programs_write_it() -> None:
    """A nameless index of numbers, spaces, truth values in capitals, one word in two writings, a name that Python has."""
    rows = [
        f"{n}, {('Ulm', 'ULM', 'Bonn')[n % 3]}, NA, {'FALSE' if n % 3 == 2 else 'TRUE'}" for n in range(30)
    ]
    Path("len.csv").write_text("\n".join([", Town, town, Open", *rows]) + "\n")
    assert main(["new", "written", "--data", "len.csv", "--target", "Open", "--positive", "TRUE"]) == 0
    output = shown("written.ipynb")
    assert "open_true(A) :- town_ulm(A)." in output
    assert "100.0%  100.0%" in output


def test_columns_named_as_those_the_notebook_adds() -> None:
    rows = [
        f"{n % 3}.5,{'a' if n % 2 else 'b'},{'c' if n % 5 else 'd'},{'yes' if n % 2 else 'no'}"
        for n in range(20)
    ]
    Path("m².csv").write_text("\n".join(["weight,row,is yes,good", *rows]) + "\n")
    assert main(["new", "named", "--data", "m².csv", "--target", "good"]) == 0
    assert "good_yes(A) :- row_a(A)." in shown("named.ipynb")


def test_values_of_two_columns_never_share_a_predicate() -> None:
    """The columns top and "top left" could both say top_left_red; and good_yes is what is learnt."""
    tops = ["left red", "right", "yes"]
    rows = [
        f"r{n},{tops[n % 3]},{'red' if n % 2 else 'blue'},yes,{'yes' if n % 2 else 'no'}" for n in range(24)
    ]
    Path("flags.csv").write_text("\n".join(["flag,top,top left,Good,good", *rows]) + "\n")
    assert main(["new", "flags", "--data", "flags.csv", "--target", "good"]) == 0
    assert "good_yes(A) :- top_left_2_red(A)." in shown("flags.ipynb")


def test_numbers_as_names_and_a_property_of_two_tables() -> None:
    boxes = [f"{n:03},{'wood' if n % 3 else 'tin'},{'yes' if n % 2 else 'no'}" for n in range(20)]
    balls = [f"{n:03},b{n},{'tin' if n % 2 else 'wood'}" for n in range(20)] + ["none,b20,wood"]
    Path("boxes.csv").write_text("\n".join(["box,made,good", *boxes]) + "\n")
    Path("balls.csv").write_text("\n".join(["box,ball,made", *balls]) + "\n")
    assert main(["new", "boxes", "--data", "boxes.csv", "--data", "balls.csv", "--target", "good"]) == 0
    assert "balls_made_tin(A, B)" in shown("boxes.ipynb")


def test_an_empty_task_runs_once_its_comments_are_taken_away() -> None:
    assert main(["new", "bare"]) == 0
    with pytest.raises(CellExecutionError, match="there are no examples yet"):
        shown("bare.ipynb")
    text = Path("bare.ipynb").read_text(encoding="utf-8")
    for line in ("parent(", "pos(", "neg(", "max_"):
        text = text.replace(f'"% {line}', f'"{line}')
    Path("bare.ipynb").write_text(text, encoding="utf-8")
    assert "grandparent(A, B) :- parent(A, C), parent(C, B)." in shown("bare.ipynb")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["there"], "there.ipynb is there already; take another name, or delete it first"),
        (["there.ipynb"], "there.ipynb is there already; take another name, or delete it first"),
        (["no/where"], "there is no folder no; make it first"),
        (["a:b"], "'a:b' is not the name of a notebook; take letters, digits, - and _"),
        (["x" * 300], f"cannot write {'x' * 300}: File name too long; take another name or folder"),
        (["\udcff"], "the name of a file is not a text in UTF-8; rename it"),
        ([" "], "' ' is not the name of a notebook; take letters, digits, - and _"),
        ([""], "'' is not the name of a notebook; take letters, digits, - and _"),
        (["x", "--from", "csv"], "there is no table; name a CSV file: --data FILE"),
        (["x", "--from", "zendo", "--data", "t.csv"], "--from zendo makes its own data; take --from csv for yours"),
        (["x", "--target", "b"], "there is no table; name a CSV file: --data FILE"),
        (["x", "--data", "none.csv"], "cannot read none.csv: No such file or directory; give a CSV file"),
        (["x", "--data", "t.csv"], "there is no column to learn; take one of name, goal with --target"),
        (["x", "--data", "t.csv", "--target", "gaol"], "no table has a column 'gaol' (--target); did you mean goal?"),
        (["x", "--data", "t.csv", "--target", "goal"],
         "the values of goal are high, low, middle; say which one is positive: --positive VALUE"),
        (["x", "--data", "t.csv", "--target", "goal", "--positive", "up"],
         "'up' does not tell rows apart (--positive); the values of goal are high, low, middle"),
        (["x", "--data", "t.csv", "--target", "goal", "--key", "id"],
         "no table has a column 'id' (--key); there are name, goal"),
        (["x", "--data", "t.csv", "--target", "goal", "--key", "goal"],
         "goal cannot be learnt and name things; name another --key"),
        (["x", "--data", "t.csv", "--target", "goal", "--positive", "low"],
         "nothing in t.csv can be in a rule; add columns of few values, or tables"),
        (["x", "--data", "t.csv", "--data", "u.csv", "--target", "goal", "--positive", "low"],
         "nothing in u.csv names things; say which column does: --key COLUMN"),
        (["x", "--data", "u.csv", "--target", "same"],
         "same is the same wherever it is given; name a column that tells them apart: --target COLUMN"),
        (["x", "--data", "nul.csv"], "nul.csv is not a text; give a CSV file"),
        (["x", "--data", "long.csv"],
         "cannot read long.csv: field larger than field limit (131072); give a CSV file"),
        (["x", "--data", "t.csv", "--data", "t.csv", "--target", "goal"],
         "two tables have the same name; rename a file: facts are called by it"),
    ],
)  # fmt: skip
def test_what_is_refused(arguments: list[str], error: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("there.ipynb").write_text("mine")
    Path("t.csv").write_text("name,goal\na,high\nb,low\nc,middle\n")
    Path("u.csv").write_text("owner,same\n1,s\n1,s\n2,NA\n")
    Path("nul.csv").write_text("a,b\nc,\0\n")
    Path("long.csv").write_text(f"a,b\nc,{'d' * 200_000}\n")
    assert main(["new", *arguments]) == 2
    assert capsys.readouterr().err == f"error: {error}\n"
    assert [path.name for path in Path().glob("*.ipynb")] == ["there.ipynb"]
    assert Path("there.ipynb").read_text() == "mine"
