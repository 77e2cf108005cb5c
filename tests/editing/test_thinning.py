"""Handles of hulls: few, and never more than .2 % of the area away from the outline."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.editing.operations import add_point, delete_point, handles, move_handle
from spotlab.editing.operations.outline import TOLERANCE, handle_points, without_hidden
from spotlab.geometry import polygon
from spotlab.imaging.outlines import hull, runs_from_mask
from spotlab.model import Page, Primitive, Region

PAGE = Page(Path("page.png"), 600, 600)


def rounded(width: int, height: int, radius: int) -> Region:
    """The hull of a rectangle with round corners, as it is sketched."""
    mask = np.zeros((600, 600), np.uint8)
    left, top = 100, 100
    for x in (left + radius, left + width - radius):
        for y in (top + radius, top + height - radius):
            cv2.circle(mask, (x, y), radius, 1, -1)
    points = hull(runs_from_mask(mask > 0))
    return Region(tuple((float(x), float(y)) for x, y in points), primitive=Primitive.HULL)


def hulls() -> st.SearchStrategy[Region]:
    corner = st.tuples(*[st.integers(0, 600)] * 2)

    def drawn(corners: list[tuple[int, int]]) -> Region | None:
        mask = np.zeros((600, 600), np.uint8)
        for x, y in corners:
            cv2.circle(mask, (x, y), 20, 1, -1)
        points = hull(runs_from_mask(mask > 0))
        return Region(tuple((float(x), float(y)) for x, y in points), primitive=Primitive.HULL)

    return st.lists(corner, min_size=1, max_size=9).map(drawn)


def test_a_round_corner_has_few_handles() -> None:
    region = rounded(300, 160, 20)
    assert len(region.points) >= 24
    shown = handles(region)
    assert len(shown) <= 0.6 * len(region.points)
    assert [region.points[handle.index] for handle in shown] == [(h.x, h.y) for h in shown]


@settings(max_examples=40, deadline=None)
@given(hulls())
def test_the_outline_through_the_handles_has_almost_the_area(region: Region) -> None:
    shown = handle_points(region)
    assert shown == sorted(set(shown)) and len(shown) >= 3
    area = polygon.area(region.array[shown])
    assert region.area * (1 - TOLERANCE) - 1e-6 <= area <= region.area + 1e-6


@settings(max_examples=40, deadline=None)
@given(hulls(), st.integers(0, 10**6), st.integers(-40, 40), st.integers(-40, 40))
def test_a_handle_takes_along_what_belongs_to_it_and_no_more(
    region: Region, which: int, dx: int, dy: int
) -> None:
    shown = handles(region)
    handle = shown[which % len(shown)]
    to = (min(max(handle.x + dx, 0), 600), min(max(handle.y + dy, 0), 600))
    moved = move_handle(region, handle.index, to, PAGE)
    stays = without_hidden(region, handle.index)
    assert stays[[other.index for other in shown]].all(), "handles stay"
    others = np.delete(region.array, np.append(np.flatnonzero(~stays), handle.index), axis=0)
    expected = (
        polygon.even_odd_geometry(others)
        .union(polygon.even_odd_geometry(np.vstack([others, to])))
        .convex_hull
    )
    assert abs(moved.area - expected.area) <= 1
    back = move_handle(region, handle.index, (handle.x, handle.y), PAGE)
    assert region.area * (1 - TOLERANCE) - 1e-6 <= back.area <= region.area


def test_a_corner_pulled_in_gives_way() -> None:
    region = rounded(300, 160, 20)
    corner = min(handles(region), key=lambda handle: handle.x + handle.y)
    pulled = move_handle(region, corner.index, (corner.x + 60, corner.y + 60), PAGE)
    gone = delete_point(region, corner.index, PAGE)
    assert pulled.points == gone.points and gone.area < region.area
    assert (corner.x, corner.y) not in gone.points


def test_points_put_on_an_edge_keep_their_handles() -> None:
    region = rounded(300, 160, 20)
    edge = max(
        range(len(region.points)),
        key=lambda at: np.hypot(*(region.array[at] - np.roll(region.array, -1, axis=0)[at])),
    )
    middle = (region.array[edge] + np.roll(region.array, -1, axis=0)[edge]) / 2
    more = add_point(region, edge, tuple(np.floor(middle).tolist()), PAGE)
    assert len(more.points) == len(region.points) + 1
    assert tuple(np.floor(middle).tolist()) in [(handle.x, handle.y) for handle in handles(more)]


def test_other_outlines_keep_all_their_points() -> None:
    hull_region = rounded(300, 160, 20)
    for primitive in (Primitive.POLYGON, Primitive.TRACE):
        region = Region(hull_region.points, primitive=primitive)
        assert len(handles(region)) == len(region.points)
        assert without_hidden(region, 3).all()
    triangle = Region(((0, 0), (9, 0), (9, 1)), primitive=Primitive.HULL)
    assert handle_points(triangle) == [0, 1, 2]
