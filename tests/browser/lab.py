"""A notebook in a real browser: open it, type, run, and see what a person would see."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import ElementHandle, Page, sync_playwright

from browser.server import Server, chromium
from notebooks.written import forget_kernel, write_notebook

FrontEnd = Literal["lab", "notebook"]
_ADDRESSES: dict[FrontEnd, str] = {"lab": "lab/tree/{}?reset", "notebook": "notebooks/{}"}

# The idle indicator shows before the kernel is connected, and keys pressed then are lost.
_STARTED = "() => window.jupyterapp !== undefined"
_NOTEBOOK_SHOWN = "() => window.jupyterapp.shell.currentWidget?.content?.widgets !== undefined"
_KERNEL_CONNECTED = """() => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel;
    return kernel?.connectionStatus === "connected";
}"""
_READY = """async () => {
    const panel = window.jupyterapp.shell.currentWidget;
    await window.jupyterapp.restored;
    await panel.context.ready;
    await panel.sessionContext.ready;
    await panel.sessionContext.session.kernel.info;
}"""
# JupyterLab opens the notebook of the address when all else is there, also one that a reload has brought back already. On a
# busy machine that is late, and whatever was opened meanwhile is then behind the notebook.
_ADDRESS_OPENED = "() => document.querySelector('.jp-mod-restoring') === null"
_CELL = "index => window.jupyterapp.shell.currentWidget.content.widgets[index].node"
_COUNT = "() => window.jupyterapp.shell.currentWidget.content.widgets.length"
_ACTIVE = "() => window.jupyterapp.shell.currentWidget.content.activeCellIndex"
_COMMAND = "([name, parameters]) => window.jupyterapp.commands.execute(name, parameters).then(() => null)"
_SELECT = """async index => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.deselectAll();
    notebook.activeCellIndex = index;
    await notebook.scrollToItem(index);
    await notebook.widgets[index].ready;
}"""
# A panel that is drawn anew takes the focus back, and with it the active cell: between that and the command is no pause.
_RUN = """async ([index, wait]) => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.deselectAll();
    notebook.activeCellIndex = index;
    const done = window.jupyterapp.commands.execute("notebook:run-cell");
    if (wait) await done;
}"""
_SET_SOURCE = """([index, text]) => {
    window.jupyterapp.shell.currentWidget.content.widgets[index].model.sharedModel.setSource(text);
}"""
_TOKENS = """cell => {
    const editor = cell.querySelector(".cm-content");
    const walker = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
    const tokens = [];
    while (walker.nextNode()) {
        const style = getComputedStyle(walker.currentNode.parentElement);
        tokens.push([walker.currentNode.data, style.color, style.fontStyle === "italic"]);
    }
    return tokens;
}"""
_OUTPUTS = "cell => [...cell.querySelectorAll('.jp-OutputArea-output')].map(output => output.textContent)"
# What the front ends report with none of our files installed: an icon that is missing, a request that ended
# because its page was left, and two slips of Notebook 7 at its start.
_NOT_OURS = (
    "Failed to load resource",
    "Cannot read properties of undefined (reading 'schema')",
    "Command 'filebrowser:open-path' not registered",
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a cell's text, as it is shown."""

    text: str
    colour: str
    italic: bool


