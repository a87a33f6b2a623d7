"""`joiner doctor`: what is installed, what each missing part would add, and how to get it.

Nothing is believed that can be tried: a small task is learnt, and the Prolog engine is asked if it is there.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

from joiner_magic import __version__
from joiner_magic.errors import JoinerError

if TYPE_CHECKING:
    from joiner_magic.cli.arguments import Commands

_KERNEL, _EXTENSION = "joiner", "joiner-magic"
_LAB = "pip install 'joiner-magic[lab]'"
_BACKGROUND, _EXAMPLES = "p(a). p(b). q(a).", "pos(f(a)). neg(f(b))."


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    found: str = ""  # "" if it is not there
    wrong: str = ""  # what does not work
    adds: str = ""  # what it is good for
    get: str = ""  # how to get it
    needed: bool = False  # nothing works without it

    @property
    def works(self) -> bool:
        return bool(self.found) and not self.wrong


def add_command(commands: Commands) -> None:
    command = commands.add_parser("doctor", help="check the installation, and say what could be added")
    command.set_defaults(run=_doctor)


def _doctor(arguments: argparse.Namespace) -> int:
    broken = []
    for part in _parts():
        sign = "ok" if part.works else "!!" if part.needed or part.wrong else "--"
        print(f"{sign}  {part.name:<14}{part.wrong or part.found or 'not found'}")
        if not part.works:
            told = [part.adds and f"It {part.adds}.", part.get and f"To get it: {part.get}"]
            print(indent("\n".join(filter(None, told)), " " * 18))
            broken += [part.name] if part.needed else []
    print()
    if broken:
        print(f"This does not work yet: {', '.join(broken)}.")
        return 1
    print("Learning works. Parts marked -- are not needed; each says what it would add.")
    return 0


def _parts() -> Iterator[Part]:
    """In the order in which they rest on each other."""
    yield Part("Python", f"{platform.python_version()} at {sys.executable}", needed=True)
    yield Part("joiner-magic", __version__, needed=True)
    for package in ("clingo", "python-sat", "ipython", "ipywidgets", "anywidget", "graphviz"):
        yield Part(package, _version(package), get=f"pip install {package}", needed=True)
    yield Part("learning", *_tried(_learn), needed=True)
    yield Part("JupyterLab", _version("jupyterlab"), adds="is where notebooks are opened", get=_LAB)
    yield _kernel()
    yield _extension()
    yield _prolog()
    dot = shutil.which("dot")
    yield Part("Graphviz", dot or "", adds="saves views as PNG and PDF", get="your system's package graphviz")
    yield Part(
        "pandas",
        _version("pandas"),
        adds="turns DataFrames into facts and examples",
        get="pip install 'joiner-magic[frames]'",
    )


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _tried(attempt: Callable[[], str]) -> tuple[str, str]:
    """What it says, and what is wrong with it."""
    try:
        return attempt(), ""
    except JoinerError as error:
        return "", error.headline
    except Exception as error:  # whatever it is, this is the place to hear of it
        return "", repr(error)


def _learn() -> str:
    from joiner_magic import learn, read_task

    result = learn(read_task(_BACKGROUND, _EXAMPLES))
    return f"works: {' '.join(result.rules)}"


def _kernel() -> Part:
    adds = "has the magics loaded, completes and describes predicates"
    if importlib.util.find_spec("jupyter_client") is None:
        return Part("kernel", adds=adds, get=_LAB)
    from jupyter_client.kernelspec import find_kernel_specs

    place = find_kernel_specs().get(_KERNEL, "")
    wrong = ""
    if place and not Path(place).is_relative_to(sys.prefix):
        wrong = f"{place} belongs to another installation"
    return Part("kernel", place, wrong, adds, "install joiner-magic where Jupyter is installed")


def _extension() -> Part:
    adds = "highlights cells of the magics as Prolog"
    get = "install joiner-magic where JupyterLab is installed"
    if importlib.util.find_spec("jupyter_core") is None:
        return Part("lab extension", adds=adds, get=_LAB)
    from jupyter_core.paths import jupyter_config_path, jupyter_path

    folders = (Path(path) / _EXTENSION for path in jupyter_path("labextensions"))
    place = next((folder for folder in folders if (folder / "package.json").is_file()), None)
    for folder in jupyter_config_path():
        settings = Path(folder) / "labconfig" / "page_config.json"
        if place and settings.is_file():
            disabled = json.loads(settings.read_text(encoding="utf-8")).get("disabledExtensions", {})
            if _EXTENSION in disabled and (not isinstance(disabled, dict) or disabled[_EXTENSION]):
                enable = f"jupyter labextension enable {_EXTENSION}"
                return Part("lab extension", str(place), f"disabled in {settings}", adds, enable)
    return Part("lab extension", str(place or ""), adds=adds, get=get)


def _prolog() -> Part:
    from joiner_magic import choose_engine, read_program, read_task
    from joiner_magic.engines.prolog.installation import prolog_available, require_swipl

    adds = "evaluates background knowledge that is more than facts and simple rules"
    get = "SWI-Prolog 9.1.12 or newer, then pip install 'joiner-magic[prolog]'"
    if missing := prolog_available():
        return Part("SWI-Prolog", adds=f"{adds} ({missing})", get=get)

    def ask() -> str:
        task = read_task(_BACKGROUND, _EXAMPLES)
        with choose_engine(task, "prolog").engine as engine:
            engine.evaluate([read_program("f(A) :- q(A).")])
        return str(require_swipl())

    return Part("SWI-Prolog", *_tried(ask), adds=adds, get=get)
