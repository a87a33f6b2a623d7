"""The coverage of a run."""

from __future__ import annotations

from typing import ClassVar

from joiner_magic.sessions.coverage import CoverageMatrix
from joiner_magic.views.drawing import page, words
from joiner_magic.views.graphs import quoted
from joiner_magic.views.markup import Html, block
from joiner_magic.views.view import Scene, View


class CoverageView(View):
    name: ClassVar[str] = "coverage"
    title: ClassVar[str] = "Conjunction coverage"

    def scene(self) -> Scene:
        return {"text": self.to_text()}

    def to_svg(self) -> str:
        return page(self.title, 400, 40, [words(8, 24, self.to_text().split("\n")[0])])

    def to_dot(self) -> str:
        return f"digraph {{ {quoted(self.to_text())} }}"

    def to_text(self) -> str:
        return str(CoverageMatrix.of(self.run.result)) if self.run.result else "nothing found yet"

    def to_table(self) -> Html:
        return block(self.to_text())
