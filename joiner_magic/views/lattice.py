"""The lattice of a run."""

from __future__ import annotations

from typing import ClassVar

from joiner_magic.sessions.lattice import Lattice
from joiner_magic.views.drawing import page, words
from joiner_magic.views.graphs import quoted
from joiner_magic.views.markup import Html, block
from joiner_magic.views.view import Scene, View


class LatticeView(View):
    name: ClassVar[str] = "lattice"
    title: ClassVar[str] = "Hypothesis lattice"

    def scene(self) -> Scene:
        return {"text": self.to_text()}

    def to_svg(self) -> str:
        return page(self.title, 400, 40, [words(8, 24, self.to_text().split("\n")[0])])

    def to_dot(self) -> str:
        return f"digraph {{ {quoted(self.to_text())} }}"

    def to_text(self) -> str:
        return str(Lattice.of(self.run))

    def to_table(self) -> Html:
        return block(self.to_text())
