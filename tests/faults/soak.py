"""A session of hundreds of edits in a real kernel, and what the kernel holds on to.

    python tests/faults/soak.py [--edits N] [--seed N] [--no-prolog] [--json FILE] [--plot FILE.svg]

A person goes through the cells of one notebook again and again: edits facts, examples and bias, learns, opens views, asks for
explanations, makes mistakes, learns with the Prolog engine, interrupts, works in the background, saves and loads. Memory, threads, open
files and child processes of the kernel are measured every few edits, always at the same point: behind a run of the
embedded engine. They must not grow with the number of edits. What IPython itself keeps of every cell, its value in `Out` and
its output in the history, is the host's: a cell empties both before each measurement.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from faults.driven_kernel import DrivenKernel, Message, Ran, driven_kernel
from joiner_magic.views.all import VIEWS
from joiner_magic.views.drawing import FAINT, LINE, SMALL, Svg, page, piece, words

EVERY = 10  # edits between two measurements
EMPTY = "get_ipython().displayhook.flush(); getattr(get_ipython().history_manager, 'outputs', {}).clear()"
SCENES = 16
LONG = "--source asp --no-join --max-vars 6 --max-body 10 --fresh"  # minutes, if nobody interrupts


@dataclass(frozen=True, slots=True)
class Sample:
    """What the kernel holds after so many edits."""

    edits: int
    seconds: float
    megabytes: float
    threads: int
    descriptors: int
    children: int

    @classmethod
    def of(cls, kernel: DrivenKernel, edits: int, began: float) -> Sample:
        process = kernel.process
        return cls(
            edits,
            round(time.monotonic() - began, 1),
            round(process.memory_info().rss / 2**20, 1),
            process.num_threads(),
            process.num_fds(),
            len(process.children(recursive=True)),
        )


class Person:
    """Somebody at a notebook: the texts of the cells, and what is done with them."""

    def __init__(self, kernel: DrivenKernel, seed: int, files: Path, *, prolog: bool) -> None:
        self._kernel = kernel
        self._random = Random(seed)
        self._files = files
        self._prolog = prolog
        self._scenes = [self._scene(number) for number in range(SCENES)]
        self._labels = ["pos" if number % 2 else "neg" for number in range(SCENES)]
        self._bounds = {"max_vars": 3, "max_body": 2}

    def begin(self) -> None:
        """The notebook from top to bottom."""
        self._good("%load_ext joiner_magic", "load")
        for say in (self._say_facts, self._say_examples, self._say_bias):
            say()
        self.learn()

    def edit(self, number: int) -> None:
        """Change one cell, learn again, and do now and then what else people do."""
        self._random.choice([self._edit_facts, self._edit_examples, self._edit_bias])()
        for every, offset, action in self._habits():
            if number % every == offset:
                action(number)
        self.learn()

    def learn(self) -> None:
        """With the embedded engine, to the end; one tab of the panel is looked at."""
        self._look(self._good("%%joiner --timeout 5\n", "learn"), self._random.choice(list(VIEWS)))

    def _habits(self) -> Iterator[tuple[int, int, Callable[[int], None]]]:
        yield 5, 1, self._show
        yield 7, 3, self._explain
        yield 10, 4, self._err
        yield 25, 12, self._interrupt
        yield 25, 20, self._work_in_the_background
        yield 50, 30, self._file
        if self._prolog:
            yield 20, 6, self._learn_in_prolog

    # What is said

    def _scene(self, number: int) -> str:
        facts = []
        for piece_number in range(self._random.randint(1, 3)):
            name = f"p{number}_{piece_number}"
            colour = self._random.choice(["red", "blue", "green"])
            size = self._random.choice(["small", "large"])
            facts.append(f"piece(s{number},{name}). {colour}({name}). {size}({name}).")
            if piece_number:
                facts.append(f"contact(p{number}_{piece_number - 1},{name}).")
        return " ".join(facts)

    def _say_facts(self) -> None:
        self._good("%%bk\n" + "\n".join(self._scenes), "facts")

    def _say_examples(self) -> None:
        labels = (f"{label}(zendo(s{number}))." for number, label in enumerate(self._labels))
        self._good("%%examples\n" + "\n".join(labels), "examples")

    def _say_bias(self) -> None:
        bounds = " ".join(f"{name}({value})." for name, value in self._bounds.items())
        self._good(f"%%bias\n{bounds}", "bias")

    def _edit_facts(self) -> None:
        number = self._random.randrange(SCENES)
        self._scenes[number] = self._scene(number)
        self._say_facts()

    def _edit_examples(self) -> None:
        number = self._random.randrange(2, SCENES)  # one of each label stays
        self._labels[number] = "neg" if self._labels[number] == "pos" else "pos"
        self._say_examples()

    def _edit_bias(self) -> None:
        name = self._random.choice(list(self._bounds))
        self._bounds[name] = 5 - self._bounds[name]  # 2 or 3
        self._say_bias()

    # What is done

    def _show(self, number: int) -> None:
        view = list(VIEWS)[number // 5 % len(VIEWS)]
        self._look(self._good(f"%joiner show {view}", "show"), view)

    def _explain(self, number: int) -> None:
        self._kernel.run(
            f"%joiner explain zendo(s{number % SCENES})", "explain"
        )  # an error where there is no rule
        self._good("%joiner compare", "compare")

    def _err(self, number: int) -> None:
        assert self._kernel.run(f"%%bk\np({number}", "slip").status == "error"
        assert self._kernel.run(f"%joiner lern {number}", "slip").status == "error"

    def _learn_in_prolog(self, number: int) -> None:
        self._look(
            self._good("%%joiner --engine prolog --timeout 5\nmax_body(2).", "learn in Prolog"), "lattice"
        )
        self._look(self._good("%joiner show lattice", "show"), "lattice")

    def _interrupt(self, number: int) -> None:
        told = False

        def once_it_runs(message: Message) -> None:
            nonlocal told
            if not told and message["msg_type"] == "display_data":
                told = True
                self._kernel.interrupt()

        self._kernel.run(f"%joiner learn {LONG}", "long", once_it_runs)  # with or without a result
        assert told

    def _work_in_the_background(self, number: int) -> None:
        self._good(f"%joiner learn {LONG} --background", "long")
        self._good("%joiner stop", "stop")
        self._good("import time\nfrom joiner_magic.sessions.current import current", "wait")
        self._good("while current().running: time.sleep(0.01)", "wait")

    def _file(self, number: int) -> None:
        file = self._files / "session.json"
        self._good(f"%joiner save {file}", "save")
        self._good(f"%joiner load {file}", "load a file")
        for say in (self._say_facts, self._say_examples, self._say_bias):
            say()

    def _look(self, ran: Ran, view: str) -> None:
        """Open a tab, if there is a panel: the browser asks for what it is to draw."""
        assert ran.panel is not None
        answer = self._kernel.ask(ran.panel, view, "scene")
        assert answer is not None
        assert "answer" in answer, answer

    def _good(self, text: str, cell: str) -> Ran:
        ran = self._kernel.run(text, cell)
        assert ran.status == "ok", (text, [m["content"] for m in ran.messages if m["msg_type"] == "error"])
        return ran


def soak(
    edits: int, seed: int, *, prolog: bool, tell: Callable[[Sample], None] = lambda _: None
) -> list[Sample]:
    """The samples of a session of so many edits."""
    samples = []
    with driven_kernel() as kernel, tempfile.TemporaryDirectory() as files:
        person = Person(kernel, seed, Path(files), prolog=prolog)
        person.begin()
        began = time.monotonic()
        for number in range(1, edits + 1):
            person.edit(number)
            if number % EVERY == 0:
                kernel.run(EMPTY, "empty")
                samples.append(Sample.of(kernel, number, began))
                tell(samples[-1])
    return samples


@dataclass(frozen=True, slots=True)
class Trend:
    """Medians of a quantity, over the second quarter of a session and over the last."""

    name: str
    early: float
    late: float

    @property
    def growth(self) -> float:
        return self.late - self.early

    def __str__(self) -> str:
        return f"{self.name}: {self.early:g} early, {self.late:g} late, {self.growth:+g}"


QUANTITIES = {
    "megabytes": "memory (MB)",
    "threads": "threads",
    "descriptors": "open files",
    "children": "child processes",
}


def trends(samples: Sequence[Sample]) -> dict[str, Trend]:
    """By quantity; the first quarter is left out, in which caches fill."""
    quarter = len(samples) // 4
    early, late = samples[quarter : 2 * quarter], samples[-quarter:]
    return {
        name: Trend(words, *(median(getattr(sample, name) for sample in part) for part in (early, late)))
        for name, words in QUANTITIES.items()
    }


# The plot

WIDTH, HEIGHT = 360, 200  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 34, 38  # around its axes


def plot(samples: Sequence[Sample]) -> str:
    """A panel for each quantity, from 0 on so that what is flat looks flat."""
    panels = [
        piece("g", *_panel(samples, name), transform=f"translate({i % 2 * WIDTH} {i // 2 * HEIGHT})")
        for i, name in enumerate(QUANTITIES)
    ]
    title = f"What a kernel holds during {samples[-1].edits} edits of a session"
    return page(title, 2 * WIDTH, 2 * HEIGHT, panels)


def _panel(samples: Sequence[Sample], name: str) -> Iterator[Svg]:
    values = [float(getattr(sample, name)) for sample in samples]
    top, last = max(*values, 1) * 1.1, samples[-1].edits
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    base = HEIGHT - BOTTOM
    yield words(WIDTH / 2, 18, QUANTITIES[name], text_anchor="middle", font_weight="bold")
    for value in (0, round(max(values))):
        y = base - value / top * height
        yield piece("path", d=f"M{LEFT} {y:.1f}H{WIDTH - RIGHT}", stroke=LINE)
        yield words(LEFT - 6, y + 4, value, text_anchor="end", fill=FAINT, font_size=SMALL)
    for edits in (0, last):
        x = LEFT + edits / last * width
        yield words(x, base + 14, edits, text_anchor="middle", fill=FAINT, font_size=SMALL)
    yield words(WIDTH / 2, HEIGHT - 8, "edits", text_anchor="middle")
    points = zip((sample.edits for sample in samples), values, strict=True)
    path = " ".join(f"{LEFT + x / last * width:.1f},{base - y / top * height:.1f}" for x, y in points)
    yield piece("polyline", points=path, fill="none", stroke="#0072b2", stroke_width=1.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-prolog", action="store_true", help="without SWI-Prolog")
    parser.add_argument("--json", type=Path, help="a file for the samples")
    parser.add_argument("--plot", type=Path, help="an SVG file to write")
    arguments = parser.parse_args()
    if arguments.edits < 8 * EVERY:
        parser.error(f"fewer than {8 * EVERY} edits show no trend")
    samples = soak(
        arguments.edits,
        arguments.seed,
        prolog=not arguments.no_prolog,
        tell=lambda sample: print(sample, flush=True),
    )
    for trend in trends(samples).values():
        print(trend)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(sample) for sample in samples], indent=1))
    if arguments.plot:
        arguments.plot.write_text(plot(samples), encoding="utf-8")


if __name__ == "__main__":
    main()
