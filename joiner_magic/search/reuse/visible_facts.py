"""What an example can see of the background knowledge.

A program covers an example if facts make a body true, and these facts hang together with the example: body
literals are connected with the head through the variables they share. So an example sees a fact only if a chain
of facts that share constants leads there. With directions for all predicates that a body can call it sees less: a literal
runs when its `in` arguments are bound, so a fact is seen only if its constants in these places were seen before.

Facts that no example sees can come and go: what programs cover of these examples stays the same. An example
that comes with facts of its own is the usual case.

**Proposition.** Let body predicates have facts only, let no predicate be invented, and let a head that rules can call have
one argument. Then every fact in a derivation of an example by a program of the space is seen from the example's constants,

1. where a fact is seen if one of its constants is, or it has none;
2. and also where a fact is seen if all its constants in `in` places are, provided that every predicate that a body can
   call has such a place: the body predicates, and with recursion the head.

*Proof*, by induction on the derivation's depth. Its last step is a rule whose head is the example and whose body holds
facts, and calls f(b) that have smaller derivations. (1) Every variable of the body is in the head or connected with it by
literals that share variables. A call has one variable and connects nothing, so facts alone lead from the example to every
fact of the body and to every b. What is seen from b is then seen from the example. (2) The literals can be put in an
order in which each has its inputs bound by the head or by earlier literals. Along this order every fact is seen, and with it
all its constants; and a call f(b) has an input, which is its only argument, so b was seen before it.

What the provisos keep out: a call of an undirected head runs before anything is bound, and binds its argument to what no
chain of inputs leads to, as in f(A) :- f(B), e(B,A) with e directed from B to A; such a head is left to (1), where the same
fact is seen from A. A call of two arguments connects what no facts connect, and so does an invented predicate.
Other examples are no facts: a derivation never uses them, and what is seen is asked of each example's own constants.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from joiner_magic.logic.terms import Predicate, Term, arguments_of
from joiner_magic.task.background import Background
from joiner_magic.task.bias import Bias
from joiner_magic.task.reader import PrologText
from joiner_magic.task.task import Task

_Fact: TypeAlias = tuple[Predicate, tuple[int, ...]]  # its constants by number


def sees_the_same(examples: Iterable[Term], before: Task, task: Task) -> bool:
    """Whether the examples see the same facts in both tasks, for programs over the body predicates of `task`.

    It may be so even if this says no.
    """
    olds, news = (_by_text(each.background) for each in (before, task))
    if list(olds) == list(news):  # in Prolog the order of rules matters
        return before.builtins == task.builtins
    bias = task.bias
    if not bias.head.arity or _may_jump(bias):
        return False
    if any(_has_rules(each.background, bias) for each in (before, task)):
        return False
    numbers: dict[Term, int] = {}
    same = set(_facts((olds[text] for text in olds.keys() & news.keys()), bias.body, numbers))
    old = set(_facts((olds[text] for text in olds.keys() - news.keys()), bias.body, numbers)) - same
    new = set(_facts((news[text] for text in news.keys() - olds.keys()), bias.body, numbers)) - same
    if old == new:
        return True
    constants = (constant for atom in examples for constant in arguments_of(atom))
    sight = _VisibleFacts(bias, {numbers[constant] for constant in constants if constant in numbers})
    if any(map(sight.sees, old ^ new)):  # most often it is about an example itself
        return False
    for facts in (same, old, new):
        sight.tell(facts)
    sight.look()
    return not any(map(sight.sees, old ^ new))


def _may_jump(bias: Bias) -> bool:
    """Whether a call can lead to constants that no chain of facts leads to, with directions or without.

    The rules f(A,B) :- p(A), q(B) and f(A,B) :- e(A,B), f(B,C), s(C) go from B to whatever is in q.
    """
    return bias.enable_pi or (bias.enable_recursion and bias.head.arity > 1)


def _by_text(background: Background) -> dict[str, PrologText]:
    """The texts, wherever they stand in their cells."""
    return {source.text.strip(): source for source in background.sources}


def _has_rules(background: Background, bias: Bias) -> bool:
    """Rules of the background knowledge join facts as they like."""
    relations = (background.predicates.get(predicate) for predicate in bias.body)
    return any(relation is None or relation.rules for relation in relations)


def _facts(
    sources: Iterable[PrologText], predicates: Collection[Predicate], numbers: dict[Term, int]
) -> Iterator[_Fact]:
    """Each text numbers its constants by itself; `numbers` is for all."""
    for source in sources:
        local: dict[int, int] = {}
        for predicate in source.predicates.keys() & set(predicates):
            columns = source.reading.columns(*predicate)
            for number in {number for column in columns for number in column} - local.keys():
                local[number] = numbers.setdefault(source.reading.term(number), len(numbers))
            columns = [[local[number] for number in column] for column in columns]
            for row in zip(*columns, strict=True) if columns else [()]:
                yield predicate, row


class _VisibleFacts:
    """The constants that are seen, and the facts that lead from one to another."""

    def __init__(self, bias: Bias, seen: set[int]) -> None:
        self._inputs: Mapping[Predicate, Sequence[int]] = {
            predicate: [i for i, d in enumerate(bias.directions.get(predicate, ())) if d == "in"]
            for predicate in bias.body
        }
        # A literal without inputs can come anywhere, and others can then be run against their chain.
        called = (*bias.body, bias.head) if bias.enable_recursion else bias.body
        self._directed = all("in" in bias.directions.get(predicate, ()) for predicate in called)
        self._facts: defaultdict[int, list[_Fact]] = defaultdict(list)
        self._seen = seen

    def tell(self, facts: Iterable[_Fact]) -> None:
        for fact in facts:
            for constant in self._doors(fact):
                self._facts[constant].append(fact)

    def look(self) -> None:
        """From the constants that are seen on."""
        ahead = list(self._seen)
        while ahead:
            for fact in self._facts.pop(ahead.pop(), ()):
                if self.sees(fact):
                    new = set(fact[1]) - self._seen
                    self._seen |= new
                    ahead += new

    def sees(self, fact: _Fact) -> bool:
        doors = self._doors(fact)
        seen = (constant in self._seen for constant in doors)
        return not doors or (all(seen) if self._directed else any(seen))

    def _doors(self, fact: _Fact) -> Sequence[int]:
        """The constants through which a fact is seen."""
        predicate, args = fact
        if not self._directed:
            return args
        return [args[place] for place in self._inputs[predicate]]
