"""Runs side by side, to see what a change of the bias, the examples or the options did.

The size of a hypothesis space is not known before it is searched. What is known of it is shown: the bounds of the bias,
and how many programs were generated, including those that came twice or were left out without a test.

Where errors have a price, each run has the cost of its hypothesis at its own prices. Costs at different prices cannot be
compared, so the numbers of errors stand beside them: these mean the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from joiner_magic.search.fate import untested_of
from joiner_magic.search.objective import Price, price_text
from joiner_magic.sessions.changes import changes

if TYPE_CHECKING:
    from pandas import DataFrame

    from joiner_magic.search.outcome.result import Result
    from joiner_magic.sessions.runs import Run

WIDTH = 110  # of the table as text


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One run as a row of numbers; a number that the run does not have is None."""

    run: int
    change: str  # against the run before
    reused: str
    status: str  # of the result, or "running", "failed"
    size: int | None
    prices: str  # of errors, in words; empty where no error is allowed
    cost: Price | None  # of the hypothesis, at these prices: without errors its size
    bound: Price | None  # what every hypothesis costs at least, as far as it is proven
    missed: int | None  # positive examples that the hypothesis does not cover
    wrong: int | None  # negative examples that it covers
    train_accuracy: float | None
    test_accuracy: float | None
    test_balanced_accuracy: float | None
    body_predicates: int
    max_vars: int
    max_body: int
    largest: int  # no generated program has more literals
    generated: int  # programs, with those that were left out before any test
    tested: int
    pruned: int
    seconds: float
    first_solution_seconds: float | None

    @classmethod
    def of(cls, run: Run, before: Run | None) -> ComparedRun:
        """The row of a run; `before` is the run that it is compared with, None for the first one."""
        progress, bias = run.progress, run.task.bias
        untested = sum(untested_of(progress.fates).values())
        row = cls(
            run=run.number,
            change=_change(before, run),
            reused=run.reused,
            status=run.state,
            size=None,
            prices=_prices(run),
            cost=None,
            bound=progress.bound,
            missed=None,
            wrong=None,
            train_accuracy=None,
            test_accuracy=None,
            test_balanced_accuracy=None,
            body_predicates=len(bias.body),
            max_vars=bias.max_vars,
            max_body=bias.max_body,
            largest=progress.largest,
            generated=progress.tested + untested,
            tested=progress.tested,
            pruned=progress.pruned,
            seconds=progress.seconds,
            first_solution_seconds=None,
        )
        if run.test:
            balanced = run.test.balanced_accuracy
            row = replace(row, test_accuracy=run.test.accuracy, test_balanced_accuracy=balanced)
        if run.result is None:
            return row
        return row._with_result(run.result, untested)

    def _with_result(self, result: Result, untested: int) -> ComparedRun:
        """The row of a run that has a result, with the numbers of the result."""
        status, size = self.status, None
        if status == "finished":
            status = result.status
        if result.hypothesis:
            size = result.size
        return replace(
            self,
            status=status,
            size=size,
            cost=result.cost,
            bound=result.cost if result.optimal else result.bound,
            missed=result.confusion.fn,
            wrong=result.confusion.fp,
            train_accuracy=result.confusion.accuracy,
            generated=result.counts["tested"] + untested,
            tested=result.counts["tested"],
            seconds=result.seconds,
            first_solution_seconds=result.first_solution_seconds,
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """The runs of a session side by side."""

    runs: tuple[ComparedRun, ...]  # the numbers of each run, oldest first

    @classmethod
    def of(cls, runs: Iterable[Run]) -> Comparison:
        """Compare each run with the one before it."""
        rows = []
        before: Run | None = None
        for run in runs:
            rows.append(ComparedRun.of(run, before))
            before = run
        return cls(tuple(rows))

    def rows(self) -> list[dict[str, Any]]:
        """A dictionary for each run, oldest first."""
        return [asdict(run) for run in self.runs]

    def to_frame(self) -> DataFrame:
        """A DataFrame with a row for each run."""
        from joiner_magic.sessions.data_frames import import_pandas

        columns = [field.name for field in fields(ComparedRun)]
        frame = import_pandas().DataFrame(self.rows(), columns=columns).set_index("run")
        # A run may have no size or errors, and 8 literals are not 8.0. Costs may be fractions, which pandas does not know.
        whole = dict.fromkeys(("size", "missed", "wrong"), "Int64")
        return frame.astype({**whole, "cost": "Float64", "bound": "Float64"})

    def to_svg(self) -> str:
        """A small picture of the size and the time of each run, as SVG."""
        from joiner_magic.sessions.plot import plot_runs

        return plot_runs(self.runs)

    def __str__(self) -> str:
        """A table of all runs, each below a line that says what changed."""
        if not self.runs:
            return "no runs yet"
        titles = self.titles
        rows = [titles, *map(self.row_texts, self.runs)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [_line(titles, widths)]
        for run, row in zip(self.runs, rows[1:], strict=True):
            remark = "; ".join(filter(None, [run.change, run.reused]))
            if remark:
                lines.append(_cut(f"{'':{widths[0]}}  {remark}:"))
            lines.append(_line(row, widths))
        return "\n".join(lines)

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the table's columns. Those about errors are there if a run has a price for them."""
        about_errors: tuple[str, ...] = ()
        if self._has_prices:
            about_errors = ("cost", "missed", "wrong")
        return "run", "status", "size", *about_errors, *_TITLES

    def row_texts(self, run: ComparedRun) -> tuple[str, ...]:
        """The numbers of a run as texts, one for each of `titles`."""
        about_errors: tuple[str, ...] = ()
        if self._has_prices:
            about_errors = (_cost_text(run), _optional(run.missed, "d"), _optional(run.wrong, "d"))
        return str(run.run), run.status, _optional(run.size, "d"), *about_errors, *_row_texts(run)

    @property
    def _has_prices(self) -> bool:
        """Whether errors have a price in one of the runs."""
        return any(run.prices for run in self.runs)


_TITLES = (
    "train", "test", "preds", "vars", "body", "generated", "tested", "pruned", "first s", "seconds",
)  # fmt: skip


def _row_texts(run: ComparedRun) -> tuple[str, ...]:
    """The numbers of a run as texts, one for each of `_TITLES`."""
    return (
        _optional(run.train_accuracy, ".1%"),
        _optional(run.test_accuracy, ".1%"),
        str(run.body_predicates),
        str(run.max_vars),
        str(run.max_body),
        f"{run.generated:,}",
        f"{run.tested:,}",
        f"{run.pruned:,}",
        _optional(run.first_solution_seconds, ".2f"),
        f"{run.seconds:.2f}",
    )


def _prices(run: Run) -> str:
    """The prices of errors in a run, in words; empty where no error is allowed."""
    objective = run.options.objective(run.task)
    if objective.is_exact:
        return ""
    return str(objective)


def _cost_text(run: ComparedRun) -> str:
    """What the hypothesis of a run costs; a dash if it has none."""
    if run.cost is None:
        return "–"
    return price_text(run.cost)


def _change(before: Run | None, run: Run) -> str:
    """What is different from the run before, in one line; empty for the first run."""
    if before is None:
        return ""
    return "; ".join(changes(before, run)) or "the same again"


def _optional(value: float | None, form: str) -> str:
    """A number in this form; a dash if there is none."""
    if value is None:
        return "–"
    return format(value, form)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    """One line of the table. Numbers are aligned to the right, the status to the left."""
    texts = [text.rjust(width) for text, width in zip(row, widths, strict=True)]
    texts[1] = row[1].ljust(widths[1])
    return "  ".join(texts)


def _cut(text: str) -> str:
    """The beginning of a line that is too long for the table."""
    if len(text) <= WIDTH:
        return text
    return f"{text[: WIDTH - 1]}…"
