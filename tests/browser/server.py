"""A Jupyter server of the tests' own: JupyterLab and Notebook 7, untouched by the user's configuration."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from browser.patience import PATIENCE

_CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_TOKEN = "joiner"


@dataclass(frozen=True, slots=True)
class Server:
    """Where a running server is, and the folder it serves."""

    url: str
    folder: Path

    def address(self, path: str) -> str:
        """The address of a page, with what lets the browser in."""
        separator = "&" if "?" in path else "?"
        return f"{self.url}/{path}{separator}token={_TOKEN}"

    def end_session(self, name: str) -> None:
        """End the kernel of a notebook."""
        with urllib.request.urlopen(self.address("api/sessions"), timeout=PATIENCE) as answer:
            found = [session["id"] for session in json.load(answer) if session["path"] == name]
        for each in found:
            request = urllib.request.Request(self.address(f"api/sessions/{each}"), method="DELETE")
            urllib.request.urlopen(request, timeout=PATIENCE).close()  # when the kernel has ended


def chromium() -> str | None:
    """The browser to drive: JOINER_CHROMIUM, or the first on PATH."""
    named = os.environ.get("JOINER_CHROMIUM")
    return named or next((found for name in _CHROMIUM_NAMES if (found := shutil.which(name))), None)


def missing_for_browser() -> str | None:
    """Why browser tests cannot run here, if they cannot."""
    for module in ("playwright", "jupyterlab", "notebook"):
        if find_spec(module) is None:
            return f"the package {module} is not installed"
    return None if chromium() else "there is no Chromium: tools/provide-chromium installs one"


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    """One server for both front ends, with all its state below `home`."""
    folder = home / "notebooks"
    folder.mkdir(parents=True)
    _write_settings(home / "settings")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server(f"http://127.0.0.1:{port}", folder)
    log = home / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            _command(port), cwd=folder, env=_environment(home), stdout=output, stderr=subprocess.STDOUT
        )
        try:
            _wait_until_up(server, process, log)
            yield server
        finally:
            _end(server, process)


def _command(port: int) -> list[str]:
    return [
        sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser", "--ip=127.0.0.1", f"--port={port}",
        "--ServerApp.port_retries=0", f"--IdentityProvider.token={_TOKEN}",
        "--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True",
    ]  # fmt: skip


def _environment(home: Path) -> dict[str, str]:
    # The kernel is started as `python`: this one, whether or not its environment is activated.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    return os.environ | {"PATH": path} | {name: str(home / place) for name, place in folders.items()}


def _write_settings(settings: Path) -> None:
    """A question about news would lie over the notebook."""
    file = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}))


def _wait_until_up(server: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 90
    while not _answers(server):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the Jupyter server did not start:\n{log.read_text(errors='replace')}")
        time.sleep(0.1)


def _answers(server: Server) -> bool:
    try:
        with urllib.request.urlopen(server.address("api/status"), timeout=5):
            return True
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def _end(server: Server, process: subprocess.Popen[bytes]) -> None:
    """Asked politely, so that kernels end with it."""
    request = urllib.request.Request(server.address("api/shutdown"), method="POST")
    try:
        with urllib.request.urlopen(request, timeout=10):
            pass
        process.wait(timeout=20)
    except (urllib.error.URLError, ConnectionError, TimeoutError, subprocess.TimeoutExpired):
        process.kill()
        process.wait()
