"""How long it takes to learn again after one more example, against the first run.

Each time one example is left out, the rest is learnt, the example is added and the task is learnt again. On the
whole tasks the solution most often is right about it. So the same is done with samples of the examples, adding one that
the solution is wrong about: then there is no way around a new search.

    python tests/benchmarks/incremental.py [--repeat N] [TASK ...]

Times are the learner's own (`result.seconds`); both runs of a ratio are made one after the other.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from conftest import TASKS
from joiner_magic.logic.render import render_term
from joiner_magic.search.outcome.result import Result
from joiner_magic.sessions.session import Session

_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Labelled:
    label: str
    atom: str

    def __str__(self) -> str:
        return f"{self.label}({self.atom})."


@dataclass(frozen=True, slots=True)
class Measured:
    first: Result
    again: Result
    scratch: Result

    @property
    def ratio(self) -> float:
        return self.again.seconds / self.first.seconds


def examples_of(folder: Path) -> list[Labelled]:
    session = Session()
    session.import_task(folder)
    examples = session.task().examples
    labelled = (("pos", examples.pos), ("neg", examples.neg))
    return [Labelled(label, render_term(atom)) for label, atoms in labelled for atom in atoms]


def with_examples(folder: Path, examples: list[Labelled]) -> Session:
    session = Session()
    session.import_task(folder)
    session.reset("test")
    session.say("examples", "\n".join(map(str, examples)), replace=True)
    return session


def measured(session: Session, first: Result, added: Labelled) -> Measured:
    session.examples(str(added))
    again = session.learn(timeout=_TIMEOUT)
    scratch = session.learn(timeout=_TIMEOUT, fresh=True)
    assert (again.status, again.size) == (scratch.status, scratch.size), "the answer must be the same"
    return Measured(first, again, scratch)


def one_left_out(folder: Path, rng: Random, repeat: int) -> Iterator[Measured]:
    everything = examples_of(folder)
    for left_out in rng.sample(everything, repeat):
        session = with_examples(folder, [example for example in everything if example != left_out])
        yield measured(session, session.learn(timeout=_TIMEOUT), left_out)


def one_refuting(folder: Path, rng: Random, repeat: int) -> Iterator[Measured]:
    """Samples of 15 and 15 examples, and one more that the solution of these is wrong about."""
    everything = examples_of(folder)
    for _ in range(repeat):
        sample = [
            example
            for label in ("pos", "neg")
            for example in rng.sample([e for e in everything if e.label == label], 15)
        ]
        session = with_examples(folder, sample)
        first = session.learn(timeout=_TIMEOUT)
        said = first.predict([example.atom for example in everything])
        wrong = [e for e, covered in zip(everything, said, strict=True) if covered != (e.label == "pos")]
        if wrong:
            yield measured(session, first, rng.choice(wrong))


def line(name: str, kind: str, found: list[Measured]) -> str:
    if not found:
        return f"{name:<14} {kind:<18} no such example"
    ratios = [one.ratio for one in found]
    unsearched = sum("nothing was searched" in one.again.reused for one in found)
    return (
        f"{name:<14} {kind:<18} {median(one.first.seconds for one in found):>8.3f}"
        f" {median(one.again.seconds for one in found):>8.3f} {median(one.scratch.seconds for one in found):>9.3f}"
        f" {median(ratios):>8.3f} {max(ratios):>8.3f} {unsearched:>6} of {len(found)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn again after one more example.")
    parser.add_argument("tasks", nargs="*", default=["zendo3", "iggp-coins"])
    parser.add_argument("--repeat", type=int, default=10)
    arguments = parser.parse_args()
    print("seconds, medians; ratio is again / first")
    print(
        f"{'task':<14} {'added':<18} {'first':>8} {'again':>8} {'scratch':>9} {'ratio':>8} {'worst':>8}  unsearched"
    )
    for name in arguments.tasks:
        rng = Random(1)
        for kind, measure in (("one left out", one_left_out), ("one that refutes", one_refuting)):
            print(line(name, kind, list(measure(TASKS / name, rng, arguments.repeat))), flush=True)


if __name__ == "__main__":
    main()
