"""Calls of an engine that end when somebody says so: for those who cannot ask between two of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from joiner_magic.engines.protocol import Engine
from joiner_magic.solvers.interrupt import Stop

_MOMENT = 0.1  # seconds between two looks at whether a call is to be cancelled


@contextmanager
def cancel_on_stop(engines: Sequence[Engine], stop: Stop) -> Iterator[None]:
    """Meanwhile calls of the engines are cancelled that are still running when `stop` says so."""
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
