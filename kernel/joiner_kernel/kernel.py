"""A Jupyter kernel for learning rules: IPython with the magics and the names of joiner_magic at hand."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from ipykernel.ipkernel import IPythonKernel
from traitlets import List

import joiner_magic
from joiner_kernel.hints import hint
from joiner_magic.notebook.cursor import Cursor, question
from joiner_magic.notebook.inspection import describe, describe_at
from joiner_magic.sessions.current import current


class JoinerKernel(IPythonKernel):
    """Plain Python works as ever; `%%bk`, `%%joiner`, `Task`, `learn` and the rest need no loading."""

    implementation = "joiner"
    implementation_version = joiner_magic.__version__
    banner = (
        f"Joiner {joiner_magic.__version__}: Python with inductive logic programming.\n"
        "Say a task with %%bk, %%examples and %%bias, and learn it with %%joiner."
    )
    help_links = List(
        [
            {
                "text": "Python Reference",
                "url": f"https://docs.python.org/{sys.version_info.major}.{sys.version_info.minor}",
            },
            {"text": "IPython Reference", "url": "https://ipython.readthedocs.io/en/stable/"},
        ]
    ).tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]  # ipykernel is only partly typed
        assert self.shell is not None, "the kernel has just made it"
        names = {name: getattr(joiner_magic, name) for name in joiner_magic.__all__}
        self.shell.push(names, interactive=False)
        self.shell.input_transformers_cleanup.append(_asked)
        self.shell.events.register(
            "post_run_cell", self._advise
        )  # first: the extension takes its time over errors
        # Not by IPython's own list: a notebook for every kernel says %load_ext, which must not be told off here.
        joiner_magic.load_ipython_extension(self.shell)

    def do_inspect(  # type: ignore[override]  # ipykernel's own is no coroutine either
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """A predicate of the session under the cursor; whatever else as IPython does."""
        known = self._known(code, cursor_pos)
        if known is None:
            reply: dict[str, Any] = super().do_inspect(  # type: ignore[no-untyped-call]
                code, cursor_pos, detail_level, omit_sections
            )
            return reply
        return {"status": "ok", "found": True, "data": {"text/plain": known}, "metadata": {}}

    def _known(self, code: str, cursor_pos: int) -> str | None:
        predicate = question(code)
        if predicate is not None:
            return describe(current(), str(predicate))
        cursor = Cursor.at_offset(code, cursor_pos)
        return describe_at(current(), cursor) if cursor else None

    def answer(self, asked: str) -> None:
        """What a cell `name/arity?` shows: the same in the pager that `name?` uses."""
        from IPython.core import page

        known = describe(current(), asked)
        if known is None:
            print(f"Predicate `{asked}` not found.")  # noqa: T201  # as IPython says it of objects
        else:
            page.page(known)

    def _advise(self, result: Any) -> None:
        """After a cell that Python could not read."""
        if not isinstance(result.error_before_exec, SyntaxError):
            return
        assert self.shell is not None, "it has run the cell"
        advice = hint(result.info.raw_cell, known={*self.shell.user_ns, *dir(builtins)})
        if advice:
            print(advice, file=sys.stderr)  # noqa: T201  # below the error


def _asked(lines: list[str]) -> list[str]:
    """Lets IPython run a cell that is a question, which is no Python."""
    predicate = question("".join(lines))
    if predicate is None:
        return lines
    return [f"get_ipython().kernel.answer({str(predicate)!r})\n"]
