"""The worker: a process that holds one task in SWI-Prolog and answers about it.

Requests come as frames on the standard input, answers leave as frames on the standard output.
Prolog gets neither: its own input is empty, and what it prints goes to the standard error.
A thread keeps listening while Prolog runs, so when the other end is gone, whatever Prolog is
doing, the process ends.

The process is confined (confinement.py) after SWI-Prolog and our own files are loaded and before
the first request is read: nothing of a text that nobody has trusted is in it before.
"""

from __future__ import annotations

import argparse
import functools
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, TypeAlias

from joiner_magic.engines.prolog.confinement import CPU, MEMORY, confine, limit
from joiner_magic.solvers.pipe_frames import read_frame, write_answer

# Where an endless evaluation ends if the limit on its inferences does not end it first. A goal
# that grows makes every table dearer than the one before, so its size is bounded: the number
# of compound terms in it, of which a list has one for each item.
BOUNDS = {
    "stack_limit": 1 << 30,
    "max_table_subgoal_size": 1000,
    "max_table_subgoal_size_action": "error",
}
_LOOK = 1.0  # seconds between looks whether the parent is still there

Prolog: TypeAlias = Callable[..., Any]  # predicate, arguments… -> the last argument, which is the answer


def main(arguments: Sequence[str]) -> None:
    """Start Prolog, confine the process, and answer requests until it is ended."""
    # An interrupt is for the process at the other end, which ends this one if it wants to.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()
    options = _options(arguments)
    requests, answers = _own_pipes()
    prolog = _start_prolog(options.preloaded)
    limit(options.memory, options.cpu)
    layers = _confine() if options.confined else ()
    inbox: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, inbox), daemon=True).start()
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    write_answer(answers, ["ready", *layers])
    while True:
        for answer in _serve(prolog, inbox.get()):
            write_answer(answers, answer)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    """What the parent tells the worker about its protection."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--confined", action="store_true", help="give up what the operating system can take")
    parser.add_argument("--memory", type=int, default=MEMORY, help="bytes of addresses")
    parser.add_argument("--cpu", type=int, default=CPU, help="seconds")
    parser.add_argument("--preloaded", action="append", default=[], help="a library to load before that")
    return parser.parse_args(arguments)


def _own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes for requests and answers, under new descriptors that Prolog does not use."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")


def _listen(requests: IO[bytes], inbox: SimpleQueue[Any]) -> None:
    """Read requests until the other end is gone, then end the process."""
    try:
        while True:
            inbox.put(read_frame(requests))
    finally:
        os._exit(0)


def _watch(parent: int) -> None:
    """End the process when its parent has ended. The pipe may stay open, if another process of the parent holds it."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(0)


def _confine() -> tuple[str, ...]:
    """Confine the process by the operating system; the names of the layers are returned."""
    import janus_swi

    # Atoms and clauses are collected by this thread from now on: another one would not be confined.
    janus_swi.cmd("system", "set_prolog_gc_thread", "false")
    home = janus_swi.apply_once("system", "current_prolog_flag", "home")
    return confine(Path(home))


def _start_prolog(libraries: Sequence[str]) -> Prolog:
    """Start SWI-Prolog in this process, and load our own files."""
    import janus_swi  # starts SWI-Prolog in this process

    for flag, value in BOUNDS.items():
        janus_swi.cmd("system", "set_prolog_flag", flag, value)
    janus_swi.consult(str(Path(__file__).with_name("joiner.pl")))
    for library in libraries:
        janus_swi.query_once(f"use_module(library({library}))")
    return functools.partial(janus_swi.apply_once, "joiner")


def _serve(prolog: Prolog, request: Any) -> Iterator[Any]:
    """The answers to a request; an exception becomes an answer too."""
    try:
        yield from _answers(prolog, *request)
    except Exception:
        # A bug of this package: it is reported, and not mistaken for a program that breaks Prolog.
        yield ["broken", traceback.format_exc()]


def _answers(prolog: Prolog, request: str, *arguments: Any) -> Iterator[Any]:
    """One answer to a request, or one for each program: then the parent knows at which program the worker died."""
    match request:
        case "load":
            yield prolog("load_task", *arguments)
        case "evaluate":
            programs, limit, overruns, lazy = arguments
            for program in programs:
                yield _coverage(prolog("coverage", program, limit, overruns, int(lazy)))
        case "explain":
            yield prolog("explain", *arguments)


def _coverage(answer: list[Any]) -> list[Any]:
    """An answer about coverage, with the indexes of covered examples as bitsets."""
    unfinished, *covered = answer
    if unfinished == "refused":
        return answer
    return [unfinished, *(sum(1 << index for index in indexes) for indexes in covered)]


if __name__ == "__main__":
    main(sys.argv[1:])
