"""The view of pruning constraints: how many programs met which fate, and each constraint with its cause.

The table has pages: a browser asks for a few rows at a time, for the details of one, and to have one verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, ClassVar, cast, get_args

from joiner_magic.errors import CommandError
from joiner_magic.questions.constraints.fates import Fates, SizeFates, fates_by_size
from joiner_magic.questions.constraints.prunings import Pruning, Prunings
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.questions.rule_ids import rule_ids_of
from joiner_magic.search.fate import PRUNING, Fate
from joiner_magic.search.record.record import Order
from joiner_magic.task.notes import counted
from joiner_magic.views.constraints.fate_bars import picture, words_in_order
from joiner_magic.views.graphs import quoted
from joiner_magic.views.markup import Html, code, details, joined, line, quiet, table, text
from joiner_magic.views.palette import BY_WORD
from joiner_magic.views.tree import Tree, node, separated
from joiner_magic.views.tree import code as code_of
from joiner_magic.views.view import Scene, View

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_MOST_ROWS = 100  # of a page
_MOST_LETTERS = 4_000  # of a text to look for
_OF_EACH_KIND = 2  # causes in static outputs
_STATIC_LETTERS = 300  # of a cause in static outputs
_CORE_CONCLUDES = (
    "The core draws this conclusion itself, and makes nothing from this body; the ASP says what need not be tested. It makes"
    " each body from one other, so some of these are tested all the same."
)
# The columns of the table: title, order by which they are sorted, and an explanation.
_COLUMNS = (
    ("kind",),
    ("cause; no need to test it with more literals (…)",),
    ("covers", "positives"),
    ("never made", "", "Bodies with one literal more that were never made because of it."),
    (
        "made anyway",
        "",
        "Bodies with one literal more that were tested all the same: each was made from another body.",
    ),
    ("tested", "size"),
)


class ConstraintsView(View):
    """A bar for each size of what became of its programs, and a table of the constraints.

    "Left out" means that the programs were never made, or made and not tested. For each constraint the view has the program that is
    its cause, and it can verify the constraint: it tests some of the programs that were left out after all.
    """

    name: ClassVar[str] = "constraints"
    title: ClassVar[str] = "Pruning constraints"
    twin_order: ClassVar[int] = 3
    questions: ClassVar[frozenset[str]] = frozenset({"page", "detail", "verify"})

    def __init__(self, run: Run) -> None:
        """The view of a run's constraints; nothing is looked up before it is asked for."""
        super().__init__(run)
        self._prunings = Prunings(run)

    @property
    def prunings(self) -> Prunings:
        """The constraints of the search that the run shows, which may become known only when the run ends."""
        if self._prunings.run is not self.run.shown:
            self._prunings = Prunings(self.run)
        return self._prunings

    def scene(self) -> Scene:
        """What the browser draws at first: bars by size, fates with their meanings, and the first page of the table."""
        sizes = fates_by_size(self.run)
        return {
            "running": self.run.state == "running",
            "heading": self._heading(),
            "whence": self.run.whence,
            "sizes": [_bar(size) for size in sizes],
            "kinds": [_kind(word, sizes) for word in words_in_order(sizes)],
            "untested": self._untested(),
            "missed": self._missed(),
            "columns": [list(column) for column in _COLUMNS],
            "page": self.page(),
        }

    def page(
        self,
        kind: str = "",
        size: int | None = None,
        text: str = "",
        order: str = "size",
        backwards: bool = False,
        offset: int = 0,
        limit: int = 25,
        rule: str = "",
    ) -> Scene:
        """A page of the table, and where the pages before and after it begin.

        `rule` is the id or the text of a rule that was selected: then the page has the constraint of this rule alone.
        """
        if not isinstance(kind, str) or (kind and kind not in set(Fate)):
            raise CommandError(f"no constraint is of the kind {kind!r}")
        if not (size is None or _is_number(size)) or not isinstance(text, str) or len(text) > _MOST_LETTERS:
            raise CommandError("constraints are looked for by a size and a text")
        if order not in get_args(Order):
            raise CommandError(f"constraints have no order {order!r}")
        if not _is_number(offset) or not _is_number(limit) or limit > _MOST_ROWS:
            raise CommandError(f"a page has at most {_MOST_ROWS} rows")
        if not isinstance(rule, str) or len(rule) > _MOST_LETTERS:
            raise CommandError("a rule is selected by its id or its text")
        if rule:
            found = self.prunings.page_of(self.prunings.find(rule))
        else:
            found = self.prunings.page(
                kind, size, text, cast(Order, order), backwards=bool(backwards), offset=offset, limit=limit
            )
        rows = [self._row(row) for row in found.rows]
        last = offset + len(rows)
        said, before, after = "none", None, None
        if rows:
            said = f"{offset + 1:,}–{last:,} of {found.total:,}"
        if offset:
            before = max(offset - limit, 0)
        if rows and last < found.total:
            after = last
        return {"rows": rows, "said": said, "before": before, "after": after}

    def _row(self, row: Pruning) -> Scene:
        """A row of the table for the browser. What the id of its cause stands for is noted, for when it is selected."""
        key = NodeId.recorded(row.number)
        rule_ids_of(self.run).note(key, row.cause, self.prunings.record[row.number].program)
        return {**asdict(row), "id": str(key), "covers": _covered(row)}

    def detail(self, number: int) -> Scene:
        """Everything about one constraint."""
        found = self.prunings.detail(_number(number))
        what_it_does, note = "no need to test", ""
        if found.told:
            what_it_does = "forbids"
        elif found.asp:
            note = _CORE_CONCLUDES
        listed = [
            *_definition(what_it_does, [found.pruning.needless]),
            *_definition("as ASP", [found.asp]),
            *_definition("covered by", found.covered_by),
        ]
        told = node("div", found.proposition, node("div", _below(found.pruning)), node("dl", *listed))
        return {"told": told, "note": note, "verifiable": found.verifiable}

    def verify(self, number: int) -> Scene:
        """Test a sample of the programs that a constraint removed, and say whether it was right.

        Nobody has to believe a proposition: programs that were removed by it can be tested after all.
        """
        found = self.prunings.verify(_number(number))
        return {
            "said": str(found),
            "right": not found.refuted,
            "counterexamples": [
                {"text": self.prunings.name(one.program), "pos": one.pos, "neg": one.neg}
                for one in found.counterexamples
            ],
        }

    def to_svg(self) -> str:
        """Bars by size, and the first causes of each kind."""
        heading = f"{self.run.name}: {self._heading()}"
        causes, sizes = list(self._first_causes()), fates_by_size(self.run)
        return picture(self.title, heading, sizes, causes, " ".join(self._remarks()))

    @property
    def summary(self) -> str:
        """How many programs met which fate."""
        fates = ", ".join(f"{fate.programs:,} {fate.kind}" for fate in Fates.of(self.run).fates)
        return ": ".join(filter(None, [self._heading(), fates]))

    def _heading(self) -> str:
        """How many programs were tested, as a heading."""
        tested = Fates.of(self.run).tested
        if not tested:
            return "no program was tested"
        return f"what became of {counted(tested, 'tested program')}"

    def _untested(self) -> Tree:
        """A line about programs that were made but not tested: they have no fates, and are not listed."""
        untested = Fates.of(self.run).untested
        if not untested:
            return node("span", "", class_="faint")
        words = [node("span", f"{number:,} {word}", title=word.sentence) for word, number in untested.items()]
        return node("span", "not tested: ", *separated(words), class_="faint")

    def _missed(self) -> str:
        """A sentence about programs that are counted but not listed; empty if there are none."""
        if self.prunings.missing:
            return self.prunings.missing
        missed = self.prunings.record.missed
        if not missed:
            return ""
        return f"{counted(missed, 'program')} more were tested when the record was full, and are not listed."

    def _remarks(self) -> list[str]:
        """Sentences about the picture as a whole."""
        remarks = []
        if self.run.whence:
            remarks.append(f"{self.run.name}, {self.run.whence}.")
        if missed := self._missed():
            remarks.append(missed)
        return remarks

    def to_dot(self) -> str:
        """The first causes of each kind as a graph."""
        return "\n".join(self._graph())

    def to_text(self) -> str:
        """What became of the programs, and the first constraints of each kind."""
        first = [
            f"{one.kind:>14}: no need to test {_shortened(one.needless)}" for one in self._first_causes()
        ]
        return "\n".join([*self._remarks(), str(Fates.of(self.run)), *first])

    def to_table(self) -> Html:
        """What became of the programs; the first constraints of each kind are folded away."""
        parts = [quiet(text(said)) for said in self._remarks()]
        parts.append(fates_table(Fates.of(self.run)))
        rows = [_cause_row(cause) for cause in self._first_causes()]
        if rows:
            titles = ("kind", "no need to test", "cause covers + / −", "never made just below", "made anyway")
            shown = table(titles, rows, left=(0, 1))
            parts.append(details("the first constraints of each kind", shown))
        return joined(parts)

    def _first_causes(self) -> Iterator[Pruning]:
        """The smallest causes of each kind, which remove most."""
        for kind in PRUNING:
            yield from self.prunings.page(kind, limit=_OF_EACH_KIND).rows

    def _graph(self) -> Iterator[str]:
        """Lines of a graph for Graphviz: a cluster for each kind, with causes and how many programs each removed."""
        yield "digraph constraints {"
        yield "  rankdir=LR; fontname=Helvetica; node [shape=box, style=rounded, fontname=monospace, fontsize=10];"
        yield "  edge [arrowhead=vee, fontname=Helvetica, fontsize=10];"
        causes = list(self._first_causes())
        for place, kind in enumerate(dict.fromkeys(cause.kind for cause in causes)):
            colour = BY_WORD[kind].light
            yield f"  subgraph cluster_{place} {{ label={quoted(kind)}; color={quoted(colour)};"
            for cause in causes:
                if cause.kind == kind:
                    yield from _cause_in_graph(cause, colour)
            yield "  }"
        yield "}"


