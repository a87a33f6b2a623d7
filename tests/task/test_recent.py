"""What was worked out a moment ago is kept: the latest few, and never more than may be."""

from __future__ import annotations

from joiner_magic.task.recent import RecentValues


def kept(most: int, heaviest: int = 100) -> RecentValues[str, str]:
    return RecentValues(most, lambda key, value: len(key) + len(value), heaviest)


def test_the_oldest_goes_first() -> None:
    values = kept(2)
    values.keep("a", "1")
    values.keep("b", "2")
    assert values.find("a") == "1"  # now the latest
    values.keep("c", "3")
    assert (values.find("a"), values.find("b"), values.find("c")) == ("1", None, "3")


def test_heavy_values_make_room_for_each_other_but_the_latest_stays() -> None:
    values = kept(10, heaviest=10)
    values.keep("a", "1234")
    values.keep("b", "1234")
    assert len(values) == 2
    values.keep("c", "x" * 1_000)
    assert (len(values), values.find("c")) == (1, "x" * 1_000)
    values.keep("d", "1")
    assert (values.find("c"), values.find("d")) == (None, "1")


def test_the_same_key_is_kept_once() -> None:
    values = kept(2)
    values.keep("a", "1")
    values.keep("a", "2")
    assert (len(values), values.find("a")) == (1, "2")
