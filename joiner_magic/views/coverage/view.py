"""The coverage view: which examples each fragment covers, and which remain when fragments are joined.

The browser gets what each fragment of a rule covers, as bitsets, so that it can intersect any fragments that a person
chooses without asking. It asks for layouts, names of examples and explanations when they are looked at, because there
may be 10,000 examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, ClassVar

from joiner_magic.errors import CommandError
from joiner_magic.logic.render import render_term
from joiner_magic.questions.coverage.fragments import (
    Fragment,
    FragmentChoice,
    KnownFragments,
    conjunction_rules,
)
from joiner_magic.questions.coverage.matrix import CoverageMatrix
from joiner_magic.questions.coverage.minimality import minimality
from joiner_magic.questions.rule_ids import rule_ids_of
from joiner_magic.task.notes import counted
from joiner_magic.views.coverage.answers import (
    choice_sentence,
    column_titles,
    example_tree,
    minimality_tree,
    rules_tree,
)
from joiner_magic.views.coverage.picture import (
    dot_of,
    examples_of,
    laid_out,
    name_of,
    shown_fragments,
    svg_of,
)
from joiner_magic.views.coverage.table import coverage_view, fragments_table
from joiner_magic.views.coverage.two_columns import LABELS, Label
from joiner_magic.views.markup import Html, joined, line, text
from joiner_magic.views.output import ROWS, brief
from joiner_magic.views.view import Scene, View

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_SECONDS = 0.5  # for evaluating fragments
_SECONDS_TO_SEARCH = 5.0  # for a smaller conjunction
_MOST_RULES = 50
_PAGE = 100  # names of examples in one answer
_NAME = 160  # letters of a name
_NARROW, _WIDE = 340, 1_000


class CoverageView(View):
    """Fragments on the left, examples on the right, and a line wherever a fragment covers an example.

    A rule of the hypothesis may be a conjunction of fragments, each of which alone covers negative examples, too. The view shows what
    each fragment covers and what all of them cover together. A person can put other fragments in their place and see what
    happens.
    """

    name: ClassVar[str] = "coverage"
    title: ClassVar[str] = "Conjunction coverage"
    twin_order: ClassVar[int] = 1
    questions: ClassVar[frozenset[str]] = frozenset(
        {"choice", "picture", "names", "find", "explain", "minimal", "written"}
    )

    def __init__(self, run: Run) -> None:
        """The view of a run's fragments; they are evaluated when they are first asked for."""
        super().__init__(run)
        self._looked: tuple[tuple[object, ...], KnownFragments] | None = None
        self._choices: dict[int, FragmentChoice] = {}

    def _look(self) -> KnownFragments:
        """What the run knows now; found out again only if the run has got further since the last time."""
        now = self.run.result, self.run.finding, self.run.progress.best
        if self._looked is not None:
            before, known = self._looked
            if all(one is other for one, other in zip(now, before, strict=True)):
                return known
        known = KnownFragments.of(self.run, _SECONDS)
        self._looked = now, known
        self._choices.clear()
        return known

    @property
    def _known(self) -> KnownFragments:
        """What the run knew when the scene was made: the numbers in a browser's questions refer to that."""
        if self._looked is None:
            return self._look()
        return self._looked[1]

    def scene(self) -> Scene:
        """What the browser draws at first: the titles of the choices, and how many examples there are."""
        known = self._look()
        return {
            "sizes": {"pos": known.problem.positives, "neg": known.problem.negatives},
            "titles": known.titles[:_MOST_RULES],
            "note": _note(self.run, known),
            "errors": {label: f"{bits:x}" for label, bits in zip(LABELS, known.errors, strict=True)},
            "running": self.run.state == "running",
        }

    def choice(self, number: int) -> Scene:
        """One rule of the hypothesis: its fragments, and others that could be in their place."""
        choice = self._choice(number)
        return {
            "rules": list(choice.rules),
            "solver": len(choice.chosen),
            "told": choice_sentence(choice),
            "priced": self._known.problem.objective.allows_wrong,
            "fragments": [self._sent_fragment(fragment) for fragment in choice.fragments],
        }

    def _sent_fragment(self, fragment: Fragment) -> Scene:
        """A fragment for the browser, which names it by its id if it is selected."""
        key = rule_ids_of(self.run).of_program(fragment.program, fragment.text, self.run.record)
        return {
            "id": str(key),
            "text": fragment.text,
            "size": fragment.program.size,
            "cost": fragment.cost,
            "pos": f"{fragment.pos:x}",
            "neg": f"{fragment.neg:x}",
        }

    def picture(self, number: int, fragments: Sequence[int], width: float) -> Scene:
        """The layout of a rule's fragments, those that a person tries, and the examples that show best how they differ."""
        choice = self._choice(number)
        shown = shown_fragments(choice, _checked(fragments, choice))
        if not isinstance(width, int | float) or not isfinite(width):
            raise CommandError(f"{width!r} is no width")
        room = min(max(width, _NARROW), _WIDE)
        columns = laid_out(self._known, [choice.fragments[each] for each in shown], room)
        left: list[list[object]] = []
        for each, box in zip(shown, columns.left, strict=True):
            text = "\n".join(box.lines)
            left.append([each, box.y, box.height, text])
        right: list[list[object]] = []
        for row in columns.right:
            label, example = row.example.label, row.example.number
            right.append([label, example, self._name(label, example), row.y, row.example.alike])
        return {
            "width": columns.width,
            "height": columns.height,
            "start": columns.start,
            "end": columns.end,
            "left": left,
            "right": right,
            "titles": column_titles(self._known, columns),
        }

    def names(self, label: str, start: int) -> Scene:
        """The names of some examples of one label."""
        side, count = self._side(label)
        if not isinstance(start, int) or start < 0:
            raise CommandError(f"{start!r} is no number of an example")
        return {"names": [self._name(side, number) for number in range(start, min(start + _PAGE, count))]}

    def find(self, examples: Sequence[str]) -> Scene:
        """The labels and numbers of examples that are selected by name."""
        if not isinstance(examples, list | tuple):
            raise CommandError("examples are a list of texts")
        wanted = set(map(str, examples))
        found: list[list[object]] = []
        for label in LABELS:
            _, count = self._side(label)
            names = (name_of(self._known, label, number) for number in range(count))
            found += [[label, number] for number, name in enumerate(names) if name in wanted]
        return {"found": found}

    def explain(self, number: int, label: str, example: int, fragments: Sequence[int]) -> Scene:
        """Why the hypothesis, and each of some fragments, covers an example or not."""
        known, choice = self._known, self._choice(number)
        side, count = self._side(label)
        if not isinstance(example, int) or not 0 <= example < count:
            raise CommandError(f"there is no example {example!r}")
        atom = examples_of(known, side)[example]
        asked = [choice.fragments[each] for each in _checked(fragments, choice)]
        whole = None
        with known.engine() as engine:
            if known.hypothesis:
                whole = engine.explain(known.hypothesis, atom)
            told = [(fragment, engine.explain(fragment.program, atom)) for fragment in asked]
        return {"name": render_term(atom), "told": example_tree(atom, side, whole, told)}

    def written(self, number: int, fragments: Sequence[int]) -> Scene:
        """The conjunction of fragments that a person tries, as rules; the solver's own as the hypothesis has them."""
        choice = self._choice(number)
        tried = _checked(fragments, choice)
        if sorted(tried) == list(range(len(choice.chosen))):
            return {"told": rules_tree(choice.rules)}
        rules = conjunction_rules(self._known, [choice.fragments[each] for each in tried])
        return {"told": rules_tree(rules, "you try")}

    def minimal(self, number: int) -> Scene:
        """Why the conjunction of a rule is not smaller."""
        choice = self._choice(number)
        if not choice.chosen:
            raise CommandError("there is no rule to ask about")
        found = minimality(self._known, choice, _SECONDS_TO_SEARCH)
        return {"told": minimality_tree(self._known, choice, found)}

    def to_svg(self) -> str:
        """The fragments and examples of the first rules."""
        known = self._look()
        return svg_of(known, self.title, _note(self.run, known))

    @property
    def summary(self) -> str:
        """How many rules and fragments there are, and what they cover."""
        known = self._look()
        if not known.parts:
            return _note(self.run, known)
        rules = counted(len(known.parts), "rule")
        fragments = counted(sum(len(part.conjunction.programs) for part in known.parts), "fragment")
        covered = f"{known.covered.bit_count():,} of {counted(known.problem.positives, 'positive example')}"
        wrong = "no negative one"
        if known.wrong:
            wrong = f"{known.wrong.bit_count():,} of {known.problem.negatives:,} negative ones"
        return f"{rules} made of {fragments}, covering {covered} and {wrong}"

    def to_dot(self) -> str:
        """The fragments and examples of the first rules as a graph."""
        return dot_of(self._look())

    def to_text(self) -> str:
        """The coverage matrix; without a hypothesis, the most helpful fragments."""
        known = self._look()
        if (matrix := self._matrix()) is not None:
            return coverage_view(matrix).text
        lines = [_note(self.run, known)]
        for fragment in _first_fragments(known)[:ROWS]:
            pos, neg = fragment.pos.bit_count(), fragment.neg.bit_count()
            lines.append(f"+{pos:<5,} −{neg:<5,} {fragment.text}")
        return "\n".join(lines)

    def to_table(self) -> Html:
        """The coverage matrix; without a hypothesis, the most helpful fragments."""
        known = self._look()
        if (matrix := self._matrix()) is not None:
            return coverage_view(matrix).html
        note = line(text(_note(self.run, known)))
        problem = known.problem
        fragments = fragments_table(_first_fragments(known), problem.positives, problem.negatives)
        return joined([note, fragments])

    def _matrix(self) -> CoverageMatrix | None:
        """The coverage matrix of the result; None without a hypothesis."""
        result = self.run.result
        if result is None or result.hypothesis is None:
            return None
        with self._known.engine() as engine:
            return CoverageMatrix.of(result, engine)

    def _choice(self, number: int) -> FragmentChoice:
        """The choice with a number that a browser has sent."""
        if not isinstance(number, int) or not 0 <= number < len(self._known.titles):
            raise CommandError(f"there is no rule {number!r}")
        if number not in self._choices:
            self._choices[number] = self._known.choice(number)
        return self._choices[number]

    def _side(self, label: str) -> tuple[Label, int]:
        """The label that a browser has named, and how many examples have it."""
        problem = self._known.problem
        if label == "pos":
            return "pos", problem.positives
        if label == "neg":
            return "neg", problem.negatives
        raise CommandError(f"{label!r} is no label", remedy="take pos or neg")

    def _name(self, label: Label, number: int) -> str:
        """The name of an example, shortened if it is long."""
        return brief(name_of(self._known, label, number), _NAME)


