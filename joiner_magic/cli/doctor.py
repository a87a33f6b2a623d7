"""`joiner doctor`: what is installed, what each missing part would add, and how to get it.

What can be tried is tried: a small task is learnt, and the Prolog engine, if it is there, evaluates a program.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import platform
import shutil
import site
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

from joiner_magic import __version__
from joiner_magic.errors import JoinerError

if TYPE_CHECKING:
    from joiner_magic.cli.common_arguments import Commands

BROKEN = 1

_WIDTH = 15  # of the names
_KERNEL, _EXTENSION = "joiner", "joiner-magic"
_LAB = "pip install 'joiner-magic[lab]'"
_BACKGROUND, _EXAMPLES = "p(a). p(b). q(a).", "pos(f(a)). neg(f(b))."


@dataclass(frozen=True, slots=True)
class InstalledPart:
    """A package or program that the project uses, and whether it works here."""

    name: str
    found: str = ""  # "" if it is not there
    wrong: str = ""  # what does not work
    adds: str = ""  # what it is good for
    get: str = ""  # how to get it
    needed: bool = False  # nothing works without it

    @property
    def works(self) -> bool:
        """Whether it is there, and nothing is wrong with it."""
        return bool(self.found) and not self.wrong


def add_command(commands: Commands) -> None:
    """Add the subcommand `doctor` and its arguments to the parser."""
    command = commands.add_parser("doctor", help="check the installation, and say what could be added")
    command.add_argument("--json", action="store_true", help="print what was found as one JSON object")
    command.set_defaults(run=_doctor)


def _doctor(arguments: argparse.Namespace) -> int:
    """Run `joiner doctor`: look at all parts, and say whether everything works."""
    parts = []
    for part in _parts():
        parts.append(part)
        if not arguments.json:
            _print(part)
    broken = [part.name for part in parts if part.needed and not part.works]
    if arguments.json:
        report = [{**asdict(part), "works": part.works} for part in parts]
        print(json.dumps({"works": not broken, "parts": report}, ensure_ascii=False))
    elif broken:
        print(f"\nThis does not work yet: {', '.join(broken)}.")
    elif all(part.works for part in parts):
        print("\nEverything works.")
    else:
        print("\nLearning works. The other parts are not needed; each says what it would add.")
    return BROKEN if broken else 0


def _print(part: InstalledPart) -> None:
    """Print a line for a part, and below it what it adds and how to get it, if it does not work."""
    if part.works:
        sign = "ok"
    elif part.needed or part.wrong:
        sign = "!!"
    else:
        sign = "--"
    print(f"{sign}  {part.name:<{_WIDTH}}{part.wrong or part.found or 'not found'}")
    if not part.works:
        advice = [part.adds and f"It {part.adds}.", part.get and f"To get it: {part.get}"]
        print(indent("\n".join(filter(None, advice)), " " * (_WIDTH + 4)), flush=True)


def _parts() -> Iterator[InstalledPart]:
    """All parts, each after those that it needs."""
    yield InstalledPart("Python", f"{platform.python_version()} at {sys.executable}", needed=True)
    yield InstalledPart("joiner-magic", __version__, needed=True)
    for package in ("clingo", "python-sat", "ipython", "ipywidgets", "anywidget", "graphviz"):
        yield InstalledPart(package, _version(package), get=f"pip install {package}", needed=True)
    yield InstalledPart("learning", *_try(_learn), needed=True)
    yield _lab()
    yield _kernel()
    yield _extension()
    yield from _prolog()
    dot = shutil.which("dot")
    yield InstalledPart(
        "Graphviz", dot or "", adds="saves views as PNG and PDF", get="your system's package graphviz"
    )
    yield _optional("pandas", "turns tables and DataFrames into facts and examples", "frames")
    yield _optional("scikit-learn", "splits examples for cross-validation in an example notebook", "tutorial")


def _optional(package: str, adds: str, extra: str) -> InstalledPart:
    """A package that is not needed, and the extra that installs it."""
    return InstalledPart(package, _version(package), adds=adds, get=f"pip install 'joiner-magic[{extra}]'")


def _version(package: str) -> str:
    """The installed version of a package; empty if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _try(attempt: Callable[[], str]) -> tuple[str, str]:
    """Try something: what it returns, and what went wrong; one of the two is empty."""
    try:
        return attempt(), ""
    except JoinerError as error:
        return "", error.headline
    except Exception as error:  # whatever it is, the report should say so
        return "", repr(error)


def _learn() -> str:
    """Learn a small task, and say which rule was found."""
    from joiner_magic import learn, read_task

    result = learn(read_task(_BACKGROUND, _EXAMPLES))
    return f"works: {' '.join(result.rules)}"


def _lab() -> InstalledPart:
    """A JupyterLab of another environment does not know our kernel, and `jupyter lab` may start it."""
    here = _optional("jupyterlab", "is where notebooks are opened", "lab")
    on_path = shutil.which("jupyter-lab")
    wrong = ""
    if on_path and not _is_ours(Path(on_path)):
        wrong = f"{on_path} is of another environment and does not know this one"
        if here.found:
            return replace(
                here, name="JupyterLab", wrong=wrong, get=f"{sys.executable} -m jupyterlab starts ours"
            )
    return replace(here, name="JupyterLab", wrong=wrong)


