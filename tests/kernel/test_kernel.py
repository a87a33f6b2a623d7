"""The kernel that the package installs, started as Jupyter starts it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import start_new_kernel

import joiner_magic


@pytest.fixture(scope="module")
def client() -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(kernel_name="joiner")
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


class Outputs(NamedTuple):
    """What a cell gave: its status, what it printed where, its error, and what it paged."""

    status: str
    printed: str
    complained: str
    error: list[str]
    paged: str


def outputs(client: BlockingKernelClient, code: str) -> Outputs:
    streams = {"stdout": "", "stderr": ""}
    error: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        content = message["content"]
        if "text" in content:
            streams[content["name"]] += content["text"]
        error.extend(content.get("traceback", ()))

    reply = client.execute_interactive(code, output_hook=hear, timeout=60)["content"]
    paged = "".join(each["data"]["text/plain"] for each in reply["payload"])
    return Outputs(reply["status"], streams["stdout"], streams["stderr"], error, paged)


def run(client: BlockingKernelClient, code: str) -> tuple[str, str]:
    """Status and printed text of a cell."""
    found = outputs(client, code)
    return found.status, found.printed


def at(code: str) -> tuple[str, int]:
    """A cell without the mark `|`, and where that was."""
    return code.replace("|", ""), code.index("|")


def test_the_kernelspec_comes_with_logos() -> None:
    spec = KernelSpecManager().get_kernel_spec("joiner")
    assert spec.display_name == "Joiner (Python + ILP)"
    logos = KernelSpecManager().get_all_specs()["joiner"]["resource_dir"]
    assert {"logo-32x32.png", "logo-64x64.png", "logo-svg.svg"} <= {
        file.name for file in Path(logos).iterdir()
    }


def test_kernel_info_names_the_project(client: BlockingKernelClient) -> None:
    info = client.kernel_info(reply=True, timeout=60)["content"]
    assert info["implementation"] == "joiner"
    assert info["implementation_version"] == joiner_magic.__version__
    assert info["language_info"]["name"] == "python"
    assert "%%joiner" in info["banner"]
    assert [link["text"] for link in info["help_links"]] == ["Python Reference", "IPython Reference"]


def test_plain_python_works(client: BlockingKernelClient) -> None:
    assert run(client, "print(sum(range(5)))") == ("ok", "10\n")


def test_the_public_names_are_there(client: BlockingKernelClient) -> None:
    code = """
task = read_task("p(1).", "pos(f(1)).", None)
print(choose_engine(task).engine.evaluate([read_program("f(A) :- p(A).")]))
"""
    assert run(client, code) == ("ok", "[Evaluation(pos=1, neg=0, complete=True)]\n")


def test_a_user_error_is_one_line_and_a_caret_not_a_traceback(client: BlockingKernelClient) -> None:
    (text,) = outputs(client, 'read_task("p(1", "pos(f(1)).")').error
    assert text.startswith("TextError: bk:1:")
    assert text.endswith("^")
    assert "Traceback" not in text


@pytest.fixture
def session(client: BlockingKernelClient) -> Iterator[BlockingKernelClient]:
    """The kernel, with a task in its session."""
    code = """