def _first_fragments(known: KnownFragments) -> Sequence[Fragment]:
    """The fragments of the first choice; none if there is no choice."""
    if not known.titles:
        return ()
    return known.choice(0).fragments


def _note(run: Run, known: KnownFragments) -> str:
    """A sentence about what the view shows; empty if there is nothing special about it."""
    problem = known.problem
    if run.state == "running" and known.parts:
        return f"{run.name} is still at work: this is the best so far."
    if run.state == "running":
        return f"{run.name} is still at work: it has found nothing yet."
    if not known.coverage:
        return "No rule was found, and no fragment that covers a positive example."
    if not known.parts:
        return "No rule was found. These fragments keep most positives and fewest negatives."
    if known.wrong:
        missed, wrong = (bits.bit_count() for bits in known.errors)
        return (
            f"The hypothesis misses {missed:,} of {problem.positives:,} positives"
            f" and covers {wrong:,} of {problem.negatives:,} negatives: they are marked as errors."
        )
    if known.uncovered:
        return f"The hypothesis covers {known.covered.bit_count():,} of {problem.positives:,} positives."
    if not problem.negatives:
        return "There are no negatives: every conjunction is consistent."
    return ""


def _checked(numbers: Sequence[int], choice: FragmentChoice) -> list[int]:
    """The numbers of fragments that a browser has sent. Raises CommandError for anything else."""
    known = len(choice.fragments)
    are_listed = isinstance(numbers, list | tuple)
    if not are_listed or not all(isinstance(number, int) and 0 <= number < known for number in numbers):
        raise CommandError(f"{brief(repr(numbers))} are no numbers of fragments")
    return list(numbers)
