"""The pen's width and the closed contours of ink drawn by hand."""

from __future__ import annotations

import numpy as np

from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.contours import find_primitives, pen_width
from spotlab.spotting.symbols.primitives import Primitives


def frame(size: int = 40, pen: int = 3, margin: int = 20) -> Ink:
    """A square drawn with a pen, its outer side ``size`` px."""
    ink = np.zeros((size + 2 * margin,) * 2, bool)
    ink[margin:-margin, margin:-margin] = True
    ink[margin + pen : -margin - pen, margin + pen : -margin - pen] = False
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
