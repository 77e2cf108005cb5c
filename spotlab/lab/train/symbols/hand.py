"""Draws symbols with a shaky hand, in the surroundings that drawings have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.lab.train.symbols.kinds import Kind, Stroke
from spotlab.lab.train.symbols.paper import FINE, Picture, scanned
from spotlab.lab.train.symbols.shapes import Line, Random, letters, outline
from spotlab.spotting.symbols.embedding.pictures import WIDE, view_sides

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


def draw(kind: Kind, random: Random, *, bold: bool = False) -> Picture:
    """Draw one symbol of a kind, as a box around it shows it.

    Parameters
    ----------
    kind : Kind
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
