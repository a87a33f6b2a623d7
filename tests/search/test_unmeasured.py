"""Held-out background knowledge that cannot be evaluated costs the score, not what was learnt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from joiner_magic.cli import main
from joiner_magic.notebook.result_display import result_view
from joiner_magic.sessions.session import Session

pytestmark = pytest.mark.prolog

BACKGROUND = "p(X) :- atom_length(X, 1). q(aa)."
EXAMPLES = "pos(f(a)). neg(f(bb))."
BIAS = "head_pred(f,1). body_pred(p,1). direction(f,(in,)). direction(p,(in,))."
REFUSED = "p(X) :- shell(X)."


def test_a_session_keeps_what_it_has_learnt() -> None:
    session = Session()
    session.bk(BACKGROUND)
    session.examples(EXAMPLES)
    session.bias(BIAS)
    session.examples("pos(f(c)). neg(f(dd)).", test=True)
    session.say("test bk", REFUSED)
    result = session.learn()
    assert (result.rules, result.test) == (["f(A) :- p(A)."], None)
    assert "shell/1 is not on the list" in result.unmeasured
    assert "held out: not measured: " in str(result)
    assert "not measured" in result_view(result).html


def test_the_command_keeps_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    held_out = tmp_path / "test"
    held_out.mkdir()
    for name, text in (
        ("bk", BACKGROUND),
        ("exs", EXAMPLES),
        ("bias", BIAS),
        ("test/bk", REFUSED),
        ("test/exs", EXAMPLES),
    ):
        (tmp_path / f"{name}.pl").write_text(text)
    assert main(["learn", str(tmp_path), "--test", str(held_out)]) == 0
    said = capsys.readouterr().out
    assert "f(A) :- p(A)." in said
    assert "held out: not measured: " in said
    assert main(["learn", str(tmp_path), "--test", str(held_out), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert "shell/1" in value["test_unmeasured"]
    assert "test_accuracy" not in value
