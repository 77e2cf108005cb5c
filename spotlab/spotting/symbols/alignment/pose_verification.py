"""Verifies poses: the best are moved to fit and scored by all strokes, each place once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.spotting.symbols.alignment import chamfer
from spotlab.spotting.symbols.alignment.pose_selection import best_poses, suppress_overlaps
from spotlab.spotting.symbols.alignment.poses import stretched_poses
from spotlab.spotting.symbols.alignment.template import Template

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
    """What the scores of a template on a page depend on."""
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
