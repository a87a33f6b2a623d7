"""What is chosen among the rules and examples of a run. All views of the run share it, and so does Python."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run


@dataclass(frozen=True, slots=True)
class SelectedItems:
    rules: tuple[str, ...] = ()  # as `Naming` writes them
    examples: tuple[str, ...] = ()


Watcher: TypeAlias = Callable[[SelectedItems], None]


class Selection:
    def __init__(self) -> None:
        self._now = SelectedItems()
        self._watchers: list[weakref.WeakMethod[Watcher]] = []

    @property
    def now(self) -> SelectedItems:
        return self._now

    def choose(self, rules: Iterable[str] | None = None, examples: Iterable[str] | None = None) -> None:
        """These and no others; what is not given stays chosen. Whoever watches is told, if anything changes."""
        chosen = SelectedItems(
            self._now.rules if rules is None else tuple(rules),
            self._now.examples if examples is None else tuple(examples),
        )
        if chosen != self._now:
            self._now = chosen
            for watcher in self._alive():
                watcher(chosen)

    def watch(self, watcher: Watcher) -> None:
        """A method; it is forgotten with its object, so that closed views are not told any more."""
        self._watchers.append(weakref.WeakMethod(watcher))

    def _alive(self) -> list[Watcher]:
        found = [(reference, watcher) for reference in self._watchers if (watcher := reference()) is not None]
        self._watchers = [reference for reference, _ in found]
        return [watcher for _, watcher in found]


_of_runs: weakref.WeakKeyDictionary[Run, Selection] = weakref.WeakKeyDictionary()


def selection_of(run: Run) -> Selection:
    return _of_runs.setdefault(run, Selection())
