"""What a run is about, in the form that its stages need."""

from __future__ import annotations

from dataclasses import dataclass

from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.programs import Program
from joiner_magic.search.objective import EXACT, Objective, PriceList
from joiner_magic.search.spaces.modes import Modes
from joiner_magic.search.stages.hypothesis import Writer
from joiner_magic.task.task import Task

MEMORY = 2_000_000_000  # bytes, where nobody says anything else


@dataclass(frozen=True, slots=True)
class Problem:
    """A task, what a hypothesis for it costs, and how rules are put together and written."""

    task: Task  # with the bias in force
    engine: str
    modes: Modes
    writer: Writer
    join: bool = True
    splittable: bool = False  # whether rules that joining would find are generated too
    objective: Objective = EXACT
    prices: PriceList | None = None  # by example, where errors are allowed
    memory: int = MEMORY  # bytes that a stage may use

    @classmethod
    def of(
        cls,
        task: Task,
        engine: str,
        *,
        join: bool = True,
        splittable: bool = False,
        objective: Objective = EXACT,
        memory: int = MEMORY,
    ) -> Problem:
        """The problem of a task, whose programs are tested by the engine of this name."""
        modes = Modes(task.bias)
        head = task.bias.head
        known = {head.name, *(p.name for p in task.bias.body), *(p.name for p in task.background.predicates)}
        writer = Writer(head, known, modes)
        prices = objective.price_list(task.examples.pos_weights, task.examples.neg_weights)
        return cls(task, engine, modes, writer, join, splittable, objective, prices, memory)

    @property
    def positives(self) -> int:
        return len(self.task.examples.pos)

    @property
    def negatives(self) -> int:
        return len(self.task.examples.neg)

    @property
    def literal(self) -> int:
        """What a literal costs, in the unit in which costs are counted."""
        if not self.prices:
            return 1
        return self.prices.literal

    @property
    def everything(self) -> int:
        """All positive examples."""
        return (1 << self.positives) - 1

    @property
    def required(self) -> int:
        """The head variables that a rule of the hypothesis must mention, as a bitset."""
        bias = self.task.bias
        if bias.non_datalog:
            return 0
        return (1 << bias.head.arity) - 1

    def mentioned(self, program: Program) -> int:
        """The head variables that occur in the body; a program of several rules has them all."""
        arity = self.task.bias.head.arity
        if len(program.rules) > 1:
            return (1 << arity) - 1
        found = 0
        for literal in program.rules[0].body:
            for arg in literal.args:
                if isinstance(arg, int) and arg < arity:
                    found |= 1 << arg
        return found

    def missing(self, program: Program) -> tuple[int, ...]:
        """The head variables that a rule of the hypothesis must mention and this program does not."""
        left = self.required & ~self.mentioned(program)
        return tuple(variable for variable in range(left.bit_length()) if left >> variable & 1)

    def is_legal(self, program: Program) -> bool:
        """Whether the program can be part of a hypothesis as it is."""
        if len(program.rules) > 1:
            return True
        return not self.missing(program) and self.modes.stands_alone(program.rules[0])

    @staticmethod
    def alone(program: Program) -> Conjunction:
        return Conjunction((program,))
