"""What `%load_ext joiner_magic` puts into a shell, and `%unload_ext` takes out again."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from traitlets import TraitError

from joiner_magic.notebook import completion, display, empty_bodies
from joiner_magic.notebook.cell_ids import CellTracker
from joiner_magic.notebook.config import Joiner
from joiner_magic.notebook.magics import JoinerMagics
from joiner_magic.notebook.panels import forget_panels, panels_of
from joiner_magic.notebook.run_all import FailedCellDelay

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


@dataclass(frozen=True, slots=True)
class _ExtensionState:
    magics: JoinerMagics
    defaults: Joiner
    hooks: tuple[tuple[str, Callable[[Any], None]], ...]


_ROOMS = (empty_bodies, completion, display)  # what else has something to put into a shell
_ATTRIBUTE = "_joiner_extension"  # of the shell: two shells in one process have an extension each


def load(shell: InteractiveShell) -> None:
    if hasattr(shell, _ATTRIBUTE):
        return
    tracker = CellTracker(shell)
    defaults = _defaults(shell)
    hooks = (*tracker.hooks.items(), *FailedCellDelay(shell).hooks.items(), *panels_of(shell).hooks.items())
    loaded = _ExtensionState(JoinerMagics(shell, tracker, defaults), defaults, hooks)
    shell.register_magics(loaded.magics)
    _configurables(shell).append(defaults)
    for event, hook in loaded.hooks:
        shell.events.register(event, hook)
    for room in _ROOMS:
        room.install(shell)
    setattr(shell, _ATTRIBUTE, loaded)


def _defaults(shell: InteractiveShell) -> Joiner:
    """As configured; a mistake in a configuration file is told, and does not keep the magics away."""
    try:
        return Joiner(parent=shell)
    except TraitError as error:
        warnings.warn(f"the configuration of Joiner is not used: {error}", stacklevel=2)
        return Joiner()


def unload(shell: InteractiveShell) -> None:
    loaded: _ExtensionState | None = getattr(shell, _ATTRIBUTE, None)
    if loaded is None:
        return
    for event, hook in loaded.hooks:
        shell.events.unregister(event, hook)
    for room in _ROOMS:
        room.uninstall(shell)
    forget_panels(shell)
    for configurable in (loaded.defaults, loaded.magics):  # magics bring themselves there
        _configurables(shell).remove(configurable)
    shell.magics_manager.registry.pop(type(loaded.magics).__name__, None)
    for kind, names in JoinerMagics.magics.items():
        for name in names:
            shell.magics_manager.magics[kind].pop(name, None)
    delattr(shell, _ATTRIBUTE)


def _configurables(shell: InteractiveShell) -> list[Any]:
    """What `%config` knows; IPython's annotation says less than it holds."""
    return shell.configurables
