"""Features of regions: how large, full and closed they are, and what runs out of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.drawing.primitives import Primitives

NAMES = (
    "size", "aspect", "fullness", "upright fullness", "turn", "rim", "crossing", "ink", "core",
    "closed", "largest hole", "parts",
)  # fmt: skip
_AROUND = 64  # places along a hull


def region_features(
    ink: Ink, primitives: Primitives, pen: float, hulls: Outlines, frames: Floats
) -> Floats:
    """Compute the features of regions.

    Parameters
    ----------
    ink : (H, W) bool
    primitives : Primitives
        Of the ink.
    pen : float
        Width of a usual line in px.
    hulls : Outlines
        Convex, in px.
    frames : (N, 5) float
        See `spotlab.spotting.symbols.proposals.orientation_histograms.upright_frames`.

    Returns
    -------
    (N, 12) float
        In the order of `NAMES`. size and parts are natural logarithms (of px and of a number), as
        is aspect; turn is the angle to upright over 45 degrees, the others are shares.

    Examples
    --------
    >>> from spotlab.spotting.symbols.proposals.orientation_histograms import upright_frames
    >>> hulls = Outlines.of([[(0, 0), (40, 0), (40, 20), (0, 20)]])
    >>> none = Primitives(Outlines.of([]), np.zeros(0, np.int64))
    >>> rows = region_features(np.ones((50, 50), bool), none, 2.0, hulls, upright_frames(hulls))
    >>> dict(zip(NAMES, rows[0].round(2).tolist()))["fullness"]
    1.0
    """
    areas = np.array([cv2.contourArea(hulls[n].astype(np.float32)) for n in range(len(hulls))])
    boxes = hulls.bounds
    width, height = (boxes[:, 2:] - boxes[:, :2]).T
    sizes = np.log(np.maximum(areas, 1)) / 2
    turn = np.abs((np.rad2deg(frames[:, 4]) + 45) % 90 - 45) / 45
    rim, crossing = _along_rims(ink, hulls, pen)
    closed, largest, parts = _holes_inside(primitives, boxes, areas)
    filled, core = _filled(ink, frames)
    return np.column_stack(
        [
            sizes,
            np.log(frames[:, 2] / frames[:, 3]),
            areas / (frames[:, 2] * frames[:, 3]),
            areas / np.maximum(width * height, 1),
            turn,
            rim,
            crossing,
            filled,
            core,
            closed,
            largest,
            np.log1p(parts),
        ]
    )


def _along_rims(ink: Ink, hulls: Outlines, pen: float) -> tuple[Floats, Floats]:
    """Share of each hull's rim that is ink, and share of what lies just outside that is."""
    count = len(hulls)
    places, outward = np.empty((count, _AROUND, 2)), np.empty((count, _AROUND, 2))
    for number in range(count):
        ring = hulls[number]
        edges = np.roll(ring, -1, axis=0) - ring
        lengths = np.hypot(*edges.T)
        ends = np.cumsum(lengths)
        along = (np.arange(_AROUND) + 0.5) * ends[-1] / _AROUND
        edge = np.searchsorted(ends, along).clip(max=len(ring) - 1)
        part = (along - ends[edge] + lengths[edge]) / np.maximum(lengths[edge], 1e-9)
        places[number] = ring[edge] + part[:, None] * edges[edge]
        normal = np.column_stack([edges[edge, 1], -edges[edge, 0]])
        outward[number] = normal / np.maximum(np.hypot(*normal.T), 1e-9)[:, None]
        middle = ring.mean(0)
        inwards = ((places[number] - middle) * outward[number]).sum(1) < 0
        outward[number][inwards] *= -1
    rim = np.zeros((count, _AROUND), bool)
    for inwards_by in np.linspace(0, 2 * pen + 1, 5):
        rim |= _at(ink, places - outward * inwards_by)
    outside = np.zeros((count, _AROUND), bool)
    for outwards_by in (1.5, pen / 2 + 1.5, pen + 1.5):
        outside |= _at(ink, places + outward * outwards_by)
    return rim.mean(1), outside.mean(1)


def _at(ink: Ink, places: Floats) -> NDArray[np.bool_]:
    height, width = ink.shape
    x, y = np.floor(places).astype(np.int64).transpose(2, 0, 1)
    within = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    is_ink: NDArray[np.bool_] = within & ink[y.clip(0, height - 1), x.clip(0, width - 1)]
    return is_ink


def _filled(ink: Ink, frames: Floats) -> tuple[Floats, Floats]:
    """Shares of ink in the upright boxes around the frames' middles: all of it, and the core."""
    sums = cv2.integral(ink.view(np.uint8), sdepth=cv2.CV_32S)
    height, width = ink.shape
    shares = []
    for share in (0.7, 0.35):
        # of a turned box the part that surely lies inside
        cosine, sine = np.abs(np.cos(frames[:, 4])), np.abs(np.sin(frames[:, 4]))
        reach_x = share / 2 * np.maximum(frames[:, 2] * cosine, frames[:, 3] * sine)
        reach_y = share / 2 * np.maximum(frames[:, 2] * sine, frames[:, 3] * cosine)
        left = np.round(frames[:, 0] - reach_x).astype(np.int64).clip(0, width)
        right = np.round(frames[:, 0] + reach_x).astype(np.int64).clip(0, width)
        top = np.round(frames[:, 1] - reach_y).astype(np.int64).clip(0, height)
        bottom = np.round(frames[:, 1] + reach_y).astype(np.int64).clip(0, height)
        total = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        shares.append(total / np.maximum((right - left) * (bottom - top), 1))
    return shares[0], shares[1]


def _holes_inside(
    primitives: Primitives, boxes: Floats, areas: Floats
) -> tuple[Floats, Floats, Floats]:
    """Share of each region inside closed contours, in the largest of them, and their number."""
    contours = primitives.contours
    count = len(boxes)
    if not len(contours) or not count:
        return np.zeros(count), np.zeros(count), np.zeros(count)
    signed = np.array(
        [cv2.contourArea(contours[n].astype(np.float32), True) for n in range(len(contours))]
    )
    holes = np.flatnonzero((signed > 0) & (primitives.level == 0))
    bounds = contours.bounds[holes]
    inside = (
        (bounds[:, 0] >= boxes[:, :1] - 1)
        & (bounds[:, 1] >= boxes[:, 1:2] - 1)
        & (bounds[:, 2] <= boxes[:, 2:3] + 1)
        & (bounds[:, 3] <= boxes[:, 3:] + 1)
    )
    share = inside * signed[holes]
    total, largest = share.sum(1), share.max(1, initial=0)
    size = np.maximum(areas, 1)
    return np.minimum(total / size, 1.5), np.minimum(largest / size, 1.5), inside.sum(1) * 1.0
