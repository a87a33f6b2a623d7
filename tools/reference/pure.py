"""What untrusted background knowledge may call of Prolog's: the list of engines/prolog/pure.pl."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import joiner_magic
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Clause, Compound, List, Symbol, Term
from joiner_magic.task.reader import PrologText
from reference.markdown import code, page, table

_LIST = Path(joiner_magic.__file__).parent / "engines" / "prolog" / "pure.pl"
_WHERE = {"system": "SWI-Prolog", "here": "ours"}


def written() -> str:
    clauses = list(PrologText.read(_LIST.read_text(encoding="utf-8"), "pure.pl").clauses())
    rows = [row for clause in clauses for row in _row(clause)]
    functions = [item for clause in clauses for item in _functions(clause)]
    return page(
        "What untrusted background knowledge may call",
        "Background knowledge that runs in SWI-Prolog may call what it defines itself, and of Prolog's predicates those below. "
        "Anything else is refused before it runs, unless it is trusted: "
        "[prolog-background.md](../how-to/prolog-background.md#what-is-refused-and-trust). "
        "[threat-model.md](../explanation/threat-model.md) says why there is a list.",
        "An argument that is called is written as the number of arguments that are added to it (`maplist(1,?)` adds one), as "
        "`^` where `X^Goal` may stand, and as `//` where it is a grammar body. Such a goal must be known when the text is "
        "loaded, and be allowed itself; `[X]>>Goal` counts as known. An `expression` is evaluated, and an `aggregate` holds "
        "expressions: see below. A `format` and a `message` must not hold `~@` or `~p`.",
        table(("", "where", "predicates"), rows),
        "*Ours* means that our own definition stands in for Prolog's. `catch/3` does not catch what ends an evaluation, "
        "such as its limit or a full stack. What is printed is dropped.",
        "## Functions\n\nIn arithmetic these may be evaluated, as far as the SWI-Prolog that is installed has them. "
        "Chance and clocks are not among them.",
        ", ".join(code(item) for item in functions),
    )


def _row(clause: Clause) -> Iterator[tuple[str, str, str]]:
    match clause.head:
        case Compound(functor="pure", args=(theme, where, List(items=entries))):
            told = ", ".join(code(_entry(entry)) for entry in entries)
            yield _text(theme), _place(where), told


def _functions(clause: Clause) -> Iterator[str]:
    match clause.head:
        case Compound(functor="functions", args=(List(items=entries),)):
            yield from map(_entry, entries)


def _entry(entry: Term) -> str:
    match entry:
        case Compound(functor="/", args=(Symbol(name=name), arity)):
            return f"{name}/{_text(arity)}"
        case Compound(functor=name, args=marks):
            return f"{name}({','.join(map(_text, marks))})"
    raise ValueError(f"no entry of the list: {entry}")


def _place(where: Term) -> str:
    match where:
        case Symbol(name=name):
            return _WHERE[name]
        case Compound(args=(library,)):
            return code(f"library({_text(library)})")
    raise ValueError(f"no place: {where}")


def _text(term: Term) -> str:
    return render_term(term).strip("\"'")
