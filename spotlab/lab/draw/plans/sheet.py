"""Elements drawn around a plan: dimensions, title block, scale bar, north arrow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.lab.draw.plans.layout import BuildingPlan
from spotlab.lab.draw.plans.options import FloorPlanOptions
from spotlab.lab.draw.plans.strokes import Rect, arc, box, line, path, turned

# strokes are parted by "|"; a point is its x and its y, 00 at the top left
_GLYPHS = {
    "A": "06 20 46|14 34",
    "B": "06 00 30 41 42 33 03|33 44 45 36 06",
    "C": "41 30 10 01 05 16 36 45",
    "D": "00 06 26 44 42 20 00",
    "E": "40 00 06 46|03 33",
    "F": "40 00 06|03 33",
    "G": "41 30 10 01 05 16 36 45 43 23",
    "H": "00 06|40 46|03 43",
    "I": "20 26",
    "J": "40 45 36 16 05",
    "K": "00 06|40 03 46",
    "L": "00 06 46",
    "M": "06 00 23 40 46",
    "N": "06 00 46 40",
    "O": "10 30 41 45 36 16 05 01 10",
    "P": "06 00 30 41 42 33 03",
    "Q": "10 30 41 45 36 16 05 01 10|34 46",
    "R": "06 00 30 41 42 33 03|23 46",
    "S": "41 30 10 01 02 13 33 44 45 36 16 05",
    "T": "00 40|20 26",
    "U": "00 05 16 36 45 40",
    "V": "00 26 40",
    "W": "00 16 23 36 40",
    "X": "00 46|40 06",
    "Y": "00 23 40|23 26",
    "Z": "00 40 06 46",
    "0": "10 30 41 45 36 16 05 01 10",
    "1": "11 20 26",
    "2": "01 10 30 41 42 06 46",
    "3": "00 40 23 33 44 45 36 16 05",
    "4": "36 30 04 44",
    "5": "40 00 03 33 44 45 36 06",
    "6": "30 10 01 05 16 36 45 44 33 03",
    "7": "00 40 16",
    "8": "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
    "9": "43 13 02 01 10 30 41 45 36 16",
    ".": "15 16",
    ":": "11 12|15 16",
    "-": "13 33",
    "/": "06 40",
    " ": "",
}
ADVANCE = 6.0  # grid units from one letter to the next


def text_width(text: str, height: float) -> float:
    """Tell how wide a text of this height is, in the same unit.

    Examples
    --------
    >>> text_width("WC", 6)
    10.0
    """
    return max(0.0, (len(text) * ADVANCE - 2) * height / 6)


def lettering(text: str, x: float, y: float, height: float) -> list[Points]:
    """Strokes of a text whose top left corner is (x, y); unknown characters leave a space.

    Examples
    --------
    >>> [stroke.tolist() for stroke in lettering("L", 10, 20, 6)]
    [[[10.0, 20.0], [10.0, 26.0], [14.0, 26.0]]]
    """
    strokes = []
    for i, character in enumerate(text.upper()):
        for part in filter(None, _GLYPHS.get(character, "").split("|")):
            grid = np.array([(int(p[0]) + i * ADVANCE, int(p[1])) for p in part.split()])
            strokes.append(grid * height / 6 + (x, y))
    return strokes


def dimensions(
    design: BuildingPlan, extent: Rect, scale: float, origin: NDArray[np.float64], unit: float
) -> list[Points]:
    """Chains of dimensions above and to the left of the plan, in px, numbers in cm."""
    rooms = [room.rect for room in design.rooms]
    first_y, first_x = min(r.top for r in rooms), min(r.left for r in rooms)
    across = sorted({x for r in rooms if r.top < first_y + 1 for x in (r.left, r.right)})
    down = sorted({y for r in rooms if r.left < first_x + 1 for y in (r.top, r.bottom)})
    return [
        *_chains(across, scale, origin[0], unit, extent.top),
        *_upright(_chains([-y for y in down[::-1]], scale, -origin[1], unit, extent.left)),
    ]


def _chains(
    values: Sequence[float], scale: float, origin: float, unit: float, edge: float
) -> list[Points]:
    """One chain with the parts, and beyond it one with the whole if there are parts."""
    strokes: list[Points] = []
    for level, ends in enumerate([values, [values[0], values[-1]]][: len(values) - 1]):
        away = edge - unit * (2.6 + 2.9 * level)
        places = [value * scale + origin for value in ends]
        strokes += [np.add(stroke, (0, away)) for stroke in _chain(places, ends, unit)]
    return strokes


def _upright(strokes: list[Points]) -> list[Points]:
    """Read from the right: along such a chain x runs up the page."""
    return [turned(stroke, 270) for stroke in strokes]


def _chain(places: Sequence[float], values: Sequence[float], unit: float) -> list[Points]:
    """A dimension line along x with slanted ticks and a number in each of its parts."""
    tick, height = 0.5 * unit, 0.95 * unit
    strokes = [line(places[0] - tick, 0, places[-1] + tick, 0)]
    strokes += [line(p - tick, tick, p + tick, -tick) for p in places]
    strokes += [line(p, -tick, p, 1.6 * unit) for p in places]
    for (start, stop), (low, high) in zip(pairwise(places), pairwise(values), strict=True):
        number = f"{abs(high - low):.0f}"
        wide = text_width(number, height)
        if wide < stop - start - 2 * tick:
            strokes += lettering(number, (start + stop - wide) / 2, -height - 0.5 * unit, height)
    return strokes


def title_block(
    options: FloorPlanOptions, unit: float, scale: float, rng: np.random.Generator
) -> list[Points]:
    """A frame with a title at the bottom right, a scale bar and a north arrow at the left."""
    right, bottom = options.width - 2.5 * unit, options.height - 2.5 * unit
    wide, high = 34 * unit, 5.4 * unit
    left, top = right - wide, bottom - high
    floor = str(rng.choice(["GROUND FLOOR", "FIRST FLOOR", "SECOND FLOOR", "TYPICAL FLOOR"]))
    sheet_number = int(rng.integers(1, 30))
    strokes = [
        box(left, top, right, bottom),
        line(left, top + high / 2, right, top + high / 2),
        line(left + 0.66 * wide, top, left + 0.66 * wide, bottom),
    ]
    rows = ((floor, f"A-{sheet_number:02d}"), ("FLOOR PLAN", "1:100"))
    for i, row in enumerate(rows):
        for text, x in zip(row, (left + unit, left + 0.66 * wide + unit), strict=True):
            strokes += lettering(text, x, top + i * high / 2 + 0.85 * unit, unit)
    return strokes + _scale_bar(3 * unit, bottom, unit, scale) + _north(3 * unit, bottom, unit)


def _scale_bar(left: float, bottom: float, unit: float, scale: float) -> list[Points]:
    metre = 100 * scale
    x = left + 7 * unit
    strokes = [
        box(x + i * metre, bottom - 0.8 * unit, x + (i + 1) * metre, bottom) for i in range(4)
    ]
    strokes += [
        line(x + i * metre, bottom - 0.4 * unit, x + (i + 1) * metre, bottom - 0.4 * unit)
        for i in (0, 2)
    ]
    for i in (0, 2, 4):
        strokes += lettering(str(i), x + i * metre - 0.3 * unit, bottom - 2.2 * unit, 0.9 * unit)
    return strokes


def _north(left: float, bottom: float, unit: float) -> list[Points]:
    x, y, r = left + 2 * unit, bottom - 2 * unit, 1.8 * unit
    return [
        arc(x, y, r),
        path(
            (x - 0.5 * r, y + 0.7 * r),
            (x, y - r),
            (x + 0.5 * r, y + 0.7 * r),
            (x, y + 0.35 * r),
            (x - 0.5 * r, y + 0.7 * r),
        ),
        *lettering("N", x - 0.3 * unit, y - r - 1.3 * unit, 0.9 * unit),
    ]
