"""Why there is no solution: what was searched, what came closest, what stands in the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Predicate, Term
from joiner_magic.search.objective import EXACT, Objective, Price, price_text
from joiner_magic.task.bias import MAX_CLAUSES_RECURSIVE, Bias
from joiner_magic.task.notes import counted
from joiner_magic.task.task import Task

_SHOWN = 5  # examples that are named


@dataclass(frozen=True, slots=True)
class Advice:
    """A single change of the bias that was tried, and what it opened."""

    change: str  # as bias, or in words
    covered: int  # positive examples
    solved: bool  # whether there is a solution


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What stands in the way of a solution."""

    searched: int  # all programs of at most this size were tested
    exhausted: bool  # and there are no larger ones in the space, nor any that is not finished
    uncovered: tuple[Term, ...]  # positive examples that the best partial hypothesis leaves
    impossible: tuple[Term, ...]  # positive examples that no rule of the space covers without a negative one
    idle: tuple[Predicate, ...]  # body predicates that never helped to tell positives from negatives
    bounds: tuple[str, ...]  # bounds of the bias that were reached by programs which cover positives
    advice: tuple[Advice, ...] = ()  # single changes of the bias that were tried, and what each opened
    unfinished: int = 0  # programs among them whose evaluation did not finish
    nothing: Price | None = None  # what it costs to learn nothing, where positive examples may be missed
    proven: bool = False  # whether no hypothesis of the space costs less than that
    allows_wrong: bool = False  # whether a rule may cover negative examples, for a price

    @classmethod
    def of(
        cls,
        task: Task,
        *,
        covered: int,
        coverable: int | None,
        searched: int,
        tested: Iterable[tuple[Program, Evaluation]],
        helpful: Sequence[Program],
        longest: int = 0,
        widest: int = 0,
        unfinished: Sequence[Program] = (),
        objective: Objective = EXACT,
        proven: bool = False,
    ) -> Shortfall:
        """`coverable` is what parts can cover when the space is exhausted, None when it is not.

        Of `unfinished` programs it is not known what they cover, and so not what parts can cover with them.
        `longest` and `widest` are the most literals and variables in a body that covers something, where more
        were tested than given.

        Where positive examples may be missed for a price, programs that do not pay are left out, whatever they cover. So
        nothing can be said then about what no rule covers, or about predicates that never helped.
        """
        if objective.allows_missed:
            return cls._of_prices(task, objective, searched, proven, len(unfinished), coverable is not None)
        pos = task.examples.pos
        helping = [*helpful, *unfinished]  # or perhaps
        useful = {literal.predicate for program in helping for rule in program.rules for literal in rule.body}
        if unfinished:
            coverable = None
        return cls(
            searched,
            exhausted=coverable is not None,
            uncovered=tuple(atom for i, atom in enumerate(pos) if not covered >> i & 1),
            impossible=tuple(
                atom for i, atom in enumerate(pos) if coverable is not None and not coverable >> i & 1
            ),
            idle=tuple(predicate for predicate in task.bias.body if searched > 1 and predicate not in useful),
            bounds=tuple(_bounds_reached(task.bias, tested, longest, widest)),
            unfinished=len(unfinished),
            allows_wrong=objective.allows_wrong,
        )

    @classmethod
    def _of_prices(
        cls, task: Task, objective: Objective, searched: int, proven: bool, unfinished: int, exhausted: bool
    ) -> Shortfall:
        """The report where it is cheaper to learn nothing than to learn anything that is known."""
        nothing = objective.cost_without_rules(sum(task.examples.pos_weights, Fraction(0)))
        return cls(
            searched,
            exhausted and not unfinished,
            uncovered=task.examples.pos,
            impossible=(),
            idle=(),
            bounds=(),
            unfinished=unfinished,
            nothing=nothing,
            proven=proven,
        )

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.nothing is not None:
            yield from self._lines_about_prices(self.nothing)
        if self.proven:
            return  # which programs were tried says nothing then: none of the space pays
        space = "the whole space was searched" if self.exhausted else "larger programs were not tried"
        if self.unfinished:
            space = f"the evaluation of {counted(self.unfinished, 'program')} did not finish"
        yield f"searched     all programs of up to {self.searched} literals; {space}"
        if self.uncovered and self.nothing is None:
            yield f"uncovered    {_named(self.uncovered)}"
        if self.impossible:
            without = "" if self.allows_wrong else " without a negative example"
            yield f"impossible   no rule covers these{without}: {_named(self.impossible)}"
        if self.idle:
            yield f"no help      {', '.join(map(str, self.idle))}"
        if self.bounds:
            yield f"bounds hit   {', '.join(self.bounds)}"
        for advice in sorted(self.advice, key=lambda advice: (not advice.solved, -advice.covered)):
            examples = f"{advice.covered:,} positive example{'' if advice.covered == 1 else 's'}"
            opened = "there is a solution"
            if not advice.solved:
                opened = f"covers {examples}"
            yield f"try          {advice.change}: {opened}"

    def _lines_about_prices(self, nothing: Price) -> Iterator[str]:
        """Why nothing is learnt, where that is the cheapest."""
        known = "no hypothesis costs less" if self.proven else "no hypothesis is known that costs less"
        yield f"cost         to learn nothing costs {price_text(nothing)}; {known}"
        examples = counted(len(self.uncovered), "positive example")
        worth = f"{price_text(nothing)} for all {examples}"
        yield f"to pay       what a rule covers has to be worth more than its literals: there is {worth}"
        yield "try          a higher price for missed examples, or more examples"