class Lab:
    """One tab of JupyterLab or Notebook 7."""

    def __init__(self, page: Page, server: Server, front_end: FrontEnd, shots: Path) -> None:
        self.page = page
        self.front_end = front_end
        self.errors: list[str] = []
        self._server = server
        self._shots = shots
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self._hear("error", error.stack or str(error)))
        page.on("console", lambda message: self._hear(message.type, message.text))

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error" and not any(known in text for known in _NOT_OURS):
            self.errors.append(text)

    def open(self, name: str, *cells: str) -> None:
        """Write a notebook of these code cells and open it, up to a connected kernel."""
        write_notebook(self._server.folder / name, *cells)
        self.visit(name)

    def visit(self, name: str) -> None:
        """Open a notebook that is in the server's folder."""
        self.page.goto(self._server.address(_ADDRESSES[self.front_end].format(name)))
        self._wait_until_ready()

    def visit_without_kernel(self, name: str) -> None:
        """Open a notebook that has lost its kernel, and start no other: what a reader has of it."""
        self.page.goto("about:blank")
        self._server.end_session(name)
        forget_kernel(self._server.folder / name)
        self.page.goto(self._server.address(_ADDRESSES[self.front_end].format(name)))
        self.page.locator(".jp-Dialog").get_by_role("button", name="No Kernel").click()
        self.page.wait_for_function(_NOTEBOOK_SHOWN)

    def reload(self) -> None:
        """What the notebook looks like when it is opened again."""
        self.command("docmanager:save")
        self.page.reload()
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        for state in (_STARTED, _NOTEBOOK_SHOWN, _KERNEL_CONNECTED):
            self.page.wait_for_function(state)
        self.page.evaluate(_READY)
        self.page.wait_for_function(_ADDRESS_OPENED)

    def command(self, name: str, **parameters: object) -> None:
        """A command of the front end, done when it returns."""
        self.page.evaluate(_COMMAND, [name, parameters])

    def run_all(self) -> None:
        """Run all cells; returns when the last is done."""
        self.command("notebook:run-all-cells")

    def run(self, index: int) -> None:
        """Run one cell; returns when it is done."""
        self.select(index)
        self.page.evaluate(_RUN, [index, True])

    def start(self, index: int) -> None:
        """Begin to run one cell."""
        self.select(index)
        self.page.evaluate(_RUN, [index, False])

    def use_theme(self, theme: Literal["JupyterLab Light", "JupyterLab Dark"]) -> None:
        """Change colours; the style sheet arrives a little later."""
        self.command("apputils:change-theme", theme=theme)
        self.page.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=theme)

    @property
    def number_of_cells(self) -> int:
        """How many cells the notebook has, shown or not."""
        return int(self.page.evaluate(_COUNT))

    @property
    def active_cell(self) -> int:
        """Where the commands of the notebook act."""
        return int(self.page.evaluate(_ACTIVE))

    def select(self, index: int) -> None:
        """Make a cell the active one, and bring it into view."""
        self.page.evaluate(_SELECT, index)

    def cell(self, index: int) -> ElementHandle:
        """The element of a cell, in view."""
        self.select(index)
        found = self.page.evaluate_handle(_CELL, index).as_element()
        assert found is not None
        # A cell of text that was active has both, and hides its editor.
        found.wait_for_selector(".cm-content:visible, .jp-RenderedMarkdown:visible")
        return found

    def _editor(self, index: int) -> ElementHandle:
        found = self.cell(index).wait_for_selector(".cm-content")
        assert found is not None
        return found

    def outputs(self, index: int) -> list[str]:
        """The text of each output below a cell."""
        return list(self.cell(index).evaluate(_OUTPUTS))

    def type(self, index: int, text: str) -> None:
        """Press keys at the end of a cell's text."""
        self.press(index, "Control+End")
        self.page.keyboard.type(text)

    def press(self, index: int, *keys: str) -> None:
        """Press keys of any kind in a cell's editor."""
        self._editor(index).focus()
        for key in keys:
            self.page.keyboard.press(key)

    def set_source(self, index: int, text: str) -> None:
        """Change a cell's text at once, as a collaborator or a script would."""
        self.page.evaluate(_SET_SOURCE, [index, text])

    def tokens(self, index: int) -> list[Token]:
        """The text of a cell's editor, in pieces of one style."""
        return [Token(*token) for token in self.cell(index).evaluate(_TOKENS)]

    def language(self, index: int) -> str | None:
        """The language by which a cell is highlighted now."""
        return self._editor(index).get_attribute("data-language")

    def wait_for_language(self, index: int, name: str) -> None:
        """Modes load when they are first needed, so a language may be late."""
        self.cell(index).wait_for_selector(f".cm-content[data-language={name}]")

    def screenshot(self, name: str) -> Path:
        """A picture of the page, where JOINER_SCREENSHOTS says or among the tests' temporary files."""
        file = self._shots / f"{self.front_end}-{name}.png"
        self.page.screenshot(path=file)
        return file


@contextmanager
def browsing(server: Server, front_end: FrontEnd, shots: Path) -> Iterator[Lab]:
    """A tab of a browser of its own."""
    shots = Path(os.environ.get("JOINER_SCREENSHOTS", shots))
    shots.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        try:
            yield Lab(browser.new_page(viewport={"width": 1200, "height": 900}), server, front_end, shots)
        finally:
            browser.close()
