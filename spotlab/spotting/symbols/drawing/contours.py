"""Finds the primitives of an ink image: the closed contours of its holes and of its components."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.ink import Ink
from spotlab.libraries import spatial
from spotlab.spotting.symbols.drawing.bridging import bridge_lines, draw_bridges, stroke_ends
from spotlab.spotting.symbols.drawing.primitives import Primitives
from spotlab.spotting.symbols.drawing.walls import part_from_walls

Ring = NDArray[np.int32]

BRIDGES = (1.5, 3.0)  # pens: the widest gap that levels 1 and 2 bridge
SYMBOLS = (30.0, 60.0, 120.0)  # pens: what levels 3 to 5 take for the largest side of a symbol

_FRAME = 0.75  # of the page's width and height: what spans more is no symbol
_HOLE = 2.0  # pens: the larger side of the smallest hole, its rim of ink counted
_COMPONENT = 4.0  # pens: the larger side of the smallest component
_SMALLEST = (6.0, 10.0)  # px: the same; what is smaller has no shape, whatever the pen


def find_primitives(ink: Ink, pen: float, mend: bool = True, frames: bool = False) -> Primitives:
    """Find the closed contours of ink: holes first, then components, from top to bottom.

    Parameters
    ----------
    ink : (H, W) bool
        A page's, or a query model's.
    pen : float
        Width of a usual line in px.
    mend : bool
        Find also contours that close only where broken strokes are bridged, as levels 1 and 2, and
        the outlines of what touches walls, as levels 3 to 5. Without, only level 0: closed as
        drawn.
    frames : bool
        Find also contours that span nearly all of the ink's width and height. On a page these are
        frames and whole buildings; in a query model they are the symbol, which has no walls, so
        that levels end at 2.

    Returns
    -------
    Primitives
        Contours of shape (N, 2), in px; none where there is no ink.

    Examples
    --------
    >>> ink = np.zeros((60, 80), bool)
    >>> ink[10:40, 20:60] = True
    >>> ink[13:37, 23:57] = False
    >>> find_primitives(ink, pen=3).contours.bounds.tolist()
    [[22.0, 12.0, 57.0, 37.0], [20.0, 10.0, 59.0, 39.0]]

    Notes
    -----
    Left out are holes below 2 pens and 6 px, components below 4 pens and 10 px (their larger sides:
    specks, full stops), and of higher levels what differs from all contours of lower ones by less
    than half a pen and a twentieth of its area.
    """
    drawn = _trace(ink)
    levels = [_sensible(drawn, ink.shape, pen, frames)]
    for mended in _mended(ink, drawn, pen, not frames) if mend else ():
        known = [ring for level in levels for ring in level]
        levels.append(_new(_sensible(mended, ink.shape, pen, frames), known, pen))
    rings = [ring for level in levels for ring in level]
    of = np.repeat(np.arange(len(levels)), [len(level) for level in levels])
    return Primitives(Outlines.of(rings), of.astype(np.int64))


@dataclass(frozen=True, eq=False)
class _Traced:
    """All contours of an ink image, every pixel of them."""

    holes: list[Ring]
    outer: list[Ring]


def _mended(ink: Ink, drawn: _Traced, pen: float, walls: bool) -> Iterator[_Traced]:
    """The contours of each level above 0."""
    ends = stroke_ends(ink, drawn.holes + drawn.outer, pen)
    whole, traced = ink, drawn
    for gap in BRIDGES:
        del whole  # large pages are not kept twice
        whole = draw_bridges(ink, bridge_lines(ink, ends, pen, gap * pen), pen)
        traced = _trace(whole)
        yield traced
    if not walls:
        return
    for shapes in part_from_walls(whole, traced.holes, pen, [pen * side for side in SYMBOLS]):
        yield _Traced([], _trace(shapes).outer)


def _trace(ink: Ink) -> _Traced:
    contours, tree = cv2.findContours(ink.view(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return _Traced([], [])
    rings = [np.asarray(ring[:, 0], np.int32) for ring in contours]
    is_hole = (tree[0, :, 3] >= 0).tolist()
    return _Traced(
        _sorted([ring for ring, hole in zip(rings, is_hole, strict=True) if hole]),
        _sorted([ring for ring, hole in zip(rings, is_hole, strict=True) if not hole]),
    )


def _sorted(rings: Sequence[Ring]) -> list[Ring]:
    """From top to bottom, whatever order OpenCV has."""
    return sorted(rings, key=lambda ring: (int(ring[0, 1]), int(ring[0, 0]), len(ring)))


def _sensible(traced: _Traced, shape: tuple[int, int], pen: float, frames: bool) -> list[Ring]:
    """Contours that are neither specks nor frames."""
    groups = (
        (traced.holes, max(_HOLE * pen, _SMALLEST[0])),
        (traced.outer, max(_COMPONENT * pen, _SMALLEST[1])),
    )
    sensible = []
    for rings, smallest in groups:
        for ring in rings:
            _, _, width, height = cv2.boundingRect(ring)
            frame = width > _FRAME * shape[1] and height > _FRAME * shape[0]
            if max(width, height) >= smallest and len(ring) > 3 and (frames or not frame):
                sensible.append(ring)
    return sensible


def _new(rings: Sequence[Ring], known: Sequence[Ring], pen: float) -> list[Ring]:
    """Contours that differ from all known ones by half a pen somewhere, or a twentieth in area."""
    if not rings or not known:
        return list(rings)
    old, new = _extent(known), _extent(rings)
    near = spatial.cKDTree(old[:, :4]).query_ball_point(new[:, :4], max(pen / 2, 1), p=np.inf)
    return [
        ring
        for ring, area, others in zip(rings, new[:, 4], near, strict=True)
        if not (np.abs(old[others, 4] - area) <= 0.05 * area).any()
    ]


def _extent(rings: Sequence[Ring]) -> NDArray[np.float64]:
    """(N, 5) left, top, width, height, area in px."""
    return np.array([[*cv2.boundingRect(ring), cv2.contourArea(ring)] for ring in rings])
