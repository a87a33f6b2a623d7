"""The rules and examples of a run that are selected. All views of the run share one selection, and so does Python.

So a rule that is clicked in the lattice is marked in the coverage view too, and `view.selected` has it. A panel that is closed must
not live on because it watches, so watchers are held weakly.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run


@dataclass(frozen=True, slots=True)
class SelectedItems:
    """The rules and examples that are selected at one moment, as texts."""

    rules: tuple[str, ...] = ()  # as `Naming` writes them
    examples: tuple[str, ...] = ()


Watcher: TypeAlias = Callable[[SelectedItems], None]


class Selection:
    """What is selected among the rules and examples of one run, and what is called when that changes."""

    def __init__(self) -> None:
        """A selection in which nothing is selected yet."""
        self._now = SelectedItems()
        self._watchers: list[weakref.WeakMethod[Watcher]] = []

    @property
    def now(self) -> SelectedItems:
        """What is selected at the moment."""
        return self._now

    def choose(self, rules: Iterable[str] | None = None, examples: Iterable[str] | None = None) -> None:
        """Select these rules and examples instead; None leaves them as they are. Watchers are called if anything changes."""
        chosen = self._now
        if rules is not None:
            chosen = replace(chosen, rules=tuple(rules))
        if examples is not None:
            chosen = replace(chosen, examples=tuple(examples))
        if chosen != self._now:
            self._now = chosen
            for watcher in self._present_watchers():
                watcher(chosen)

    def watch(self, watcher: Watcher) -> None:
        """Call a method whenever the selection changes. The method of an object that is gone is not called any more."""
        self._watchers.append(weakref.WeakMethod(watcher))

    def _present_watchers(self) -> list[Watcher]:
        """The watchers whose objects are still there; the others are forgotten."""
        present: list[Watcher] = []
        for reference in list(self._watchers):
            watcher = reference()
            if watcher is None:
                self._watchers.remove(reference)
            else:
                present.append(watcher)
        return present


_of_runs: weakref.WeakKeyDictionary[Run, Selection] = weakref.WeakKeyDictionary()


def selection_of(run: Run) -> Selection:
    """The one selection of a run."""
    return _of_runs.setdefault(run, Selection())
