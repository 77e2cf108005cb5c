"""Fit of a template to a page, computed by machine code, or by numpy where numba is missing.

Both give the same to the last bit or nearly. Importing numba takes half a second, so that it waits
until something is searched.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.compiled.machine_code import is_installed
from spotlab.spotting.symbols.alignment import chamfer_reference

StrokeMap = NDArray[np.uint32]
Channels = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class TemplateFit:
    """All that is needed to score poses of a template on a small page.

    Attributes
    ----------
    strokes : (h, w) uint32
        See `spotlab.spotting.symbols.drawing.strokes.pack`.
    points : (N, 2) float
        x, y of the template's points, in its px from its middle.
    directions : (N,) int
        Of the points, of 64 over half a turn.
    weights : (N,) float
        How much each point counts.
    blanks : (B, 2) float
        Places without ink, like ``points``.
    shrink : (2,) float
        px of the small page per px of the template, across and down.
    costs : (8,) float
        The coverage that chance gives; how much ink inked blanks are per ink of the template; what
        a scale and a ratio of e cost; what a point is worth, of 1, that has a stroke of its
        direction at 1 px, and at up to 3 px; how much each side's scale counts in the whole.

    Examples
    --------
    A point whose stroke the page has exactly there:

    >>> strokes = np.zeros((9, 9), np.uint32)
    >>> strokes[4, 4] = 0xFFFFFF
    >>> fit = TemplateFit(strokes, np.zeros((1, 2)), np.zeros(1, int), np.ones(1),
    ...                   np.zeros((0, 2)), np.ones(2),
    ...                   np.array([0.25, 0, 0.5, 0.35, 0.7, 0.3, 0.5, 0.5]))
    """

    strokes: StrokeMap
    points: Floats
    directions: Ints
    weights: Floats
    blanks: Floats
    shrink: Floats
    costs: Floats


def score_poses(fit: TemplateFit, poses: Floats) -> Floats:
    """Score poses roughly: by few points, and 0 where the first of them do not fit.

    Parameters
    ----------
    fit : TemplateFit
    poses : (N, 6) float
        See `spotlab.spotting.symbols.alignment.stroke_alignment`.

    Returns
    -------
    (N,) float
        0 to 1: coverage above chance, less for ink that the template does not explain.

    Examples
    --------
    >>> strokes = np.zeros((9, 9), np.uint32)
    >>> strokes[4, 4] = 0xFFFFFF
    >>> fit = TemplateFit(strokes, np.zeros((1, 2)), np.zeros(1, int), np.ones(1),
    ...                   np.zeros((0, 2)), np.ones(2),
    ...                   np.array([0.25, 0, 0.5, 0.35, 0.7, 0.3, 0.5, 0.5]))
    >>> score_poses(fit, np.array([[4.5, 4.5, 0, 0, 0, 1], [1.5, 1.5, 0, 0, 0, 1]])).round(3)
    array([1., 0.])
    """
    parts = _parts(fit)
    if not is_installed():
        return chamfer_reference.score_poses(*parts, poses)
    from spotlab.spotting.symbols.alignment import chamfer_kernels  # noqa: PLC0415

    return chamfer_kernels.score_poses(*parts, poses)


def refine_poses(
    fit: TemplateFit, poses: Floats, steps: Floats, rounds: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Move poses to where they score best nearby.

    Parameters
    ----------
    fit : TemplateFit
    poses : (N, 6) float
        See `spotlab.spotting.symbols.alignment.stroke_alignment`.
    steps : (7,) float
        How far a pose goes at first, at most three times in a row: in x and y, in px, by how much
        it turns, in radians, and by how much the logarithms of its scales change, both at once or
        so that one of its four sides stays; last the halves of the template's sides, in small px.
    rounds : (int, int)
        The steps are tried, each time half as long, from the first of these rounds, 0 for steps of
        full length, to before the last.

    Returns
    -------
    poses : (N, 6) float
    scores : (N,) float
        0 to 1, by all points.

    Examples
    --------
    >>> strokes = np.zeros((9, 9), np.uint32)
    >>> strokes[4, 4] = 0xFFFFFF
    >>> fit = TemplateFit(strokes, np.zeros((1, 2)), np.zeros(1, int), np.ones(1),
    ...                   np.zeros((0, 2)), np.ones(2),
    ...                   np.array([0.25, 0, 0.5, 0.35, 0.7, 0.3, 0.5, 0.5]))
    >>> steps = np.array([1, 1, 0.1, 0.1, 0.1, 2, 2])
    >>> poses, scores = refine_poses(fit, np.array([[2.5, 4.5, 0, 0, 0, 1]]), steps, rounds=(0, 2))
    >>> scores  # nothing was near enough to be found
    array([0.])
    """
    parts = _parts(fit)
    if not is_installed():
        return chamfer_reference.refine_poses(*parts, poses, steps, *rounds)
    from spotlab.spotting.symbols.alignment import chamfer_kernels  # noqa: PLC0415

    return chamfer_kernels.refine_poses(*parts, poses, steps, *rounds)


