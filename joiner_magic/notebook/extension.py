"""What `%load_ext joiner_magic` installs in a shell, and what `%unload_ext` removes again."""

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
    """What was installed in a shell, so that it can be removed."""

    magics: JoinerMagics
    defaults: Joiner
    hooks: tuple[tuple[str, Callable[[Any], None]], ...]


_MODULES = (empty_bodies, completion, display)  # each has a function `install` and one `uninstall`
_ATTRIBUTE = "_joiner_extension"  # of the shell, because a process may have several shells


def load(shell: InteractiveShell) -> None:
    """Install everything in a shell, unless that was done before."""
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
    for module in _MODULES:
        module.install(shell)
    setattr(shell, _ATTRIBUTE, loaded)


def _defaults(shell: InteractiveShell) -> Joiner:
    """The defaults from the configuration. A mistake in it is a warning, and the magics are there all the same."""
    try:
        return Joiner(parent=shell)
    except TraitError as error:
        warnings.warn(f"the configuration of Joiner is not used: {error}", stacklevel=2)
        return Joiner()


def unload(shell: InteractiveShell) -> None:
    """Remove everything from a shell that was installed in it."""
    loaded: _ExtensionState | None = getattr(shell, _ATTRIBUTE, None)
    if loaded is None:
        return
    for event, hook in loaded.hooks:
        shell.events.unregister(event, hook)
    for module in _MODULES:
        module.uninstall(shell)
    forget_panels(shell)
    for configurable in (loaded.defaults, loaded.magics):  # registering magics has added them there
        _configurables(shell).remove(configurable)
    shell.magics_manager.registry.pop(type(loaded.magics).__name__, None)
    for kind, names in JoinerMagics.magics.items():
        for name in names:
            shell.magics_manager.magics[kind].pop(name, None)
    delattr(shell, _ATTRIBUTE)


def _configurables(shell: InteractiveShell) -> list[Any]:
    """What `%config` can change. The type that IPython declares for it is too narrow."""
    return shell.configurables
