"""ASP programs that users write: their statements with places, and the atoms that some of them derive.

clingo parses the text, and each statement is described by plain values, so that others can decide what to do with it
without knowing clingo. What a selection of statements derives is found by grounding and solving them. Each derived
atom comes with the statement that derived it: statements whose atoms are reported are added a second time, with
their number in the head.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import clingo
from clingo import ast

from joiner_magic.errors import TextError
from joiner_magic.logic.terms import Compound, Integer, Predicate, String, Symbol, Term
from joiner_magic.solvers.asp_size import Sizes
from joiner_magic.solvers.asp_statements import Statement, describe, slice_of, walk
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.solvers.child import Child, ChildGone
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.signals import interrupt_requested

_MARK = "__derived_by"  # __derived_by(statement, atom)
_QUICK = 20_000  # instances at most that are ground in this process, which takes about 0.1 s
_PATIENCE = 5.0  # seconds for larger programs, in a child process
MEMORY = 1_000_000_000  # bytes that the child process may use at most

_Plain: TypeAlias = "int | str | tuple[bool, str, list[_Plain]]"
_Meaning: TypeAlias = list[tuple[int, _Plain]]
# What clingo complains about, or None; and the answer sets.
_EvaluationAnswer: TypeAlias = tuple["str | None", list[_Meaning]]


@dataclass(frozen=True, slots=True)
class DerivedAtom:
    """An atom, and the number of the statement that derived it."""

    statement: int
    atom: Term


class AspProgram:
    """A parsed text: `statements` describe it, `derive` evaluates some of them.

    A small program, such as a list of facts, is evaluated in this process. Others are evaluated in a child process
    with bounds on time and memory, since clingo can neither be interrupted nor bounded.
    """

    statements: tuple[Statement, ...]

    def __init__(self, text: AspText, stop: Stop = never, memory: int = MEMORY) -> None:
        """`memory` is how many bytes a child process may use, at most `MEMORY`. Raises TextError for a bad text."""
        self._memory = min(memory, MEMORY)
        self._text = text
        self._stop = stop
        self._nodes = parse(self._text, stop)
        self.statements = describe(self._nodes, self._text, stop)
        self._sizes = Sizes(self.statements)

    def derive(self, selection: Iterable[int], reported: Iterable[int]) -> list[DerivedAtom]:
        """The atoms that the rules `reported` derive in the program of the statements `selection`.

        They come in the order of the statements. Raises TextError when the program does not have exactly one
        answer set, or is too large.
        """
        meanings = self._evaluate(list(selection), list(reported))
        if len(meanings) != 1:
            raise TextError(
                f"the directives have {'more than one' if meanings else 'no'} meaning",
                place=self._text.place(1, 1),
                remedy="leave out circles through 'not'",
            )
        derived = [DerivedAtom(index, _term(atom)) for index, atom in meanings[0]]
        return sorted(derived, key=lambda one: one.statement)

    def check(self, selection: Iterable[int]) -> None:
        """Raise TextError if clingo refuses these statements, whatever else is added to them."""
        self._evaluate(list(selection), None)

    def _evaluate(self, selection: list[int], reported: list[int] | None) -> list[_Meaning]:
        """Up to two answer sets of the selection. With None for `reported`, it is only ground, and there are none."""
        if self._sizes.of(selection) <= _QUICK:
            complaint, meanings = _evaluate_here(self._nodes, selection, reported)
        else:
            complaint, meanings = self._evaluate_in_child(selection, reported)
        if complaint is not None:
            raise self._text.complaint(complaint)
        return meanings

    def _evaluate_in_child(self, selection: list[int], reported: list[int] | None) -> _EvaluationAnswer:
        deadline = time.monotonic() + _PATIENCE
        with closing(Child("joiner_magic.solvers.asp:_answer", memory=self._memory)) as child:
            try:
                complaint, meanings = child.ask(
                    (self._text.text, selection, reported),
                    lambda: self._stop() or time.monotonic() > deadline,
                )
            except Interrupted:
                if self._stop() or interrupt_requested():
                    raise
                raise self._too_large(selection, f"{_PATIENCE:g} s") from None
            except ChildGone:
                more = ", or give more by the option `memory`" if self._memory < MEMORY else ""
                raise self._too_large(selection, f"{self._memory / 1e6:,.0f} MB", more) from None
        return complaint, meanings

    def _too_large(self, selection: list[int], bound: str, more: str = "") -> TextError:
        largest = max(selection, key=self._sizes.of_statement)
        return TextError(
            f"working out this bias takes more than {bound}, most likely because of this rule",
            place=self.statements[largest].place,
            remedy=f"use smaller intervals, or list what you need as facts{more}",
        )


def instances(text: AspText, given: Mapping[Predicate, float]) -> float:
    """An upper bound on the instances of a text's statements.

    `given` has the number of atoms that a predicate gets from other programs.
    """
    statements = _described(text)
    return Sizes(statements, given).of(range(len(statements)))


@lru_cache(maxsize=16)  # asked for every space that the constraints are put on
def _described(text: AspText) -> tuple[Statement, ...]:
    """What the statements of a text are; plain values, which hold nothing of clingo's."""
    return describe(parse(text), text)