def match_shapes(
    nearby: Channels, anchors: Ints, starts: Channels, offsets: Ints, masks: Channels,
    min_fitting: Ints,
) -> Ints:  # fmt: skip
    """Find the shape that lies best at each anchor.

    Parameters
    ----------
    nearby : (h, w) uint8
        A bit for each direction of the strokes within 3 px of each place.
    anchors : (A, 2) int
        x, y of the small page, in px.
    starts : (A,) uint8
        A bit for each direction of the stroke at an anchor itself.
    offsets : (L, K, 2) int
        The points of each shape, as x, y from the anchor; the first is the anchor itself.
    masks : (L, K) uint8
        Bits of which a point needs one in order to fit.
    min_fitting : (K,) int
        A shape is given up as soon as fewer of its points up to this one fit.

    Returns
    -------
    (A, 2) int
        Number of the shape, -1 for none, and how many of its points fit.

    Examples
    --------
    >>> nearby = np.array([[0, 0, 2]], np.uint8)
    >>> offsets = np.array([[[0, 0], [2, 0]]])
    >>> masks = np.array([[1, 2]], np.uint8)
    >>> starts = np.array([1, 0], np.uint8)
    >>> anchors = np.array([[0, 0], [1, 0]])
    >>> match_shapes(nearby, anchors, starts, offsets, masks, np.array([1, 2]))
    array([[ 0,  2],
           [-1, -1]])
    """
    parts = nearby, anchors, starts, offsets, masks, min_fitting
    if not is_installed():
        return chamfer_reference.match_shapes(*parts)
    from spotlab.spotting.symbols.alignment import chamfer_kernels  # noqa: PLC0415

    return chamfer_kernels.match_shapes(*parts)


def choose_distinct(poses: Floats, radius: float, turn: float, count: int) -> Ints:
    """Choose poses that are not like any chosen before.

    Parameters
    ----------
    poses : (N, 6) float
        Best first; see `spotlab.spotting.symbols.alignment.stroke_alignment`.
    radius : float
        Small px within which poses are alike,
    turn : float
        if they differ by less than this angle, in radians, and both are mirrored or both are not.
    count : int
        How many to choose at most.

    Returns
    -------
    (M,) int
        Their numbers, rising.

    Examples
    --------
    >>> poses = np.zeros((3, 6))
    >>> poses[:, 0] = [0, 1, 50]
    >>> choose_distinct(poses, radius=3, turn=0.5, count=9).tolist()
    [0, 2]
    """
    if not is_installed():
        return chamfer_reference.choose_distinct(poses, radius, turn, count)
    from spotlab.spotting.symbols.alignment import chamfer_kernels  # noqa: PLC0415

    return chamfer_kernels.choose_distinct(poses, float(radius), float(turn), count)


def _parts(fit: TemplateFit) -> tuple[StrokeMap, Floats, Ints, Floats, Floats, Floats, Floats]:
    return (
        fit.strokes, fit.points, fit.directions, fit.weights, fit.blanks, fit.shrink, fit.costs,
    )  # fmt: skip
