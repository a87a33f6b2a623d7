"""Programs as answer sets: enumerated by size, without the specialisations of forbidden ones.

The encodings are the .lp files next to this module; each has named parts, and the caller chooses those
that its space is made of. One ground program serves all sizes: a size is an assumption, and clingo
keeps what it learns from one to the next.

A nogood forbids every body that holds an instance of a rule's body, with the head's variables as
they are and all others mapped to different ones. Such a body is a specialisation: it covers at most
what the rule covers (the paper's Propositions 2 and 3 say when it is of no use). A program of several rules
is a specialisation of another if each of its rules is one of a rule there: its least model is smaller.

Answer sets are read in clingo's own thread and handed over in chunks. This costs nothing against
reading them one by one, and the caller's thread is free to ask `stop` and to be interrupted.

Grounding can neither be interrupted nor bounded. What is small is therefore ground in a thread, which may be left
behind for its last moment; what is not, or may not be, in a process of its own, which is bounded in memory and ended
when nobody waits for it any more (`answer_sets`).
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from itertools import combinations
from typing import Any, Protocol

import clingo

from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.solvers.asp_text import asp_name
from joiner_magic.solvers.child import Child, ChildGone
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.solver_thread import SolverThread

_ENCODINGS = ("rules.lp", "programs.lp", "language.lp", "nogoods.lp")
_CHUNK = 1000  # answer sets; by number, not by time, so that every run sees the same chunks
_BULK = 500  # nogoods that are ground in one go, which cannot be interrupted
_PATIENCE = 0.1  # seconds between two looks at `stop`


@dataclass(frozen=True, slots=True)
class Nogood:
    """No specialisation of the program, except a rule that mentions one of the variables `unless`.

    The exception is for single rules only.
    """

    program: Program
    unless: tuple[int, ...] = ()


class SpaceTooLarge(Exception):
    """The programs of a space need more memory than they may use."""


class Programs(Protocol):
    """The programs of a space, wherever they are made."""

    def programs(self, size: int, stop: Stop = never) -> Generator[list[Program], None, None]: ...

    def holding(self, program: Program, size: int, most: int) -> list[Program]: ...

    def forbid(self, nogoods: Sequence[Nogood], stop: Stop = never) -> None: ...

    def leave_out(self, rules: Sequence[Rule], stop: Stop = never) -> None: ...


def answer_sets(
    text: str, parts: Sequence[str], head: Literal, *, large: bool, memory: int, stop: Stop = never
) -> Programs:
    """The answer sets of the text and of parts of the encodings; `large` says that they are to be kept apart.

    Raises SpaceTooLarge if they need more than so many bytes of memory, and Interrupted for `stop`.
    """
    if large:
        return _AnswerSetsInProcess(text, parts, head, memory, stop)
    making: SolverThread[AnswerSets] = SolverThread(lambda _: AnswerSets(text, parts, head))
    making.start()
    return making.result(stop)


class AnswerSets:
    """The programs of a space, which facts, the user's constraints and parts of the encodings make up."""

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
        self._bulks = 0
        self._rules: dict[Rule, int] = {}  # rules of forbidden programs of several, by number

    def programs(self, size: int, stop: Stop = never) -> Generator[list[Program], None, None]:
        """The programs of this size in chunks; a program may come more than once."""
        wanted = clingo.Function("size", [clingo.Number(size)])
        if self._control.symbolic_atoms[wanted] is None:
            return
        inbox = _ProgramQueue()
        read = self._program if self._several else self._rule

        def receive(model: clingo.Model) -> bool:
            return inbox.put(read(model.symbols(shown=True)))

        def solve(solving: SolverThread[bool]) -> bool:
            with self._control.solve(
                assumptions=[(wanted, True)], on_model=receive, on_finish=inbox.finish, async_=True
            ) as handle:
                while not (solving.closing or handle.wait(_PATIENCE)):
                    pass
                handle.cancel()
                return bool(handle.get().exhausted)  # raises what went wrong in `receive`

        solving = SolverThread(solve)
        try:
            solving.start()
            yield from inbox.chunks(solving, stop)
            if not solving.result(stop):
                raise RuntimeError(f"the programs of size {size} were not all generated")
        finally:
            inbox.close()
            solving.close()

    def holding(self, program: Program, size: int, most: int) -> list[Program]:
        """Programs of this size that have all literals of one of the space, in its numbering of variables and clauses.

        A program may come more than once. It takes milliseconds.
        """
        wanted = clingo.Function("size", [clingo.Number(size)])
        read = self._program if self._several else self._rule

        def solve(solving: SolverThread[list[Program]]) -> list[Program]:
            found: list[Program] = []

            def receive(model: clingo.Model) -> bool:
                found.append(read(model.symbols(shown=True)))
                return len(found) < most and not solving.closing

            with self._one_at_a_time:  # who was interrupted has left another one at work
                if not solving.closing and self._control.symbolic_atoms[wanted] is not None:
                    assumptions = [(atom, True) for atom in (wanted, *self._atoms(program))]
                    self._control.solve(assumptions=assumptions, on_model=receive)
            return found

        # A keyboard interrupt in one of clingo's callbacks would end the whole process: in a thread there is none.
        solving = SolverThread(solve)
        try:
            solving.start()
            return solving.result(never)
        finally:
            solving.close()

    def forbid(self, nogoods: Sequence[Nogood], stop: Stop = never) -> None:
        """Leave out the specialisations: single rules for one rule, programs of several for several."""
        wanted = [nogood for nogood in nogoods if (len(nogood.program.rules) > 1) == self._several]
        for start in range(0, len(wanted), _BULK):
            if stop():
                raise Interrupted
            bulk = wanted[start : start + _BULK]
            self._bulks += 1
            name = f"_bulk{self._bulks}"
            lines = (
                _program_nogoods(bulk, self._bulks, self._rules) if self._several else map(nogood_text, bulk)
            )
            self._control.add(name, [], "\n".join(lines))
            self._control.ground([(name, []), ("nogoods", [clingo.Number(self._bulks)])])

    def leave_out(self, rules: Sequence[Rule], stop: Stop = never) -> None:
        """Leave out the programs of several rules that have one of these, whatever the others are."""
        for start in range(0, len(rules) if self._several else 0, _BULK):
            if stop():
                raise Interrupted
            self._bulks += 1
            name = f"_left_out{self._bulks}"
            self._control.add(name, [], "\n".join(map(_rule_nogood, rules[start : start + _BULK])))
            self._control.ground([(name, [])])

    def _literals(self, name: str) -> dict[clingo.Symbol, tuple[int, Literal]]:
        """What each atom stands for: the number of its clause, and a literal."""
        atoms = (atom.symbol for atom in self._control.symbolic_atoms.by_signature(name, 4))
        return {symbol: (symbol.arguments[0].number, _literal(symbol)) for symbol in atoms}

    def _atoms(self, program: Program) -> Iterator[clingo.Symbol]:
        """What is true of programs that hold the rules of this one, which is of the space."""
        heads, bodies = self._symbols
        for clause, (head, body) in enumerate(program.rules):
            if heads:
                yield heads[clause, head]
            yield from (bodies[clause, literal] for literal in body)

    @cached_property
    def _symbols(self) -> tuple[dict[tuple[int, Literal], clingo.Symbol], ...]:
        """The atoms of heads and of bodies by what they stand for."""
        return tuple({said: atom for atom, said in atoms.items()} for atoms in (self._heads, self._bodies))

    def _rule(self, symbols: Sequence[clingo.Symbol]) -> Program:
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
        return Program(
            tuple(Rule(heads.get(clause, self._head), tuple(bodies[clause])) for clause in sorted(bodies))
        )


