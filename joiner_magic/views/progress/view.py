"""The progress view: how far a run is, what became of the programs of each size, how the best hypothesis came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from joiner_magic.logic.programs import Program
from joiner_magic.logic.render import render_rule
from joiner_magic.questions.naming import Naming
from joiner_magic.questions.rule_ids import rule_ids_of
from joiner_magic.search.fate import UNTESTED, Fate
from joiner_magic.search.running.ledger import DOING
from joiner_magic.task.notes import counted
from joiner_magic.views.graphs import quoted
from joiner_magic.views.markup import Html, block, joined, line, more, quiet, table, text
from joiner_magic.views.progress import layout
from joiner_magic.views.progress.picture import picture
from joiner_magic.views.view import Scene, View

if TYPE_CHECKING:
    from joiner_magic.search.running.progress import Improvement, Progress
    from joiner_magic.sessions.runs import Run

State = Literal["running", "finished", "stopped", "failed"]

_MOST_RULES = 6
_MOST_LETTERS = 600  # of a rule
_MOST_ROWS = 16  # of the table, the last ones


class ProgressView(View):
    """Columns of tested programs by size, the best hypothesis over time, and the time that each stage took."""

    name: ClassVar[str] = "progress"
    title: ClassVar[str] = "Progress"
    twin_order: ClassVar[int] = 4
    questions: ClassVar[frozenset[str]] = frozenset({"stop"})

    def __init__(self, run: Run, *, waited_for: bool = False) -> None:
        """`waited_for` says that a cell waits for the run.

        The result is then shown below the panel, and until then no click in the panel reaches Python.
        """
        super().__init__(run)
        self.waited_for = waited_for
        self.blocked = waited_for
        # The best hypothesis when it was last looked at, and its rules as texts.
        self._rules_of: tuple[Improvement | None, list[str]] = (None, [])

    @property
    def state(self) -> State:
        """Whether the run is going on, and how it ended; "stopped" means that it can be resumed."""
        if self.run.can_go_on:
            return "stopped"
        return self.run.state

    @property
    def line(self) -> str:
        """How the run went in one line, without its result."""
        run = self.run
        if run.reused and not run.progress.sizes:  # nothing was searched
            return f"{run.name}: {run.reused}"
        return "; ".join(filter(None, [f"{run.name}: {run.progress}", run.reused]))

    @property
    def _searched(self) -> Progress:
        """The progress of the search that the run shows: its own, or that of the run that it has taken over."""
        return self.run.shown.progress

    @property
    def changes(self) -> object:
        """A value that changes whenever a new scene would show something new, besides the time that passes."""
        progress = self.run.progress
        known = progress.begun, progress.bounds, progress.improvements
        return self.state, self.blocked, progress.stage, *known

    def stop(self) -> Scene:
        """Stop the run soon; the best hypothesis so far is kept."""
        self.run.stop()
        self.run.has_ended()
        return self.scene()

    def scene(self) -> Scene:
        """What the browser draws: numbers, charts and the best hypothesis. It is sent again whenever something changes."""
        progress, state = self.run.progress, self.state
        searched = self._searched
        sizes = searched.begun
        return {
            "state": state,
            "doing": self._doing(state),
            "stage": progress.stage,
            "line": self.line,
            "size": progress.size,
            "seconds": progress.seconds,
            "whence": self.run.whence,
            "tiles": self._tiles(),
            "remark": self._remark(),
            "can_stop": state == "running" and not self.blocked,
            "columns": [_column(column) for column in layout.columns(sizes)],
            "ticks": _for_json(layout.ticks(sizes)),
            "legend": _for_json(layout.legend(sizes)),
            "history": _for_json(layout.history(searched)),
            "until": searched.seconds,
            "spent": [[each.stage, round(each.seconds, 2)] for each in layout.stage_times(searched)],
            "best": self._best(),
        }

    def _tiles(self) -> list[list[str]]:
        """The numbers above the charts, with their titles."""
        searched = self._searched
        return [
            ["size", self._size()],
            ["programs tested", f"{sum(size.tested for size in searched.begun):,}"],
            ["pruned", f"{searched.pruned:,}"],
            ["best so far", self._best_in_short()],
        ]

    def _size(self) -> str:
        """The size being searched, and the largest one."""
        progress = self._searched
        if progress.size > progress.largest:
            return f"{progress.size}, joined"  # no program is so large
        if not progress.size:
            return ""
        return f"{progress.size} of {progress.largest}"

    def _doing(self, state: State) -> str:
        """What the run is doing now, in a word; after its end, how it ended."""
        if state != "running":
            return state
        progress = self.run.progress
        if progress.stage == "generate" and progress.source == "native":
            return "generating and testing"  # in one go
        return DOING.get(progress.stage, "starting")

    def _remark(self) -> str:
        """How long this size will take; after the run, why it has ended."""
        if self.state == "running":
            return _rest_in_words(self.run.progress.rest)
        said = self.run.failure or self.run.reused
        if not said and self.run.result:
            said = self.run.result.why
        return "; ".join(filter(None, [said, self._origin()]))

    def _best_in_short(self) -> str:
        """The size or the cost of the best solution so far, or how much of the examples the best hypothesis covers."""
        progress = self.run.progress
        if progress.best is None:
            return ""
        hypothesis = progress.best.hypothesis
        if progress.cost_in_words:
            return progress.cost_in_words
        if progress.best.solution:
            return counted(hypothesis.size, "literal")
        return f"{hypothesis.evaluation.pos.bit_count() / max(progress.positives, 1):.0%} covered"

    def _best(self) -> dict[str, Any]:
        """The best hypothesis for the browser; without its rules if the result is shown below the panel."""
        if self.waited_for and self.run.result is not None:
            return {"text": self._best_in_words(), "rules": [], "names": [], "ids": [], "told_below": True}
        names: list[str] = []
        ids: list[str] = []
        naming, rule_ids, record = Naming(self.run.task.bias), rule_ids_of(self.run), self.run.record
        for program in self._selectable():
            name = naming(program)
            names.append(name)
            ids.append(str(rule_ids.of_program(program, name, record)))
        return {
            "text": self._best_in_words(),
            "rules": self._rules(),
            "names": names,
            "ids": ids,
            "told_below": False,
        }

    def _selectable(self) -> list[Program]:
        """The rules of the best hypothesis, if they can be selected.

        While the run goes on, time is precious, and there is no other view in which rules could be selected.
        """
        best = self.run.progress.best
        if best is None or self.state == "running":
            return []
        return [Program((rule,)) for rule in best.hypothesis.program.rules[:_MOST_RULES]]

    def _best_in_words(self) -> str:
        """How large the best hypothesis is, what it covers, and when it was found."""
        progress = self.run.progress
        best = progress.best
        if best is None:
            return self._nothing_found()
        covered = best.hypothesis.evaluation.pos.bit_count()
        rules = len(best.hypothesis.program.rules)
        size = f"{counted(rules, 'rule')}, {counted(best.hypothesis.size, 'literal')}"
        if progress.cost_in_words:
            size += f", {progress.cost_in_words}"
        examples = f"{covered:,} of {progress.positives:,} positive"
        if not progress.objective.is_exact:
            wrong = (best.hypothesis.evaluation.neg or 0).bit_count()
            examples += f" and {wrong:,} of {progress.negatives:,} negative"
        return f"{size}, covering {examples} examples after {best.seconds:.1f} s"

    def _nothing_found(self) -> str:
        """The words for a run without any hypothesis."""
        if self.state == "running":
            return "nothing found yet"
        return "nothing found"

    def to_svg(self) -> str:
        """The columns by size, the best hypothesis over time, and the time by stage."""
        return picture(self._searched, self._line_and_origin(), self._best_in_words(), self._rules())

    def _line_and_origin(self) -> str:
        """How the run went in one line, and from which run the picture comes if it is another."""
        return "; ".join(filter(None, [self.line, self._origin()]))

    def _origin(self) -> str:
        """From which other run the picture comes; empty if it shows the run's own search."""
        if not self.run.whence:
            return ""
        return f"shown {self.run.whence}"

    @property
    def summary(self) -> str:
        """How far the search is, in a sentence."""
        return "; ".join(filter(None, [self.run.whence, str(self._searched)]))

    def to_dot(self) -> str:
        """A graph of the sizes one after the other."""
        sizes = self._searched.begun
        title = quoted(self._line_and_origin())
        lines = [
            "digraph {",
            f"label={title}; rankdir=LR; fontname=Helvetica; node [shape=box, style=rounded, fontname=Helvetica];",
        ]
        for size in sizes:
            label = quoted(f"size {size.size}: {size.tested:,} tested")
            lines.append(f"{size.size} [label={label}];")
        for one, other in pairwise(sizes):
            lines.append(f"{one.size} -> {other.size};")
        return "\n".join([*lines, "}"])

    def to_text(self) -> str:
        """How the run went, and what became of the programs of each size."""
        return "\n".join([self._line_and_origin(), *self._lines()])

    def _lines(self) -> Iterator[str]:
        """A line for each size, and one for the time that each stage took."""
        for column in layout.columns(self._searched.begun):
            size = f"size {column.size}: {column.tested:,} tested"
            if not column.done:
                size += " so far"
            bands = ", ".join(f"{band.number:,} {band.word}" for band in column.bands)
            yield ": ".join(filter(None, [size, bands]))
        yield f"seconds: {self._stage_times()}"

    def _stage_times(self) -> str:
        """How many seconds each stage took, in one line."""
        return ", ".join(f"{each.stage} {each.seconds:.2f}" for each in layout.stage_times(self._searched))

    def to_table(self) -> Html:
        """The best hypothesis, and what became of the programs of each size."""
        begun = self._searched.begun
        words = [word for word, number in layout.legend(begun) if number]
        titles = ["size", "tested", *words, *(f"not tested: {word}" for word in UNTESTED)]
        rows = [_table_row(column, words) for column in layout.columns(begun)[-_MOST_ROWS:]]
        parts = [quiet(text(self.run.whence)), line(text(self._best_in_words()))]
        if rules := self._rules():
            parts.append(block("\n".join(rules)))
        parts.append(table(titles, rows, left=()))
        parts.append(quiet(text(more(len(rows), len(begun), "sizes before"))))
        spent = self._stage_times()
        parts.append(quiet(text(spent and f"seconds: {spent}")))
        return joined(parts)

    def _rules(self) -> list[str]:
        """The rules of the best hypothesis as texts, rendered once for each hypothesis."""
        best = self.run.progress.best
        if best is not self._rules_of[0]:
            shown: list[str] = []
            if best:
                rules = best.hypothesis.program.rules
                shown += [_cut(render_rule(rule)) for rule in rules[:_MOST_RULES]]
                shown += filter(None, [more(_MOST_RULES, len(rules), "rules")])
            self._rules_of = best, shown
        return self._rules_of[1]


