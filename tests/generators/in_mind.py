"""Whether the rule that a generator had in mind tells its examples apart, by an engine's word."""

from __future__ import annotations

from joiner_magic import choose_engine, read_program
from joiner_magic.generators.generated_task import GeneratedTask


def covers_exactly(made: GeneratedTask) -> bool:
    """All positive examples and no negative one, of both what is seen and what is held out."""
    program = read_program(made.rule)
    for task in (made.task(), made.held_out_task()):
        with choose_engine(task).engine as engine:
            (evaluation,) = engine.evaluate([program])
        if evaluation.pos.bit_count() != len(task.examples.pos) or evaluation.neg:
            return False
    return True
