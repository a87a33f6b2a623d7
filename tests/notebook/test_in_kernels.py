"""The magics in real kernels: executed notebooks, interrupts, restarts."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import nbformat
import psutil
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel
from nbclient import NotebookClient

from busy import Busy, within
from conftest import ROOT, field_task

PYRAMIDS = f"%joiner import {ROOT / 'joiner_magic' / 'examples' / 'pyramids'}"
LONG = "--source asp --no-join --max-vars 6 --max-body 10"  # a solution at once, and the rest takes minutes
WATCH = """
import threading
for thread in threading.enumerate():
    if thread.name == "joiner watch":
        thread.join()
"""  # until a run in the background and its pictures are done
WIDGET = "application/vnd.jupyter.widget-view+json"
MOST_BYTES = 200_000  # of what stays of a run


@dataclass(slots=True)
class Outputs:
    """What came out of one cell."""

    messages: list[dict[str, Any]] = field(default_factory=list)
    status: str = ""
    ended: float = 0.0

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message["content"] for message in self.messages if message["msg_type"] == kind]

    def scenes(self) -> list[dict[str, Any]]:
        """What panels were told about progress."""
        states = (content["data"].get("state", {}) for content in self.of("comm_msg"))
        return [state["progress"] for state in states if "progress" in state]

    @property
    def value(self) -> str:
        (result,) = self.of("execute_result")
        return str(result["data"]["text/plain"])


class Kernel:
    def __init__(self) -> None:
        self.manager: KernelManager
        self.client: BlockingKernelClient
        self.manager, self.client = start_new_kernel(kernel_name="python3")

    def run(self, text: str, meanwhile: Callable[[dict[str, Any]], None] = lambda _: None) -> Outputs:
        outputs = Outputs()

        def hear(message: dict[str, Any]) -> None:
            outputs.messages.append(message)
            meanwhile(message)

        reply = self.client.execute_interactive(text, output_hook=hear, timeout=60)
        outputs.status, outputs.ended = reply["content"]["status"], time.monotonic()
        return outputs

    def processes(self) -> list[psutil.Process]:
        kernel = psutil.Process(self.manager.provisioner.pid)  # type: ignore[union-attr]
        return [kernel, *kernel.children(recursive=True)]

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def one_kernel() -> Iterator[Kernel]:
    kernel = Kernel()
    yield kernel
    kernel.close()


@pytest.fixture
def kernel(one_kernel: Kernel) -> Kernel:
    """With a task, and no runs of earlier tests."""
    assert one_kernel.run(f"%load_ext joiner_magic\n%joiner reset\n{PYRAMIDS}").status == "ok"
    return one_kernel


def executed(*sources: str) -> list[nbformat.NotebookNode]:
    notebook = nbformat.v4.new_notebook()  # type: ignore[no-untyped-call]
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in sources]  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=60, kernel_name="python3", allow_errors=True).execute()
    return [cell.outputs for cell in notebook.cells]


def pictures(html: str) -> int:
    """With those of which it is said that a busy machine had no time for them."""
    return html.count("data:image/svg+xml;base64,") + html.count("would have taken too long")


def test_an_executed_notebook_is_tidy() -> None:
    _, learnt, quiet, broken, background, waited = executed(
        f"%load_ext joiner_magic\n{PYRAMIDS}",
        f"%joiner learn {LONG} --timeout 2",
        "%joiner learn --quiet",
        "%%bk\n\np(1",
        f"r = %joiner learn {LONG} --background --timeout 0.5 --fresh",
        WATCH,
    )
    panel, twin, result = learnt
    assert WIDGET in panel.data
    assert set(twin.data) == {"text/plain", "text/html"}
    assert "programs tested" in twin.data["text/plain"]
    assert "\n" not in twin.data["text/plain"]
    assert pictures(twin.data["text/html"]) == 4
    assert len(str(twin.data).encode()) < MOST_BYTES
    assert "<style>" in twin.data["text/html"]  # hides what a front end says of a widget that is missing
    assert "best" in result.data["text/plain"]
    assert [output.output_type for output in quiet] == ["execute_result"]
    (error,) = broken
    assert error.traceback[0].startswith("TextError: In [4]:3:2: ")
    _, last = background
    assert last.data["text/plain"].startswith("run ")
    assert pictures(last.data["text/html"]) == 4
    assert not waited


def test_progress_is_shown_at_once_and_not_too_often(kernel: Kernel) -> None:
    begun = time.monotonic()
    first: list[float] = []

    def hear(message: dict[str, Any]) -> None:
        if message["msg_type"] == "display_data":
            first.append(time.monotonic() - begun)

    with Busy() as busy:
        outputs = kernel.run(f"%joiner learn {LONG} --timeout 2", hear)
    assert len(first) == 2
    assert first[0] < busy.stretched(1)
    scenes = outputs.scenes()
    assert 3 <= len(scenes) <= 10 * (outputs.ended - begun) + 2
    assert [scene["state"] for scene in scenes[-2:]] == ["running", "stopped"]
    assert len(outputs.of("update_display_data")) == 2  # the last line, and then pictures below it


def test_a_whole_run_sends_little(kernel: Kernel) -> None:
    assert kernel.run(f"%joiner reset\n%joiner import {field_task('zendo3')}").status == "ok"
    outputs = kernel.run("%joiner learn")
    assert "optimal" in outputs.value
    assert len(json.dumps([message["content"] for message in outputs.messages])) < 500_000  # 2 MB are allowed
    scenes = outputs.scenes()
    assert scenes[-1]["state"] == "finished"
    assert len({json.dumps({**scene, "seconds": 0, "line": "", "spent": []}) for scene in scenes}) == len(
        scenes
    )


def test_without_a_widget_the_line_changes_and_pictures_stay(kernel: Kernel) -> None:
    kernel.run("%config Joiner.pictures = 'static'")
    outputs = kernel.run(f"%joiner learn {LONG} --timeout 1")
    kernel.run("%config Joiner.pictures = 'none'")
    none = kernel.run("%joiner learn --fresh")
    kernel.run("%config Joiner.pictures = 'live'")
    for each in (outputs, none):
        assert not each.of("comm_open")
        (shown,) = each.of("display_data")
        assert {update["transient"]["display_id"] for update in each.of("update_display_data")} == {
            shown["transient"]["display_id"]
        }
    *changing, last = outputs.of("update_display_data")
    assert len(changing) >= 3
    assert "<details" in last["data"]["text/html"]
    assert "<style>" not in last["data"]["text/html"]  # what stands before it is no panel
    assert "<details" not in none.of("update_display_data")[-1]["data"]["text/html"]


def test_where_no_widget_can_be_made_the_line_changes(kernel: Kernel) -> None:
    kernel.run("import sys; kept = sys.modules.pop('anywidget', None); sys.modules['anywidget'] = None")
    kernel.run("panel = sys.modules.pop('joiner_magic.notebook.widgets.panel', None)")
    outputs = kernel.run("%joiner learn --fresh")
    kernel.run("del sys.modules['anywidget']; sys.modules.update({'anywidget': kept} if kept else {})")
    kernel.run("sys.modules.update({'joiner_magic.notebook.widgets.panel': panel} if panel else {})")
    assert not outputs.of("comm_open")
    assert "optimal" in outputs.value
    assert outputs.of("update_display_data")[-1]["data"]["text/plain"].startswith("run 1: ")


def test_an_interrupt_while_pictures_are_made_costs_them_only(kernel: Kernel) -> None:
    slow = (
        "from joiner_magic.views.coverage.view import CoverageView as View\nimport joiner_magic.views.twin as twin, time\n"
        "before = View.to_svg, twin._MOST_SECONDS, twin._SECONDS\n"
        "View.to_svg, twin._MOST_SECONDS, twin._SECONDS = lambda view: time.sleep(5) or '', 60, 60"
    )
    assert kernel.run(slow).status == "ok"

    interrupted: list[float] = []

    def interrupt(message: dict[str, Any]) -> None:
        if message["msg_type"] == "update_display_data" and not interrupted:
            interrupted.append(time.monotonic())  # the last line, before there are pictures
            kernel.manager.interrupt_kernel()

    begun = time.monotonic()
    with Busy() as busy:
        outputs = kernel.run("%joiner learn --fresh", interrupt)
    assert outputs.ended - interrupted[0] < busy.stretched(1)
    kernel.run("View.to_svg, twin._MOST_SECONDS, twin._SECONDS = before")
    assert outputs.ended - begun < busy.stretched(4)
    assert "optimal" in outputs.value
    assert kernel.run("_joiner.status").value == "'optimal'"


@pytest.mark.parametrize("engine", ["datalog", pytest.param("prolog", marks=pytest.mark.prolog)])
def test_an_interrupt_gives_the_best_so_far_and_the_kernel_goes_on(kernel: Kernel, engine: str) -> None:
    interrupted: list[float] = []

    def interrupt(message: dict[str, Any]) -> None:
        told = message["content"].get("data", {}).get("state", {}).get("progress", {})
        if "best solution" in told.get("line", "") and not interrupted:
            interrupted.append(time.monotonic())
            kernel.manager.interrupt_kernel()

    with Busy() as busy:
        outputs = kernel.run(f"%joiner learn {LONG} --engine {engine}", interrupt)
    assert outputs.ended - interrupted[0] < busy.stretched(1)
    assert outputs.status == "ok"
    assert "best solution so far" in outputs.value
    assert kernel.run("_joiner.status").value == "'best'"
    assert "optimal" in kernel.run("%joiner learn").value


@pytest.mark.prolog
def test_an_interrupt_while_the_worker_starts_is_not_the_workers(kernel: Kernel) -> None:
    """It is sent to all processes of the kernel's group."""

    def interrupt(message: dict[str, Any]) -> None:
        if message["msg_type"] == "display_data" and WIDGET in message["content"]["data"]:  # the first sign
            kernel.manager.interrupt_kernel()

    outputs = kernel.run(f"%joiner learn --engine prolog --fresh {LONG}", interrupt)
    if outputs.status == "ok":
        assert "cancelled" in outputs.value
    else:  # on a busy machine the worker may not be there within the second that an interrupt may take
        assert [error["ename"] for error in outputs.of("error")] == ["KeyboardInterrupt"]
    assert "optimal" in kernel.run("%joiner learn --engine prolog").value


