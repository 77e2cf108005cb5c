"""Strokes of script letters: Dr A. V. Hershey's simplex script, and plain figures and points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from spotlab.arrays import Points
from spotlab.extras import optional_module

BASELINE = 9.0  # y of the line that is written on; small letters reach from it up to 0
JOIN = 4.0  # the height at which a letter hands over to the next
SPACE = 11.0

# x to the right from the letter's left side, y downwards, as in the fonts
_POINTS: dict[str, tuple[float, list[list[tuple[float, float]]]]] = {
    ".": (5, [[(1, 8.6), (1.6, 8.4), (1.7, 9), (1.1, 9.1)]]),
    ",": (5, [[(1.6, 8), (2.2, 9), (1.6, 10.6), (0.2, 12.4)]]),
    ";": (5, [[(2.6, 2), (3, 2.4)], [(1.6, 8), (2.2, 9), (1.6, 10.6), (0.2, 12.4)]]),
    ":": (5, [[(2.8, 2), (3.2, 2.4)], [(1, 8.4), (1.6, 8.8)]]),
    "-": (8, [[(1, 5.2), (4, 4.8), (7, 4.9)]]),
    "–": (18, [[(1, 5), (6, 4.6), (12, 5.2), (17, 4.8)]]),
    "'": (3, [[(2.6, -12), (2.6, -10.5), (1.4, -8)]]),
}


@dataclass(frozen=True, eq=False)
class Letter:
    """One letter, in units of which small letters are nine high.

    Attributes
    ----------
    strokes : tuple of (K, 2) float
        x to the right from the left side, y downwards from the top of small letters.
    width : float
        How far the pen moves on.
    """

    strokes: tuple[Points, ...]
    width: float


@cache
def letter(character: str) -> Letter:
    """The letter for a character.

    Raises
    ------
    ValueError
        There is none.

    Examples
    --------
    >>> letter("a").width, len(letter("i").strokes)
    (16.0, 2)
    >>> letter("∑")
    Traceback (most recent call last):
        ...
    ValueError: no hand can write '∑'; expected letters A to Z, figures and . , ; : - – '
    """
    if character in _POINTS:
        width, given = _POINTS[character]
        return Letter(tuple(np.array(stroke, float) for stroke in given), width)
    if not (character.isascii() and character.isalnum()):
        expected = "expected letters A to Z, figures and . , ; : - – '"
        raise ValueError(f"no hand can write {character!r}; {expected}")
    glyph = _font("futural" if character.isdigit() else "scripts")[character]
    left = float(glyph.left_offset)
    strokes = tuple(np.array(stroke, float) - (left, 0) for stroke in glyph.strokes)
    if character == "d":  # its stem is a downstroke, as of every letter; the font draws it upwards
        strokes = (strokes[0][:-1], np.vstack([strokes[0][-1:], strokes[1]]))
    return Letter(strokes, float(glyph.char_width))


@cache
def _font(name: str):  # type: ignore[no-untyped-def]
    font = optional_module("HersheyFonts").HersheyFonts()
    font.load_default_font(name)
    return font.all_glyphs
