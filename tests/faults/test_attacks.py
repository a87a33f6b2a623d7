"""Attacks on the Prolog worker: what the list refuses alone, what the confinement stops alone, and both together.

Each layer is tried with the other switched off, as the user who runs the tests and, where that is root, as another user.
With neither layer most attacks get through: that is what shows that they are attacks.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import joiner_magic
from engines.flat_programs import atoms, program
from faults import attacks
from joiner_magic.engines.prolog.engine import PrologEngine
from joiner_magic.engines.prolog.installation import require_swipl
from joiner_magic.engines.prolog.process import Protection
from joiner_magic.errors import EngineError
from joiner_magic.logic.programs import Evaluation

pytestmark = [
    pytest.mark.prolog,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are forked and looked at as on Linux"),
]

users = pytest.mark.parametrize("user", ["own", "another"])


@functools.cache
def outcomes(layers: str, family: str, user: str = "own") -> list[dict[str, Any]]:
    folders = [Path(joiner_magic.__file__).parents[1], Path(__file__).parents[1]]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, folders)),
        "PATH": os.pathsep.join([str(require_swipl().parent), os.environ["PATH"]]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": "/tmp",
    }
    command = [sys.executable, str(Path(__file__).with_name("attacked.py")), layers, family, user]
    if user == "another" and os.geteuid() != 0:
        pytest.skip("only root can become another user")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(getattr(attacks, family))
    return found


def refused(outcome: dict[str, Any]) -> bool:
    return bool(outcome["answers"]) and outcome["answers"][-1][0] == "refused"


def covered(outcome: dict[str, Any]) -> bool:
    """Did `p(_)` hold?"""
    return (
        bool(outcome["answers"])
        and outcome["answers"][-1][:1] != ["refused"]
        and outcome["answers"][-1][1:2] == [1]
    )


def told(found: list[dict[str, Any]]) -> list[Any]:
    return [(outcome["attack"], outcome["happened"], outcome["answers"]) for outcome in found]


@users
def test_the_list_alone_refuses_every_attack(user: str) -> None:
    found = outcomes("list", "ALL", user)
    assert told([outcome for outcome in found if not refused(outcome) or outcome["happened"]]) == []


@users
def test_the_confinement_alone_lets_nothing_out(user: str) -> None:
    harmless = outcomes("confinement", "IDLE", user)
    assert (
        told([outcome for outcome in harmless if not covered(outcome)]) == []
    )  # it does not stop everything
    found = [*outcomes("confinement", "ACTS", user), *harmless]
    assert told([outcome for outcome in found if outcome["happened"]]) == []
    looked = outcomes("confinement", "OUTSIDE", user)
    assert told([outcome for outcome in looked if covered(outcome) or outcome["happened"]]) == []


def test_both_together() -> None:
    found = outcomes("list,confinement", "ALL")
    assert told([outcome for outcome in found if not refused(outcome) or outcome["happened"]]) == []


@users
def test_without_either_most_attacks_get_through(user: str) -> None:
    acted = [outcome for outcome in outcomes("", "ACTS", user) if outcome["happened"]]
    looked = [outcome for outcome in outcomes("", "OUTSIDE", user) if covered(outcome)]
    assert len(acted) >= 200
    assert len(looked) >= 20


def test_what_is_not_executed_does_nothing() -> None:
    found = outcomes("list", "IDLE")
    assert told([outcome for outcome in found if outcome["happened"] or not covered(outcome)]) == []


def test_what_ends_an_evaluation_cannot_be_caught_or_thrown() -> None:
    found = outcomes("list,confinement", "CONTROL")
    assert told([outcome for outcome in found if covered(outcome) or refused(outcome)]) == []


def test_there_are_enough_of_them() -> None:
    assert len({(attack.background, attack.program, attack.example) for attack in attacks.ALL}) >= 400


# The real worker


def test_an_untrusted_worker_is_confined_and_a_trusted_one_is_not() -> None:
    with PrologEngine([("bk", "p(a).")], atoms("f(a)"), []) as prolog:
        assert prolog.confinement == ("Landlock", "seccomp")
    with PrologEngine([("bk", "p(a).")], atoms("f(a)"), [], trusted=True) as prolog:
        assert prolog.confinement == ()


def test_the_environment_of_an_untrusted_worker_has_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOINER_SECRET", "swordfish")
    asks = [("bk", "p(_) :- getenv('JOINER_SECRET', _). q(_) :- getenv('PATH', _).")]
    both = [program("f(A) :- p(A)."), program("f(A) :- q(A).")]
    with PrologEngine(asks, atoms("f(a)"), [], protection=Protection(listed=False)) as prolog:
        assert prolog.evaluate(both) == [Evaluation(0, 0), Evaluation(1, 0)]
    with PrologEngine(asks, atoms("f(a)"), [], trusted=True) as prolog:
        assert prolog.evaluate(both) == [Evaluation(1, 0), Evaluation(1, 0)]


def test_a_refusal_names_goal_and_place_and_says_how_to_trust_it() -> None:
    with pytest.raises(EngineError) as caught:
        PrologEngine([("bk", "q(1).\n  p(X) :- q(X), findall(Y, (q(Y), shell(ls)), _).")], [], [])
    assert caught.value.message.startswith("shell(ls) is not allowed: shell/1 is not on the list")
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column) == (2, 3)
    assert "trust it" in caught.value.remedy
    assert "--trusted" in caught.value.remedy


def test_memory_outside_prologs_stacks_is_bounded() -> None:
    """Atoms are not on a stack: only the limit of the process holds them."""
    huge = "p(_) :- q(a, 40, _). q(A, 0, A) :- !. q(A, N, C) :- atom_concat(A, A, B), M is N - 1, q(B, M, C)."
    with PrologEngine([("bk", huge)], atoms("f(a)"), [], protection=Protection(memory=1 << 30)) as prolog:
        (evaluation,) = prolog.evaluate([program("f(A) :- p(A).")])
        assert (evaluation.pos, evaluation.complete) == (0, False)
        with pytest.raises(EngineError, match="shell/1"):
            prolog.evaluate([program("f(A) :- shell(A).")])
