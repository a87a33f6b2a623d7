"""A queue by which clingo's thread hands programs over to the thread that asked for them.

clingo calls back for each answer set, in a thread of its own. Programs are handed over in chunks of a fixed number,
which costs no more than reading answer sets one by one, and leaves the asking thread free to notice `stop`.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import suppress

import clingo

from joiner_magic.logic.programs import Program
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.solver_thread import SolverThread

_CHUNK = 1000  # answer sets; by number and not by time, so that every run sees the same chunks
POLL = 0.1  # seconds between two looks at `stop`


class ProgramQueue:
    """Programs in chunks, from clingo's thread to the caller's; at most two chunks wait to be read."""

    def __init__(self) -> None:
        self._chunk: list[Program] = []
        self._chunks: queue.Queue[list[Program] | None] = queue.Queue(maxsize=2)
        self._open = True

    def put(self, program: Program) -> bool:
        """Add a program: called in clingo's thread for each answer set. False asks clingo to stop."""
        self._chunk.append(program)
        if len(self._chunk) == _CHUNK:
            self._hand_over(self._chunk)
            self._chunk = []
        return self._open

    def finish(self, _result: clingo.SolveResult) -> None:
        """Hand over the last chunk: called in clingo's thread when there are no more answer sets."""
        self._hand_over(self._chunk)
        self._hand_over(None)

    def close(self) -> None:
        """No more chunks will be read: clingo need not wait for that."""
        self._open = False

    def chunks(self, solving: SolverThread[bool], stop: Stop) -> Iterator[list[Program]]:
        """All chunks, until the solving is done or has failed. Raises Interrupted when `stop` returns True."""
        while not (solving.done and self._chunks.empty()):
            if stop():
                raise Interrupted
            with suppress(queue.Empty):
                chunk = self._chunks.get(timeout=POLL)
                if chunk is None:
                    return
                yield chunk

    def _hand_over(self, chunk: list[Program] | None) -> None:
        """Wait until there is room for the chunk, or until nobody reads any more."""
        handed_over = False
        while self._open and not handed_over:
            with suppress(queue.Full):
                self._chunks.put(chunk, timeout=POLL)
                handed_over = True