def _answer(request: Any) -> _EvaluationAnswer:
    """What the child process calls for each request; the text was checked before."""
    text, selection, reported = request
    return _evaluate_here(parse(AspText(text, "bias")), selection, reported)


def _evaluate_here(
    nodes: Sequence[ast.AST], selection: list[int], reported: list[int] | None
) -> _EvaluationAnswer:
    """Ground the selected statements and solve them; a complaint of clingo's is returned as text."""
    messages: list[tuple[clingo.MessageCode, str]] = []
    control = clingo.Control(["--models=2"], logger=lambda code, text: messages.append((code, text)))
    marked = [_with_number_in_head(nodes[index], index) for index in reported or ()]
    try:
        with ast.ProgramBuilder(control) as builder:
            for node in (*(nodes[index] for index in selection), *marked):
                builder.add(node)
        control.ground()
    except RuntimeError as error:
        if not messages and "bad_alloc" in str(error):
            raise MemoryError from None
        first = str(error)
        if messages:
            _, first = messages[0]
        return first, []
    for code, message in messages:
        # Undefined atoms are the caller's to judge: it knows who else defines predicates.
        if code != clingo.MessageCode.AtomUndefined:
            return message, []
    if reported is None:
        return None, []
    return None, _meanings(control)


def _meanings(control: clingo.Control) -> list[_Meaning]:
    """For each answer set the marked atoms in it."""
    meanings: list[_Meaning] = []
    with control.solve(yield_=True) as models:
        for model in models:
            marked = (atom.symbol for atom in control.symbolic_atoms.by_signature(_MARK, 2))
            meanings.append([_numbered_atom(symbol) for symbol in marked if model.contains(symbol)])
    return meanings


def parse(text: AspText, stop: Stop = never) -> list[ast.AST]:
    """The syntax trees of the text's statements. Raises TextError where clingo cannot read it."""
    shadow = text.shadow()
    messages: list[str] = []
    nodes: list[ast.AST] = []

    def take(node: ast.AST) -> None:
        nodes.append(node)
        if len(nodes) % 256 == 0 and stop():
            raise Interrupted

    try:
        ast.parse_string(shadow, take, logger=lambda _, message: messages.append(message))
    except RuntimeError as error:
        raise text.complaint(messages[0] if messages else str(error)) from None
    statements = [node for node in nodes if not _is_without_meaning(node)]
    if shadow != text.text:
        for node in statements:
            _restore_strings(node, text)
    return statements


def _is_without_meaning(node: ast.AST) -> bool:
    """Whether the node is a comment, or the `#program base.` that clingo puts before every text."""
    if node.ast_type == ast.ASTType.Program:
        return bool(node.name == "base" and not node.parameters)
    return bool(node.ast_type == ast.ASTType.Comment)


def _restore_strings(statement: ast.AST, text: AspText) -> None:
    """Put the user's characters back into strings, where clingo was given other ones (see `AspText.shadow`)."""
    for node in walk(statement):
        if node.ast_type == ast.ASTType.SymbolicTerm and node.symbol.type == clingo.SymbolType.String:
            written = slice_of(text, node.location)[1:-1].replace("\\\\", "\0")
            node.symbol = clingo.String(written.replace("\\n", "\n").replace('\\"', '"').replace("\0", "\\"))


def _with_number_in_head(rule: ast.AST, index: int) -> ast.AST:
    """The same rule with another head: `__derived_by(number, old head)`."""
    where = rule.location
    number = ast.SymbolicTerm(where, clingo.Number(index))
    symbol = ast.Function(where, _MARK, [number, rule.head.atom.symbol], 0)
    return ast.Rule(where, ast.Literal(where, ast.Sign.NoSign, ast.SymbolicAtom(symbol)), rule.body)


def _numbered_atom(symbol: clingo.Symbol) -> tuple[int, _Plain]:
    """The statement's number and the atom in `__derived_by(statement, atom)`."""
    index, atom = symbol.arguments
    return index.number, _plain(atom)


def _plain(symbol: clingo.Symbol) -> _Plain:
    """A clingo symbol as a number, a text, or the sign, name and arguments of a function."""
    if symbol.type == clingo.SymbolType.Number:
        return int(symbol.number)
    if symbol.type == clingo.SymbolType.String:
        return str(symbol.string)
    if symbol.type != clingo.SymbolType.Function:
        return (False, str(symbol), [])
    return (symbol.negative, symbol.name, [_plain(argument) for argument in symbol.arguments])


def _term(plain: _Plain) -> Term:
    """The term of what `_plain` gives; a tuple is a compound without a name."""
    if isinstance(plain, int):
        return Integer(plain)
    if isinstance(plain, str):
        return String(plain)
    negative, name, arguments = plain
    if negative:
        return Compound("-", (_term((False, name, arguments)),))
    if name and not arguments:
        return Symbol(name)
    return Compound(name, tuple(_term(argument) for argument in arguments))
