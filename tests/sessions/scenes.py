"""Small tasks of pieces that make up scenes, on which constraints of several kinds strike."""

from __future__ import annotations

from random import Random
from typing import Any

from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session


def scenes(seed: int, number: int = 14) -> tuple[str, str]:
    """Background knowledge and examples."""
    random = Random(seed)
    facts: list[str] = []
    for scene in range(number):
        for piece in range(random.randint(1, 3)):
            name = f"p{scene}_{piece}"
            colour, size = random.choice(["red", "blue", "green"]), random.choice(["small", "large"])
            facts.append(f"piece(s{scene},{name}). {colour}({name}). {size}({name}).")
            if piece:
                facts.append(f"contact(p{scene}_{piece - 1},{name}).")
    examples = [f"{'pos' if scene % 2 else 'neg'}(zendo(s{scene}))." for scene in range(number)]
    return "\n".join(facts), "\n".join(examples)


def run_of(seed: int, source: str = "auto", *, max_body: int = 4, **options: Any) -> Run:
    session = Session()
    facts, examples = scenes(seed)
    session.bk(facts)
    session.examples(examples)
    session.learn(source=source, max_body=max_body, max_vars=4, advise=False, **options)
    return session.runs[-1]
