"""Code on pages does what they say: it is run in order, as by a reader in a checkout, or at least read.

- Python, and cells that begin with a magic, run in one shell per page. What a ```text block right below shows is compared.
- Prolog is read by the native reader, or as a bias.
- Commands: `$ joiner …` must be arguments that the command takes; where the block shows its output, it is run.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from conftest import ROOT
from docs.pages import PAGES, Block, Page
from joiner_magic.cli import main, parser
from joiner_magic.errors import JoinerError
from joiner_magic.sessions.current import forget_all
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.task.directives import read_directives
from joiner_magic.task.reader import PrologText

_SECONDS = re.compile(r"\b\d+\.\d+\b(?!%)")  # no two runs take the same time
_OUT = re.compile(r"^Out\[\d+\]: ?\n?", re.MULTILINE)  # of a terminal, before a value
_CELL = re.compile(r"\n\n+(?=%)")


def _each(kind: Callable[[Block], bool]) -> pytest.MarkDecorator:
    """Pages that have such blocks."""
    found = [
        pytest.param(page, id=page.name, marks=[pytest.mark.prolog] if page.needs_prolog else [])
        for page in PAGES
        if any(kind(block) for block in page.blocks)
    ]
    return pytest.mark.parametrize("page", found)


def is_run(block: Block) -> bool:
    return not block.opted_out and (block.language == "python" or block.text.startswith("%"))


def is_prolog(block: Block) -> bool:
    return not block.opted_out and block.language == "prolog"


def is_console(block: Block) -> bool:
    return not block.opted_out and block.language == "console"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like the repository to a reader, in which a page may write."""
    shutil.copytree(ROOT / "joiner_magic" / "examples", tmp_path / "joiner_magic" / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    forget_all()
    InteractiveShell.clear_instance()
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    shell = InteractiveShell.instance(config=config)
    shell.run_line_magic("load_ext", "joiner_magic")
    yield shell
    InteractiveShell.clear_instance()
    forget_all()


@_each(is_run)
def test_what_is_shown_is_what_happens(page: Page, shell: InteractiveShell, checkout: Path) -> None:
    for block in filter(is_run, page.blocks):
        printed = "".join(ran(shell, cell, block) for cell in cells(block))
        if block.shown is not None:
            assert without_times(printed) == without_times(block.shown), f"{page.name}:{block.line}"


def cells(block: Block) -> list[str]:
    return [block.text] if block.language == "python" else _CELL.split(block.text)


def ran(shell: InteractiveShell, cell: str, block: Block) -> str:
    # A value at the end of a script is not shown; one at the end of a cell is.
    shell.ast_node_interactivity = "none" if block.language == "python" else "last_expr"
    with capture_output() as captured:
        result = shell.run_cell(cell)  # type: ignore[no-untyped-call]
    result.raise_error()
    shown = [output.data["text/plain"] + "\n" for output in captured.outputs]
    return _OUT.sub("", "".join([captured.stdout, *shown]))


@_each(is_prolog)
def test_prolog_is_read(page: Page) -> None:
    for block in filter(is_prolog, page.blocks):
        check_prolog(block.text, f"{page.name}:{block.line}")


def check_prolog(text: str, name: str) -> None:
    try:
        PrologText.read(text, name)
    except JoinerError:
        read_directives(AspText(text, name))


@_each(is_console)
def test_commands_are_what_the_command_takes(
    page: Page, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for block in filter(is_console, page.blocks):
        for line, shown in commands(block.text):
            arguments = joiner_arguments(line)
            if arguments is None:
                continue
            parse(arguments, f"{page.name}:{block.line}: {line}")
            if shown:
                main(arguments)
                assert without_times(capsys.readouterr().out) == without_times(shown), line


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each line of a console that is typed, and what it shows."""
    lines = text.replace("\\\n", " ").splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.startswith("$ "):
            yield line[2:], "".join(takewhile(lambda each: not each.startswith("$ "), lines[number + 1 :]))


def joiner_arguments(line: str) -> list[str] | None:
    command, _, rest = line.partition(" ")
    return shlex.split(rest, comments=True) if Path(command).name == "joiner" else None


def parse(arguments: list[str], where: str) -> None:
    try:
        parser().parse_args(arguments)
    except SystemExit as ended:
        if ended.code:
            pytest.fail(f"{where}: the command does not take this")


def without_times(text: str) -> str:
    return _SECONDS.sub("N", "\n".join(line.rstrip() for line in text.strip().splitlines()))


def page_of(text: str, language: str = "python", shown: str | None = None) -> Page:
    below = "" if shown is None else f"\n```text\n{shown}```\n"
    return Page(ROOT / "x.md", f"```{language}\n{text}```\n{below}")


def test_mistakes_would_be_noticed(shell: InteractiveShell, checkout: Path) -> None:
    with pytest.raises(AssertionError):
        test_what_is_shown_is_what_happens(page_of("print(1)\n", shown="2\n"), shell, checkout)
    with pytest.raises(NameError):
        test_what_is_shown_is_what_happens(page_of("print(joiner)\n"), shell, checkout)
    with pytest.raises(JoinerError):
        test_what_is_shown_is_what_happens(page_of("%%bk\nparent(ann,\n", "text"), shell, checkout)
    with pytest.raises(JoinerError):
        check_prolog("parent(ann,", "bk")
    with pytest.raises(pytest.fail.Exception):
        parse(["learn", "DIR", "--timout", "3"], "x.md")


def test_blocks_are_told_apart() -> None:
    page = Page(
        ROOT / "x.md", "<!-- not run: why -->\n\n```python\n1\n```\n\n```python\n2\n```\n\n```text\n3\n```\n"
    )
    found = [(block.text, block.opted_out, block.shown) for block in page.blocks]
    assert found == [("1\n", True, None), ("2\n", False, "3\n"), ("3\n", False, None)]
    assert list(commands("$ joiner a \\\n  b\nout\n$ c  # d\n")) == [
        ("joiner a    b\n", "out\n"),
        ("c  # d\n", ""),
    ]
    assert joiner_arguments("joiner learn DIR  # why") == ["learn", "DIR"]
    assert joiner_arguments("python x.py") is None
