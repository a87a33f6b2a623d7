"""Zendo: scenes of small pyramids, some of which follow a secret rule.

A rule asks for some pieces: "a small red one that leans to the left, and a blue one that touches a green one". Each
negative scene misses one of them narrowly, so that every word of the rule is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from joiner_magic.generators.made import Made, labelled

COLOURS = ("red", "green", "blue")
SIZES = ("small", "medium", "large")
LEANS = ("upright", "left", "right", "flat")
_KINDS = (COLOURS, SIZES, LEANS)

_BIAS = f"""head_pred(zendo,1).
body_pred(piece,2). body_pred(touches,2).
{" ".join(f"body_pred({word},1)." for words in _KINDS for word in words)}
type(zendo,(scene,)). type(piece,(scene,piece)). type(touches,(piece,piece)).
{" ".join(f"type({word},(piece,))." for words in _KINDS for word in words)}
"""


@dataclass(frozen=True, slots=True)
class Piece:
    colour: str
    size: str
    lean: str

    @property
    def words(self) -> frozenset[str]:
        return frozenset((self.colour, self.size, self.lean))

    def __str__(self) -> str:
        return f"{self.size} {self.colour} {self.lean}"


@dataclass(frozen=True, slots=True)
class Scene:
    pieces: tuple[Piece, ...]  # side by side
    touching: frozenset[int]  # i: pieces i and i + 1 touch

    def __str__(self) -> str:
        joints = ("", *(" touches " if at in self.touching else ", " for at in range(len(self.pieces) - 1)))
        return "".join(f"{joint}{piece}" for joint, piece in zip(joints, self.pieces, strict=True))


def scene(words: str) -> Scene:
    """Read from words, from left to right: "small blue upright touches large red flat, small green left"."""
    pieces: list[Piece] = []
    touching: set[int] = set()
    for group in words.split(","):
        for number, piece in enumerate(group.split("touches")):
            if number:
                touching.add(len(pieces) - 1)
            size, colour, lean = piece.split()
            pieces.append(Piece(colour, size, lean))
    return Scene(tuple(pieces), frozenset(touching))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A piece of which these words are true, and, if it says so, one that touches it."""

    words: frozenset[str]
    neighbour: frozenset[str] | None = None

    def holds(self, scene: Scene) -> bool:
        return any(
            self.words <= piece.words
            and (
                self.neighbour is None
                or any(self.neighbour <= scene.pieces[other].words for other in _beside(scene, at))
            )
            for at, piece in enumerate(scene.pieces)
        )


def wanted(words: str) -> Wanted:
    """Read from words: "small red", or "blue touches green flat"."""
    one, _, other = words.partition("touches")
    return Wanted(frozenset(one.split()), frozenset(other.split()) if _ else None)


# From the first rule that anybody guesses to one that takes patience.
RULES = {
    "blue": ("blue",),
    "small red": ("small red",),
    "touching": ("blue upright touches red",),
    "three ways": ("small red left", "blue upright touches green", "large green flat"),
}


