"""`joiner bench`: what it measures, what it shows of several runs, and how it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from joiner_magic.cli import BAD_INPUT, main
from joiner_magic.cli.bench import COLUMNS, SOME_FAILED
from joiner_magic.cli.measure import peak_megabytes

FAMILY = ROOT / "joiner_magic" / "examples" / "family"


def table(text: str) -> list[dict[str, str]]:
    """The lines of a Markdown table, by column."""
    head, rule, *lines = [line.strip("|").split("|") for line in text.splitlines()]
    assert [cell.strip() for cell in head] == list(COLUMNS)
    assert set(rule) == {"---"}
    return [dict(zip(COLUMNS, (cell.strip() for cell in line), strict=True)) for line in lines]


@pytest.fixture
def with_held_out(tmp_path: Path) -> Path:
    """The family, and held out one example that is right and one that is wrong."""
    for name in ("bk.pl", "exs.pl", "bias.pl"):
        (tmp_path / name).write_text((FAMILY / name).read_text())
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "exs.pl").write_text("pos(gifted(eli)).\nneg(gifted(fay)).\n")
    return tmp_path


def test_the_shipped_tasks_are_measured_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench"]) == 0
    rows = table(capsys.readouterr().out)
    assert [(row["task"], row["status"], row["size"]) for row in rows] == [
        ("family", "optimal", "5"),
        ("pyramids", "optimal", "8"),
        ("strings", "optimal", "15"),
    ]
    for row in rows:
        assert 0 < float(row["first CPU s"]) <= float(row["CPU s"])
        assert float(row["start s"]) > 0
        assert float(row["MB"]) > 5
        assert row["held out %"] == row["at least"] == "-"


def test_all_runs_are_in_the_file_and_the_median_is_shown(
    with_held_out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "measured.json"
    options = ["--max-body", "4", "--repeat", "3", "--json", str(file)]
    assert main(["bench", str(with_held_out), *options]) == 0
    (row,) = table(capsys.readouterr().out)
    value: dict[str, Any] = json.loads(file.read_text())
    assert (value["options"]["max_body"], value["options"]["timeout"]) == (4, 60)
    (task,) = value["tasks"]
    runs = task["runs"]
    assert len(runs) == 3
    assert len({(run["size"], run["programs_tested"]) for run in runs}) == 1
    assert row["CPU s"] == format(sorted(run["cpu"]["learn"] for run in runs)[1], ".3f")
    assert row["held out %"] == "50"
    assert row["tested"].replace(",", "") == str(runs[0]["counts"]["tested"])


def test_a_time_that_is_not_enough_leaves_no_first_solution(
    with_held_out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", str(with_held_out), "--timeout", "0"]) == 0
    (row,) = table(capsys.readouterr().out)
    assert (row["status"], row["first CPU s"], row["size"]) == ("none", "-", "0 (0 of 8)")


def test_a_task_that_cannot_be_read_has_a_line_and_the_others_are_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", str(tmp_path), str(FAMILY)]) == SOME_FAILED
    bad, good = table(capsys.readouterr().out)
    assert bad["status"].startswith("failed: cannot read")
    assert good["status"] == "optimal"


@pytest.mark.parametrize("wrong", [["--repeat", "0"], ["--json", "/nowhere/at/all.json"]])
def test_bad_options_are_refused_before_anything_runs(
    wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *wrong]) == BAD_INPUT
    assert capsys.readouterr().out == ""


def test_the_peak_of_memory_counts_what_is_gone() -> None:
    before = peak_megabytes()
    if before is None:
        pytest.skip("this system does not tell how much memory a process had")
    block = bytearray(int((before + 200) * 1_000_000))  # more than ever, whatever tests came before
    del block
    after = peak_megabytes()
    assert after is not None
    assert after > before
