"""The static picture of conjunctions: fragments on the left, examples on the right, a line where one covers the other.

A line is coloured where the whole rule covers the example, and dashed where the fragment does not belong to the rule. Where there are
many examples, only those are drawn that tell the fragments apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from joiner_magic.logic.render import render_literal, render_rule, render_term
from joiner_magic.logic.terms import Term
from joiner_magic.questions.coverage.fragments import Fragment, FragmentChoice, KnownFragments
from joiner_magic.questions.coverage.minimality import intersection
from joiner_magic.task.notes import counted
from joiner_magic.views.coverage.two_columns import (
    LABELS,
    LETTER,
    Example,
    ExampleRow,
    Label,
    TwoColumns,
    in_columns,
    telling,
)
from joiner_magic.views.coverage.two_columns import LINE as LINE_HEIGHT
from joiner_magic.views.drawing import FAINT, LINE, SMALL, Svg, cut, named, page, piece, words
from joiner_magic.views.graphs import quoted
from joiner_magic.views.markup import more
from joiner_magic.views.output import brief
from joiner_magic.views.palette import NEGATIVE, POSITIVE

_COLOURS: dict[Label, str] = {"pos": POSITIVE, "neg": NEGATIVE}
_NOUNS: dict[Label, str] = {"pos": "positive", "neg": "negative"}
_ERRORS: dict[Label, str] = {"pos": " missed", "neg": " wrong"}  # what a hypothesis gets wrong
_GRAPHVIZ: dict[Label, str] = {"pos": "ellipse", "neg": "box"}  # the shapes of examples
_Look: TypeAlias = tuple[str, float, str | None]  # of a line: its colour, its width and its dashes
_WIDTH, _MARGIN = 760.0, 16.0
_TITLE = 44.0  # the height of a rule's title
_ALTERNATIVES = 3  # fragments that are shown at least, if so many are known
_EXAMPLES, _FEWER = 30, 12  # that are shown with one rule, and with each of several
_RULES = 4  # in one picture
_MOST_LINES = 8  # fragments of a rule in a picture that nobody can scroll


def shown_fragments(choice: FragmentChoice, tried: Sequence[int] = ()) -> list[int]:
    """The numbers of fragments in a picture: those of the rule, those that are tried, and alternatives if these are few."""
    numbers = list(dict.fromkeys([*range(len(choice.chosen)), *tried]))
    for number in range(len(choice.fragments)):
        if len(numbers) >= _ALTERNATIVES:
            break
        if number not in numbers:
            numbers.append(number)
    return numbers


def laid_out(
    known: KnownFragments, fragments: Sequence[Fragment], width: float, most: int = _EXAMPLES
) -> TwoColumns:
    """The layout of some fragments and the examples that show best how they differ."""
    columns = [(fragment.pos, fragment.neg) for fragment in fragments]
    examples = telling(columns, (known.problem.positives, known.problem.negatives), most)
    return in_columns([_pieces(fragment) for fragment in fragments], columns, examples, width)


def _pieces(fragment: Fragment) -> list[str]:
    """The text of a fragment in pieces that are not broken. A single rule has the head of all others, which is left out."""
    rules = fragment.program.rules
    if len(rules) > 1:
        return [render_rule(rule) for rule in rules]
    literals = list(map(render_literal, rules[0].body))
    return [*(f"{literal}," for literal in literals[:-1]), *literals[-1:]]


def name_of(known: KnownFragments, label: Label, number: int) -> str:
    """The name of an example."""
    return render_term(examples_of(known, label)[number])


def examples_of(known: KnownFragments, label: Label) -> Sequence[Term]:
    """The examples of one label."""
    examples = known.problem.task.examples
    if label == "pos":
        return examples.pos
    return examples.neg


def _covers(fragment: Fragment, example: Example) -> bool:
    """Whether a fragment covers an example."""
    covered = {"pos": fragment.pos, "neg": fragment.neg}
    return bool(covered[example.label] >> example.number & 1)


def _is_kept(example: Example, kept: tuple[int, int]) -> bool:
    """Whether an example is among those that the rule covers, which are given as bitsets of positives and negatives."""
    return bool(kept[LABELS.index(example.label)] >> example.number & 1)


def svg_of(known: KnownFragments, title: str, note: str) -> str:
    """The picture of the first rules, one below the other, with a note at the end."""
    inside: list[Svg] = []
    y = _MARGIN
    numbers = range(len(known.titles))[:_RULES]
    most = _FEWER
    if len(numbers) == 1:
        most = _EXAMPLES
    for number in numbers:
        choice = known.choice(number)
        drawn, height = _choice(known, choice, most)
        inside.append(piece("g", *drawn, transform=f"translate({_MARGIN} {y})"))
        y += height + _MARGIN
    for line in filter(None, [note, more(len(numbers), len(known.titles), "rules")]):
        inside.append(words(_MARGIN, y + SMALL, line, fill=FAINT))
        y += 20
    return page(title, _WIDTH + 2 * _MARGIN, y + _MARGIN / 2, inside)


def _choice(known: KnownFragments, choice: FragmentChoice, most: int) -> tuple[list[Svg], float]:
    """The picture of one rule, and its height."""
    shown = [choice.fragments[number] for number in shown_fragments(choice)[:_MOST_LINES]]
    layout = laid_out(known, shown, _WIDTH, most)
    kept = intersection(choice.chosen, known.problem.positives, known.problem.negatives)
    drawn = [words(0, 12, cut(" ".join(choice.rules) or choice.title, _WIDTH), font_family="monospace")]
    if choice.chosen:
        positives = counted(known.problem.positives, "positive")
        negatives = "no negative"
        if kept[1]:
            negatives = f"{kept[1].bit_count():,} of {counted(known.problem.negatives, 'negative')}"
        said = f"keeps {kept[0].bit_count():,} of {positives} and {negatives}"
        if len(choice.chosen) > _MOST_LINES:
            said += f"; {_MOST_LINES} of its {len(choice.chosen):,} fragments are shown"
        drawn.append(words(0, 30, f"{choice.title}: {said}", fill=FAINT))
    inside = [*_titles(known, layout), *_lines(shown, layout, choice, kept)]
    inside += [_fragment(each, layout, number, choice) for number, each in enumerate(shown)]
    inside += [_example(known, row, layout, kept) for row in layout.right]
    drawn.append(piece("g", *inside, transform=f"translate(0 {_TITLE})"))
    return drawn, _TITLE + layout.height


def _titles(known: KnownFragments, layout: TwoColumns) -> Iterator[Svg]:
    """The titles above the examples of each label."""
    for label, y in layout.titles:
        said = title_of(known, layout, label)
        yield words(layout.end - 6, y + 4, said, fill=_COLOURS[label], font_weight=600)


def title_of(known: KnownFragments, layout: TwoColumns, label: Label) -> str:
    """How many examples of a label there are, and how many of them are shown."""
    shown = sum(row.example.label == label for row in layout.right)
    count = len(examples_of(known, label))
    all_of_them = counted(count, _NOUNS[label])
    if shown == count:
        return all_of_them
    return f"{shown:,} of {all_of_them}"


def _lines(
    shown: Sequence[Fragment], layout: TwoColumns, choice: FragmentChoice, kept: tuple[int, int]
) -> Iterator[Svg]:
    """The lines from fragments to examples, faint ones first, so that the others lie above them.

    All lines that look alike are one path, which keeps the picture small.
    """
    paths: dict[_Look, list[str]] = {}
    for fragment, left in zip(shown, layout.left, strict=True):
        belongs = fragment in choice.chosen
        for row in layout.right:
            if _covers(fragment, row.example):
                look = _look(row.example.label, belongs=belongs, inside=_is_kept(row.example, kept))
                paths.setdefault(look, []).append(_curve(layout, left.middle, row.y))
    for (colour, width, dashes), curves in sorted(paths.items(), key=lambda item: item[0][1]):
        yield piece(
            "path", d="".join(curves), fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes
        )


def _look(label: Label, *, belongs: bool, inside: bool) -> _Look:
    """How a line looks: faint and dashed unless its fragment `belongs` to the rule, and coloured if the example that it
    leads to is `inside` the rule's coverage.
    """
    if not belongs:
        return LINE, 1.0, "2 3"
    if not inside:
        return LINE, 1.0, None
    return _COLOURS[label], 1.4, None


def _curve(layout: TwoColumns, left: float, right: float) -> str:
    """A line from this height in the left column to that height in the right one, as a path of SVG."""
    middle = (layout.start + layout.end) / 2
    return f"M{layout.start} {left:.0f}C{middle:.0f} {left:.0f} {middle:.0f} {right:.0f} {layout.end} {right:.0f}"


def _fragment(fragment: Fragment, layout: TwoColumns, place: int, choice: FragmentChoice) -> Svg:
    """A fragment with its text and how many examples it covers."""
    left = layout.left[place]
    counts = f"+{fragment.pos.bit_count():,}  −{fragment.neg.bit_count():,}"
    colour, opacity = POSITIVE, None
    if fragment not in choice.chosen:
        counts += "   not in the rule"
        colour = LINE
        if choice.chosen:
            opacity = 0.7
    inside = []
    for number, line in enumerate(left.lines):
        y = left.y + LINE_HEIGHT * (number + 0.8)
        inside.append(words(12, y, line, font_family="monospace", font_size=11))
    y = left.y + LINE_HEIGHT * (len(left.lines) + 0.8)
    return named(
        brief(fragment.text),
        *inside,
        words(12, y, counts, font_size=SMALL, fill=FAINT),
        piece("rect", x=0, y=left.y, width=3, height=left.height, rx=1.5, fill=colour),
        piece("circle", cx=layout.start, cy=left.middle, r=3.5, fill=colour),
        opacity=opacity,
    )


def _example(known: KnownFragments, row: ExampleRow, layout: TwoColumns, kept: tuple[int, int]) -> Svg:
    """The sign and the name of an example; the sign is filled if the rule covers it."""
    example = row.example
    name = name_of(known, example.label, example.number)
    fill, opacity = _COLOURS[example.label], None
    if not _is_kept(example, kept):
        fill, opacity = "#fff", 0.75
    remark = error_of(known, example.label, example.number)
    if example.alike:
        remark += f" + {example.alike:,} alike"
    room = layout.width - layout.end - 12 - len(remark) * LETTER
    text = words(
        layout.end + 10, row.y + 4, f"{cut(name, room, 11)}{remark}", font_family="monospace", font_size=11
    )
    return named(brief(name), _example_sign(example.label, layout.end, row.y, fill), text, opacity=opacity)


def error_of(known: KnownFragments, label: Label, number: int) -> str:
    """A word about an example that the hypothesis gets wrong, to stand behind its name; empty for others."""
    if not known.errors[LABELS.index(label)] >> number & 1:
        return ""
    return _ERRORS[label]


def _example_sign(label: Label, x: float, y: float, fill: str) -> Svg:
    """The sign of an example: a circle for a positive one, a square for a negative one."""
    look: dict[str, object] = {"fill": fill, "stroke": _COLOURS[label], "stroke_width": 1.5}
    if label == "pos":
        return piece("circle", cx=x, cy=y, r=4.5, **look)
    return piece("rect", x=x - 4, y=y - 4, width=8, height=8, **look)


def dot_of(known: KnownFragments) -> str:
    """A graph for Graphviz: fragments and examples of each rule."""
    lines = [
        "digraph {",
        'rankdir=LR; ranksep=1.5; fontname=Helvetica; node [fontname=monospace, fontsize=10, color="#6b7280"];',
        'edge [arrowhead=none, color="#6b7280"];',
    ]
    for number in range(len(known.titles))[:_RULES]:
        lines += _cluster(known, known.choice(number), number)
    return "\n".join([*lines, "}"])


def _cluster(known: KnownFragments, choice: FragmentChoice, number: int) -> Iterator[str]:
    """The fragments and examples of one rule, in the language of Graphviz."""
    shown = [choice.fragments[each] for each in shown_fragments(choice)[:_MOST_LINES]]
    layout = laid_out(known, shown, _WIDTH, _FEWER)
    yield f'subgraph cluster_{number} {{ label={quoted(choice.title)}; color="#c9ced6";'
    yield "{ rank=same;"  # also those that nothing covers
    for row in layout.right:
        label, at = row.example.label, row.example.number
        shape = _GRAPHVIZ[label]
        name = quoted(brief(name_of(known, label, at)))
        yield f'e{number}_{label}_{at} [label={name}, shape={shape}, color="{_COLOURS[label]}"];'
    yield "}"
    for place, fragment in enumerate(shown):
        style = "dashed"
        if fragment in choice.chosen:
            style = "solid"
        yield f"f{number}_{place} [label={quoted(brief(fragment.text))}, shape=box, style=rounded];"
        for row in layout.right:
            if _covers(fragment, row.example):
                end = f"e{number}_{row.example.label}_{row.example.number}"
                yield f"f{number}_{place} -> {end} [style={style}];"
    yield "}"
