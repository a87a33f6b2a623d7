"""Parcels and the stops on their way: late are those that meet trouble in the wrong order.

Every late parcel has a twin that was on time, with the same stops in another order, so no rule can tell the two apart
that does not know which stop comes next. The other parcels that were on time miss the rest of the rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, permutations
from random import Random

from joiner_magic.generators.generated_task import GeneratedTask, labelled

_PLACES = ("customs", "harbour", "depot", "airport")
_WEATHERS = ("fair", "storm", "fog")
_HOURS = ("day", "night")
_SENDERS = ("ada", "bo", "cleo", "dan", "eve")
_REGULAR = ("ada", "dan")
_BIAS = f"""head_pred(late,1).
body_pred(stop,2). body_pred(next,2). body_pred(sent_by,2). body_pred(regular,1).
{" ".join(f"body_pred({word},1)." for word in (*_PLACES, *_WEATHERS, *_HOURS))}
type(late,(parcel,)). type(stop,(parcel,stop)). type(next,(stop,stop)).
type(sent_by,(parcel,sender)). type(regular,(sender,)).
{" ".join(f"type({word},(stop,))." for word in (*_PLACES, *_WEATHERS, *_HOURS))}
max_vars(3). max_body(4).
"""
_RULE = "late(P) :- stop(P,A), customs(A), night(A), stop(P,B), harbour(B), next(B,C), storm(C)."


@dataclass(frozen=True, slots=True)
class ParcelStop:
    """A stop on the way of a parcel: where, in which weather, and at which hour."""

    place: str
    weather: str
    hour: str


@dataclass(frozen=True, slots=True)
class Parcel:
    """A parcel: its stops, and who sent it."""

    stops: tuple[ParcelStop, ...]  # in the order of its way
    sender: str

    @property
    def waits(self) -> bool:
        """Whether it waits at night for customs."""
        return any((stop.place, stop.hour) == ("customs", "night") for stop in self.stops)

    @property
    def sails_into_a_storm(self) -> bool:
        """Whether a harbour is followed by a storm."""
        return any(a.place == "harbour" and b.weather == "storm" for a, b in pairwise(self.stops))

    @property
    def late(self) -> bool:
        """Whether it is late: the secret rule."""
        return self.waits and self.sails_into_a_storm


def parcels(late: int = 20, seed: int = 1) -> GeneratedTask:
    """A task of `late` late parcels, as many twins of theirs, and half as many others.

    The last fifth of each is held out.

    Twins make the bias matter: without a predicate for the next stop there is no solution.
    """
    rng = Random(seed)
    positives = [_parcel(rng, waits=True) for _ in range(late)]
    twins = [rng.choice(_twins(parcel)) for parcel in positives]
    others = [_parcel(rng, waits=False) for _ in range(late // 2)]
    background = " ".join(f"regular({sender})." for sender in _REGULAR) + "\n"
    seen: dict[str, list[str]] = {}
    held_out: dict[str, list[str]] = {}
    for letter, group in (("l", positives), ("t", twins), ("o", others)):
        atoms = []
        for number, parcel in enumerate(group, 1):
            background += _facts(f"{letter}{number}", parcel)
            atoms.append(f"late({letter}{number})")
        first_held_out = len(atoms) - len(atoms) // 5
        seen[letter], held_out[letter] = atoms[:first_held_out], atoms[first_held_out:]
    return GeneratedTask(
        background=background,
        examples=labelled(seen["l"], seen["t"] + seen["o"]),
        bias=_BIAS,
        held_out=labelled(held_out["l"], held_out["t"] + held_out["o"]),
        rule=_RULE,
    )


def _parcel(rng: Random, *, waits: bool) -> Parcel:
    """A parcel at random that sails into a storm, and that waits at night for customs or does not."""
    while True:
        stops = [_stop(rng) for _ in range(rng.randint(4, 6))]
        parcel = Parcel(tuple(stops), rng.choice(_SENDERS))
        if parcel.sails_into_a_storm and parcel.waits == waits and _twins(parcel):
            return parcel


def _stop(rng: Random) -> ParcelStop:
    """A stop at random."""
    return ParcelStop(rng.choice(_PLACES), rng.choice(_WEATHERS), rng.choice(_HOURS))


def _twins(parcel: Parcel) -> list[Parcel]:
    """The same stops in the orders in which no storm follows a harbour; for some parcels there is none."""
    orders = (Parcel(stops, parcel.sender) for stops in permutations(parcel.stops))
    return [twin for twin in orders if not twin.sails_into_a_storm]


def _facts(name: str, parcel: Parcel) -> str:
    """A parcel and its stops as facts."""
    stops = [f"{name}_{number + 1}" for number in range(len(parcel.stops))]
    lines = [f"sent_by({name},{parcel.sender})."]
    for this, stop in zip(stops, parcel.stops, strict=True):
        lines.append(
            f"stop({name},{this}). {stop.place}({this}). {stop.weather}({this}). {stop.hour}({this})."
        )
    lines.append(" ".join(f"next({one},{other})." for one, other in pairwise(stops)))
    return "\n".join(lines) + "\n"
