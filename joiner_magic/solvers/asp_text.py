"""Texts for clingo, made safe to hand over, and clingo's complaints in the user's words.

clingo is written for trusted programs: a byte outside ASCII in the wrong place, or a term
nested some ten thousand levels deep, ends the whole process, and `#include` opens files while
parsing. So a text is looked through first. What clingo then gets is a shadow of the text:
every character outside ASCII, which only comments and strings may hold, is replaced by one
that is harmless. Shadow and text have the same length, so clingo's columns, which count bytes,
count characters of the user's text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from joiner_magic.errors import Place, TextError

# Far above what a person writes, far below what a small stack can take.
_DEEPEST = 100  # brackets inside brackets
_MOST_OPERATORS = 250  # in one statement: each may be one level of a term
_LONGEST = 10_000  # characters of one statement
_LARGEST = str(2**31 - 1)  # clingo takes larger numbers for other ones, and says nothing

_TOKEN = re.compile(
    r"""(?P<block>%\*) | (?P<comment>%[^\n]*) | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<foreign>\#(?:include|script)\b) | (?P<operator>\.\.|[-+*/\\&?^~|]) | (?P<end>\.)
      | (?P<open>[([{]) | (?P<close>[)\]}]) | (?P<strange>[^\x00-\x7f])
      | (?P<number>(?<![\w'])(?<!\d\.)[1-9]\d{9,}(?![\w']|\.\d))""",
    re.VERBOSE,
)
_DIGITS = re.compile(r"\d+")
_IDENTIFIER = re.compile(r"_*[a-z][A-Za-z0-9_']*")
_IN_BLOCK = re.compile(r"%\*|\*%|%[^\n]*")
_NEVER = re.compile("[\x00\ud800-\udfff]")
_OUTSIDE_ASCII = re.compile(r"[^\x00-\x7f]")
# ASP has no decimals, but the prices of `noisy(0.5, 2)` may be some. In the shadow such a number is a name of the same
# length, which nobody would choose: its first digit as a letter, and an apostrophe for the point.
_PRICES = re.compile(r"(?<![\w'])noisy\s*\([^()%\"\n]*\)")
_DECIMAL = re.compile(r"(?<![\w.'])(\d)(\d*)\.(\d+)(?![\w.'])")
_SHADOW_OF_DECIMAL = re.compile(r"([a-j])(\d*)'(\d+)")

_MESSAGE = re.compile(r"<string>:(\d+):(\d+)\S* (?:error|warning|info): (.*)", re.DOTALL)
_UNSAFE = re.compile(r"<string>:(\d+):(\d+)\S* note: '([#\w]+)' is unsafe")
_UNEXPECTED = re.compile(r"(?:syntax|lexer) error, unexpected\s*(\S*)")
_TOKEN_NAMES = {
    "": "this character",
    "<IDENTIFIER>": "a name",
    "<VARIABLE>": "a variable",
    "<NUMBER>": "a number",
    "<STRING>": "a string",
}


@dataclass(frozen=True, slots=True)
class AspText:
    """An ASP text that a user wrote, with the name that errors call it by. Several texts can be joined into one."""

    text: str
    name: str
    # Of joined texts: the line on which each begins, and its name.
    sections: tuple[tuple[int, str], ...] = ()
    lines: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Some editors begin a file with a byte order mark; the reader of the other texts skips it as well.
        object.__setattr__(self, "text", self.text.removeprefix("\ufeff"))
        lines = self.text.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        object.__setattr__(self, "lines", tuple(lines))
        object.__setattr__(self, "_starts", tuple(starts))

    @classmethod
    def joined(cls, texts: Sequence[AspText]) -> AspText:
        """The texts one after another; places keep the name and the numbering of the text they are in."""
        if len(texts) == 1:
            return texts[0]
        sections: list[tuple[int, str]] = []
        line = 1
        for text in texts:
            sections.append((line, text.name))
            line += len(text.lines)
        return cls("\n".join(text.text for text in texts), ", ".join(n for _, n in sections), tuple(sections))

    def offset(self, line: int, column: int) -> int:
        """The index into `text` of a line and a column, both counted from 1."""
        return self._starts[line - 1] + column - 1

    def place(self, line: int, column: int) -> Place:
        """Where a line and a column are, for an error; of joined texts, in the one that they belong to."""
        number = bisect_right(self.sections, line, key=lambda section: section[0])
        first, name = self.sections[number - 1] if number else (1, self.name)
        return Place(name, line - first + 1, column, self.lines[line - 1].rstrip("\r"))

    def place_at(self, offset: int) -> Place:
        """Where the character with this index into `text` is, for an error."""
        line = self.text.count("\n", 0, offset) + 1
        return self.place(line, offset - self._starts[line - 1] + 1)

    def place_of_end(self) -> Place:
        """The place behind the last character that is not blank."""
        return self.place_at(len(self.text.rstrip()))

    def shadow(self) -> str:
        """The text with each character outside ASCII replaced by "?", and decimals of `noisy` by names.

        Raises TextError if clingo must not read the text.
        """
        if never := _NEVER.search(self.text):
            place = self.place_at(never.start())
            raise TextError("a character that no text may hold", place=place, remedy="remove it")
        _check_statements(self)
        for prices in _PRICES.finditer(self.text):
            if (quotient := prices.group().find("/")) >= 0:
                raise TextError(
                    "a price that is a quotient stands in quotes",
                    place=self.place_at(prices.start() + quotient),
                    remedy='write noisy("3/2"), since clingo would divide without remainder',
                )
        return _PRICES.sub(_without_points, _OUTSIDE_ASCII.sub("?", self.text))

    def complaint(self, message: str) -> TextError:
        """A message of clingo's, as an error with a place in the user's text and a remedy."""
        if unsafe := _UNSAFE.search(message):
            line, column, name = unsafe.groups()
            variable = "_" if name.startswith("#Anon") else name
            return TextError(
                f"nothing gives the variable {variable} a value",
                place=self.place(int(line), int(column)),
                remedy="bind it in the rule's body, or start it with a lower-case letter to make it a name",
            )
        known = _MESSAGE.search(message)
        if known is None:
            return TextError(" ".join(message.split()), place=self.place(1, 1))
        line, column, what = known.groups()
        unexpected = _UNEXPECTED.match(what)
        if unexpected is None:
            return TextError(" ".join(what.split()), place=self.place(int(line), int(column)))
        token = unexpected[1].rstrip(",").strip('"')
        if "EOF" in token:
            return TextError(
                "the text ends in the middle of a statement",
                place=self.place_of_end(),
                remedy="end it with '.', and close what is open",
            )
        return TextError(
            f"{_TOKEN_NAMES.get(token) or repr(token)} is not expected here",
            place=self.place(int(line), int(column)),
            remedy="look for a missing '.', ',' or bracket before it",
        )


def _without_points(prices: re.Match[str]) -> str:
    """A directive with names in the place of decimals."""
    return _DECIMAL.sub(lambda found: f"{chr(ord('a') + int(found[1]))}{found[2]}'{found[3]}", prices[0])


def decimal_of_shadow(name: str) -> str:
    """The decimal that a name stands for in a shadow; empty if it is an ordinary name."""
    found = _SHADOW_OF_DECIMAL.fullmatch(name)
    if found is None:
        return ""
    return f"{ord(found[1]) - ord('a')}{found[2]}.{found[3]}"


def _tokens(text: AspText) -> Iterator[tuple[str, int]]:
    """Kind and offset of the tokens that matter here; comments and complete strings are left out."""
    at = 0
    while match := _TOKEN.search(text.text, at):
        at = match.end()
        kind = match.lastgroup or ""
        if kind == "block":
            at = _end_of_block(text, match.start())
        elif kind not in ("comment", "string"):
            yield kind, match.start()


def _end_of_block(text: AspText, start: int) -> int:
    """The offset behind the block comment that begins at `start`. Such comments nest, and may hold line comments."""
    depth = 0
    for match in _IN_BLOCK.finditer(text.text, start):
        depth += {"%*": 1, "*%": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    raise TextError("this comment is never closed", place=text.place_at(start), remedy="close it with '*%'")


def _check_statements(text: AspText) -> None:
    """Raise TextError for a statement that reads files, has a name outside ASCII, or is too large for clingo."""
    start = depth = operators = 0
    for kind, offset in _tokens(text):
        if kind == "foreign":
            raise TextError(
                "#include and #script have no place in a bias",
                place=text.place_at(offset),
                remedy="write the statements themselves",
            )
        if kind == "number" and _is_too_large(text.text, offset):
            raise TextError(
                f"a number above {_LARGEST}", place=text.place_at(offset), remedy="write a smaller one"
            )
        if kind == "strange":
            raise TextError(
                f"{text.text[offset]!r} cannot be part of a name in a bias",
                place=text.place_at(offset),
                remedy="put the name in double quotes",
            )
        depth += {"open": 1, "close": -1}.get(kind, 0)
        operators += kind == "operator"
        if depth > _DEEPEST or operators > _MOST_OPERATORS or offset - start > _LONGEST:
            raise TextError("this statement is too long", place=text.place_at(offset), remedy="split it")
        if kind == "end":
            start, depth, operators = offset, 0, 0


def _is_too_large(text: str, offset: int) -> bool:
    """Whether the number that begins there is more than clingo can take."""
    number = _DIGITS.match(text, offset)
    return number is not None and (len(number[0]), number[0]) > (len(_LARGEST), _LARGEST)


def asp_name(name: str) -> str:
    """A name as clingo reads it: in double quotes where it is not an identifier of ASP."""
    if _IDENTIFIER.fullmatch(name) and name != "not":
        return name
    escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return f'"{escaped}"'


def asp_tuple(values: Iterable[object]) -> str:
    """A tuple as clingo reads it: one of a single value needs a comma, as in Python."""
    inside = [str(value) for value in values]
    last_comma = "," if len(inside) == 1 else ""
    return f"({','.join(inside)}{last_comma})"
