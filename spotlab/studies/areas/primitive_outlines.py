"""Outlines turned into one kind of primitive, so that runs and truth are judged alike."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Points
from spotlab.geometry.outlines import Outlines, clip_to_page
from spotlab.geometry.polygon import Size
from spotlab.geometry.primitives import ellipse, ellipse_from_points, is_isothetic
from spotlab.geometry.rings import cells_from_ring, ring_from_cells, ring_from_geometry
from spotlab.libraries import shapely
from spotlab.model.region import Primitive

CELL_SIDE = 8  # px, of the smallest quad-tree cells


def outlines_as(
    outlines: Outlines, primitive: Primitive | None, page_size: Size, cell_side: int = CELL_SIDE
) -> Outlines:
    """The outlines as this primitive; as drawn for None, polygon and trace.

    hull
        The convex hull of the corners.
    box
        The bounds.
    ellipse
        The 48-gon of the ellipse with the area's moments to second order.
    isothetic
        The outline of the page's pixels whose centre is inside; what runs along x and y only is
        kept as drawn.
    cells
        The outline of the page's quad-tree cells, the smallest of ``cell_side`` px, of which more
        than half is inside.

    Parameters
    ----------
    page_size : (width, height)
        Of the page, in px.

    Returns
    -------
    Outlines
        As many; without corners where there is no area.

    Examples
    --------
    >>> triangle = Outlines.of([[(0, 0), (4, 0), (4, 4)]])
    >>> outlines_as(triangle, Primitive.BOX, (9, 9))[0].tolist()
    [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]
    """
    match primitive:
        case Primitive.HULL:
            return _hulls(outlines)
        case Primitive.BOX:
            return _boxes(outlines)
        case Primitive.ELLIPSE:
            return Outlines.of([_ellipse(outlines[each]) for each in range(len(outlines))])
        case Primitive.ISOTHETIC:
            return Outlines.of([_isothetic(outlines[n], page_size) for n in range(len(outlines))])
        case Primitive.CELLS:
            rings = (outlines[number] for number in range(len(outlines)))
            found = (
                cells_from_ring(_on_page(ring, page_size), cell_side, page_size) for ring in rings
            )
            return Outlines.of([ring_from_cells(cells, page_size) for cells in found])
        case _:
            return outlines


def _boxes(outlines: Outlines) -> Outlines:
    left, top, right, bottom = outlines.bounds.T
    corners = np.stack([left, top, right, top, right, bottom, left, bottom], axis=1)
    filled = np.diff(outlines.offsets) > 0
    offsets = np.concatenate([[0], np.cumsum(np.where(filled, 4, 0))])
    return Outlines(corners[filled].reshape(-1, 2), offsets)


def _hulls(outlines: Outlines) -> Outlines:
    lengths = np.diff(outlines.offsets)
    filled = np.flatnonzero(lengths)
    kept = np.zeros(len(outlines), np.int64)
    if not len(filled):
        return outlines
    numbers = np.repeat(np.arange(len(filled)), lengths[filled])
    points = shapely.multipoints(shapely.points(outlines.points), indices=numbers)
    hulls = shapely.convex_hull(points)
    flat = shapely.get_type_id(hulls) == shapely.GeometryType.POLYGON
    rings = shapely.get_exterior_ring(hulls[flat])
    kept[filled[flat]] = shapely.get_num_coordinates(rings) - 1
    corners, which = shapely.get_coordinates(rings, return_index=True)
    open_end = np.append(which[1:] == which[:-1], False)[: len(which)]
    return Outlines(corners[open_end], np.concatenate([[0], np.cumsum(kept)]))


def _ellipse(ring: Points) -> Points:
    frame = ellipse_from_points(ring)
    return np.empty((0, 2)) if frame is None else ellipse(frame)


def _on_page(ring: Points, page_size: Size) -> Points:
    """The part on the page: pixels and cells are the page's."""
    return clip_to_page(Outlines.of([ring]), page_size)[0]


def _isothetic(ring: Points, page_size: Size) -> Points:
    ring = _on_page(ring, page_size)
    if len(ring) < 3 or is_isothetic(ring):
        return ring
    (x1, y1), (x2, y2) = ring.T, np.roll(ring, -1, axis=0).T
    boxes = []
    for row in range(int(y1.min()), int(np.ceil(y1.max()))):
        y = row + 0.5
        spans = (y1 <= y) != (y2 <= y)
        across = x1[spans] + (y - y1[spans]) / (y2[spans] - y1[spans]) * (x2[spans] - x1[spans])
        edges = np.ceil(np.sort(across) - 0.5)  # the first pixel whose centre is not left of it
        boxes += [(a, row, b, row + 1) for a, b in edges.reshape(-1, 2).tolist() if a < b]
    if not boxes:
        return np.empty((0, 2))
    area = shapely.union_all(shapely.box(*np.array(boxes).T))
    return ring_from_geometry(shapely.simplify(shapely.normalize(area), 0), isothetic=True)