def _is_ours(path: Path) -> bool:
    """Whether a file belongs to the environment, or to the user's own packages, in which this package is installed."""
    home = Path(site.getuserbase())
    ours = [Path(sys.prefix), *([home] if Path(__file__).is_relative_to(home) else [])]
    return any(
        path.is_relative_to(prefix) or path.resolve().is_relative_to(prefix.resolve()) for prefix in ours
    )


def _kernel() -> InstalledPart:
    """The Jupyter kernel, and whether Jupyter finds ours and not one of another environment."""
    adds = "has the magics loaded, completes and describes predicates"
    if importlib.util.find_spec("jupyter_client") is None:
        return InstalledPart("kernel", adds=adds, get=_LAB)
    from jupyter_client.kernelspec import find_kernel_specs

    place = find_kernel_specs().get(_KERNEL, "")
    if place and not _is_ours(Path(place)):
        remove = f"delete {place}, or install joiner-magic there"
        return InstalledPart(
            "kernel", place, f"{place} is of another environment, and hides ours", adds, remove
        )
    return InstalledPart(
        "kernel", place, adds=adds, get="install joiner-magic again, where Jupyter is installed"
    )


def _extension() -> InstalledPart:
    """The extension for JupyterLab, and whether it is enabled."""
    part = InstalledPart("lab extension", adds="highlights cells of the magics as Prolog", get=_LAB)
    if importlib.util.find_spec("jupyter_core") is None:
        return part
    from jupyter_core.paths import jupyter_config_path, jupyter_path

    folders = (Path(path) / _EXTENSION for path in jupyter_path("labextensions"))
    place = next((folder for folder in folders if (folder / "package.json").is_file()), None)
    if place is None:
        return replace(part, get="install joiner-magic again, where JupyterLab is installed")
    for folder in jupyter_config_path():
        settings = Path(folder) / "labconfig" / "page_config.json"
        if settings.is_file() and _disables(settings):
            enable = f"jupyter labextension enable {_EXTENSION}"
            return replace(part, found=str(place), wrong=f"disabled in {settings}", get=enable)
    return replace(part, found=str(place))


def _disables(settings: Path) -> bool:
    """Whether a settings file of JupyterLab disables our extension.

    JupyterLab writes a list of names, or a dictionary from names to whether they are disabled. It ignores a file that it
    cannot read.
    """
    try:
        disabled = json.loads(settings.read_text(encoding="utf-8")).get("disabledExtensions", {})
    except (OSError, ValueError, AttributeError):
        return False
    if isinstance(disabled, dict):
        return bool(disabled.get(_EXTENSION))
    return _EXTENSION in disabled


def _prolog() -> Iterator[InstalledPart]:
    """SWI-Prolog, the package janus-swi that connects Python to it, and the engine that needs both."""
    from joiner_magic.engines.prolog.installation import NO_SWIPL, OLDEST, find_swipl, swipl_version

    adds = "evaluates background knowledge that is more than facts and simple rules"
    swipl = find_swipl()
    oldest = ".".join(map(str, OLDEST))
    if isinstance(swipl, str):
        wrong = "" if swipl == NO_SWIPL else swipl
        get = f"version {oldest} or newer, as your system's package swi-prolog or from swi-prolog.org"
        yield InstalledPart("SWI-Prolog", wrong=wrong, adds=adds, get=get)
        return
    version = ".".join(map(str, swipl_version(swipl) or ()))
    yield InstalledPart("SWI-Prolog", f"{version} at {swipl}")
    janus = _optional("janus-swi", "connects Python to SWI-Prolog, which alone is of no use here", "prolog")
    yield janus
    if janus.found:
        layers: list[str] = []
        yield InstalledPart(
            "Prolog engine",
            *_try(lambda: _ask_prolog(layers)),
            adds=adds,
            get=f"{janus.get} --force-reinstall",
        )
        yield _confinement(layers)


def _ask_prolog(layers: list[str]) -> str:
    """Let the Prolog engine evaluate a program; the layers of its confinement are added to `layers`."""
    from joiner_magic import read_program, read_task
    from joiner_magic.engines.prolog.engine import PrologEngine

    with PrologEngine.for_task(read_task(_BACKGROUND, _EXAMPLES)) as engine:
        (evaluation,) = engine.evaluate([read_program("f(A) :- q(A).")])
        layers += engine.confinement
    return "works" if evaluation.pos else ""


def _confinement(layers: Sequence[str]) -> InstalledPart:
    """The operating system's confinement of the Prolog worker, by its layers."""
    return InstalledPart(
        "confinement",
        " and ".join(layers),
        adds="would hold untrusted background knowledge a second time, besides the list of what it may call, which holds",
        get="Linux on x86-64 or aarch64, with Landlock and seccomp in its kernel",
    )