from joiner_magic.sessions.current import current, forget_all
_ = current().say("bk", "piece(a,p1). piece(b,p2). red(p1).", name="cell 1")
_ = current().examples("pos(zendo(a)). neg(zendo(b)).")
"""
    assert run(client, code) == ("ok", "")
    yield client
    run(client, "forget_all()")


@pytest.mark.parametrize(
    "cell",
    [
        "%%bk\nf(X) :- pie|ce(X,Y).",
        "%%examples\npos(pie|ce(x,y)).",
        "piece/2?|",
        "%%bias\nbody_pred(piece|,2).",
    ],
)
def test_a_predicate_is_inspected(session: BlockingKernelClient, cell: str) -> None:
    reply = session.inspect(*at(cell), reply=True, timeout=60)["content"]
    assert reply["found"]
    text = reply["data"]["text/plain"]
    assert text.startswith("piece/2: rules may use it\n  2 facts\n  defined in cell 1, line 1")
    assert "piece(a, p1)." in text


def test_objects_of_python_are_inspected_as_ever(session: BlockingKernelClient) -> None:
    reply = session.inspect(*at("prin|t"), reply=True, timeout=60)["content"]
    assert "Prints the values" in reply["data"]["text/plain"]
    assert not session.inspect(*at("no_such_thin|g"), reply=True, timeout=60)["content"]["found"]


def test_a_cell_can_ask_for_a_predicate(session: BlockingKernelClient) -> None:
    found = outputs(session, "piece/2?")
    assert found.status == "ok"
    assert "piece/2: rules may use it" in found.paged
    assert outputs(session, "piece/5?").printed == "Predicate `piece/5` not found.\n"
    assert "Prints the values" in outputs(session, "print?").paged


def test_python_is_completed_as_ever(session: BlockingKernelClient) -> None:
    reply = session.complete(*at("prin|"), reply=True, timeout=60)["content"]
    assert "print" in reply["matches"]


def test_facts_without_a_magic_get_a_hint_below_the_error(client: BlockingKernelClient) -> None:
    found = outputs(client, "edge(a,b).\nedge(b,c).")
    assert found.status == "error"
    assert "SyntaxError" in "".join(found.error)
    assert found.complained == "this looks like facts: begin the cell with %%bk\n"


@pytest.mark.parametrize("cell", ["print(1).", "x = (", "1 / 0", "undefined(1)"])
def test_mistakes_of_python_get_no_hint(client: BlockingKernelClient, cell: str) -> None:
    found = outputs(client, cell)
    assert found.status == "error"
    assert found.complained == ""


def test_the_magics_are_there_and_our_cells_are_completed(client: BlockingKernelClient) -> None:
    said = outputs(client, "%%bk\npiece(a,p1). piece(b,p2). red(p1).")
    assert said.status == "ok"
    reply = client.complete(*at("%%bk\nf(X) :- pie|, red(X)."), reply=True, timeout=60)["content"]
    assert reply["matches"] == ["piece("]
    assert (reply["cursor_start"], reply["cursor_end"]) == (13, 16)
    assert client.complete(*at("%%joiner --timeo|"), reply=True, timeout=60)["content"]["matches"] == [
        "--timeout"
    ]
    assert outputs(client, "%joiner reset").status == "ok"


def test_a_task_is_learnt_and_shown(client: BlockingKernelClient) -> None:
    outputs(client, "%%bk\nred(a). red(b). big(a). big(c).")
    outputs(client, "%%examples\npos(f(a)). neg(f(b)). neg(f(c)).")
    shown: list[dict[str, str]] = []

    def hear(message: dict[str, Any]) -> None:
        if message["msg_type"] == "execute_result":
            shown.append(message["content"]["data"])

    reply = client.execute_interactive("%%joiner\nmax_vars(2).", output_hook=hear, timeout=60)["content"]
    assert reply["status"] == "ok"
    (data,) = shown
    assert "optimal" in data["text/html"]
    assert "f(A) :- " in data["text/plain"]
    assert outputs(client, "%joiner reset").status == "ok"


def test_the_kernel_starts_where_sources_stand(tmp_path: Path) -> None:
    """As in a checkout, whose folder of sources has no native core."""
    (tmp_path / "joiner_magic").mkdir()
    (tmp_path / "joiner_magic" / "__init__.py").write_text("raise ImportError('these are sources')")
    (tmp_path / "mine.py").write_text("answer = 42")
    manager, client = start_new_kernel(kernel_name="joiner", cwd=str(tmp_path))
    try:
        assert run(client, "import mine; print(mine.answer, session.name)") == ("ok", "42 main\n")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
