"""Poses of a template on a page: proposed, chosen, moved to fit and verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.spotting.symbols.alignment import chamfer
from spotlab.spotting.symbols.alignment.template import Template
from spotlab.spotting.symbols.drawing.contours import Primitives

SCALE = np.log(2.2)  # a symbol may be so much larger or smaller than its model
_FORM = 0.35  # by how much the logarithms of the ratios of the sides may differ,
_FRAME = 0.9  # and of contours that span the whole template, such as boxes that hold text
_FREE = np.log(6)  # the same of templates that have any length
LONGEST, SHORTEST = 4.0, 0.4  # as long as its model, a symbol that has any length may be
_LENGTHS = 64  # lengths that are tried between them
_WHOLE = 0.7  # of the largest contour's sides: from there on one spans the template
_FRAMES = 4  # of a template, the largest: small ones inside say little about where it lies
_FILL = 0.2  # by how much the shares may differ that a contour fills of its rectangle


def contour_frames(primitives: Primitives) -> NDArray[np.float32]:
    """Fit the smallest rectangle around each contour.

    Parameters
    ----------
    primitives : Primitives

    Returns
    -------
    (P, 6) float32
        Centre x, y and sides in px, turn in radians, share of the rectangle that is filled.
    """
    frames = np.zeros((len(primitives), 6), np.float32)
    for number in range(len(primitives)):
        ring = primitives.contours[number].astype(np.float32).reshape(-1, 1, 2)
        (x, y), (width, height), angle = cv2.minAreaRect(ring)
        width, height = width + 1, height + 1
        share = cv2.contourArea(ring) / (width * height)
        frames[number] = x + 0.5, y + 0.5, width, height, np.deg2rad(angle), share
    return frames


def poses_from_frames(
    ours: Floats, theirs: Floats, mirrors: Sequence[int] = (1, -1), is_free: bool = False
) -> Floats:
    """Lay rectangles around a template's contours onto those of the page with a like form.

    Parameters
    ----------
    ours : (P, 6) float
        Frames of the template, from its middle; the largest are used.
    theirs : (Q, 6) float
        Frames of the page.
    mirrors : sequence of int
        -1 for mirrored poses; 1 alone will do for templates that look the same in a mirror.
    is_free : bool
        Whether the template has any length, so that rectangles that span it need no like form.

    Returns
    -------
    (N, 6) float
        Poses with x, y in px of the page.

    Examples
    --------
    >>> frame = np.array([[0.0, 0, 40, 20, 0, 1]])
    >>> there = np.array([[70.0, 50, 44, 22, 0, 1]])
    >>> poses_from_frames(frame, there, mirrors=[1])[0].round(2).tolist()
    [70.0, 50.0, 0.0, 0.1, 0.1, 1.0]
    """
    ours = ours[np.argsort(-ours[:, 2] * ours[:, 3], kind="stable")[:_FRAMES]]
    swapped = theirs[:, [0, 1, 3, 2, 4, 5]] + [0, 0, 0, 0, np.pi / 2, 0]
    both = np.concatenate([theirs, swapped])
    one, other = np.nonzero(_alike(ours, both, is_free))
    return np.concatenate(
        [_laid(ours[one], both[other], mirror, turn) for mirror in mirrors for turn in (0.0, np.pi)]
    )


def stretched_poses(poses: Floats, half: Floats, axis: int, end: int) -> Floats:
    """Move one end of a template to other lengths, while the other end stays.

    Parameters
    ----------
    poses : (N, 6) float
    half : (2,) float
        The halves of the template's sides, in small px.
    axis : {0, 1}
        The side that is stretched.
    end : {1, -1}
        Which of its ends moves.

    Returns
    -------
    (N, L, 6) float
        Lengths from `SHORTEST` to `LONGEST` of the template's own, and first the one it has.

    Examples
    --------
    >>> pose = np.array([[50.0, 20, 0, 0, 0, 1]])
    >>> longest = stretched_poses(pose, np.array([10.0, 4.0]), axis=0, end=1)[0, -1]
    >>> longest[[0, 3]].round(3).tolist()  # the left end stays at 40
    [80.0, 1.386]
    """
    scales = np.log(np.geomspace(SHORTEST, LONGEST, _LENGTHS))
    own = poses[:, 3 + axis, None]
    longer = np.concatenate([own, np.broadcast_to(scales, (len(poses), _LENGTHS))], axis=1)
    shift = end * half[axis] * (np.exp(longer) - np.exp(own))
    cosine, sine = np.cos(poses[:, 2:3]), np.sin(poses[:, 2:3])
    stretched = np.repeat(poses[:, None], _LENGTHS + 1, axis=1)
    stretched[:, :, 0] += shift * (cosine if axis == 0 else -sine)
    stretched[:, :, 1] += shift * (sine if axis == 0 else cosine)
    stretched[:, :, 3 + axis] = longer
    return stretched


def _alike(ours: Floats, theirs: Floats, is_free: bool) -> NDArray[np.bool_]:
    """(P, Q) whether rectangles are of like form and not too different in size."""
    across, down = (np.log(theirs[:, side] / ours[:, side, None]) for side in (2, 3))
    close = np.abs(across + down) < 2 * SCALE
    spans = (ours[:, 2:4] >= _WHOLE * ours[:, 2:4].max(0, initial=0)).all(1)
    close &= np.abs(across - down) < np.where(spans, _FRAME, _FORM)[:, None]
    if is_free:
        thin = np.minimum(np.abs(across), np.abs(down)) < SCALE / 2
        close |= spans[:, None] & thin & (np.abs(across - down) < _FREE)
    return np.asarray(close & (np.abs(theirs[:, 5] - ours[:, 5, None]) < _FILL))


def _laid(ours: Floats, theirs: Floats, mirror: float, turn: float) -> Floats:
    """Poses that lay each of our rectangles onto one of theirs."""
    scales = np.log(theirs[:, 2:4] / ours[:, 2:4])
    upright = np.mod(ours[:, 4] + 0.1, np.pi / 2) < 0.2
    scales[~upright] = scales[~upright].mean(1, keepdims=True)
    lying = upright & (np.mod(ours[:, 4] + np.pi / 4, np.pi) > np.pi / 2)
    scales[lying] = scales[lying, ::-1]
    angle = theirs[:, 4] - mirror * ours[:, 4] + turn
    x, y = mirror * ours[:, 0] * np.exp(scales[:, 0]), ours[:, 1] * np.exp(scales[:, 1])
    left = theirs[:, 0] - (np.cos(angle) * x - np.sin(angle) * y)
    top = theirs[:, 1] - (np.sin(angle) * x + np.cos(angle) * y)
    return np.stack([left, top, angle, *scales.T, np.full(len(angle), mirror)], 1)


_ALIKE_ANGLE = np.pi / 6  # poses that are turned by less are alike
_SHARED = 0.4  # of their boxes: poses that share more are about the same thing


def best_poses(poses: Floats, scores: Floats, radius: float, count: int) -> Floats:
    """Choose the best poses that score at all; of those nearly alike only one.

    Parameters
    ----------
    poses : (N, 6) float
        See `spotlab.spotting.symbols.alignment.poses`.
    scores : (N,) float
    radius : float
        Small px within which poses are alike, if they turn and mirror alike.
    count : int
        How many to choose at most.

    Returns
    -------
    (M, 6) float
        Best first.

    Examples
    --------
    >>> poses = np.zeros((3, 6))
    >>> poses[:, 0] = [0, 1, 50]
    >>> best_poses(poses, np.array([0.5, 0.7, 0.2]), radius=3, count=9)[:, 0].tolist()
    [1.0, 50.0]
    """
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > 0]
    cells = np.floor(poses[order, :2] / radius).astype(np.int64)
    ways = np.floor(np.mod(poses[order, 2], 2 * np.pi) * (4 / np.pi) + 0.5).astype(np.int64) % 8
    keys = ((cells[:, 0] << 24) + cells[:, 1]) * 16 + ways * 2 + (poses[order, 5] > 0)
    first = np.unique(keys, return_index=True)[1]
    best = poses[order[np.sort(first)][: 3 * count]]
    return np.asarray(best[chamfer.choose_distinct(best, radius, _ALIKE_ANGLE, count)])


def suppress_overlaps(
    poses: Floats, scores: Floats, half: Floats, min_score: float
) -> tuple[Floats, Floats]:
    """Keep the poses that score enough and whose place no better one has taken.

    Parameters
    ----------
    poses : (N, 6) float
        See `spotlab.spotting.symbols.alignment.poses`.
    scores : (N,) float
    half : (2,) float
        The halves of the template's sides, in small px.
    min_score : float
        Poses with a lower score are left out.

    Returns
    -------
    poses : (M, 6) float
        Best first.
    scores : (M,) float

    Examples
    --------
    >>> poses = np.zeros((3, 6))
    >>> poses[:, 0] = [0, 1, 50]
    >>> half = np.array([5.0, 5.0])
    >>> suppress_overlaps(poses, np.array([0.5, 0.7, 0.4]), half, min_score=0.3)[1].tolist()
    [0.7, 0.4]
    """
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] >= min_score]
    best = poses[order]
    right, down = best[:, 0] - best[:, :1], best[:, 1] - best[:, 1:2]
    cosine, sine = np.cos(best[:, 2:3]), np.sin(best[:, 2:3])
    across = np.abs(cosine * right + sine * down) / (2 * half[0] * np.exp(best[:, 3:4]))
    along = np.abs(cosine * down - sine * right) / (2 * half[1] * np.exp(best[:, 4:5]))
    shared = np.maximum(1 - across, 0) * np.maximum(1 - along, 0)
    kept = _first_ones(np.maximum(shared, shared.T) > _SHARED)
    return best[kept], scores[order[kept]]


def _first_ones(same: NDArray[np.bool_]) -> list[int]:
    """Tell which are not the same as one before them that is kept itself."""
    kept: list[int] = []
    for index in range(len(same)):
        if not same[index, kept].any():
            kept.append(index)
    return kept


CHANCE = 0.25  # coverage that a template has somewhere on any page
REFINED = 32  # poses that are refined; more where half of them are spots
TRIED = 3  # as many poses are refined roughly
STRETCHED = 16  # poses that are stretched, of a template of any length
MIN_SCORE = 0.2  # of a spot
EASIER = 1.5  # as much less chance has, per what the page offers less than others
_SIZE, _RATIO = 0.5, 0.35  # what a scale, a ratio of e costs
_FREE_RATIO = 0.15  # what a ratio costs a template of any length
_ROUGHLY, _FINELY = (0, 1), (2, 5)  # rounds of all that are tried, of those that are refined
_STEP = 3.0  # small px that a pose goes at first
_BY_CHANCE = 0.3  # quantile of the scores of refined poses: chance has most of them
_NEAR_SAME, _ALIKE = 0.08, 0.12  # of a template's radius: places that are one, before, after moving
SMALL, LARGE = 2.0, 20.0  # small px: radii from which far strokes count not at all, in full
NEAR, FAR = (0.7, 0.8), 0.3  # what a point is worth with a stroke near or farther off


@dataclass(frozen=True, eq=False)
class SmallPage:
    """A page at the size at which templates are laid on it.

    Attributes
    ----------
    strokes : (h, w) uint32
        See `pack`.
    shrink : (2,) float
        px of the small page per px of the page, across and down.
    """

    strokes: NDArray[np.uint32]
    shrink: Floats


def verify_poses(small: SmallPage, template: Template, poses: Floats) -> tuple[Floats, Floats]:
    """Refine the best poses and score them, each place once.

    Parameters
    ----------
    small : SmallPage
    template : Template
    poses : (N, 6) float
        Hypotheses; see `spotlab.spotting.symbols.alignment.poses`.

    Returns
    -------
    poses : (M, 6) float
    scores : (M,) float
        0 to 1, falling.
    """
    radius = max(template.radius * float(small.shrink.mean()), 1.0)
    half = np.maximum(np.ptp(template.outline, axis=0) / 2 * small.shrink, 1.0)
    steps = np.array([_STEP, _STEP, 4.0 / radius, *(_STEP / half), *half])
    fit = _template_fit(small, template, radius)
    rough_scores = chamfer.score_poses(fit, poses)
    if template.free_axis is not None:
        poses, rough_scores = _with_stretched(fit, poses, rough_scores, half, template.free_axis)
    count = REFINED
    while True:
        tried = best_poses(poses, rough_scores, _ALIKE * radius, TRIED * count)
        moved, scores = chamfer.refine_poses(fit, tried, steps, _ROUGHLY)
        chosen = best_poses(moved, scores, _NEAR_SAME * radius, count)
        refined, scores = chamfer.refine_poses(fit, chosen, steps, _FINELY)
        scores = scores_above_chance(scores, template.chance)
        spots = suppress_overlaps(refined, scores, half, MIN_SCORE)
        if len(chosen) < count or 2 * len(spots[1]) < count:
            return spots
        count *= 4  # so many were found that there may be more


def _template_fit(small: SmallPage, template: Template, radius: float) -> chamfer.TemplateFit:
    """Return what the scores of a template on a page depend on."""
    large = float(np.clip((radius - SMALL) / (LARGE - SMALL), 0, 1))
    worth = [NEAR[0] + (NEAR[1] - NEAR[0]) * large, FAR * large]
    ratio, sides = _RATIO, [0.5, 0.5]
    if template.free_axis is not None:
        ratio, sides = _FREE_RATIO, [float(template.free_axis == side) for side in (1, 0)]
    return chamfer.TemplateFit(
        small.strokes,
        template.points,
        template.directions,
        template.weights,
        template.blanks,
        small.shrink,
        np.array([CHANCE, template.unexplained, _SIZE, ratio, *worth, *sides]),
    )


def _with_stretched(
    fit: chamfer.TemplateFit, poses: Floats, scores: Floats, half: Floats, axis: int
) -> tuple[Floats, Floats]:
    """The poses and the best of them with one end, then with the other, where it fits best."""
    best = best_poses(poses, scores, float(half[1 - axis]), STRETCHED)
    if not len(best):
        return poses, scores
    for end in (1, -1):
        many = stretched_poses(best, half, axis, end)
        flat = chamfer.score_poses(fit, many.reshape(-1, 6)).reshape(many.shape[:2])
        best = many[np.arange(len(many)), flat.argmax(1)]
    return np.concatenate([poses, best]), np.concatenate([scores, flat.max(1)])


def scores_above_chance(scores: Floats, chance: float) -> Floats:
    """Rescale scores so that 0 is what chance gives.

    Parameters
    ----------
    scores : (N,) float
        Of refined poses on one page, of which chance has most.
    chance : float
        Score by chance on usual pages, in [0, 1); less where this page offers less.

    Returns
    -------
    (N,) float
        At most 1, negative below chance.

    Examples
    --------
    >>> scores_above_chance(np.array([0.5, 0.5, 0.5, 1.0]), chance=0.5)
    array([0., 0., 0., 1.])
    """
    typical = float(np.quantile(scores, _BY_CHANCE)) if len(scores) else 0.0
    least = max(chance - EASIER * max(chance - typical, 0.0), 0.0)
    return np.asarray((scores - least) / (1 - least))
