"""Files: the one place where the project reads and writes them for a person.

A file is written beside its place and then put there in one step, so that a full disk or a power cut leaves either the
earlier file or the new one, whole. Whatever the system refuses is a FileError of one line.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from joiner_magic.errors import FileError, Place, TextError

_LONGEST = 400  # characters of a path in an error
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)  # of file systems without hard links


def read_file(path: str | os.PathLike[str], remedy: str = "") -> str:
    """The text of a file in UTF-8, without the byte order mark that some editors begin it with."""
    try:
        content = Path(path).read_bytes()
    except (OSError, ValueError, MemoryError) as error:
        raise FileError(f"cannot read {shown(path)}: {_reason(error)}", remedy=remedy) from None
    try:
        # Not "utf-8-sig": with a mark at the beginning its errors do not say where in the file they are.
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise TextError(
            "this is not UTF-8 text",
            place=_place_of_byte(path, content, error.start),
            remedy="save the file as UTF-8",
        ) from None


def write_file(
    path: str | os.PathLike[str], content: str | bytes, *, new: bool = False, remedy: str = ""
) -> None:
    """Put a file in its place in one step; the earlier one stays as it is if that fails.

    A text is written in UTF-8 with its line ends as they are. An earlier file keeps its permissions, and a link stays a
    link to the file that is written. With `new` a file that is there already is an error.
    """
    _write_all({Path(path): content}, new=new, remedy=remedy)


def write_files(contents: Mapping[Path, str | bytes], remedy: str = "") -> None:
    """Put files that belong together in their places, when all of them have been written."""
    _write_all(contents, new=False, remedy=remedy)


def make_folder(path: str | os.PathLike[str], remedy: str = "") -> Path:
    """The folder, which is made if it is not there."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot make the folder {shown(path)}: {_reason(error)}", remedy=remedy) from None
    return Path(path)


def check_writable(path: str | os.PathLike[str]) -> None:
    """What takes long must have a place to go: this finds out before it begins, and changes nothing."""
    try:
        target = _target(Path(path))
        if not target.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if not os.access(target.parent, os.W_OK) and not _is_special(target):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        remedy = "give a file in a directory that exists"
        raise FileError(f"cannot write {shown(path)}: {_reason(error)}", remedy=remedy) from None


def shown(path: str | os.PathLike[str]) -> str:
    """A path on one line, whatever characters are in it."""
    text = os.fsdecode(path)
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    return text if text.isprintable() else ascii(text)


def _write_all(contents: Mapping[Path, str | bytes], *, new: bool, remedy: str) -> None:
    written: list[tuple[Path, Path]] = []  # what is to be put in which place
    at = Path()
    try:
        for at, content in contents.items():
            data = content.encode("utf-8") if isinstance(content, str) else content
            _write_beside(at, data, written, new=new)
        for beside, target in written:
            at = target
            (_link if new else os.replace)(beside, target)
        for folder in {target.parent for _, target in written}:
            _settle(folder)
    except UnicodeEncodeError:
        why = "it holds a character that no text in UTF-8 can hold"
        raise FileError(f"cannot write {shown(at)}: {why}", remedy=remedy) from None
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write {shown(at)}: {_reason(error)}", remedy=remedy) from None
    finally:
        for beside, _ in written:
            with suppress(OSError):  # most often it is in its place by now
                beside.unlink()


def _write_beside(path: Path, data: bytes, written: list[tuple[Path, Path]], *, new: bool) -> None:
    target = _target(path)
    if new and target.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    if _is_special(target):  # such as /dev/stdout: nothing can be put in its place
        target.write_bytes(data)
        return
    beside = target.with_name(f".joiner-{os.urandom(8).hex()}.tmp")
    written.append((beside, target))
    _write_through(beside, data, target)


def _target(path: Path) -> Path:
    """The file itself, behind links; OSError if nothing can be written there."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target


def _is_special(target: Path) -> bool:
    return target.exists() and not target.is_file()


def _write_through(beside: Path, data: bytes, target: Path) -> None:
    """Down to the disk, with the permissions of the file that is to be replaced, or those of any new file."""
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with open(number, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if target.exists():
        before = target.stat()
        if hasattr(os, "chown"):
            with suppress(OSError):  # only the administrator may give files away
                os.chown(beside, before.st_uid, before.st_gid)
        os.chmod(beside, stat.S_IMODE(before.st_mode))


def _link(beside: Path, target: Path) -> None:
    """Into a place where nothing is: if somebody was quicker, that is FileExistsError."""
    try:
        os.link(beside, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.replace(beside, target)


def _settle(folder: Path) -> None:
    """The new name down to the disk too, where folders can be opened."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error) or type(error).__name__
    if isinstance(error, MemoryError):
        return "it is too large"
    return "no path has this character" if "null" in str(error) else str(error)


def _place_of_byte(path: str | os.PathLike[str], content: bytes, position: int) -> Place:
    line = content.count(b"\n", 0, position) + 1
    begin = content.rfind(b"\n", 0, position) + 1
    excerpt = content[begin:].split(b"\n")[0].decode("utf-8", errors="replace")
    column = len(content[begin:position].decode("utf-8")) + 1
    return Place(shown(path), line, column, excerpt)