def _cause_in_graph(cause: Pruning, colour: str) -> Iterator[str]:
    """Lines for Graphviz: a cause, how many programs were never made for it, and an arrow between the two."""
    number = cause.number
    label = f"{_shortened(cause.cause)}\n{_covered(cause)}"
    yield f"    c{number} [label={quoted(label)}];"
    yield f"    r{number} [shape=plain, label={quoted(_count(cause.removed))}];"
    yield f'    c{number} -> r{number} [label="never made", color={quoted(colour)}];'


def _cause_row(cause: Pruning) -> list[Html]:
    """The row of a cause in the table."""
    return [
        text(cause.kind),
        code(_shortened(cause.needless)),
        text(_covered(cause)),
        text(_count(cause.removed)),
        text(_count(cause.tested)),
    ]


def _kind(word: Fate, sizes: Sequence[SizeFates]) -> Scene:
    """A fate for the legend of the browser: how many programs met it, and what follows from that."""
    count = sum(size.tested.get(word, 0) for size in sizes)
    return {"kind": word, "cuts": word.prunes, "count": count, "sentence": word.sentence}


def _definition(label: str, texts: Sequence[str]) -> list[Tree]:
    """A label with the texts that belong to it, for a list of definitions; nothing if all texts are empty."""
    if not any(texts):
        return []
    return [node("dt", label), *(node("dd", code_of(each)) for each in texts)]


