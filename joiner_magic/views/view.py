"""What every view of a run can do: a picture, a table and a text, and answers to what a browser asks.

Python lays out everything that a view shows, and the browser only draws it. So a view can be tested, saved to a file
and shown in a terminal without any browser.

A view declares all there is to know about it in its class: its name, its title, the questions that a browser may ask,
and when it is drawn for the static twin. `views/all.py` lists the views, and everything else is derived from that list.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

from joiner_magic.errors import CommandError
from joiner_magic.files import write_file
from joiner_magic.solvers.signals import interruptible
from joiner_magic.views.graphs import rendered
from joiner_magic.views.markup import Html, box, image, quiet, text
from joiner_magic.views.selection import SelectedItems, selection_of

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

Scene: TypeAlias = dict[str, Any]  # what a browser is to draw, in values that JSON can hold

# By the ending of a file's name: the method that makes its text, or formats that Graphviz draws.
_TEXTS = {".svg": "to_svg", ".html": "to_html", ".dot": "to_dot", ".gv": "to_dot", ".txt": "to_text"}
_RENDERED = (".png", ".pdf")
_MOST_BYTES = 100_000  # of a view as HTML
_MAY_TAKE_LONG = ("scene", "to_svg", "to_dot", "to_text", "to_table")


class View(ABC):
    """A run from one side: as a picture, a table and a text."""

    name: ClassVar[str]  # in commands such as `%joiner show NAME`, and in the browser's list of views
    title: ClassVar[str]  # above the picture and in tabs
    questions: ClassVar[frozenset[str]] = frozenset()  # methods that a browser may call; each returns a scene
    twin_order: ClassVar[int]  # when it is drawn for the static twin: the lowest first, while there is time

    def __init_subclass__(cls) -> None:
        """Make every method of a view that may take long interruptible."""
        super().__init_subclass__()
        for name in (*_MAY_TAKE_LONG, *cls.questions):
            if name in cls.__dict__:
                setattr(cls, name, interruptible(cls.__dict__[name]))

    def __init__(self, run: Run) -> None:
        """A view of this run. It shares its selection with all other views of the run."""
        self.run = run
        self.selection = selection_of(run)

    @property
    def selected(self) -> SelectedItems:
        """The rules and examples that are selected in the views of this run."""
        return self.selection.now

    def select(self, rules: Iterable[str] | None = None, examples: Iterable[str] | None = None) -> None:
        """Select rules and examples, in all views of this run.

        Rules are given as texts. What is None stays as it is.
        """
        self.selection.choose(rules, examples)

    @abstractmethod
    def scene(self) -> Scene:
        """What a browser draws when the view is opened."""

    @interruptible
    def answer(self, question: object, arguments: object) -> Scene:
        """The answer to a question that a browser has asked.

        Raises CommandError for a question that this view does not answer, or with arguments that it does not take.
        """
        if question == "scene":
            return self.scene()
        if not isinstance(question, str) or question not in self.questions:
            raise CommandError(f"the {self.name} view cannot answer {question!r}")
        method = getattr(self, question)
        try:
            bound = signature(method).bind(**cast("Mapping[str, Any]", arguments))
        except TypeError as error:
            raise CommandError(f"the {self.name} view cannot answer {question}: {error}") from None
        scene: Scene = method(*bound.args, **bound.kwargs)
        return scene

    @abstractmethod
    def to_svg(self) -> str:
        """The picture as SVG, which needs no other file."""

    @abstractmethod
    def to_dot(self) -> str:
        """The graph in the language of Graphviz."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """The picture in a sentence, for those who do not see it."""

    @interruptible
    def to_image(self) -> Html:
        """The picture as an element, with its summary."""
        return image(self.to_svg(), f"{self.title} of {self.run.name}: {self.summary}")

    @abstractmethod
    def to_text(self) -> str:
        """The view as a text, for a terminal."""

    @abstractmethod
    def to_table(self) -> Html:
        """The numbers, for those who do not see the picture."""

    @interruptible
    def to_html(self) -> str:
        """Picture and table; it needs no script and stays readable when its notebook is exported."""
        picture = self.to_image()
        whole = box(picture, self.to_table())
        if len(whole.encode()) <= _MOST_BYTES:
            return whole
        return box(picture, quiet(text("the numbers are too many to be stored; %joiner show has them")))

    def save(self, path: str | PathLike[str]) -> None:
        """As SVG, HTML, DOT or text, by the name's ending; PNG and PDF are drawn by Graphviz."""
        path = Path(path)
        ending = path.suffix.lower()
        if ending in _TEXTS:
            write_file(path, getattr(self, _TEXTS[ending])())
        elif ending in _RENDERED:
            write_file(path, rendered(self.to_dot(), ending[1:]))
        else:
            endings = ", ".join([*_TEXTS, *_RENDERED])
            raise CommandError(
                f"no view can be saved as {path.name}", remedy=f"its name ends in one of {endings}"
            )

    def __str__(self) -> str:
        """The view as a text, for a terminal."""
        return self.to_text()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The view as text and as HTML, as IPython asks for it at the end of a cell."""
        return {"text/plain": self.to_text(), "text/html": self.to_html()}
