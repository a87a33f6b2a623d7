"""Tasks in the shapes that the native miner treats in ways of their own.

Facts that fall apart into one world per example or do not; relations that are symmetric, functional, inside one
another or reflexive; values that need no word, one or several; every arity. Labels are arbitrary: what is
compared is what rules cover, and hidden rules would only make the fronts shorter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import TypeAlias

from joiner_magic import read_task
from joiner_magic.task.task import Task

Row: TypeAlias = tuple[str, ...]
KINDS = (
    "arbitrary",
    "arbitrary",
    "symmetric",
    "functional",
    "inside",
    "reflexive",
    "single",
    "empty",
    "full",
)  # of relations


@dataclass(slots=True)
class Shape:
    """A task while it is being made."""

    head: int
    pos: Sequence[Row] = ()
    neg: Sequence[Row] = ()
    arities: dict[str, int] = field(default_factory=dict)
    facts: dict[str, list[Row]] = field(default_factory=dict)
    types: dict[str, Row] = field(default_factory=dict)
    directions: dict[str, Row] = field(default_factory=dict)
    max_vars: int = 3
    max_body: int = 3
    flags: Sequence[str] = ()  # of the bias, and constraints

    def add(self, name: str, rows: Iterable[Row], kinds: Row, modes: Row = ()) -> None:
        self.arities[name] = len(kinds)
        self.facts[name] = sorted(rows)
        self.types[name] = kinds
        if modes:
            self.directions[name] = modes

    def bound_body(self, most: int, longest: int) -> None:
        """The longest body with which not too many are possible."""
        literals = sum(math.perm(self.max_vars, arity) for arity in self.arities.values())
        lengths = range(1, longest + 1)
        self.max_body = max((n for n in lengths if math.comb(literals, n) <= most), default=1)

    @property
    def texts(self) -> tuple[str, str, str]:
        background = [f"{_atom(name, row)}.\n" for name, rows in self.facts.items() for row in rows]
        background += [_nothing(name, self.arities[name]) for name, rows in self.facts.items() if not rows]
        examples = [f"{kind}({_atom('f', row)}).\n" for kind in ("pos", "neg") for row in getattr(self, kind)]
        bias = [f"head_pred(f,{self.head})."]
        bias += [f"body_pred({name},{arity})." for name, arity in self.arities.items()]
        for directive in ("type", "direction"):
            words = getattr(self, f"{directive}s")
            bias += [f"{directive}({name},({','.join(kinds)},))." for name, kinds in words.items() if kinds]
        bias += [f"max_vars({self.max_vars}).", f"max_body({self.max_body}).", *self.flags]
        return "".join([*background, *background[::7]]), "".join(examples), "\n".join(bias)

    def task(self) -> Task:
        return read_task(*self.texts)

    def __str__(self) -> str:
        return "\n".join(self.texts)


def _atom(name: str, row: Row) -> str:
    return f"{name}({','.join(row)})" if row else name


def _nothing(name: str, arity: int) -> str:
    """A definition without a fact."""
    atom = _atom(name, tuple(f"V{i}" for i in range(arity)))
    return f"{atom} :- {atom}.\n"


def related(rng: Random, kind: str, columns: Sequence[Sequence[str]], known: Sequence[Row]) -> set[Row]:
    """Rows of a relation of this kind over the columns; `known` are those that it may be inside of."""
    most = min(60, math.prod(map(len, columns)))

    def drawn() -> Row:
        return tuple(map(rng.choice, columns))

    rows = {drawn() for _ in range(rng.randint(1, max(1, most * 2 // 3)))}
    if kind == "empty":
        return set()
    if kind == "single" or not columns:
        return {drawn()}
    if kind == "full" and math.prod(map(len, columns)) <= 60:
        return set(product(*columns))
    if kind == "inside" and known:
        return set(rng.sample(list(known), max(1, len(known) // 2)))
    if len(columns) > 1:
        if kind == "symmetric" and columns[0] == columns[-1]:
            rows |= {(row[-1], *row[1:-1], row[0]) for row in rows}
        if kind == "functional":
            place = rng.randrange(len(columns))
            rows = set({(*row[:place], *row[place + 1 :]): row for row in sorted(rows)}.values())
        if kind == "reflexive":
            rows |= {(value,) * len(columns) for value in columns[0] if rng.random() < 0.5}
    if kind != "reflexive":  # equal values forbid a pruning: most relations have none
        rows = {row for row in rows if len(set(row)) == len(row)} or rows
    return rows


def random_shape(rng: Random) -> Shape:
    """A few relations over constants that all rules can reach."""
    shape = Shape(rng.choice([0, 1, 1, 1, 2, 2, 3]))
    count = rng.choice([4, 6, 6, 8, 8, 10, 70, 140])
    values = {"s": [f"s{i}" for i in range(count)], "t": [f"t{i}" for i in range(rng.choice([1, 4, 70]))]}
    shape.max_vars = max(rng.choice([2, 3, 3, 4, 4, 5]), shape.head)
    previous: dict[Row, list[Row]] = {}
    for number in range(rng.randint(1, 4)):
        arity = rng.choice([0, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5])
        kinds = tuple(rng.choice("ssst") for _ in range(min(arity, shape.max_vars)))
        rows = related(rng, rng.choice(KINDS), [values[k] for k in kinds], previous.get(kinds, ()))
        previous[kinds] = sorted(rows)
        modes = tuple(rng.choice(["in", "out"]) for _ in kinds)
        shape.add(f"p{number}", rows, kinds, modes if rng.random() < 0.2 else ())
    shape.types["f"] = tuple(rng.choice("ssst") for _ in range(shape.head))
    if shape.head and rng.random() < 0.2:
        shape.directions["f"] = tuple(rng.choice(["in", "out"]) for _ in range(shape.head))
    _label(rng, shape, [values[kind] for kind in shape.types["f"]])
    keep = rng.choice([0.0, 0.7, 1.0, 1.0])  # which arguments are typed
    shape.types = {name: kinds for name, kinds in shape.types.items() if rng.random() < keep}
    shape.flags = [flag for flag in ("allow_singletons.", "non_datalog.") if rng.random() < 0.4]
    if rng.random() < 0.25:
        shape.flags = [*shape.flags, _constraint(rng, shape)]
    shape.bound_body(1_500, 5)
    return shape


def _constraint(rng: Random, shape: Shape) -> str:
    """A pattern of one or two literals that is forbidden, or a bound on those of a predicate."""
    name = rng.choice(list(shape.arities))
    if rng.random() < 0.3:
        return f":- clause(C), #count{{Vs : body_literal(C,{name},_,Vs)}} > 1."
    chosen = [("body", one) for one in (name, *rng.sample(list(shape.arities), rng.randint(0, 1)))]
    if rng.random() < 0.4:
        chosen.append(("head", "f"))
    arities = {**shape.arities, "f": shape.head}
    patterns = ["".join(f"{rng.choice('XYZ_')}," for _ in range(arities[one])) for _, one in chosen]
    atoms = (f"{kind}_literal(C,{one},_,({vs}))" for (kind, one), vs in zip(chosen, patterns, strict=True))
    return f":- {', '.join(atoms)}."


def _label(rng: Random, shape: Shape, columns: Sequence[Sequence[str]]) -> None:
    seen = [row for rows in shape.facts.values() for row in rows]
    met = [[v for row in seen for v in row if v in set(column)] or list(column) for column in columns]
    rows = sorted({tuple(map(rng.choice, met)) for _ in range(rng.randint(2, 14))})
    rng.shuffle(rows)
    cut = rng.randint(1, len(rows))
    shape.pos, shape.neg = rows[:cut], rows[cut:]


def worlds_shape(rng: Random) -> Shape:
    """Scenes: each example has pieces of its own, one up to many; directions or separate values keep rules inside."""
    shape = Shape(rng.choice([1, 1, 2]))
    directed = rng.random() < 0.5
    scenes, most = rng.choice([(20, 5), (15, 8), (70, 1), (4, 90), (4, 140)])
    pieces = [[f"x{s}_{i}" for i in range(rng.randint(max(1, most - 2), most))] for s in range(scenes)]
    owned = [(f"e{s}", piece) for s, own in enumerate(pieces) for piece in own]
    shape.add("has", owned, ("e", "x"), ("in", "out") if directed else ())
    modes: Row = ("in", "out") if directed else ()
    for number in range(rng.randint(1, 2)):
        kind = rng.choice(KINDS)
        rows = {row for own in pieces for row in related(rng, kind, [own, own], ())}
        shape.add(f"r{number}", rows, ("x", "x"), modes)
    if directed and rng.random() < 0.7:
        reals = [str(i) for i in range(rng.choice([1, 3, 70]))]
        shape.add("size", [(piece, rng.choice(reals)) for _, piece in owned], ("x", "n"), modes)
        shape.add("small", [(real,) for real in reals[::2]], ("n",), ("in",))
    chosen = [(piece,) for _, piece in owned if rng.random() < 0.4]
    shape.add("red", chosen, ("x",), ("in",) if directed else ())
    if rng.random() < 0.3:
        rows = {row for own in pieces for row in related(rng, "arbitrary", [own, own, own], ())}
        shape.add("between", rows, ("x", "x", "x"), ("in", "in", "out") if directed else ())
    _label_scenes(rng, shape, pieces)
    if rng.random() < 0.3:
        shape.types = {}
    shape.flags = ["allow_singletons."] if rng.random() < 0.5 else []
    shape.max_vars = rng.choice([3, 4])
    shape.bound_body(2_500, 4)
    return shape


def _label_scenes(rng: Random, shape: Shape, pieces: Sequence[Sequence[str]]) -> None:
    """Examples are scenes, or a scene with one of its pieces, in either order."""
    rows: list[Row]
    if shape.head == 1:
        rows = [(f"e{s}",) for s in range(len(pieces))]
        shape.types["f"] = ("e",)
    else:
        rows = [(f"e{s}", rng.choice(own)) for s, own in enumerate(pieces) for _ in range(2)]
        shape.types["f"] = ("e", "x")
        if rng.random() < 0.5:
            rows = [row[::-1] for row in rows]
            shape.types["f"] = ("x", "e")
    rows = sorted(set(rows))
    rng.shuffle(rows)
    cut = rng.randint(1, min(10, len(rows) - 1))
    shape.pos, shape.neg = rows[:cut], rows[cut : cut + 15]


def tangled_shape(rng: Random) -> Shape:
    """One or two relations and many variables: cycles of three and four, several literals over the same variables."""
    shape = Shape(rng.choice([0, 1, 1, 2]), max_vars=rng.choice([4, 4, 5]))
    values = [f"v{i}" for i in range(rng.choice([5, 6, 7, 66]))]
    arities = rng.choice([(2,), (2,), (2, 1), (2, 2), (3,), (3, 1)])
    for number, arity in enumerate(arities):
        kind = rng.choice(["arbitrary", "arbitrary", "symmetric", "functional", "inside"])
        rows = related(rng, kind, [values] * arity, shape.facts.get("p0", ()) if number else ())
        rows = {row for row in rows if len(row) == arity} or {tuple(values[:arity])}
        shape.add(f"p{number}", rows, ("s",) * arity)
    _label(rng, shape, [values] * shape.head)
    if rng.random() < 0.7:
        shape.types = {}
    else:
        shape.types["f"] = ("s",) * shape.head
    shape.flags = ["allow_singletons."] if rng.random() < 0.6 else []
    shape.bound_body(20_000 if arities == (2,) else 3_000, 5)
    return shape


def wide_texts(rng: Random, max_vars: int, max_body: int) -> tuple[str, str, str]:
    """Molecules: atoms with bonds of several kinds. Any two tell some examples apart, none tells them all."""
    facts, kinds = [], [f"k{i}" for i in range(6)]
    for m in range(60):
        atoms = [f"a{m}_{i}" for i in range(14)]
        facts += [f"atom(m{m},{atom},{rng.choice(kinds)})." for atom in atoms]
        facts += [f"bond({rng.choice(atoms)},{rng.choice(atoms)},{rng.choice(kinds)})." for _ in range(30)]
        facts += [f"near({rng.choice(atoms)},{rng.choice(atoms)})." for _ in range(30)]
    facts += [f"{kind}({kind})." for kind in kinds]
    examples = [f"{rng.choice(['pos', 'neg'])}(f(m{m}))." for m in range(60)]
    bias = (
        "head_pred(f,1). body_pred(atom,3). body_pred(bond,3). body_pred(near,2)."
        "type(f,(m,)). type(atom,(m,a,k)). type(bond,(a,a,k)). type(near,(a,a))."
        f"max_vars({max_vars}). max_body({max_body}). allow_singletons."
        + "".join(f"body_pred({kind},1). type({kind},(k,))." for kind in kinds)
    )
    return "\n".join(facts), "\n".join(examples), bias
