"""The layered layout, on random graphs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from joiner_magic.views.lattice.ranks import Box, Layout, laid_out

WIDTH = 400.0


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Box], list[tuple[str, str]]]:
    """Boxes in ranks that need not be neighbours, and links from smaller to larger ranks."""
    ranks = draw(st.lists(st.integers(2, 9), min_size=1, max_size=40))
    boxes = [
        Box(
            f"n{number}",
            rank,
            draw(st.sampled_from([20.0, 60.0, 150.0])),
            draw(st.sampled_from([20.0, 40.0])),
        )
        for number, rank in enumerate(ranks)
    ]
    possible = [(one.id, other.id) for one in boxes for other in boxes if one.rank < other.rank]
    links = draw(st.lists(st.sampled_from(possible), unique=True, max_size=80)) if possible else []
    return boxes, links


def overlap(one: Box, other: Box, layout: Layout) -> bool:
    at, there = layout.spots[one.id], layout.spots[other.id]
    apart = abs(at.x - there.x) >= (one.width + other.width) / 2 - 1e-6
    below = at.y >= there.y + other.height - 1e-6 or there.y >= at.y + one.height - 1e-6
    return not apart and not below


@given(graphs())
def test_no_two_boxes_overlap_and_all_are_on_the_page(
    graph: tuple[list[Box], list[tuple[str, str]]],
) -> None:
    boxes, links = graph
    layout = laid_out(boxes, links, WIDTH)
    assert layout.spots.keys() == {box.id for box in boxes}
    for number, box in enumerate(boxes):
        spot = layout.spots[box.id]
        assert spot.x - box.width / 2 >= -1e-6
        assert spot.x + box.width / 2 <= layout.width + 1e-6
        assert spot.y >= 0
        assert spot.y + box.height <= layout.height + 1e-6
        assert not any(overlap(box, other, layout) for other in boxes[:number])


@given(graphs())
def test_larger_ranks_stand_below_smaller_ones(graph: tuple[list[Box], list[tuple[str, str]]]) -> None:
    boxes, links = graph
    layout = laid_out(boxes, links, WIDTH)
    assert [band.rank for band in layout.bands] == sorted({box.rank for box in boxes})
    for band, after in zip(layout.bands, layout.bands[1:], strict=False):
        assert band.top + band.height < after.top
    band_of = {band.rank: band for band in layout.bands}
    for box in boxes:
        band = band_of[box.rank]
        assert band.top <= layout.spots[box.id].y
        assert layout.spots[box.id].y + box.height <= band.top + band.height + 1e-6


@given(graphs(), st.data())
def test_what_is_laid_out_keeps_its_order_when_something_is_added(
    graph: tuple[list[Box], list[tuple[str, str]]], data: st.DataObject
) -> None:
    boxes, links = graph
    known = {box.id for box in boxes if data.draw(st.booleans())}
    before = laid_out(
        [box for box in boxes if box.id in known], [link for link in links if known.issuperset(link)], WIDTH
    )
    after = laid_out(boxes, links, WIDTH, before.orders)
    for rank, order in before.orders.items():
        assert [key for key in after.orders[rank] if key in known] == list(order)


@given(graphs())
def test_the_same_graph_looks_the_same(graph: tuple[list[Box], list[tuple[str, str]]]) -> None:
    boxes, links = graph
    layout = laid_out(boxes, links, WIDTH)
    assert laid_out(boxes, links, WIDTH) == layout
    assert laid_out(boxes, links, WIDTH, layout.orders).orders == layout.orders


def test_children_stand_below_their_parents() -> None:
    """Two families, given in turn, are told apart; each child is right below its parent."""
    boxes = [Box(name, rank, 20, 20) for rank in (2, 3) for name in (f"a{rank}", f"b{rank}")]
    layout = laid_out([boxes[0], boxes[1], boxes[3], boxes[2]], [("a2", "a3"), ("b2", "b3")], WIDTH)
    assert layout.orders == {2: ("a2", "b2"), 3: ("a3", "b3")}
    assert layout.spots["a2"].x == layout.spots["a3"].x < layout.spots["b3"].x


def test_a_rank_that_is_too_wide_is_dealt_into_rows() -> None:
    boxes = [Box(f"n{number}", 2, 100, 20) for number in range(10)]
    layout = laid_out(boxes, [], WIDTH)
    rows = sorted({spot.y for spot in layout.spots.values()})
    assert len(rows) == 4
    assert layout.width == WIDTH


def test_nothing_is_laid_out_as_nothing() -> None:
    assert laid_out([], [], WIDTH).bands == ()
