"""Method e: the model's strokes are laid onto the page's, wherever it might lie, and moved to fit.

Hypothesise and verify: poses come from contours of like form and from a coarse search with the
model's own strokes; the score is the share of the model's strokes that the page has, each with its
direction, less for ink that the model does not explain. So a broken contour, a wall that is touched
or a missing stroke costs no more than its share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.array_form import has_form
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.ink import Ink
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.alignment import chamfer
from spotlab.spotting.symbols.alignment.coarse_search import (
    coarse_search,
    stroke_anchors,
    template_shapes,
)
from spotlab.spotting.symbols.alignment.machine_code import CHAMFER
from spotlab.spotting.symbols.alignment.pose_selection import best_poses, suppress_overlaps
from spotlab.spotting.symbols.alignment.poses import contour_frames, poses_from_frames
from spotlab.spotting.symbols.alignment.template import Template, make_template
from spotlab.spotting.symbols.drawing.primitives import Primitives
from spotlab.spotting.symbols.drawing.strokes import (
    DIRECTIONS,
    extract_strokes,
    pack,
    stroke_points,
)
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.engine.page_features import (
    Arrays,
    PageFeatures,
    QueryFeatures,
    QuerySpots,
)

Floats = NDArray[np.float64]

CHANCE = 0.25  # coverage that a template has somewhere on any page
REFINED = 40  # poses that are refined; more where half of them are spots
MIN_SCORE = 0.25  # of a spot
EASIER = 1.5  # as much less chance has, per what the page offers less than others
_SIZE, _RATIO = 0.5, 0.35  # what a scale, a ratio of e costs
_ROUNDS = 4
_BY_CHANCE = 0.3  # quantile of the scores of refined poses: chance has most of them
SMALL, LARGE = 2.0, 20.0  # small px: radii from which far strokes count not at all, in full
NEAR, FAR = (0.7, 0.8), 0.3  # what a point is worth with a stroke near or farther off


class StrokeAlignment(SpottingMethod):
    """The fifth method, which is spotlab's own."""

    name = "e"
    title = "Alignment of strokes"
    min_score = 0.4  # best F on photos of hand-drawn diagrams; on plans more would do
    definition = (
        "The model's strokes are laid onto the page's where contours or strokes suggest it, moved "
        "to fit, and scored by how much of them is there and how much ink they leave unexplained."
    )

    def get_ready(self, progress: Progress = silent) -> None:
        """Compile the machine code, unless it is stored.

        Parameters
        ----------
        progress : Progress
        """
        CHAMFER.compile_ahead(progress)

    def extract(self, ink: Ink, primitives: Primitives, pen: float) -> Arrays:
        """Extract strokes and the rectangles around contours.

        Parameters
        ----------
        ink : (H, W) bool
        primitives : Primitives
        pen : float
            Width of a usual line in px.

        Returns
        -------
        mapping of str to array
            "strokes" (h, w) uint32, the directions of strokes around each place; "points" (N, 2)
            uint16 and "directions" (N,) uint8, the strokes; "frames" (P, 6) float32.
        """
        strokes = extract_strokes(ink, pen)
        points, directions = stroke_points(strokes)
        return {
            "strokes": pack(strokes),
            "points": points,
            "directions": directions,
            "frames": contour_frames(primitives),
        }

    def is_sound(self, kept: Arrays, primitives: Primitives) -> bool:
        """Say whether the arrays have the types and shapes that the machine code relies on.

        Parameters
        ----------
        kept : mapping of str to array
            Of any shape: the file may be damaged.
        primitives : Primitives
        """
        strokes, points, directions = kept["strokes"], kept["points"], kept["directions"]
        frames = kept["frames"]
        return (
            has_form(strokes, np.uint32, None, None)
            and has_form(directions, np.uint8, None)
            and has_form(points, np.uint16, len(directions), 2)
            and has_form(frames, np.float32, len(primitives), 6)
            and bool((points < strokes.shape[::-1]).all() and (directions < DIRECTIONS).all())
        )

    def spot(self, page: PageFeatures, query: QueryFeatures) -> QuerySpots:
        """Find a query on a page, each place once.

        Parameters
        ----------
        page : PageFeatures
        query : QueryFeatures

        Returns
        -------
        QuerySpots
            With scores of shape (N,), falling; none where the query has no strokes.
        """
        kept = page.arrays[self.name]
        own = query.features.arrays[self.name]
        template = query.features.cached("template", lambda: make_template(query, own))
        if not len(template.points):
            return QuerySpots.none()
        # machine code would be compiled anew for an array that may not be written
        strokes = page.cached(
            "strokes", lambda: np.require(kept["strokes"], requirements=["C", "W"])
        )
        small = SmallPage(strokes, np.array(strokes.shape[::-1]) / np.array(page.size))
        poses = _hypothesise_poses(small, page, kept, query, own, template)
        poses, scores = _verify_poses(small, template, poses)
        rings = [place_outline(template, pose, small.shrink) for pose in poses]
        return QuerySpots(Outlines.of(rings), scores)


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


