"""Cells of a real kernel, interrupted at random moments as a front end does it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

import joiner_magic
from faults.outcomes import LOST, Outcome

PYRAMIDS = Path(joiner_magic.__file__).parent / "examples" / "pyramids"
SETUP = """
import joiner_magic
%load_ext joiner_magic
places = [f"place{n}" for n in range(3000)]
facts = " ".join(f"road({a},{b})." for a in places[::15] for b in places[::5])
"""
IMPORT = f"%joiner reset\n%joiner import {PYRAMIDS}\n"
LONG = "--max-vars 6 --max-body 10"
# What is run before, the cell itself, and for how many seconds that works at most.
CELLS: dict[str, tuple[str, str, float]] = {
    "cell: bk": ("", "get_ipython().run_cell_magic('bk', '', facts)", 0.3),
    "cell: import": ("", f"%joiner import {PYRAMIDS}", 0.1),
    "cell: learn": ("IMPORT", f"%joiner learn --fresh {LONG} --source asp", 2.0),
    "cell: no join": ("IMPORT", f"%joiner learn --fresh {LONG} --source asp --no-join", 2.0),
    "cell: every rule": (
        "IMPORT", "%joiner learn --fresh --max-vars 6 --max-body 6 --allow-splittable --every-rule", 3.0,
    ),
    "cell: resume": ("LEARN", "%joiner resume", 1.0),
    "cell: show lattice": ("LEARN", "%joiner show lattice", 0.5),
    "cell: show coverage": ("LEARN", "%joiner show coverage", 0.3),
    "cell: explain": ("LEARN", "%joiner explain follows(scene1)", 0.1),
    "cell: save": ("LEARN", "%joiner save /dev/null", 0.05),
}  # fmt: skip
EARLIEST = (
    0.02  # seconds: a kernel that is interrupted before it has called the cell's code sends no reply at all
)
BEFORE = {
    "": "",
    "IMPORT": IMPORT,
    "LEARN": f"{IMPORT}%joiner learn {LONG} --source asp --timeout 1 --quiet",
}
WORKS = """
_ = joiner_magic.learn(joiner_magic.read_task("p(a).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1)."))
assert _.optimal
"""


class Kernel:
    """A kernel to be interrupted."""

    def __init__(self) -> None:
        self.manager: KernelManager
        self.client: BlockingKernelClient
        self.manager, self.client = start_new_kernel(kernel_name="python3")
        assert self.run(SETUP) == "ok"

    def run(self, text: str, timeout: float = 120) -> str:
        """How a cell ended. One that came while the kernel was still leaving others out is sent again."""
        for _ in range(3):
            status = str(self._reply(self.client.execute(text), timeout)["content"]["status"])
            if status != "aborted":
                break
        return status

    def interrupted_in(self, text: str, moment: float) -> tuple[float | None, str]:
        """Seconds from the interrupt to the reply, None if the cell was over before; and how it ended."""
        asked = self.client.execute(text)
        self._begun(asked)
        time.sleep(max(moment, EARLIEST))
        sent = time.monotonic()
        self.manager.interrupt_kernel()
        reply = self._reply(asked, LOST)
        # The clocks of both processes are the same; the reply says when the cell ended.
        ended = time.monotonic() - (time.time() - reply["header"]["date"].timestamp())
        content = reply["content"]
        how = content["status"] if content["status"] == "ok" else content["ename"]
        return (None if ended < sent else ended - sent), how

    def _begun(self, asked: str) -> None:
        """Wait until the kernel says that it runs the cell: an interrupt before that is for no cell of ours."""
        while True:
            message = self.client.get_iopub_msg(timeout=LOST)
            if message["parent_header"].get("msg_id") == asked and message["msg_type"] == "execute_input":
                return

    def _reply(self, asked: str, timeout: float) -> dict[str, Any]:
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            try:
                reply: dict[str, Any] = self.client.get_shell_msg(timeout=0.5)
            except Empty:
                if not self.manager.is_alive():
                    raise ChildProcessError("the kernel died") from None
                continue
            if reply["parent_header"].get("msg_id") == asked:
                return reply
        raise TimeoutError("the interrupt was lost")

    @property
    def pid(self) -> int:
        return int(self.manager.provisioner.pid)  # type: ignore[union-attr]

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


def interrupt_cells(count: int, seed: int) -> Iterator[Outcome]:
    rng = random.Random(seed)
    kernel = Kernel()
    names = list(CELLS)
    try:
        for number in range(count):
            name = names[number % len(names)]
            before, cell, most = CELLS[name]
            kernel.run(BEFORE[before])
            moment = rng.uniform(0, most)
            try:
                seconds, how = kernel.interrupted_in(cell, moment)
            except (TimeoutError, ChildProcessError) as fault:
                yield Outcome(name, moment, LOST, "nothing", fault=str(fault))
                kernel.close()
                kernel = Kernel()
                continue
            wrong = "" if how in ("ok", "KeyboardInterrupt") else f"the cell raised {how}"
            if kernel.run(WORKS) != "ok":
                wrong = "the next cell did not work"
            yield Outcome(name, moment, seconds, how, fault=wrong)
    finally:
        kernel.close()
