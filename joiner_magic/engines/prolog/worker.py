"""The worker: a process that holds one task in SWI-Prolog and answers about it.

Requests come as frames on the standard input, answers leave as frames on the standard output.
Prolog gets neither: its own input is empty, and what it prints goes to the standard error.
A thread keeps listening while Prolog runs, so when the other end is gone, whatever Prolog is
doing, the process ends.
"""

from __future__ import annotations

import functools
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, TypeAlias

from joiner_magic.engines.prolog.frames import read_frame, write_frame

# Where an endless evaluation ends if the limit on its inferences does not end it first. A goal
# that grows makes every table dearer than the one before, so its size is bounded: the number
# of compound terms in it, of which a list has one for each item.
BOUNDS = {
    "stack_limit": 1 << 30,
    "max_table_subgoal_size": 1000,
    "max_table_subgoal_size_action": "error",
}

Prolog: TypeAlias = Callable[..., Any]  # predicate, arguments… -> the last argument, which is the answer


def main() -> None:
    # An interrupt is for the process at the other end, which ends this one if it wants to.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = _own_pipes()
    inbox: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, inbox), daemon=True).start()
    prolog = _start_prolog()
    while True:
        for answer in _serve(prolog, inbox.get()):
            write_frame(answers, answer)


def _own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The two pipes to the other end, out of Prolog's reach."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")


def _listen(requests: IO[bytes], inbox: SimpleQueue[Any]) -> None:
    try:
        while True:
            inbox.put(read_frame(requests))
    finally:
        os._exit(0)


def _start_prolog() -> Prolog:
    import janus_swi  # starts SWI-Prolog in this process

    for flag, value in BOUNDS.items():
        janus_swi.cmd("system", "set_prolog_flag", flag, value)
    janus_swi.consult(str(Path(__file__).with_name("joiner.pl")))
    return functools.partial(janus_swi.apply_once, "joiner")


def _serve(prolog: Prolog, request: Any) -> Iterator[Any]:
    try:
        yield from _answers(prolog, *request)
    except Exception:
        # Ours to mend, so it is reported, and not taken for a program that breaks Prolog.
        yield ["broken", traceback.format_exc()]


def _answers(prolog: Prolog, request: str, *arguments: Any) -> Iterator[Any]:
    """One answer, or one per program: who asks then knows which program is to blame for silence."""
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
    """Indexes of covered examples become a bit set each."""
    unfinished, *covered = answer
    if unfinished == "refused":
        return answer
    return [unfinished, *(sum(1 << index for index in indexes) for indexes in covered)]


if __name__ == "__main__":
    main()
