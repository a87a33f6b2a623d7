"""A bias where the user gives none.

The head comes from the examples, the body predicates from the background knowledge. Types come
from which constants occur where. Each argument position is a column of values, and columns that
hold the same kind of thing share a type:

- a name, string or structure that occurs in two columns makes them one type; so does a variable
  that a rule of the background uses in both;
- all lists are one type, and so are their elements;
- numbers prove little, since unrelated columns share small ones by accident. They are one type,
  but for numbers that only identify the examples (states, games, molecules). An argument of the
  head is guessed to hold such numbers when other predicates have a column that is mostly the
  same, and none of these predicates relates such numbers to each other, as `succ(1,2)` does.
  A column with fewer numbers joins them when it has more in common with them than with all
  other numbers, unless it is the only argument of a constant such as `five(5)`, and there are
  other columns with a 5. Where all columns that are left are of properties, they join them too.

Types that are too coarse make the search slower, types that are too fine hide solutions; hence
what is in doubt joins.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from itertools import chain, combinations, count
from typing import NamedTuple, TypeAlias

from joiner_magic.logic.terms import (
    NIL,
    Clause,
    Float,
    Integer,
    List,
    Predicate,
    Term,
    Variable,
    arguments_of,
    is_ground,
    predicate_of,
    variables,
)
from joiner_magic.solvers.interrupt import Stop, either, never, stoppable
from joiner_magic.solvers.signals import interrupt_requested, interruptible
from joiner_magic.task.background import Background, goals
from joiner_magic.task.bias import MAX_BODY_INFERRED, MAX_VARS, MAX_VARS_INFERRED, Bias
from joiner_magic.task.examples import Examples

_WIDEST_TYPED = 100  # arguments; of a wider predicate no types are inferred, as no rule uses it
_ALIKE = 1 / 2  # two columns hold mostly the same numbers if more than this share of them is common
_RELATED = 1 / 3  # a predicate relates numbers to each other if its columns share this much

# Goals that compare or compute: whatever variables they mention are of one type.
_COMPARISON_NAMES = r"= \= == \== is =:= =\= < > =< >= @< @> @=< @>="
_COMPARISONS = frozenset(Predicate(name, 2) for name in _COMPARISON_NAMES.split())

# Which arguments of Prolog's own predicates are lists; of the rest nothing is known.
_LIST_ARGUMENTS = {
    Predicate("append", 3): (0, 1, 2),
    Predicate("reverse", 2): (0, 1),
    Predicate("length", 2): (0,),
    Predicate("last", 2): (0,),
    Predicate("sum_list", 2): (0,),
    Predicate("member", 2): (1,),
    Predicate("memberchk", 2): (1,),
    Predicate("nth0", 3): (1,),
    Predicate("nth1", 3): (1,),
}


class ArgumentPosition(NamedTuple):
    """Which argument of which predicate: a column of the values that stand there."""

    predicate: Predicate
    position: int


class _ScopedVariable(NamedTuple):
    """A variable of one clause."""

    clause: int
    name: str


_Node: TypeAlias = ArgumentPosition | _ScopedVariable

# What has a type of its own wherever it occurs, and gives that type its name.
_LIST, _ELEMENT, _NUMBER = (ArgumentPosition(Predicate(name, 0), 0) for name in ("list", "element", "number"))


@interruptible
def infer_bias(background: Background, examples: Examples, stop: Stop = never) -> Bias:
    """The bias of a task whose texts give none: all predicates, their types, and bounds that fit them.

    Raises Interrupted when `stop` says so.
    """
    stop = either(stop, interrupt_requested)
    head = examples.predicate
    # A literal without arguments would say nothing about an example.
    body = tuple(p for p in background.predicates if p.arity > 0 and p != head)
    arities_in_use = [p.arity for p in body if p.arity <= MAX_VARS_INFERRED]
    return Bias(
        head,
        body,
        types=_inferred_types(head, body, _infer_types(background, examples, stop)),
        max_vars=max(MAX_VARS, head.arity, *arities_in_use),
        max_body=MAX_BODY_INFERRED,
    )


def _inferred_types(
    head: Predicate, body: Sequence[Predicate], types: _Types
) -> dict[Predicate, tuple[str, ...]]:
    """The names of the types of each predicate's arguments, those of very wide predicates aside."""
    typed = dict.fromkeys(p for p in (*body, head) if p.arity <= _WIDEST_TYPED)
    names = types.names(list(typed))  # which depend on the order of the predicates
    return {p: tuple(names[column] for column in _columns(p)) for p in (head, *body) if p in typed}


