"""What lies under the pointer, and the index that answers it."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing.document import Document
from spotlab.editing.history import History
from spotlab.editing.operations import handles, move, rotate, scale
from spotlab.editing.region_index import Hit, Part, RegionIndex, clicked, cycle, hit
from spotlab.editing.selection import Selection
from spotlab.geometry.polygon import even_odd_geometry
from spotlab.model import Primitive, Region, Truth
from tests.editing.operations_cases import PAGE, disc, places, region_of, regions

LARGE = region_of((10, 10), (110, 10), (110, 110), (10, 110), primitive=Primitive.BOX)
SMALL = region_of((40, 40), (60, 40), (60, 60), (40, 60), primitive=Primitive.BOX)
MIDDLE = region_of((30, 30), (80, 30), (80, 80), (30, 80), primitive=Primitive.HULL)
ALL = [LARGE, SMALL, MIDDLE]


@pytest.mark.slow
@given(
    st.lists(regions(), max_size=12),
    st.lists(st.tuples(st.sampled_from(["insert", "remove", "replace"]), regions()), max_size=20),
    places,
    st.tuples(places, places),
)
def test_the_index_says_what_looking_at_all_says(
    start: list[Region], edits: list, place: tuple, band: tuple
) -> None:
    index = RegionIndex(start)
    held = {region.id: region for region in start}
    for number, (kind, region) in zip(count(), edits, strict=False):
        ids = list(held)
        if kind == "insert":
            held[region.id] = region
            index.put([region])
        elif ids and kind == "remove":
            del held[ids[number % len(ids)]]
            index.remove([ids[number % len(ids)]])
        elif ids:
            moved = move(held[ids[number % len(ids)]], 13, -7, PAGE)
            held[moved.id] = moved
            index.put([moved])
    assert len(index) == len(held)
    assert {region.id for region in index} == set(held)
    assert all(index.get(id) == region and id in index for id, region in held.items())

    at = index.regions_at(*place)
    assert {region.id for region in at} == {
        region.id for region in held.values() if region.contains(*place)
    }
    assert [region.area for region in at] == sorted(region.area for region in at)

    (x1, y1), (x2, y2) = band
    rectangle = (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
    box = shapely.box(*rectangle)
    shapes = {id: even_odd_geometry(region.array) for id, region in held.items()}
    assert {region.id for region in index.visible(rectangle)} == {
        id for id, shape in shapes.items() if shapely.box(*held[id].bounds).intersects(box)
    }
    assert {region.id for region in index.in_box(rectangle)} == {
        id for id, shape in shapes.items() if shape.intersects(box)
    }
    assert {region.id for region in index.in_box(rectangle, whole=True)} == {
        id for id, region in held.items() if box.covers(shapely.MultiPoint(region.array))
    }


def test_an_empty_index() -> None:
    index = RegionIndex()
    assert index.regions_at(0, 0) == index.visible((0, 0, 9, 9)) == list(index) == []
    assert hit(index, 1, 1, 5, ["gone"]) == Hit(Part.NOTHING)
    index.remove(["gone"])
    index.put([SMALL])
    index.put([SMALL])
    assert len(index) == 1
    index.remove([SMALL.id])
    assert index.in_box((-1e9, -1e9, 1e9, 1e9), whole=True) == []


def test_the_index_follows_a_document() -> None:
    document = Document(Truth(PAGE, (LARGE,)))
    history, index = History(document), RegionIndex(document)
    document.changed.connect(index.apply)
    history.do("Draw", document.adding(SMALL, MIDDLE))
    history.do("Move", document.replacing(move(SMALL, 50, 0, PAGE)))
    history.do("Delete", document.removing([LARGE.id]))
    assert [region.id for region in index.regions_at(95, 50)] == [SMALL.id]
    while history.undo():
        pass
    assert list(index) == [LARGE]


def test_the_smallest_comes_first_and_clicks_cycle() -> None:
    index = RegionIndex(ALL)
    primary = None
    seen = []
    for _ in range(4):
        found = clicked(hit(index, 50, 50, 3, [primary] if primary else []), primary)
        assert found is not None
        seen.append(found)
        primary = found.id
    assert seen == [SMALL, MIDDLE, LARGE, SMALL]
    assert clicked(hit(index, 15, 15, 3), SMALL.id) is LARGE  # another place: begin anew
    assert cycle([], None) is None
    assert clicked(hit(index, 190, 150, 3), None) is None


@pytest.mark.parametrize(
    ("place", "selected", "part", "region", "number"),
    [
        ((41, 39), [SMALL], Part.HANDLE, SMALL, 0),
        ((50, 41), [SMALL], Part.HANDLE, SMALL, 4),  # the middle of its upper side
        ((45, 41), [SMALL], Part.EDGE, SMALL, 0),
        ((45, 41), [], Part.INSIDE, SMALL, -1),
        ((45, 50), [LARGE], Part.INSIDE, LARGE, -1),  # so that it can be dragged by any place
        ((45, 50), [], Part.INSIDE, SMALL, -1),
        ((80, 80), [SMALL, MIDDLE], Part.HANDLE, MIDDLE, 2),
        ((81, 55), [MIDDLE], Part.EDGE, MIDDLE, 1),  # from outside
        ((5, 5), ALL, Part.NOTHING, None, -1),
    ],
)
def test_precedence(
    place: tuple, selected: list[Region], part: Part, region: Region | None, number: int
) -> None:
    found = hit(RegionIndex(ALL), *place, 3, [one.id for one in selected])
    assert (found.part, found.region, found.index) == (part, region, number)


def test_the_nearest_of_two_handles_and_the_last_selected_of_two_alike() -> None:
    left = region_of((0, 0), (20, 0), (20, 20))
    right = region_of((22, 0), (50, 0), (50, 20))
    index = RegionIndex([left, right])
    both = [left.id, right.id]
    assert hit(index, 20.5, 0, 5, both).region is left
    assert hit(index, 21.9, 0, 5, both).region is right
    assert hit(index, 21, 0, 5, both).region is right
    assert hit(index, 21, 0, 5, both[::-1]).region is left


def test_handles_of_a_turned_ellipse_outside_its_bounds() -> None:
    flat = rotate(scale(disc(100, 80, 20), 2.5, 1, PAGE), 45, PAGE)
    for handle in handles(flat):
        found = hit(RegionIndex([flat]), handle.x, handle.y, 2, [flat.id])
        assert (found.part, found.index) == (Part.HANDLE, handle.index)


def test_selection() -> None:
    heard = []
    selection = Selection()
    selection.changed.connect(lambda: heard.append(selection.ids))
    selection.set(["a", "b", "b"])
    selection.set(["a", "b"])  # nothing new to hear
    selection.add("c", "a")
    assert heard == [("a", "b"), ("b", "c", "a")]
    assert (selection.primary, len(selection), "c" in selection) == ("a", 3, True)
    selection.toggle("b", "d")
    selection.remove("c", "unknown")
    assert list(selection) == ["a", "d"]
    document = Document(Truth(PAGE, (SMALL,)))
    selection.add(SMALL.id)
    assert selection.regions(document) == (SMALL,)
    selection.prune(document)
    assert selection.ids == (SMALL.id,)
    selection.clear()
    selection.clear()
    assert selection.primary is None
    assert heard[-1] == () and len(heard) == 7


def test_a_part_of_the_index_follows_each_edit() -> None:
    index, ids = RegionIndex(ALL), (MIDDLE.id, LARGE.id)
    first = index.part(ids)
    assert list(first) == [MIDDLE, LARGE] and index.part(ids) is first
    other = replace(LARGE, label="door")
    index.put([other])
    second = index.part(ids)
    assert list(second) == [MIDDLE, other] and second.get(LARGE.id) == other
    assert list(first) == [MIDDLE, LARGE], "what was given stays"
    assert second.holds_all(first) and first.holds_all(second)
    index.remove([MIDDLE.id])
    third = index.part(ids)
    assert list(third) == [other] and MIDDLE.id not in third
    assert second.holds_all(third) and not third.holds_all(second)
    index.put([MIDDLE])
    assert list(index.part(ids)) == [MIDDLE, other]
