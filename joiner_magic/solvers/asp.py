"""ASP programs of the user's: located statements, and what some of them derive.

clingo parses the text, and each statement is described by plain values, so that others can
decide what to do with it without knowing clingo. What a selection of statements derives is
found by grounding and solving them; every derived atom comes with the statement that gave it,
because each statement that is reported on is added a second time with its number in the head.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import clingo
from clingo import ast

from joiner_magic.errors import TextError
from joiner_magic.logic.terms import Compound, Integer, String, Symbol, Term
from joiner_magic.solvers.asp_statements import Statement, describe, slice_of, walk
from joiner_magic.solvers.asp_text import AspText

_MARK = "__derived_by"  # __derived_by(statement, atom)


@dataclass(frozen=True, slots=True)
class Derived:
    statement: int
    atom: Term


class AspProgram:
    """A parsed text: `statements` describe it, `derive` evaluates some of them."""

    statements: tuple[Statement, ...]

    def __init__(self, text: AspText) -> None:
        self._text = text
        self._nodes = parse(self._text)
        self.statements = describe(self._nodes, self._text)

    def derive(self, selection: Iterable[int], reported: Iterable[int]) -> list[Derived]:
        """The atoms that the rules `reported` derive in the program made of `selection`.

        In the order of the statements; TextError when the selection has no single meaning.
        """
        nodes = [self._nodes[index] for index in selection]
        marked = [_marked(self._nodes[index], index) for index in reported]
        control = self._ground([*nodes, *marked])
        return sorted(self._single_model(control), key=lambda derived: derived.statement)

    def check(self, selection: Iterable[int]) -> None:
        """TextError if clingo would not take these statements, whatever else is added to them."""
        self._ground([self._nodes[index] for index in selection])

    def _ground(self, nodes: Iterable[ast.AST]) -> clingo.Control:
        messages: list[tuple[clingo.MessageCode, str]] = []
        control = clingo.Control(["--models=2"], logger=lambda code, text: messages.append((code, text)))
        try:
            with ast.ProgramBuilder(control) as builder:
                for node in nodes:
                    builder.add(node)
            control.ground()
        except RuntimeError as error:
            raise self._text.complaint(messages[0][1] if messages else str(error)) from None
        for code, message in messages:
            # Undefined atoms are the caller's to judge: it knows who else defines predicates.
            if code != clingo.MessageCode.AtomUndefined:
                raise self._text.complaint(message)
        return control

    def _single_model(self, control: clingo.Control) -> list[Derived]:
        meanings: list[list[Derived]] = []
        with control.solve(yield_=True) as models:
            for model in models:
                marked = (atom.symbol for atom in control.symbolic_atoms.by_signature(_MARK, 2))
                meanings.append([_derived(symbol) for symbol in marked if model.contains(symbol)])
        if len(meanings) == 1:
            return meanings[0]
        raise TextError(
            f"the directives have {'more than one' if meanings else 'no'} meaning",
            place=self._text.place(1, 1),
            remedy="leave out circles through 'not'",
        )


def parse(text: AspText) -> list[ast.AST]:
    """The statements of the text; TextError where clingo cannot read it."""
    shadow = text.shadow()
    messages: list[str] = []
    nodes: list[ast.AST] = []
    try:
        ast.parse_string(shadow, nodes.append, logger=lambda _, message: messages.append(message))
    except RuntimeError as error:
        raise text.complaint(messages[0] if messages else str(error)) from None
    spoken = [node for node in nodes if not _is_silent(node)]
    if shadow != text.text:
        for node in spoken:
            _restore_strings(node, text)
    return spoken


def _is_silent(node: ast.AST) -> bool:
    """Comments, and `#program base.`, which clingo puts before every text."""
    if node.ast_type == ast.ASTType.Program:
        return bool(node.name == "base" and not node.parameters)
    return bool(node.ast_type == ast.ASTType.Comment)


def _restore_strings(statement: ast.AST, text: AspText) -> None:
    """Put the user's characters back where the shadow had others."""
    for node in walk(statement):
        if node.ast_type == ast.ASTType.SymbolicTerm and node.symbol.type == clingo.SymbolType.String:
            written = slice_of(text, node.location)[1:-1].replace("\\\\", "\0")
            node.symbol = clingo.String(written.replace("\\n", "\n").replace('\\"', '"').replace("\0", "\\"))


def _marked(rule: ast.AST, index: int) -> ast.AST:
    """The rule with its number and its old head as arguments of a new head."""
    where = rule.location
    number = ast.SymbolicTerm(where, clingo.Number(index))
    symbol = ast.Function(where, _MARK, [number, rule.head.atom.symbol], 0)
    return ast.Rule(where, ast.Literal(where, ast.Sign.NoSign, ast.SymbolicAtom(symbol)), rule.body)


def _derived(symbol: clingo.Symbol) -> Derived:
    index, atom = symbol.arguments
    return Derived(index.number, _term(atom))


def _term(symbol: clingo.Symbol) -> Term:
    """A clingo symbol as a term; a tuple is a compound without a name."""
    if symbol.type == clingo.SymbolType.Number:
        return Integer(symbol.number)
    if symbol.type == clingo.SymbolType.String:
        return String(symbol.string)
    if symbol.type != clingo.SymbolType.Function:
        return Symbol(str(symbol))
    if symbol.negative:
        return Compound("-", (_term(clingo.Function(symbol.name, symbol.arguments)),))
    if symbol.name and not symbol.arguments:
        return Symbol(symbol.name)
    return Compound(symbol.name, tuple(_term(argument) for argument in symbol.arguments))