def _table_row(column: layout.SizeColumn, words: Sequence[Fate]) -> list[Html]:
    """The numbers of one size: all tested programs, those that met each of these fates, and those that were not tested."""
    numbers = {band.word: band.number for band in column.bands}
    met = [numbers.get(word, 0) for word in words]
    untested = [column.untested.get(word, 0) for word in UNTESTED]
    return [text(f"{number:,}") for number in (column.size, column.tested, *met, *untested)]


def _for_json(value: Any) -> Any:
    """A value for JSON, in few letters: numbers are rounded to a tenth of a pixel."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _for_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (list, tuple)):
        return [_for_json(each) for each in value]
    if isinstance(value, float):
        return round(value, 1)
    return value


def _column(column: layout.SizeColumn) -> Scene:
    """A column for the browser: what is drawn, and its numbers in words."""
    bands = [[band.word, _for_json(band.y), _for_json(band.height), band.signed] for band in column.bands]
    return {
        "size": column.size,
        "done": column.done,
        "x": _for_json(column.x),
        "width": _for_json(column.width),
        "bands": bands,
        "told": _column_lines(column),
    }


def _column_lines(column: layout.SizeColumn) -> list[str]:
    """What the browser shows when a person points at a column."""
    size = f"size {column.size}"
    if not column.done:
        size += ", so far"
    fates = [f"{band.number:,} {band.word}" for band in column.bands]
    untested = [f"not tested: {number:,} {word}" for word, number in column.untested.items()]
    return [f"{size}: {column.tested:,} tested", *fates, *untested]


def _cut(rule: str) -> str:
    """The beginning of a rule that is too long."""
    if len(rule) <= _MOST_LETTERS:
        return rule
    return f"{rule[: _MOST_LETTERS - 1]}…"


def _rest_in_words(seconds: float | None) -> str:
    """How long the search of this size will still take, in words; empty if that is not known."""
    if seconds is None:
        return ""
    return f"{_in_words(seconds)} left for this size"


def _in_words(seconds: float) -> str:
    """A number of seconds in words, roughly."""
    if seconds < 1:
        return "under a second"
    if seconds < 90:
        return f"about {seconds:.0f} s"
    if seconds < 5400:
        return f"about {seconds / 60:.0f} min"
    return f"about {seconds / 3600:.0f} h"
