"""How well a template lies on a page: by machine code, or by numpy where numba is missing.

Both give the same to the last bit or nearly. Importing numba takes half a second, so that it waits
until something is searched.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry import machine_code
from spotlab.spotting.symbols.alignment import chamfer_reference

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Map = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Fit:
    """All that is needed to score poses of a template on a small page.

    Attributes
    ----------
    strokes : (h, w) uint32
        See `spotlab.spotting.symbols.drawing.strokes.pack`.
    points, blanks : (N, 2), (B, 2) float
        x, y of the template's points and of places without ink, in its px from its middle.
    turns : (N,) int
        The directions of the points, of 64.
    weights : (N,) float
        What they count.
    shrink : (2,) float
        Px of the small page per px of the template, across and down.
    unlike : (6,) float
        The coverage that chance gives, how much ink inked blanks are per ink of the template, and
        what a scale and a ratio of e cost; what a point is worth, of 1, that has a stroke of its
        direction at 1 px, and up to 3 px.
    """

    strokes: Map
    points: Floats
    turns: Ints
    weights: Floats
    blanks: Floats
    shrink: Floats
    unlike: Floats


def rate(fit: Fit, poses: Floats) -> Floats:
    """(N,) scores of poses, 0 to 1: coverage above chance, less for ink that is not explained.

    Parameters
    ----------
    poses : (N, 6) float
        See `spotlab.spotting.symbols.alignment.poses`.
    """
    parts = _parts(fit)
    if not machine_code.is_installed():
        return chamfer_reference.rate(*parts, poses)
    from spotlab.spotting.symbols.alignment import chamfer_kernels  # noqa: PLC0415

    return chamfer_kernels.rate(*parts, poses)


def settle(fit: Fit, poses: Floats, steps: Floats, rounds: int) -> tuple[Floats, Floats]:
    """Poses moved to where they score best nearby, and their scores.

    Parameters
    ----------
    steps : (7,) float
        How far a pose goes at first, at most three times in a row: in x and y, in px, by how much
        it turns, and by how much the logarithms of its scales change, both at once or so that one
        of its four sides stays; last the halves of the template's sides, in small px.
    rounds : int
        How often the steps are tried and then halved.
    """
    parts = _parts(fit)
    if not machine_code.is_installed():
        return chamfer_reference.settle(*parts, poses, steps, rounds)
    from spotlab.spotting.symbols.alignment import chamfer_kernels  # noqa: PLC0415

    return chamfer_kernels.settle(*parts, poses, steps, rounds)


def probe(strokes: Map, places: Ints, offsets: Ints, masks: Map, least: Ints) -> Ints:
    """(A, 2) which of the shapes lies best at each place, -1 for none, and how many points fit.

    Parameters
    ----------
    strokes : (h, w) uint32
    places : (A, 2) int
        x, y of the small page.
    offsets : (L, K, 2) int
        The points of each shape, as x, y from the place; the first is the place itself.
    masks : (L, K) uint32
        Bits of which a point needs one in order to fit.
    least : (K,) int
        A shape is given up as soon as fewer of its points up to this one fit.
    """
    if not machine_code.is_installed():
        return chamfer_reference.probe(strokes, places, offsets, masks, least)
    from spotlab.spotting.symbols.alignment import chamfer_kernels  # noqa: PLC0415

    return chamfer_kernels.probe(strokes, places, offsets, masks, least)


def _parts(fit: Fit) -> tuple[Map, Floats, Ints, Floats, Floats, Floats, Floats]:
    return fit.strokes, fit.points, fit.turns, fit.weights, fit.blanks, fit.shrink, fit.unlike
