"""Random small tasks with recursion that are edited cell by cell, with every mixture of directions.

They are made to strike where reuse is most delicate: calls of the head that bind what no fact leads to, facts that only
point at an example, other examples' terms that rules of the background knowledge take apart, and invented predicates.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from joiner_magic.sessions.session import Session

_LISTS = "z(zz). tl([_|T],T). hd([H|_],H)."
_ARITIES = {"e": 2, "g": 2, "q": 1, "p": 1, "tl": 2, "hd": 2, "z": 1}
_FLAGS = ("enable_pi", "allow_singletons", "non_datalog")


@dataclass
class RecursiveEdits:
    """The lines of a task; each edit changes one of them."""

    rng: Random
    lists: bool = False  # whether the examples are lists, which rules take apart
    arity: int = 1  # of the head
    constants: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)  # atom -> "pos" or "neg"
    body: list[str] = field(default_factory=list)
    directions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bounds: dict[str, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)

    @classmethod
    def random(cls, rng: Random) -> RecursiveEdits:
        edits = cls(rng, lists=rng.random() < 0.25, arity=1 if rng.random() < 0.9 else 2)
        edits.body = (
            ["tl", "hd", "z"] if edits.lists else ["e", "q", *rng.sample(["g", "p"], rng.choice([0, 0, 1]))]
        )
        edits.constants = [f"a{number}" for number in range(rng.randint(3, 5))]
        edits.bounds = {"max_vars": 2, "max_body": 2, "max_clauses": 2}
        edits.flags = {"enable_recursion"} | {flag for flag in _FLAGS if rng.random() < 0.12}
        for name in (*edits.body, "f"):
            if rng.random() < (0.35 if name == "f" else 0.92):
                edits.directions[name] = edits._modes(name)
        for _ in range(rng.choice([1, 2, 3, 5])):
            edits.add_fact()
        for label in ("pos", "pos", "neg", *(["neg"] if rng.random() < 0.5 else [])):
            edits.labels.setdefault(edits._atom(), label)
        if not edits.lists:  # so that there is a rule for recursion to begin with
            edits.facts.append(f"q({edits._subjects()[0]}).")
        return edits

    def edit(self) -> str:
        """One edit, and its name."""
        often = [
            self.add_fact,
            self.add_pointing_fact,
            self.add_pointing_fact,
            self.add_example,
            self.add_stranger,
        ]
        seldom = [
            self.remove_fact,
            self.remove_example,
            self.change_direction,
            self.change_flag,
            self.change_bound,
        ]
        chosen = self.rng.choice([*often, *often, *seldom])
        chosen()
        return chosen.__name__

    def add_fact(self) -> None:
        if not self.lists:
            name = self.rng.choice(self.body)
            args = (self.rng.choice(self.constants) for _ in range(_ARITIES[name]))
            self.facts.append(f"{name}({','.join(args)}).")

    def add_pointing_fact(self) -> None:
        """From a constant that is new to one that is known: what only goes along inputs does not see it from there."""
        self.constants.append(f"b{len(self.constants)}")
        if self.lists:
            longer = f"[{self.rng.choice(['zz', 'a'])},{self.rng.choice(self._subjects())[1:]}"
            self.labels.setdefault(
                f"f({','.join([longer] * self.arity)})", self.rng.choice(["pos", "pos", "neg"])
            )
        else:
            new, known = self.constants[-1], self.rng.choice([*self._subjects(), *self.constants[:-1]])
            self.facts += [f"e({new},{known}).", f"{self.rng.choice(self.body[1:2] * 3 + ['p'])}({new})."]

    def remove_fact(self) -> None:
        if len(self.facts) > 2:
            self.facts.remove(self.rng.choice(self.facts))

    def add_example(self) -> None:
        self.labels.setdefault(self._atom(), self.rng.choice(["pos", "neg"]))

    def add_stranger(self) -> None:
        """An example with facts of its own."""
        self.constants += [f"s{len(self.constants)}", f"t{len(self.constants)}"]
        one, other = self.constants[-2:]
        if not self.lists:
            self.facts.append(self.rng.choice([f"e({one},{other}).", f"e({other},{one}).", f"q({one})."]))
            self.labels[f"f({','.join([one] * self.arity)})"] = self.rng.choice(["pos", "neg"])

    def remove_example(self) -> None:
        atom = self.rng.choice(list(self.labels))
        if self.labels[atom] == "neg" or list(self.labels.values()).count("pos") > 1:
            del self.labels[atom]

    def change_direction(self) -> None:
        name = self.rng.choice([*self.body, "f", "f"])
        if self.directions.pop(name, None) is None:
            self.directions[name] = self._modes(name)

    def change_flag(self) -> None:
        self.flags ^= {self.rng.choice([*_FLAGS, "enable_recursion"])}

    def change_bound(self) -> None:
        name = self.rng.choice(["max_body", "max_clauses", "max_clauses"])
        self.bounds[name] = self.rng.choice([1, 2])

    def tell(self, session: Session) -> None:
        """What the cells now say."""
        session.say(
            "bk",
            _LISTS if self.lists else "\n".join([*self.facts, "e(k1,k2). q(k3). g(k4,k5). p(k6)."]),
            key="bk",
        )
        session.say(
            "examples", "\n".join(f"{label}({atom})." for atom, label in self.labels.items()), key="examples"
        )
        lines = [
            f"head_pred(f,{self.arity}).",
            *(f"body_pred({name},{_ARITIES[name]})." for name in self.body),
        ]
        lines += [f"direction({name},({','.join(modes)},))." for name, modes in self.directions.items()]
        lines += [f"{name}({value})." for name, value in self.bounds.items()]
        session.say("bias", "\n".join([*lines, *(f"{flag}." for flag in sorted(self.flags))]), key="bias")

    def __str__(self) -> str:
        session = Session()
        self.tell(session)
        return "\n".join(cell.text for cell in session.cells)

    def _modes(self, name: str) -> tuple[str, ...]:
        if self.lists and name != "f":
            return ("in", "out")[: _ARITIES[name]]
        if _ARITIES.get(name) == 2 and self.rng.random() < 0.8:
            return "in", "out"
        arity = _ARITIES.get(name, self.arity)
        return tuple(self.rng.choice(["in"] * 5 + ["out"]) for _ in range(arity))

    def _subjects(self) -> list[str]:
        """What the examples are about, as far as an argument has no comma of its own."""
        return [
            atom[2:-1].split("],")[0].rstrip("]") + "]" if self.lists else atom[2:-1].split(",")[0]
            for atom in self.labels
        ]

    def _atom(self) -> str:
        args = (self._list() if self.lists else self.rng.choice(self.constants) for _ in range(self.arity))
        return f"f({','.join(args)})"

    def _list(self) -> str:
        return f"[{','.join(self.rng.choice(['a', 'b', 'zz']) for _ in range(self.rng.randint(1, 3)))}]"
