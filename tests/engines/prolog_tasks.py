"""Small tasks for the Prolog engine."""

from __future__ import annotations

from engines.flat_programs import atoms, program
from joiner_magic.engines.prolog.engine import PrologEngine

GRAPH = """
edge(a,b). edge(b,c). edge(c,a). edge(d,d).
blue(b). blue(d).
"""


def engine(background: str, pos: str = "f(a)", neg: str = "", *, trusted: bool = False) -> PrologEngine:
    return PrologEngine([("bk", background)], atoms(pos), atoms(neg), trusted=trusted)


def covers(background: str, text: str, pos: str = "f(a)", *, trusted: bool = False) -> bool:
    """Does the program cover all the examples?"""
    with engine(background, pos, trusted=trusted) as prolog:
        (evaluation,) = prolog.evaluate([program(text)])
    assert evaluation.complete
    return evaluation.pos == (1 << len(pos.split())) - 1
