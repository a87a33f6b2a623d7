"""Tasks on which views once said what is not so."""

from __future__ import annotations

import itertools
from random import Random

from joiner_magic.sessions.session import Session
from search.learning_tasks import random_learning_task
from sessions.scenes import scenes


def wide_worlds() -> Session:
    """Domains over 64 values, an input in every predicate, and facts that no rule can reach against their direction.

    A body such as `node(A,B), back(C,B)` covers examples, but no rule binds its C: it seems to cover nothing.
    """
    session = Session()
    graphs = [f"g{number}" for number in range(30)]
    facts = []
    for number, graph in enumerate(graphs):
        nodes = [f"{graph}_{node}" for node in range(4)]
        facts.append(f"node({graph},{nodes[0]}). back({graph}_out,{nodes[0]}).")
        facts += [f"edge({one},{other})." for one, other in itertools.pairwise(nodes)]
        facts.append(f"{'red' if number % 2 else 'blue'}({nodes[2]}).")
    session.bk(" ".join(facts))
    session.examples(" ".join(f"{'pos' if n % 2 else 'neg'}(f({g}))." for n, g in enumerate(graphs)))
    session.bias(
        "head_pred(f,1). body_pred(node,2). body_pred(edge,2). body_pred(back,2). body_pred(red,1)."
        " body_pred(blue,1). direction(f,(in,)). direction(node,(in,out)). direction(edge,(in,out))."
        " direction(back,(in,out)). direction(red,(in,)). direction(blue,(in,)). max_vars(4). max_body(4)."
    )
    return session


def zendo() -> Session:
    session = Session()
    facts, examples = scenes(2)
    session.bk(facts)
    session.examples(examples)
    session.bias("max_vars(4). max_body(4).")
    return session


def random(seed: int) -> Session:
    made = random_learning_task(Random(seed), recursion=seed % 4 == 0)
    session = Session()
    session.bk(made.background)
    session.examples(made.examples)
    session.bias(made.bias)
    return session
