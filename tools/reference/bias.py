"""The directives of a bias, and the meta-language of its constraints."""

from __future__ import annotations

from collections.abc import Iterator

from joiner_magic.search.options import OVERRIDES
from joiner_magic.task.bias import BIAS_DIRECTIVES
from joiner_magic.task.vocabulary import META_MEANINGS
from reference.markdown import block, code, page, table

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
    for directive in BIAS_DIRECTIVES.values():
        yield code(f"{directive.form}."), directive.meaning, directive.absent


def _overridden() -> Iterator[str]:
    for option, directive in OVERRIDES.items():
        yield code(option) if option == directive else f"{code(option)} before {code(directive)}"
