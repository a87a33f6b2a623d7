"""A directive is declared once, with the field of the bias that it gives; all else follows from that."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, make_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from joiner_magic.search import options as options_module
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.task import bias as bias_module
from joiner_magic.task.bias import BIAS_DIRECTIVES, Bias
from joiner_magic.task.bias_reader import read_bias
from joiner_magic.task.declarations import DirectiveKind, bound, directives_of, flag
from joiner_magic.task.orders import AT_MOST
from joiner_magic.task.vocabulary import BOUNDS, DIRECTIVES, FLAGS, MEANINGS

HIGHLIGHTED = "jupyter-config/share/jupyter/labextensions/joiner-magic/static/prolog.js"


def more(name: str, kind: type, default: Any, metadata: dict[str, Any]) -> type:
    new = (name, kind, field(default=default, metadata=metadata))
    return make_dataclass("Wider", [new], bases=(Bias,), frozen=True)


def test_every_field_has_its_directive_or_says_that_none_gives_it() -> None:
    given = {directive.field for directive in BIAS_DIRECTIVES.values()}
    assert {each.name for each in fields(Bias)} - given == {"constraints", "places"}


def test_a_field_that_declares_nothing_is_an_error_when_the_module_is_imported() -> None:
    wider = more("more", int, 0, {})
    with pytest.raises(TypeError, match="Wider does not say which directives give more"):
        directives_of(wider)


@pytest.mark.parametrize(
    ("module", "before", "message"),
    [
        (bias_module, "    def place(self", "Bias does not say how it orders spaces by more"),
        (options_module, "    def __post_init__", "Options does not say what these bear on: more"),
    ],
)
def test_a_module_with_an_undeclared_field_cannot_be_imported(
    module: ModuleType, before: str, message: str
) -> None:
    source = Path(str(module.__file__)).read_text("utf-8")
    assert source.count(before) == 1
    changed = source.replace(before, f"    more: int = 0\n\n{before}")
    exec(compile(source, "unchanged", "exec"), {"__name__": module.__name__})
    with pytest.raises(TypeError, match=message):
        exec(compile(changed, "changed", "exec"), {"__name__": module.__name__})


def test_a_flag_and_a_bound_have_their_form_and_their_default_from_the_field() -> None:
    found = directives_of(more("enable_more", bool, False, flag("there is more", AT_MOST)))["enable_more"]
    assert (found.form, found.meaning, found.absent) == ("enable_more", "there is more", "no")
    found = directives_of(more("max_more", int, 7, bound("the most of it", AT_MOST)))["max_more"]
    assert (found.form, found.absent) == ("max_more(number)", "7")


def test_a_flag_that_is_no_truth_value_and_a_bound_that_is_no_number() -> None:
    with pytest.raises(TypeError, match="enable_more is declared to be of type bool, but its default is 0"):
        directives_of(more("enable_more", int, 0, flag("there is more", AT_MOST)))
    with pytest.raises(TypeError, match="max_more is declared to be of type int, but its default is None"):
        directives_of(more("max_more", int, None, bound("the most of it", AT_MOST)))


def test_the_vocabulary_is_what_the_fields_declare() -> None:
    assert list(DIRECTIVES) == list(MEANINGS) == list(BIAS_DIRECTIVES)
    assert set(FLAGS) | set(BOUNDS) == {
        each.name for each in fields(Bias) if type(each.default) in (bool, int)
    }
    assert all(DIRECTIVES[name].startswith(name) for name in DIRECTIVES)


def test_the_form_has_as_many_arguments_as_the_kind() -> None:
    for directive in BIAS_DIRECTIVES.values():
        arguments = re.sub(r"\(.*\)", "", directive.form.partition("(")[2].removesuffix(")"))
        assert len(re.findall(r"[^,]+", arguments)) == directive.kind.arity


@dataclass(frozen=True)
class Said:
    text: str
    value: object


@pytest.mark.parametrize("name", [*FLAGS, *BOUNDS])
def test_each_flag_and_each_bound_is_read_and_written(name: str) -> None:
    is_flag = BIAS_DIRECTIVES[name].kind is DirectiveKind.FLAG
    said = Said(f"{name}.", True) if is_flag else Said(f"{name}(9).", 9)
    text = f"head_pred(f,1). body_pred(p,1). {said.text}"
    bias, notes = read_bias([AspText(text, "bias")], lambda: pytest.fail("nothing is missing"))
    assert (getattr(bias, name), notes) == (said.value, ())
    assert said.text in bias.to_text().splitlines()


def test_each_directive_is_highlighted() -> None:
    root = Path(__file__).resolve().parents[2]
    script = (root / HIGHLIGHTED).read_text("utf-8")
    assert [name for name in DIRECTIVES if f'"{name}"' not in script] == []


def test_the_head_among_the_body_predicates_is_noted_where_it_says_something_new() -> None:
    for given, messages in (
        ("", ["f/1 as a body predicate is read as enable_recursion"]),
        ("enable_recursion.", []),
    ):
        text = f"head_pred(f,1). body_pred(p,1). body_pred(f,1). {given}"
        bias, notes = read_bias([AspText(text, "bias")], lambda: pytest.fail("nothing is missing"))
        assert (bias.enable_recursion, bias.max_clauses) == (True, 2)
        assert [note.message for note in notes] == messages
