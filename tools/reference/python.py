"""The public names of the package, and the members of what they give."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cached_property
from importlib import import_module
from types import ModuleType

import joiner_magic
from joiner_magic import generators
from joiner_magic.engines.choose import EngineChoice
from joiner_magic.engines.protocol import Engine, Explanation
from joiner_magic.generators.generated_task import GeneratedTask
from joiner_magic.generators.molecules import Tables
from joiner_magic.generators.zendo import Zendo
from joiner_magic.questions.coverage.matrix import CoverageMatrix
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.outcome.shortfall import Advice, Shortfall
from joiner_magic.sessions.comparison import Comparison
from joiner_magic.sessions.runs import Run
from joiner_magic.views.view import View
from reference.markdown import code, page, sentence, table
from reference.said import Unsaid, docstring, fields, first_paragraph, signature

# What public names give, by name of the class; none of it is made by hand.
_GIVEN = (
    Run,
    View,
    Comparison,
    CoverageMatrix,
    Confusion,
    Shortfall,
    Advice,
    Explanation,
    EngineChoice,
    Engine,
)
# Public to other rooms of the package, but of no use to others.
_WITHIN = frozenset({
    "Session.keep_only", "Session.restore", "Run.forget_record", "Run.start", "Run.go_on", "Run.repeat", "Run.close",
    "View.questions", "View.twin_order", "View.scene", "View.answer", "Engine.independent", "Learner.ledger", "Learner.record",
    "Learner.finding",
})  # fmt: skip
_ELSEWHERE = {
    "JoinerError": "The base of all user errors: [errors](errors.md).",
    "Options": "What a run can be told, as a value: [options](options.md).",
    "session": "The `Session` that the cells of this process speak to now.",
}


def written() -> str:
    names = {name: getattr(joiner_magic, name) for name in joiner_magic.__all__}
    functions = [name for name, thing in names.items() if inspect.isfunction(thing)]
    classes = [name for name, thing in names.items() if inspect.isclass(thing) and name not in _ELSEWHERE]
    return page(
        "From Python",
        "`from joiner_magic import …` has these names. They are imported when they are first used, so `import joiner_magic`"
        " itself is quick.",
        "## Functions",
        *(part for name in functions for part in _function(name, names[name])),
        "## Classes",
        *(f"`{name}`: {told}" for name, told in _ELSEWHERE.items()),
        *(part for name in classes for part in _class(names[name])),
        "## What they give",
        "These come from the functions and methods above.",
        *(part for kind in _GIVEN for part in _class(kind)),
        "## Makers of tasks",
        "Tasks to teach and to try with: `from joiner_magic.generators.zendo import zendo`. The same seed makes the same task.",
        *(part for kind in (GeneratedTask, Zendo, Tables) for part in _class(kind)),
        *(part for module in _makers() for part in _maker(module)),
    )


def _makers() -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(generators.__path__):
        if found.name != "generated_task":
            yield import_module(f"{generators.__name__}.{found.name}")


def _maker(module: ModuleType) -> Iterator[str]:
    rows = [
        (code(f"{name}{signature(thing)}"), first_paragraph(thing, f"{module.__name__}.{name}"))
        for name, thing in vars(module).items()
        if inspect.isfunction(thing) and thing.__module__ == module.__name__ and not name.startswith("_")
    ]
    if rows:
        yield f"### {module.__name__.partition('.')[2]}"
        yield first_paragraph(module, module.__name__)
        yield table(("function", "makes"), rows)


def _function(name: str, function: object) -> Iterator[str]:
    yield f"### {name}"
    yield code(f"{name}{signature(function)}")
    yield docstring(function, name)


def _class(kind: type) -> Iterator[str]:
    yield f"### {kind.__name__}"
    if (
        kind not in _GIVEN
        and inspect.isfunction(made := vars(kind).get("__init__"))
        and not is_dataclass(kind)
    ):
        yield code(f"{kind.__name__}{signature(made)}")
    yield docstring(kind, kind.__name__)
    rows = [*_fields(kind), *_members(kind)]
    if rows:
        yield table(("member", "meaning"), rows)


def _fields(kind: type) -> Iterator[tuple[str, str]]:
    for field in fields(kind):
        called = f"{kind.__name__}.{field.name}"
        if called in _WITHIN:
            continue
        if not field.comment:
            raise Unsaid(f"{called} has no comment")
        yield code(f"{field.name}: {field.type}"), sentence(field.comment)


def _members(kind: type) -> Iterator[tuple[str, str]]:
    for name, member in vars(kind).items():
        called = f"{kind.__name__}.{name}"
        if name.startswith("_") or called in _WITHIN:
            continue
        if isinstance(member, (property, cached_property)):
            getter = member.fget if isinstance(member, property) else member.func
            gives = inspect.signature(getter).return_annotation  # type: ignore[arg-type]
            yield code(f"{name}: {gives}"), first_paragraph(member, called)
        elif inspect.isfunction(member):
            yield code(f"{name}{signature(member)}"), first_paragraph(member, called)
