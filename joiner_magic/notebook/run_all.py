"""Run All stops at a cell that fails, however soon it fails.

Front ends send all cells of a notebook at once, a few milliseconds apart, and the kernel leaves out what waits
behind a cell that failed: as much of it as has arrived. A cell of facts fails sooner than the next one comes, which
would then run. So a cell that failed ends no earlier than a second after its beginning, while its error is shown.
That is before the answer: a client that sends cell after cell never finds one left out. (The kernel's own
`stop_on_error_timeout` begins behind the answer, and has no effect in ipykernel 7.)
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
    """What a magic does; of an interrupt the cell tells in one line, since rendering a traceback may take a second."""
    try:
        with defer_interrupts():
            yield
    except KeyboardInterrupt as interrupt:
        interrupt._render_traceback_ = lambda: ["KeyboardInterrupt: the cell was interrupted"]  # type: ignore[attr-defined]
        raise


class Arrival:
    """The time that what was sent with a cell takes to arrive."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._over = 0.0

    @property
    def hooks(self) -> dict[str, Callable[[Any], None]]:
        """What the shell has to tell, by event."""
        return {"pre_run_cell": self.begin, "post_run_cell": self.end}

    def begin(self, _info: ExecutionInfo) -> None:
        self._over = time.monotonic() + _ARRIVAL_SECONDS

    def end(self, result: ExecutionResult | None) -> None:
        """Without a result the cell was broken off."""
        failed = result is None or not result.success
        if failed and self._others_wait_for_it():
            with suppress(KeyboardInterrupt):  # there is nothing left to interrupt
                time.sleep(self._left(result))

    def _left(self, result: ExecutionResult | None) -> float:
        left = max(0.0, self._over - time.monotonic())
        interrupted = result is not None and isinstance(result.error_in_exec, KeyboardInterrupt)
        return min(left, _INTERRUPTED_SECONDS) if interrupted else left

    def _others_wait_for_it(self) -> bool:
        """Not in a terminal, and not where the request says that the next cell runs whatever happens."""
        request: dict[str, Any] = getattr(
            self._shell, "get_parent", dict
        )()  # only shells in kernels have requests
        return bool(request) and bool(request["content"].get("stop_on_error", True))
