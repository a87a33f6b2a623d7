"""A session: a task that grows cell by cell, and the runs of the learner on it.

Each cell of a notebook adds a text to the task, or replaces what it said before. `Session` is also what is used from
Python. Where it delegates: `cells` has the texts, `run_history` the runs, `last_result` questions about what was
learnt, `session_json` and `session_folders` the files.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from joiner_magic.engines.protocol import Explanation
from joiner_magic.errors import TaskError
from joiner_magic.files import read_file, shown
from joiner_magic.logic.terms import Predicate, Term
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.result import Result
from joiner_magic.search.running.budget import Budget
from joiner_magic.sessions import session_json
from joiner_magic.sessions.cell_reply import CellReply
from joiner_magic.sessions.cells import KINDS, Cell, Cells, Kind, contents
from joiner_magic.sessions.last_result import explain_result, learnt, why_not_covered
from joiner_magic.sessions.predicates import PredicateInfo, describe_predicates
from joiner_magic.sessions.run_history import RunHistory
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session_folders import key_of_file, read_folder, write_folder
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.solvers.interrupt import Stop, either, never
from joiner_magic.solvers.signals import (
    defer_interrupts,
    interrupt_requested,
    interruptible,
    run_interruptibly,
)
from joiner_magic.task.notes import did_you_mean
from joiner_magic.task.task import Task, read_in_time

if TYPE_CHECKING:
    from joiner_magic.questions.coverage.matrix import CoverageMatrix
    from joiner_magic.search.outcome.suspicious import Suspects
    from joiner_magic.search.outcome.tradeoff import Tradeoff
    from joiner_magic.sessions.comparison import Comparison

_LEAST_TIME = 0.5  # seconds for making the task of the cells, however short the timeout is
_FORGETTABLE: Mapping[str, tuple[Kind, ...]] = {
    "bk": ("bk",),
    "examples": ("examples",),
    "bias": ("bias",),
    "test": ("test", "test bk"),
    "runs": (),
    "all": get_args(Kind),
}


class Session:
    """A task that grows text by text, and the runs of the learner on it.

    Methods raise JoinerError for mistakes that a user can correct; the session is then as it was before.
    """

    def __init__(self, name: str = "main") -> None:
        self.name = name
        self.cells = Cells()
        self._history = RunHistory()
        self._lock = threading.Lock()  # threads may speak at the same time
        self._held_out: tuple[Cells, Task, Task | None] | None = None
        self._described: tuple[Cells, dict[Predicate, PredicateInfo]] | None = None

    # What cells say

    def say(
        self,
        kind: Kind,
        text: str,
        *,
        key: str | None = None,
        name: str | None = None,
        line: int = 1,
        replace: bool = False,
    ) -> CellReply:
        """Add a text to the task. A text that was added before under the same key is replaced.

        Without a key the text itself is the key, so adding the same text twice changes nothing. `name` is what
        errors call the text, and `line` is the number of its first line in the cell it comes from. With `replace`
        all texts of this kind that were added before are forgotten.
        """
        if kind not in KINDS:
            raise TaskError(f"there is no kind of text {kind!r}", remedy=f"take one of {', '.join(KINDS)}")
        if key is None:
            key = f"{kind}: {text}"
        cell = run_interruptibly(lambda: Cell.read(key, kind, name or kind, text, line))
        notes = run_interruptibly(lambda: self._with(cell, replace).notes(cell))
        with self._lock:  # after all that can be interrupted
            before = self.cells.by_key.get(cell.key)
            self.cells = cells = self._with(cell, replace)
        return CellReply(
            kind,
            cell.name,
            contents([cell]),
            replaced=before is not None or replace,
            totals=contents(cells.of(kind)),
            notes=notes,
        )

    def _with(self, cell: Cell, replace: bool) -> Cells:
        """The cells with this one added; with `replace` the others of its kind are left out."""
        kept = self.cells
        if replace:
            kept = kept.without_kinds(cell.kind)
        return kept.with_cell(cell)

    def say_file(
        self, kind: Kind, path: str | os.PathLike[str], *, key: str | None = None, replace: bool = False
    ) -> CellReply:
        """Add the text of a file to the task; without a key, the path is the key."""
        text = read_file(path, "give a file of clauses")
        if key is None:
            key = key_of_file(kind, path)
        return self.say(kind, text, key=key, name=shown(path), replace=replace)

    def bk(self, text: str) -> CellReply:
        """Add background knowledge."""
        return self.say("bk", text)

    def examples(self, text: str, *, test: bool = False) -> CellReply:
        """Add examples to learn from; with `test`, held-out examples that only measure."""
        return self.say("test" if test else "examples", text)

    def bias(self, text: str) -> CellReply:
        """Add bias: which rules may be learnt."""
        return self.say("bias", text)

    def add_facts(self, frame: Any, predicate: str, columns: Sequence[str] | None = None) -> CellReply:
        """Add a fact of the predicate for each row of a DataFrame; facts added so before for the predicate are replaced."""
        from joiner_magic.sessions.data_frames import facts_text

        text = facts_text(frame, predicate, columns)
        return self.say("bk", text, key=f"frame bk {predicate}", name=f"frame of {predicate}")

    def add_examples(
        self,
        frame: Any,
        predicate: str,
        label: str,
        columns: Sequence[str] | None = None,
        *,
        weight: str | None = None,
        test: bool = False,
    ) -> CellReply:
        """Add an example for each row of a DataFrame, positive or negative as the column `label` says.

        The column `weight`, if one is named, has what each example weighs where errors are allowed.
        """
        from joiner_magic.sessions.data_frames import examples_text

        kind: Kind = "test" if test else "examples"
        text = examples_text(frame, predicate, label, columns, weight=weight)
        return self.say(kind, text, key=f"frame {kind} {predicate}", name=f"frame of {predicate}")

    def keep_only(self, keys: Collection[str], *, of: str) -> None:
        """Forget the texts whose key starts with `of` and is not among `keys`: a cell was run again without them."""
        dropped = [key for key in self.cells.by_key if key.startswith(of) and key not in keys]
        self.cells = self.cells.without(dropped)

    def restore(self, cells: Cells) -> None:
        """Go back to the texts that the session had at some time, given by its `cells` then."""
        self.cells = cells

    def reset(self, what: str = "all") -> None:
        """Forget "bk", "examples", "bias", "test" (held-out examples), "runs", or "all" of it."""
        if what not in _FORGETTABLE:
            known = ", ".join(_FORGETTABLE)
            raise TaskError(
                f"there is nothing called {what} to forget",
                remedy=did_you_mean(what, _FORGETTABLE) or f"say one of {known}",
            )
        self.cells = self.cells.without_kinds(*_FORGETTABLE[what])
        self._held_out = None
        if what in ("runs", "all"):
            self._history.clear()

    # The task

    def task(
        self,
        bias: str = "",
        *,
        name: str = "run",
        line: int = 1,
        stop: Stop = never,
        memory: int | None = None,
        noise: bool = False,
    ) -> Task:
        """The task that the texts make together. The bias given here overrides that of the texts.

        `stop`, `memory` and `noise` are those of `read_task`.
        """
        overriding = self._overriding(bias, name, line)
        return read_in_time(lambda: self.cells.task(overriding, stop, memory, noise=noise), stop)

    def _overriding(self, bias: str, name: str, line: int) -> AspText | None:
        """The bias text of one run, under a name that no other bias text has; None if it is empty."""
        if not bias.strip():
            return None
        taken = {cell.name for cell in self.cells.of("bias")}
        if name in taken:
            name = f"{name} (run)"
        return AspText("\n" * (line - 1) + bias, name)

    def held_out(self, task: Task, *, stop: Stop = never, noise: bool = False) -> Task | None:
        """The held-out examples as a task with the bias of `task`; None if there are none.

        `stop` and `noise` are those of `read_task`.
        """
        cells, known = self.cells, self._held_out
        if (
            known is None or known[0] is not cells or known[1] is not task
        ):  # kept, since each resumed run asks for it
            stop_reading = either(stop, interrupt_requested)
            found = read_in_time(
                lambda: cells.held_out(task, stop_reading, noise=noise), stop, "what is held out"
            )
            self._held_out = known = cells, task, found
        return known[2]

    @interruptible
    def predicates(self) -> dict[Predicate, PredicateInfo]:
        """What is known of each predicate, even while the texts do not make a task yet."""
        if (
            self._described is None or self._described[0] is not self.cells
        ):  # kept, since each completion asks for it
            self._described = self.cells, describe_predicates(self.cells)
        return self._described[1]

    # Learning

    @property
    def runs(self) -> Sequence[Run]:
        """The last twenty runs, oldest first; `comparison` has the numbers of all runs."""
        return self._history.runs

    @property
    def running(self) -> Run | None:
        """The run that is going on now; None if there is none."""
        return self._history.running

    @property
    def result(self) -> Result | None:
        """The result of the last run that has one; None before that."""
        return self._history.result

    def start(
        self, bias: str = "", *, name: str = "run", line: int = 1, fresh: bool = False, **options: Any
    ) -> Run:
        """Start a run in a thread of its own. TaskError if one is going on. `fresh` reuses nothing of earlier runs.

        If the last run had the same task and was stopped before its end, it is resumed instead. Making the task of
        the texts counts towards the option `timeout`; if it takes all of that time, TaskError is raised and no run
        is started.
        """
        self._history.refuse_second()
        chosen = Options(**options)
        budget = Budget(chosen.timeout)
        with defer_interrupts() as call:
            task = self.task(
                bias,
                name=name,
                line=line,
                stop=_stop_reading(budget),
                memory=chosen.memory,
                noise=chosen.allows_errors,
            )
            held_out = self.held_out(task, stop=_stop_reading(budget), noise=chosen.allows_errors)
            new = Run(self._history.last_number + 1, task, chosen, bias, held_out)
            run = self._history.start(new, budget, fresh)
            if call.interrupt_requested():  # an interrupt meanwhile: nobody will wait for the run
                run.stop()
            return run

    def learn(
        self, bias: str = "", *, name: str = "run", line: int = 1, fresh: bool = False, **options: Any
    ) -> Result:
        """Start a run as `start` does, and wait for its result. Ctrl-C ends it with the best hypothesis so far."""
        with defer_interrupts():
            return self.start(bias, name=name, line=line, fresh=fresh, **options).wait()

    def resume(self, *, timeout: float | None = None) -> Run:
        """Resume the last run where a timeout or an interrupt stopped it; TaskError if it is finished."""
        self._history.refuse_second()
        last = self._history.last_to_resume()
        budget = Budget(Options(timeout=timeout).timeout)
        held_out = self.held_out(last.of_cells, stop=_stop_reading(budget), noise=last.options.allows_errors)
        last.go_on(budget, held_out)
        return last

    def stop(self) -> Run | None:
        """Stop the run that is going on, if there is one. Its result is the best hypothesis so far."""
        run = self.running
        if run:
            run.stop()
            run.has_ended()  # what comes next may be another run
        return run

    def explain(self, atom: str | Term) -> Explanation:
        """Explain why the last hypothesis covers an atom, or how far each of its rules gets."""
        return explain_result(self.result, atom)

    @interruptible
    def why_not(self, atom: str | Term) -> str:
        """Say why the last hypothesis does not cover an atom, and whether any rule of the space could."""
        return why_not_covered(self.result, atom)

    def tradeoff(self) -> Tradeoff:
        """Size against errors: the best known hypothesis of the last run for each number of literals."""
        return learnt(self.result).tradeoff()

    def suspicious(self, n: int = 20) -> Suspects:
        """The examples that the last hypothesis gets wrong, ranked, each with the reason."""
        return learnt(self.result).suspicious(n)

    def coverage(self) -> CoverageMatrix:
        """Which rules and fragments of the last hypothesis cover which examples; `to_frame` has it for pandas."""
        from joiner_magic.questions.coverage.matrix import CoverageMatrix

        result = learnt(self.result)
        return run_interruptibly(lambda: CoverageMatrix.of(result))

    @interruptible
    def comparison(self) -> Comparison:
        """All runs of the session side by side, in numbers."""
        return self._history.comparison()

    # Files

    @interruptible
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the texts to a JSON file that `load` reads, together with the last result."""
        session_json.save(self.cells, self.result, path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Replace the texts of the session by those of a file that `save` has written."""
        if os.path.isdir(path):
            raise TaskError(f"{shown(path)} is a folder", remedy="import takes the task of a folder")
        self.cells = run_interruptibly(lambda: session_json.load(path))

    def import_task(self, directory: str | os.PathLike[str]) -> list[CellReply]:
        """Replace the texts of the session by those of a directory: bk.pl, exs.pl, perhaps bias.pl and test/."""
        before = self.cells
        with defer_interrupts():
            self.cells = Cells()
            try:
                return [
                    self.say(file.kind, file.text, key=file.key, name=file.name)
                    for file in read_folder(directory)
                ]
            except BaseException:
                self.cells = before
                raise

    @interruptible
    def export_task(self, directory: str | os.PathLike[str]) -> None:
        """Write the task and its held-out examples to a directory that `import_task` reads."""
        task = self.task(noise=True)
        held_out = self.held_out(task, noise=True)
        write_folder(task, held_out, directory, own_background=bool(self.cells.of("test bk")))

    def __repr__(self) -> str:
        kinds = [kind for kind in KINDS if self.cells.of(kind)]
        texts = ", ".join(f"{kind}: {contents(self.cells.of(kind))}" for kind in kinds)
        return f"<Session {self.name}: {texts or 'nothing yet'}; {self._history.last_number} runs>"


def _stop_reading(budget: Budget) -> Stop:
    """When to stop making the task of the cells.

    A small task is made even if the time is over, so that there is a run that can be resumed.
    """
    return lambda: budget.elapsed > _LEAST_TIME and budget.stop()
