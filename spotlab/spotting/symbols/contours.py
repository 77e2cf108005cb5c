"""Finds the primitives of an ink image: the closed contours of its holes and of its components."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines
from spotlab.imaging.conversion import bands
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.primitives import Primitives

Ring = NDArray[np.int32]

_FRAME = 0.75  # of the page's width and height: what spans more is no symbol
_HOLE = 2.0  # pens: the larger side of the smallest hole, its rim of ink counted
_COMPONENT = 4.0  # pens: the larger side of the smallest component
_LONGEST_RUN = 4096  # px; a longer one counts as this long, which no median sees


def pen_width(ink: Ink) -> float:
    """How wide a usual line is, in px: the median length of all runs of ink, across and down.

    A line has one run for every px of its length, so that long lines count more than short ones
    and filled areas hardly count.

    Parameters
    ----------
    ink : (H, W) bool

    Returns
    -------
    float
        At least 1; 1 where there is no ink.

    Examples
    --------
    >>> ink = np.zeros((40, 40), bool)
    >>> ink[10:13, 5:35] = True
    >>> pen_width(ink)
    3.0
    """
    counts = np.zeros(_LONGEST_RUN + 1, np.int64)
    for image in (ink, ink.T):
        height, width = image.shape
        for top, bottom in bands(width, height):
            counts += _run_lengths(image[top:bottom])
    total = int(counts.sum())
    if not total:
        return 1.0
    below = np.cumsum(counts)
    middle = np.searchsorted(below, [(total - 1) // 2 + 1, total // 2 + 1])
    return float(middle.mean())


def find_primitives(ink: Ink, pen: float, mend: bool = True, frames: bool = False) -> Primitives:
    """The closed contours of the ink, holes first, each in the order of their topmost px.

    Parameters
    ----------
    ink : (H, W) bool
        A page's, or a query model's.
    pen : float
        How wide a usual line is, in px.
    mend : bool
        Also those that close only after broken strokes are bridged and walls taken away.
    frames : bool
        Also those that span nearly all of the ink's width and height. On a page these are frames
        and whole buildings, in a query model they are the symbol.
    """
    del mend
    rings = _closed(ink, pen, frames)
    return Primitives(Outlines.of(rings), np.zeros(len(rings), np.int64))


def _closed(ink: Ink, pen: float, frames: bool) -> list[Ring]:
    """The contours of holes and of components that are neither specks nor frames."""
    found, tree = cv2.findContours(ink.view(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return []
    rings = [np.asarray(ring[:, 0], np.int32) for ring in found]
    holes = [ring for ring, links in zip(rings, tree[0], strict=True) if links[3] >= 0]
    outer = [ring for ring, links in zip(rings, tree[0], strict=True) if links[3] < 0]
    height, width = ink.shape
    span = (np.inf, np.inf) if frames else (_FRAME * width, _FRAME * height)
    return [
        ring
        for group, smallest in ((holes, _HOLE * pen), (outer, _COMPONENT * pen))
        for ring in _sorted(group)
        if _sensible(ring, smallest, span)
    ]


def _sensible(ring: Ring, smallest: float, span: tuple[float, float]) -> bool:
    _, _, width, height = cv2.boundingRect(ring)
    large = bool(width > span[0] and height > span[1])
    return max(width, height) >= smallest and not large and len(ring) > 3


def _sorted(rings: Sequence[Ring]) -> list[Ring]:
    """In the order of their topmost px, of these the leftmost, whatever order OpenCV has."""
    return sorted(rings, key=lambda ring: (int(ring[0, 1]), int(ring[0, 0]), len(ring)))


def _run_lengths(rows: Ink) -> NDArray[np.int64]:
    """(4097,) how many runs have each length."""
    padded = np.zeros((rows.shape[0], rows.shape[1] + 2), np.int8)
    padded[:, 1:-1] = rows
    edges = np.flatnonzero(np.diff(padded.ravel()))
    lengths = np.minimum(edges[1::2] - edges[::2], _LONGEST_RUN)
    return np.bincount(lengths, minlength=_LONGEST_RUN + 1)
