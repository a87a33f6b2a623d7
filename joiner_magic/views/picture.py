"""A picture as a value: a cell that ends with it shows it, and it stays where its notebook is exported."""

from __future__ import annotations

from dataclasses import dataclass

from joiner_magic.views.markup import box, image


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as SVG, with a text for those who do not see it.

    It is made of text alone, so that it can be stored in a notebook and compared in a test.
    """

    svg: str
    text: str  # the same in words

    def __str__(self) -> str:
        """The picture in words, for a terminal."""
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The picture and its words, as IPython asks for them at the end of a cell."""
        return {"text/plain": self.text, "text/html": box(image(self.svg, self.text))}
