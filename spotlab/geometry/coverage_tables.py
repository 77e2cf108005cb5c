"""Tables that machine code works in, and the polygons in them.

They are few arrays of numbers with many columns, because every array that is handed on costs time.
"""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry.machine_code import COVERAGE

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
    """Whether the bounds of two polygons share area.

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
    """Whether the bounds of two polygons or chains have a point in common.

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
    """Whether there was no room for a piece, so that what was computed is wrong.

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
