"""Tasks of any size with a known solution, beyond those of joiner_magic/generators.

`states` is like Zendo: each example has pieces of its own, and no rule leads from one to another. `graph` has no
such locality: examples are nodes of one random graph, and every node can be reached from most others.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product
from random import Random

from joiner_magic.generators.generated_task import GeneratedTask

COLOURS, SHAPES = ([f"{kind}{i}" for i in range(6)] for kind in ("colour", "shape"))


def states(
    *,
    examples: int,
    pieces: int,
    fragments: int,
    max_vars: int = 3,
    max_body: int = 3,
    singletons: bool = False,
) -> GeneratedTask:
    """Half the states have a piece of each wanted colour and shape; of the others each lacks one such piece.

    A rule with any fewer of the pairs covers a negative state, which has the colour and the shape on other pieces:
    the solution has 1 + 3 * fragments literals.
    """
    rng = Random(f"states {examples} {pieces} {fragments}")
    pairs = list(product(COLOURS, SHAPES))
    wanted = rng.sample(pairs, fragments)
    facts: list[str] = []
    labels: list[str] = []
    for number in range(examples):
        lacking = wanted[number // 2 % fragments] if number % 2 else None
        others = [pair for pair in pairs if pair != lacking]
        mine = [pair if pair != lacking else rng.choice(others) for pair in wanted]
        mine += rng.choices(others, k=max(0, pieces - fragments))
        facts += _state(rng, number, mine)
        labels.append(f"{'neg' if lacking else 'pos'}(zendo(s{number})).")
    body = ", ".join(f"piece(A,B{i}), {c}(B{i}), {s}(B{i})" for i, (c, s) in enumerate(wanted))
    bias = [*_states_bias(), *_bounds(max_vars, max_body, singletons)]
    return GeneratedTask(
        _lines(facts), _lines(labels), _lines(bias), held_out="", rule=f"zendo(A) :- {body}."
    )


def _state(rng: Random, number: int, pieces: list[tuple[str, str]]) -> Iterable[str]:
    names = [f"p{number}_{i}" for i in range(len(pieces))]
    for name, (colour, shape) in zip(names, pieces, strict=True):
        yield f"piece(s{number},{name})."
        yield f"{colour}({name})."
        yield f"{shape}({name})."
        yield f"coord({name},{rng.randrange(10)})."
        yield f"contact({name},{rng.choice(names)})."


def _states_bias() -> Iterable[str]:
    yield from ("head_pred(zendo,1).", "type(zendo,(state,)).")
    kinds = {"piece": "state,piece", "contact": "piece,piece", "coord": "piece,place"}
    for name, kind in (kinds | dict.fromkeys((*COLOURS, *SHAPES), "piece,")).items():
        yield f"body_pred({name},{len(kind.strip(',').split(','))})."
        yield f"type({name},({kind}))."


def graph(
    *,
    examples: int,
    nodes: int,
    steps: int = 2,
    max_vars: int = 3,
    max_body: int = 4,
    singletons: bool = False,
) -> GeneratedTask:
    """A node is positive if edges lead from it over nodes of wanted colours: a red one, then a blue one, ..."""
    rng = Random(f"graph {examples} {nodes} {steps}")
    colours = ("red", "blue", "green", "white")
    edges = [sorted({rng.randrange(nodes) for _ in range(3)}) for _ in range(nodes)]
    colour = rng.choices(colours, k=nodes)
    leads = [True] * nodes  # whether the last steps can be made from a node
    for wanted in reversed(colours[:steps]):
        leads = [any(colour[b] == wanted and leads[b] for b in targets) for targets in edges]
    facts = [f"edge(n{a},n{b})." for a, targets in enumerate(edges) for b in targets]
    facts += [f"{name}(n{a})." for a, name in enumerate(colour)]
    facts += [f"big(n{a})." for a in range(nodes) if rng.random() < 0.5]
    labels = [f"{'pos' if leads[a] else 'neg'}(target(n{a}))." for a in rng.sample(range(nodes), examples)]
    bias = ["head_pred(target,1).", "body_pred(edge,2).", *_bounds(max_vars, max_body, singletons)]
    bias += [f"body_pred({name},1)." for name in (*colours, "big")]
    path = "ABCDE"[: steps + 1]
    body = ", ".join(f"edge({a},{b}), {c}({b})" for (a, b), c in zip(pairwise(path), colours, strict=False))
    return GeneratedTask(
        _lines(facts), _lines(labels), _lines(bias), held_out="", rule=f"target(A) :- {body}."
    )


def _bounds(max_vars: int, max_body: int, singletons: bool) -> list[str]:
    bounds = [f"max_vars({max_vars}).", f"max_body({max_body})."]
    return [*bounds, "allow_singletons."] if singletons else bounds


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
