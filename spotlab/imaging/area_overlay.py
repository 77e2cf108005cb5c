"""Paints what was found, taken for another label, false, missed and ignored, with hatching.

The colours are Okabe and Ito's, which the colour-blind can distinguish. As fills, other label
differs from each other kind by at least 20 (ΔE*ab) in deuteranopia. Hatching distinguishes them in
grey. It is fixed to the page, so that it moves with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.geometry.outlines import Outlines
from spotlab.imaging import filling
from spotlab.imaging.filling import Grid
from spotlab.imaging.overlay_raster import OverlayRaster, on_raster

Pixels = NDArray[np.uint8]

PERIOD = 8  # screen px between two lines of a hatching
TINT, LINES = 0.42, 0.95  # how much of the paper tints and lines hide


class AreaKind(IntEnum):
    """What a place is. The kinds divide the page: each place is of exactly one.

    They are tested in the order of `PRECEDENCE`. Of a place where several queries differ, the first
    kind that holds for some query is shown:

    ``FOUND``
        Some query retrieves truth of its own label.
    ``OTHER_LABEL``
        It is retrieved and is truth, but only of labels other than those that retrieve it. It is
        false for the query and, where that label is looked at, missed for the label.
    ``FALSE``
        It is retrieved and no truth of any label.
    ``MISSED``
        It is truth and not retrieved.
    ``IGNORED``
        It is ignored for some query that is looked at, and none of the above. What is ignored for a
        query is neither retrieved nor truth of it, see `spotlab.measures.ignored_area`.
    ``NOTHING``
        Neither retrieved nor truth.
    """

    NOTHING = 0
    FALSE = 1
    MISSED = 2
    FOUND = 3
    OTHER_LABEL = 4
    IGNORED = 5

    @property
    def words(self) -> str:
        """The kind in words.

        Examples
        --------
        >>> AreaKind.OTHER_LABEL.words
        'other label'
        """
        return self.name.lower().replace("_", " ")


PRECEDENCE = (
    AreaKind.FOUND,
    AreaKind.OTHER_LABEL,
    AreaKind.FALSE,
    AreaKind.MISSED,
    AreaKind.IGNORED,
)
COLOURS = {
    AreaKind.FOUND: "#009E73",
    AreaKind.OTHER_LABEL: "#F0E442",
    AreaKind.FALSE: "#D55E00",
    AreaKind.MISSED: "#0072B2",
    AreaKind.IGNORED: "#808080",
}


class Hatch(StrEnum):
    """The lines of a hatching."""

    RISING = "rising"
    FALLING = "falling"
    LEVEL = "level"
    UPRIGHT = "upright"
    CROSSED = "crossed"
    DOTS = "dots"


@dataclass(frozen=True)
class Look:
    """How a kind of area is painted.

    Attributes
    ----------
    colour : str
        Such as "#009E73".
    hatch : Hatch
        The lines of its hatching.
    tint : float
        How much of the paper its colour hides between the lines, in [0, 1].
    """

    colour: str
    hatch: Hatch
    tint: float = TINT


Looks = tuple[tuple[int, Look], ...]
LOOKS: Looks = (
    (AreaKind.FALSE, Look(COLOURS[AreaKind.FALSE], Hatch.RISING)),
    (AreaKind.MISSED, Look(COLOURS[AreaKind.MISSED], Hatch.FALLING)),
    (AreaKind.IGNORED, Look(COLOURS[AreaKind.IGNORED], Hatch.LEVEL, 0.18)),
    (AreaKind.OTHER_LABEL, Look(COLOURS[AreaKind.OTHER_LABEL], Hatch.CROSSED, 0.6)),
    (AreaKind.FOUND, Look(COLOURS[AreaKind.FOUND], Hatch.DOTS)),
)


@dataclass(frozen=True, eq=False)
class PageAreas:
    """Truth and spots of one page.

    Attributes
    ----------
    truth, spots : Outlines
        T and N outlines by the even-odd rule, in px of the page.
    truth_query, spot_query : (T,) and (N,) int
        Query of each; a spot finds only what is of its own query.
    query : int or None
        The only query that is looked at: truth of other labels cannot be missed then. None looks
        at all.
    ignored : Outlines
        I ignored regions; empty by default.
    ignored_query : (I,) int
        The query that each one concerns; -1 for all queries.
    """

    truth: Outlines
    spots: Outlines
    truth_query: NDArray[np.int64]
    spot_query: NDArray[np.int64]
    query: int | None = None
    ignored: Outlines = field(default_factory=lambda: Outlines.of([]))
    ignored_query: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def looked_at(self) -> NDArray[np.bool_]:
        """(I,) which ignored regions concern the query that is looked at, or some query."""
        if self.query is None:
            return np.full(len(self.ignored), True)
        return np.asarray((self.ignored_query == self.query) | (self.ignored_query == -1))

    def ignored_of_queries(self) -> tuple[Outlines, NDArray[np.int64]]:
        """The ignored regions once for each query on the page that they concern.

        Returns
        -------
        outlines : Outlines
            J of them.
        query : (J,) int
            Their queries.
        """
        queries = np.union1d(self.spot_query, self.truth_query).astype(np.int64)
        of_query, which = np.nonzero(
            (self.ignored_query == queries[:, None]) | (self.ignored_query == -1)
        )
        return self.ignored.take(which), queries[of_query]

    @property
    def sought(self) -> NDArray[np.bool_]:
        """(T,) which truth is looked for, and is missed where it is not retrieved."""
        if self.query is None:
            return np.full(len(self.truth), True)
        return np.asarray(self.truth_query == self.query)


def area_kinds(page: PageAreas, raster: OverlayRaster) -> Pixels:
    """Classify every pixel of an overlay.

    Parameters
    ----------
    page : PageAreas
        Truth and spots.
    raster : OverlayRaster
        The pixels.

    Returns
    -------
    (H, W) uint8
        The `AreaKind` of each pixel, that of its centre.

    Examples
    --------
    >>> square, beside = [(1, 1), (3, 1), (3, 3), (1, 3)], [(5, 1), (7, 1), (7, 3), (5, 3)]
    >>> page = PageAreas(Outlines.of([square]), Outlines.of([beside]), np.zeros(1, int),
    ...                  np.zeros(1, int))
    >>> kinds = area_kinds(page, OverlayRaster((1, 0, 0, 1, 0, 0), 8, 4))
    >>> AreaKind(kinds[2, 2]).name, AreaKind(kinds[2, 6]).name, AreaKind(kinds[0, 0]).name
    ('MISSED', 'FALSE', 'NOTHING')
    """
    grid = Grid(raster.width, raster.height)
    spots = filling.spans(on_raster(page.spots, raster), page.spot_query, grid)
    truth = filling.spans(on_raster(page.truth, raster), page.truth_query, grid)
    ignored = page.ignored.take(np.flatnonzero(page.looked_at))
    if len(page.ignored):
        outlines, queries = page.ignored_of_queries()
        off = filling.spans(on_raster(outlines, raster), queries, grid)
        spots, truth = filling.subtract(spots, off), filling.subtract(truth, off)
    off = filling.spans(on_raster(ignored, raster), np.zeros(len(ignored), np.int64), grid)
    sought = truth if page.query is None else truth.of_group(page.query)
    covered = filling.fill(
        [
            filling.unite(spots.ungrouped()),
            filling.unite(truth.ungrouped()),
            filling.unite(sought.ungrouped()),
            filling.unite(filling.intersect(spots, truth).ungrouped()),
            filling.unite(off),
        ],
        grid,
    )
    return np.asarray(cv2.LUT(covered, _KIND_OF), np.uint8)


def paint_areas(
    kinds: Pixels, raster: OverlayRaster, opacity: float = 1.0, looks: Looks = LOOKS
) -> Pixels:
    """Paint the kinds of areas in their colours and hatchings.

    Parameters
    ----------
    kinds : (H, W) uint8
        What `area_kinds` returns.
    raster : OverlayRaster
        The pixels.
    opacity : float
        From 0, invisible, to 1.
    looks : tuple of (int, Look)
        How each kind is painted; others are not.

    Returns
    -------
    (H, W, 4) uint8
        Premultiplied blue, green, red and alpha; all 0 where there is nothing.

    Examples
    --------
    >>> kinds = np.array([[AreaKind.NOTHING, AreaKind.FOUND]], np.uint8)
    >>> paint_areas(kinds, OverlayRaster((1, 0, 0, 1, 0, 0), 2, 1))[0, 0].tolist()
    [0, 0, 0, 0]
    """
    pattern = _pattern(raster.ratio, opacity, raster.width, raster.height, looks)
    period = _period(raster.ratio)
    left, top = (-round(shift) % period for shift in raster.matrix[4:])
    painted = np.zeros((*kinds.shape, 4), np.uint8)
    for area, _ in looks:
        part = pattern[area][top : top + raster.height, left : left + raster.width]
        cv2.copyTo(part, (kinds == area).view(np.uint8), painted)
    return painted


def _kind(retrieved: bool, truth: bool, sought: bool, found: bool, ignored: bool) -> AreaKind:
    """The kind of a place, from what holds there for some query."""
    holds = {
        AreaKind.FOUND: found,
        AreaKind.OTHER_LABEL: retrieved and truth,
        AreaKind.FALSE: retrieved,
        AreaKind.MISSED: sought,
        AreaKind.IGNORED: ignored,
    }
    return next((kind for kind in PRECEDENCE if holds[kind]), AreaKind.NOTHING)


_KIND_OF = np.array(
    [_kind(*(bool(bits >> bit & 1) for bit in range(5))) for bits in range(256)], np.uint8
)


def _period(ratio: float) -> int:
    return max(4, round(PERIOD * ratio))


@lru_cache(maxsize=8)
def _pattern(
    ratio: float, opacity: float, width: int, height: int, looks: Looks
) -> dict[int, Pixels]:
    """Each kind's hatching for a raster of this size, a period larger so that it can be moved."""
    period = _period(ratio)
    line = max(1, round(1.4 * ratio))
    y, x = np.mgrid[:period, :period]
    middle = (period - 1) / 2
    hatched = {
        Hatch.RISING: (x + y) % period < line,
        Hatch.FALLING: (x - y) % period < line,
        Hatch.LEVEL: y % period < line,
        Hatch.UPRIGHT: x % period < line,
        Hatch.CROSSED: ((x + y) % period < line) | ((x - y) % period < line),
        Hatch.DOTS: (abs(x - middle) <= line / 2) & (abs(y - middle) <= line / 2),
    }
    patterns = {}
    for area, look in looks:
        red, green, blue = _rgb(look.colour)
        alpha = np.where(hatched[look.hatch], LINES, look.tint)[..., None] * opacity
        tile = np.rint(alpha * (blue, green, red, 255)).astype(np.uint8)
        times = (height // period + 2, width // period + 2, 1)
        patterns[area] = np.tile(tile, times)
    return patterns


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
