"""One value at a time over a pipe: its length, then its bytes.

Values are written with marshal, because both ends are the same interpreter and it is fast. Answers of a process that has
run a Prolog text of somebody else's are JSON instead: marshal is not made for bytes that may be meant to do harm.
Integers that JSON's readers would take for long texts are written in hexadecimal.
"""

from __future__ import annotations

import json
import marshal
import struct
from typing import IO, Any

_LENGTH = struct.Struct("<Q")
_LONGEST = 1 << 31  # bytes of one answer
_PLAIN = 1 << 62  # integers below it are written as such
_HEXADECIMAL = "x"


def frame_of(value: Any) -> bytes:
    """`value` is made of plain ones: numbers, texts, None, tuples, lists and dictionaries."""
    data = marshal.dumps(value)
    return _LENGTH.pack(len(data)) + data


def write_frame(stream: IO[bytes], value: Any) -> None:
    stream.write(frame_of(value))
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """The next value; EOFError when the other end is gone, even in the middle of a frame."""
    return marshal.loads(_frame(stream))  # noqa: S302 - it comes from a process that runs our code alone


def write_answer(stream: IO[bytes], answer: Any) -> None:
    """`answer` is made of numbers, texts and lists."""
    data = json.dumps(_portable(answer)).encode("ascii")
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read_answer(stream: IO[bytes]) -> Any:
    """The next answer; EOFError when the other end is gone, ValueError or RecursionError for what is none."""
    return json.loads(_frame(stream), object_hook=_integer)


def _portable(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_portable(item) for item in value]
    if isinstance(value, int) and abs(value) >= _PLAIN:
        return {_HEXADECIMAL: f"{value:x}"}
    return value


def _integer(value: dict[str, Any]) -> int:
    return int(value[_HEXADECIMAL], 16)


def _frame(stream: IO[bytes]) -> bytes:
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    if length > _LONGEST:
        raise ValueError("a frame longer than any of ours")
    return _exactly(stream, length)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
