"""Tab completion in cells with our magics.

On the line of a magic there are options and subcommands, in its body predicates, types and directives. IPython calls a
matcher with the whole cell and the place of the cursor. Where ours finds something, names of Python are not offered.
Where it finds nothing, for instance behind `--file`, IPython completes as it always does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher

from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Predicate, Symbol
from joiner_magic.notebook.commands import COMMANDS
from joiner_magic.notebook.cursor import Cursor
from joiner_magic.notebook.magic_arguments import MagicParser, words
from joiner_magic.notebook.magics import text_parser
from joiner_magic.notebook.subcommands import learn_parser
from joiner_magic.sessions.current import current
from joiner_magic.task.vocabulary import DIRECTIVES, META_LANGUAGE

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.notebook.cursor import Language
    from joiner_magic.sessions.cells import Cells
    from joiner_magic.sessions.predicates import PredicateInfo

_NAME = re.compile(r"(?<!\w)(?:[^\W\dA-Z]\w*)?$")


class Completer:
    """Finds the words that may be written where the cursor is."""

    def __init__(self) -> None:
        self._words = Words()

    def __call__(self, context: CompletionContext) -> SimpleMatcherResult:
        """The completions at the cursor, as IPython wants them."""
        cursor = Cursor.at(context.full_text, context.cursor_line, context.cursor_position)
        typed: str = ""
        known: Iterable[str] = ()
        if cursor:
            typed, known = self._at(cursor)
        found = [SimpleCompletion(text=word, type=_type(word)) for word in known if word.startswith(typed)]
        return SimpleMatcherResult(
            completions=found,
            matched_fragment=typed,
            ordered=True,
            suppress=bool(found),
            do_not_suppress=set(),
        )

    def _at(self, cursor: Cursor) -> tuple[str, Iterable[str]]:
        """The part of a word that is typed already, and all words that may stand there."""
        if not cursor.in_body:
            typed, known = _on_line(cursor)
            if known is not None:
                return typed, known
        name = _NAME.search(cursor.before)
        if name is None:
            return "", ()
        return name[0], self._words.of(cursor.language)


def _on_line(cursor: Cursor) -> tuple[str, Iterable[str] | None]:
    """The same on the line of a magic: options, their values, and subcommands; None where a text of the task stands."""
    said = words(cursor.before)
    typed = ""
    if said and not cursor.before[-1].isspace():
        typed = said.pop()
    if cursor.magic == "joiner" and not cursor.is_cell:
        return typed, _after_joiner(said, typed)
    known = _options(_parser_of(cursor), said, typed)
    if known is None and cursor.is_cell:
        known = ()
    return typed, known


def _parser_of(cursor: Cursor) -> MagicParser:
    """What reads the line of the magic in which the cursor is."""
    if cursor.kind:
        return text_parser(cursor.kind)
    return learn_parser()


def _after_joiner(said: Sequence[str], typed: str) -> Iterable[str] | None:
    """What may follow on a line of `%joiner`: a subcommand, or what that declares to take.

    Without any subcommand, options are those of `learn`. None where an atom is expected, which is text of the task.
    Where a file is expected nothing is offered here, because IPython itself completes the names of files.
    """
    if not said and not typed.startswith("-"):
        return COMMANDS
    name = "learn"
    if said and not said[0].startswith("-"):
        name = said[0]
    command = COMMANDS.get(name)
    if command is None:
        return ()
    if command.words is not None and len(said) > 1:
        return ()
    if command.words is not None:
        return command.words()
    if command.takes_atom:
        return None
    if command.own_parser is not None:
        return _options(command.parser(), said, typed) or ()
    return ()


def _options(parser: MagicParser, said: Sequence[str], typed: str) -> Iterable[str] | None:
    """The values of the option before the cursor, or all options; None where neither is expected."""
    if said:
        values = parser.values(said[-1])
        if values is not None:
            return values
    if typed.startswith("-"):
        return parser.flags
    return None


def _type(word: str) -> str:
    """The kind of a word, which front ends show beside it."""
    if word.startswith("-"):
        return "option"
    if word.endswith("("):
        return "predicate"
    return "word"


class Words:
    """The words of the current session. They are asked for at every key, so they are kept until a cell changes them."""

    def __init__(self) -> None:
        self._cells: Cells | None = None
        self._known: list[PredicateInfo] = []

    def of(self, language: Language) -> Iterator[str]:
        """The words of a language, those with arguments with their opening bracket."""
        if language == "bias":
            for usage in DIRECTIVES.values():
                name, bracket, _ = usage.partition("(")
                yield f"{name}{bracket}"
            yield from dict.fromkeys(_quoted_name(known.predicate) for known in self._predicates())
            yield from sorted(set(chain.from_iterable(known.types or () for known in self._predicates())))
            yield from sorted(map(_with_bracket, META_LANGUAGE))
            yield from ("in", "out")
        else:
            if language == "examples":
                yield from ("pos(", "neg(")
            yield from dict.fromkeys(_with_bracket(known.predicate) for known in self._predicates())

    def _predicates(self) -> list[PredicateInfo]:
        """What is known of the session's predicates, found out again only if a cell has changed them."""
        session = current()
        if self._cells is not session.cells:
            self._cells, self._known = session.cells, list(session.predicates().values())
        return self._known


def _quoted_name(predicate: Predicate) -> str:
    """The name of a predicate as Prolog writes it, in quotes if need be."""
    return render_term(Symbol(predicate.name))


def _with_bracket(predicate: Predicate) -> str:
    """The name of a predicate, with the opening bracket if it has arguments."""
    return _quoted_name(predicate) + "(" * bool(predicate.arity)


def install(shell: InteractiveShell) -> None:
    """Add our matcher to those of the shell."""
    uninstall(shell)
    completer = Completer()

    @context_matcher(identifier=__name__)  # type: ignore[untyped-decorator]
    def matcher(context: CompletionContext) -> SimpleMatcherResult:
        return completer(context)

    shell.Completer.custom_matchers.append(matcher)


def uninstall(shell: InteractiveShell) -> None:
    """Remove our matcher from those of the shell."""
    others = [matcher for matcher in shell.Completer.custom_matchers if not _is_ours(matcher)]
    shell.Completer.custom_matchers[:] = others


def _is_ours(matcher: object) -> bool:
    """Whether a matcher of the shell is the one that this module adds."""
    return getattr(matcher, "matcher_identifier", "") == __name__
