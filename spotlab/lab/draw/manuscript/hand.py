"""A hand that writes: its letters, the path of its pen, and the nib on the paper."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.extras import cv2, ndimage, optional_module

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
class ScriptLetter:
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
def letter(character: str) -> ScriptLetter:
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
        return ScriptLetter(tuple(np.array(stroke, float) for stroke in given), width)
    if not (character.isascii() and character.isalnum()):
        expected = "expected letters A to Z, figures and . , ; : - – '"
        raise ValueError(f"no hand can write {character!r}; {expected}")
    glyph = _font("futural" if character.isdigit() else "scripts")[character]
    left = float(glyph.left_offset)
    strokes = tuple(np.array(stroke, float) - (left, 0) for stroke in glyph.strokes)
    if character == "d":  # its stem is a downstroke, as of every letter; the font draws it upwards
        strokes = (strokes[0][:-1], np.vstack([strokes[0][-1:], strokes[1]]))
    return ScriptLetter(strokes, float(glyph.char_width))


@cache
def _font(name: str):  # type: ignore[no-untyped-def]
    font = optional_module("HersheyFonts").HersheyFonts()
    font.load_default_font(name)
    return font.all_glyphs


_OTHER_FORM = 0.3  # how often a letter takes its other form


@dataclass(frozen=True)
class LetterHand:
    """Handwriting style of one writer.

    Attributes
    ----------
    seed : int
        Gives the shapes of the letters.
    slant : float
        How far a letter leans to the right, in widths per height.
    breadth : float
        How wide letters are, 1 as in the font.
    tall, deep : float
        How far ascenders and descenders reach, 1 as in the font.
    thick, thin : float
        Width of down- and upstrokes, in units of which small letters are nine high.
    space : float
        Between words, 1 as in the font.
    unsteady : float
        How much letters differ from one time to the next, 1 is usual.
    """

    seed: int
    slant: float = 0.3
    breadth: float = 1.0
    tall: float = 1.0
    deep: float = 1.0
    thick: float = 2.6
    thin: float = 0.65
    space: float = 1.0
    unsteady: float = 1.0

    def once(self, character: str, jitter: float, rng: np.random.Generator) -> ScriptLetter:
        """The letter as it comes out one time."""
        amount = jitter * self.unsteady
        if not amount:
            return letter_shape(self, character, 0)
        form = int(rng.random() < min(1, amount) * _OTHER_FORM)
        shape = letter_shape(self, character, form)
        width, height = np.maximum(0.5, 1 + amount * rng.normal(0, (0.1, 0.07)))
        lean = amount * float(rng.normal(0, 0.06))
        rise = amount * float(rng.normal(0, 0.35))
        strokes = []
        for stroke in shape.strokes:
            x, y = _bent(stroke, 0.3 * amount, rng).T
            up = BASELINE - y
            strokes.append(np.column_stack([x * width + up * lean, BASELINE - up * height + rise]))
        return ScriptLetter(tuple(strokes), shape.width * width)


@lru_cache(2_000)
def letter_shape(hand: LetterHand, character: str, form: int) -> ScriptLetter:
    """The letter as this writer means it, the same every time; form 1 is his other way."""
    model = letter(character)
    rng = np.random.default_rng((hand.seed, zlib.crc32(character.encode()), form))
    breadth = hand.breadth * float(rng.uniform(0.92, 1.08))
    strokes = []
    for stroke in model.strokes:
        x, y = _bent(stroke, 0.62, rng).T
        above, below = np.minimum(y, 0), np.maximum(y - BASELINE, 0)
        y = y + above * (hand.tall - 1) + below * (hand.deep - 1)
        strokes.append(np.column_stack([x * breadth, y]))
    return ScriptLetter(tuple(strokes), model.width * breadth)


def _bent(stroke: Points, amount: float, rng: np.random.Generator) -> Points:
    """A stroke pushed a little here and there; its ends, which join, stay about where they are."""
    # neighbouring corners go together: a hand errs in whole curves, it does not tremble
    pushes = 2.2 * ndimage.gaussian_filter1d(rng.normal(0, amount, stroke.shape), 1.6, axis=0)
    pushes[[0, -1]] *= 0.35
    return np.asarray(stroke + pushes, np.float64)


def make_hand(seed: int) -> LetterHand:
    """The hand with this number; the same every time.

    Examples
    --------
    >>> make_hand(3) == make_hand(3) != make_hand(4)
    True
    """
    rng = np.random.default_rng((seed, 0x4A2D))
    return LetterHand(
        seed,
        slant=float(rng.uniform(0.2, 0.75)),
        breadth=float(rng.uniform(0.82, 1.18)),
        tall=float(rng.uniform(0.8, 1.2)),
        deep=float(rng.uniform(0.7, 1.1)),
        thick=float(rng.uniform(1.6, 3.1)),
        thin=float(rng.uniform(0.5, 0.85)),
        space=float(rng.uniform(0.85, 1.25)),
        unsteady=float(rng.uniform(0.8, 1.2)),
    )


@dataclass(frozen=True, eq=False)
class WordPath:
    """Pen strokes for one word.

    Attributes
    ----------
    strokes : tuple of (K, 2) float
        Points along each stroke in px; x from where the word begins, y downwards from the line.
    width : float
        How far the pen moves on, in px.
    """

    strokes: tuple[Points, ...]
    width: float


def write_word(
    text: str, hand: LetterHand, unit: float, jitter: float, rng: np.random.Generator
) -> WordPath:
    """Write a word.

    Parameters
    ----------
    text : str
        Letters, figures and points, without spaces.
    unit : float
        A ninth of the height of small letters, in px.
    jitter : float
        How much letters differ from one time to the next.

    Raises
    ------
    ValueError
        There is a character that no hand can write.
    """
    # a whole word is written in haste or with care: it leans and stretches
    haste = jitter * hand.unsteady * rng.normal(0, 0.07, 2)
    slant, stretch = hand.slant + float(haste[0]), float(np.exp(haste[1]))
    open_end: Points | None = None  # a stroke that waits for the next letter
    done: list[Points] = []
    x = 0.0
    for character in text:
        once = hand.once(character, jitter, rng)
        strokes = [stroke + np.array([x, 0]) for stroke in once.strokes]
        if open_end is not None:
            starts = [float(np.hypot(*(stroke[0] - open_end[-1]))) for stroke in strokes]
            nearest = int(np.argmin(starts))
            if starts[nearest] < 2.2:
                meeting = (open_end[-1] + strokes[nearest][0]) / 2
                strokes[nearest] = np.vstack([open_end[:-1], [meeting], strokes[nearest][1:]])
            else:
                done.append(open_end)
        x += once.width
        ends = [abs(stroke[-1, 0] - x) + abs(stroke[-1, 1] - JOIN) for stroke in strokes]
        last = int(np.argmin(ends))
        open_end = strokes.pop(last) if ends[last] < 3 and character.islower() else None
        done += strokes
    if open_end is not None:
        done.append(open_end)
    scale = np.array([stretch, 1.0])
    return WordPath(
        tuple(_round(stroke * scale, slant, unit) for stroke in done), x * stretch * unit
    )


def _round(stroke: Points, slant: float, unit: float) -> Points:
    """Points about 1.2 px apart on a smooth curve through the corners, leaning by the slant."""
    up = BASELINE - stroke[:, 1]
    corners = np.column_stack([stroke[:, 0] + up * (0.8 * slant - 0.2), -up]) * unit
    steps = np.hypot(*np.diff(corners, axis=0).T)
    corners = corners[np.concatenate([[True], steps > 1e-6])]
    if len(corners) < 2:
        return np.vstack([corners[:1], corners[:1] + 0.3])
    return _curve(corners, 1.2)


def _curve(corners: Points, step: float) -> Points:
    """Points this far apart on the curve through corners (centripetal Catmull-Rom).

    Barry & Goldman, "A recursive evaluation algorithm for a class of Catmull-Rom splines", 1988;
    the square root of the distances keeps it from swinging out where corners are close together.
    """
    lengths = np.hypot(*np.diff(corners, axis=0).T)
    knots = np.concatenate([[0], np.cumsum(np.sqrt(lengths))])
    gaps = np.diff(knots)[:, None]
    slopes = np.diff(corners, axis=0) / gaps
    tangents = np.empty_like(corners)
    tangents[[0, -1]] = slopes[[0, -1]]
    tangents[1:-1] = (slopes[:-1] * gaps[1:] + slopes[1:] * gaps[:-1]) / (gaps[1:] + gaps[:-1])
    along = np.concatenate([[0], np.cumsum(lengths)])
    places = np.linspace(0, along[-1], max(3, int(np.ceil(along[-1] / step))))
    piece = np.clip(np.searchsorted(along, places, "right") - 1, 0, len(lengths) - 1)
    t = ((places - along[piece]) / lengths[piece])[:, None]
    gap, start, stop = gaps[piece], corners[piece], corners[piece + 1]
    return np.asarray(
        (1 + 2 * t) * (1 - t) ** 2 * start
        + t * (1 - t) ** 2 * gap * tangents[piece]
        + t**2 * (3 - 2 * t) * stop
        + t**2 * (t - 1) * gap * tangents[piece + 1],
        np.float64,
    )


FINE = 3  # how many times finer than the page strokes are drawn
_FRACTION = 4  # binary digits behind the point that the drawing is exact to


@dataclass(frozen=True, eq=False)
class Blot:
    """Ink somewhere on a page.

    Attributes
    ----------
    left, top : int
        Where its upper left corner is on the page.
    ink : (h, w) uint8
        How much of each pixel is ink, 0 to 255.
    """

    left: int
    top: int
    ink: NDArray[np.uint8]


def lay_ink(
    strokes: Sequence[Points], hand: LetterHand, unit: float, wet: float, rng: np.random.Generator
) -> Blot:
    """Ink of strokes.

    Parameters
    ----------
    strokes : sequence of (K, 2) float
        Where the pen goes on the page, in px.
    unit : float
        A ninth of the height of small letters, in px.
    wet : float
        How much ink the pen holds, 0 to 1.
    """
    every = np.vstack(strokes)
    margin = int(np.ceil(hand.thick * unit)) + 2
    left, top = (np.floor(every.min(axis=0)).astype(int) - margin).tolist()
    right, bottom = (np.ceil(every.max(axis=0)).astype(int) + margin).tolist()
    canvas = np.zeros((FINE * (bottom - top), FINE * (right - left)), np.uint8)
    for stroke in strokes:
        widths, greys = _pressed(stroke, hand, unit, wet, rng)
        places = ((stroke - (left, top)) * FINE * 2**_FRACTION).round().astype(int).tolist()
        for start, stop, width, grey in zip(places, places[1:], widths, greys, strict=False):
            cv2.line(canvas, start, stop, grey, width, cv2.LINE_8, _FRACTION)
    size = (right - left, bottom - top)
    return Blot(left, top, np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA)))


def _pressed(
    stroke: Points, hand: LetterHand, unit: float, wet: float, rng: np.random.Generator
) -> tuple[list[int], list[int]]:
    """Width (in fine px) and darkness of the pen at each point of a stroke."""
    moves = np.diff(stroke, axis=0, append=stroke[-1:] * 2 - stroke[-2:-1])
    moves /= np.maximum(np.hypot(*moves.T), 1e-9)[:, None]
    lean = hand.slant * 0.6
    down = np.maximum(moves @ (np.array([-lean, 1.0]) / np.hypot(lean, 1)), 0)
    pressure = ndimage.gaussian_filter1d(down**1.6, max(1.0, unit * 0.8), mode="nearest")
    count = len(stroke)
    strength = 1 + 0.16 * _slow_noise(count, 14 * unit, rng)
    width = (hand.thin + (hand.thick - hand.thin) * pressure) * strength
    # the pen comes down and leaves with little pressure
    end = np.minimum(np.arange(count), np.arange(count)[::-1]) / max(1.0, 1.8 * unit)
    width *= 0.6 + 0.4 * np.minimum(end, 1)
    darkness = wet * (0.8 + 0.25 * pressure) + 0.1 * _slow_noise(count, 9 * unit, rng)
    widths = np.maximum(1, np.round(width * unit * FINE)).astype(int)
    return widths.tolist(), np.clip(255 * darkness, 110, 255).astype(int).tolist()


def _slow_noise(count: int, period: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Noise of unit strength that changes over about this many points."""
    knots = rng.normal(0, 1, int(count / period) + 3)
    return np.interp(np.arange(count) / period + rng.uniform(0, 1), np.arange(len(knots)), knots)
