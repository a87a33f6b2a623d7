"""What came of interrupts, one by one and in all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

LOST = 20.0  # seconds after which an interrupt counts as lost


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one interrupt."""

    call: str
    moment: float  # seconds into the call
    seconds: float | None  # from the signal to the call's return; None if the call was over before
    outcome: str
    status: str = ""
    fault: str = ""  # what is wrong

    def __str__(self) -> str:
        after = "over before" if self.seconds is None else f"{self.seconds:.3f} s"
        return f"{self.call:20} at {self.moment:5.2f} s: {after:11} {self.outcome} {self.status} {self.fault}"


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def report(outcomes: Sequence[Outcome]) -> str:
    by_call: dict[str, list[float]] = defaultdict(list)
    for one in outcomes:
        if one.seconds is not None:
            by_call[one.call].append(one.seconds)
    lines = [f"{'call':20} {'number':>6} {'median':>7} {'worst':>7}"]
    for call, seconds in by_call.items():
        lines.append(f"{call:20} {len(seconds):6} {quantile(seconds, 0.5):7.3f} {max(seconds):7.3f}")
    every = [seconds for those in by_call.values() for seconds in those]
    late = sum(seconds > 1 for seconds in every)
    lines += [
        "",
        f"{len(outcomes)} interrupts, {len(every)} of them while the call was at work:",
        f"median {quantile(every, 0.5):.3f} s, 99th percentile {quantile(every, 0.99):.3f} s, worst {max(every):.3f} s;",
        f"{late} took more than a second",
        *(f"FAULT {one}" for one in outcomes if one.fault),
    ]
    return "\n".join(lines)
