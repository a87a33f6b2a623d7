"""Programs as answer sets: enumerated by size, without the specialisations of forbidden ones.

The encodings are the .lp files in the folder encodings/. Each has named parts, and the caller chooses those that
describe its space. One ground program serves all sizes: a size is an assumption, and clingo keeps what it has learnt
from one size to the next.

Answer sets are read in clingo's own thread and handed over in chunks (`ProgramQueue`), so the calling thread is free
to ask `stop` and to be interrupted. A space whose grounding may take long is enumerated in a process of its own
(`generation_process`).
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Protocol

import clingo

from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.nogoods import Nogood, nogood_text, program_nogoods, rule_nogood
from joiner_magic.solvers.program_queue import POLL, ProgramQueue
from joiner_magic.solvers.solver_thread import SolverThread

_ENCODINGS = ("rules.lp", "programs.lp", "language.lp", "nogoods.lp")
NOGOODS_AT_ONCE = 500  # that are ground in one call of clingo, which cannot be interrupted


class SpaceTooLarge(Exception):
    """The programs of a space need more memory than they may use."""


class Programs(Protocol):
    """The programs of a space, enumerated in this process or in another one."""

    def programs(self, size: int, stop: Stop = never) -> Generator[list[Program], None, None]:
        """The programs of this size in chunks; a program may come more than once."""

    def holding(self, program: Program, size: int, most: int) -> list[Program]:
        """Up to `most` programs of this size that have all literals of the given one."""

    def forbid(self, nogoods: Sequence[Nogood], stop: Stop = never) -> None:
        """Leave out the specialisations of these programs from now on."""

    def leave_out(self, rules: Sequence[Rule], stop: Stop = never) -> None:
        """Leave out the programs of several rules that have one of these rules."""


class AnswerSets:
    """The programs of a space, each an answer set of a ground ASP program.

    `text` holds the facts and the user's constraints, `parts` names the parts of the encodings, and `head` is the
    head of single rules.
    """

    def __init__(self, text: str, parts: Sequence[str], head: Literal) -> None:
        # Without a heuristic, literals are tried in the order of their facts. On the field's tasks that is up to
        # four times faster than clingo's choices, which are made for finding one answer set.
        self._control = clingo.Control(["--models=0", "--heuristic=None", "--warn=none"])
        for name in _ENCODINGS:
            encoding = files("joiner_magic.solvers") / "encodings" / name
            self._control.add("base", [], encoding.read_text(encoding="utf-8"))
        self._control.add("base", [], text)
        self._control.ground([("base", []), *((part, []) for part in parts)])
        self._head = head
        self._several = "several" in parts
        self._bodies = self._literals("body_literal")
        self._heads = self._literals("head_literal") if "invention" in parts else {}
        self._one_at_a_time = threading.Lock()
        self._groundings = 0  # of nogoods so far: each needs a name of its own
        self._rules: dict[Rule, int] = {}  # rules of forbidden programs of several rules, by number

    def programs(self, size: int, stop: Stop = never) -> Generator[list[Program], None, None]:
        """The programs of this size in chunks; a program may come more than once."""
        wanted = clingo.Function("size", [clingo.Number(size)])
        if self._control.symbolic_atoms[wanted] is None:
            return
        queue = ProgramQueue()

        def receive(model: clingo.Model) -> bool:
            return queue.put(self._read(model))

        def solve(solving: SolverThread[bool]) -> bool:
            with self._control.solve(
                assumptions=[(wanted, True)], on_model=receive, on_finish=queue.finish, async_=True
            ) as handle:
                while not (solving.closing or handle.wait(POLL)):
                    pass
                handle.cancel()
                return bool(handle.get().exhausted)  # raises what went wrong in `receive`

        solving = SolverThread(solve)
        try:
            solving.start()
            yield from queue.chunks(solving, stop)
            if not solving.result(stop):
                raise RuntimeError(f"the programs of size {size} were not all generated")
        finally:
            queue.close()
            solving.close()

    def holding(self, program: Program, size: int, most: int) -> list[Program]:
        """Up to `most` programs of this size that have all literals of the given one.

        The given program must be one of the space, in its numbering of variables and clauses. A program may come
        more than once. It takes milliseconds.
        """
        wanted = clingo.Function("size", [clingo.Number(size)])

        def solve(solving: SolverThread[list[Program]]) -> list[Program]:
            found: list[Program] = []

            def receive(model: clingo.Model) -> bool:
                found.append(self._read(model))
                return len(found) < most and not solving.closing

            with self._one_at_a_time:  # a call that was interrupted may still be solving in its thread
                if not solving.closing and self._control.symbolic_atoms[wanted] is not None:
                    assumptions = [(atom, True) for atom in (wanted, *self._atoms(program))]
                    self._control.solve(assumptions=assumptions, on_model=receive)
            return found

        # A KeyboardInterrupt in one of clingo's callbacks would end the whole process: in a thread there is none.
        solving = SolverThread(solve)
        try:
            solving.start()
            return solving.result(never)
        finally:
            solving.close()

    def forbid(self, nogoods: Sequence[Nogood], stop: Stop = never) -> None:
        """Leave out specialisations from now on.

        In a space of single rules nogoods of one rule count, in a space of several rules those of several; the
        others are ignored.
        """
        wanted = [nogood for nogood in nogoods if (len(nogood.program.rules) > 1) == self._several]
        for start in range(0, len(wanted), NOGOODS_AT_ONCE):
            if stop():
                raise Interrupted
            some = wanted[start : start + NOGOODS_AT_ONCE]
            self._groundings += 1
            name = f"_bulk{self._groundings}"
            if self._several:
                lines = list(program_nogoods(some, self._groundings, self._rules))
            else:
                lines = [nogood_text(nogood) for nogood in some]
            self._control.add(name, [], "\n".join(lines))
            self._control.ground([(name, []), ("nogoods", [clingo.Number(self._groundings)])])

    def leave_out(self, rules: Sequence[Rule], stop: Stop = never) -> None:
        """Leave out the programs of several rules that have one of these rules, whatever their others are."""
        if not self._several:
            return
        for start in range(0, len(rules), NOGOODS_AT_ONCE):
            if stop():
                raise Interrupted
            self._groundings += 1
            name = f"_left_out{self._groundings}"
            some = rules[start : start + NOGOODS_AT_ONCE]
            self._control.add(name, [], "\n".join(map(rule_nogood, some)))
            self._control.ground([(name, [])])

    def _literals(self, name: str) -> dict[clingo.Symbol, tuple[int, Literal]]:
        """What each ASP atom of this name stands for: the number of its clause, and a literal."""
        atoms = (atom.symbol for atom in self._control.symbolic_atoms.by_signature(name, 4))
        return {symbol: (symbol.arguments[0].number, _literal(symbol)) for symbol in atoms}

    def _atoms(self, program: Program) -> Iterator[clingo.Symbol]:
        """The ASP atoms that are true of each program that holds the rules of this one."""
        heads, bodies = self._symbols
        for clause, (head, body) in enumerate(program.rules):
            if heads:
                yield heads[clause, head]
            yield from (bodies[clause, literal] for literal in body)

    @cached_property
    def _symbols(self) -> tuple[dict[tuple[int, Literal], clingo.Symbol], ...]:
        """The ASP atoms of heads and of bodies, by the clause and the literal that they stand for."""
        return tuple(
            {meaning: atom for atom, meaning in atoms.items()} for atoms in (self._heads, self._bodies)
        )

    def _read(self, model: clingo.Model) -> Program:
        """The program that an answer set stands for."""
        symbols = model.symbols(shown=True)
        if self._several:
            return self._program(symbols)
        return self._single_rule(symbols)

    def _single_rule(self, symbols: Sequence[clingo.Symbol]) -> Program:
        bodies = self._bodies
        return Program((Rule(self._head, tuple([bodies[symbol][1] for symbol in symbols])),))

    def _program(self, symbols: Sequence[clingo.Symbol]) -> Program:
        heads: dict[int, Literal] = {}
        bodies: dict[int, list[Literal]] = {}
        for symbol in symbols:
            # Looked up once: clingo is asked for the hash of a symbol each time.
            if (found := self._bodies.get(symbol)) is not None:
                clause, literal = found
                bodies.setdefault(clause, []).append(literal)
            else:
                clause, literal = self._heads[symbol]
                heads[clause] = literal
        rules = [Rule(heads.get(clause, self._head), tuple(bodies[clause])) for clause in sorted(bodies)]
        return Program(tuple(rules))


def _literal(symbol: clingo.Symbol) -> Literal:
    """The literal of an ASP atom such as `body_literal(0,parent,2,(0,1))`."""
    _, name, _, variables = symbol.arguments
    is_plain = name.type == clingo.SymbolType.Function
    return Literal(name.name if is_plain else name.string, tuple(v.number for v in variables.arguments))
