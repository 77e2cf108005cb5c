"""Pages with one symbol laid, turned, scaled, mirrored, broken or at a wall, for alignment."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import shapely
from shapely.ops import substring

from spotlab.arrays import Points
from spotlab.spotting.symbols.engine.method import features_of_ink, features_of_model
from spotlab.spotting.symbols.engine.page_features import (
    QueryFeatures,
    QuerySpots,
    SymbolModel,
    draw_model,
)
from spotlab.spotting.symbols.methods import methods

PEN = 4
WIDTH, HEIGHT = 900, 700
# a sink, say: nothing in it is symmetrical
BOX = [(0, 0), (150, 0), (150, 90), (0, 90), (0, 0)]
BASIN = [(12, 12), (80, 12), (80, 70), (12, 70), (12, 12)]
TAP = [(30, 70), (30, 84), (60, 84)]
RIBS = [[(x, 20), (x, 60)] for x in (100, 115, 130)]
STROKES = [BOX, BASIN, TAP, *RIBS]


@cache
def model() -> SymbolModel:
    return draw_model("sink", STROKES, PEN)


def query(name: str = "e") -> QueryFeatures:
    return features_of_model(model(), [methods()[name]])


def moved(
    points: Points, x: float, y: float, turn: float = 0, scale: float = 1, mirrored: bool = False
) -> Points:
    """Points of a stroke, turned by degrees about the middle of the symbol, that comes to x, y."""
    angle = np.deg2rad(turn)
    across = np.array([np.cos(angle), np.sin(angle)]) * (-scale if mirrored else scale)
    down = np.array([-np.sin(angle), np.cos(angle)]) * scale
    centred = np.asarray(points, np.float64) - (75, 45)
    return np.asarray(centred @ np.array([across, down]) + (x, y))


def broken(stroke: Points, every: float, gap: float) -> list[Points]:
    """Its pieces where the pen loses contact again and again."""
    line = shapely.LineString(stroke)
    starts = np.arange(0, line.length, every)
    pieces = [
        substring(line, start, min(start + every - gap, line.length)) for start in starts.tolist()
    ]
    return [np.array(piece.coords) for piece in pieces if len(piece.coords) > 1]


def page(*symbols: list[Points], pen: int = PEN) -> np.ndarray:
    """(H, W) bool ink of strokes."""
    canvas = np.zeros((HEIGHT, WIDTH), np.uint8)
    for symbol in symbols:
        for stroke in symbol:
            ring = np.round(np.asarray(stroke) * 8).astype(np.int32)
            cv2.polylines(canvas, [ring], False, 255, pen, cv2.LINE_8, 3)
    return np.asarray(canvas > 0)


def spotted(ink: np.ndarray, name: str = "e", mend: bool = True) -> QuerySpots:
    method = methods()[name]
    return method.spot(features_of_ink(ink, [method], mend), query(name))


def overlap(found: QuerySpots, where: Points) -> float:
    """Intersection over union of what was found best and the box around the symbol."""
    if not len(found):
        return 0.0
    one = shapely.convex_hull(shapely.Polygon(found.outlines[0]))
    other = shapely.Polygon(where).buffer(PEN / 2)
    return float(one.intersection(other).area / one.union(other).area)
