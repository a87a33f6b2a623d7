"""A task for the lattice: thousands of rules are tested, and some are a hypothesis."""

from __future__ import annotations

from random import Random
from typing import Any

from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.views.lattice.view import LatticeView

_THINGS = [f"t{number}" for number in range(40)]


def _facts(random: Random) -> list[str]:
    parts = [f"part(e{number // 2}, {thing})." for number, thing in enumerate(_THINGS)]
    return parts + [
        f"has_{predicate}({thing})."
        for predicate in "abcdefghijklmnop"
        for thing in sorted(random.sample(_THINGS, 22))
    ]


_RANDOM = Random(6)
BK = " ".join(_facts(_RANDOM))
EXAMPLES = " ".join(f"{_RANDOM.choice(['pos', 'neg'])}(f(e{number}))." for number in range(20))
BIAS = "max_body(5). max_vars(3)."


def learnt(bk: str, examples: str, bias: str = "") -> Run:
    session = Session()
    session.bk(bk)
    session.examples(examples)
    if bias:
        session.bias(bias)
    session.learn()
    return session.runs[-1]


def grown(view: LatticeView) -> dict[str, Any]:
    """Expanded again and again, until it is full."""
    scene = view.scene()
    while not scene["note"]:
        scene = view.expand(max(scene["nodes"], key=lambda node: node.get("below", 0))["id"])
    return scene
