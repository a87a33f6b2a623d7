"""A Jupyter kernel for learning rules: IPython with the names of joiner_magic at hand."""

from __future__ import annotations

from typing import Any

from ipykernel.ipkernel import IPythonKernel

import joiner_magic


class JoinerKernel(IPythonKernel):
    """Plain Python works as ever; `Task`, `load_task`, `choose_engine` and the rest need no import."""

    implementation = "joiner"
    implementation_version = joiner_magic.__version__
    banner = f"Joiner {joiner_magic.__version__}: Python with inductive logic programming"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]  # ipykernel is only partly typed
        assert self.shell is not None, "the kernel has just made it"
        names = {name: getattr(joiner_magic, name) for name in joiner_magic.__all__}
        self.shell.push(names, interactive=False)
