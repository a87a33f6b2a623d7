"""What a run can be told: the one place that commands, magics and Python calls take their options from."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from joiner_magic.errors import TaskError
from joiner_magic.task.bias import MAX_CLAUSES_RECURSIVE, Bias

# The directives of a bias that options go before.
OVERRIDES = {
    "singletons": "allow_singletons",
    "recursion": "enable_recursion",
    "max_vars": "max_vars",
    "max_body": "max_body",
    "max_clauses": "max_clauses",
}


def _option(default: Any, explanation: str, choices: tuple[str, ...] = ()) -> Any:
    return field(default=default, metadata={"help": explanation, "choices": choices})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    timeout: float | None = _option(None, "seconds after which the best hypothesis so far is given")
    engine: str = _option("auto", "what tests programs", ("auto", "datalog", "prolog"))
    trusted: bool = _option(
        False, "let the Prolog engine run background knowledge that reaches files, processes or the network"
    )
    join: bool = _option(True, "join small rules into big ones")
    splittable: bool = _option(False, "generate splittable rules too, although joining finds them")
    singletons: bool | None = _option(
        None, "allow body variables that occur once (default: as the bias says)"
    )
    recursion: bool | None = _option(None, "allow recursive programs (default: as the bias says)")
    max_vars: int | None = _option(None, "variables in a generated rule (default: as the bias says)")
    max_body: int | None = _option(None, "body literals of a generated rule (default: as the bias says)")
    max_clauses: int | None = _option(None, "rules of a recursive program (default: as the bias says)")
    source: str = _option("auto", "where programs come from", ("auto", "native", "asp"))
    jobs: int = _option(1, "threads of the native source; the answer does not depend on it")
    memory: int = _option(2_000, "megabytes that the native source may use")
    every_rule: bool = _option(
        False, "let listeners see every rule the native source tests, not only useful ones"
    )
    limit: int | None = _option(None, "work per tested program, in the engine's unit")
    advise: bool = _option(True, "try changes of the bias when there is no solution")

    def __post_init__(self) -> None:
        for name in ("max_vars", "max_body", "max_clauses", "limit", "jobs", "memory"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value is True or value < 1):
                raise TaskError(f"{name} is {value!r}", remedy="give a whole number above 0")
        for option in fields(self):
            choices = option.metadata["choices"]
            if choices and getattr(self, option.name) not in choices:
                raise TaskError(
                    f"{option.name} is {getattr(self, option.name)!r}",
                    remedy=f"take one of {', '.join(choices)}",
                )
        timeout = self.timeout
        if timeout is not None and not (isinstance(timeout, (int, float)) and timeout >= 0):
            raise TaskError(f"timeout is {timeout!r}", remedy="give a number of seconds")

    @property
    def about_search(self) -> tuple[object, ...]:
        """What decides which hypotheses there are and how they are tested, the bias aside."""
        return self.engine, self.trusted, self.join, self.splittable, self.source, self.limit

    @property
    def about_work(self) -> tuple[object, ...]:
        """What a run cannot change any more once it has begun, although the answer does not depend on it."""
        return self.jobs, self.memory, self.every_rule, self.advise

    def bias(self, bias: Bias) -> Bias:
        """The bias in force: what the options say goes before what the text says."""
        said: dict[str, Any] = {directive: getattr(self, name) for name, directive in OVERRIDES.items()}
        if self.recursion and not bias.enable_recursion and self.max_clauses is None:
            said["max_clauses"] = max(bias.max_clauses, MAX_CLAUSES_RECURSIVE)
        return replace(bias, **{name: value for name, value in said.items() if value is not None})
