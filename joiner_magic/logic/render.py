"""Terms, clauses and programs as Prolog text that reads back to the same value.

Operators come from the reader's own table, so both sides agree on what needs parentheses.
"""

from __future__ import annotations

import math

from joiner_magic import _core
from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.terms import (
    NIL,
    Clause,
    Compound,
    Float,
    Integer,
    List,
    String,
    Symbol,
    Term,
    Variable,
)

_INFIX = {name: (priority, left, right) for name, priority, left, right in _core.infix_operators()}
_PREFIX = {name: (priority, right) for name, priority, _, right in _core.prefix_operators()}

_CLAUSE = 1200  # the highest priority there is
_ARGUMENT = 999  # just below the comma
_SYMBOL_CHARACTERS = frozenset("#$&*+-./:<=>?@\\^~")
_SOLO = frozenset(["[]", "{}", "!", ";"])
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def render_term(term: Term) -> str:
    """The term as Prolog text."""
    return _term_text(term, _CLAUSE)


def render_clause(clause: Clause) -> str:
    """The clause on one line, with its final "."."""
    head, body = clause.head, clause.body
    parts = tuple(part for part in (head, body) if part is not None)
    text = _term_text(parts[0] if body is None else Compound(":-", parts), _CLAUSE)
    # After a symbol character the final "." would be read as part of the symbol.
    if text[-1] in _SYMBOL_CHARACTERS:
        return f"{text} ."
    return f"{text}."


def render_literal(literal: Literal) -> str:
    """The literal as Prolog text; its variables are called A, B, … by their numbers."""
    return _term_text(_atom(literal), _ARGUMENT)


def render_rule(rule: Rule) -> str:
    """The rule on one line; its variables are called A, B, … Z, A1, … by their numbers."""
    body: Term | None = None
    for literal in reversed(rule.body):
        goal = _atom(literal)
        body = goal if body is None else Compound(",", (goal, body))
    return render_clause(Clause(_atom(rule.head), body))


def render_program(program: Program) -> str:
    """The program as Prolog text, one rule per line."""
    return "".join(f"{render_rule(rule)}\n" for rule in program.rules)


def _atom(literal: Literal) -> Term:
    if not literal.args:
        return Symbol(literal.name)
    return Compound(literal.name, tuple(_argument(argument) for argument in literal.args))


def _argument(argument: Argument) -> Term:
    if not isinstance(argument, int):
        return argument
    return Variable(variable_name(argument))


def variable_name(number: int) -> str:
    """A, B, … Z, A1, … for a rule's variables."""
    turn, letter = divmod(number, 26)
    return chr(ord("A") + letter) + (str(turn) if turn else "")


def _term_text(term: Term, most: int, operand: bool = False) -> str:
    """A term as text, where an operator of a priority up to `most` needs no brackets.

    `operand` says that it stands next to an operator.
    """
    match term:
        case Variable(name=name):
            return name
        case Symbol(name=name):
            # Next to an operator, the name of another one would be taken for an operator as well.
            alone = operand and (name in _INFIX or name in _PREFIX)
            if alone:
                return f"({_name(name)})"
            return _name(name)
        case Integer(value=value):
            return str(value)
        case Float(value=value):
            return _float(value)
        case String(value=text):
            return _quote(text, '"')
        case List(items=items, tail=tail):
            rest = ""
            if tail != NIL:
                rest = f"|{_term_text(tail, _ARGUMENT)}"
            return f"[{_arguments(items)}{rest}]"
        case Compound(functor="{}", args=(inside,)):
            return f"{{{_term_text(inside, _CLAUSE)}}}"
        case Compound(functor=functor, args=(left, right)) if functor in _INFIX:
            return _infix(functor, left, right, most)
        case Compound(functor=functor, args=(arg,)) if functor in _PREFIX:
            priority, right_most = _PREFIX[functor]
            # The space keeps `- 1` from being read as a number, and `- (a)` as an argument list.
            return _bracket(f"{functor} {_term_text(arg, right_most, operand=True)}", priority > most)
        case Compound(functor=functor, args=args):
            return f"{_name(functor)}({_arguments(args)})"


def _infix(functor: str, left: Term, right: Term, most: int) -> str:
    """A term with an operator between its two arguments."""
    priority, left_most, right_most = _INFIX[functor]
    parts = [_term_text(left, left_most, operand=True)]
    # A long conjunction nests deeply to the right: it is followed here, not by recursion.
    while functor == "," and isinstance(right, Compound) and right.functor == "," and len(right.args) == 2:
        parts.append(_term_text(right.args[0], left_most, operand=True))
        right = right.args[1]
    parts.append(_term_text(right, right_most, operand=True))
    separator = ", " if functor == "," else f" {functor} "
    return _bracket(separator.join(parts), priority > most)


def _bracket(text: str, needed: bool) -> str:
    return f"({text})" if needed else text


def _arguments(terms: tuple[Term, ...]) -> str:
    return ", ".join([_term_text(term, _ARGUMENT) for term in terms])


def _name(name: str) -> str:
    """A name, in quotes if it needs them."""
    if _is_plain(name):
        return name
    return _quote(name, "'")


def _is_plain(name: str) -> bool:
    """Whether the name can be written without quotes."""
    if name in _SOLO:
        return True
    if name and _SYMBOL_CHARACTERS.issuperset(name):
        # A "." would end the clause, and "/*" begin a comment.
        return not name.startswith((".", "/*"))
    first = name[:1]
    return (
        first.isalpha()
        and not first.isupper()
        and not first.istitle()
        and all(character == "_" or character.isalnum() for character in name)
    )


def _quote(text: str, quote: str) -> str:
    return quote + "".join([_escape(character, quote) for character in text]) + quote


def _escape(character: str, quote: str) -> str:
    if character == quote:
        return f"\\{quote}"
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    return f"\\x{ord(character):x}\\"


def _float(value: float) -> str:
    """A float as Prolog reads it."""
    if math.isnan(value):
        return "1.5NaN"
    if math.isinf(value):
        return "1.0Inf" if value > 0 else "-1.0Inf"
    text = repr(value)
    # Python writes 1e+22 where Prolog wants a fraction.
    if "." in text:
        return text
    return text.replace("e", ".0e")
