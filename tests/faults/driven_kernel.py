"""A real kernel that is driven as a front end does: cells with ids, panels that are asked, interrupts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

import psutil
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

Message: TypeAlias = dict[str, Any]
_PATIENCE = 60  # seconds for a cell or an answer


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a cell."""

    status: str
    messages: list[Message] = field(default_factory=list)

    @property
    def panel(self) -> str | None:
        """The last panel that the cell has opened."""
        opened = [m["content"] for m in self.messages if m["msg_type"] == "comm_open"]
        panels = [c["comm_id"] for c in opened if "views" in c["data"].get("state", {})]
        return panels[-1] if panels else None


class DrivenKernel:
    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self._manager = manager
        self._client = client
        self._questions = count(1)

    @property
    def process(self) -> psutil.Process:
        return psutil.Process(self._manager.provisioner.pid)  # type: ignore[union-attr]

    def run(self, text: str, cell: str, meanwhile: Callable[[Message], None] = lambda _: None) -> Ran:
        """Run a cell to its end."""
        content = {"code": text, "silent": False, "store_history": True, "stop_on_error": True}
        sent = self._send("execute_request", content | {"user_expressions": {}, "allow_stdin": False}, cell)
        messages: list[Message] = []
        for message in self._said_for(sent):
            messages.append(message)
            meanwhile(message)
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
        while (reply := self._client.get_shell_msg(timeout=_PATIENCE))["parent_header"]["msg_id"] != sent:
            pass
        return Ran(reply["content"]["status"], messages)

    def ask(self, panel: str, view: str, question: str, **arguments: object) -> Message | None:
        """What a panel answers; None if it is not there any more."""
        number = next(self._questions)
        asked = {"id": number, "view": view, "question": question, "arguments": arguments}
        data = {"method": "custom", "content": asked}
        sent = self._send("comm_msg", {"comm_id": panel, "data": data})
        answer: Message | None = None
        for message in self._said_for(sent):
            said = message["content"].get("data", {}).get("content", {})
            if message["msg_type"] == "comm_msg" and said.get("id") == number:
                answer = said
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return answer
        return answer

    def interrupt(self) -> None:
        self._manager.interrupt_kernel()

    def _send(self, kind: str, content: Message, cell: str | None = None) -> str:
        message = self._client.session.msg(kind, content, metadata={"cellId": cell} if cell else {})
        self._client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def _said_for(self, request: str) -> Iterator[Message]:
        deadline = time.monotonic() + _PATIENCE
        while True:
            message = self._client.get_iopub_msg(timeout=max(0.1, deadline - time.monotonic()))
            if message["parent_header"].get("msg_id") == request:
                yield message


@contextmanager
def driven_kernel() -> Iterator[DrivenKernel]:
    """A new kernel, which ends with the block."""
    manager, client = start_new_kernel(kernel_name="python3")
    try:
        yield DrivenKernel(manager, client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
