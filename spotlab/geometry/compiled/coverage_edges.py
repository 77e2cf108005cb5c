"""Tables, bounds, chains and edges of polygons in machine code."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry.compiled.machine_code import COVERAGE

# columns of the table of polygons, and of the chains of edges that those of many edges consist of
LEFT, TOP, RIGHT, BOTTOM = range(4)  # px
FIRST, STOP = 4, 5  # rows of the edges
LIVE = 6  # of a chain: first edge that has pieces on the boundary of what is covered; -1 for none
CHAIN, CHAIN_STOP = 7, 8  # of a polygon: rows of its chains; one of few edges is its only chain
BEGIN_Y, END_Y = 9, 10  # of a chain: where the ring enters and leaves it, in px
POLYGON_COLUMNS = 11
LENGTH = 16  # edges of a chain, at most

# columns of the table of edges
UPPER_X, UPPER_Y, LOWER_X, LOWER_Y = range(4)  # px
KEY = 4  # edges on one line are ordered by this number
SIDE = 5  # 1 on the right of the polygon, -1 on the left, 0 where its boundary meets itself
PIECES, COUNTED = 6, 7  # first row of its pieces, and of the parts that are counted; 0 for none
FOLLOWING = 8  # next edge of the chain that has pieces; -1 for none
EDGE_COLUMNS = 9

# columns of the table of pieces
PIECE_TOP, PIECE_BOTTOM = 0, 1  # px
SIGN = 2  # 1 on the right of a polygon, -1 on the left
SUM = 2  # of a part that is counted: which of the sums counts it
NEXT = 3  # next piece of the edge, from top to bottom, or the next free row; 0 for none
FREE, USED, FULL = 0, 1, 2  # columns of row 0: the first row given back, how many rows are in use,
# and 1 after there was no room
PIECE_COLUMNS = 4

AREA, ORIGIN = 0, 1  # columns of the table of sums: px², and x in px that areas are counted from


@COVERAGE.compiled_work
def share_area(polygons: Floats, one: int, others: Floats, other: int) -> bool:
    """Tell whether the bounds of two polygons share area.

    Parameters
    ----------
    polygons, others : (P, 4) or more float
        Tables of polygons.
    one, other : int
        Their rows.

    Returns
    -------
    bool
        False for a polygon without corners.

    Examples
    --------
    >>> boxes = np.array([[0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 3.0], [2.0, 0.0, 3.0, 2.0]])
    >>> share_area.py_func(boxes, 0, boxes, 1), share_area.py_func(boxes, 0, boxes, 2)
    (True, False)
    """
    left = max(polygons[one, LEFT], others[other, LEFT])
    right = min(polygons[one, RIGHT], others[other, RIGHT])
    top = max(polygons[one, TOP], others[other, TOP])
    bottom = min(polygons[one, BOTTOM], others[other, BOTTOM])
    return bool(left < right and top < bottom)


@COVERAGE.compiled_work
def meet_bounds(polygons: Floats, one: int, other: int) -> bool:
    """Tell whether the bounds of two polygons or chains have a point in common.

    Parameters
    ----------
    polygons : (P, 4) or more float
        Table of polygons.
    one, other : int
        Their rows.

    Returns
    -------
    bool

    Examples
    --------
    >>> boxes = np.array([[0.0, 0.0, 2.0, 2.0], [2.0, 2.0, 3.0, 3.0], [2.1, 0.0, 3.0, 2.0]])
    >>> meet_bounds.py_func(boxes, 0, 1), meet_bounds.py_func(boxes, 0, 2)
    (True, False)
    """
    return bool(
        polygons[one, LEFT] <= polygons[other, RIGHT]
        and polygons[other, LEFT] <= polygons[one, RIGHT]
        and polygons[one, TOP] <= polygons[other, BOTTOM]
        and polygons[other, TOP] <= polygons[one, BOTTOM]
    )


@COVERAGE.compiled_work
def bound_ring(points: Floats, offsets: Ints, ring: int, polygons: Floats, place: int) -> None:
    """Fill in the bounds of a polygon; infinite without corners.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins in ``points``.
    ring : int
        Which of the rings.
    polygons : (P, 4) or more float
        Table of polygons.
    place : int
        The polygon's row.

    Examples
    --------
    >>> polygons = np.zeros((1, 4))
    >>> ring = np.array([[1.0, 2.0], [4.0, 0.0], [3.0, 5.0]])
    >>> bound_ring.py_func(ring, np.array([0, 3]), 0, polygons, 0)
    >>> polygons.tolist()
    [[1.0, 0.0, 4.0, 5.0]]
    """
    left, top, right, bottom = np.inf, np.inf, -np.inf, -np.inf
    for corner in range(offsets[ring], offsets[ring + 1]):
        x, y = points[corner, 0], points[corner, 1]
        left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
    polygons[place, LEFT], polygons[place, TOP] = left, top
    polygons[place, RIGHT], polygons[place, BOTTOM] = right, bottom


@COVERAGE.compiled_work
def move_bounds(polygons: Floats, count: int, x: float, y: float) -> None:
    """Subtract from the bounds of polygons.

    Parameters
    ----------
    polygons : (P, 4) or more float
        Table of polygons.
    count : int
        How many of them.
    x, y : float
        What is subtracted, in px.

    Examples
    --------
    >>> polygons = np.array([[1.0, 0.0, 4.0, 5.0]])
    >>> move_bounds.py_func(polygons, 1, 1.0, -1.0)
    >>> polygons.tolist()
    [[0.0, 1.0, 3.0, 6.0]]
    """
    for place in range(count):
        polygons[place, LEFT] -= x
        polygons[place, TOP] -= y
        polygons[place, RIGHT] -= x
        polygons[place, BOTTOM] -= y


@COVERAGE.compiled_part
def make_pieces(rows: int) -> Floats:
    """Reserve a table of pieces.

    Parameters
    ----------
    rows : int
        How many there is room for at first.

    Returns
    -------
    (rows + 1, 4) float
    """
    pieces = np.empty((rows + 1, PIECE_COLUMNS))
    clear_pieces(pieces)
    return pieces


@COVERAGE.compiled_work
def clear_pieces(pieces: Floats) -> None:
    """Give back all rows.

    Parameters
    ----------
    pieces : (S, 4) float
        Table of pieces.
    """
    pieces[0, FREE], pieces[0, USED], pieces[0, FULL] = 0.0, 1.0, 0.0


@COVERAGE.compiled_work
def was_full(pieces: Floats) -> bool:
    """Tell whether there was no room for a piece, so that what was computed is wrong.

    Parameters
    ----------
    pieces : (S, 4) float
        Table of pieces.

    Returns
    -------
    bool
    """
    return bool(pieces[0, FULL] > 0)


@COVERAGE.compiled_work
def make_piece(pieces: Floats, top: float, bottom: float, sign: float, following: float) -> int:
    """Fill in a free row of the table.

    Parameters
    ----------
    pieces : (S, 4) float
        Table of pieces.
    top, bottom, sign, following : float
        The columns.

    Returns
    -------
    int
        The row; 0 if all are in use.

    Examples
    --------
    >>> pieces = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])  # one free row
    >>> [make_piece.py_func(pieces, 2.0, 3.0, 1.0, 0) for _ in range(2)]
    [1, 0]
    >>> pieces[1].tolist()
    [2.0, 3.0, 1.0, 0.0]
    """
    row = int(pieces[0, FREE])
    if row:
        pieces[0, FREE] = pieces[row, NEXT]
    elif pieces[0, USED] < len(pieces):
        row = int(pieces[0, USED])
        pieces[0, USED] = row + 1
    else:
        pieces[0, FULL] = 1.0
        return 0
    pieces[row, PIECE_TOP], pieces[row, PIECE_BOTTOM] = top, bottom
    pieces[row, SIGN], pieces[row, NEXT] = sign, following
    return row


@COVERAGE.compiled_work
def drop_piece(pieces: Floats, row: int) -> None:
    """Give back a row.

    Parameters
    ----------
    pieces : (S, 4) float
        Table of pieces.
    row : int
        The row.

    Examples
    --------
    >>> pieces = np.array([[0.0, 2.0, 0.0, 0.0], [2.0, 3.0, 1.0, 0.0]])
    >>> drop_piece.py_func(pieces, 1)
    >>> pieces[0, FREE].item()
    1.0
    """
    pieces[row, NEXT] = pieces[0, FREE]
    pieces[0, FREE] = row


@COVERAGE.compiled_work
def drop_edge(polygons: Floats, chain: int, edges: Floats, before: int, edge: int) -> None:
    """Take an edge out of the list of those that have pieces.

    Parameters
    ----------
    polygons, edges : (P, 11) and (E, 9) float
        The tables.
    chain : int
        The edge's chain.
    before, edge : int
        The edge before it in the list, -1 for none, and the edge.

    Examples
    --------
    >>> polygons, edges = np.zeros((1, POLYGON_COLUMNS)), np.zeros((2, EDGE_COLUMNS))
    >>> edges[:, FOLLOWING] = [1, -1]
    >>> drop_edge.py_func(polygons, 0, edges, -1, 0)
    >>> polygons[0, LIVE].item()
    1.0
    """
    if before < 0:
        polygons[chain, LIVE] = edges[edge, FOLLOWING]
    else:
        edges[before, FOLLOWING] = edges[edge, FOLLOWING]


@COVERAGE.compiled_work
def most_corners(offsets: Ints) -> int:
    """The largest number of corners of a ring, at least 1.

    Parameters
    ----------
    offsets : (N + 1,) int
        Where each ring begins.

    Returns
    -------
    int

    Examples
    --------
    >>> most_corners.py_func(np.array([0, 4, 16, 19])).item()
    12
    """
    most = 1
    for ring in range(len(offsets) - 1):
        most = max(most, offsets[ring + 1] - offsets[ring])
    return most


BLOCK = 16  # boxes that are looked at one by one only if the box around them overlaps


@COVERAGE.compiled
def pair_bounds(
    points: Floats, offsets: Ints, spots: Ints, spot_first: Ints, regions: Ints, region_range: Ints
) -> tuple[Ints, Ints]:
    """Find the regions of its group whose bounds share area with those of each spot.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, those of N spots before those of regions, x and y in px.
    offsets : (N + T + 1,) int
        Where each ring begins in ``points``.
    spots : (N,) int
        Rings of the spots, group by group.
    spot_first : (G + 1,) int
        Where each group's spots begin in ``spots``.
    regions : (T,) int
        Rings of the regions, group by group, in any order, best from left to right.
    region_range : (G, 2) int
        Where each group's regions begin and end in ``regions``.

    Returns
    -------
    pair_first : (N + 1,) int
        Where each spot's pairs begin.
    pair_region : (K,) int
        Rings of the regions, rising for each spot.
    """
    first = np.zeros(len(spots) + 1, np.int64)
    found = np.empty(len(spots) + 64, np.int64)  # the pairs as they are found, group by group
    begin = np.empty(len(spots), np.int64)
    box, count = np.empty((1, 4)), 0
    for group in range(len(spot_first) - 1):
        own = regions[region_range[group, 0] : region_range[group, 1]]
        if not len(own):
            continue
        boxes = np.empty((len(own), 4))
        for place in range(len(own)):
            bound_ring(points, offsets, own[place], boxes, place)
        around = _bound_blocks(boxes)
        for at in range(spot_first[group], spot_first[group + 1]):
            spot = spots[at]
            bound_ring(points, offsets, spot, box, 0)
            if count + len(own) > len(found):
                longer = np.empty(2 * (count + len(own)), np.int64)
                for pair in range(count):
                    longer[pair] = found[pair]
                found = longer
            begin[spot] = count
            count = _add_overlapping(box, boxes, around, own, found, count)
            first[spot + 1] = count - begin[spot]
    for spot in range(len(spots)):
        first[spot + 1] += first[spot]
    pair_region = np.empty(count, np.int64)
    for spot in range(len(spots)):
        for at in range(first[spot + 1] - first[spot]):
            pair_region[first[spot] + at] = found[begin[spot] + at]
    return first, pair_region


@COVERAGE.compiled_part
def _bound_blocks(boxes: Floats) -> Floats:
    """(B, 4) the boxes around every 16 boxes."""
    around = np.empty(((len(boxes) + BLOCK - 1) // BLOCK, 4))
    for block in range(len(around)):
        left, top, right, bottom = np.inf, np.inf, -np.inf, -np.inf
        for place in range(block * BLOCK, min((block + 1) * BLOCK, len(boxes))):
            left, top = min(left, boxes[place, 0]), min(top, boxes[place, 1])
            right, bottom = max(right, boxes[place, 2]), max(bottom, boxes[place, 3])
        around[block, 0], around[block, 1] = left, top
        around[block, 2], around[block, 3] = right, bottom
    return around


@COVERAGE.compiled_work
def _add_overlapping(
    box: Floats, boxes: Floats, around: Floats, own: Ints, found: Ints, count: int
) -> int:
    """Add the rings whose boxes overlap one box, rising; return how many there are then."""
    start = count
    for block in range(len(around)):
        if not share_area(box, 0, around, block):
            continue
        for place in range(block * BLOCK, min((block + 1) * BLOCK, len(boxes))):
            if share_area(box, 0, boxes, place):
                back = count
                while back > start and found[back - 1] > own[place]:
                    found[back] = found[back - 1]
                    back -= 1
                found[back] = own[place]
                count += 1
    return count


OUTSIDE, INSIDE, NEAR = range(3)


@COVERAGE.compiled_work
def make_chains(
    edges: Floats, first: int, stop: int, polygons: Floats, place: int, chains: int
) -> None:
    """Divide the edges of a polygon into chains.

    Parameters
    ----------
    edges, polygons : (E, 9) and (P, 11) float
        The tables; see `spotlab.geometry.compiled.coverage_edges`.
    first, stop : int
        Rows of the polygon's edges, in the order of the ring.
    place : int
        The polygon.
    chains : int
        Number of polygons; the rows after them take the chains of those with many edges.
    """
    polygons[place, FIRST], polygons[place, STOP] = first, stop
    if stop - first <= LENGTH:
        polygons[place, CHAIN], polygons[place, CHAIN_STOP] = place, place + 1
        polygons[place, BEGIN_Y] = polygons[place, END_Y] = 0.0  # wherever a ring begins, it ends
        return
    chain = chains + 2 * first // LENGTH  # twice as many rows as full chains leave room for others
    polygons[place, CHAIN] = chain
    for begin in range(first, stop, LENGTH):
        end = min(begin + LENGTH, stop)
        left, top, right, bottom = np.inf, np.inf, -np.inf, -np.inf
        for edge in range(begin, end):
            left = min(left, edges[edge, UPPER_X], edges[edge, LOWER_X])
            right = max(right, edges[edge, UPPER_X], edges[edge, LOWER_X])
            top, bottom = min(top, edges[edge, UPPER_Y]), max(bottom, edges[edge, LOWER_Y])
        polygons[chain, LEFT], polygons[chain, TOP] = left, top
        polygons[chain, RIGHT], polygons[chain, BOTTOM] = right, bottom
        polygons[chain, FIRST], polygons[chain, STOP] = begin, end
        polygons[chain, BEGIN_Y] = edges[begin, UPPER_Y if edges[begin, SIDE] > 0 else LOWER_Y]
        polygons[chain, END_Y] = edges[end - 1, LOWER_Y if edges[end - 1, SIDE] > 0 else UPPER_Y]
        chain += 1
    polygons[place, CHAIN_STOP] = chain


@COVERAGE.compiled_inline
def locate_chain(polygons: Floats, chain: int, other: int) -> int:
    """Tell where a chain lies.

    Parameters
    ----------
    polygons
        See `make_chains`.
    chain : int
        Row of the chain.
    other : int
        The polygon that it may lie in.

    Returns
    -------
    int
        `OUTSIDE` or `INSIDE` the polygon, or `NEAR` its edges.
    """
    y, is_inside = polygons[chain, TOP], False
    for part in range(int(polygons[other, CHAIN]), int(polygons[other, CHAIN_STOP])):
        if meet_bounds(polygons, chain, part):
            return NEAR
        if polygons[part, RIGHT] < polygons[chain, LEFT]:
            is_inside = is_inside != (
                (polygons[part, BEGIN_Y] <= y) != (polygons[part, END_Y] <= y)
            )
    return INSIDE if is_inside else OUTSIDE


@COVERAGE.compiled_inline
def has_pieces(polygons: Floats, place: int) -> bool:
    """Tell whether any edge of a polygon has pieces on the boundary of what is covered.

    Parameters
    ----------
    polygons
        See `make_chains`.
    place : int
        The polygon.

    Returns
    -------
    bool
    """
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        if polygons[chain, LIVE] >= 0:
            return True
    return False


DOUBT = 1e-14  # share of a product up to which rounding may have changed the sign of a difference
MANY = 2.0**40  # more than there are polygons


@COVERAGE.compiled_work
def add_edges(
    points: Floats,
    offsets: Ints,
    ring: int,
    left: float,
    top: float,
    polygons: Floats,
    place: int,
    chains: int,
    edges: Floats,
    first: int,
) -> int:
    """Add the edges of a polygon to the table.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins in ``points``.
    ring : int
        The polygon's ring.
    left, top : float
        What is subtracted from x and y, in px.
    polygons : (P, 11) float
        Table of polygons, with the bounds of this one.
    place : int
        The polygon's row.
    chains : int
        Number of polygons; the rows after them take their chains.
    edges : (E, 9) float
        Table of edges.
    first : int
        Row of the first edge.

    Returns
    -------
    int
        The row that the next polygon's edges may begin at.
    """
    stop, is_star, twice = _fill_edges(
        points, offsets, ring, left, top, polygons, place, edges, first
    )
    make_chains(edges, first, stop, polygons, place, chains)
    is_simple = is_star or not _meets_itself(edges, stop - first, polygons, place)
    kept = _drop_horizontal_edges(edges, polygons, place)
    way = (1.0 if twice > 0 else -1.0) if is_simple else 0.0
    for row in range(first, kept):
        side = way * edges[row, SIDE]
        # polygons that touch overlap by nothing; of two on the same side the later one is inside
        edges[row, KEY] = place - MANY if side < 0 else MANY - place if side > 0 else place
        edges[row, SIDE], edges[row, PIECES], edges[row, COUNTED] = side, 0.0, 0.0
    polygons[place, FIRST], polygons[place, STOP] = first, kept
    return stop


@COVERAGE.compiled_work
def _fill_edges(
    points: Floats,
    offsets: Ints,
    ring: int,
    left: float,
    top: float,
    polygons: Floats,
    place: int,
    edges: Floats,
    first: int,
) -> tuple[int, bool, float]:
    """Fill in all edges; also whether the middle sees each of them in turn, and twice the area."""
    start, stop, row = offsets[ring], offsets[ring + 1], first
    middle_x = 0.5 * (polygons[place, LEFT] + polygons[place, RIGHT])
    middle_y = 0.5 * (polygons[place, TOP] + polygons[place, BOTTOM])
    rises, falls, rounds, twice = 0, 0, 0, 0.0
    if start == stop:
        return row, False, twice
    x, y = points[stop - 1, 0] - left, points[stop - 1, 1] - top
    for corner in range(start, stop):
        u, v = x, y
        x, y = points[corner, 0] - left, points[corner, 1] - top
        if x == u and y == v:
            continue
        if v <= y:
            _set_edge(edges, row, u, v, x, y, 1.0)
        else:
            _set_edge(edges, row, x, y, u, v, -1.0)
        cross = (u - middle_x) * (y - middle_y) - (v - middle_y) * (x - middle_x)
        rises, falls, twice, row = rises + (cross > 0), falls + (cross < 0), twice + cross, row + 1
        if (v <= middle_y) != (y <= middle_y) and (cross > 0) == (y > v):
            rounds += 1  # it crosses the half-axis to the right
    count = row - first
    return row, rounds == 1 and count in (rises, falls), twice


@COVERAGE.compiled_work
def _set_edge(edges: Floats, row: int, a: float, b: float, c: float, d: float, way: float) -> None:
    edges[row, UPPER_X], edges[row, UPPER_Y] = a, b
    edges[row, LOWER_X], edges[row, LOWER_Y], edges[row, SIDE] = c, d, way


@COVERAGE.compiled_work
def _drop_horizontal_edges(edges: Floats, polygons: Floats, place: int) -> int:
    kept = int(polygons[place, FIRST])
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        first, stop = int(polygons[chain, FIRST]), int(polygons[chain, STOP])
        polygons[chain, FIRST] = kept
        for row in range(first, stop):
            if edges[row, UPPER_Y] < edges[row, LOWER_Y]:
                if kept < row:
                    for column in range(SIDE + 1):
                        edges[kept, column] = edges[row, column]
                kept += 1
        polygons[chain, STOP] = kept
    return kept


@COVERAGE.compiled_work
def _meets_itself(edges: Floats, count: int, polygons: Floats, place: int) -> bool:
    """Tell whether two edges of a polygon that do not follow each other come closer than
    rounding.
    """
    if count < 3:
        return True
    stop = int(polygons[place, CHAIN_STOP])
    for chain in range(int(polygons[place, CHAIN]), stop):
        for another in range(chain, stop):
            if chain != another and not meet_bounds(polygons, chain, another):
                continue
            for one in range(int(polygons[chain, FIRST]), int(polygons[chain, STOP])):
                first = max(one + 2, int(polygons[another, FIRST]))
                for other in range(first, int(polygons[another, STOP])):
                    if other - one != count - 1 and _touch(edges, one, other):
                        return True
    return False


@COVERAGE.compiled_work
def _touch(edges: Floats, one: int, other: int) -> bool:
    a, c = edges[one, UPPER_X], edges[one, LOWER_X]
    e, g = edges[other, UPPER_X], edges[other, LOWER_X]
    if min(a, c) > max(e, g) or max(a, c) < min(e, g):
        return False
    if edges[one, UPPER_Y] > edges[other, LOWER_Y] or edges[one, LOWER_Y] < edges[other, UPPER_Y]:
        return False
    return not (_are_beside(edges, one, other) or _are_beside(edges, other, one))


@COVERAGE.compiled_work
def _are_beside(edges: Floats, line: int, other: int) -> bool:
    """Tell whether both ends of an edge lie on one side of the line through another edge,
    surely.
    """
    x, y = edges[line, UPPER_X], edges[line, UPPER_Y]
    dx, dy = edges[line, LOWER_X] - x, edges[line, LOWER_Y] - y
    p, q = dx * (edges[other, UPPER_Y] - y), dy * (edges[other, UPPER_X] - x)
    r, s = dx * (edges[other, LOWER_Y] - y), dy * (edges[other, LOWER_X] - x)
    one, another = p - q, r - s
    doubt, doubts = DOUBT * (abs(p) + abs(q)), DOUBT * (abs(r) + abs(s))
    return bool((one > doubt and another > doubts) or (one < -doubt and another < -doubts))
