"""Programs as answer sets, enumerated in a process of its own where grounding may take long.

clingo's grounding can neither be interrupted nor bounded in memory. A small space is therefore ground in a thread,
which may be abandoned for its last moment. A space that is large, or may be, is ground and enumerated in a child
process, which has a limit on its memory and is ended when nobody waits for it any more.

Programs and rules cross the pipe as plain tuples and lists.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.solvers.child import Child, ChildGone
from joiner_magic.solvers.generation import NOGOODS_AT_ONCE, AnswerSets, Programs, SpaceTooLarge
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.solvers.nogoods import Nogood
from joiner_magic.solvers.solver_thread import SolverThread


def answer_sets(
    text: str, parts: Sequence[str], head: Literal, *, large: bool, memory: int, stop: Stop = never
) -> Programs:
    """The programs of the space that a text and the named parts of the encodings describe.

    With `large` they are enumerated in a process of its own, which may use `memory` bytes. Raises SpaceTooLarge if
    that is not enough, and Interrupted when `stop` returns True.
    """
    if large:
        return _AnswerSetsInProcess(text, parts, head, memory, stop)
    making: SolverThread[AnswerSets] = SolverThread(lambda _: AnswerSets(text, parts, head))
    making.start()
    return making.result(stop)


class _AnswerSetsInProcess:
    """The programs of a space, enumerated by a child process: it asks what `_GenerationServer` answers."""

    def __init__(self, text: str, parts: Sequence[str], head: Literal, memory: int, stop: Stop) -> None:
        self._child = Child("joiner_magic.solvers.generation_process:_answer", memory=memory)
        self._ask(stop, "make", text, list(parts), tuple(head))

    def programs(self, size: int, stop: Stop = never) -> Generator[list[Program], None, None]:
        self._ask(stop, "begin", size)
        while (chunk := self._ask(stop, "next")) is not None:
            yield [_program(plain) for plain in chunk]

    def holding(self, program: Program, size: int, most: int) -> list[Program]:
        return [_program(plain) for plain in self._ask(never, "holding", _plain(program), size, most)]

    def forbid(self, nogoods: Sequence[Nogood], stop: Stop = never) -> None:
        for start in range(0, len(nogoods), NOGOODS_AT_ONCE):
            some = nogoods[start : start + NOGOODS_AT_ONCE]
            self._ask(stop, "forbid", [(_plain(nogood.program), nogood.unless) for nogood in some])

    def leave_out(self, rules: Sequence[Rule], stop: Stop = never) -> None:
        for start in range(0, len(rules), NOGOODS_AT_ONCE):
            some = Program(tuple(rules[start : start + NOGOODS_AT_ONCE]))
            self._ask(stop, "leave out", _plain(some))

    def _ask(self, stop: Stop, *request: Any) -> Any:
        try:
            return self._child.ask(request, stop)
        except ChildGone:
            raise SpaceTooLarge from None


def _plain(program: Program) -> list[Any]:
    """A program as it crosses the pipe: for each rule the head and the body; a literal is a name and numbers."""
    return [(tuple(head), [tuple(literal) for literal in body]) for head, body in program.rules]


def _program(plain: Sequence[Any]) -> Program:
    """The program of what `_plain` gives."""
    return Program(
        tuple(Rule(Literal(*head), tuple([Literal(*literal) for literal in body])) for head, body in plain)
    )


class _GenerationServer:
    """The child process's side: it keeps the answer sets, and how far a size was read, between two requests."""

    def __init__(self) -> None:
        self._answer_sets: AnswerSets | None = None
        self._chunks: Generator[list[Program], None, None] | None = None

    def answer(self, what: str, *given: Any) -> Any:
        """The answer to one request of `_AnswerSetsInProcess`, as plain values."""
        if what == "make":
            text, parts, head = given
            self._answer_sets = AnswerSets(text, parts, Literal(*head))
            return None
        assert self._answer_sets is not None, "it is made first"
        if what == "next":
            assert self._chunks is not None, "a size was begun"
            chunk = next(self._chunks, None)
            if chunk is None:
                return None
            return [_plain(program) for program in chunk]
        if self._chunks is not None:  # a size that was not read to its end
            self._chunks.close()
            self._chunks = None
        if what == "begin":
            self._chunks = self._answer_sets.programs(*given)
        elif what == "holding":
            program, size, most = given
            found = self._answer_sets.holding(_program(program), size, most)
            return [_plain(each) for each in found]
        elif what == "leave out":
            (rules,) = given
            self._answer_sets.leave_out(_program(rules).rules)
        else:
            (nogoods,) = given
            self._answer_sets.forbid(
                [Nogood(_program(program), tuple(unless)) for program, unless in nogoods]
            )
        return None


_SERVER = _GenerationServer()


def _answer(request: Any) -> Any:
    """What the child process calls for each request."""
    try:
        return _SERVER.answer(*request)
    except RuntimeError as error:
        if "bad_alloc" in str(error):
            raise MemoryError from None
        raise
