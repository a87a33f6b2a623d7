"""Tasks of any size with a known solution, drawn from a seeded generator.

`states` is like Zendo: each example has pieces of its own, and no rule leads from one to another. `graph` has no
such locality: examples are nodes of one random graph, and every node can be reached from most others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

COLOURS, SHAPES = ([f"{kind}{i}" for i in range(6)] for kind in ("colour", "shape"))


@dataclass(frozen=True, slots=True)
class GrownTask:
    background: str
    examples: str
    bias: str
    solution: str

    @property
    def facts(self) -> int:
        return self.background.count("\n")

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("bk.pl", self.background), ("exs.pl", self.examples), ("bias.pl", self.bias)):
            (folder / name).write_text(text)


def states(*, examples: int, pieces: int, fragments: int, max_vars: int = 3, max_body: int = 3) -> GrownTask:
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
    return GrownTask(_lines(facts), _lines(labels), _states_bias(max_vars, max_body), f"zendo(A) :- {body}.")


def _state(rng: Random, number: int, pieces: list[tuple[str, str]]) -> Iterable[str]:
    names = [f"p{number}_{i}" for i in range(len(pieces))]
    for name, (colour, shape) in zip(names, pieces, strict=True):
        yield f"piece(s{number},{name})."
        yield f"{colour}({name})."
        yield f"{shape}({name})."
        yield f"coord({name},{rng.randrange(10)})."
        yield f"contact({name},{rng.choice(names)})."


def _states_bias(max_vars: int, max_body: int) -> str:
    kinds = {"piece": "state,piece", "contact": "piece,piece", "coord": "piece,place"}
    kinds |= dict.fromkeys((*COLOURS, *SHAPES), "piece,")
    lines = [
        "head_pred(zendo,1).",
        "type(zendo,(state,)).",
        f"max_vars({max_vars}).",
        f"max_body({max_body}).",
    ]
    for name, kind in kinds.items():
        lines += [f"body_pred({name},{len(kind.strip(',').split(','))}).", f"type({name},({kind}))."]
    return _lines(lines)


def graph(*, examples: int, nodes: int, max_vars: int = 3, max_body: int = 4) -> GrownTask:
    """A node is positive if an edge leads to a red node and from there one to a blue node."""
    rng = Random(f"graph {examples} {nodes}")
    edges = [[rng.randrange(nodes) for _ in range(3)] for _ in range(nodes)]
    colour = rng.choices(["red", "blue", "green", "white"], k=nodes)
    facts = [f"edge(n{a},n{b})." for a, targets in enumerate(edges) for b in sorted(set(targets))]
    facts += [f"{name}(n{a})." for a, name in enumerate(colour)]
    facts += [f"big(n{a})." for a in range(nodes) if rng.random() < 0.5]
    labels = []
    for a in rng.sample(range(nodes), examples):
        red = [b for b in edges[a] if colour[b] == "red"]
        positive = any(colour[c] == "blue" for b in red for c in edges[b])
        labels.append(f"{'pos' if positive else 'neg'}(target(n{a})).")
    bias = ["head_pred(target,1).", "body_pred(edge,2).", f"max_vars({max_vars}).", f"max_body({max_body})."]
    bias += [f"body_pred({name},1)." for name in ("red", "blue", "green", "white", "big")]
    solution = "target(A) :- edge(A,B), red(B), edge(B,C), blue(C)."
    return GrownTask(_lines(facts), _lines(labels), _lines(bias), solution)


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
