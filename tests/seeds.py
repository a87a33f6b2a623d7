"""Seeds of random families: one that never changes, and one that is new in every run.

The new one is printed in the header of the tests; `JOINER_SEED=NUMBER` repeats a run with it.
"""

from __future__ import annotations

import os
import secrets

FIXED = 20261117
# In the environment it is the same for every process of a run.
NEW = int(os.environ.setdefault("JOINER_SEED", str(secrets.randbelow(10**9))))