class _AnswerSetsInProcess:
    """The same in a process of its own."""

    def __init__(self, text: str, parts: Sequence[str], head: Literal, memory: int, stop: Stop) -> None:
        self._child = Child("joiner_magic.solvers.generation:_answer", memory=memory)
        self._ask(stop, "make", text, list(parts), tuple(head))

    def programs(self, size: int, stop: Stop = never) -> Generator[list[Program], None, None]:
        self._ask(stop, "begin", size)
        while (chunk := self._ask(stop, "next")) is not None:
            yield [_program(plain) for plain in chunk]

    def holding(self, program: Program, size: int, most: int) -> list[Program]:
        return [_program(plain) for plain in self._ask(never, "holding", _plain(program), size, most)]

    def forbid(self, nogoods: Sequence[Nogood], stop: Stop = never) -> None:
        for start in range(0, len(nogoods), _BULK):
            bulk = nogoods[start : start + _BULK]
            self._ask(stop, "forbid", [(_plain(nogood.program), nogood.unless) for nogood in bulk])

    def leave_out(self, rules: Sequence[Rule], stop: Stop = never) -> None:
        for start in range(0, len(rules), _BULK):
            self._ask(stop, "leave out", _plain(Program(tuple(rules[start : start + _BULK]))))

    def _ask(self, stop: Stop, *request: Any) -> Any:
        try:
            return self._child.ask(request, stop)
        except ChildGone:
            raise SpaceTooLarge from None


# A program over a pipe: for each rule the head and the body, a literal being a name and numbers.
def _plain(program: Program) -> list[Any]:
    return [(tuple(head), [tuple(literal) for literal in body]) for head, body in program.rules]


def _program(plain: Sequence[Any]) -> Program:
    return Program(
        tuple(Rule(Literal(*head), tuple([Literal(*literal) for literal in body])) for head, body in plain)
    )


