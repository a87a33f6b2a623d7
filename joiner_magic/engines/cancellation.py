"""Cancel calls of engines when `stop` returns True, by a thread that watches.

A call of an engine may take long, and its caller cannot ask `stop` meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from joiner_magic.engines.protocol import Engine
from joiner_magic.solvers.interrupt import Stop

_MOMENT = 0.1  # seconds between two questions to `stop`


@contextmanager
def cancel_on_stop(engines: Sequence[Engine], stop: Stop) -> Iterator[None]:
    """Inside the `with` block, calls of the engines are cancelled as soon as `stop` returns True."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_MOMENT):
            if stop():
                for engine in engines:
                    engine.cancel()

    watcher = threading.Thread(target=watch, name="joiner-budget", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