def test_a_background_run_can_be_stopped_by_its_button(kernel: Kernel) -> None:
    outputs = kernel.run(f"%joiner learn {LONG} --background")
    panel, twin = outputs.of("display_data")
    assert all("%joiner stop" in shown["data"]["text/plain"] for shown in (panel, twin))
    (opened,) = (each for each in outputs.of("comm_open") if "progress" in each["data"]["state"])
    assert opened["comm_id"] == panel["data"][WIDGET]["model_id"]
    assert opened["data"]["state"]["progress"]["can_stop"]
    asked = {"id": "1", "view": "progress", "question": "stop", "arguments": {}}
    content = {"comm_id": opened["comm_id"], "data": {"method": "custom", "content": asked}}
    kernel.client.shell_channel.send(kernel.client.session.msg("comm_msg", content))
    with Busy() as busy:
        begun = time.monotonic()
        ended = kernel.run(
            "import time\nfrom joiner_magic import session\nsession.runs[-1].wait()\ntime.sleep(0.3)"
        )
        seconds = time.monotonic() - begun
    assert seconds < busy.stretched(1 + 0.3)
    last = ended.of("update_display_data")[-1]
    assert last["transient"] == twin["transient"]
    assert WIDGET not in last["data"]


def test_an_end_between_cells_is_told_by_the_next(kernel: Kernel) -> None:
    """Whoever executes a notebook hears only what is said while a cell runs."""
    _, shown = kernel.run(f"%joiner learn {LONG} --background --timeout 0.3").of("display_data")
    time.sleep(2.5)
    (last,) = kernel.run("1").of("update_display_data")
    assert last["transient"] == shown["transient"]
    assert last["data"]["text/plain"].startswith("run 1: ")
    assert not kernel.run("1").of("update_display_data")