def fates_table(fates: Fates, rows: int = 20) -> Html:
    """A table of how many programs met each fate, and below it why each conclusion is sound."""
    sizes = fates.sizes[-rows:]
    parts = [line(text(f"run {fates.run}: {counted(fates.tested, 'program')} tested"))]
    table_rows = []
    for fate in fates.fates:
        numbers = [fate.programs, *(fate.by_size[size] for size in sizes)]
        table_rows.append([text(fate.kind), *(text(f"{number:,}") for number in numbers)])
    if table_rows:
        parts.append(table(("", "programs", *(f"size {size}" for size in sizes)), table_rows))
    parts += [quiet(_bold(fate.kind), text(f": {fate.reason}")) for fate in fates.fates]
    for word, number in fates.untested.items():
        parts.append(quiet(_bold(word), text(f", not tested, {number:,}: {word.sentence}")))
    return joined(parts)


def _bold(word: str) -> Html:
    """A word in bold letters."""
    return Html(f"<b>{text(word)}</b>")


def _bar(size: SizeFates) -> Scene:
    """The bar of one size for the browser, with a text for each of its parts."""
    fates: list[list[object]] = []
    for word in words_in_order([size]):
        if count := size.tested.get(word):
            described = f"size {size.size}: {count:,} {word}, {100 * count / size.total:.0f} %"
            fates.append([word, count, word.prunes, described])
    return {
        "size": size.size,
        "total": size.total,
        "fates": fates,
        "untested": ", ".join(f"{number:,} {word}" for word, number in size.untested.items()),
    }


def _covered(cause: Pruning) -> str:
    """How many examples a cause covers; a body that is no rule yet may cover more than was counted
    (docs/explanation/native-core.md).
    """
    covered = f"+{_count(cause.pos)} −{_count(cause.neg)}"
    if cause.whole:
        return covered
    return f"at least {covered}"


def _below(pruning: Pruning) -> str:
    """What became of the specialisations with one literal more, in a sentence."""
    if pruning.removed is None or pruning.tested is None:
        return ""
    anyway = ""
    if pruning.tested:
        anyway = f"; {pruning.tested:,} were made from other bodies, and tested"
    return f"With one literal more, {pruning.removed:,} were never made because of it{anyway}."


def _is_number(value: object) -> bool:
    """Whether a value that a browser has sent is a number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _number(value: object) -> int:
    """The number of a program that a browser has sent."""
    if not _is_number(value):
        raise CommandError(f"{value!r} is no number of a program")
    return cast(int, value)


def _count(number: int | None) -> str:
    """A number as a text; a question mark if nobody has counted."""
    if number is None:
        return "?"
    return f"{number:,}"


def _shortened(rule: str) -> str:
    """The beginning of a rule that is too long for static outputs."""
    if len(rule) <= _STATIC_LETTERS:
        return rule
    return f"{rule[:_STATIC_LETTERS]}…"
