"""All spots of all models on a page, with what is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.coverage import areas, overlapping_bounds, shared_areas
from spotlab.geometry.outlines import Outlines
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures
from spotlab.spotting.symbols.lessons.appearance import (
    GRID,
    PageLook,
    Vectors,
    appearance,
    page_look,
    placement_of,
)

_SCALE, _STRETCH = 0.3, 0.2  # what a scale, a ratio of e cost where the better of two spots stays


@dataclass(frozen=True, eq=False)
class LessonModel:
    """A labelled region that is searched for.

    Attributes
    ----------
    query : QueryFeatures
    label : int
        Number of its label.
    region : int
        Number of the region that it is, of all lessons.
    look : (2, G) float32
        See `spotlab.spotting.symbols.lessons.appearance.appearance`.
    """

    query: QueryFeatures
    label: int
    region: int
    look: Vectors


@dataclass(frozen=True, eq=False)
class ModelSpots:
    """Spots of all models on a page, in no particular but a fixed order.

    Attributes
    ----------
    outlines : Outlines
    model, label : (N,) int
        Numbers of the model and of its label.
    score : (N,) float
        The method's.
    likeness : (N, 2) float
        Correlation of thin lines, and of solid ink, with the model's own.
    scale, stretch : (N,) float
        Absolute logarithm of the scale; difference of those along the two axes.
    look : (N, 2, G) float32
    area : (N,) float
        px².
    """

    outlines: Outlines
    model: Ints
    label: Ints
    score: Floats
    likeness: Floats
    scale: Floats
    stretch: Floats
    look: Vectors
    area: Floats

    def __len__(self) -> int:
        return len(self.score)

    @property
    def merit(self) -> Floats:
        """(N,) what decides between spots at one place."""
        alike = (self.score + self.likeness.mean(1)) / 2
        return np.asarray(alike - _SCALE * self.scale - _STRETCH * self.stretch)

    def take(self, chosen: NDArray[np.int64]) -> ModelSpots:
        """Choose spots.

        Parameters
        ----------
        chosen : (M,) int
            Their numbers, in the order wanted.
        """
        return ModelSpots(
            self.outlines.take(chosen), self.model[chosen], self.label[chosen],
            self.score[chosen], self.likeness[chosen], self.scale[chosen], self.stretch[chosen],
            self.look[chosen], self.area[chosen],
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Pairs of outlines that overlap.

    Attributes
    ----------
    first, second : (K,) int
    iou : (K,) float
        Intersection over union.
    of_first, of_smaller : (K,) float
        Share of the first, and of the smaller of both, that lies in the other.
    """

    first: Ints
    second: Ints
    iou: Floats
    of_first: Floats
    of_smaller: Floats


def overlaps_of(first: Outlines, second: Outlines) -> Overlaps:
    """Find which outlines overlap, and by how much.

    Parameters
    ----------
    first, second : Outlines
        N and M rings in px.

    Examples
    --------
    >>> one = Outlines.of([[(0, 0), (4, 0), (4, 2), (0, 2)]])
    >>> other = Outlines.of([[(2, 0), (4, 0), (4, 2), (2, 2)]])
    >>> pairs = overlaps_of(one, other)
    >>> pairs.iou.tolist(), pairs.of_first.tolist(), pairs.of_smaller.tolist()
    ([0.5], [0.5], [1.0])
    """
    pairs = overlapping_bounds(first, second)
    shared = shared_areas(first, second, pairs)
    one, other = areas(first)[pairs[:, 0]], areas(second)[pairs[:, 1]]
    kept = shared > 0
    shared, one, other = shared[kept], one[kept], other[kept]
    return Overlaps(
        pairs[kept, 0],
        pairs[kept, 1],
        shared / (one + other - shared),
        shared / one,
        shared / np.minimum(one, other),
    )


def find_spots(
    method: SpottingMethod, page: PageFeatures, models: Sequence[LessonModel]
) -> ModelSpots:
    """Spot all models on a page, and look at each place in the frame of its model.

    Parameters
    ----------
    method : SpottingMethod
    page : PageFeatures
    models : sequence of LessonModel
    """
    seen = look_of_page(page)
    rings, numbers, scores, looks, scales = [], [], [], [], []
    for number, model in enumerate(models):
        spots = method.spot(page, model.query)
        outline, half = query_frame(model.query)
        for place in range(len(spots)):
            placement = placement_of(outline, spots.outlines[place])
            rings.append(spots.outlines[place])
            numbers.append(number)
            scores.append(float(spots.scores[place]))
            looks.append(appearance(seen, half, placement))
            scales.append(placement.scales)
    outlines = Outlines.of(rings)
    model_of = np.array(numbers, np.int64)
    look = np.array(looks, np.float32).reshape(len(rings), 2, GRID * GRID)
    own = np.array([models[number].look for number in numbers], np.float32).reshape(look.shape)
    sizes = np.array(scales, np.float64).reshape(-1, 2)
    return ModelSpots(
        outlines,
        model_of,
        np.array([models[number].label for number in numbers], np.int64),
        np.array(scores, np.float64),
        _likeness(look, own),
        np.abs(sizes.mean(1)),
        np.abs(sizes[:, 0] - sizes[:, 1]),
        look,
        areas(outlines),
    )


def _likeness(look: Vectors, own: Vectors) -> Floats:
    """(N, 2) how like two looks are; without any solid ink only the lines count."""
    likeness = np.asarray((look * own).sum(2), np.float64)
    is_thin = ~(look[:, 1].any(1) | own[:, 1].any(1))
    likeness[is_thin, 1] = likeness[is_thin, 0]
    return likeness


def look_of_page(page: PageFeatures) -> PageLook:
    """Thin lines and solid ink of a page, made once.

    Parameters
    ----------
    page : PageFeatures
    """
    return page.cached("look", lambda: page_look(page.ink, page.pen))


def query_frame(query: QueryFeatures) -> tuple[Floats, Floats]:
    """Find the outline of a query and how large it is.

    Parameters
    ----------
    query : QueryFeatures

    Returns
    -------
    outline : (N, 2) float
        In px of the query.
    half : (2,) float
        The halves of its sides; at least 1 px.
    """
    outline = np.asarray(query.outline, np.float64).reshape(-1, 2)
    return outline, np.asarray(np.maximum(np.ptp(outline, axis=0) / 2, 1.0))
