"""All spots of all models on a page, with what is known of each."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.extras import cv2
from spotlab.geometry.coverage import areas, overlapping_bounds, shared_areas
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures, QuerySpots

Vectors = NDArray[np.float32]

GRID = 36  # places across and down at which a model's surroundings are looked at
MARGIN = 0.25  # of the longer side: how much around a model is looked at
_REDUCED = 2.0  # as much smaller than the page is what is looked at, for a pen of
_PEN = 1.5  # px; for wider pens more
_BLUR = 2.0  # reduced px
_SOLID = 4.5  # pens: ink that is wider is solid
_LEAST = 1e-3  # length below which a vector is of nothing


@dataclass(frozen=True, eq=False)
class PageLook:
    """Thin lines and solid ink of a page, blurred, each for itself.

    Walls are so much darker than what is drawn between them that lines would not count otherwise.

    Attributes
    ----------
    thin, solid : (h, w) float32
        Shares of ink, 0 to 1, of a page that is smaller.
    shrink : (2,) float
        Reduced px per px of the page, across and down.
    """

    thin: Vectors
    solid: Vectors
    shrink: Floats


@dataclass(frozen=True, eq=False)
class Placement:
    """Position, scale and orientation of a model on a page.

    Attributes
    ----------
    matrix : (2, 2) float
        Takes offsets from the model's middle, in its px, to offsets on the page.
    middle : (2,) float
        Where the model's middle lies, in px of the page.
    """

    matrix: Floats
    middle: Floats

    @property
    def scales(self) -> Floats:
        """(2,) logarithms of the scales along the model's two axes."""
        return np.asarray(np.log(np.maximum(np.linalg.norm(self.matrix, axis=0), 1e-6)))


def page_look(ink: Ink, pen: float) -> PageLook:
    """Part the ink of a page into thin lines and solid ink.

    Parameters
    ----------
    ink : (H, W) bool
    pen : float
        Width of a usual line in px.

    Examples
    --------
    >>> ink = np.zeros((40, 80), bool)
    >>> ink[5:35, 10:40] = ink[20, 50:70] = True
    >>> look = page_look(ink, pen=1)
    >>> look.thin.shape, bool(look.solid[10, 12] > look.solid[10, 30] < look.thin[10, 30])
    ((20, 40), True)
    """
    height, width = ink.shape
    factor = _REDUCED * max(pen / _PEN, 1.0)
    size = max(round(width / factor), 1), max(round(height / factor), 1)
    if not ink.size:
        nothing = np.zeros((1, 1), np.float32)
        return PageLook(nothing, nothing, np.ones(2))
    side = 2 * round((_SOLID * pen + 0.5) / 2) + 1
    drawn = ink.view(np.uint8)
    solid = np.asarray(
        cv2.morphologyEx(drawn, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), np.uint8
    )
    around = np.asarray(cv2.dilate(solid, np.ones((3, 3), np.uint8)), np.uint8)
    shrink = np.array(size) / (width, height)
    return PageLook(_blurred(drawn & (1 - around), size), _blurred(solid, size), shrink)


def _blurred(ink: NDArray[np.uint8], size: tuple[int, int]) -> Vectors:
    small = cv2.resize(ink.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), _BLUR), np.float32)


def placement_of(model: Floats, outline: Floats) -> Placement:
    """Find how a model lies where its outline is known.

    Parameters
    ----------
    model : (N, 2) float
        The model's outline, in px of the model.
    outline : (M, 2) float
        The same outline on the page. If it does not have as many corners, or is not the model's
        under any affine map, the model's bounding box is laid onto that of the outline.

    Examples
    --------
    >>> box = np.array([(0, 0), (4, 0), (4, 2), (0, 2)], float)
    >>> placement = placement_of(box, box * [2, 1] + [10, 20])
    >>> placement.middle.round(3).tolist(), np.exp(placement.scales).round(3).tolist()
    ([14.0, 21.0], [2.0, 1.0])
    """
    low, high = model.min(0), model.max(0)
    offsets = model - (low + high) / 2
    if len(model) == len(outline) and len(model) >= 3:
        known = np.column_stack([offsets, np.ones(len(model))])
        solved, _, rank, _ = np.linalg.lstsq(known, outline, rcond=None)
        off = np.abs(known @ solved - outline).max()
        if rank == 3 and off < 0.05 * np.ptp(outline, axis=0).max() + 1:
            return Placement(solved[:2].T, solved[2])
    there, end = outline.min(0), outline.max(0)
    return Placement(
        np.diag((end - there) / np.maximum(high - low, 1e-6)), np.asarray((there + end) / 2)
    )


