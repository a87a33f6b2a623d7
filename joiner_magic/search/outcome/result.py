"""What a run found: the hypothesis, whether it is proven optimal, and where the time went."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from joiner_magic.logic.programs import Program
from joiner_magic.logic.render import render_program, render_rule
from joiner_magic.logic.terms import Term
from joiner_magic.search.objective import EXACT, Objective, Price, plain, price_text
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.task.notes import counted
from joiner_magic.task.task import Task

if TYPE_CHECKING:
    from joiner_magic.engines.protocol import Explanation
    from joiner_magic.search.outcome.shortfall import Shortfall
    from joiner_magic.search.outcome.suspicious import Suspects
    from joiner_magic.search.outcome.tradeoff import Tradeoff
    from joiner_magic.search.stages.parts import Part

TRY = "try          "  # how a line of advice begins in the report without a solution
Status = Literal["optimal", "best", "unverified", "none"]
Why = Literal["proven", "exhausted", "timeout", "cancelled", "interrupted", "memory", "failed"]


@dataclass(frozen=True, slots=True)
class NoiseAdvice:
    """What learning with noise came to when it was tried for a moment after exact learning."""

    rules: int  # of the hypothesis with errors
    literals: int  # of all its rules
    right: (
        int  # examples that it gets right: positive ones that it covers, and negative ones that it does not
    )
    examples: int  # in all

    def __str__(self) -> str:
        size = f"{counted(self.rules, 'rule')} of {counted(self.literals, 'literal')}"
        gets = "gets" if self.rules == 1 else "in all get"
        return f"--noise: {size} {gets} {self.right:,} of {self.examples:,} right"


@dataclass(frozen=True, slots=True)
class Result:
    """What a run found. `status` is "optimal" if no smaller solution exists in the space, "best" for a solution that is not
    proven to be the smallest, and "none" without a solution: then `hypothesis` is the best partial one. It is "unverified" if
    `hypothesis` covers every positive example, but its evaluation did not finish on the negative ones.
    """

    task: Task  # with the bias in force
    # Covers no negative example unless status is "unverified", and all positive ones unless it is "none".
    hypothesis: Program | None
    status: Status  # "optimal", "best", "unverified" or "none"
    why: str  # why the search ended, and what is left
    confusion: Confusion  # on the training examples
    counts: Mapping[str, int]  # of programs, by what became of them
    timings: Mapping[str, float]  # seconds by stage
    seconds: float  # in all
    first_solution_seconds: float | None  # until there was a solution; None without one
    engine: str  # what tested programs
    source: str  # where programs came from, and unless it is the fastest, why
    bound: Price | None = (
        None  # a cheaper solution would cost at least this; without errors the cost is the size
    )
    trusted: bool = False  # whether background knowledge may reach the system
    parts: tuple[Part, ...] = field(default=(), repr=False)  # of the hypothesis
    shortfall: Shortfall | None = None  # without a solution: what stands in the way
    noise_advice: NoiseAdvice | None = None  # what noise allows, without a solution or with a large one
    reused: str = ""  # what earlier runs had found that was of use, in one line
    test: Confusion | None = None  # on the held-out examples, if the run had any
    objective: Objective = EXACT  # what it was learnt for
    price_of_errors: Price = 0  # what the errors of the hypothesis cost by the objective, in literals
    unmeasured: str = ""  # why the held-out examples could not be measured, if they could not
    known: tuple[Part, ...] = field(default=(), repr=False, compare=False)  # rules for the trade-off

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no solution is smaller."""
        return self.status == "optimal"

    @property
    def solved(self) -> bool:
        """Whether it is known that every positive and no negative example is covered."""
        return self.status in ("optimal", "best")

    @property
    def size(self) -> int:
        """Literals of the hypothesis; 0 without one."""
        if not self.hypothesis:
            return 0
        return self.hypothesis.size

    @property
    def cost(self) -> Price | None:
        """What the hypothesis costs by the objective: its size, where no errors are allowed; None without a solution."""
        if not self.solved:
            return None
        return plain(self.size + self.price_of_errors)

    @property
    def gap(self) -> Price | None:
        """How much cheaper another solution could be: 0 if none is, None where nothing is known about that."""
        if self.optimal:
            return 0
        if self.cost is None or self.bound is None:
            return None
        return self.cost - self.bound

    @property
    def rules(self) -> list[str]:
        """The rules of the hypothesis as text."""
        if not self.hypothesis:
            return []
        return [render_rule(rule) for rule in self.hypothesis.rules]

    def to_prolog(self) -> str:
        """The hypothesis as Prolog text."""
        if not self.hypothesis:
            return ""
        return render_program(self.hypothesis)

    @property
    def measure(self) -> str:
        """How large the hypothesis is and, where errors have a price, what it costs; empty without a hypothesis."""
        if not self.rules:
            return ""
        measured = [counted(len(self.rules), "rule"), counted(self.size, "literal")]
        if not self.objective.is_exact and self.cost is not None:
            measured.append(f"cost {price_text(self.cost)}")
        return ", ".join(measured)

    @property
    def has_errors(self) -> bool:
        """Whether there is a hypothesis, and it gets training examples wrong."""
        return bool(self.rules) and bool(self.confusion.fn or self.confusion.fp)

    @property
    def nothing_pays(self) -> bool:
        """Whether nothing was learnt because no hypothesis is known that is cheaper than that."""
        return self.status == "none" and self.objective.allows_missed

    def predict(self, atoms: Iterable[Term | str]) -> list[bool]:
        """For each atom whether the hypothesis covers it, on the task's background knowledge."""
        from joiner_magic.search.outcome.prediction import predict

        return predict(self, atoms)

    def score(self, examples: str | Task) -> Confusion:
        """How the hypothesis does on other examples: a text of them, or a task with its own background."""
        from joiner_magic.search.outcome.prediction import score

        return score(self, examples)

    def explain(self, atom: Term | str) -> Explanation:
        """Why the hypothesis covers an atom, or how far each of its rules gets."""
        from joiner_magic.search.outcome.prediction import explain

        return explain(self, atom)

    def tradeoff(self) -> Tradeoff:
        """Size against errors: the best known hypothesis for each number of literals. Best known means not proven."""
        from joiner_magic.search.outcome.find_tradeoff import find_tradeoff

        return find_tradeoff(self)

    def suspicious(self, n: int = 20) -> Suspects:
        """The examples that the hypothesis gets wrong, those first that most other good hypotheses get wrong too.

        At most `n` are given, each with the reason: for a covered negative example the rule that covers it, and for a missed
        positive one the nearest rule and the literal at which that fails.
        """
        from joiner_magic.search.outcome.suspicious import find_suspects

        return find_suspects(self, n)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Sequence[str]:
        found = {
            "optimal": "optimal solution",
            "best": "best solution so far",
            "unverified": "unverified solution",
            "none": "nothing learnt" if self.nothing_pays else "no solution",
        }
        first = ", ".join(filter(None, [found[self.status], self.measure]))
        lines = [f"{first}: {self.why}", *(f"  {rule}" for rule in self.rules)]
        tested = counted(self.counts["tested"], "program")
        training = self.confusion.scored if self.has_errors else str(self.confusion)
        lines.append(f"{training}; {tested} tested in {self.seconds:.2f} s")
        if self.test is not None:
            lines.append(f"held out: {self.test.scored}")
        if self.unmeasured:
            lines.append(f"held out: not measured: {self.unmeasured}")
        if self.shortfall:
            lines += ["", str(self.shortfall)]
        if self.noise_advice:
            lines.append(f"{TRY if self.shortfall else 'try '}{self.noise_advice}")
        return lines

    def __repr__(self) -> str:
        return f"<Result {self.status}, size {self.size}, {self.seconds:.2f} s>\n{self}"
