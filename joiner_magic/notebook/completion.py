"""Tab completion in our cells: options and subcommands on a magic's line; predicates, types and directives below it.

IPython asks a matcher with the whole cell and the cursor. Where ours has an answer, Python names are left out; where
it has none, such as behind `--file`, IPython completes as ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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
    """What may be written where the cursor is."""

    def __init__(self) -> None:
        self._words = Words()

    def __call__(self, context: CompletionContext) -> SimpleMatcherResult:
        cursor = Cursor.at(context.full_text, context.cursor_line, context.cursor_position)
        typed, known = self._at(cursor) if cursor else ("", ())
        found = [SimpleCompletion(text=word, type=_type(word)) for word in known if word.startswith(typed)]
        return SimpleMatcherResult(
            completions=found,
            matched_fragment=typed,
            ordered=True,
            suppress=bool(found),
            do_not_suppress=set(),
        )

    def _at(self, cursor: Cursor) -> tuple[str, Iterable[str]]:
        """What is typed of a word already, and the words it may become."""
        typed, known = ("", None) if cursor.in_body else _on_line(cursor)
        if known is not None:
            return typed, known
        name = _NAME.search(cursor.before)
        return (name[0], self._words.of(cursor.language)) if name else ("", ())


def _on_line(cursor: Cursor) -> tuple[str, Iterable[str] | None]:
    """The same for what is no text of the task: options and their values, subcommands and their arguments."""
    said = words(cursor.before)
    typed = said.pop() if said and not cursor.before[-1].isspace() else ""
    if cursor.magic == "joiner" and not cursor.is_cell:
        return typed, _after_joiner(said, typed)
    known = _options(text_parser(cursor.kind) if cursor.kind else learn_parser(), said, typed)
    return typed, () if known is None and cursor.is_cell else known


def _after_joiner(said: Sequence[str], typed: str) -> Iterable[str] | None:
    """What may follow on a line of `%joiner`: a subcommand, or what that declares to take.

    Without any subcommand, options are those of `learn`. None where an atom is expected, which is text of the task.
    Where a file is expected nothing is offered here, because IPython itself completes the names of files.
    """
    if not said and not typed.startswith("-"):
        return COMMANDS
    name = said[0] if said else "learn"
    command = COMMANDS.get("learn" if name.startswith("-") else name)
    if command is None:
        return ()
    if command.words is not None:
        return command.words() if len(said) == 1 else ()
    if command.takes_atom:
        return None
    if command.own_parser is not None:
        return _options(command.parser(), said, typed) or ()
    return ()


def _options(parser: MagicParser, said: Sequence[str], typed: str) -> Iterable[str] | None:
    """The values of the option that was said last, or all options; None where neither is expected."""
    values = parser.values(said[-1]) if said else None
    if values is not None:
        return values
    return parser.flags if typed.startswith("-") else None


def _type(word: str) -> str:
    """What front ends show next to a word."""
    if word.startswith("-"):
        return "option"
    return "predicate" if word.endswith("(") else "word"


class Words:
    """Of the current session. Asked with every key, so they are kept until another cell has spoken."""

    def __init__(self) -> None:
        self._cells: Cells | None = None
        self._known: list[PredicateInfo] = []

    def of(self, language: Language) -> Iterator[str]:
        """As they are written: with the bracket that opens the arguments."""
        if language == "bias":
            yield from (usage.partition("(")[0] + "(" * ("(" in usage) for usage in DIRECTIVES.values())
            yield from dict.fromkeys(_written(known.predicate) for known in self._predicates())
            yield from sorted({kind for known in self._predicates() for kind in known.types or ()})
            yield from sorted(map(_opened, META_LANGUAGE))
            yield from ("in", "out")
        else:
            yield from ("pos(", "neg(") if language == "examples" else ()
            yield from dict.fromkeys(_opened(known.predicate) for known in self._predicates())

    def _predicates(self) -> list[PredicateInfo]:
        session = current()
        if self._cells is not session.cells:
            self._cells, self._known = session.cells, list(session.predicates().values())
        return self._known


def _written(predicate: Predicate) -> str:
    return render_term(Symbol(predicate.name))


def _opened(predicate: Predicate) -> str:
    return _written(predicate) + "(" * bool(predicate.arity)


def install(shell: InteractiveShell) -> None:
    """Let the shell ask us too."""
    uninstall(shell)
    completer = Completer()

    @context_matcher(identifier=__name__)  # type: ignore[untyped-decorator]
    def matcher(context: CompletionContext) -> SimpleMatcherResult:
        return completer(context)

    shell.Completer.custom_matchers.append(matcher)


def uninstall(shell: InteractiveShell) -> None:
    others = [matcher for matcher in shell.Completer.custom_matchers if not _is_ours(matcher)]
    shell.Completer.custom_matchers[:] = others


def _is_ours(matcher: object) -> bool:
    return getattr(matcher, "matcher_identifier", "") == __name__
