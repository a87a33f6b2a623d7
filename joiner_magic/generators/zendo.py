"""Zendo: scenes of small pyramids, some of which follow a secret rule.

A rule asks for some pieces: "a small red one that leans to the left, and a blue one that touches a green one". Each
negative scene misses one of them narrowly, so that every word of the rule is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from joiner_magic.errors import TaskError
from joiner_magic.generators.generated_task import GeneratedTask, labelled, try_until
from joiner_magic.task.notes import did_you_mean

COLOURS = ("red", "green", "blue")
SIZES = ("small", "medium", "large")
LEANS = ("upright", "left", "right", "flat")
_KINDS = (COLOURS, SIZES, LEANS)
_WORDS = [word for kind in _KINDS for word in kind]


@dataclass(frozen=True, slots=True)
class Pyramid:
    """A piece of the game: a small pyramid with a colour, a size, and how it leans."""

    colour: str
    size: str
    lean: str

    @property
    def words(self) -> frozenset[str]:
        """The three words that are true of it."""
        return frozenset((self.colour, self.size, self.lean))

    def __str__(self) -> str:
        """The pyramid in words, such as small red upright."""
        return f"{self.size} {self.colour} {self.lean}"


@dataclass(frozen=True, slots=True)
class Scene:
    """Pyramids side by side, some of which touch the next one."""

    pieces: tuple[Pyramid, ...]  # side by side
    touching: frozenset[int]  # i: pieces i and i + 1 touch

    def __str__(self) -> str:
        """The pyramids in words, from left to right, and which of them touch."""
        text = ""
        for at, piece in enumerate(self.pieces):
            if at - 1 in self.touching:
                text += " touches "
            elif at:
                text += ", "
            text += str(piece)
        return text


def scene(words: str) -> Scene:
    """A scene read from words, from left to right: "small blue upright touches large red flat, small green left"."""
    pieces: list[Pyramid] = []
    touching: set[int] = set()
    for group in words.split(","):
        for number, piece in enumerate(group.split("touches")):
            if number:
                touching.add(len(pieces) - 1)
            match piece.split():
                case size, colour, lean if size in SIZES and colour in COLOURS and lean in LEANS:
                    pieces.append(Pyramid(colour, size, lean))
                case _:
                    remedy = "say its size, its colour and how it leans: small red left"
                    raise TaskError(f"{piece.strip()!r} is no piece", remedy=remedy)
    return Scene(tuple(pieces), frozenset(touching))


@dataclass(frozen=True, slots=True)
class WantedPiece:
    """What a rule asks for: a piece of which these words are true, and perhaps a neighbour that touches it.

    A rule asks for several of them. Each is a few literals about one variable, and about another one for the neighbour.
    """

    words: frozenset[str]
    neighbour: frozenset[str] | None = None

    @property
    def literals(self) -> int:
        """The number of literals that it takes to ask for the piece."""
        own = 1 + len(self.words)
        if self.neighbour is None:
            return own
        return own + 1 + len(self.neighbour)

    def holds(self, scene: Scene) -> bool:
        """Whether the scene has such a piece."""
        return any(self._is_at(scene, at) for at in range(len(scene.pieces)))

    def _is_at(self, scene: Scene, at: int) -> bool:
        """Whether the piece at this place of the scene is one."""
        if not self.words <= scene.pieces[at].words:
            return False
        if self.neighbour is None:
            return True
        return any(self.neighbour <= scene.pieces[other].words for other in _beside(scene, at))


def wanted(words: str) -> WantedPiece:
    """What a rule asks for, read from words: "small red", or "blue touches green flat"."""
    one, touches, other = words.partition("touches")
    for word in (*one.split(), *other.split()):
        if word not in _WORDS:
            remedy = did_you_mean(word, _WORDS) or f"there are {', '.join(_WORDS)}, and touches"
            raise TaskError(f"{word!r} is no word for a piece", remedy=remedy)
    if not touches:
        return WantedPiece(frozenset(one.split()))
    return WantedPiece(frozenset(one.split()), frozenset(other.split()))


# From the first rule that anybody guesses to one that takes patience.
RULES = {
    "blue": ("blue",),
    "small red": ("small red",),
    "touching": ("blue upright touches red",),
    "three ways": ("small red left", "blue upright touches green", "large green flat"),
}


@dataclass(frozen=True, slots=True)
class Zendo:
    """Scenes that follow a rule, and scenes that do not; the last fifth of both is held out."""

    rule: tuple[WantedPiece, ...]  # the pieces that the rule asks for
    positives: Mapping[str, Scene]  # the scenes that follow it, by name, from p1 on
    negatives: Mapping[str, Scene]  # the scenes that break it, by name, from n1 on

    def made(self) -> GeneratedTask:
        """The task that the scenes make."""
        positives = [f"zendo({name})" for name in self.positives]
        negatives = [f"zendo({name})" for name in self.negatives]
        seen_pos = len(positives) - len(positives) // 5
        seen_neg = len(negatives) - len(negatives) // 5
        scenes = {**self.positives, **self.negatives}
        return GeneratedTask(
            background="".join(facts(name, scene) for name, scene in scenes.items()),
            examples=labelled(positives[:seen_pos], negatives[:seen_neg]),
            bias=_bias(scenes.values()) + self._bounds(),
            held_out=labelled(positives[seen_pos:], negatives[seen_neg:]),
            rule=_rule_text(self.rule),
        )

    def _bounds(self) -> str:
        """The part of the bias that says how large rules may be: one wanted piece has to fit."""
        literals = max(each.literals for each in self.rule)
        variables = 2  # the scene and a piece
        if any(each.neighbour is not None for each in self.rule):
            variables = 3
        return f"max_vars({variables}). max_body({literals}).\n"


def zendo(rule: Sequence[str] = RULES["three ways"], scenes: int = 50, seed: int = 1) -> Zendo:
    """Scenes for a rule, as many positive as negative ones; the rule is given in the words that `wanted` reads.

    With few scenes a shorter rule may fit them by chance, and is then the better answer.
    """
    if not rule:
        raise TaskError("a rule asks for one piece at least", remedy=f"such as {RULES['small red']}")
    rng = Random(seed)
    pieces = tuple(map(wanted, rule))
    half = scenes // 2
    positives = {f"p{i + 1}": _scene(rng, pieces, None) for i in range(half)}
    negatives = {f"n{i + 1}": _scene(rng, pieces, i % len(pieces)) for i in range(half)}
    return Zendo(pieces, positives, negatives)


def big_rule(pieces: int, seed: int = 1) -> tuple[str, ...]:
    """A rule that asks for so many pieces, at most 36, each of which takes four literals."""
    kinds = list(product(*_KINDS))
    if not 1 <= pieces <= len(kinds):
        raise TaskError(f"no rule asks for {pieces} pieces", remedy=f"give a number from 1 to {len(kinds)}")
    return tuple(str(Pyramid(*words)) for words in Random(seed).sample(kinds, pieces))


def _beside(scene: Scene, at: int) -> list[int]:
    """The places of the pieces that touch the piece at this place."""
    return [other for other, gap in ((at - 1, at - 1), (at + 1, at)) if gap in scene.touching]


def _scene(rng: Random, rule: Sequence[WantedPiece], missing: int | None) -> Scene:
    """A scene at random that follows the rule, or that almost has the piece with the number `missing`."""

    def arrange() -> Scene:
        """A scene that follows the rule but for its missing part, with one to three other pyramids, in random order."""
        groups: list[list[Pyramid]] = []
        for number, each in enumerate(rule):
            group = [_piece(rng, each.words)]
            if each.neighbour is not None:
                group.append(_piece(rng, each.neighbour))
            if number == missing:
                groups += _spoil(rng, group, each)
            else:
                groups.append(group)
        groups += [[_piece(rng, frozenset())] for _ in range(rng.randint(1, 3))]
        rng.shuffle(groups)
        pieces = [piece for group in groups for piece in group]
        touching: set[int] = set()
        at = 0
        for group in groups:
            touching.update(range(at, at + len(group) - 1))
            at += len(group)
        touching |= {gap for gap in range(len(pieces) - 1) if rng.random() < 0.15}
        return Scene(tuple(pieces), frozenset(touching))

    what = "scene with these pieces"
    if missing is not None:
        what = f"scene that misses piece {missing + 1} alone"
    there = [number != missing for number in range(len(rule))]
    return try_until(
        arrange,
        lambda scene: [each.holds(scene) for each in rule] == there,
        what=what,
        remedy="take pieces whose words agree, and of which none is part of another",
    )


def _piece(rng: Random, words: frozenset[str]) -> Pyramid:
    """A piece at random of which these words are true."""
    chosen = []
    for kind in _KINDS:
        word = next((each for each in kind if each in words), None)
        chosen.append(word or rng.choice(kind))
    return Pyramid(*chosen)


def _spoil(rng: Random, group: list[Pyramid], each: WantedPiece) -> list[list[Pyramid]]:
    """Groups that are almost what is wanted: in each, one word of one piece is changed.

    A scene that misses a rule by one word is what makes the learner need that word.
    """
    spoilt = []
    for at, words in enumerate((each.words, each.neighbour or frozenset())[: len(group)]):
        for field, kind in zip(("colour", "size", "lean"), _KINDS, strict=True):
            word = getattr(group[at], field)
            if word in words:
                other = replace(group[at], **{field: rng.choice([w for w in kind if w != word])})
                spoilt.append([*group[:at], other, *group[at + 1 :]])
    return spoilt


def _bias(scenes: Collection[Scene]) -> str:
    """The bias, with the words that the scenes have: a bias must not name a predicate that nothing defines."""
    seen = {word for scene in scenes for piece in scene.pieces for word in piece.words}
    words = [word for word in _WORDS if word in seen]
    predicates, types = "body_pred(piece,2).", "type(zendo,(scene,)). type(piece,(scene,piece))."
    if any(scene.touching for scene in scenes):
        predicates += " body_pred(touches,2)."
        types += " type(touches,(piece,piece))."
    return f"""head_pred(zendo,1).
{predicates}
{" ".join(f"body_pred({word},1)." for word in words)}
{types}
{" ".join(f"type({word},(piece,))." for word in words)}
"""


def facts(name: str, scene: Scene) -> str:
    """A scene as facts in Prolog."""
    lines = []
    for at, piece in enumerate(scene.pieces):
        this = f"{name}_{at}"
        lines.append(f"piece({name},{this}). " + " ".join(f"{word}({this})." for word in sorted(piece.words)))
    for gap in sorted(scene.touching):
        one, other = f"{name}_{gap}", f"{name}_{gap + 1}"
        lines.append(f"touches({one},{other}). touches({other},{one}).")
    return "\n".join(lines) + "\n"


def _rule_text(rule: Sequence[WantedPiece]) -> str:
    """The secret rule as Prolog."""
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
