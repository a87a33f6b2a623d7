"""The events of a run."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import get_args

from joiner_magic.search.running.events import Event
from reference.markdown import block, code, page, table
from reference.said import Unsaid, docstring, fields

_EXAMPLE = '''\
from joiner_magic import learn, read_task
from joiner_magic.search.running.events import Event, Improved, SizeFinished

background = """
has(t1,c1). has(t1,c2). triangle(c1). circle(c2). short(c1).
has(t2,c3). has(t2,c4). circle(c3). triangle(c4). short(c3).
has(t3,c5). has(t3,c6). triangle(c5). square(c6). short(c6).
has(t4,c7). has(t4,c8). circle(c7). square(c8). short(c7).
"""
examples = "pos(east(t1)). pos(east(t2)). neg(east(t3)). neg(east(t4))."


def tell(event: Event) -> None:
    match event:
        case Improved(solution=solution):
            print("a solution" if solution else "a partial hypothesis")
        case SizeFinished(size=size, tested=tested):
            print(f"size {size}: {tested} programs tested")


learn(read_task(background, examples), listeners=[tell])'''


def written() -> str:
    parts = [part for event in get_args(Event) for part in _event(event)]
    return page(
        "Events",
        "A run is a stream of events, in `joiner_magic.search.running.events`. Each listener of `learn` is called with every one of"
        " them, in the thread of the search.",
        block(_EXAMPLE, "python"),
        block(_printed(_EXAMPLE)),
        *parts,
    )


def _printed(example: str) -> str:
    with redirect_stdout(io.StringIO()) as printed:
        exec(example, {})  # noqa: S102
    return printed.getvalue().rstrip()


def _event(event: type) -> tuple[str, str, str]:
    rows = []
    for field in fields(event):
        if not field.comment:
            raise Unsaid(f"{event.__name__}.{field.name} has no comment")
        rows.append((code(field.name), code(field.type), field.comment))
    return f"## {event.__name__}", docstring(event, event.__name__), table(("field", "type", "meaning"), rows)
