"""Answers of the coverage view as trees of elements for the browser.

They say why an example is covered or not, and why a rule is not smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from joiner_magic.engines.narrate import filled_in, narrate
from joiner_magic.logic.dominance import bits
from joiner_magic.logic.programs import Literal
from joiner_magic.logic.render import render_literal, render_term
from joiner_magic.questions.coverage.fragments import Fragment, FragmentChoice, KnownFragments
from joiner_magic.questions.coverage.minimality import Minimality, Omission, intersection, size_of
from joiner_magic.task.notes import counted
from joiner_magic.views.coverage.picture import name_of, title_of
from joiner_magic.views.coverage.two_columns import Label, TwoColumns
from joiner_magic.views.output import brief, shortened
from joiner_magic.views.tree import Tree, code, node

if TYPE_CHECKING:
    from joiner_magic.engines.protocol import Explanation
    from joiner_magic.logic.terms import Term

_MOST_NAMED = 2  # negative examples that a smaller conjunction would cover
_PROOF_ROWS, _PROOF_LETTERS = 8, 6_000  # of a proof; a row stands for five lines
_STEP_LETTERS = 600  # of the atoms in one step of an explanation


def column_titles(known: KnownFragments, layout: TwoColumns) -> list[Tree]:
    """The titles of the two columns: the head of all fragments, and how many examples of each label are shown."""
    head = known.problem.task.bias.head
    text = f"{render_literal(Literal(head.name, tuple(range(head.arity))))} :-"
    first = 0.0
    if layout.left:
        first = layout.left[0].y
    titles = [code(text, style=f"left:0;top:{first - 22}px")]
    for label, y in layout.titles:
        place = f"left:{layout.end - 5}px;top:{y - 9}px"
        titles.append(node("b", title_of(known, layout, label), class_=label, style=place))
    return titles


def rules_tree(rules: Sequence[str], said: str = "") -> Tree:
    """Rules, one in each line; `said` stands before them."""
    lines = [node("div", code(rule)) for rule in rules]
    if said and rules:
        lines.insert(0, node("span", said, class_="faint"))
    return node("div", *lines)


def choice_sentence(choice: FragmentChoice) -> str:
    """A sentence about the conjunction that the solver has chosen, to compare with one that a person tries."""
    if not choice.chosen:
        return ""
    size = size_of(fragment.program for fragment in choice.chosen)
    kept = counted(choice.wanted.bit_count(), "positive")
    let_in = choice.let_in.bit_count()
    if let_in:
        kept += f" and {counted(let_in, 'negative')}"
    return f"The solver's choice keeps {kept} with {size} literals."


def example_tree(
    atom: Term, label: Label, whole: Explanation | None, fragments: Sequence[tuple[Fragment, Explanation]]
) -> Tree:
    """Why an example is covered or not: by the whole hypothesis, if there is one, and by each of some fragments."""
    tree = node("div", code(brief(render_term(atom))))
    if whole is not None:
        tree.append(f" {_verdict(whole)} covered by the hypothesis.")
        if error := _error(whole, label):
            tree.append(node("b", f" {error}", class_="neg"))
    for fragment, explanation in fragments:
        sign = node("b", "✗ ", class_="neg")
        if explanation.covered:
            sign = node("b", "✓ ", class_="pos")
        tree.append(node("div", sign, code(fragment.text), *_steps(explanation), class_="step"))
    if whole is not None:
        summary = node("summary", "Where each rule fails")
        if whole.covered:
            summary = node("summary", "Its proof")
        proof = node("pre", brief(shortened(narrate(whole), _PROOF_ROWS), _PROOF_LETTERS))
        tree.append(node("details", summary, proof))
    return tree


def _error(explanation: Explanation, label: Label) -> str:
    """That the hypothesis is wrong about an example, in words; empty if it is right, or if that is not known."""
    if label == "neg" and explanation.covered:
        return "That is an error: the example is negative."
    if label == "pos" and not explanation.covered and explanation.complete:
        return "That is an error: the example is positive."
    return ""


def _verdict(explanation: Explanation) -> str:
    """Whether an example is covered, as the words before "covered"."""
    if explanation.covered:
        return "is"
    if explanation.complete:
        return "is not"
    return "may or may not be"


def _steps(explanation: Explanation) -> Iterator[Tree]:
    """For each rule of a fragment what holds of the example, and which literal fails."""
    proof = explanation.proof
    if proof is not None:
        yield _step("because", (render_term(premise.atom) for premise in proof.premises))
    for failure in explanation.failures:
        holds = [render_literal(filled_in(each, failure)) for each in failure.rule.body[: failure.holds]]
        if holds:
            yield _step("holds", holds)
        if failure.literal is not None:
            yield _step("fails", [render_literal(filled_in(failure.literal, failure))], class_="neg")


def _step(word: str, atoms: Iterable[str], **attributes: str) -> Tree:
    """A line of an explanation: a word about some atoms, and the atoms."""
    return node("div", f"{word} ", code(brief(", ".join(atoms), _STEP_LETTERS), **attributes), class_="faint")


def minimality_tree(known: KnownFragments, choice: FragmentChoice, found: Minimality) -> Tree:
    """Why a conjunction is not smaller: a sentence, a smaller one if there is one, and a table of omissions."""
    kept = intersection(choice.chosen, known.problem.positives, known.problem.negatives)
    tree = node("div", node("p", str(found)))
    tree += [node("div", code(fragment.text)) for fragment in found.smaller]
    if found.without:
        titles = [node("th", title) for title in ("Without", "negatives back in", "such as")]
        rows = [node("tr", *_omission_row(known, without, kept)) for without in found.without]
        tree.append(node("table", node("tr", *titles), *rows))
    return tree


def _omission_row(known: KnownFragments, without: Omission, kept: tuple[int, int]) -> Iterator[Tree]:
    """A row of the table: what is left out, how many negative examples that lets in, and which."""
    back = without.neg & ~kept[1]
    yield node("td", code(without.text))
    yield node("td", f"{back.bit_count():,}", class_="n")
    names = [brief(name_of(known, "neg", number)) for number in islice(bits(back), _MOST_NAMED)]
    cell = node("td", code(", ".join(names)))
    if without.flaw:
        flaw = without.flaw
        if names:
            flaw = f"and {flaw}"
        cell.append(node("div", flaw, class_="faint"))
    yield cell
