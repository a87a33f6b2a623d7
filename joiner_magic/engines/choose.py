"""Choose the engine for a task: the one place that knows both engines."""

from __future__ import annotations

from dataclasses import dataclass

from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.engines.protocol import ENGINE_CHOICES, Engine
from joiner_magic.errors import EngineError, NeedsProlog
from joiner_magic.solvers.grounding import MEMORY
from joiner_magic.solvers.interrupt import Stop, either, never
from joiner_magic.solvers.signals import interrupt_requested, run_interruptibly
from joiner_magic.task.notes import Note
from joiner_magic.task.task import Task


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """An engine that is ready for a task, and why it was chosen."""

    engine: Engine  # to be closed after use
    why: str  # in a few words
    notes: tuple[Note, ...] = ()  # what a person should know about the background knowledge

    def __str__(self) -> str:
        return f"{self.engine.name} ({self.why})"


def choose_engine(
    task: Task,
    engine: str = "auto",
    *,
    trusted: bool = False,
    stop: Stop = never,
    memory: int | None = None,
) -> EngineChoice:
    """The engine that is asked for; for "auto" the embedded one if it can run the task, otherwise Prolog.

    `trusted` lets the Prolog engine run background knowledge that uses files, processes, the network or the database.
    `stop` is asked several times a second while the engine is made ready; Interrupted is raised when it returns True.
    Computing the facts that follow from the background knowledge may take `memory` megabytes, at most 4,000.
    """
    if engine not in ENGINE_CHOICES:
        raise EngineError(f"there is no engine {engine!r}", remedy=f"take one of {', '.join(ENGINE_CHOICES)}")
    return run_interruptibly(
        lambda: _choose(task, engine, trusted, either(stop, interrupt_requested), memory),
        dispose=lambda choice: choice.engine.close(),
    )


def _choose(task: Task, engine: str, trusted: bool, stop: Stop, memory: int | None) -> EngineChoice:
    if engine == "prolog":
        return EngineChoice(_prolog(task, trusted, stop), "as asked")
    try:
        embedded = DatalogEngine(task, stop, MEMORY if memory is None else memory * 1_000_000)
    except NeedsProlog as reason:
        if engine == "datalog" or not _has_prolog():
            raise
        why = f"{reason.place}: {reason.message}" if reason.place else reason.message
        return EngineChoice(_prolog(task, trusted, stop), why)
    why = "as asked" if engine == "datalog" else "the background knowledge closes into facts"
    return EngineChoice(embedded, why, embedded.notes)


# Imported late: most tasks need no Prolog, and importing its engine takes a tenth of the time of learning a small task.


def _prolog(task: Task, trusted: bool, stop: Stop) -> Engine:
    from joiner_magic.engines.prolog.engine import PrologEngine

    return PrologEngine.for_task(task, trusted=trusted, stop=stop)


def _has_prolog() -> bool:
    from joiner_magic.engines.prolog.installation import prolog_available

    return prolog_available() is None
