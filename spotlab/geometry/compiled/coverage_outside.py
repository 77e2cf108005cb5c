"""Parts of a polygon's edges outside other polygons, found with a grid, in machine code."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry.compiled.coverage_edges import (
    BOTTOM,
    CHAIN,
    CHAIN_STOP,
    FIRST,
    FOLLOWING,
    INSIDE,
    LEFT,
    LIVE,
    LOWER_X,
    LOWER_Y,
    NEAR,
    PIECES,
    RIGHT,
    SIDE,
    STOP,
    TOP,
    UPPER_X,
    UPPER_Y,
    locate_chain,
    make_piece,
    share_area,
)
from spotlab.geometry.compiled.coverage_pieces import common_heights, find_turns
from spotlab.geometry.compiled.machine_code import COVERAGE

FINE = 3  # cells across a spot of mean size
MOST = 512  # columns or rows
SMALL = 24  # spots up to which one cell does
MARGIN = 1e-9  # of a cell, that rounding may move a corner by
TOUCHED, CROSSED = 1, 3  # cells of a row that an edge meets, an odd number of times half-way
EMPTY, COVERED = -1, -2  # in place of a cell's first entry
LAST_COLUMN, LAST_ROW, PER_X, PER_Y = range(4)  # of `shape`; cells for each px
BEGIN_X, BEGIN_Y = 4, 5  # where the first cell begins, in px


@COVERAGE.compiled_work
def shape_grid(polygons: Floats, first: int, stop: int, shape: Floats) -> int:
    """Choose the size of cells.

    Parameters
    ----------
    polygons : (P, 11) float
        Table of polygons; see `spotlab.geometry.compiled.coverage_edges`.
    first, stop : int
        Which of them are the spots.
    shape : (6,) float
        Takes the last column, the last row, cells for each px of x and y, and where they begin.

    Returns
    -------
    int
        Number of cells.

    Examples
    --------
    A hundred squares of 10 px, one beside the other:

    >>> left = 10.0 * np.arange(100)
    >>> squares = np.stack([left, 0 * left, left + 10, 0 * left + 10], axis=1)
    >>> shape = np.empty(6)
    >>> shape_grid.py_func(squares, 0, 100, shape)
    900
    >>> shape.tolist()
    [299.0, 2.0, 0.3, 0.3, 0.0, 0.0]
    """
    count, width, height = 0, 0.0, 0.0
    left, top, right, bottom = np.inf, np.inf, -np.inf, -np.inf
    for place in range(first, stop):
        if polygons[place, LEFT] <= polygons[place, RIGHT]:
            count += 1
            left, top = min(left, polygons[place, LEFT]), min(top, polygons[place, TOP])
            right, bottom = max(right, polygons[place, RIGHT]), max(bottom, polygons[place, BOTTOM])
            width += polygons[place, RIGHT] - polygons[place, LEFT]
            height += polygons[place, BOTTOM] - polygons[place, TOP]
    columns = rows = 1
    if count > SMALL:
        if width > 0:
            columns = int(min(max(FINE * (right - left) * count / width, 1), MOST))
        if height > 0:
            rows = int(min(max(FINE * (bottom - top) * count / height, 1), MOST))
    shape[LAST_COLUMN], shape[LAST_ROW], shape[BEGIN_X], shape[BEGIN_Y] = (
        columns - 1,
        rows - 1,
        left,
        top,
    )
    shape[PER_X] = columns / (right - left) if right > left else 1.0
    shape[PER_Y] = rows / (bottom - top) if bottom > top else 1.0
    return columns * rows


@COVERAGE.compiled_work
def cell_range(
    polygons: Floats, place: int, shape: Floats, margin: float
) -> tuple[int, int, int, int]:
    """Columns and rows of the grid that a polygon's bounds meet.

    Parameters
    ----------
    polygons, shape
        See `shape_grid`.
    place : int
        Which polygon.
    margin : float
        Share of a cell that is added to the bounds.

    Returns
    -------
    first_column, first_row, last_column, last_row : int

    Examples
    --------
    The second square of `shape_grid`:

    >>> square = np.array([[10.0, 0.0, 20.0, 10.0]])
    >>> shape = np.array([299.0, 2.0, 0.3, 0.3, 0.0, 0.0])
    >>> cell_range.py_func(square, 0, shape, 0.0)
    (3, 0, 6, 2)
    """
    return (
        int(
            min(
                max((polygons[place, LEFT] - shape[BEGIN_X]) * shape[PER_X] - margin, 0.0),
                shape[LAST_COLUMN],
            )
        ),
        int(
            min(
                max((polygons[place, TOP] - shape[BEGIN_Y]) * shape[PER_Y] - margin, 0.0),
                shape[LAST_ROW],
            )
        ),
        int(
            min(
                max((polygons[place, RIGHT] - shape[BEGIN_X]) * shape[PER_X] + margin, 0.0),
                shape[LAST_COLUMN],
            )
        ),
        int(
            min(
                max((polygons[place, BOTTOM] - shape[BEGIN_Y]) * shape[PER_Y] + margin, 0.0),
                shape[LAST_ROW],
            )
        ),
    )


@COVERAGE.compiled_work
def find_near(
    polygons: Floats, place: int, shape: Floats, cells: Ints, entries: Ints, seen: Ints, near: Ints
) -> tuple[int, int, int]:
    """List the stored spots whose bounds share area with those of a spot.

    Parameters
    ----------
    polygons, place, shape
        See `cell_range`.
    cells : (C,) int
        First entry of each cell, -1 for none, `COVERED`.
    entries : (S, 2) int
        A stored spot, and the next entry of the cell.
    seen : (P,) int
        For which spot each one was last looked at.
    near : (P,) int
        Takes the spots.

    Returns
    -------
    count : int
        How many they are.
    covered, cells : int
        Number of covered cells that the bounds meet, and of all.
    """
    first_column, first_row, last_column, last_row = cell_range(polygons, place, shape, 0.0)
    columns, count, covered = int(shape[LAST_COLUMN]) + 1, 0, 0
    for row in range(first_row, last_row + 1):
        for cell in range(row * columns + first_column, row * columns + last_column + 1):
            entry = cells[cell]
            if entry == COVERED:
                covered += 1
            while entry >= 0:
                other, entry = entries[entry, 0], entries[entry, 1]
                if seen[other] != place:
                    seen[other] = place
                    if share_area(polygons, place, polygons, other):
                        near[count] = other
                        count += 1
    return count, covered, (last_row - first_row + 1) * (last_column - first_column + 1)


@COVERAGE.compiled_work
def enter_spot(
    polygons: Floats, place: int, shape: Floats, cells: Ints, entries: Ints, used: int
) -> int:
    """Store a spot in the cells that its bounds meet.

    Parameters
    ----------
    polygons, place, shape, cells, entries
        See `find_near`.
    used : int
        Number of entries.

    Returns
    -------
    int
        Number of entries afterwards; more than there is room for if they do not all fit.
    """
    first_column, first_row, last_column, last_row = cell_range(polygons, place, shape, MARGIN)
    columns = int(shape[LAST_COLUMN]) + 1
    for row in range(first_row, last_row + 1):
        for cell in range(row * columns + first_column, row * columns + last_column + 1):
            if cells[cell] != COVERED:
                if used < len(entries):
                    entries[used, 0], entries[used, 1] = place, cells[cell]
                    cells[cell] = used
                used += 1
    return used


@COVERAGE.compiled_inline
def find_covered(edges: Floats, edge: int, shape: Floats, cells: Ints, hidden: Floats) -> int:
    """Find the stretches of an edge that lie in covered cells.

    Parameters
    ----------
    edges, edge
        See `spotlab.geometry.compiled.coverage_pieces.find_turns`.
    shape, cells
        See `find_near`.
    hidden : (2 H,) float
        Takes the heights at which they begin and end, rising, in px.

    Returns
    -------
    int
        How many stretches.
    """
    a, b = edges[edge, UPPER_X], edges[edge, UPPER_Y]
    c, d = edges[edge, LOWER_X], edges[edge, LOWER_Y]
    columns, width, height = int(shape[LAST_COLUMN]) + 1, 1 / shape[PER_X], 1 / shape[PER_Y]
    left, top = shape[BEGIN_X], shape[BEGIN_Y]
    first = _index(b - top, shape[PER_Y], shape[LAST_ROW])
    last = _index(d - top, shape[PER_Y], shape[LAST_ROW])
    count, is_covered = 0, False
    for row in range(first, last + 1):
        y = b if row == first else top + row * height
        end = d if row == last else top + (row + 1) * height
        column = _index(a - left + (c - a) * ((y - b) / (d - b)), shape[PER_X], shape[LAST_COLUMN])
        goal = _index(a - left + (c - a) * ((end - b) / (d - b)), shape[PER_X], shape[LAST_COLUMN])
        step = 1 if goal >= column else -1
        while True:
            if (cells[row * columns + column] == COVERED) != is_covered:
                hidden[2 * count + is_covered] = y
                count += is_covered
                is_covered = not is_covered
            if column == goal:
                break
            line = left + width * (column + 1 if step > 0 else column)
            y = max(y, min(end, b + (d - b) * ((line - a) / (c - a))))
            column += step
    if is_covered:
        hidden[2 * count + 1] = d
        count += 1
    return count


@COVERAGE.compiled_inline
def _index(place: float, cells: float, last: float) -> int:
    return int(min(max(place * cells, 0.0), last))


@COVERAGE.compiled_work
def mark_covered(
    points: Floats,
    offsets: Ints,
    ring: int,
    left: float,
    top: float,
    polygons: Floats,
    place: int,
    shape: Floats,
    cells: Ints,
    marks: Ints,
) -> None:
    """Mark the cells that lie wholly in a spot.

    Parameters
    ----------
    points, offsets, ring, left, top
        See `spotlab.geometry.compiled.coverage_edges.add_edges`.
    polygons, place, shape, cells
        See `find_near`.
    marks : (C,) int
        Memory for as many columns as the grid has.
    """
    first_column, first_row, last_column, last_row = cell_range(polygons, place, shape, MARGIN)
    columns, height = int(shape[LAST_COLUMN]) + 1, 1 / shape[PER_Y]
    start, stop = offsets[ring], offsets[ring + 1]
    if last_column - first_column < 2:
        return
    for row in range(first_row + 1, last_row):
        for column in range(first_column, last_column + 1):
            marks[column] = 0
        low = shape[BEGIN_Y] + (row - MARGIN) * height
        high = shape[BEGIN_Y] + (row + 1 + MARGIN) * height
        x, y = points[stop - 1, 0] - left, points[stop - 1, 1] - top
        for corner in range(start, stop):
            u, v = x, y
            x, y = points[corner, 0] - left, points[corner, 1] - top
            if max(v, y) >= low and min(v, y) <= high:
                _mark_edge(u, v, x, y, low, high, first_column, last_column, shape, marks)
        is_inside = False
        for column in range(first_column, last_column + 1):
            if marks[column] == 0 and is_inside:
                cells[row * columns + column] = COVERED
            is_inside = is_inside != (marks[column] == CROSSED)


@COVERAGE.compiled_inline
def _mark_edge(
    u: float,
    v: float,
    x: float,
    y: float,
    low: float,
    high: float,
    first: int,
    last: int,
    shape: Floats,
    marks: Ints,
) -> None:
    """Mark the columns that an edge meets in a row, and where it crosses the row's middle."""
    begin, end = u, x
    middle = 0.5 * (low + high)
    is_crossing = (v <= middle) != (y <= middle)
    at = u
    if v != y:
        slope = (x - u) / (y - v)
        begin = u + slope * (min(max(v, low), high) - v)
        end = u + slope * (min(max(y, low), high) - v)
        at = u + slope * (middle - v)
    lowest = int(max((min(begin, end) - shape[BEGIN_X]) * shape[PER_X] - MARGIN, first))
    highest = int(min((max(begin, end) - shape[BEGIN_X]) * shape[PER_X] + MARGIN, last))
    for column in range(lowest, highest + 1):
        marks[column] |= TOUCHED
    if is_crossing:
        marks[min(max(int((at - shape[BEGIN_X]) * shape[PER_X]), lowest), highest)] ^= (
            CROSSED ^ TOUCHED
        )


