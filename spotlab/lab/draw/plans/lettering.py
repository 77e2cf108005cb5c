"""Capital letters as a draughtsman writes them: strokes on a grid 4 wide and 6 high."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Points

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
    """How wide a text of this height is, in the same unit.

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
