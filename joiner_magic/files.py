"""Reading and writing the files of users: all of it is done here.

A file is written under another name in the same folder, and then renamed in one step. So a full disk or a power cut
leaves either the earlier file or the new one, complete. Whatever the operating system refuses becomes a FileError.
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
    """Write a file in one step; if that fails, an earlier file stays as it is.

    A text is written in UTF-8, and its line ends are not changed. The permissions of an earlier file are kept, and a
    link stays a link to the file that is written. With `new` it is an error if the file exists already.
    """
    _write_all({Path(path): content}, new=new, remedy=remedy)


def write_files(contents: Mapping[Path, str | bytes], remedy: str = "") -> None:
    """Write files that belong together: none is replaced before all of them have been written."""
    _write_all(contents, new=False, remedy=remedy)


def make_folder(path: str | os.PathLike[str], remedy: str = "") -> Path:
    """The folder as a path; it is made if it does not exist."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot make the folder {shown(path)}: {_reason(error)}", remedy=remedy) from None
    return Path(path)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise FileError if the file could not be written: for a check before work that takes long. Nothing is changed."""
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
    """A path as text on one line, for messages, whatever characters are in it."""
    text = os.fsdecode(path)
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    return text if text.isprintable() else ascii(text)


def _write_all(contents: Mapping[Path, str | bytes], *, new: bool, remedy: str) -> None:
    """Write all files under temporary names, then rename them; the temporary files are removed in any case."""
    written: list[tuple[Path, Path]] = []  # temporary names, and what each will be renamed to
    at = Path()
    try:
        for at, content in contents.items():
            data = content.encode("utf-8") if isinstance(content, str) else content
            _write_beside(at, data, written, new=new)
        for beside, target in written:
            at = target
            if new:
                _link(beside, target)
            else:
                os.replace(beside, target)
        for folder in {target.parent for _, target in written}:
            _flush_folder(folder)
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
    """Write one file under a temporary name, and add that name and the file's own to `written`."""
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
    """The file that a path leads to, through links; OSError if nothing can be written there."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target


def _is_special(target: Path) -> bool:
    """Whether it is no regular file, such as /dev/stdout."""
    return target.exists() and not target.is_file()


def _write_through(beside: Path, data: bytes, target: Path) -> None:
    """Write a file and flush it to the disk, with the owner and the permissions of the file that it will replace."""
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
    """Give a file its name; FileExistsError if another file of this name has appeared meanwhile."""
    try:
        os.link(beside, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.replace(beside, target)


def _flush_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system can do that."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _reason(error: BaseException) -> str:
    """Why a file cannot be read or written, in a few words."""
    if isinstance(error, OSError):
        return error.strerror or str(error) or type(error).__name__
    if isinstance(error, MemoryError):
        return "it is too large"
    if "null" in str(error):
        return "no path has this character"
    return str(error)


def _place_of_byte(path: str | os.PathLike[str], content: bytes, position: int) -> Place:
    """The line and the column of a byte, for an error."""
    line = content.count(b"\n", 0, position) + 1
    begin = content.rfind(b"\n", 0, position) + 1
    excerpt = content[begin:].split(b"\n")[0].decode("utf-8", errors="replace")
    column = len(content[begin:position].decode("utf-8")) + 1
    return Place(shown(path), line, column, excerpt)
