"""The static picture of conjunctions: fragments on the left, examples on the right, a line where one covers the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from joiner_magic.logic.render import render_literal, render_rule, render_term
from joiner_magic.questions.coverage.fragments import Fragment, FragmentChoice, KnownFragments
from joiner_magic.questions.coverage.minimality import intersection
from joiner_magic.task.notes import counted
from joiner_magic.views.coverage.two_columns import LETTER, ExampleRow, Label, TwoColumns, in_columns, telling
from joiner_magic.views.coverage.two_columns import LINE as LINE_HEIGHT
from joiner_magic.views.drawing import FAINT, LINE, SMALL, Svg, cut, named, page, piece, words
from joiner_magic.views.graphs import quoted
from joiner_magic.views.output import brief
from joiner_magic.views.palette import NEGATIVE, POSITIVE

_COLOURS: dict[Label, str] = {"pos": POSITIVE, "neg": NEGATIVE}
_NOUNS: dict[Label, str] = {"pos": "positive", "neg": "negative"}
_WIDTH, _MARGIN = 760.0, 16.0
_TITLE = 44.0  # the height of a rule's title
_ALTERNATIVES = 3  # fragments that are shown at least, if so many are known
_EXAMPLES, _FEWER = 30, 12  # that are shown with one rule, and with each of several
_RULES = 4  # in one picture
_MOST_LINES = 8  # fragments of a rule in a picture that nobody can scroll


def shown_fragments(choice: FragmentChoice, tried: Sequence[int] = ()) -> list[int]:
    """The numbers of fragments in a picture: those of the rule, those that are tried, and alternatives if these are few."""
    numbers = list(dict.fromkeys([*range(len(choice.chosen)), *tried]))
    rest = (number for number in range(len(choice.fragments)) if number not in numbers)
    return [*numbers, *(number for number, _ in zip(rest, range(_ALTERNATIVES - len(numbers)), strict=False))]


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
    examples = known.problem.task.examples
    return render_term((examples.pos if label == "pos" else examples.neg)[number])


def svg_of(known: KnownFragments, title: str, note: str) -> str:
    """The picture of the first rules, one below the other, with a note at the end."""
    inside: list[Svg] = []
    y = _MARGIN
    numbers = range(len(known.titles))[:_RULES]
    most = _EXAMPLES if len(numbers) == 1 else _FEWER
    for number in numbers:
        choice = known.choice(number)
        drawn, height = _choice(known, choice, most)
        inside.append(piece("g", *drawn, transform=f"translate({_MARGIN} {y})"))
        y += height + _MARGIN
    left = len(known.titles) - len(numbers)
    for line in [note, f"… and {left:,} more rules" if left else ""]:
        if line:
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
        said = f"keeps {kept[0].bit_count():,} of {positives} and no negative"
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
    count = known.problem.positives if label == "pos" else known.problem.negatives
    all_of_them = counted(count, _NOUNS[label])
    return f"{shown:,} of {all_of_them}" if shown < count else all_of_them


def _lines(
    shown: Sequence[Fragment], layout: TwoColumns, choice: FragmentChoice, kept: tuple[int, int]
) -> Iterator[Svg]:
    """The lines from fragments to examples, faint ones first, so that the others lie above them.

    All lines that look alike are one path, which keeps the picture small.
    """
    paths: dict[tuple[str, float, str | None], list[str]] = {}
    middle = (layout.start + layout.end) / 2
    for fragment, left in zip(shown, layout.left, strict=True):
        for row in layout.right:
            label, number = row.example.label, row.example.number
            side = label == "neg"
            if (fragment.neg if side else fragment.pos) >> number & 1:
                inside = bool(kept[side] >> number & 1)
                belongs = fragment in choice.chosen
                look = (
                    _COLOURS[label] if belongs and inside else LINE,
                    1.4 if belongs and inside else 1.0,
                    None if belongs else "2 3",
                )
                curve = f"M{layout.start} {left.middle:.0f}C{middle:.0f} {left.middle:.0f} {middle:.0f} {row.y:.0f} {layout.end} {row.y:.0f}"
                paths.setdefault(look, []).append(curve)
    for (colour, width, dashes), curves in sorted(paths.items(), key=lambda item: item[0][1]):
        yield piece(
            "path", d="".join(curves), fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes
        )


def _fragment(fragment: Fragment, layout: TwoColumns, number: int, choice: FragmentChoice) -> Svg:
    """A fragment with its text and how many examples it covers."""
    left = layout.left[number]
    belongs = fragment in choice.chosen
    lines = [
        words(12, left.y + LINE_HEIGHT * (line + 0.8), text, font_family="monospace", font_size=11)
        for line, text in enumerate(left.lines)
    ]
    counts = f"+{fragment.pos.bit_count():,}  −{fragment.neg.bit_count():,}" + (
        "" if belongs else "   not in the rule"
    )
    y = left.y + LINE_HEIGHT * (len(left.lines) + 0.8)
    return named(
        brief(fragment.text),
        *lines,
        words(12, y, counts, font_size=SMALL, fill=FAINT),
        piece("rect", x=0, y=left.y, width=3, height=left.height, rx=1.5, fill=POSITIVE if belongs else LINE),
        piece("circle", cx=layout.start, cy=left.middle, r=3.5, fill=POSITIVE if belongs else LINE),
        opacity=None if belongs or not choice.chosen else 0.7,
    )


def _example(known: KnownFragments, row: ExampleRow, layout: TwoColumns, kept: tuple[int, int]) -> Svg:
    """The sign and the name of an example; the sign is filled if the rule covers it."""
    label, number = row.example.label, row.example.number
    name = name_of(known, label, number)
    inside = bool(kept[label == "neg"] >> number & 1)
    colour = _COLOURS[label]
    look = {"fill": colour if inside else "#fff", "stroke": colour, "stroke_width": 1.5}
    sign = (
        piece("circle", cx=layout.end, cy=row.y, r=4.5, **look)
        if label == "pos"
        else piece("rect", x=layout.end - 4, y=row.y - 4, width=8, height=8, **look)
    )
    alike = f" + {row.example.alike:,} alike" if row.example.alike else ""
    room = layout.width - layout.end - 12 - len(alike) * LETTER
    text = words(
        layout.end + 10, row.y + 4, f"{cut(name, room, 11)}{alike}", font_family="monospace", font_size=11
    )
    return named(brief(name), sign, text, opacity=None if inside else 0.75)


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
        shape = "ellipse" if label == "pos" else "box"
        name = quoted(brief(name_of(known, label, at)))
        yield f'e{number}_{label}_{at} [label={name}, shape={shape}, color="{_COLOURS[label]}"];'
    yield "}"
    for place, fragment in enumerate(shown):
        style = "solid" if fragment in choice.chosen else "dashed"
        yield f"f{number}_{place} [label={quoted(brief(fragment.text))}, shape=box, style=rounded];"
        for row in layout.right:
            label, at = row.example.label, row.example.number
            if (fragment.pos if label == "pos" else fragment.neg) >> at & 1:
                yield f"f{number}_{place} -> e{number}_{label}_{at} [style={style}];"
    yield "}"
