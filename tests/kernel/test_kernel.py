"""The kernel that the package installs, started as Jupyter starts it."""

from __future__ import annotations

from collections.abc import Iterator

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


def run(client: BlockingKernelClient, code: str) -> tuple[str, str]:
    """Status and printed text of a cell."""
    printed: list[str] = []

    def hear(message: dict[str, dict[str, str]]) -> None:
        printed.append(message["content"].get("text", ""))

    reply = client.execute_interactive(code, output_hook=hear, timeout=60)
    return reply["content"]["status"], "".join(printed)


def test_the_kernelspec_comes_with_logos() -> None:
    spec = KernelSpecManager().get_kernel_spec("joiner")
    assert spec.display_name == "Joiner (Python + ILP)"
    logos = KernelSpecManager().get_all_specs()["joiner"]["resource_dir"]
    from pathlib import Path

    assert {"logo-32x32.png", "logo-64x64.png", "logo-svg.svg"} <= {
        file.name for file in Path(logos).iterdir()
    }


def test_kernel_info_names_the_project(client: BlockingKernelClient) -> None:
    info = client.kernel_info(reply=True, timeout=60)["content"]
    assert info["implementation"] == "joiner"
    assert info["implementation_version"] == joiner_magic.__version__
    assert info["language_info"]["name"] == "python"


def test_plain_python_works(client: BlockingKernelClient) -> None:
    assert run(client, "print(sum(range(5)))") == ("ok", "10\n")


def test_the_public_names_are_there(client: BlockingKernelClient) -> None:
    code = """
task = read_task("p(1).", "pos(f(1)).", None)
print(choose_engine(task).engine.evaluate([read_program("f(A) :- p(A).")]))
"""
    assert run(client, code) == ("ok", "[Evaluation(pos=1, neg=0, complete=True)]\n")


def test_a_user_error_is_one_line_and_a_caret_not_a_traceback(client: BlockingKernelClient) -> None:
    errors: list[list[str]] = []

    def hear(message: dict[str, object]) -> None:
        content = message["content"]
        assert isinstance(content, dict)
        if "traceback" in content:
            errors.append(content["traceback"])

    client.execute_interactive('read_task("p(1", "pos(f(1)).")', output_hook=hear, timeout=60)
    ((text,),) = errors
    assert text.startswith("TextError: bk:1:")
    assert text.endswith("^")
    assert "Traceback" not in text
