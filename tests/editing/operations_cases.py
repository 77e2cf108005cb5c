"""Regions to try operations on, and what every region has to be afterwards."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from spotlab.editing.operations import drawn
from spotlab.editing.operations.outline import CONVEX
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Frame
from spotlab.geometry.primitives import (
    box,
    ellipse,
    is_box,
    is_isothetic,
    isothetic_polygon,
    turned_frame,
)
from spotlab.geometry.rings import QuadCell, ring_from_cells
from spotlab.model import Page, Primitive, Region

PAGE = Page(Path("plan.png"), 200, 160)
places = st.tuples(st.floats(-40, 240), st.floats(-40, 200))


def check(region: Region, page: Page = PAGE) -> None:
    """Whole px, or a turned box, on the page, an area, and true to the primitive."""
    points = region.array
    is_turned = region.primitive is Primitive.BOX and turned_frame(points) is not None
    assert (points == points.round(3 if is_turned else 0)).all()
    left, top, right, bottom = region.bounds
    assert left >= 0 and top >= 0 and right <= page.width and bottom <= page.height
    assert region.area > 0
    if region.primitive in CONVEX:
        assert polygon.is_convex(points)
    if region.primitive is Primitive.BOX:
        assert is_turned or is_box(points)
    if region.primitive in (Primitive.ISOTHETIC, Primitive.CELLS):
        assert is_isothetic(points)
    assert not (points == np.roll(points, 1, axis=0)).all(axis=1).any()


def _outline(kind: Primitive, points: list[tuple[float, float]]) -> np.ndarray:
    (x1, y1), (x2, y2) = points[:2]
    match kind:
        case Primitive.BOX:
            return box(x1, y1, x2, y2)
        case Primitive.ELLIPSE:
            frame = Frame(100, 80, abs(x1 - x2) / 4 + 4, abs(y1 - y2) / 4 + 4, x1)
            return ellipse(frame)
        case Primitive.ISOTHETIC:
            return isothetic_polygon(np.floor(points))
        case Primitive.CELLS:
            marked = [QuadCell(int(x // 8) % 20, int(y // 8) % 16, 8) for x, y in points]
            return ring_from_cells(marked)
    return np.array(points)


KINDS = tuple(each for each in Primitive if each.has_area)


@st.composite
def regions(draw: st.DrawFn, kinds: tuple[Primitive, ...] = KINDS) -> Region:
    """A valid region of any primitive that has an area."""
    kind = draw(st.sampled_from(kinds))
    points = draw(st.lists(places, min_size=3, max_size=8))
    label = draw(st.sampled_from(["", "sofa", "sink"]))
    region = drawn(_outline(kind, points), kind, PAGE, label)
    if region is None:
        size = draw(st.integers(3, 40))
        region = drawn(box(50, 50, 50 + size, 50 + size), kind, PAGE, label)
    assert region is not None
    return region


def region_of(
    *points: tuple[float, float], primitive: Primitive = Primitive.HULL, label: str = ""
) -> Region:
    """A region made by hand."""
    return Region(points, label, primitive=primitive)


def disc(x: float, y: float, radius: float) -> Region:
    """A round ellipse."""
    region = drawn(ellipse(Frame(x, y, 2 * radius, 2 * radius)), Primitive.ELLIPSE, PAGE)
    assert region is not None and math.isclose(region.area, math.pi * radius**2, rel_tol=0.1)
    return region
