"""The linear program of `cheapest_rules` as the solver HiGHS has it: variables, rows, and solutions in floats.

This is the one module that knows HiGHS, apart from the small programs with which `cuts` looks for rows. It loads NumPy and
HiGHS, which takes a while, so it is imported when a program is begun, not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import highspy
import numpy as np

from joiner_magic.solvers.dual_bounds import WHOLE
from joiner_magic.solvers.interrupt import Stop, go_on

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLICE = 0.25  # seconds that the solver works before it asks whether to stop
LINK = -1  # the example of a row that is about none


@dataclass(slots=True)
class Row:
    """An inequality in whole numbers: the sum of the coefficients times the variables is at least `least`."""

    example: int  # the group of positive examples that it is about, or LINK
    weights: dict[int, int]  # of a cut, by group of negative examples
    columns: NDArray[np.int32]  # the numbers of its variables
    entries: NDArray[np.int64]  # their coefficients, by place in `columns`
    least: int

    @property
    def scale(self) -> int:
        """What stands for 1 in its entries."""
        return 1 if self.least <= 1 else WHOLE

    def extend(self, columns: NDArray[np.int32], entries: NDArray[np.int64]) -> None:
        """More variables, with their coefficients."""
        self.columns = np.concatenate([self.columns, columns])
        self.entries = np.concatenate([self.entries, entries])


class LinearProgram:
    """Variables between 0 and 1 with their costs, and rows that hold for them."""

    def __init__(self, *, is_open: bool) -> None:
        """A program without anything. In an open one, variables have no upper limit: that would have a dual of its own, which
        says nothing about rules that are added later.
        """
        self.rows: list[Row] = []
        self._most = np.inf if is_open else 1.0
        self._model = new_model()

    def add_columns(self, costs: Sequence[int]) -> None:
        """More variables, which are in no row yet, by what they cost."""
        count = len(costs)
        no_rows, no_entries = np.array([], dtype=np.int32), np.array([], dtype=np.float64)
        self._model.addCols(
            count,
            np.array(costs, dtype=np.float64),
            np.zeros(count),
            np.full(count, self._most),
            0,
            no_rows,
            no_rows,
            no_entries,
        )

    def add_rows(self, new: Sequence[Row]) -> int:
        """Hand new rows over to the solver, all at once; how many they were."""
        if not new:
            return 0
        self.rows += new
        least = np.array([row.least / row.scale for row in new])
        lengths = np.array([len(row.columns) for row in new])
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int32)
        columns = np.concatenate([row.columns for row in new])
        values = np.concatenate([row.entries / row.scale for row in new])
        self._model.addRows(len(new), least, np.full(len(new), np.inf), len(columns), starts, columns, values)
        return len(new)

    def extend_row(self, number: int, columns: NDArray[np.int32], entries: NDArray[np.int64]) -> None:
        """Take more variables into a row, with their coefficients."""
        row = self.rows[number]
        for column, entry in zip(columns.tolist(), entries.tolist(), strict=True):
            self._model.changeCoeff(number, column, entry / row.scale)
        row.extend(columns, entries)

    def drop_idle_cuts(self) -> None:
        """Forget the cuts without which the last solution would be the same; they are found again if they are needed."""
        idle = [
            number
            for number, (row, dual) in enumerate(zip(self.rows, self.duals(), strict=False))
            if row.weights and dual <= 0
        ]
        if idle:
            self._model.deleteRows(len(idle), np.array(idle, dtype=np.int32))
            dropped = set(idle)
            self.rows = [row for number, row in enumerate(self.rows) if number not in dropped]

    def limit(self, column: int, low: int, high: int) -> None:
        """Keep a variable between these, from now on."""
        self._model.changeColBounds(column, low, high)

    def run(self, stop: Stop) -> bool:
        """Solve the program as it is; False if it has no solution, which is so only where rules are fixed."""
        status = highspy.HighsModelStatus
        while True:
            go_on(stop)
            self._model.setOptionValue("time_limit", self._model.getRunTime() + SLICE)
            self._model.run()
            found = self._model.getModelStatus()
            if found == status.kOptimal:
                return True
            if found != status.kTimeLimit:
                return False

    def solution(self) -> tuple[NDArray[np.float64], Sequence[float]]:
        """The last solution: the values of the variables, and the duals of the rows."""
        solution = self._model.getSolution()
        return np.array(solution.col_value), solution.row_dual

    def duals(self) -> Sequence[float]:
        """The duals of the rows in the last solution."""
        duals: Sequence[float] = self._model.getSolution().row_dual
        return duals


def new_model() -> Any:
    """A linear program without anything, whose solver works silently in this thread."""
    model = highspy.Highs()  # type: ignore[no-untyped-call]
    model.setOptionValue("output_flag", False)
    model.setOptionValue("threads", 1)
    return model
