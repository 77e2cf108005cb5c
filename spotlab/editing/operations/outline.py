"""What every change of an outline ends with: whole numbers, on the page, true to its primitive."""

from __future__ import annotations

from dataclasses import replace

from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import Points
from spotlab.geometry.primitives import is_box, is_isothetic, snap
from spotlab.geometry.rings import without_straight_points
from spotlab.model import Page, Primitive, Region

CONVEX = frozenset({Primitive.HULL, Primitive.BOX, Primitive.ELLIPSE})


def page_size(page: Page) -> tuple[int, int]:
    """(width, height) in px."""
    return page.width, page.height


def behaves_as(region: Region) -> Primitive:
    """How the region is edited: as its primitive, unless a file brought an outline that is not one.

    A "box" that is turned is edited as a hull, an "isothetic" outline with slanted edges as a free
    polygon. Cells are edited as an isothetic polygon and a trace as a free polygon.
    """
    match region.primitive:
        case Primitive.BOX if not is_box(region.array):
            return Primitive.HULL
        case Primitive.ISOTHETIC | Primitive.CELLS:
            return Primitive.ISOTHETIC if is_isothetic(region.array) else Primitive.POLYGON
        case Primitive.TRACE:
            return Primitive.POLYGON
    return region.primitive


def reshaped(
    region: Region, points: Points, page: Page, primitive: Primitive | None = None
) -> Region:
    """The region with another outline, snapped; the convex primitives get its hull.

    A box that has become something else turns into a hull, an isothetic polygon or cells with
    slanted edges into a free polygon; what is no ellipse any more is to be told by the caller.

    Raises
    ------
    SpotlabError
        No area would remain.
    """
    kind = primitive or behaves_as(region)
    ring = snap(points, page_size(page), convex=kind in CONVEX)
    if ring is None:
        raise SpotlabError(f"Nothing would be left of {named(region)}")
    if kind is Primitive.BOX and not is_box(ring):
        kind = Primitive.HULL
    elif kind in (Primitive.ISOTHETIC, Primitive.CELLS):
        if is_isothetic(ring):
            ring = without_straight_points(ring)
        else:
            kind = Primitive.POLYGON
    return replace(region, points=tuple(map(tuple, ring.tolist())), primitive=kind)


def named(region: Region) -> str:
    """How a message calls the region.

    Examples
    --------
    >>> named(Region(((0, 0), (1, 0), (1, 1)), label="sofa"))
    "the region 'sofa'"
    """
    return f"the region '{region.label}'" if region.label else "the region"
