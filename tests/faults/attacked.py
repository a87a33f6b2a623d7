"""Attacks, each in a process of its own that is what a worker is, and what became of them.

Run as a script: the first argument says which layers stand ("list", "confinement", "list,confinement" or ""), the second
which attacks of attacks.py are tried, and a third, "another", that they are tried as another user than root. SWI-Prolog is started once, as a worker starts it, and the process forks for every
attack; the parent then looks whether anything has happened. It prints one JSON line for each attack.
"""

from __future__ import annotations

import contextlib
import ctypes  # noqa: F401 - here and below: for attacks that import it when nothing can be read any more
import fcntl  # noqa: F401
import json
import mmap  # noqa: F401
import os
import resource  # noqa: F401
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from faults import attacks
from faults.attacks import Attack
from joiner_magic import read_program, read_task
from joiner_magic.engines.prolog import confinement, worker
from joiner_magic.engines.prolog.codec import program_tokens, terms_tokens
from joiner_magic.engines.prolog.engine import LIMIT, OVERRUNS
from joiner_magic.errors import JoinerError

LIBRARIES = (
    "process",
    "filesex",
    "socket",
    "readutil",
    "unix",
    "time",
    "thread",
    "when",
    "aggregate",
    "yall",
    "uuid",
    "apply",
)
PATIENCE = 10.0
SETTLED = 0.03  # seconds until what an attack has started has happened
SECRET = "JOINER_SECRET"
NOBODY = 65534


class Bait:
    """Files, a process and a port that an attack would touch."""

    def __init__(self, another: bool) -> None:
        self.owner = NOBODY if another else os.geteuid()
        self.folder = Path(tempfile.mkdtemp(prefix="attacked"))
        self.made, self.keep, self.secret, self.evil = (
            self.folder / name for name in ("made", "keep", "secret.pl", "evil.pl")
        )
        self.secret.write_text("swordfish.\n")
        self.evil.write_text(f":- shell('touch {self.made}').\n")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.setblocking(False)
        os.chown(self.folder, self.owner, -1)
        self.victim = self._new_victim()
        self.lay()

    def lay(self) -> None:
        if self.made.is_dir() and not self.made.is_symlink():
            shutil.rmtree(self.made)
        self.made.unlink(missing_ok=True)
        self.keep.unlink(missing_ok=True)
        self.keep.write_text("as it was")
        self.keep.chmod(0o600)
        os.chown(self.keep, self.owner, -1)
        os.utime(self.keep, (1e9, 1e9))
        if self.victim.poll() is not None:
            self.victim = self._new_victim()

    def _new_victim(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(["sleep", "600"], env={SECRET: "swordfish"}, user=self.owner)

    def names(self) -> dict[str, str]:
        paths = {name: str(getattr(self, name)) for name in ("folder", "made", "keep", "secret", "evil")}
        return {**paths, "victim": str(self.victim.pid), "port": str(self.listener.getsockname()[1])}

    def happened(self) -> list[str]:
        """What has become of it all."""
        found = []
        if self.made.exists() or self.made.is_symlink():
            found.append("a file was made")
        if not self.keep.exists() or self.keep.read_text() != "as it was":
            found.append("a file was changed")
        elif (status := self.keep.stat()).st_mtime != 1e9 or status.st_mode & 0o777 != 0o600:
            found.append("the attributes of a file were changed")
        if self.victim.poll() is not None or _stopped(self.victim.pid):
            found.append("a process was ended or stopped")
        with contextlib.suppress(BlockingIOError):
            self.listener.accept()[0].close()
            found.append("a connection was made")
        return found

    def remove(self) -> None:
        self.victim.kill()
        self.victim.wait()
        shutil.rmtree(self.folder)


def _stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "Tt"


def main(layers: str, family: str, user: str) -> None:
    listed, confined = "list" in layers, "confinement" in layers
    os.environ[SECRET] = "swordfish"
    prolog = worker._start_prolog([] if listed else _available())
    import janus_swi

    janus_swi.cmd("system", "set_prolog_gc_thread", "false")
    bait = Bait(another=user == "another")
    try:
        for attack in getattr(attacks, family):
            bait.lay()
            real = attack.on(**bait.names())
            outcome = _tried(prolog, real, bait, listed=listed, confined=confined)
            if outcome["answers"] is None or outcome["answers"][0][0] != "refused":
                time.sleep(SETTLED)
            outcome |= {"attack": [real.background, real.program, real.example], "happened": bait.happened()}
            print(json.dumps(outcome), flush=True)
    finally:
        bait.remove()


def _available() -> list[str]:
    """Those libraries that this SWI-Prolog has; what a worker has loaded an attack need not read."""
    import janus_swi

    found = "absolute_file_name(library(L),_,[file_type(prolog),access(read),file_errors(fail)])"
    return [name for name in LIBRARIES if janus_swi.query_once(found, {"L": name})["truth"]]


def _tried(prolog: Any, attack: Attack, bait: Bait, *, listed: bool, confined: bool) -> dict[str, Any]:
    try:
        task = read_task("b(a).", f"pos({attack.example}).", "")
        tokens, program = terms_tokens(task.examples.pos), program_tokens(read_program(attack.program))
    except JoinerError as error:  # it does not get as far as the worker
        return {"answers": [["refused", "text", error.message]]}
    receive, send = os.pipe()
    if not (child := os.fork()):
        with contextlib.suppress(BaseException):
            os.setsid()
            os.close(receive)
            bait.listener.close()
            _quiet()
            _become(bait.owner)
            requests = [
                ("load", [attack.background], [tokens, [0]], int(not listed)),
                ("evaluate", [program], LIMIT, OVERRUNS, False),
            ]
            os.write(send, json.dumps(list(_answers(prolog, requests, confined))).encode())
        os._exit(0)
    os.close(send)
    return {"answers": _read(receive, child)}


def _quiet() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)


def _become(user: int) -> None:
    """SWI-Prolog is loaded by now: what lies in root's home need not be readable to others."""
    if user != os.geteuid():
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)


def _answers(prolog: Any, requests: list[Any], confined: bool) -> Iterator[Any]:
    confinement.limit()
    if confined:
        del os.environ[SECRET]  # as process.py leaves it out
        worker._confine()
    for request in requests:
        answers = list(worker._serve(prolog, request))
        yield from answers
        if answers[0][0] in ("refused", "broken"):
            return


def _read(receive: int, child: int) -> Any:
    """What the child says in time; None if it says nothing."""
    deadline = time.monotonic() + PATIENCE
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.002)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # whom it has started
    with os.fdopen(receive, "rb") as stream:
        os.set_blocking(receive, False)  # whom an attack has started holds the pipe too
        said = stream.read()
    return json.loads(said) if said else None


if __name__ == "__main__":
    main(*sys.argv[1:])
