"""Ids of nodes in the lattice."""

from __future__ import annotations

import pytest

from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.search.fate import Fate


def test_an_id_says_what_it_names() -> None:
    recorded, evaluated, stub = NodeId.recorded(7), NodeId.evaluated(3), NodeId.stub(7, Fate.COVERS_NOTHING)
    assert (recorded.is_recorded, recorded.is_evaluated, recorded.is_stub) == (True, False, False)
    assert (evaluated.is_recorded, evaluated.is_evaluated, evaluated.is_stub) == (False, True, False)
    assert (stub.is_recorded, stub.is_evaluated, stub.is_stub) == (False, False, True)
    assert (recorded.number, evaluated.number, stub.number) == (7, 3, 7)
    assert stub.cut_kind == "covers nothing"


@pytest.mark.parametrize(
    "key", [NodeId.recorded(0), NodeId.evaluated(12), NodeId.stub(123456789, Fate.TOO_LARGE)]
)
def test_an_id_is_read_back_from_its_text(key: NodeId) -> None:
    assert NodeId.parse(str(key)) == key


@pytest.mark.parametrize(
    "text", ["", "r", "x1", "r-1", "r1; drop", "s0", "s0:", "s0:x", "r0:x", "r²", "r" + "1" * 5_000]
)
def test_other_texts_are_no_ids(text: str) -> None:
    assert NodeId.parse(text) is None
