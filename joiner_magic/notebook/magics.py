"""The magics: `%%bk`, `%%examples` and `%%bias` describe a task, and `%%joiner` learns from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand

from joiner_magic.errors import CommandError, JoinerError
from joiner_magic.notebook import display
from joiner_magic.notebook.commands import Commands
from joiner_magic.notebook.magic_arguments import HelpRequested, MagicParser
from joiner_magic.notebook.run_all import interruptible_cell
from joiner_magic.sessions.current import current

if TYPE_CHECKING:
    import argparse

    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.notebook.cell_ids import CellTracker
    from joiner_magic.notebook.config import Joiner
    from joiner_magic.sessions.cells import Kind

# For each kind of text, the kind of texts that are held out from learning.
_HELD_OUT: dict[Kind, Kind] = {"bk": "test bk", "examples": "test"}
_MEANING: dict[Kind, str] = {
    "bk": "Background knowledge: facts and rules of Prolog.",
    "examples": "Examples: pos(atom). and neg(atom).",
    "bias": "Bias: which rules may be learnt.",
}


@magics_class
class JoinerMagics(Magics):
    """The four magics of a shell. Their docstrings are the help that IPython shows."""

    def __init__(self, shell: InteractiveShell, tracker: CellTracker, defaults: Joiner) -> None:
        super().__init__(shell)
        self._tracker = tracker
        self._defaults = defaults
        self._commands = Commands(shell, tracker, defaults)

    @no_var_expand
    @line_cell_magic
    def bk(self, line: str, cell: str | None = None) -> None:
        r"""Add background knowledge to the task: facts and rules.

        A cell that is run again takes the place of what it said before.

            %%bk
            has_car(t1,c1). has_car(t1,c2). short(c1).
            long(C) :- has_car(_,C), \+ short(C).

            %bk short(c7).               one line
            %bk --file bk.pl             the text of a file
            %%bk --name cars             replace the text that was given under this name
            %%bk --replace               forget all other background knowledge
            %%bk --test                  for held-out examples, which then see only this
            %bk                          show what there is

        `%bk --help` has all options.
        """
        self._say("bk", line, cell)

    @no_var_expand
    @line_cell_magic
    def examples(self, line: str, cell: str | None = None) -> None:
        """Add examples to the task: atoms that hold and atoms that do not.

        A cell that is run again takes the place of what it said before.

            %%examples
            pos(east(t1)). pos(east(t2)).
            neg(east(t3)).

            %examples pos(east(t7)).     one line
            %examples --file exs.pl      what a file says
            %%examples --test            held-out examples, to measure what was learnt
            %%examples --name easy       replace the text that was given under this name
            %%examples --replace         forget all other examples
            %examples                    show what there is

        `%examples --help` has all options.
        """
        self._say("examples", line, cell)

    @no_var_expand
    @line_cell_magic
    def bias(self, line: str, cell: str | None = None) -> None:
        """Say which rules may be learnt; what is not said is inferred from the examples and the background.

        A cell that is run again takes the place of what it said before.

            %%bias
            head_pred(east,1). body_pred(has_car,2). body_pred(short,1).
            max_vars(4). max_body(6).

            %bias enable_recursion.      one line
            %bias --file bias.pl         the text of a file
            %bias                        show what was said
            %joiner bias                 show the whole bias, inferred parts too

        `%bias --help` has all options.
        """
        self._say("bias", line, cell)

    @no_var_expand
    @line_cell_magic
    def joiner(self, line: str, cell: str | None = None) -> Any:
        """Learn a program from what the cells have said; the body is bias for this run alone.

            %%joiner --timeout 60
            max_vars(5). max_body(8).

            %joiner learn --timeout 60   without a body
            %%joiner --background        return at once; stop with the button or %joiner stop
            %%joiner -o east             put the result in the variable east, and always in _joiner
            %joiner status               what there is, and how far the run is
            %joiner resume               go on with a run that was stopped
            %joiner explain east(t1)     why, or why not
            %joiner compare              what a change of the bias did

        `%joiner learn --help` has all options, `%joiner --help` all subcommands.
        """
        with interruptible_cell():
            try:
                if cell is None:
                    return self._commands.run(line)
                return self._commands.learn(line, cell)
            except HelpRequested as asked:
                return display.show(str(asked))

    def _say(self, kind: Kind, line: str, cell: str | None) -> None:
        """Run one of the magics that take a text of the task."""
        with interruptible_cell():
            self._add_or_show(kind, line, cell)

    def _add_or_show(self, kind: Kind, line: str, cell: str | None) -> None:
        """Add what the cell or the line says to the session, or show what there is if they say nothing."""
        try:
            arguments, text = text_parser(kind, "%" if cell is None else "%%").before_text(line)
        except HelpRequested as asked:
            return display.show(str(asked))
        if arguments.test:
            kind = _HELD_OUT[kind]
        _check(kind, arguments, text, cell)
        if text or cell or arguments.file:
            self._add(kind, arguments, text or cell or "")
        if arguments.show or not (text or cell or arguments.file):
            display.show_cells(current(), kind, rows=self._defaults.max_rows)
        return None

    def _add(self, kind: Kind, arguments: argparse.Namespace, text: str) -> None:
        """Add a text, or a file that the arguments name, to the session."""
        session = current()
        self._tracker.remember(session)
        name = arguments.name
        key = self._tracker.key_of(name, kind, session) if name else self._tracker.key()
        if arguments.file:
            display.show(session.say_file(kind, arguments.file, key=key, replace=arguments.replace))
            return
        position = self._tracker.position_of(text, name=name)
        try:
            said = session.say(
                kind, text, key=key, name=position.name, line=position.line, replace=arguments.replace
            )
        except JoinerError as error:
            error.place = position.place(error.place)
            raise
        display.show(said)


def text_parser(kind: Kind, sign: str = "%%") -> MagicParser:
    """The parser of a magic that takes a text of this kind."""
    parser = MagicParser(f"{sign}{kind}", _MEANING[kind])
    parser.add_argument("--file", metavar="PATH", help="take the text from a file")
    parser.add_argument("--name", help="replace the text that was given under this name")
    parser.add_argument("--replace", action="store_true", help="forget all other texts of this kind")
    parser.add_argument("--show", action="store_true", help="show all texts of this kind, with this one")
    if kind in _HELD_OUT:
        parser.add_argument("--test", action="store_true", help="hold it out from learning, to measure with")
    parser.set_defaults(test=False)
    return parser


def _check(kind: Kind, arguments: argparse.Namespace, text: str, cell: str | None) -> None:
    """Raise CommandError unless the line and the cell give at most one text, and options that fit it."""
    if cell is not None and text:
        raise CommandError(
            f"the first line of the cell takes options only, not {text}", remedy="write it in the lines below"
        )
    if arguments.file and (text or (cell or "").strip()):
        raise CommandError("both a file and a text are given", remedy="give one of them")
    if arguments.replace and not (text or cell or arguments.file):
        raise CommandError(
            "there is nothing to replace with", remedy=f"%joiner reset {kind.split()[0]} forgets it"
        )
