"""The errors that a user can meet, each with messages that the code gives now."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from joiner_magic import choose_engine, learn, load_result, read_task, view
from joiner_magic import errors as tree
from joiner_magic.errors import JoinerError, Place
from joiner_magic.notebook.subcommands import learn_parser
from joiner_magic.views.graphs import rendered
from reference.markdown import block, code, page, table
from reference.said import Unsaid, docstring, fields, first_paragraph

_BK, _EXAMPLES = "p(a). p(b). q(a).", "pos(f(a)). neg(f(b))."

# What goes wrong, and how to make it. An example stands below the class that it raises.
_MISTAKES: dict[str, Callable[[], object]] = {
    "Where a bracket is left open": lambda: read_task("parent(ann, bob.\nparent(bob, cat).", _EXAMPLES),
    "Where a bias chooses": lambda: read_task(_BK, _EXAMPLES, "{ body_pred(p,1) }."),
    "Where an example has no label": lambda: read_task(_BK, "pos(f(a)). f(b)."),
    "Where an atom is both positive and negative": lambda: read_task(_BK, "pos(f(a)). neg(f(a))."),
    "Where the background knowledge lacks a predicate": lambda: read_task(
        _BK, _EXAMPLES, "head_pred(f,1). body_pred(pp,1)."
    ),
    "Where an option has no such value": lambda: learn(read_task(_BK, _EXAMPLES), max_vars=0),
    "Where there is no such file": lambda: load_result("result.json"),
    "Where there is no such engine": lambda: choose_engine(read_task(_BK, _EXAMPLES), "swift"),
    "Where background knowledge calls a built-in, and the embedded engine is asked for": lambda: (
        choose_engine(read_task(f"{_BK}\nq(X) :- atom_length(X, 1).", _EXAMPLES), "datalog")
    ),
    "Where a picture is saved as PNG without Graphviz": lambda: _drawn_by_nobody(),
    "Where an option is misspelt, `%%joiner --timout 60`": lambda: learn_parser().of("--timout 60"),
    'Where there is no such view, `view("tree")`': lambda: view("tree"),
}


def written() -> str:
    kinds = [kind for kind in vars(tree).values() if isinstance(kind, type) and issubclass(kind, JoinerError)]
    return page(
        "Errors",
        "A user's error says what is wrong, where, and what to do: one line, and a caret below the place in the text. In a"
        " notebook there is no traceback, and Run All stops; the command prints it and ends with status 2. All of them are"
        " subclasses of `joiner_magic.JoinerError`; anything else is a mistake of ours.",
        table(("attribute", "meaning"), _attributes()),
        *_sections([kind for kind in kinds if kind is not JoinerError]),
    )


def _attributes() -> Iterator[tuple[str, str]]:
    place = ", ".join(code(field.name) for field in fields(Place))
    yield "`message`", "what is wrong"
    yield "`place`", f"{first_paragraph(Place, 'Place')} It has {place}; None where there is no place."
    yield "`remedy`", "what to do; it may be empty"
    yield "`headline`", first_paragraph(JoinerError.headline, "headline")


def _sections(kinds: list[type[JoinerError]]) -> Iterator[str]:
    raised = {when: _raised(when, mistake) for when, mistake in _MISTAKES.items()}
    for kind in kinds:
        yield f"## {kind.__name__}"
        yield docstring(kind, kind.__name__)
        examples = {when: error for when, error in raised.items() if type(error) is kind}
        if not examples:
            raise Unsaid(f"there is no example of {kind.__name__}")
        for when, error in examples.items():
            yield f"{when}:"
            yield block(f"{kind.__name__}: {error}")


def _raised(when: str, mistake: Callable[[], object]) -> JoinerError:
    try:
        mistake()
    except JoinerError as error:
        return error
    raise Unsaid(f"{when} nothing is wrong")


def _drawn_by_nobody() -> bytes:
    with _nothing_on_path():
        return rendered("graph {}", "png")


@contextmanager
def _nothing_on_path() -> Iterator[None]:
    """What is installed here must make no difference."""
    path = os.environ.get("PATH", "")
    os.environ["PATH"] = ""
    try:
        yield
    finally:
        os.environ["PATH"] = path
