"""Drawn symbols that nobody has seen, by a shaky hand, in the surroundings that drawings have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.lab.train.symbols.shapes import (
    FINE,
    Line,
    Picture,
    Random,
    cloud,
    letters,
    mark,
    outline,
    resized,
    rulings,
    scanned,
    scribble,
    smooth,
)
from spotlab.spotting.symbols.embedding.network import SIDE, WIDE, view_sides

THIN, THICK = 1.0, 2.2  # pens


@dataclass(frozen=True, eq=False)
class Stroke:
    """One line of a symbol.

    Attributes
    ----------
    path : (N, 2) float
        About from -1 to 1.
    pens : float
        Its width in pens.
    is_filled : bool
    """

    path: Line
    pens: float = THIN
    is_filled: bool = False


@dataclass(frozen=True, eq=False)
class DrawnKind:
    """Properties shared by all symbols of a kind.

    Attributes
    ----------
    strokes : tuple of Stroke
        The outline first, if there is one.
    aspect : float
        Width over height.
    spread : float
        Of the logarithm of the aspect, from one symbol to the next.
    is_written_in : bool
        Whether there is writing inside, another one in each.
    has_outline : bool
    """

    strokes: tuple[Stroke, ...]
    aspect: float = 1.0
    spread: float = 0.1
    is_written_in: bool = False
    has_outline: bool = False

    @property
    def is_filled(self) -> bool:
        """Tell whether no marks are seen inside."""
        return self.has_outline and self.strokes[0].is_filled


def new_kind(random: Random, like: DrawnKind | None = None) -> DrawnKind:
    """Invent a kind of symbols.

    Parameters
    ----------
    random : Generator
    like : DrawnKind, optional
        It gets the same outline, so that the marks inside tell the two apart.
    """
    strokes, aspect, spread, is_written_in = _outlined(random, like)
    has_outline = bool(strokes)
    if has_outline:
        if random.random() < 0.22:
            strokes.append(Stroke(strokes[0].path * random.uniform(0.68, 0.86)))
        marks = int(random.choice(4, p=[0.34, 0.42, 0.16, 0.08]))
        if is_written_in and random.random() < 0.6:
            marks = min(marks, 1)
    else:
        marks = int(random.integers(2, 6))
    for _ in range(marks):
        strokes += _placed_mark(random, is_written_in)
    if random.random() < 0.2:
        at = random.uniform(-0.9, 0.9)
        across = np.array([(-1.0, at), (1, at)])
        strokes.append(Stroke(across if random.random() < 0.5 else across[:, ::-1]))
    if not strokes:
        strokes = [Stroke(scribble(random)) for _ in range(3)]
    return DrawnKind(tuple(strokes), aspect, spread, is_written_in, has_outline)


def _outlined(random: Random, like: DrawnKind | None) -> tuple[list[Stroke], float, float, bool]:
    if like is not None:
        strokes = [like.strokes[0]] if like.has_outline else []
        if strokes and random.random() < 0.35:
            pens = float(random.choice([THIN, THIN, THICK]))
            strokes = [Stroke(strokes[0].path, pens, strokes[0].is_filled)]
        return strokes, like.aspect, like.spread, like.is_written_in
    path, aspect = outline(random)
    spread = abs(random.normal(0, 0.12))
    if path is None:
        return [], aspect, spread, False
    pens = THICK if random.random() < 0.2 else THIN
    is_written_in = aspect > 0.6 and random.random() < 0.3
    stroke = Stroke(path, pens, random.random() < 0.05)
    return [stroke], aspect, spread + 0.15 * is_written_in, is_written_in


def _placed_mark(random: Random, is_written_in: bool) -> list[Stroke]:
    """In the middle, or towards an edge or a corner; beside writing it is small."""
    scale = random.uniform(0.12, 0.55) * (0.5 if is_written_in else 1.0)
    place = np.zeros(2)
    if is_written_in:
        place = np.array([random.choice([-0.75, 0.75, 0.0]), random.choice([-0.7, 0.75])])
    elif random.random() < 0.6:
        place = random.choice([0.0, 0.0, -0.5, 0.5, -0.6, 0.6, 0.75], 2) * (1 - 0.7 * scale)
    is_filled = random.random() < 0.18
    return [
        Stroke(path * scale + place, THIN, is_filled and len(path) > 6) for path in mark(random)
    ]


_SUBPIXELS = 3  # bits
_THIN_PENS, _BOLD_PENS = (0.012, 0.055), (0.07, 0.2)  # in sides of the symbol


@dataclass
class _Drawing:
    """Strokes on their places, and the box of the symbol among them."""

    strokes: list[Stroke]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @property
    def sides(self) -> NDArray[np.float64]:
        return np.maximum(self.high - self.low, 0.15)

    @property
    def size(self) -> float:
        return float(self.sides.max())


def draw(kind: DrawnKind, random: Random, *, bold: bool = False) -> Picture:
    """Draw one symbol of a kind, as a box around it shows it.

    Parameters
    ----------
    kind : DrawnKind
    random : Generator
    bold : bool
        With a pen that is wide beside it, as a letter is written.

    Returns
    -------
    (48, 48) uint8
        0 for paper and 255 for ink.
    """
    shake = abs(random.normal(0.035, 0.025))
    aspect = kind.aspect * np.exp(random.normal(0, kind.spread + 0.06))
    stretch = np.array([np.sqrt(aspect), 1 / np.sqrt(aspect)])
    strokes = [again for stroke in kind.strokes for again in _drawn(stroke, shake, random)]
    if kind.is_written_in:
        strokes += _writing_inside(stretch, random)
    placed = _turned([Stroke(s.path * stretch, s.pens, s.is_filled) for s in strokes], random)
    points = np.vstack([stroke.path for stroke in placed])
    drawing = _Drawing(placed, points.min(0), points.max(0))
    pen = np.exp(random.uniform(*np.log(_BOLD_PENS if bold else _THIN_PENS))) * drawing.size
    drawing.strokes += _touching_lines(drawing, random)
    if random.random() < 0.3:
        drawing.strokes += _neighbours(drawing, random)
    return scanned(_painted(drawing, pen, random), random, few_pixels=bold)


def shaken(path: Line, random: Random, shake: float) -> Line:
    """Draw a line by hand: it wavers, and does not quite end where it should.

    Parameters
    ----------
    path : (N, 2) float
    random : Generator
    shake : float
        How far it strays, in units of the path.
    """
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    length = float(along[-1])
    count = max(int(length / 0.06), 2)
    at = np.linspace(0, length, count)
    fine = np.column_stack([np.interp(at, along, path[:, axis]) for axis in (0, 1)])
    knots = max(int(length / 0.9) + 2, 3)
    strayed = random.normal(0, shake, (knots, 2))
    place = np.linspace(0, knots - 1, count)
    knot = np.minimum(place.astype(np.int64), knots - 2)
    part = (place - knot)[:, None]
    part = part * part * (3 - 2 * part)
    fine += strayed[knot] * (1 - part) + strayed[knot + 1] * part
    if count > 8 and random.random() < 0.4:
        cut = int(random.integers(0, count // 25 + 2))
        fine = fine[cut:] if random.random() < 0.5 else fine[: count - cut]
    return fine


def _drawn(stroke: Stroke, shake: float, random: Random) -> list[Stroke]:
    """A line, sometimes drawn again; thick ones are often several thin ones."""
    often = stroke.pens > 1 and random.random() < 0.6
    pens = 1.2 if often else stroke.pens
    path = shaken(stroke.path, random, shake) + random.normal(0, shake * 0.8, 2)
    lines = [Stroke(path, pens, stroke.is_filled)]
    for _ in range(int(random.integers(1, 4)) if often else 0):
        again = shaken(stroke.path * random.uniform(0.86, 1.04), random, shake * 1.3)
        lines.append(Stroke(again, pens))
    if not stroke.is_filled and random.random() < 0.06:
        lines.append(Stroke(shaken(stroke.path, random, shake), stroke.pens))
    return lines


def _writing_inside(stretch: NDArray[np.float64], random: Random) -> list[Stroke]:
    lines = []
    for _ in range(random.integers(1, 4)):
        written, width = letters(random, int(random.integers(2, 11)))
        scale = min(random.uniform(0.1, 0.32), 1.5 / max(width, 1))
        place = (-width * scale / 2 * random.uniform(0.6, 1.2), random.uniform(-0.5, 0.5))
        lines += [Stroke(line * (scale / stretch) + place, 0.9) for line in written]
    return lines


def _turned(strokes: list[Stroke], random: Random) -> list[Stroke]:
    """Turned and sheared a little, and seen from the side."""
    angle, shear = random.normal(0, (0.05, 0.06))
    turn = np.array([(np.cos(angle), shear - np.sin(angle)), (np.sin(angle), np.cos(angle))])
    tilt = random.normal(0, 0.05, 2)
    seen = []
    for stroke in strokes:
        path = stroke.path @ turn.T
        seen.append(Stroke(path * (1 + path @ tilt)[:, None], stroke.pens, stroke.is_filled))
    return seen


def _touching_lines(drawing: _Drawing, random: Random) -> list[Stroke]:
    """Lines that come from the sides, some with arrow heads."""
    found, size = [], drawing.size
    for _ in range(int(random.choice(5, p=[0.22, 0.28, 0.27, 0.15, 0.08]))):
        axis, end = int(random.integers(2)), int(random.integers(2))
        share = random.uniform(0.15, 0.85) if random.random() < 0.5 else 0.5
        outward = np.zeros(2)
        outward[axis] = 1.0 if end else -1.0
        start = drawing.low + share * drawing.sides
        start[axis] = drawing.high[axis] if end else drawing.low[axis]
        start += outward * random.choice([0, 0, 0, 0.02, 0.06, -0.05]) * size
        outward += random.normal(0, 0.12, 2)
        line = np.array([start, start + outward * size * random.uniform(0.3, 1.2)])
        found.append(Stroke(shaken(line, random, 0.02 * size)))
        if random.random() < 0.5:
            length = random.uniform(0.07, 0.16) * size
            found.append(arrow_head(start, outward * length, is_filled=random.random() < 0.3))
    return found


def arrow_head(tip: NDArray[np.float64], back: NDArray[np.float64], *, is_filled: bool) -> Stroke:
    """Draw the head of an arrow.

    Parameters
    ----------
    tip : (2,) float
    back : (2,) float
        From the tip along its line.
    is_filled : bool
    """
    aside = np.array([-back[1], back[0]]) * 0.6
    corners = [tip + back + aside, tip, tip + back - aside]
    return Stroke(np.array(corners + corners[:1] * is_filled), 1.0, is_filled)


def _neighbours(drawing: _Drawing, random: Random) -> list[Stroke]:
    """Writing above or below, or another outline beside."""
    size, low, high = drawing.size, drawing.low, drawing.high
    if random.random() < 0.5:
        written, _ = letters(random, int(random.integers(3, 9)))
        scale = random.uniform(0.1, 0.22) * size
        above = random.random() < 0.5
        y = low[1] - 0.16 * size - scale / 2 if above else high[1] + 0.12 * size + scale / 2
        left = random.uniform(low[0] - 0.3 * drawing.sides[0], high[0] - 0.2 * drawing.sides[0])
        return [Stroke(line * scale + (left, y), 0.8) for line in written]
    path, _ = outline(random)
    if path is None:
        return []
    beside = random.choice([-1, 1]) * (drawing.sides[0] / 2 + size * random.uniform(0.55, 0.9))
    place = (low + high) / 2 + (beside, random.normal(0, 0.3) * size)
    return [Stroke(path * size / 2 + place)]


def _painted(drawing: _Drawing, pen: float, random: Random) -> Picture:
    """The part of the drawing that a box around the symbol shows, which fits more or less."""
    off = random.normal(0, 0.035 if random.random() < 0.6 else 0.09, (2, 2)) * drawing.sides
    low, high = drawing.low + off[0], drawing.high + off[1]
    middle, sides = (low + high) / 2, np.maximum(high - low, 0.1)
    scale = FINE / (WIDE * view_sides(sides[None])[0])
    width = max(pen * float(np.sqrt(scale.prod())), 1.6)
    picture = np.zeros((FINE, FINE), np.uint8)
    for stroke in drawing.strokes:
        places = ((stroke.path - middle) * scale + FINE / 2) * (1 << _SUBPIXELS)
        line = [places.clip(-30_000, 30_000).astype(np.int32)]
        if stroke.is_filled:
            cv2.fillPoly(picture, line, 255, cv2.LINE_8, _SUBPIXELS)
        thick = max(round(width * stroke.pens * random.uniform(0.85, 1.15)), 1)
        cv2.polylines(picture, line, False, 255, thick, cv2.LINE_8, _SUBPIXELS)
    return picture


def background(random: Random, kinds: Sequence[DrawnKind]) -> Picture:
    """Draw what a box shows that is around no symbol.

    Parameters
    ----------
    random : Generator
    kinds : sequence of DrawnKind
        Of symbols that are drawn beside it, of which it may show parts.

    Returns
    -------
    (48, 48) uint8
    """
    chance = random.random()
    if chance < 0.36:
        return draw(_writing(random), random, bold=random.random() < 0.5)
    if chance < 0.52:
        return draw(_lines(random), random, bold=random.random() < 0.3)
    if chance < 0.6:
        ruled = rulings(random, random.uniform(15, 90), int(random.integers(1, 6)))
        if random.random() < 0.5:
            ruled[random.random(ruled.shape) < random.uniform(0.05, 0.7)] = 0
        return scanned(ruled, random)
    if chance < 0.66:
        spots = cloud(random, random.uniform(2, 25))
        dark = spots > np.quantile(spots, random.uniform(0.3, 0.9))
        return scanned(np.asarray(dark * 255, np.uint8).reshape(FINE, FINE), random)
    if chance < 0.8:
        return _several(random, kinds)
    return _part(draw(kinds[int(random.integers(len(kinds)))], random), random)


def _writing(random: Random) -> DrawnKind:
    number = int(random.choice([1, 1, 1, 2, 3, 5, 8]))
    first, width = letters(random, number)
    scale = 1 / max(width / 2, 0.5)
    lines = [line * scale - (width * scale / 2, 0) for line in first]
    if number > 2 and random.random() < 0.4:
        second, width = letters(random, int(random.integers(2, 10)))
        lines += [line * scale - (width * scale / 2, 1.6 * scale) for line in second]
    return DrawnKind(tuple(Stroke(line) for line in lines))


def _lines(random: Random) -> DrawnKind:
    if random.random() < 0.4:
        angle = random.uniform(0, 2 * np.pi)
        along = np.array([np.cos(angle), np.sin(angle)])
        head = arrow_head(-0.6 * along, 0.8 * along, is_filled=random.random() < 0.3)
        return DrawnKind((head, Stroke(np.array([-0.6 * along, along]))))
    strokes = []
    for _ in range(random.integers(1, 5)):
        straight = random.random() < 0.5
        points = random.uniform(-1, 1, (2 if straight else 3, 2))
        strokes.append(Stroke(points if straight else smooth(points)))
    return DrawnKind(tuple(strokes))


def _several(random: Random, kinds: Sequence[DrawnKind]) -> Picture:
    whole = np.zeros((SIDE, SIDE), np.uint8)
    for _ in range(random.integers(2, 6)):
        side = int(SIDE * random.uniform(0.2, 0.6))
        x, y = random.integers(0, SIDE - side + 1, 2).tolist()
        one = draw(kinds[int(random.integers(len(kinds)))], random)
        place = whole[y : y + side, x : x + side]
        np.maximum(place, resized(one, side, cv2.INTER_AREA), out=place)
    return whole


def _part(picture: Picture, random: Random) -> Picture:
    """A box over a part of a symbol, or over more than it."""
    if random.random() < 0.6:
        side = int(SIDE * random.uniform(0.35, 0.65))
        x, y = random.integers(0, SIDE - side + 1, 2).tolist()
        if random.random() < 0.5:
            cut = picture[y : y + side, x : x + side]
        else:
            cut = picture[:, x : x + side] if random.random() < 0.5 else picture[y : y + side]
        return resized(cut, SIDE, cv2.INTER_LINEAR)
    side = int(SIDE * random.uniform(0.4, 0.7))
    x, y = random.integers(0, SIDE - side + 1, 2).tolist()
    whole = np.zeros((SIDE, SIDE), np.uint8)
    whole[y : y + side, x : x + side] = resized(picture, side, cv2.INTER_AREA)
    return whole
