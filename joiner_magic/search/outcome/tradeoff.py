"""Size against errors: the best known hypothesis for each number of literals, to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from joiner_magic.errors import TaskError
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.render import render_program, render_rule
from joiner_magic.logic.terms import Term
from joiner_magic.search.objective import Price
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.outcome.prediction import predict, score
from joiner_magic.task.notes import counted
from joiner_magic.task.task import Task

if TYPE_CHECKING:
    from joiner_magic.search.outcome.result import Result

_WIDTH = 110  # of the table as text
_ROWS = 20  # points that the table shows
_RULES = 2  # rules that it shows of a point
TITLES = ("literals", "missed", "wrong", "cost")


@dataclass(frozen=True, slots=True)
class TradeoffPoint:
    """The best known hypothesis with so many literals. All smaller ones that are known make dearer errors."""

    size: int  # literals
    confusion: Confusion  # on the training examples
    price: Price | None  # what its errors cost by the objective, in literals; None if they are not allowed
    cost: Price | None  # its size and the price of its errors; None if they are not allowed
    hypothesis: Program | None  # None without a rule
    is_result: bool = False  # whether it is the hypothesis of the result
    _of: Result | None = field(default=None, repr=False, compare=False)

    @property
    def missed(self) -> int:
        """How many positive examples it does not cover."""
        return self.confusion.fn

    @property
    def wrong(self) -> int:
        """How many negative examples it covers."""
        return self.confusion.fp

    @property
    def rules(self) -> list[str]:
        """The rules of the hypothesis as text."""
        if not self.hypothesis:
            return []
        return [render_rule(rule) for rule in self.hypothesis.rules]

    def to_prolog(self) -> str:
        """The hypothesis as Prolog text."""
        if not self.hypothesis:
            return ""
        return render_program(self.hypothesis)

    def predict(self, atoms: Iterable[Term | str]) -> list[bool]:
        """For each atom whether this hypothesis covers it, on the task's background knowledge."""
        return predict(self._as_result(), atoms)

    def score(self, examples: str | Task) -> Confusion:
        """How this hypothesis does on other examples: a text of them, or a task with its own background."""
        return score(self._as_result(), examples)

    def __str__(self) -> str:
        cost = ""
        if self.cost is not None:
            cost = f", cost {self.cost}"
        rules = [f"  {rule}" for rule in self.rules] or ["  (no rule)"]
        return "\n".join([f"{counted(self.size, 'literal')}{cost}: {self.confusion}", *rules])

    def _as_result(self) -> Result:
        """The result of its run, with this hypothesis."""
        assert self._of is not None, "it belongs to a trade-off"
        return replace(self._of, hypothesis=self.hypothesis)


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """The best known hypothesis for each number of literals, from no rule at all to the largest that was of use. It is made of
    the rules that the run has kept. None of it is proven: for a size there may be a better hypothesis. Each point makes
    strictly cheaper errors than all smaller ones. `tradeoff[5]` is the best with at most 5 literals.
    """

    points: tuple[TradeoffPoint, ...]  # by their size
    note: str = ""  # what is missing, if anything is
    near: tuple[Evaluation, ...] = field(default=(), repr=False)  # what the cheapest few hypotheses cover

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[TradeoffPoint]:
        return iter(self.points)

    def __getitem__(self, literals: int) -> TradeoffPoint:
        if isinstance(literals, bool) or not isinstance(literals, int) or literals < 0:
            raise TaskError(
                f"{literals!a} is no number of literals", remedy="give the most literals that it may have"
            )
        return [point for point in self.points if point.size <= literals][-1]

    def to_svg(self) -> str:
        """A small picture of errors by size, as SVG."""
        from joiner_magic.search.outcome.tradeoff_plot import plot_tradeoff

        return plot_tradeoff(self.points)

    def shown(self, rows: int = _ROWS) -> tuple[Sequence[TradeoffPoint], int]:
        """At most so many points for a table, and how many are left out; that of the result is always among them."""
        shown = list(self.points[:rows])
        result = next((point for point in self.points[rows:] if point.is_result), None)
        if result is not None:
            shown[-1] = result
        return shown, len(self.points) - len(shown)

    def text(self, rows: int = _ROWS) -> str:
        """A table of at most so many points."""
        shown, left = self.shown(rows)
        table = [TITLES, *map(row_texts, shown)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [f"{_in_columns(TITLES, widths)}  rules"]
        for point, row in zip(shown, table[1:], strict=True):
            indent = " " * len(_in_columns(row, widths))
            first, *others = rules_shown(point)
            lines.append(_cut(f"{_in_columns(row, widths)}  {first}"))
            lines += [_cut(f"{indent}  {rule}") for rule in others]
        if left:
            lines.append(f"… and {counted(left, 'more point')}")
        return "\n".join([*lines, self.remark])

    @property
    def remark(self) -> str:
        """What is to be said below a table."""
        said = "the best known of each size, not proven"
        if any(point.is_result for point in self.points):
            said += "; * is the result"
        if not self.note:
            return said
        return f"{said}; {self.note}"

    def __str__(self) -> str:
        return self.text()


def row_texts(point: TradeoffPoint) -> tuple[str, ...]:
    """The numbers of a point as texts, one for each of `TITLES`."""
    star = "* " if point.is_result else ""
    cost = "–" if point.cost is None else str(point.cost)
    return f"{star}{point.size}", f"{point.missed:,}", f"{point.wrong:,}", cost


def rules_shown(point: TradeoffPoint, most: int = _RULES) -> list[str]:
    """The first rules of a point, and how many more there are; a dash without a rule."""
    rules = point.rules
    if not rules:
        return ["–"]
    if len(rules) <= most:
        return rules
    return [*rules[:most], f"… and {counted(len(rules) - most, 'more rule')}"]


def _in_columns(row: Sequence[str], widths: Sequence[int]) -> str:
    """The numbers of a row, aligned to the right."""
    return "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))


def _cut(line: str) -> str:
    """The beginning of a line that is too long for the table."""
    if len(line) <= _WIDTH:
        return line
    return f"{line[: _WIDTH - 1]}…"