def test_the_front_ends_id_of_a_cell_arrives(kernel: Kernel) -> None:
    """As JupyterLab sends it."""
    for text in ("%bk p(1).", "%bk p(2)."):
        content = {"code": text, "silent": False, "store_history": True, "allow_stdin": False}
        message = kernel.client.session.msg("execute_request", content, metadata={"cellId": "abc"})
        kernel.client.shell_channel.send(message)
        assert kernel.client.get_shell_msg(timeout=60)["content"]["status"] == "ok"
    asked = "from joiner_magic import session\n[cell.text for cell in session.cells if cell.key == 'abc#1']"
    assert kernel.run(asked).value == "['p(2).']"


def test_two_kernels_do_not_see_each_other(kernel: Kernel) -> None:
    other = Kernel()
    try:
        outputs = other.run("%load_ext joiner_magic\n%joiner learn")
        (error,) = outputs.of("error")
        assert "no examples yet" in error["evalue"]
    finally:
        other.close()


@pytest.mark.parametrize("engine", ["datalog", pytest.param("prolog", marks=pytest.mark.prolog)])
@pytest.mark.parametrize("now", [True, False], ids=["killed", "asked"])
def test_a_restart_in_mid_run_leaves_nothing_behind(kernel: Kernel, engine: str, now: bool) -> None:
    kernel.run(f"%joiner learn {LONG} --background --engine {engine}")
    deadline = time.monotonic() + 10
    while len(kernel.processes()) < (2 if engine == "prolog" else 1):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    before = kernel.processes()
    kernel.manager.restart_kernel(now=now)
    kernel.client.wait_for_ready(timeout=60)
    _, left = psutil.wait_procs(before, timeout=5)
    assert not left
    assert kernel.run("1 + 1").value == "2"


def test_leaving_python_in_mid_run_ends_at_once() -> None:
    code = f"""
from joiner_magic import session
session.import_task({str(ROOT / "joiner_magic" / "examples" / "pyramids")!r})
session.start(source="asp", join=False, max_vars=6, max_body=10)
"""
    with within(10):
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