@COVERAGE.compiled_work
def start_pieces(
    edges: Floats, polygons: Floats, place: int, pieces: Floats, turns: Floats
) -> None:
    """Make each edge of a polygon one piece, or pieces of either sign if its boundary meets itself.

    Parameters
    ----------
    edges, polygons, pieces : (…, 9), (…, 11) and (…, 4) float
        The tables; see `spotlab.geometry.compiled.coverage_edges`.
    place : int
        The polygon.
    turns : (2 E,) float
        Memory for as many heights as E edges of a polygon may have.
    """
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        polygons[chain, LIVE], last = -1, -1
        for edge in range(int(polygons[chain, FIRST]), int(polygons[chain, STOP])):
            last = _start_edge(edges, polygons, place, chain, edge, last, 0, turns, pieces, turns)


@COVERAGE.compiled_inline
def start_pieces_outside(
    edges: Floats,
    polygons: Floats,
    place: int,
    near: Ints,
    found: int,
    covered: int,
    shape: Floats,
    cells: Ints,
    pieces: Floats,
    turns: Floats,
    hidden: Floats,
) -> bool:
    """Make pieces of what lies outside of other polygons and of covered cells.

    Parameters
    ----------
    edges, polygons, place, pieces, turns
        See `start_pieces`.
    near : (P,) int
        The other polygons; they are put into another order.
    found : int
        How many they are.
    covered : int
        How many cells that the bounds meet are covered.
    shape, cells
        See `spotlab.geometry.compiled.coverage_outside.find_near`.
    hidden : (2 H,) float
        Memory for as many hidden stretches as an edge may have.

    Returns
    -------
    bool
        Whether there is any piece.
    """
    is_any = False
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        polygons[chain, LIVE], last = -1, -1
        around, looked_at = 0, 0
        for edge in range(int(polygons[chain, FIRST]), int(polygons[chain, STOP])):
            count = find_covered(edges, edge, shape, cells, hidden) if covered else 0
            top, bottom, at = edges[edge, UPPER_Y], edges[edge, LOWER_Y], 0
            while True:
                if count:
                    if hidden[0] <= top:
                        top = hidden[1]
                    if hidden[2 * count - 1] >= bottom:
                        bottom = hidden[2 * count - 2]
                if at == around and top < bottom:
                    around, looked_at = _find_next(polygons, chain, near, around, looked_at, found)
                if at >= around or top >= bottom:
                    break
                count = _hide(edges, edge, polygons, near[at], top, bottom, count, hidden, turns)
                at += 1
            if around < 0:
                break
            if top < bottom:
                last = _start_edge(
                    edges, polygons, place, chain, edge, last, count, hidden, pieces, turns
                )
            elif at > 1:  # most likely the last one hides the next edge, too
                near[0], near[at - 1] = near[at - 1], near[0]
        is_any |= last >= 0
    return is_any


@COVERAGE.compiled_inline
def _find_next(
    polygons: Floats, chain: int, near: Ints, around: int, looked_at: int, found: int
) -> tuple[int, int]:
    """Put the next one that a chain is near to behind the others that it is near to.

    Returns how many they are, or -1 if the chain is inside another, and how many were looked at.
    """
    while looked_at < found:
        other = near[looked_at]
        where = locate_chain(polygons, chain, other)
        if where == INSIDE:
            return -1, looked_at
        looked_at += 1
        if where == NEAR:
            near[looked_at - 1], near[around] = near[around], other
            return around + 1, looked_at
    return around, looked_at


@COVERAGE.compiled_inline
def _hide(
    edges: Floats,
    edge: int,
    polygons: Floats,
    other: int,
    top: float,
    bottom: float,
    count: int,
    hidden: Floats,
    turns: Floats,
) -> int:
    """Add what a polygon hides of an edge; return how many stretches are hidden."""
    begin, end = common_heights(edges, edge, polygons, other, top, bottom)
    if begin < end:
        turned, is_inside = find_turns(edges, edge, polygons, other, begin, end, turns)
        for turn in range(0 if is_inside else 1, turned + 1, 2):
            low, high = turns[turn - 1] if turn else begin, turns[turn] if turn < turned else end
            count = _add_stretch(hidden, count, low, high)
    return count


@COVERAGE.compiled_inline
def _add_stretch(hidden: Floats, count: int, top: float, bottom: float) -> int:
    """Add a stretch to those that rise, and merge it with those that it meets."""
    first = count
    while first > 0 and hidden[2 * first - 1] >= top:
        first -= 1
    after = first
    while after < count and hidden[2 * after] <= bottom:
        after += 1
    if first == after:
        for at in range(2 * count - 1, 2 * first - 1, -1):
            hidden[at + 2] = hidden[at]
    else:
        top, bottom = min(top, hidden[2 * first]), max(bottom, hidden[2 * after - 1])
        less = 2 * (after - first - 1)
        if less:
            for at in range(2 * after, 2 * count):
                hidden[at - less] = hidden[at]
    hidden[2 * first], hidden[2 * first + 1] = top, bottom
    return count + 1 - (after - first)


@COVERAGE.compiled_inline
def _start_edge(
    edges: Floats,
    polygons: Floats,
    place: int,
    chain: int,
    edge: int,
    last: int,
    count: int,
    hidden: Floats,
    pieces: Floats,
    turns: Floats,
) -> int:
    """Make pieces of what is not hidden; return the last edge that has pieces."""
    top, bottom, side = edges[edge, UPPER_Y], edges[edge, LOWER_Y], edges[edge, SIDE]
    turned, is_right, following = 0, side > 0, 0
    if side == 0:
        turned, is_right = find_turns(edges, edge, polygons, place, top, bottom, turns)
    for at in range(turned, -1, -1):
        begin, end = turns[at - 1] if at else top, turns[at] if at < turned else bottom
        sign = 1.0 if is_right != (at % 2 == 1) else -1.0
        for stretch in range(count - 1, -1, -1):
            low, high = hidden[2 * stretch], hidden[2 * stretch + 1]
            if high <= begin:
                break
            if high < end:
                following = make_piece(pieces, high, end, sign, following)
            end = min(end, low)
        if begin < end:
            following = make_piece(pieces, begin, end, sign, following)
    edges[edge, PIECES], edges[edge, FOLLOWING] = following, -1
    if following == 0:
        return last
    if last < 0:
        polygons[chain, LIVE] = edge
    else:
        edges[last, FOLLOWING] = edge
    return edge