def changes(bias: Bias) -> Iterator[tuple[str, Bias]]:
    """Single changes of a bias that open a larger space, as text for the user and as a value."""
    if not bias.allow_singletons:
        yield "allow_singletons.", replace(bias, allow_singletons=True)
    if not bias.non_datalog:
        yield "non_datalog.", replace(bias, non_datalog=True)
    yield f"max_vars({bias.max_vars + 1}).", replace(bias, max_vars=bias.max_vars + 1)
    yield f"max_body({bias.max_body + 1}).", replace(bias, max_body=bias.max_body + 1)
    if not bias.enable_recursion:
        most = max(bias.max_clauses, MAX_CLAUSES_RECURSIVE)
        yield "enable_recursion.", replace(bias, enable_recursion=True, max_clauses=most)
    else:
        more = bias.max_clauses + 1
        yield f"max_clauses({more}).", replace(bias, max_clauses=more)
    if bias.directions:
        yield "without the directions", replace(bias, directions={})
    if bias.types:
        yield "without the types", replace(bias, types={})
    if bias.constraints:
        yield "without your constraints", replace(bias, constraints="")


def _bounds_reached(
    bias: Bias, tested: Iterable[tuple[Program, Evaluation]], body: int, variables: int
) -> Iterator[str]:
    """The bounds that programs with some positive coverage have reached: larger ones might do better."""
    clauses = 0
    for program, evaluation in tested:
        if evaluation.pos:
            clauses = max(clauses, len(program.rules))
            for rule in program.rules:
                body = max(body, len(rule.body))
                variables = max(variables, len({a for literal in rule.body for a in literal.args}))
    if body >= bias.max_body:
        yield f"max_body {bias.max_body}"
    if variables >= bias.max_vars:
        yield f"max_vars {bias.max_vars}"
    if clauses >= bias.max_clauses and (bias.enable_recursion or bias.enable_pi):
        yield f"max_clauses {bias.max_clauses}"


def _named(atoms: Sequence[Term]) -> str:
    shown = ", ".join(render_term(atom) for atom in atoms[:_SHOWN])
    more = ""
    if len(atoms) > _SHOWN:
        more = f" and {len(atoms) - _SHOWN:,} more"
    return f"{len(atoms):,}: {shown}{more}"
