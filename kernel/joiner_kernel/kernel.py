"""A Jupyter kernel for learning rules: IPython with the magics and the public names of joiner_magic loaded."""

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
    """IPython's kernel, in which `%%bk`, `%%joiner`, `Task`, `learn` and the rest are there from the start."""

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
        self.shell.input_transformers_cleanup.append(_transform_question)
        # Before the extension is loaded, which does more after an error.
        self.shell.events.register("post_run_cell", self._advise)
        # Not by IPython's own list: then `%load_ext` in a notebook for every kernel would print a warning here.
        joiner_magic.load_ipython_extension(self.shell)

    def do_inspect(  # type: ignore[override]  # ipykernel's own is no coroutine either
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """Describe the predicate under the cursor, if the session has one; anything else is left to IPython."""
        known = self._predicate_description(code, cursor_pos)
        if known is None:
            reply: dict[str, Any] = super().do_inspect(  # type: ignore[no-untyped-call]
                code, cursor_pos, detail_level, omit_sections
            )
            return reply
        return {"status": "ok", "found": True, "data": {"text/plain": known}, "metadata": {}}

    def _predicate_description(self, code: str, cursor_pos: int) -> str | None:
        """The description of the predicate under the cursor, or of the one that the cell asks for."""
        predicate = question(code)
        if predicate is not None:
            return describe(current(), str(predicate))
        cursor = Cursor.at_offset(code, cursor_pos)
        return describe_at(current(), cursor) if cursor else None

    def answer(self, asked: str) -> None:
        """Show what is known of a predicate, in IPython's pager: what a cell `name/arity?` runs."""
        from IPython.core import page

        known = describe(current(), asked)
        if known is None:
            print(f"Predicate `{asked}` not found.")  # noqa: T201  # as IPython says it of objects
        else:
            page.page(known)

    def _advise(self, result: Any) -> None:
        """Print a hint after a cell that is no Python."""
        if not isinstance(result.error_before_exec, SyntaxError):
            return
        assert self.shell is not None, "it has run the cell"
        advice = hint(result.info.raw_cell, known={*self.shell.user_ns, *dir(builtins)})
        if advice:
            print(advice, file=sys.stderr)  # noqa: T201  # below the error


def _transform_question(lines: list[str]) -> list[str]:
    """Turn a cell such as `parent/2?` into Python that answers it; other cells stay as they are."""
    predicate = question("".join(lines))
    if predicate is None:
        return lines
    return [f"get_ipython().kernel.answer({str(predicate)!r})\n"]
