"""A file is there whole or not at all: what cannot be written leaves the earlier one, and nothing beside it."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from joiner_magic import files, read_task, save_result
from joiner_magic.cli import main
from joiner_magic.cli.tutorial import copy_notebooks, example_notebooks
from joiner_magic.errors import FileError, JoinerError
from joiner_magic.files import write_file
from joiner_magic.search.learn import learn
from joiner_magic.sessions.session import Session
from joiner_magic.task.folder import save_task
from joiner_magic.views.all import VIEWS

TASK = read_task("p(a). q(b).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1).")
EARLIER = "what was there before"


def session() -> Session:
    made = Session()
    made.bk("p(a). q(b).")
    made.examples("pos(f(a)). neg(f(b)).")
    made.learn()
    return made


# Everything in the project that writes a file for a person, by the name of the file that it writes.
WRITERS: dict[str, Callable[[Path], object]] = {
    "result.json": lambda path: save_result(learn(TASK), path),
    "session.json": lambda path: session().save(path),
    "view.svg": lambda path: VIEWS["lattice"](session().runs[-1]).save(path),
    "view.html": lambda path: VIEWS["progress"](session().runs[-1]).save(path),
    "bk.pl": lambda path: save_task(TASK, path.parent),
    "exs.pl": lambda path: session().export_task(path.parent),
    "copy.ipynb": lambda path: copy_notebooks([_renamed(path)], path.parent, fresh=True),
    "saved.json": lambda path: _main("learn", str(_folder(path)), "--save", str(path)),
    "bench.json": lambda path: _main("bench", str(_folder(path)), "--json", str(path)),
}


def _renamed(path: Path) -> Path:
    """A shipped notebook under another name."""
    original = path.parent.parent / "shipped" / path.name
    if not original.exists():
        original.parent.mkdir(exist_ok=True)
        original.write_bytes(example_notebooks()[0].read_bytes())
    return original


def _folder(path: Path) -> Path:
    folder = path.parent.parent / "task"
    if not folder.exists():
        save_task(TASK, folder)
    return folder


def _main(*arguments: str) -> None:
    """The command, whose errors it prints itself."""
    if main(arguments) != 0:
        raise FileError("the command says so")


class Full:
    """A disk that fills up: while some of a file is written, or only when it is to reach the disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, when: str) -> None:
        self.struck = 0
        real_open, real_sync = open, os.fsync

        def full(*_: object) -> Any:
            self.struck += 1
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def opened(file: Any, mode: str = "r", *more: Any, **options: Any) -> Any:
            found = real_open(file, mode, *more, **options)
            if isinstance(file, int) and "w" in mode:
                return _Halfway(found, full)
            return found

        if when == "write":
            monkeypatch.setattr(files, "open", opened, raising=False)
        elif when == "fsync":
            monkeypatch.setattr(os, "fsync", full)
        else:
            monkeypatch.setattr(os, "replace", full)
        self.undo = monkeypatch.undo
        assert real_sync is not None
        assert folder.is_dir()


