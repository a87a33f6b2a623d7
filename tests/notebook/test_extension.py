"""Loading and unloading, and the defaults of `%config Joiner`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from joiner_magic import load_ipython_extension, unload_ipython_extension
from joiner_magic.errors import TaskError
from joiner_magic.sessions.current import current

Cell = Callable[..., Any]
MAGICS = ("bk", "examples", "bias", "joiner")


def state(shell: InteractiveShell) -> tuple[object, ...]:
    """Everything an extension may add to."""
    return (
        {kind: set(names) for kind, names in shell.magics_manager.magics.items()},
        {event: list(hooks) for event, hooks in shell.events.callbacks.items()},
        [type(configurable).__name__ for configurable in shell.configurables],
        sorted(vars(shell)),
    )


def test_loading_twice_is_loading_once(bare_shell: InteractiveShell) -> None:
    load_ipython_extension(bare_shell)
    once = state(bare_shell)
    load_ipython_extension(bare_shell)
    assert state(bare_shell) == once
    for kind in ("line", "cell"):
        assert set(MAGICS) <= set(bare_shell.magics_manager.magics[kind])


def test_unloading_leaves_nothing_behind(bare_shell: InteractiveShell) -> None:
    before = state(bare_shell)
    load_ipython_extension(bare_shell)
    assert state(bare_shell) != before
    unload_ipython_extension(bare_shell)
    assert state(bare_shell) == before
    unload_ipython_extension(bare_shell)
    assert state(bare_shell) == before


def test_what_was_said_outlives_a_reload(cell: Cell) -> None:
    cell("%bk p(1).", "a")
    cell("%reload_ext joiner_magic")
    cell("%bk p(2).", "a")
    assert [each.text for each in current().cells] == ["p(2)."]


def test_defaults_hold_where_the_line_says_nothing(cell: Cell) -> None:
    cell("%bk p(1). q(1).")
    cell("%examples pos(f(1)).")
    cell("%config Joiner.timeout = 30\n%config Joiner.source = 'asp'")
    cell("%joiner learn")
    cell("%joiner learn --timeout 40 --source native")
    first, second = (run.options for run in current().runs)
    assert (first.timeout, first.source) == (30, "asp")
    assert (second.timeout, second.source) == (40, "native")


def test_what_errors_cost_by_default(cell: Cell) -> None:
    cell("%bk red(1). red(2). blue(3).")
    cell("%examples pos(f(1), 5). pos(f(2)). neg(f(2)). neg(f(3)).")
    cell("%config Joiner.noise = 'balanced'")
    cell("%joiner learn")
    cell("%config Joiner.noise = True")
    cell("%joiner learn")
    cell("%config Joiner.missed = 2")
    cell("%joiner learn --wrong 1/3")
    cell("%config Joiner.noise = None\n%config Joiner.missed = None")
    with pytest.raises(TaskError, match="is neg here but pos"):
        cell("%joiner learn")
    prices = [
        (run.result.objective.missed, run.result.objective.wrong) for run in current().runs if run.result
    ]
    assert prices == [(Fraction(2, 3), 2), (1, 1), (2, Fraction(1, 3))]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("timeout = 'soon'", "timeout is 'soon'; give a number of seconds"),
        ("jobs = 0", "jobs is 0; give a whole number above 0"),
        ("engine = 'swift'", "engine is 'swift'; take one of auto, datalog, prolog"),
        ("noise = 'much'", "noise is 'much'; give True, False or \"balanced\""),
        ("noise = 1", 'noise is 1; give True, False or "balanced"'),
        ("missed = 0.5", "missed is 0.5; give a whole number or a Fraction above 0"),
        ("wrong = 0", "wrong is 0; give a whole number or a Fraction above 0"),
    ],
)
def test_a_bad_default_is_refused_as_the_learner_refuses_it(
    cell: Cell, shell: InteractiveShell, caplog: pytest.LogCaptureFixture, setting: str, said: str
) -> None:
    trait = setting.split(" ")[0]
    before = cell(f"%config Joiner.{trait}")
    cell(f"%config Joiner.{setting}")
    assert said in caplog.text
    assert cell(f"%config Joiner.{trait}") == before


def test_the_defaults_explain_themselves(cell: Cell, capsys: pytest.CaptureFixture[str]) -> None:
    cell("%config Joiner")
    shown = capsys.readouterr().out
    assert "seconds after which the best hypothesis so far is given" in shown
    assert "Joiner.max_rows" in shown


def test_a_mistake_in_the_configuration_does_not_keep_the_magics_away(bare_shell: InteractiveShell) -> None:
    bare_shell.config.Joiner.jobs = 0
    with pytest.warns(UserWarning, match="jobs is 0"):
        load_ipython_extension(bare_shell)
    assert "bk" in bare_shell.magics_manager.magics["cell"]
