"""Tab completion in our cells: options and subcommands on a magic's line; predicates, types and directives below it.

IPython asks a matcher with the whole cell and the cursor. Where ours has an answer, Python names are left out; where
it has none, such as behind `--file`, IPython completes as ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher

from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Predicate, Symbol
from joiner_magic.notebook.cursor import Cursor
from joiner_magic.sessions.current import current
from joiner_magic.task.directives import DIRECTIVES, META_LANGUAGE

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
        found = [SimpleCompletion(text=word, type="joiner") for word in known if word.startswith(typed)]
        return SimpleMatcherResult(
            completions=found,
            matched_fragment=typed,
            ordered=True,
            suppress=bool(found),
            do_not_suppress=set(),
        )

    def _at(self, cursor: Cursor) -> tuple[str, Iterable[str]]:
        """What is typed of a word already, and the words it may become."""
        name = _NAME.search(cursor.before)
        return (name[0], self._words.of(cursor.language)) if name else ("", ())


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
