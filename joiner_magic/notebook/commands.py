"""`%joiner SUBCOMMAND`: one method each, thin over the session."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, Any

from joiner_magic.errors import CommandError
from joiner_magic.notebook import display
from joiner_magic.notebook.live_views import show_live
from joiner_magic.notebook.magic_arguments import MagicParser, unknown_word
from joiner_magic.notebook.run_watcher import RunWatcher
from joiner_magic.search.option_arguments import add_options, options_of
from joiner_magic.sessions.current import current, sessions, switch
from joiner_magic.views.all import VIEWS, view

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.notebook.cell_ids import CellTracker
    from joiner_magic.notebook.config import Joiner
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.sessions.runs import Run

PARTS = ("bk", "examples", "bias", "test", "runs", "all")

# What each takes, and what it does.
COMMANDS = {
    "learn": ("[options]", "learn from what the cells say; %joiner learn --help has the options"),
    "status": ("", "what the cells have said, and how far the run is"),
    "show": (f"{'|'.join(VIEWS)} [-o NAME]", "look at the last run"),
    "explain": ("ATOM", "why the last hypothesis covers an atom, or how far each rule gets"),
    "why-not": ("ATOM", "how far each rule gets on an atom, and whether any rule of the space can cover it"),
    "compare": ("", "the runs side by side"),
    "resume": ("[--timeout N]", "go on with a run that was stopped"),
    "stop": ("", "stop the run that goes on in the background; the best so far is kept"),
    "reset": (f"[{'|'.join(PARTS)}]", "forget what was said, the runs, or all of it"),
    "save": ("FILE", "write the session to a file"),
    "load": ("FILE", "take the texts that were saved in place of these"),
    "import": ("DIR", "take the task of a directory (bk.pl, exs.pl, bias.pl, test/) in place of this one"),
    "export": ("DIR", "write the task to bk.pl, exs.pl and bias.pl"),
    "bias": ("", "print the bias in force, given and inferred, as text to copy"),
    "task": ("[NAME]", "list the tasks of this kernel, or speak to another one from now on"),
}


def overview() -> str:
    width = max(len(f"{name} {takes}") for name, (takes, _) in COMMANDS.items())
    lines = [f"  {f'{name} {takes}'.ljust(width)}  {does}" for name, (takes, does) in COMMANDS.items()]
    return "\n".join(["usage: %joiner SUBCOMMAND …   or   %%joiner [options], with bias below", "", *lines])


class Commands:
    def __init__(self, shell: InteractiveShell, tracker: CellTracker, defaults: Joiner) -> None:
        self._shell = shell
        self._tracker = tracker
        self._defaults = defaults

    def run(self, line: str) -> Any:
        """The subcommand that a line begins with; options alone are those of `learn`."""
        name, rest = [*line.split(maxsplit=1), "", ""][:2]
        if name in ("-h", "--help"):
            return display.show(overview())
        if name.startswith("-"):
            return self.learn(line)
        if name and name not in COMMANDS:
            raise unknown_word(
                f"%joiner has no subcommand {name}", name, COMMANDS, "%joiner --help shows what there is"
            )
        return getattr(self, f"_{name.replace('-', '_') or 'status'}")(rest.strip())

    def learn(self, line: str, bias: str = "") -> Result | Run:
        """Learn with the options of a line and a bias for this run."""
        magic = "%%joiner" if bias else "%joiner learn"
        parser = learn_parser(magic)
        parser.set_defaults(**self._defaults.options())
        arguments = parser.of(line)
        watcher = self._watcher(arguments)
        cell = self._tracker.position_of(bias)
        run = current().start(
            bias, name=cell.name, line=cell.line, fresh=arguments.fresh, **options_of(arguments)
        )
        for note in run.task.notes:  # those on other cells were told there
            if note.place and note.place.text == cell.name:
                display.show(str(note))
        return watcher.watch_in_background(run) if arguments.background else watcher.wait_for_result(run)

    def _learn(self, line: str) -> Result | Run:
        return self.learn(line)

    def _resume(self, line: str) -> Result | Run:
        parser = resume_parser()
        parser.set_defaults(timeout=self._defaults.timeout)
        arguments = parser.of(line)
        watcher = self._watcher(arguments)
        run = current().resume(timeout=arguments.timeout)
        return watcher.watch_in_background(run) if arguments.background else watcher.wait_for_result(run)

    def _watcher(self, arguments: argparse.Namespace) -> RunWatcher:
        return RunWatcher(
            self._shell,
            name=_variable(arguments),
            quiet=arguments.quiet or not self._defaults.progress,
            pictures=self._defaults.pictures,
        )

    def _status(self, line: str) -> None:
        _argument("status", line)
        display.show(current(), rows=self._defaults.max_rows)

    def _show(self, line: str) -> None:
        arguments = show_parser().of(line)
        name = _variable(arguments)
        if arguments.view not in VIEWS:
            known = f"take one of {', '.join(VIEWS)}"
            raise unknown_word(f"%joiner show has no {arguments.view}", arguments.view, VIEWS, known)
        shown = view(arguments.view)
        if name is not None:
            self._shell.user_ns[name] = shown
        show_live(self._shell, shown)

    def _explain(self, atom: str) -> None:
        if not atom or atom.startswith("-"):
            _argument("explain", atom)  # says what is missing
        display.show(current().explain(atom), rows=self._defaults.max_rows)

    def _why_not(self, atom: str) -> None:
        if not atom or atom.startswith("-"):
            _argument("why-not", atom)  # says what is missing
        display.show_lines(current().why_not(atom), rows=self._defaults.max_rows)

    def _compare(self, line: str) -> Any:
        _argument("compare", line)
        return current().comparison()

    def _stop(self, line: str) -> None:
        _argument("stop", line)
        run = current().stop()
        if run is None:
            display.show("no run is going on")
        else:
            stopped = "will stop soon" if run.state == "running" else "is stopped"
            display.show(f"{run.name} {stopped}; the best so far is kept")

    def _reset(self, line: str) -> None:
        what = _argument("reset", line, default="all", choices=PARTS)
        self._tracker.remember(current())
        current().reset(what)
        display.show(f"forgot {'all' if what == 'all' else f'the {what}'} of {current().name}")

    def _save(self, line: str) -> None:
        path = _argument("save", line)
        current().save(path)
        display.show(f"saved to {path}")

    def _load(self, line: str) -> None:
        path = _argument("load", line)
        self._tracker.remember(current())
        current().load(path)
        self._tracker.keep_all_of(current())
        display.show(current(), rows=self._defaults.max_rows)

    def _import(self, line: str) -> None:
        path = _argument("import", line)
        self._tracker.remember(current())
        display.show("\n".join(map(str, current().import_task(path))))

    def _export(self, line: str) -> None:
        path = _argument("export", line)
        current().export_task(path)
        display.show(f"written to {path}")

    def _bias(self, line: str) -> None:
        _argument("bias", line)
        display.show(current().task().bias.to_text().rstrip())

    def _task(self, line: str) -> None:
        if name := _argument("task", line):
            before = current()
            switch(name)
            if (
                self._shell.user_ns.get("session") is before
            ):  # the name stands for the one that cells speak to
                self._shell.user_ns["session"] = current()
        for each in sorted(sessions()):
            display.show(f"{'*' if each == current().name else ' '} {each}")


def _variable(arguments: argparse.Namespace) -> str | None:
    name: str | None = arguments.output
    if name is not None and (not name.isidentifier() or keyword.iskeyword(name)):
        raise CommandError(f"{name!r} is no name of a variable", remedy="give one such as -o result")
    return name


def learn_parser(magic: str = "%%joiner") -> MagicParser:
    parser = _watched(
        magic, "Learn from what the cells have said. The body of %%joiner is bias for this run."
    )
    parser.add_argument("--fresh", action="store_true", help="reuse nothing of earlier runs")
    add_options(parser)
    return parser


def resume_parser() -> MagicParser:
    parser = _watched("%joiner resume", "Go on with the last run where it was stopped.")
    parser.add_argument("--timeout", type=float, metavar="N", help="seconds from now")
    return parser


def show_parser() -> MagicParser:
    parser = MagicParser("%joiner show", "Look at the last run.")
    parser.add_argument("view", metavar="|".join(VIEWS), help="from which side")
    parser.add_argument("-o", dest="output", metavar="NAME", help="put the view in this variable too")
    return parser


def parser_of(command: str) -> MagicParser:
    """What a subcommand takes on its line."""
    own = {"learn": lambda: learn_parser("%joiner learn"), "resume": resume_parser, "show": show_parser}
    return own[command]() if command in own else _worded(command)


def _watched(magic: str, description: str) -> MagicParser:
    parser = MagicParser(magic, description)
    parser.add_argument("-o", dest="output", metavar="NAME", help="put the result in this variable too")
    parser.add_argument("--background", action="store_true", help="return at once; other cells can run")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser


def _worded(command: str) -> MagicParser:
    """Of a subcommand that takes one word, or none."""
    takes, explanation = COMMANDS[command]
    parser = MagicParser(f"%joiner {command}", f"{explanation[0].upper()}{explanation[1:]}.")
    if takes:
        optional = takes.startswith("[")
        parser.add_argument("word", metavar=takes.strip("[]"), nargs="?" if optional else None)
    return parser


def _argument(command: str, line: str, *, default: str = "", choices: Sequence[str] = ()) -> str:
    """The one word that a subcommand takes, the default where it is left out."""
    word = str(getattr(_worded(command).of(line), "word", None) or default)
    if choices and word not in choices:
        known = f"take one of {', '.join(choices)}"
        raise unknown_word(f"%joiner {command} has no {word}", word, choices, known)
    return word
