"""Paints what only one of two runs found, both, or neither, in colours and hatching.

The colours are Okabe and Ito's, which the colour-blind can distinguish; the hatching distinguishes
them in grey. What is false is paler than what is truth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines
from spotlab.imaging import filling
from spotlab.imaging.area_overlay import (
    Hatch,
    Look,
    Looks,
    Pixels,
    paint_areas,
)
from spotlab.imaging.overlay_raster import OverlayRaster, on_raster

FIRST_COLOUR, SECOND_COLOUR = "#E69F00", "#8000CC"
TRUTH_LINE = (
    "#20242a"  # fills tell what was found: an outline in one of their colours would contradict
)
PALE = 0.12  # of the paper, between the lines of what is false


class ComparedKind(IntEnum):
    """What a place is to two runs, A and B: each place is of exactly one kind.

    ``FIRST``, ``SECOND``, ``BOTH``, ``NEITHER``
        Truth that only A found, only B, both, or neither. A place is found where some query
        retrieves truth of its own label.
    ``FALSE_FIRST``, ``FALSE_SECOND``, ``FALSE_BOTH``
        No truth that is looked at, retrieved by A only, by B only, or by both.
    ``NOTHING``
        Neither retrieved nor truth, or ignored.
    """

    NOTHING = 0
    FIRST = 1
    SECOND = 2
    BOTH = 3
    NEITHER = 4
    FALSE_FIRST = 5
    FALSE_SECOND = 6
    FALSE_BOTH = 7

    @property
    def words(self) -> str:
        """The kind in words.

        Examples
        --------
        >>> ComparedKind.FALSE_SECOND.words, ComparedKind.NEITHER.words
        ('only B false', 'neither')
        """
        match self:
            case ComparedKind.FIRST | ComparedKind.FALSE_FIRST:
                words = "only A"
            case ComparedKind.SECOND | ComparedKind.FALSE_SECOND:
                words = "only B"
            case _:
                words = self.name.lower().removeprefix("false_")
        return f"{words} false" if self in FALSE_KINDS else words


TRUTH_KINDS = (ComparedKind.FIRST, ComparedKind.SECOND, ComparedKind.BOTH, ComparedKind.NEITHER)
FALSE_KINDS = (ComparedKind.FALSE_FIRST, ComparedKind.FALSE_SECOND, ComparedKind.FALSE_BOTH)
LOOKS: Looks = (
    (ComparedKind.FIRST, Look(FIRST_COLOUR, Hatch.RISING)),
    (ComparedKind.SECOND, Look(SECOND_COLOUR, Hatch.FALLING, 0.5)),
    (ComparedKind.BOTH, Look("#009E73", Hatch.DOTS)),
    (ComparedKind.NEITHER, Look("#0072B2", Hatch.LEVEL)),
    (ComparedKind.FALSE_FIRST, Look(FIRST_COLOUR, Hatch.UPRIGHT, PALE)),
    (ComparedKind.FALSE_SECOND, Look(SECOND_COLOUR, Hatch.UPRIGHT, PALE)),
    (ComparedKind.FALSE_BOTH, Look("#666666", Hatch.UPRIGHT, PALE)),
)


@dataclass(frozen=True, eq=False)
class ComparedAreas:
    """Truth of one page, and the spots of two runs on it.

    Attributes
    ----------
    truth, first, second : Outlines
        T, N and M outlines by the even-odd rule, in px of the page: the truth that is looked at,
        the spots of run A and those of run B.
    truth_query, first_query, second_query : (T,), (N,) and (M,) int
        Query of each; a spot finds only what is of its own query.
    ignored : Outlines
        I ignored regions: what is ignored for a query is neither retrieved nor truth of it.
    ignored_query : (I,) int
        The query that each one concerns; -1 for all queries.
    """

    truth: Outlines
    first: Outlines
    second: Outlines
    truth_query: NDArray[np.int64]
    first_query: NDArray[np.int64]
    second_query: NDArray[np.int64]
    ignored: Outlines = field(default_factory=lambda: Outlines.of([]))
    ignored_query: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def ignored_of_queries(self) -> tuple[Outlines, NDArray[np.int64]]:
        """The ignored regions once for each query on the page that they concern, and these.

        Returns
        -------
        regions : Outlines
            K outlines in px.
        queries : (K,) int
            The query of each.
        """
        queries = np.unique(
            np.concatenate([self.truth_query, self.first_query, self.second_query])
        ).astype(np.int64)
        of_query, which = np.nonzero(
            (self.ignored_query == queries[:, None]) | (self.ignored_query == -1)
        )
        return self.ignored.take(which), queries[of_query]


def compared_kinds(areas: ComparedAreas, raster: OverlayRaster) -> Pixels:
    """Classify every pixel of an overlay.

    Parameters
    ----------
    areas : ComparedAreas
        Truth and the spots of both runs.
    raster : OverlayRaster
        The pixels.

    Returns
    -------
    (H, W) uint8
        The `ComparedKind` of each pixel, that of its centre.

    Examples
    --------
    Run A finds the left half of a region, run B all of it:

    >>> whole, half = [(0, 0), (4, 0), (4, 2), (0, 2)], [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> query = np.zeros(1, int)
    >>> areas = ComparedAreas(Outlines.of([whole]), Outlines.of([half]), Outlines.of([whole]),
    ...                       query, query, query)
    >>> kinds = compared_kinds(areas, OverlayRaster((1, 0, 0, 1, 0, 0), 5, 2))
    >>> [ComparedKind(kind).words for kind in kinds[0]]
    ['both', 'both', 'only B', 'only B', 'nothing']
    """
    grid = filling.Grid(raster.width, raster.height)
    truth, first, second = (
        filling.spans(on_raster(outlines, raster), query, grid)
        for outlines, query in (
            (areas.truth, areas.truth_query),
            (areas.first, areas.first_query),
            (areas.second, areas.second_query),
        )
    )
    if len(areas.ignored):
        outlines, queries = areas.ignored_of_queries()
        off = filling.spans(on_raster(outlines, raster), queries, grid)
        truth, first, second = (filling.subtract(spans, off) for spans in (truth, first, second))
    found = (filling.intersect(spots, truth) for spots in (first, second))
    sets = [filling.unite(spans.ungrouped()) for spans in (truth, first, second, *found)]
    return _KIND_OF[filling.fill(sets, grid)]


def paint_compared(kinds: Pixels, raster: OverlayRaster, opacity: float = 1.0) -> Pixels:
    """Paint the kinds in their colours and hatchings.

    Parameters
    ----------
    kinds : (H, W) uint8
        What `compared_kinds` returns.
    raster : OverlayRaster
        The pixels.
    opacity : float
        From 0, invisible, to 1.

    Returns
    -------
    (H, W, 4) uint8
        Premultiplied blue, green, red and alpha; all 0 where there is nothing.

    Examples
    --------
    >>> kinds = np.array([[ComparedKind.NOTHING, ComparedKind.FIRST]], np.uint8)
    >>> paint_compared(kinds, OverlayRaster((1, 0, 0, 1, 0, 0), 2, 1))[0, 0].tolist()
    [0, 0, 0, 0]
    """
    return paint_areas(kinds, raster, opacity, LOOKS)


def _kind(truth: bool, first: bool, second: bool, one: bool, other: bool) -> ComparedKind:
    """The kind of a place, from what holds there: what is retrieved, and what is found."""
    if truth:
        of_truth = {
            (True, False): ComparedKind.FIRST,
            (False, True): ComparedKind.SECOND,
            (True, True): ComparedKind.BOTH,
        }
        return of_truth.get((one, other), ComparedKind.NEITHER)
    of_false = {
        (True, False): ComparedKind.FALSE_FIRST,
        (False, True): ComparedKind.FALSE_SECOND,
        (True, True): ComparedKind.FALSE_BOTH,
    }
    return of_false.get((first, second), ComparedKind.NOTHING)


_KIND_OF = np.array(
    [_kind(*(bool(bits >> bit & 1) for bit in range(5))) for bits in range(32)], np.uint8
)
