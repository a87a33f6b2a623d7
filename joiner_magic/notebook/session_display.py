"""Shows sessions, their cells, their tasks and their runs, as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from joiner_magic.logic.render import render_term
from joiner_magic.notebook.result_display import status_word
from joiner_magic.sessions.cells import KINDS, contents
from joiner_magic.views.markup import block, box, code, details, line, more, quiet, table, text
from joiner_magic.views.output import ROWS, Output

if TYPE_CHECKING:
    from joiner_magic.logic.terms import Predicate, Term
    from joiner_magic.sessions.cell_reply import CellReply
    from joiner_magic.sessions.cells import Cell, Kind
    from joiner_magic.sessions.runs import Run
    from joiner_magic.sessions.session import Session
    from joiner_magic.task.task import Task

_LINE = 400  # characters of a line that are shown


def said_view(said: CellReply, rows: int = ROWS) -> Output:
    """The line that answers a cell, with notes on its text."""
    notes = list(map(str, said.notes[:rows]))
    if left := more(len(notes), len(said.notes), "notes"):
        notes.append(left)
    plain = "\n".join([str(said), *(f"  {note}" for note in notes)])
    parts = [quiet(code(said))]
    if notes:
        parts.append(quiet(code("\n".join(notes))))
    return Output(plain, box(*parts))


def cells_view(session: Session, kind: Kind, rows: int = ROWS) -> Output:
    """All texts of one kind, at most so many lines of them."""
    found = session.cells.of(kind)
    if not found:
        return Output(nothing := f"{kind}: nothing yet", box(quiet(text(nothing))))
    title = f"{kind}: {contents(found)}"
    shown, left = _first_lines(found, rows)
    plain = [title]
    parts = [line(text(title))]
    for cell, lines in shown:
        plain += [f"-- {cell.name}", *lines]
        parts += [quiet(code(cell.name)), block("\n".join(lines))]
    if left:
        plain.append(left)
        parts.append(quiet(text(left)))
    return Output("\n".join(plain), box(*parts))


def _first_lines(cells: Sequence[Cell], rows: int) -> tuple[list[tuple[Cell, list[str]]], str]:
    """Each cell with its lines, at most so many lines in all, and a remark about those that are left out."""
    shown: list[tuple[Cell, list[str]]] = []
    total = 0
    for cell in cells:
        lines = cell.text.strip("\n").split("\n")
        room = max(rows - total, 0)
        if room:
            shown.append((cell, [_cut(each) for each in lines[:room]]))
        total += len(lines)
    return shown, more(rows, total, "lines")


def _cut(text: str) -> str:
    """The beginning of a line that is too long."""
    if len(text) <= _LINE:
        return text
    return f"{text[:_LINE]}…"


def session_view(session: Session, rows: int = ROWS) -> Output:
    """What the cells of a session hold, by kind, and how far its last run is."""
    kinds = [(kind, found) for kind in KINDS if (found := session.cells.of(kind))]
    if not kinds:
        nothing = f"{session.name}: nothing has been said yet; begin with %%bk and %%examples"
        return Output(nothing, box(quiet(code(nothing))))
    rows_of = [(kind, f"{len(found):,}", contents(found)) for kind, found in kinds]
    run = "no run yet"
    if session.runs:
        run = _run_line(session.runs[-1])
    width = max(len(kind) for kind, _, _ in rows_of)
    plain = [f"{session.name}:", *(f"  {kind:{width}}  {held}" for kind, _, held in rows_of), run]
    table_rows = [[text(kind), text(number), text(held)] for kind, number, held in rows_of]
    return Output(
        "\n".join(plain),
        box(
            line(text("task "), code(session.name)),
            table(("", "cells", "in all"), table_rows, left=(0, 2)),
            quiet(text(run)),
        ),
    )


def run_view(run: Run, rows: int = ROWS) -> Output:
    """A run in one line. Of a run that goes on no state is shown, because the output will not change with it."""
    shown = _run_line(run)
    if run.state == "running":
        shown = f"run {run.number}: begun; %joiner status says how far it is"
    return Output(shown, box(quiet(text(shown))))


def _run_line(run: Run) -> str:
    """The state of a run now, in one line."""
    if run.state == "failed":
        return f"run {run.number}: failed; {run.failure}"
    state: str = run.state
    if run.result and state == "finished":
        state = status_word(run.result)
    return f"run {run.number}: {state}; {run.progress}"


def task_view(task: Task, rows: int = ROWS) -> Output:
    """A task: its predicates with their types and directions, some examples, and the bias."""
    examples, bias = task.examples, task.bias
    title = (
        f"{bias.head}: {len(examples.pos):,} positive, {len(examples.neg):,} negative examples,"
        f" {task.background.facts:,} facts, {len(bias.body):,} body predicates"
    )
    predicates = [(str(predicate), *_columns(task, predicate)) for predicate in (bias.head, *bias.body)]
    atoms = [f"{label}({render_term(atom)})." for label, atom in _labelled(task, rows)]
    left = more(rows, len(predicates), "predicates")
    plain = [title, *(f"  {'  '.join(filter(None, cells))}" for cells in predicates[:rows]), left]
    html = [
        line(code(title)),
        table(
            ("predicate", "types", "directions", "facts"),
            [[*map(code, cells[:3]), text(cells[3])] for cells in predicates[:rows]],
            left=(0, 1, 2),
        ),
        quiet(text(left)),
        details("examples", block("\n".join(atoms))),
        details("bias", block("\n".join(bias.to_text().split("\n")[: 4 * rows]))),
    ]
    return Output("\n".join(filter(None, plain)), box(*html))


def _columns(task: Task, predicate: Predicate) -> tuple[str, str, str]:
    """The types, the directions and the number of facts of a predicate."""
    types = task.bias.types.get(predicate, ())
    directions = task.bias.directions.get(predicate, ())
    facts = ""
    if relation := task.background.predicates.get(predicate):
        facts = f"{relation.facts:,}"
    return ", ".join(types), ", ".join(directions), facts


def _labelled(task: Task, rows: int) -> Iterator[tuple[str, Term]]:
    """The first examples of each label."""
    for label, atoms in (("pos", task.examples.pos), ("neg", task.examples.neg)):
        yield from ((label, atom) for atom in atoms[:rows])