def _hypothesise_poses(
    small: SmallPage,
    page: PageFeatures,
    kept: Arrays,
    query: QueryFeatures,
    own: Arrays,
    template: Template,
) -> Floats:
    """(N, 6) poses in the small page, from contours and from strokes."""
    frames = own["frames"].astype(np.float64)
    frames[:, :2] -= template.middle
    mirrors = sorted({mirror for _, mirror in template.distinct_turns}, reverse=True)
    from_contours = poses_from_frames(frames, kept["frames"].astype(np.float64), mirrors)
    from_contours[:, :2] *= small.shrink
    coarse = round(float(np.log(small.shrink.mean())) * 32)  # the same for pages of like pens
    shapes = query.features.cached(
        f"shapes {coarse}", lambda: template_shapes(template, float(np.exp(coarse / 32)))
    )
    anchors = page.cached("anchors", lambda: stroke_anchors(kept["strokes"], kept["points"]))
    from_strokes = coarse_search(small.strokes, anchors, shapes)
    return np.concatenate([from_contours, from_strokes])


def _verify_poses(small: SmallPage, template: Template, poses: Floats) -> tuple[Floats, Floats]:
    """The best of the poses, refined, each place once; and their scores, falling."""
    radius = max(template.radius * float(small.shrink.mean()), 1.0)
    large = float(np.clip((radius - SMALL) / (LARGE - SMALL), 0, 1))
    worth = [NEAR[0] + (NEAR[1] - NEAR[0]) * large, FAR * large]
    fit = chamfer.TemplateFit(
        small.strokes,
        template.points,
        template.directions,
        template.weights,
        template.blanks,
        small.shrink,
        np.array([CHANCE, template.unexplained, _SIZE, _RATIO, *worth]),
    )
    rough_scores = chamfer.score_poses(fit, poses)
    half = np.maximum(np.ptp(template.outline, axis=0) / 2 * small.shrink, 1.0)
    steps = np.array([1.5, 1.5, 2.0 / radius, *(1.5 / half), *half])
    count = REFINED
    while True:
        chosen = best_poses(poses, rough_scores, 0.12 * radius, count)
        refined, scores = chamfer.refine_poses(fit, chosen, steps, _ROUNDS)
        scores = scores_above_chance(scores, template.chance)
        spots = suppress_overlaps(refined, scores, half, MIN_SCORE)
        if len(chosen) < count or 2 * len(spots[1]) < count:
            return spots
        count *= 4  # so many were found that there may be more


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


def place_outline(template: Template, pose: Floats, shrink: Floats) -> Floats:
    """Lay the outline of a template on the page.

    Parameters
    ----------
    template : Template
    pose : (6,) float
        In the small page.
    shrink : (2,) float
        px of the small page per px of the page.

    Returns
    -------
    (M, 2) float
        Open ring in px of the page.
    """
    cosine, sine = np.cos(pose[2]), np.sin(pose[2])
    scaled = template.outline * [np.exp(pose[3]) * pose[5], np.exp(pose[4])]
    turned = scaled @ np.array([[cosine, sine], [-sine, cosine]])
    return np.asarray(turned + pose[:2] / shrink)
