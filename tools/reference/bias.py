"""The directives of a bias, and the meta-language of its constraints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from joiner_magic.search.options import OVERRIDES
from joiner_magic.task.bias import MAX_CLAUSES_RECURSIVE, Bias
from joiner_magic.task.infer import MAX_BODY_INFERRED
from joiner_magic.task.vocabulary import BOUNDS, DIRECTIVES, FLAGS, MEANINGS, META_MEANINGS
from reference.markdown import block, code, page, table

# What holds where a text does not give the directive.
_DEFAULTS = {
    "head_pred": "the predicate of the examples",
    "body_pred": "all predicates of the background knowledge",
    "type": "inferred where no `body_pred` is given, otherwise none",
    "direction": "none",
    "constant": "none",
}
_EXAMPLE = """\
head_pred(east, 1).
body_pred(has_car, 2).   body_pred(short, 1).   body_pred(load, 2).
type(east, (train,)).    type(has_car, (train, car)).
type(short, (car,)).     type(load, (car, shape)).
direction(has_car, (in, out)).
max_vars(4). max_body(4).
:- body_literal(C, load, 2, _), not body_literal(C, short, 1, _).  % of short cars"""


def written() -> str:
    return page(
        "Bias",
        "Which rules may be learnt: a text in the language of answer set programming, in a file `bias.pl`, a cell"
        " `%%bias` or below `%%joiner`. All of it may be left out; `joiner check DIR --bias` and `%joiner bias` print"
        " what then holds. A directive may be a fact, or follow from rules.",
        block(_EXAMPLE, "prolog"),
        "## Directives",
        table(("directive", "meaning", "where it is not given"), _directives()),
        f"[Options](options.md) go before directives: {', '.join(_overridden())}. Two texts must not contradict each"
        " other; the body of `%%joiner` goes before all.",
        "Directives of other learners that mean nothing here are left out, with a note that says so, and with what to"
        " write instead where there is something.",
        "## Constraints",
        "An integrity constraint (`:- …`) forbids what is generated: fragments, and programs of several rules. It may use"
        " directives, predicates that the text defines, and these. `C` is the number of a rule, `P` a predicate's name and"
        " `A` its arity, `V` a variable's number, `Vars` a tuple of variables; those of the head are 0, 1, …",
        table(("atom", "holds if"), [(code(form), meaning) for form, meaning in META_MEANINGS.items()]),
        "The native source checks constraints of common shapes; with others the ASP source runs, which is slower, and"
        " `result.source` says why. [The hypothesis space](hypothesis-space.md) says what holds without any.",
    )


def _directives() -> Iterator[tuple[str, str, str]]:
    defaults = {field.name: field.default for field in fields(Bias)}
    for name, form in DIRECTIVES.items():
        default = "no" if name in FLAGS else str(defaults[name]) if name in BOUNDS else _DEFAULTS[name]
        if name == "max_clauses":
            default += f"; with recursion or invention {MAX_CLAUSES_RECURSIVE}"
        if name == "max_body":
            default += f"; where no `body_pred` is given {MAX_BODY_INFERRED}"
        yield code(f"{form}."), MEANINGS[name], default


def _overridden() -> Iterator[str]:
    for option, directive in OVERRIDES.items():
        yield code(option) if option == directive else f"{code(option)} before {code(directive)}"
