"""Makes "Run All" stop at a cell that fails, however soon it fails.

With "Run All" a front end sends all cells of a notebook at once, a few milliseconds apart. When a cell fails, the kernel
skips the cells that are waiting, but only those that have arrived. A cell of facts may fail before the next cell
arrives, which would then run. So a cell that has failed ends no earlier than a second after its beginning; its error is
shown meanwhile.

The delay comes before the kernel answers that the cell has ended. A client that waits for this answer before it sends
the next cell never finds a cell skipped. (The kernel's own `stop_on_error_timeout` begins after the answer, and has no
effect in ipykernel 7.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from joiner_magic.solvers.signals import defer_interrupts

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

_ARRIVAL_SECONDS = 1.0  # JupyterLab needs 0.6 s for a hundred cells on two cores
_INTERRUPTED_SECONDS = 0.3  # at most, when a person interrupted the cell: some time has passed by then


@contextmanager
def interruptible_cell() -> Iterator[None]:
    """Around what a magic does: an interrupt is shown in one line, because rendering a traceback may take a second."""
    try:
        with defer_interrupts():
            yield
    except KeyboardInterrupt as interrupt:
        interrupt._render_traceback_ = lambda: ["KeyboardInterrupt: the cell was interrupted"]  # type: ignore[attr-defined]
        raise


class FailedCellDelay:
    """Delays the end of a cell that has failed until the cells that were sent with it have arrived."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._all_arrived = 0.0

    @property
    def hooks(self) -> dict[str, Callable[[Any], None]]:
        """The functions to call at events of the shell."""
        return {"pre_run_cell": self.begin, "post_run_cell": self.end}

    def begin(self, _info: ExecutionInfo) -> None:
        """A cell begins."""
        self._all_arrived = time.monotonic() + _ARRIVAL_SECONDS

    def end(self, result: ExecutionResult | None) -> None:
        """A cell ends; without a result if it was broken off."""
        failed = result is None or not result.success
        if failed and self._others_wait_for_it():
            with suppress(KeyboardInterrupt):  # there is nothing left to interrupt
                time.sleep(self._left(result))

    def _left(self, result: ExecutionResult | None) -> float:
        """Seconds until all cells that were run together have arrived; fewer after an interrupt."""
        left = max(0.0, self._all_arrived - time.monotonic())
        if result is not None and isinstance(result.error_in_exec, KeyboardInterrupt):
            return min(left, _INTERRUPTED_SECONDS)
        return left

    def _others_wait_for_it(self) -> bool:
        """Whether other cells are skipped if this one fails: not in a terminal, and not if the request says otherwise."""
        request: dict[str, Any] = getattr(
            self._shell, "get_parent", dict
        )()  # only shells in kernels have requests
        return bool(request) and bool(request["content"].get("stop_on_error", True))