def appearance(look: PageLook, half: Floats, placement: Placement) -> Vectors:
    """Describe a place in the frame of a model: first its thin lines, then its solid ink.

    Parameters
    ----------
    look : PageLook
    half : (2,) float
        The halves of the model's sides, in its px.
    placement : Placement

    Returns
    -------
    (2, GRID²) float32
        Of unit length each, and 0 on average: their products are correlations.
    """
    reach = half + MARGIN * half.max()
    steps = (np.arange(GRID) + 0.5) / GRID * 2 - 1
    offsets = np.stack(np.meshgrid(steps * reach[0], steps * reach[1]), -1).reshape(-1, 2)
    places = (offsets @ placement.matrix.T + placement.middle) * look.shrink - 0.5
    x, y = places.T.astype(np.float32)
    vectors = np.stack(
        [
            cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).ravel()
            for part in (look.thin, look.solid)
        ]
    )
    vectors -= vectors.mean(1, keepdims=True)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, _LEAST), np.float32)


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
        See `spotlab.spotting.symbols.lessons.model_spots.appearance`.
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
class OutlineOverlaps:
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


def overlaps_of(first: Outlines, second: Outlines) -> OutlineOverlaps:
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
    return OutlineOverlaps(
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
    rings, numbers, scores, looks, scales = [], [], [], [], []
    for number, model in enumerate(models):
        known = page.cached(f"spots of {method.name}", dict[bytes, _Spots])
        key = query_key(model.query)
        if key not in known:
            known[key] = _spots_of(method, page, model.query)
        spots, look, scale = known[key]
        rings += [spots.outlines[place] for place in range(len(spots))]
        numbers += [number] * len(spots)
        scores += spots.scores.tolist()
        looks += look
        scales += scale
    outlines = Outlines.of(rings)
    model_of = np.array(numbers, np.int64)
    seen = np.array(looks, np.float32).reshape(len(rings), 2, GRID * GRID)
    own = np.array([models[number].look for number in numbers], np.float32).reshape(seen.shape)
    sizes = np.array(scales, np.float64).reshape(-1, 2)
    return ModelSpots(
        outlines,
        model_of,
        np.array([models[number].label for number in numbers], np.int64),
        np.array(scores, np.float64),
        _likeness(seen, own),
        np.abs(sizes.mean(1)),
        np.abs(sizes[:, 0] - sizes[:, 1]),
        seen,
        areas(outlines),
    )


def query_key(query: QueryFeatures) -> bytes:
    """Compute what is equal for queries that look the same.

    Parameters
    ----------
    query : QueryFeatures
    """

    def make() -> bytes:
        outline = np.ascontiguousarray(query.outline, np.float64).tobytes()
        return hashlib.sha256(query.features.ink.tobytes() + outline).digest()

    return query.features.cached("key", make)


_Spots = tuple[QuerySpots, list[Vectors], list[Floats]]


def _spots_of(method: SpottingMethod, page: PageFeatures, query: QueryFeatures) -> _Spots:
    """The spots of a query, how each place looks, and at which scales the query lies there."""
    seen, spots = look_of_page(page), method.spot(page, query)
    outline, half = query_frame(query)
    placed = [placement_of(outline, spots.outlines[place]) for place in range(len(spots))]
    return spots, [appearance(seen, half, each) for each in placed], [p.scales for p in placed]


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
