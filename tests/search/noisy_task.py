"""A small task with wrong labels, for tests of what is said and shown of learning where errors have a price."""

from __future__ import annotations

from joiner_magic.task.task import Task, read_task

BACKGROUND = """
wet(d1). warm(d1).    wet(d2). warm(d2).    wet(d3). warm(d3).    wet(d4). warm(d4).
wet(d5). warm(d5).    wet(d6). warm(d6).    wet(d7). warm(d7).    wet(d8). warm(d8).
wet(d9). cold(d9).    wet(d10). cold(d10).  wet(d11). cold(d11).  dry(d12). warm(d12).
dry(d13). warm(d13).  dry(d14). warm(d14).  dry(d15). cold(d15).  dry(d16). cold(d16).
"""
# Things grow where it is wet and warm; the labels of d8 and d16 are wrong.
EXAMPLES = """
pos(grows(d1)). pos(grows(d2)). pos(grows(d3)). pos(grows(d4)). pos(grows(d5)). pos(grows(d6)). pos(grows(d7)).
neg(grows(d8)).
neg(grows(d9)). neg(grows(d10)). neg(grows(d11)). neg(grows(d12)). neg(grows(d13)). neg(grows(d14)). neg(grows(d15)).
pos(grows(d16)).
"""
RULE = "grows(A) :- wet(A), warm(A)."


def noisy_task() -> Task:
    """The task, without a word about noise in its bias."""
    return read_task(BACKGROUND, EXAMPLES)
