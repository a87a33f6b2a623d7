"""Behind a cell that fails nothing runs, in every kernel; a client that waits for its answer is not kept from it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from busy import within

# Each within milliseconds, and the last before it is run at all.
FAILING = ("%%bk\np(", "%bk --nonsense", "nonsense", "p(a).")


@pytest.fixture(scope="module", params=["joiner", "python3"])
def client(request: pytest.FixtureRequest) -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(kernel_name=request.param)
    client.execute("%load_ext joiner_magic", reply=True, timeout=60)
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def status(client: BlockingKernelClient) -> str:
    answer: str = client.get_shell_msg(timeout=60)["content"]["status"]
    return answer


@pytest.mark.parametrize("failing", FAILING)
def test_what_arrives_late_is_not_run(client: BlockingKernelClient, failing: str) -> None:
    """As with Run All, where the cells come one by one."""
    client.execute(failing)
    time.sleep(0.3)
    client.execute("print('not reached')")
    assert [status(client), status(client)] == ["error", "aborted"]


def test_what_is_sent_behind_the_answer_is_run(client: BlockingKernelClient) -> None:
    for _ in range(2):
        client.execute("%%bk\np(")
        assert status(client) == "error"
        client.execute("1")
        assert status(client) == "ok"


def test_the_error_is_shown_while_the_answer_waits(client: BlockingKernelClient) -> None:
    request = client.execute("%%bk\np(")
    message = client.get_iopub_msg(timeout=60)
    while (message["msg_type"], message["parent_header"].get("msg_id")) != ("error", request):
        message = client.get_iopub_msg(timeout=60)
    shown = time.monotonic()
    assert status(client) == "error"
    assert time.monotonic() > shown + 0.3


def test_cells_that_may_fail_keep_nobody_waiting(client: BlockingKernelClient) -> None:
    with within(2):
        for _ in range(3):
            client.execute("%%bk\np(", stop_on_error=False)
        client.execute("1")
        assert [status(client) for _ in range(4)] == ["error", "error", "error", "ok"]
