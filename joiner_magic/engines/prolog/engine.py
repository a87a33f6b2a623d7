"""Evaluation by SWI-Prolog, in a worker process that holds one task.

The unit of `limit` is inferences per example; under tabling, which takes longer for each, one counts as ten. Of an example that runs over it, or that raises an
error, it is not known whether it is covered, and the evaluation is not complete. The worker sends one answer for each
program. So if it dies, or does not answer in time, it is known at which program: that one is given up as not complete,
and a new worker goes on with the next.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from joiner_magic.engines.prolog.answers import check, evaluation_of, explanation_of
from joiner_magic.engines.prolog.codec import program_tokens, terms_tokens
from joiner_magic.engines.prolog.installation import require_swipl
from joiner_magic.engines.prolog.process import Protection, Worker, WorkerGone, WorkerSilent
from joiner_magic.engines.protocol import Cancelled, Explanation, explainable
from joiner_magic.errors import EngineError
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.terms import Predicate, Term
from joiner_magic.solvers.interrupt import Stop, never

if TYPE_CHECKING:
    from joiner_magic.task.task import Task

_T = TypeVar("_T")

LIMIT = 1_000_000  # inferences per example, unless the caller says otherwise
FIRST_LIMIT = 10_000
EXPLAIN_LIMIT = 20_000_000  # one question, and a person waits for the answer
OVERRUNS = 5  # examples that may run over the limit before the rest are given up
CHUNK = 500  # programs per request
STARTING = 60.0  # seconds that a worker may take until it reads its first request, however busy the machine


class PrologEngine:
    """Coverage and explanations by full SWI-Prolog.

    `background` holds texts with their names. Unless they are `trusted`, clauses that call anything but the task's own
    and pure predicates are refused, and the worker is confined by the operating system. `patience` is how many seconds
    the worker may take for one program, or for loading the task. `protection` is for tests of one layer alone.
    """

    name = "prolog"
    limit = LIMIT
    first_limit = FIRST_LIMIT
    directions: Mapping[Predicate, tuple[str, ...]] = MappingProxyType({})  # it runs clauses in any direction

    def __init__(
        self,
        background: Sequence[tuple[str, str]],
        pos: Sequence[Term],
        neg: Sequence[Term],
        *,
        trusted: bool = False,
        patience: float = 60.0,
        protection: Protection | None = None,
        stop: Stop = never,
    ) -> None:
        self._swipl = require_swipl()
        self._background = tuple(background)
        texts = [text for _, text in self._background]
        self._protection = protection or Protection(listed=not trusted, confined=not trusted)
        self._task = (texts, [terms_tokens(pos), terms_tokens(neg)], int(not self._protection.listed))
        self.confinement: tuple[str, ...] = ()  # by what the operating system holds the worker
        # Trusted texts may change the database from one example to the next, or ask for what is not in the task.
        self.independent = not trusted
        self._patience = patience
        self._worker: Worker | None = None
        self._turn = threading.Lock()
        self._busy = False
        self._closed = False
        self._cancelled = threading.Event()
        self._stop = stop
        with self._working():
            self._start()
        self._stop = never

    @classmethod
    def for_task(
        cls, task: Task, *, trusted: bool = False, patience: float = 60.0, stop: Stop = never
    ) -> PrologEngine:
        """The engine for a task. Raises Interrupted when `stop` returns True before the task is loaded."""
        texts = [(source.name, source.text) for source in task.background.sources]
        return cls(texts, task.examples.pos, task.examples.neg, trusted=trusted, patience=patience, stop=stop)

    def evaluate(
        self, programs: Sequence[Program], *, limit: int | None = None, lazy: bool = False
    ) -> list[Evaluation]:
        """Coverage of each program, in order; `limit` counts inferences per example."""
        given_up = Evaluation(0, None if lazy else 0, complete=False)
        evaluations: list[Evaluation] = []
        suspect = None  # the program at which a worker died: it gets one more worker
        with self._working():
            while (done := len(evaluations)) < len(programs):
                failure = self._advance(programs[done : done + CHUNK], limit, lazy, evaluations)
                if failure is None:
                    continue
                self._discard()
                if self._cancelled.is_set():
                    raise Cancelled
                blamed = len(evaluations)
                if isinstance(failure, WorkerSilent) or blamed == suspect:
                    evaluations.append(given_up)
                suspect = blamed
        return evaluations

    def _advance(
        self, programs: Sequence[Program], limit: int | None, lazy: bool, evaluations: list[Evaluation]
    ) -> WorkerGone | WorkerSilent | None:
        """Add the evaluations of the programs to the list. A failure of the worker ends it, and is returned."""
        encoded = [program_tokens(program) for program in programs]
        wanted = len(evaluations) + len(programs)
        try:
            worker = self._ready()
            worker.send("evaluate", encoded, LIMIT if limit is None else limit, OVERRUNS, lazy)
            while len(evaluations) < wanted:
                evaluations.append(evaluation_of(worker.receive(self._patience)))
        except (WorkerGone, WorkerSilent) as failure:
            return failure
        return None

    def explain(self, program: Program, example: Term) -> Explanation:
        """Why the program covers the ground atom `example`, or how far each rule gets."""
        explainable(program, example)
        request = ("explain", program_tokens(program), terms_tokens([example]), EXPLAIN_LIMIT)
        with self._working():
            answer = self._with_one_retry(
                "explaining the example", lambda: self._ask(self._ready(), *request)
            )
        return explanation_of(program, example, answer)

    def _ask(self, worker: Worker, *request: object) -> Any:
        """Send a request to the worker, and wait for its answer."""
        worker.send(*request)
        return worker.receive(self._patience)

    def _with_one_retry(self, what: str, attempt: Callable[[], _T]) -> _T:
        """What the attempt returns. If the worker is lost, which somebody may have ended, a second one is tried."""
        try:
            return attempt()
        except WorkerGone:
            self._discard()
        except WorkerSilent as failure:
            raise self._failure_error(what, failure) from None
        if self._cancelled.is_set():
            raise Cancelled
        try:
            return attempt()
        except (WorkerGone, WorkerSilent) as failure:
            raise self._failure_error(what, failure) from None

    def is_local(self, program: Program) -> bool:
        """Always True: Prolog does not look at the terms of other examples."""
        return True

    def cancel(self) -> None:
        """Stop a running call soon; harmless when none is running."""
        if self._busy:
            self._cancelled.set()
            if worker := self._worker:
                worker.kill()

    def close(self) -> None:
        """End the worker. What is asked afterwards raises an error."""
        self._closed = True
        self.cancel()
        self._discard()

    def __enter__(self) -> PrologEngine:
        """To be closed at the end of the `with` statement."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the engine, however the statement has ended."""
        self.close()

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Only one call works at a time. If it fails, its worker is ended, which may still be at work."""
        with self._turn:
            if self._closed:
                raise ValueError("the engine is closed")
            self._cancelled.clear()
            self._busy = True
            try:
                yield
            except BaseException:
                self._discard()
                raise
            finally:
                self._busy = False

    def _ready(self) -> Worker:
        """A worker that has loaded the task and is idle; a new one if there is none."""
        worker = self._worker
        if worker is not None and worker.alive:
            return worker
        self._discard()
        return self._start()

    def _start(self) -> Worker:
        """A worker with the task loaded; a second one is tried if the first one dies."""
        return self._with_one_retry("loading the task", self._start_worker)

    def _start_worker(self) -> Worker:
        """Start a worker, and let it load the task."""
        # The worker is there for `cancel` to kill before the flag is looked at, never after.
        self._worker = worker = Worker(self._swipl, self._protection)
        if self._cancelled.is_set():
            raise Cancelled
        worker.send("load", *self._task)
        _, *layers = worker.receive(max(self._patience, STARTING), self._stop)
        self.confinement = tuple(layers)
        check(worker.receive(self._patience, self._stop), self._background)
        return worker

    def _discard(self) -> None:
        """End the worker, if there is one."""
        worker, self._worker = self._worker, None
        if worker:
            worker.kill()

    def _failure_error(self, what: str, failure: WorkerGone | WorkerSilent) -> Exception:
        """The exception that says why something failed twice."""
        if self._cancelled.is_set():
            return Cancelled()
        if isinstance(failure, WorkerSilent):
            return EngineError(
                f"SWI-Prolog took more than {self._patience:g} s for {what}", remedy="pass a longer patience="
            )
        worker = self._worker
        self._discard()
        said = ""
        if worker:
            said = worker.last_words()
        return EngineError(f"SWI-Prolog stopped while {what}" + (f": {said}" if said else ""))
