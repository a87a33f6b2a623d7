"""Learn big logical rules by joining small ones, in a notebook.

The public names are imported when they are first used, so that `import joiner_magic` is quick.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pkgutil import extend_path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.engines.choose import choose_engine
    from joiner_magic.engines.narrate import narrate
    from joiner_magic.errors import JoinerError
    from joiner_magic.logic.programs import Evaluation, Literal, Program, Rule
    from joiner_magic.logic.render import render_program
    from joiner_magic.search.learn import learn
    from joiner_magic.search.learner import Learner
    from joiner_magic.search.options import Options
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.search.outcome.result_json import load_result, save_result
    from joiner_magic.search.running.budget import Budget
    from joiner_magic.sessions.session import Session

    session: Session
    from joiner_magic.task.folder import load_task, save_task
    from joiner_magic.task.held_out import load_held_out
    from joiner_magic.task.infer import infer_bias
    from joiner_magic.task.reader import read_program, read_term
    from joiner_magic.task.task import Task, read_task
    from joiner_magic.task.task_json import task_from_json, task_to_json
    from joiner_magic.views.all import view

# Python that is started in a checkout finds these sources before the installed package, which has the native core.
__path__ = extend_path(__path__, __name__)
if find_spec(f"{__name__}._core") is None:
    raise ImportError(
        f"{__path__[0]} is a folder of sources, where the native core is not built: start Python, or open the notebook,"
        " in another folder, or install the package from here with pip install -e ."
    )
__version__ = "0.1.0"

__all__ = [
    "Budget",
    "Evaluation",
    "JoinerError",
    "Learner",
    "Literal",
    "Options",
    "Program",
    "Result",
    "Rule",
    "Session",
    "Task",
    "choose_engine",
    "infer_bias",
    "learn",
    "load_held_out",
    "load_result",
    "load_task",
    "narrate",
    "read_program",
    "read_task",
    "read_term",
    "render_program",
    "save_result",
    "save_task",
    "session",
    "task_from_json",
    "task_to_json",
    "view",
]

_HOMES = {
    "Budget": "search.running.budget",
    "Evaluation": "logic.programs",
    "JoinerError": "errors",
    "Learner": "search.learner",
    "Literal": "logic.programs",
    "Options": "search.options",
    "Program": "logic.programs",
    "Result": "search.outcome.result",
    "Rule": "logic.programs",
    "Session": "sessions.session",
    "Task": "task.task",
    "choose_engine": "engines.choose",
    "infer_bias": "task.infer",
    "learn": "search.learn",
    "load_held_out": "task.held_out",
    "load_result": "search.outcome.result_json",
    "load_task": "task.folder",
    "narrate": "engines.narrate",
    "read_program": "task.reader",
    "read_task": "task.task",
    "read_term": "task.reader",
    "render_program": "logic.render",
    "save_result": "search.outcome.result_json",
    "save_task": "task.folder",
    "task_from_json": "task.task_json",
    "task_to_json": "task.task_json",
    "view": "views.all",
}


def __getattr__(name: str) -> Any:
    if name == "session":  # the one that cells speak to now
        return import_module(f"{__name__}.sessions.current").current()
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def load_ipython_extension(shell: InteractiveShell) -> None:
    """`%load_ext joiner_magic`."""
    import_module(f"{__name__}.notebook.extension").load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """`%unload_ext joiner_magic`."""
    import_module(f"{__name__}.notebook.extension").unload(shell)
