"""Completion in our cells, asked as IPython asks it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

from joiner_magic.notebook import completion
from joiner_magic.sessions.current import current, forget_all


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    forget_all()
    session = current()
    session.bk("piece(a,p1). size(p1,'Big one'). pink(p1). 'Odd name'(a). flag. pipe(X) :- pink(X).")
    session.examples("pos(zendo(a)). neg(zendo(b)).")
    session.bias("type(piece,(state,brick)). type(zendo,(state,)). body_pred(piece,2). body_pred(pink,1).")
    shell = InteractiveShell.instance()
    completion.install(shell)
    yield shell
    completion.uninstall(shell)
    InteractiveShell.clear_instance()
    forget_all()


def completed(shell: InteractiveShell, text: str) -> list[str]:
    """Completions at the mark `|`, as the whole word that would stand there."""
    offset = text.index("|")
    code = text.replace("|", "")
    with provisionalcompleter():
        found = list(shell.Completer.completions(code, offset))
    return [each.text for each in found]


def test_predicates_come_with_their_bracket(shell: InteractiveShell) -> None:
    assert completed(shell, "%%bk\npi|") == ["piece(", "pink(", "pipe("]
    assert completed(shell, "%%bk\npiece(a,b).\nsi|") == ["size("]
    assert completed(shell, "%%bk --name x\nf(X) :- fl|") == ["flag"]


def test_the_predicates_of_another_line_and_in_the_middle_of_one(shell: InteractiveShell) -> None:
    assert completed(shell, "%%bk\nf(X) :- pi|, size(X,Y).\ng(X) :- pink(X).") == ["piece(", "pink(", "pipe("]


def test_examples_know_their_labels_and_what_is_learnt(shell: InteractiveShell) -> None:
    assert completed(shell, "%%examples\npo|") == ["pos("]
    assert completed(shell, "%%examples\npos(ze|") == ["zendo("]


def test_a_bias_knows_directives_types_and_plain_names(shell: InteractiveShell) -> None:
    assert completed(shell, "%%bias\nmax_|") == ["max_vars(", "max_body(", "max_clauses("]
    assert completed(shell, "%%bias\nenable_re|") == ["enable_recursion"]
    assert completed(shell, "%%bias\nbody_pred(pie|") == ["piece"]
    assert completed(shell, "%%joiner --timeout 3\ntype(piece,(sta|") == ["state"]
    assert completed(shell, "%%joiner\ntype(piece,(state,br|") == ["brick"]
    assert "body_literal(" in completed(shell, "%%bias\n:- body_l|")


def test_the_line_form_completes_its_text(shell: InteractiveShell) -> None:
    assert completed(shell, "x = 1\n%bk pie|") == ["piece("]


def test_python_is_left_out_of_our_cells_and_we_of_its(shell: InteractiveShell) -> None:
    shell.user_ns["pickled_thing"] = 1
    assert "pickled_thing" in completed(shell, "pi|")
    assert "piece(" not in completed(shell, "pi|")
    assert "pickled_thing" not in completed(shell, "%%bk\npi|")
    assert "piece(" not in completed(shell, "%%html\npi|")
    assert "piece(" not in completed(shell, "# %%bk\npi|")


def test_variables_are_no_names(shell: InteractiveShell) -> None:
    assert "piece(" not in completed(shell, "%%bk\nf(P|")


def test_what_a_cell_says_is_known_at_once(shell: InteractiveShell) -> None:
    assert completed(shell, "%%bk\nquar|") == []
    current().bk("quark(a).")
    assert completed(shell, "%%bk\nquar|") == ["quark("]


def test_a_session_without_a_task_completes_too(shell: InteractiveShell) -> None:
    current().reset("all")
    assert completed(shell, "%%bias\nhead_p|") == ["head_pred("]


def test_installing_twice_asks_once_and_uninstalling_never(shell: InteractiveShell) -> None:
    completion.install(shell)
    assert completed(shell, "%%bk\nsiz|") == ["size("]
    completion.uninstall(shell)
    assert "size(" not in completed(shell, "%%bk\nsiz|")


def test_options_of_each_magic(shell: InteractiveShell) -> None:
    assert completed(shell, "%%bk --na|") == ["--name"]
    assert completed(shell, "%%bias --te|") == []
    assert "--test" in completed(shell, "%%examples --|\npos(f(a)).")
    assert completed(shell, "%%joiner --time|") == ["--timeout"]
    assert "--no-join" in completed(shell, "%%joiner --timeout 3 --no-|")
    assert completed(shell, "%joiner learn --max-v|") == ["--max-vars"]
    assert completed(shell, "%joiner resume --|") == ["--help", "--background", "--quiet", "--timeout"]


def test_values_of_options(shell: InteractiveShell) -> None:
    assert completed(shell, "%%joiner --source n|") == ["native"]
    assert completed(shell, "%%joiner --source asp --source |") == ["auto", "native", "asp"]


def test_subcommands_and_their_arguments(shell: InteractiveShell) -> None:
    assert completed(shell, "%joiner co|") == ["compare"]
    assert {"learn", "status", "why-not"} <= set(completed(shell, "%joiner |"))
    assert completed(shell, "%joiner show |") == ["progress", "lattice", "constraints", "coverage"]
    assert completed(shell, "x = 1\n%joiner reset ex|") == ["examples"]
    assert completed(shell, "%joiner explain zen|") == ["zendo("]
    assert completed(shell, "%joiner task m|") == ["main"]


def test_files_are_completed_by_ipython(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "peculiar_file.pl").write_text("p(1).", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "peculiar_file.pl" in completed(shell, "%bk --file pecul|")
    assert "peculiar_file.pl" in completed(shell, "%joiner load pecul|")
