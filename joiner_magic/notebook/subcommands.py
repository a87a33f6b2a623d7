"""What a subcommand of `%joiner` declares about itself, and the parsers of those that take options.

The list of all subcommands is `COMMANDS` in `notebook/commands.py`. Their help, their completion and their page in the
documentation are derived from what stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from joiner_magic.notebook.magic_arguments import MagicParser, unknown_word
from joiner_magic.search.option_arguments import add_options
from joiner_magic.views.all import VIEWS

if TYPE_CHECKING:
    from joiner_magic.notebook.commands import Commands

PARTS = ("bk", "examples", "bias", "test", "runs", "all")  # of a session, that can be forgotten each alone


@dataclass(frozen=True, slots=True)
class Subcommand:
    """One subcommand of `%joiner`: how it is called, what it does, and what may stand behind its name."""

    name: str
    takes: str  # what stands behind the name, as the overview writes it; "" for nothing
    does: str  # in a few words, for the overview and the documentation
    run: Callable[[Commands, str], Any]  # what carries it out, given the rest of the line
    own_parser: Callable[[], MagicParser] | None = None  # for a subcommand that takes options
    words: Callable[[], Iterable[str]] | None = None  # the words that Tab offers behind the name
    takes_atom: bool = False  # whether an atom stands behind the name: then Tab offers predicates

    def parser(self) -> MagicParser:
        """What reads the rest of the line: options, or one word, or nothing."""
        if self.own_parser is not None:
            return self.own_parser()
        parser = MagicParser(f"%joiner {self.name}", f"{self.does[0].upper()}{self.does[1:]}.")
        if self.takes:
            is_optional = self.takes.startswith("[")
            parser.add_argument("word", metavar=self.takes.strip("[]"), nargs="?" if is_optional else None)
        return parser

    def word(self, line: str, *, default: str = "", choices: Sequence[str] = ()) -> str:
        """The one word that stands behind the name, or the default where there is none.

        Raises CommandError if there is anything else on the line, or if the word is not among the choices.
        """
        word = str(getattr(self.parser().of(line), "word", None) or default)
        if choices and word not in choices:
            remedy = f"take one of {', '.join(choices)}"
            raise unknown_word(f"%joiner {self.name} has no {word}", word, choices, remedy)
        return word


def learn_parser(magic: str = "%%joiner") -> MagicParser:
    """The parser of `%%joiner` and of `%joiner learn`."""
    parser = _run_parser(
        magic, "Learn from what the cells have said. The body of %%joiner is bias for this run."
    )
    parser.add_argument("--fresh", action="store_true", help="reuse nothing of earlier runs")
    add_options(parser)
    return parser


def resume_parser() -> MagicParser:
    """The parser of `%joiner resume`."""
    parser = _run_parser("%joiner resume", "Go on with the last run where it was stopped.")
    parser.add_argument("--timeout", type=float, metavar="N", help="seconds from now")
    return parser


def show_parser() -> MagicParser:
    """The parser of `%joiner show`."""
    parser = MagicParser("%joiner show", "Look at the last run.")
    parser.add_argument("view", metavar="|".join(VIEWS), help="from which side")
    parser.add_argument("-o", dest="output", metavar="NAME", help="put the view in this variable too")
    return parser


def _run_parser(magic: str, description: str) -> MagicParser:
    """A parser with the options of everything that starts a run or goes on with one."""
    parser = MagicParser(magic, description)
    parser.add_argument("-o", dest="output", metavar="NAME", help="put the result in this variable too")
    parser.add_argument("--background", action="store_true", help="return at once; other cells can run")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser
