"""The pen's width and the closed contours of ink drawn by hand."""

from __future__ import annotations

import numpy as np

from spotlab.imaging.ink import Ink
from spotlab.imaging.stroke_outline import pen_width
from spotlab.spotting.symbols.drawing.contours import Primitives, find_primitives


def frame(size: int = 40, pen: int = 3, margin: int = 20) -> Ink:
    """A square drawn with a pen, its outer side ``size`` px."""
    ink = np.zeros((size + 2 * margin,) * 2, bool)
    stop = margin + size
    ink[margin:stop, margin:stop] = True
    ink[margin + pen : stop - pen, margin + pen : stop - pen] = False
    return ink


def boxes(found: Primitives) -> list[list[float]]:
    return [list(map(float, each)) for each in found.contours.bounds]


def test_a_square_has_its_hole_and_its_outside() -> None:
    ink = frame()
    assert pen_width(ink) == 3
    found = find_primitives(ink, 3.0, mend=False)
    assert boxes(found) == [[22, 22, 57, 57], [20, 20, 59, 59]]
    assert found.level.tolist() == [0, 0]


def test_no_ink_one_pixel_and_nothing_but_ink_have_no_primitive() -> None:
    for ink in (np.zeros((9, 7), bool), np.eye(1, 49, 24, dtype=bool).reshape(7, 7)):
        assert len(find_primitives(ink, pen_width(ink))) == 0
    full = np.ones((50, 60), bool)
    assert len(find_primitives(full, pen_width(full))) == 0
    assert pen_width(np.zeros((9, 7), bool)) == 1


def test_a_broken_square_closes_from_the_level_that_bridges_its_gap() -> None:
    for gap, level in ((0, 0), (3, 1), (4, 1), (5, 2), (9, 2), (10, None)):
        ink = frame(size=60)
        ink[:30, 50 : 50 + gap] = False
        found = find_primitives(ink, 3.0)
        levels = dict(zip(map(tuple, boxes(found)), found.level.tolist(), strict=True))
        assert levels.get((22, 22, 77, 77)) == level, gap
        plain = find_primitives(ink, 3.0, mend=False)
        assert boxes(plain) == boxes(found.take(np.flatnonzero(found.level == 0)))


def test_a_square_at_a_wall_has_its_outside_where_walls_are_parted() -> None:
    for thick in (3, 12):  # a line and a filled wall; the square shares its ink
        ink = np.zeros((400, 500), bool)
        ink[50:91, 200:241] = frame(size=41, margin=0)
        ink[91 - 3 : 88 + thick, 10:490] = True
        plain = find_primitives(ink, 3.0, mend=False)
        assert boxes(plain) == [[202, 52, 238, 88], [10, 50, 489, 87 + thick]]
        found = find_primitives(ink, 3.0)
        assert boxes(found)[:2] == boxes(plain)
        assert boxes(found)[2:] == [[200, 50, 240, 87]]
        assert found.level.tolist() == [0, 0, 3]  # its side is shorter than 30 pens


def test_two_squares_side_by_side_stay_one_symbol() -> None:
    ink = np.zeros((400, 500), bool)
    ink[50:91, 200:241] = frame(size=41, margin=0)
    ink[50:91, 238:279] = frame(size=41, margin=0)
    found = find_primitives(ink, 3.0)
    assert boxes(found) == [[202, 52, 238, 88], [240, 52, 276, 88], [200, 50, 278, 90]]


def test_a_model_is_not_parted() -> None:
    ink = np.zeros((400, 500), bool)
    ink[50:91, 200:241] = frame(size=41, margin=0)
    ink[88:91, 10:490] = True
    assert find_primitives(ink, 3.0).level.tolist() == [0, 0, 3]
    assert find_primitives(ink, 3.0, frames=True).level.tolist() == [0, 0]
