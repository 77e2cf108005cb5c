"""The areas of a page in words and figures, as the legend and the report's pages write them."""

from __future__ import annotations

import base64
from functools import cache
from io import BytesIO
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.imaging.overlay import (
    LOOKS,
    PERIOD,
    PRECEDENCE,
    AreaKind,
    Looks,
    OverlayRaster,
    paint_areas,
)
from spotlab.studies.tally.page_view import SUM_OVER_QUERIES, AreaSums

FINE = 4.0  # pixels of a hatching per px of the screen, so that it can be enlarged
SWATCH = 32  # pixels of a swatch's side, twice what is shown
MEANINGS = {
    AreaKind.FOUND: "retrieved, on truth of its own label",
    AreaKind.OTHER_LABEL: "retrieved, and truth only of another label",
    AreaKind.FALSE: "retrieved, no truth of any label",
    AreaKind.MISSED: "truth that is not retrieved",
    AreaKind.IGNORED: "left out of evaluation, whether it is retrieved or not",
}
EXPLAINED = (
    "Areas on this page as they are painted, each place once, exactly and in px². A sum over "
    "queries counts a place once for each query: area that several queries retrieve, or that is "
    "truth of several labels, counts several times."
)


class AreaRow(NamedTuple):
    """One kind.

    Attributes
    ----------
    kind : AreaKind
    cells : tuple of str
        Its figures.
    """

    kind: AreaKind
    cells: tuple[str, ...]


class AreaTable(NamedTuple):
    """The kinds of areas with their figures.

    Attributes
    ----------
    head : tuple of str
        Names of the columns.
    rows : tuple of AreaRow
    """

    head: tuple[str, ...]
    rows: tuple[AreaRow, ...]


def shown_kinds(ignored: bool) -> tuple[AreaKind, ...]:
    """The kinds to name, in the order of `PRECEDENCE`; ignored area only where there is some.

    Parameters
    ----------
    ignored : bool
        Whether there is ignored area.

    Examples
    --------
    >>> [kind.words for kind in shown_kinds(False)]
    ['found', 'other label', 'false', 'missed']
    """
    return tuple(kind for kind in PRECEDENCE if ignored or kind is not AreaKind.IGNORED)


def area_table(sums: AreaSums) -> AreaTable:
    """Write the areas as a table; sums over queries have a column where they differ.

    Parameters
    ----------
    sums : AreaSums

    Returns
    -------
    AreaTable
        A row for each kind, in the order of `PRECEDENCE`; for ignored area only if there is some.

    Examples
    --------
    >>> areas = dict.fromkeys(PRECEDENCE, 0.0) | {AreaKind.FALSE: 20.0}
    >>> table = area_table(AreaSums(areas, areas | {AreaKind.FALSE: 30.0}, 200.0))
    >>> table.head
    ('as painted', 'of page', 'sum over queries')
    >>> table.rows[2].kind.words, table.rows[2].cells
    ('false', ('20 px²', '10.0 %', '30 px²'))
    """
    kinds = shown_kinds(sums.has_ignored)
    several = any(sums.differs(kind) for kind in kinds)
    head = ("as painted", "of page", *([SUM_OVER_QUERIES] if several else []))
    return AreaTable(head, tuple(AreaRow(kind, _cells(sums, kind, several)) for kind in kinds))


def _cells(sums: AreaSums, kind: AreaKind, several: bool) -> tuple[str, ...]:
    share = sums.share(kind)
    cells = [f"{sums.painted[kind]:,.0f} px²", "–" if share is None else f"{100 * share:.1f} %"]
    if several:
        differs = sums.differs(kind)
        cells.append(f"{sums.over_queries[kind]:,.0f} px²" if differs else "the same")
    return tuple(cells)


@cache
def swatch_png(kind: int, looks: Looks = LOOKS) -> str:
    """A square of the kind's colour and hatching on paper, as a PNG in base 64."""
    kinds = np.full((SWATCH, SWATCH), kind, np.uint8)
    raster = OverlayRaster((1, 0, 0, 1, 0, 0), SWATCH, SWATCH, 2.0)
    painted = paint_areas(kinds, raster, looks=looks)
    paper = 255.0 - painted[..., 3:].astype(np.float64)
    pixels = np.rint(paper + painted[..., :3]).astype(np.uint8)
    return _png(pixels[..., ::-1])


@cache
def hatch_png(kind: AreaKind) -> str:
    """A period of the kind's hatching, which the paper is seen through, as a PNG in base 64."""
    side = round(FINE * PERIOD)
    kinds = np.full((side, side), kind, np.uint8)
    painted = paint_areas(kinds, OverlayRaster((1, 0, 0, 1, 0, 0), side, side, FINE))
    alpha = np.maximum(painted[..., 3:], 1).astype(np.float64)
    colours = np.rint(255.0 * painted[..., 2::-1] / alpha).astype(np.uint8)
    return _png(np.dstack([colours, painted[..., 3:]]))


def _png(pixels: NDArray[np.uint8]) -> str:
    png = BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(png, "PNG", optimize=True)
    return base64.b64encode(png.getvalue()).decode()