class _GenerationServer:
    """What the process of its own keeps from one request to the next."""

    def __init__(self) -> None:
        self._made: AnswerSets | None = None
        self._chunks: Generator[list[Program], None, None] | None = None

    def answer(self, what: str, *given: Any) -> Any:
        if what == "make":
            text, parts, head = given
            self._made = AnswerSets(text, parts, Literal(*head))
            return None
        assert self._made is not None, "it is made first"
        if what == "next":
            assert self._chunks is not None, "a size was begun"
            chunk = next(self._chunks, None)
            return None if chunk is None else [_plain(program) for program in chunk]
        if self._chunks is not None:  # a size that was not read to its end
            self._chunks.close()
            self._chunks = None
        if what == "begin":
            self._chunks = self._made.programs(*given)
        elif what == "holding":
            program, size, most = given
            return [_plain(found) for found in self._made.holding(_program(program), size, most)]
        elif what == "leave out":
            (rules,) = given
            self._made.leave_out(_program(rules).rules)
        else:
            (nogoods,) = given
            self._made.forbid([Nogood(_program(program), tuple(unless)) for program, unless in nogoods])
        return None


_SERVER = _GenerationServer()


def _answer(request: Any) -> Any:
    try:
        return _SERVER.answer(*request)
    except RuntimeError as error:
        if "bad_alloc" in str(error):
            raise MemoryError from None
        raise


class _ProgramQueue:
    """Where clingo's thread leaves programs for the caller's."""

    def __init__(self) -> None:
        self._chunk: list[Program] = []
        self._chunks: queue.Queue[list[Program] | None] = queue.Queue(maxsize=2)
        self._open = True

    def put(self, program: Program) -> bool:
        """Called for each answer set; False asks clingo to stop."""
        self._chunk.append(program)
        if len(self._chunk) == _CHUNK:
            self._hand_over(self._chunk)
            self._chunk = []
        return self._open

    def finish(self, _result: clingo.SolveResult) -> None:
        self._hand_over(self._chunk)
        self._hand_over(None)

    def close(self) -> None:
        self._open = False

    def chunks(self, solving: SolverThread[bool], stop: Stop) -> Iterator[list[Program]]:
        """All programs, until the solving is done or has failed."""
        while not (solving.done and self._chunks.empty()):
            if stop():
                raise Interrupted
            with suppress(queue.Empty):
                chunk = self._chunks.get(timeout=_PATIENCE)
                if chunk is None:
                    return
                yield chunk

    def _hand_over(self, chunk: list[Program] | None) -> None:
        handed_over = False
        while self._open and not handed_over:  # until the caller has time, or has gone
            with suppress(queue.Full):
                self._chunks.put(chunk, timeout=_PATIENCE)
                handed_over = True


def asp_tuple(values: Iterable[object]) -> str:
    inside = [str(value) for value in values]
    return f"({','.join(inside)}{',' if len(inside) == 1 else ''})"


def _literal(symbol: clingo.Symbol) -> Literal:
    _, name, _, variables = symbol.arguments
    plain = name.type == clingo.SymbolType.Function
    return Literal(name.name if plain else name.string, tuple(v.number for v in variables.arguments))


def nogood_text(nogood: Nogood) -> str:
    """What is said about a nogood to the solver of its space."""
    if len(nogood.program.rules) > 1:
        return "\n".join(_program_nogoods([nogood], 1, {}))
    (rule,) = nogood.program.rules
    exceptions = "".join(f", not body_var(0,{variable})" for variable in nogood.unless)
    return f":- {_instance(rule, '0')}{exceptions}."


def _program_nogoods(nogoods: Sequence[Nogood], step: int, known: dict[Rule, int]) -> Iterator[str]:
    """For programs of several rules, what nogoods.lp draws its conclusion from; `known` are rules by number."""
    for number, nogood in enumerate(nogoods):
        for rule in nogood.program.rules:
            if rule not in known:
                known[rule] = len(known)
                yield f"_contains({known[rule]},C) :- {_headed(rule)}, {_instance(rule, 'C')}."
            yield f"_of({step},{number},{known[rule]})."


def _rule_nogood(rule: Rule) -> str:
    """No clause is this rule: it would have all its literals, and no others."""
    return f":- {_headed(rule)}, body_size(C,{len(rule.body)}), {_instance(rule, 'C')}."


def _headed(rule: Rule) -> str:
    """Clause C is for the same predicate."""
    name, args = rule.head
    return f"head_literal(C,{asp_name(name)},{len(args)},_)"


def _instance(rule: Rule, clause: str) -> str:
    """Clause `clause` holds the rule's body, its body-only variables mapped to different ones."""
    head = rule.head.args
    written = {v: str(v) if v in head else f"V{v}" for _, args in rule.body for v in args}
    literals = [
        f"body_literal({clause},{asp_name(name)},{len(args)},{asp_tuple(written[v] for v in args)})"
        for name, args in rule.body
    ]
    # Variables of one literal are different anyway, and so are those of the head.
    together = {
        frozenset(pair) for args in (head, *(args for _, args in rule.body)) for pair in combinations(args, 2)
    }
    apart = [
        f"{written[v]} != {written[w]}"
        for v, w in combinations(written, 2)
        if frozenset((v, w)) not in together
    ]
    return ", ".join([*literals, *apart])