def _infer_types(background: Background, examples: Examples, stop: Stop) -> _Types:
    types = _Types(stop)
    for atom in stoppable((*examples.pos, *examples.neg), stop):
        types.put_atom(atom)
    for source in background.sources:
        terms: dict[int, Term] = {}
        for predicate in (p for p in source.predicates if p.arity <= _WIDEST_TYPED):
            for column, ids in zip(_columns(predicate), source.reading.columns(*predicate), strict=True):
                for number in stoppable(set(ids), stop):
                    if number not in terms:
                        terms[number] = source.reading.term(number)
                    types.put(column, terms[number])
    for index, rule in enumerate(stoppable(background.rules(), stop)):
        types.put_rule(rule.clause, index, background.predicates)
    types.join_by_names()
    types.join_by_numbers(examples.predicate)
    return types


class _Types:
    """Columns, the values seen in them, and which of them are one type (a union-find)."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._parent: dict[_Node, _Node] = {}
        self._values: defaultdict[ArgumentPosition, set[int]] = defaultdict(set)
        self._keys: dict[Term, int] = {}  # terms by number: sets of numbers are fast
        self._numbers: set[int] = set()  # the keys of integers and floats

    def put_atom(self, atom: Term, scope: int = -1) -> None:
        predicate = predicate_of(atom)
        if predicate is not None and predicate.arity <= _WIDEST_TYPED:
            for column, term in zip(_columns(predicate), arguments_of(atom), strict=True):
                self.put(column, term, scope)

    def put(self, column: ArgumentPosition, term: Term, scope: int = -1) -> None:
        """The term occurs in the column; its variables belong to the clause `scope`."""
        match term:
            case Variable(name=name):
                if name != "_":
                    self._join(column, _ScopedVariable(scope, name))
            case List(items=items, tail=tail):
                self._join(column, _LIST)
                for item in items:
                    self.put(_ELEMENT, item, scope)
                self.put(_LIST, tail, scope)
            case _ if term == NIL:
                self._join(column, _LIST)
            case _ if is_ground(term):
                key = self._keys.setdefault(term, len(self._keys))
                self._values[column].add(key)
                if isinstance(term, (Integer, Float)):
                    self._numbers.add(key)
            case _:
                pass  # a structure with variables: what they stand for is not a value of the column

    def put_rule(self, clause: Clause, scope: int, known: Container[Predicate]) -> None:
        assert clause.head is not None, "a rule has a head"
        for goal in (clause.head, *goals(clause.body)):
            predicate = predicate_of(goal)
            if predicate in known:
                self.put_atom(goal, scope)
            elif predicate in _COMPARISONS:
                compared = [_ScopedVariable(scope, name) for name in variables(goal) if name != "_"]
                for variable in compared[1:]:
                    self._join(compared[0], variable)
            elif predicate in _LIST_ARGUMENTS:
                for position in _LIST_ARGUMENTS[predicate]:
                    self.put(_LIST, arguments_of(goal)[position], scope)

    def join_by_names(self) -> None:
        """Join columns that share a value other than a number."""
        owners: dict[int, ArgumentPosition] = {}
        for column, keys in self._values.items():
            for key in stoppable(keys - self._numbers, self._stop):
                owner = owners.setdefault(key, column)
                if owner is not column:
                    self._join(owner, column)

    def join_by_numbers(self, head: Predicate) -> None:
        numbers = {c: found for c, keys in self._values.items() if (found := keys & self._numbers)}
        related = _related(numbers)
        identified = _NUMBER
        for column in stoppable(_columns(head) if head.arity <= _WIDEST_TYPED else [], self._stop):
            alike = [c for c in numbers if _overlap(numbers[c], numbers.get(column, set())) > _ALIKE]
            if len(alike) > 1 and not related & {c.predicate for c in alike}:
                identifiers = set().union(*(numbers.pop(c) for c in alike))
                settled = related | {c.predicate for c in alike}
                resembling = _resembling(identifiers, numbers, settled)
                for other in (*alike, *resembling):
                    self._join(other, column)
                    numbers.pop(other, None)
                identified = column
        # Where no predicate leads from examples to other numbers, what is left can only be about the examples.
        lead_on = any(column.predicate.arity != 1 for column in numbers)
        for column in numbers:
            self._join(column, _NUMBER if lead_on else identified)

    def names(self, predicates: Sequence[Predicate]) -> dict[ArgumentPosition, str]:
        """A name for the type of every column, made from the predicate that says most about it."""
        members: defaultdict[_Node, list[ArgumentPosition]] = defaultdict(list)
        for predicate in predicates:
            for column in _columns(predicate):
                members[self._find(column)].append(column)
        names: dict[ArgumentPosition, str] = {}
        taken: set[str] = set()
        for root, columns in stoppable(members.items(), self._stop):
            unique = _unique(self._name(root, columns), taken)
            taken.add(unique)
            names.update(dict.fromkeys(columns, unique))
        return names

    def _name(self, root: _Node, columns: Sequence[ArgumentPosition]) -> str:
        for column in (_LIST, _ELEMENT, _NUMBER):
            if root == self._find(column):
                return column.predicate.name
        everything = set().union(*(self._values[column] for column in columns))
        for column in columns:
            if column.predicate.arity == 1 and self._values[column] == everything:
                return column.predicate.name
        # has(x, y): what a thing has is called by the predicate; any other argument by its number.
        largest = max(columns, key=lambda column: (len(self._values[column]), _is_possession(column)))
        name = largest.predicate.name
        if _is_possession(largest):
            return name
        return f"{name}_{largest.position + 1}"

    def _find(self, node: _Node) -> _Node:
        root = node
        while (parent := self._parent.get(root, root)) != root:
            root = parent
        while node != root:  # shorten the way for the next time
            self._parent[node], node = root, self._parent[node]
        return root

    def _join(self, one: _Node, other: _Node) -> None:
        self._parent[self._find(one)] = self._find(other)


def _columns(predicate: Predicate) -> list[ArgumentPosition]:
    return [ArgumentPosition(predicate, position) for position in range(predicate.arity)]


def _unique(name: str, taken: Container[str]) -> str:
    """The name, with a number behind it where it is taken."""
    numbered = (f"{name}_{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)


def _is_possession(column: ArgumentPosition) -> bool:
    return (column.predicate.arity, column.position) == (2, 1)


def _related(numbers: Mapping[ArgumentPosition, set[int]]) -> set[Predicate]:
    """The predicates that relate numbers to each other."""
    of_predicate: defaultdict[Predicate, list[set[int]]] = defaultdict(list)
    for column, found in numbers.items():
        of_predicate[column.predicate].append(found)
    return {
        predicate
        for predicate, columns in of_predicate.items()
        if any(_overlap(one, other) >= _RELATED for one, other in combinations(columns, 2))
    }


def _resembling(
    identifiers: set[int], numbers: Mapping[ArgumentPosition, set[int]], others: Container[Predicate]
) -> list[ArgumentPosition]:
    """The columns, none of a predicate in `others`, that share more with `identifiers` than with the rest."""
    seen = Counter(key for keys in numbers.values() for key in keys)
    found: list[ArgumentPosition] = []
    for column, keys in numbers.items():
        # The numbers of this column and those of all others are together all that are seen.
        shared = sum(seen[key] > 1 for key in keys)
        overlap = shared / len(seen)
        is_constant = column.predicate.arity == len(keys) == shared == 1
        if column.predicate not in others and not is_constant and _overlap(keys, identifiers) > overlap:
            found.append(column)
    return found


def _overlap(one: set[int], other: set[int]) -> float:
    """The share of the values of either set that both have."""
    common = len(one & other)
    if not common:
        return 0.0
    return common / (len(one) + len(other) - common)