@dataclass(frozen=True, slots=True)
class Zendo:
    """Scenes by name that follow the rule, and scenes that do not; the last fifth of both is held out."""

    rule: tuple[Wanted, ...]  # what it asks for
    positives: Mapping[str, Scene]  # by name, from p1 on
    negatives: Mapping[str, Scene]  # by name, from n1 on

    def made(self) -> Made:
        """The task that the scenes make."""
        positives, negatives = (
            [f"zendo({name})" for name in each] for each in (self.positives, self.negatives)
        )
        seen_pos, seen_neg = (len(each) - len(each) // 5 for each in (positives, negatives))
        scenes = {**self.positives, **self.negatives}
        most = max(
            len(each.words) + len(each.neighbour or ()) + 1 + bool(each.neighbour) for each in self.rule
        )
        bounds = f"max_vars({3 if any(each.neighbour for each in self.rule) else 2}). max_body({most}).\n"
        return Made(
            background="".join(facts(name, scene) for name, scene in scenes.items()),
            examples=labelled(positives[:seen_pos], negatives[:seen_neg]),
            bias=_BIAS + bounds,
            held_out=labelled(positives[seen_pos:], negatives[seen_neg:]),
            rule=_written(self.rule),
        )


def zendo(rule: Sequence[str] = RULES["three ways"], scenes: int = 50, seed: int = 1) -> Zendo:
    """As many positive as negative scenes for a rule of words (see `wanted`)."""
    rng = Random(seed)
    pieces = tuple(map(wanted, rule))
    half = scenes // 2
    positives = {f"p{i + 1}": _scene(rng, pieces, None) for i in range(half)}
    negatives = {f"n{i + 1}": _scene(rng, pieces, i % len(pieces)) for i in range(half)}
    return Zendo(pieces, positives, negatives)


def big_rule(pieces: int, seed: int = 1) -> tuple[str, ...]:
    """A rule that asks for so many pieces, at most 36: each takes four literals."""
    kinds = list(product(*_KINDS))
    return tuple(str(Piece(*words)) for words in Random(seed).sample(kinds, pieces))


def _beside(scene: Scene, at: int) -> list[int]:
    return [other for other, gap in ((at - 1, at - 1), (at + 1, at)) if gap in scene.touching]


def _scene(rng: Random, rule: Sequence[Wanted], missing: int | None) -> Scene:
    """One that follows the rule, or that misses one piece of it narrowly."""
    while True:
        groups: list[list[Piece]] = []
        for number, each in enumerate(rule):
            group = [_piece(rng, each.words)]
            if each.neighbour is not None:
                group.append(_piece(rng, each.neighbour))
            groups += _spoilt(rng, group, each) if number == missing else [group]
        groups += [[_piece(rng, frozenset())] for _ in range(rng.randint(1, 3))]
        rng.shuffle(groups)
        pieces = [piece for group in groups for piece in group]
        touching: set[int] = set()
        at = 0
        for group in groups:
            touching.update(range(at, at + len(group) - 1))
            at += len(group)
        touching |= {gap for gap in range(len(pieces) - 1) if rng.random() < 0.15}
        scene = Scene(tuple(pieces), frozenset(touching))
        if [each.holds(scene) for each in rule] == [number != missing for number in range(len(rule))]:
            return scene


def _piece(rng: Random, words: frozenset[str]) -> Piece:
    """Any piece of which these words are true."""
    return Piece(*(next((w for w in kind if w in words), None) or rng.choice(kind) for kind in _KINDS))


def _spoilt(rng: Random, group: list[Piece], each: Wanted) -> list[list[Piece]]:
    """Groups that are almost the one that is wanted: each has one word changed."""
    spoilt = []
    for at, words in enumerate((each.words, each.neighbour or frozenset())[: len(group)]):
        for field, kind in zip(("colour", "size", "lean"), _KINDS, strict=True):
            word = getattr(group[at], field)
            if word in words:
                other = replace(group[at], **{field: rng.choice([w for w in kind if w != word])})
                spoilt.append([*group[:at], other, *group[at + 1 :]])
    return spoilt


def facts(name: str, scene: Scene) -> str:
    """What there is to say of a scene, as Prolog."""
    lines = []
    for at, piece in enumerate(scene.pieces):
        this = f"{name}_{at}"
        lines.append(f"piece({name},{this}). " + " ".join(f"{word}({this})." for word in sorted(piece.words)))
    for gap in sorted(scene.touching):
        one, other = f"{name}_{gap}", f"{name}_{gap + 1}"
        lines.append(f"touches({one},{other}). touches({other},{one}).")
    return "\n".join(lines) + "\n"


def _written(rule: Sequence[Wanted]) -> str:
    literals: list[str] = []
    variable = 0
    for each in rule:
        variable += 1
        literals += [f"piece(S,P{variable})", *(f"{word}(P{variable})" for word in sorted(each.words))]
        if each.neighbour is not None:
            literals.append(f"touches(P{variable},P{variable + 1})")
            variable += 1
            literals += [f"{word}(P{variable})" for word in sorted(each.neighbour)]
    return f"zendo(S) :- {', '.join(literals)}."