class _Halfway:
    """A file that takes half of what is written to it."""

    def __init__(self, file: Any, full: Callable[..., Any]) -> None:
        self._file = file
        self._full = full

    def __enter__(self) -> _Halfway:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> int:
        self._file.write(data[: len(data) // 2])
        self._file.flush()
        self._full()
        return 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder, with room for what writers need beside it."""
    (tmp_path / "place").mkdir()
    return tmp_path / "place"


@pytest.mark.parametrize("when", ["write", "fsync", "replace"])
@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_earlier_file(
    name: str, when: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place / name
    _folder(path), _renamed(path)
    path.write_text(EARLIER)
    before = sorted(each.name for each in place.iterdir())
    disk = Full(monkeypatch, place, when)
    with pytest.raises(JoinerError) as caught:
        WRITERS[name](path)
    disk.undo()
    assert disk.struck
    said = caught.value.headline + capsys.readouterr().err.strip()
    assert "No space left on device" in said
    assert "\n" not in caught.value.headline
    assert path.read_text() == EARLIER
    assert sorted(each.name for each in place.iterdir()) == before
    WRITERS[name](path)
    assert path.read_text() != EARLIER


def test_a_task_is_written_whole_or_not_at_all(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Background knowledge of one task with the examples of another would be a task that nobody has written."""
    for name in ("bk.pl", "exs.pl", "bias.pl"):
        (place / name).write_text(EARLIER)
    real, calls = os.fsync, []

    def full_at_last(number: int) -> None:
        calls.append(number)
        if len(calls) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(number)

    monkeypatch.setattr(os, "fsync", full_at_last)
    with pytest.raises(FileError, match=r"cannot write .*bias\.pl: No space left on device"):
        save_task(TASK, place)
    assert {each.name: each.read_text() for each in place.iterdir()} == dict.fromkeys(
        ("bk.pl", "exs.pl", "bias.pl"), EARLIER
    )


def test_joiner_new_leaves_nothing_behind(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    disk = Full(monkeypatch, place, "fsync")
    assert main(["new", str(place / "task")]) != 0
    disk.undo()
    assert "No space left on device" in capsys.readouterr().err
    assert list(place.iterdir()) == []
    assert main(["new", str(place / "task")]) == 0
    assert [each.name for each in place.iterdir()] == ["task.ipynb"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KB, where one may be mounted."""
    folder = tmp_path / "small"
    folder.mkdir()
    try:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    if mounted.returncode:
        pytest.skip("no file system may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_really_full(small_disk: Path) -> None:
    path = small_disk / "file"
    write_file(path, EARLIER)
    with pytest.raises(FileError, match="No space left on device"):
        write_file(path, b"x" * 100_000)
    assert path.read_text() == EARLIER
    assert [each.name for each in small_disk.iterdir()] == ["file"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_device_is_written_as_it_is() -> None:
    with pytest.raises(FileError, match="No space left on device"):
        write_file("/dev/full", "x")
    write_file(os.devnull, "x")
    assert Path("/dev/full").is_char_device()
    assert Path(os.devnull).is_char_device()


_MAKE_THEIR_FOLDER = ("bk.pl", "exs.pl", "copy.ipynb")
IN_THE_WAY = ["a folder in the way", "NUL", "a file as parent", "too long"]


@pytest.mark.parametrize(
    ("name", "where"),
    [(name, where) for name in WRITERS for where in IN_THE_WAY]
    + [(name, "no parent") for name in WRITERS if name not in _MAKE_THEIR_FOLDER],
)
def test_places_where_nothing_can_be_written(
    name: str, where: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _folder(place / name), _renamed(place / name)
    path = {
        "a folder in the way": place / name,
        "no parent": place / "none" / name,
        "NUL": place / "a\x00b" / name,
        "a file as parent": place / "file" / name,
        "too long": place / ("x" * 300) / name,
    }[where]
    (place / "file").write_text(EARLIER)
    if where == "a folder in the way":
        path.mkdir()
    _folder(place / name)
    with pytest.raises(JoinerError) as caught:
        _Moved(place, name)(path)
    assert "\n" not in caught.value.headline
    assert caught.value.headline.isprintable()
    assert "Traceback" not in capsys.readouterr().err
    assert (place / "file").read_text() == EARLIER


class _Moved:
    """A writer whose other files stand beside `place`, wherever its own file is."""

    def __init__(self, place: Path, name: str) -> None:
        self._place, self._name = place, name

    def __call__(self, path: Path) -> None:
        beside = self._place / self._name
        match self._name:
            case "copy.ipynb":
                copy_notebooks([_renamed(beside)], path.parent, fresh=True)
            case "saved.json":
                _main("learn", str(_folder(beside)), "--save", str(path))
            case "bench.json":
                _main("bench", str(_folder(beside)), "--json", str(path))
            case name:
                WRITERS[name](path)


def test_an_earlier_file_keeps_its_permissions_and_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text(EARLIER)
    target.chmod(0o640)
    link.symlink_to("target")
    write_file(link, "new")
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "target"]


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("x")
    write_file(tmp_path / "other", "x")
    assert (tmp_path / "one").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_link_into_nothing_and_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "new")
    write_file(tmp_path / "link", "x")
    assert (tmp_path / "new").read_text() == "x"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileError, match="symbolic links"):
        write_file(tmp_path / "loop", "x")


def test_what_was_there_first_stays_where_only_new_files_are_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").write_text(EARLIER)
    with pytest.raises(FileError, match="File exists"):
        write_file(tmp_path / "there", "x", new=True)
    # Somebody makes it between the look and the writing.
    monkeypatch.setattr(Path, "exists", lambda path: False)
    with pytest.raises(FileError, match="File exists"):
        write_file(tmp_path / "there", "x", new=True)
    monkeypatch.undo()
    assert (tmp_path / "there").read_text() == EARLIER
    assert [each.name for each in tmp_path.iterdir()] == ["there"]


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    (tmp_path / "file").write_text(EARLIER)
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "file", "x")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == EARLIER


def test_half_of_a_character_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no text in UTF-8"):
        write_file(tmp_path / "file", "\ud800")
    assert list(tmp_path.iterdir()) == []


def test_nothing_else_in_the_project_writes_files() -> None:
    """One place writes: whoever opens a file for writing elsewhere goes around it."""
    package = Path(files.__file__).parent
    around = [
        f"{path.relative_to(package)}: {line.strip()}"
        for path in package.rglob("*.py")
        if path.name != "files.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if any(
            word in line for word in (".write_text(", ".write_bytes(", '"wb")', '"w")', '"xb")', "savefig(")
        )
    ]
    assert around == ['engines/prolog/worker.py: return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")']
