"""Files that something happened to: bytes that are lost, doubled or changed, and JSON values that are something else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

_ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    10**18,
    10**30,
    0.5,
    -0.0,
    1e308,
    "",
    "x",
    "\ud800",
    "a\nb",
    "\x00",
    "optimal",
    "p(a). p(",
    "X" * 5000,
    [],
    [[]],
    {},
    {"a": 1},
    ["x", 1],
    [None] * 50,
]


def damaged_bytes(rng: Random, data: bytes) -> bytes:
    """One or two accidents of a disk, a transfer or an editor."""
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(data) + 1)
        length = rng.choice([1, 1, 2, 8, 64])
        data = rng.choice(
            [
                data[:at],
                data[at:],
                data[:at] + data[at + length :],
                data[:at] + rng.randbytes(length) + data[at + length :],
                data[:at]
                + rng.choice(
                    [b"\x00", b"\xff", b"\xef\xbb\xbf", b"[" * 5000, b'"', b"9" * 6000, b"NaN", b"-", b"\\"]
                )
                + data[at:],
                data[:at] + data[max(0, at - length) : at] + data[at:],
                b"\xef\xbb\xbf" + data,
                data.replace(b"1", b"1e999", 1),
                data.decode("utf-8", "replace").encode("utf-16"),
            ]
        )
    return data


def damaged_value(rng: Random, text: str) -> str:
    """A JSON text in which one or two values are others, missing, doubled, or in another's place."""
    value = json.loads(text)
    for _ in range(rng.randint(1, 2)):
        spots = list(_spots(value))
        if not spots:
            break
        holder, key = rng.choice(spots)
        accident = rng.randrange(5)
        if accident == 0:
            del holder[key]
        elif accident == 1:
            other, there = rng.choice(spots)
            holder[key] = (
                json.loads(json.dumps(other[there]))
                if there in other or (isinstance(other, list) and there < len(other))
                else None
            )
        elif accident == 2 and isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
            holder[key] = rng.choice([-holder[key], holder[key] + 1, holder[key] * 10**20, str(holder[key])])
        elif accident == 3 and isinstance(holder[key], str) and holder[key]:
            cut = rng.randrange(len(holder[key]))
            holder[key] = (
                holder[key][:cut] + rng.choice(["", "\x00", "(", "'", "\ud800", "Ä"]) + holder[key][cut + 1 :]
            )
        else:
            holder[key] = json.loads(json.dumps(rng.choice(_ODD)))
    return json.dumps(value)


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a value that holds another one."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _spots(value[key])
