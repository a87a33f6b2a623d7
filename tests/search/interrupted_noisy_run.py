"""A process to be interrupted while it learns with prices: it says when it is inside the work that its argument names.

It prints "inside" when the interrupt may come, and then, as JSON, what the run gave and when.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

from joiner_magic import learn
from joiner_magic.search.running.events import Event, Improved
from joiner_magic.search.stages.parts import Part
from joiner_magic.search.stages.priced_rules import PricedRules
from joiner_magic.solvers.interrupt import Stop
from search.noisy_zendo import hard_closure, hard_linear_program, hard_local_search, noisy_zendo

WORK = {
    "linear program": hard_linear_program,
    "closure": hard_closure,
    "local search": hard_local_search,
}


def main(name: str) -> None:
    """Learn; once there is a hypothesis, the next proof is hard work of this kind."""
    solved = threading.Event()
    usual = PricedRules.prove

    def listen(event: Event) -> None:
        if isinstance(event, Improved) and event.solution:
            solved.set()

    def prove(self: PricedRules, best: int, stop: Stop, **options: Any) -> list[Part] | None:
        if not solved.is_set():
            return usual(self, best, stop, **options)
        print("inside", flush=True)
        WORK[name](stop)
        return None

    PricedRules.prove = prove  # type: ignore[method-assign]
    result = learn(noisy_zendo(), noise=True, advise=False, listeners=[listen])
    print(json.dumps({"at": time.time(), "status": result.status, "why": result.why, "rules": result.rules}))


if __name__ == "__main__":
    main(*sys.argv[1:])
