"""`%config Joiner`: defaults for options that are not on the line of a magic."""

from __future__ import annotations

import os
from dataclasses import fields
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args
from typing import Any as AnyValue

from traitlets import Any, Bool, Enum, Integer, TraitError, default, validate
from traitlets.config import Configurable

from joiner_magic.errors import JoinerError
from joiner_magic.search.options import Options

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

Pictures: TypeAlias = Literal["live", "static", "none"]
_PICTURES = (
    "JOINER_PICTURES"  # set where notebooks are executed to be stored or published, and no widget would work
)

# The options that have defaults, as they are declared below: those that belong to the person or the machine, and what
# errors cost. What says which rules are wanted belongs in a bias cell, where readers of the notebook see it.
_OPTIONS: list[str] = []


def _default(name: str) -> AnyValue:
    """A trait for the default of an option of the learner."""
    (option,) = [option for option in fields(Options) if option.name == name]
    _OPTIONS.append(name)
    return Any(option.default, help=option.metadata["help"]).tag(config=True)


class Joiner(Configurable):
    """Defaults of the magics of joiner_magic."""

    timeout = _default("timeout")
    engine = _default("engine")
    noise = _default("noise")
    missed = _default("missed")
    wrong = _default("wrong")
    source = _default("source")
    jobs = _default("jobs")
    memory = _default("memory")
    advise = _default("advise")
    progress = Bool(True, help="show how far a run is").tag(config=True)
    pictures = Enum(
        get_args(Pictures),
        help="how views of a run are shown: live, with a static twin that stays in the notebook; static, without a widget; or none",
    ).tag(config=True)
    max_rows = Integer(20, min=1, help="rows of a display before it says how many more there are").tag(
        config=True
    )

    @validate(*_OPTIONS)
    def _as_the_learner_takes_it(self, proposal: dict[str, AnyValue]) -> AnyValue:
        """Refuse a value that the learner would not take."""
        name, value = proposal["trait"].name, proposal["value"]
        try:
            Options(**{name: value})
        except JoinerError as error:
            raise TraitError(str(error)) from None  # traitlets take back the value for this error only
        return value

    @default("pictures")
    def _as_the_environment_says(self) -> Pictures:
        """The value of an environment variable, if it is set."""
        wanted = os.environ.get(_PICTURES)
        return next((each for each in get_args(Pictures) if each == wanted), "live")

    def options(self) -> dict[str, AnyValue]:
        """The defaults for options of the learner, by name."""
        return {name: getattr(self, name) for name in _OPTIONS}


def defaults_of(shell: InteractiveShell) -> Joiner:
    """The defaults of a shell, which `%config` changes."""
    return next((each for each in shell.configurables if isinstance(each, Joiner)), None) or Joiner()
