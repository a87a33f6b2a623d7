"""A task that keeps the learner busy: a rule for some of the examples in a moment, one for all takes minutes."""

from __future__ import annotations

_PROPERTIES = "abcdefghijkl"
_THINGS = [
    f"has(s{state},o{state}_{thing}). next(o{state}_{thing},o{state}_{(thing + 1) % 5}). "
    + " ".join(
        f"{name}(o{state}_{thing})."
        for number, name in enumerate(_PROPERTIES)
        if (state * 7 + thing * 5 + number * 3) % 11 < 5
    )
    for state in range(24)
    for thing in range(5)
]
FACTS = "\n".join([*_THINGS, "lucky(o1_0). lucky(o3_0). lucky(o5_0)."])
LABELS = "\n".join(f"{'pos' if state % 2 else 'neg'}(good(s{state}))." for state in range(24))
BIAS = "max_vars(6). max_body(8). allow_singletons."
