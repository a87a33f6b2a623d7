"""Values sent over a pipe between two processes: each as a frame, which is its length and then its bytes.

Values are written with marshal, which is fast, and both ends are the same interpreter. Answers of a process that has run
a Prolog text from somebody else are written as JSON instead: marshal is not safe for bytes from an attacker. Large
integers are written in hexadecimal there, since Python refuses to read very long decimal numbers.
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
    """The bytes of a frame with this value: numbers, strings, None, and tuples, lists and dictionaries of them."""
    data = marshal.dumps(value)
    return _LENGTH.pack(len(data)) + data


def write_frame(stream: IO[bytes], value: Any) -> None:
    """Write a value that `read_frame` reads."""
    stream.write(frame_of(value))
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """Read the next value. Raises EOFError when the other end is gone, even in the middle of a frame."""
    return marshal.loads(_frame(stream))  # noqa: S302 - it comes from a process that runs our code alone


def write_answer(stream: IO[bytes], answer: Any) -> None:
    """Write an answer that `read_answer` reads: numbers, strings, and lists of them."""
    data = json.dumps(_portable(answer)).encode("ascii")
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read_answer(stream: IO[bytes]) -> Any:
    """Read the next answer.

    Raises EOFError when the other end is gone, and ValueError or RecursionError for bytes that are no answer.
    """
    return json.loads(_frame(stream), object_hook=_integer)


def _portable(value: Any) -> Any:
    """The same value with large integers as objects such as {"x": "ff"}."""
    if isinstance(value, list | tuple):
        return [_portable(item) for item in value]
    if isinstance(value, int) and abs(value) >= _PLAIN:
        return {_HEXADECIMAL: f"{value:x}"}
    return value


def _integer(value: dict[str, Any]) -> int:
    """The integer of an object such as {"x": "ff"}."""
    return int(value[_HEXADECIMAL], 16)


def _frame(stream: IO[bytes]) -> bytes:
    """The bytes of the next frame."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    if length > _LONGEST:
        raise ValueError("a frame longer than any of ours")
    return _exactly(stream, length)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    """So many bytes; EOFError if there are fewer."""
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
