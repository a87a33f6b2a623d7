"""One value at a time over a pipe: its length, then its bytes.

marshal, because both ends are the same interpreter, it takes integers of any size, and,
unlike pickle, loading it runs nothing.
"""

from __future__ import annotations

import marshal
import struct
from typing import IO, Any

_LENGTH = struct.Struct("<Q")


def write_frame(stream: IO[bytes], value: Any) -> None:
    """`value` is made of plain values: numbers, texts, None, tuples and lists."""
    data = marshal.dumps(value)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """The next value; EOFError when the other end is gone, even in the middle of a frame."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return marshal.loads(_exactly(stream, length))  # noqa: S302 - both ends are ours


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
