"""The subcommands of `%joiner`: each is a method of `Commands`, thin over the session, and an entry of `COMMANDS`."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from joiner_magic.errors import CommandError
from joiner_magic.notebook import display
from joiner_magic.notebook.live_views import show_live
from joiner_magic.notebook.magic_arguments import MagicParser, unknown_word
from joiner_magic.notebook.run_watcher import RunWatcher
from joiner_magic.notebook.subcommands import PARTS, Subcommand, learn_parser, resume_parser, show_parser
from joiner_magic.search.option_arguments import options_of
from joiner_magic.sessions.current import current, sessions, switch
from joiner_magic.views.all import VIEWS, view

if TYPE_CHECKING:
    import argparse

    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.notebook.cell_ids import CellTracker
    from joiner_magic.notebook.config import Joiner
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.sessions.runs import Run


class Commands:
    """Carries out the subcommands for one shell, on the session that its cells speak to."""

    def __init__(self, shell: InteractiveShell, tracker: CellTracker, defaults: Joiner) -> None:
        self._shell = shell
        self._tracker = tracker
        self._defaults = defaults

    def run(self, line: str) -> Any:
        """Carry out the subcommand that a line begins with.

        A line that begins with an option is one for `learn`, and an empty line asks for the status.
        """
        name, rest = [*line.split(maxsplit=1), "", ""][:2]
        if name in ("-h", "--help"):
            return display.show(overview())
        if name.startswith("-"):
            return self.learn(line)
        if name and name not in COMMANDS:
            raise unknown_word(
                f"%joiner has no subcommand {name}", name, COMMANDS, "%joiner --help shows what there is"
            )
        return COMMANDS[name or "status"].run(self, rest.strip())

    def learn(self, line: str, bias: str = "") -> Result | Run:
        """Learn, with the options that stand on a line and with a bias for this run alone.

        Returns the result, or the run at once if it goes on in the background.
        """
        magic = "%%joiner" if bias else "%joiner learn"
        parser = learn_parser(magic)
        parser.set_defaults(**self._defaults.options())
        arguments = parser.of(line)
        watcher = self._watcher(arguments)
        cell = self._tracker.position_of(bias)
        run = current().start(
            bias, name=cell.name, line=cell.line, fresh=arguments.fresh, **options_of(arguments)
        )
        for note in run.task.notes:  # the notes on other cells were shown below those
            if note.place and note.place.text == cell.name:
                display.show(str(note))
        return watcher.watch(run, background=arguments.background)

    def learn_without_bias(self, line: str) -> Result | Run:
        """`%joiner learn`: learn with the bias of the session."""
        return self.learn(line)

    def resume(self, line: str) -> Result | Run:
        """`%joiner resume`: go on with the last run that was stopped."""
        parser = resume_parser()
        parser.set_defaults(timeout=self._defaults.timeout)
        arguments = parser.of(line)
        watcher = self._watcher(arguments)
        run = current().resume(timeout=arguments.timeout)
        return watcher.watch(run, background=arguments.background)

    def _watcher(self, arguments: argparse.Namespace) -> RunWatcher:
        """A watcher for a run, by the options of its line and the defaults of the shell."""
        return RunWatcher(
            self._shell,
            name=_variable(arguments),
            quiet=arguments.quiet or not self._defaults.progress,
            pictures=self._defaults.pictures,
        )

    def status(self, line: str) -> None:
        """`%joiner status`: show what the cells have said, and how far the run is."""
        COMMANDS["status"].word(line)
        display.show(current(), rows=self._defaults.max_rows)

    def show(self, line: str) -> None:
        """`%joiner show`: show a view of the last run, and put it in a variable if one is named."""
        arguments = show_parser().of(line)
        name = _variable(arguments)
        if arguments.view not in VIEWS:
            remedy = f"take one of {', '.join(VIEWS)}"
            raise unknown_word(f"%joiner show has no {arguments.view}", arguments.view, VIEWS, remedy)
        shown = view(arguments.view)
        if name is not None:
            self._shell.user_ns[name] = shown
        show_live(self._shell, shown)

    def explain(self, atom: str) -> None:
        """`%joiner explain`: show why the last hypothesis covers an atom or not."""
        _check_atom("explain", atom)
        display.show(current().explain(atom), rows=self._defaults.max_rows)

    def why_not(self, atom: str) -> None:
        """`%joiner why-not`: show how far each rule gets on an atom, and whether any rule could cover it."""
        _check_atom("why-not", atom)
        display.show_lines(current().why_not(atom), rows=self._defaults.max_rows)

    def compare(self, line: str) -> Any:
        """`%joiner compare`: the runs of the session side by side, as the value of the cell."""
        COMMANDS["compare"].word(line)
        return current().comparison()

    def tradeoff(self, line: str) -> Any:
        """`%joiner tradeoff`: size against errors in the last run, as the value of the cell."""
        COMMANDS["tradeoff"].word(line)
        return current().tradeoff()

    def suspicious(self, line: str) -> Any:
        """`%joiner suspicious`: the examples that the last hypothesis gets wrong, as the value of the cell."""
        COMMANDS["suspicious"].word(line)
        return current().suspicious(self._defaults.max_rows)

    def stop(self, line: str) -> None:
        """`%joiner stop`: stop the run that goes on in the background."""
        COMMANDS["stop"].word(line)
        run = current().stop()
        if run is None:
            display.show("no run is going on")
            return
        stopped = "will stop soon" if run.state == "running" else "is stopped"
        display.show(f"{run.name} {stopped}; the best so far is kept")

    def reset(self, line: str) -> None:
        """`%joiner reset`: forget one part of the session, or all of it."""
        part = COMMANDS["reset"].word(line, default="all", choices=PARTS)
        self._tracker.remember(current())
        current().reset(part)
        forgotten = "all" if part == "all" else f"the {part}"
        display.show(f"forgot {forgotten} of {current().name}")

    def save(self, line: str) -> None:
        """`%joiner save`: write the session to a file."""
        path = COMMANDS["save"].word(line)
        current().save(path)
        display.show(f"saved to {path}")

    def load(self, line: str) -> None:
        """`%joiner load`: replace the texts of the session by those of a file."""
        path = COMMANDS["load"].word(line)
        self._tracker.remember(current())
        current().load(path)
        self._tracker.keep_all_of(current())
        display.show(current(), rows=self._defaults.max_rows)

    def import_task(self, line: str) -> None:
        """`%joiner import`: replace the task of the session by that of a directory."""
        path = COMMANDS["import"].word(line)
        self._tracker.remember(current())
        display.show("\n".join(map(str, current().import_task(path))))

    def export_task(self, line: str) -> None:
        """`%joiner export`: write the task of the session to a directory."""
        path = COMMANDS["export"].word(line)
        current().export_task(path)
        display.show(f"written to {path}")

    def bias(self, line: str) -> None:
        """`%joiner bias`: print the whole bias, given and inferred."""
        COMMANDS["bias"].word(line)
        display.show(current().task(noise=True).bias.to_text().rstrip())

    def task(self, line: str) -> None:
        """`%joiner task`: switch to another session, if one is named, and list all sessions."""
        if name := COMMANDS["task"].word(line):
            before = current()
            switch(name)
            # A user's variable `session` stands for the session that cells speak to, unless it was given another value.
            if self._shell.user_ns.get("session") is before:
                self._shell.user_ns["session"] = current()
        for each in sorted(sessions()):
            display.show(f"{'*' if each == current().name else ' '} {each}")


_SUBCOMMANDS = (
    Subcommand(
        "learn",
        "[options]",
        "learn from what the cells say; %joiner learn --help has the options",
        Commands.learn_without_bias,
        own_parser=lambda: learn_parser("%joiner learn"),
    ),
    Subcommand("status", "", "what the cells have said, and how far the run is", Commands.status),
    Subcommand(
        "show",
        f"{'|'.join(VIEWS)} [-o NAME]",
        "look at the last run",
        Commands.show,
        own_parser=show_parser,
        words=lambda: tuple(VIEWS),
    ),
    Subcommand(
        "explain",
        "ATOM",
        "why the last hypothesis covers an atom, or how far each rule gets",
        Commands.explain,
        takes_atom=True,
    ),
    Subcommand(
        "why-not",
        "ATOM",
        "how far each rule gets on an atom, and whether any rule of the space can cover it",
        Commands.why_not,
        takes_atom=True,
    ),
    Subcommand("compare", "", "the runs side by side", Commands.compare),
    Subcommand(
        "tradeoff", "", "size against errors: the best known hypothesis of each size", Commands.tradeoff
    ),
    Subcommand(
        "suspicious", "", "the examples that the last hypothesis gets wrong, and why", Commands.suspicious
    ),
    Subcommand(
        "resume",
        "[--timeout N]",
        "go on with a run that was stopped",
        Commands.resume,
        own_parser=resume_parser,
    ),
    Subcommand(
        "stop", "", "stop the run that goes on in the background; the best so far is kept", Commands.stop
    ),
    Subcommand(
        "reset",
        f"[{'|'.join(PARTS)}]",
        "forget what was said, the runs, or all of it",
        Commands.reset,
        words=lambda: PARTS,
    ),
    Subcommand("save", "FILE", "write the session to a file", Commands.save),
    Subcommand("load", "FILE", "take the texts that were saved in place of these", Commands.load),
    Subcommand(
        "import",
        "DIR",
        "take the task of a directory (bk.pl, exs.pl, bias.pl, test/) in place of this one",
        Commands.import_task,
    ),
    Subcommand("export", "DIR", "write the task to bk.pl, exs.pl and bias.pl", Commands.export_task),
    Subcommand("bias", "", "print the bias in force, given and inferred, as text to copy", Commands.bias),
    Subcommand(
        "task",
        "[NAME]",
        "list the tasks of this kernel, or speak to another one from now on",
        Commands.task,
        words=sessions,
    ),
)
# The one list of subcommands, in the order of the overview.
COMMANDS: Mapping[str, Subcommand] = {command.name: command for command in _SUBCOMMANDS}


def overview() -> str:
    """What `%joiner --help` shows: each subcommand with what it takes and does."""
    calls = {command: f"{command.name} {command.takes}" for command in COMMANDS.values()}
    width = max(map(len, calls.values()))
    lines = [f"  {call.ljust(width)}  {command.does}" for command, call in calls.items()]
    return "\n".join(["usage: %joiner SUBCOMMAND …   or   %%joiner [options], with bias below", "", *lines])


def parser_of(name: str) -> MagicParser:
    """What reads the line behind the name of a subcommand."""
    return COMMANDS[name].parser()


def _check_atom(name: str, atom: str) -> None:
    """Let the parser say what is wrong where an option, or nothing, stands in the place of an atom."""
    if not atom or atom.startswith("-"):
        COMMANDS[name].word(atom)


def _variable(arguments: argparse.Namespace) -> str | None:
    """The name of the variable that a result is put in."""
    name: str | None = arguments.output
    if name is not None and (not name.isidentifier() or keyword.iskeyword(name)):
        raise CommandError(f"{name!r} is no name of a variable", remedy="give one such as -o result")
    return name
