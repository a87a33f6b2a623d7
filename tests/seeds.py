"""Seeds of random families: one that never changes, and one that is new in every run.

The new one is printed in the header of the tests; `JOINER_SEED=NUMBER` repeats a run with it. `JOINER_SEEDS=fixed` or
`JOINER_SEEDS=new` tries one of them alone: CI runs the tests on two Pythons, and gives each seed to one.
"""

from __future__ import annotations

import os
import secrets

FIXED = 20261117
# In the environment it is the same for every process of a run.
NEW = int(os.environ.setdefault("JOINER_SEED", str(secrets.randbelow(10**9))))
SEEDS = {"fixed": [FIXED], "new": [NEW], "both": [FIXED, NEW]}[os.environ.get("JOINER_SEEDS", "both")]
