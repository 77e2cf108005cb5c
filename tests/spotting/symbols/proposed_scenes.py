"""Drawings of a few symbols, by hand, for the tests of proposals."""

from __future__ import annotations

import cv2
import numpy as np

from spotlab.arrays import Points
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.engine.method import features_of_ink, features_of_model
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures, crop_model
from spotlab.spotting.symbols.proposals.lesson import LabelledExamples

PEN = 3


def box_of(left: float, top: float, width: float, height: float) -> Points:
    right, bottom = left + width, top + height
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)


class Scene:
    """A page on which symbols are drawn; each drawing gives its outline in px."""

    def __init__(self, width: int = 700, height: int = 500) -> None:
        self.canvas = np.zeros((height, width), np.uint8)

    def line(self, *points: tuple[int, int]) -> None:
        cv2.polylines(self.canvas, [np.array(points, np.int32)], False, 1, PEN)

    def table(self, left: int, top: int, upright: bool = False) -> Points:
        """A box with a cross."""
        width, height = (60, 90) if upright else (90, 60)
        right, bottom = left + width, top + height
        self.line((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
        self.line((left, top), (right, bottom))
        self.line((right, top), (left, bottom))
        return box_of(left - 2, top - 2, width + 5, height + 5)

    def sink(self, left: int, top: int, radius: int = 20) -> Points:
        """A box with a circle."""
        right, bottom = left + 70, top + 64
        self.line((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
        cv2.circle(self.canvas, (left + 35, top + 32), radius, 1, PEN)
        return box_of(left - 2, top - 2, 75, 69)

    def bed(self, left: int, top: int, mirrored: bool = False) -> Points:
        """A box with a pillow at one end."""
        right, bottom = left + 120, top + 70
        self.line((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
        start = right - 35 if mirrored else left + 10
        pillow = box_of(start, top + 12, 25, 46).astype(int).tolist()
        self.line(*[(x, y) for x, y in [*pillow, pillow[0]]])
        return box_of(left - 2, top - 2, 125, 75)

    @property
    def ink(self) -> Ink:
        return self.canvas > 0

    @property
    def features(self) -> PageFeatures:
        return features_of_ink(self.ink, [])

    def query(self, label: str, outline: Points) -> QueryFeatures:
        return features_of_model(crop_model(label, self.ink, outline), [])

    def taught(self, *regions: tuple[str, Points], page: str = "one") -> LabelledExamples:
        lessons = LabelledExamples()
        for label, outline in regions:
            lessons = lessons.with_accepted(label, self.query(label, outline), page, outline)
        return lessons


def overlap(first: Points, second: Points) -> float:
    one, other = first.astype(np.float32), second.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(one, other)
    return float(shared / (cv2.contourArea(one) + cv2.contourArea(other) - shared))
