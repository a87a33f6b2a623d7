"""Plain values of a JSON file, taken apart with care: whatever is wrong with one is said with its place in the file.

A file may have been cut short, edited by hand or made to do harm. So nothing is taken for what it should be: `JsonValue` is a
value together with the path of fields that leads to it, and gives its parts only in the form that they are asked for.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from joiner_magic.errors import FileError, Place
from joiner_magic.files import read_file, shown

LARGEST = 2**63 - 1  # number of anything that a file can count
_NEVER = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]")
_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "a truth value",
    int: "a number",
    float: "a number",
    type(None): "null",
}


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value of a JSON file, and where it stands."""

    value: Any
    file: str  # what errors call the file
    where: str = ""  # the fields that lead to the value, such as task.background[2].text
    remedy: str = ""

    def field(self, name: str) -> JsonValue:
        """What an object holds under a name."""
        fields = self._object()
        inner = f"{self.where}.{name}" if self.where else name
        if name not in fields:
            raise FileError(f"{self.file} has no field {inner}", remedy=self.remedy)
        return JsonValue(fields[name], self.file, inner, self.remedy)

    def has(self, name: str) -> bool:
        """Whether an object has a field."""
        return name in self._object()

    def fields(self) -> Iterator[tuple[str, JsonValue]]:
        """All that an object holds, by name."""
        for name in self._object():
            checked = JsonValue(name, self.file, f"{self.where or 'it'} (a name)", self.remedy).line()
            yield checked, self.field(name)

    def items(self) -> Iterator[JsonValue]:
        """What a list holds."""
        for number, value in enumerate(self._of((list, tuple), "a list")):
            yield JsonValue(value, self.file, f"{self.where}[{number}]", self.remedy)

    def text(self) -> str:
        """A text that UTF-8 can hold."""
        text = cast("str", self._of(str, "a text"))
        if _NEVER.search(text):
            self.refuse("holds half of a character")
        return text

    def line(self) -> str:
        """A text of one line, such as a name."""
        text = self.text()
        if _CONTROL.search(text):
            self.refuse("is no text of one line")
        return text

    def choice(self, choices: Sequence[str]) -> str:
        """One of a few texts."""
        if self.value not in choices or not isinstance(self.value, str):
            self.refuse(f"is not one of {', '.join(choices)}")
        return self.value

    def count(self, least: int = 0, most: int = LARGEST) -> int:
        """A whole number within bounds."""
        if type(self.value) is not int or not least <= self.value <= most:
            self.refuse(f"is not a whole number from {least} to {most}")
        return self.value

    def seconds(self) -> float:
        """A time that has passed."""
        value = self.value
        if type(value) not in (int, float) or not 0 <= value <= LARGEST or not math.isfinite(value):
            self.refuse("is not a number of seconds")
        return float(value)

    @property
    def is_text(self) -> bool:
        """Whether it is a text."""
        return isinstance(self.value, str)

    @property
    def is_null(self) -> bool:
        """Whether the file says that there is nothing."""
        return self.value is None

    def refuse(self, why: str) -> NoReturn:
        """An error that says what is wrong with this value."""
        raise FileError(f"{self.file}: {self.where or 'it'} {why}", remedy=self.remedy)

    def _object(self) -> Mapping[str, Any]:
        """The value as an object; TaskError if it is none."""
        return cast("Mapping[str, Any]", self._of(Mapping, "an object"))

    def _of(self, kind: type | tuple[type, ...], words: str) -> Any:
        """The value if it is of this kind; TaskError with its place if it is not."""
        if not isinstance(self.value, kind):
            self.refuse(f"is {_KINDS.get(type(self.value), 'something else')}, not {words}")
        return self.value


def read_json(path: str | os.PathLike[str], remedy: str = "") -> JsonValue:
    """The value in a JSON file. FileError says where the file is no JSON text, or more than that."""
    text = read_file(path)
    name = shown(path)
    try:
        value = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_float, parse_int=_integer
        )
    except json.JSONDecodeError as error:
        lines = text.split("\n")
        place = Place(name, error.lineno, error.colno, lines[error.lineno - 1])
        raise FileError(f"this is no JSON text: {error.msg}", place=place, remedy=remedy) from None
    except _JsonProblem as problem:
        raise FileError(f"{name} is no JSON text: {problem}", remedy=remedy) from None
    except RecursionError:
        raise FileError(f"{name} is nested too deeply", remedy=remedy) from None
    except MemoryError:
        raise FileError(f"{name} is too large", remedy=remedy) from None
    return JsonValue(value, name, remedy=remedy)


class _JsonProblem(Exception):
    """Python's reader would take the text, but JSON does not have this, or programs read it in different ways."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object; a field that is there twice is a mistake, where Python would take the last one."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise _JsonProblem(f"the field {name!a} is there twice")
        fields[name] = value
    return fields


def _no_number(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python would read though they are no JSON."""
    raise _JsonProblem(f"{name} is no number")


def _float(text: str) -> float:
    """A decimal number; one that is too large for a float is refused."""
    value = float(text)
    if not math.isfinite(value):
        raise _JsonProblem(f"the number {text[:40]} is too large")
    return value


def _integer(text: str) -> int:
    """A whole number; one with very many digits is refused, since reading it could take long."""
    if len(text) > 40:
        raise _JsonProblem(f"the number {text[:40]}… is too large")
    return int(text)
