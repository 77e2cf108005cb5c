"""Method e: the model's strokes are laid onto the page's, wherever it might lie, and moved to fit.

Hypothesise and verify: poses come from contours of like form and from a coarse search with the
model's own strokes; the score is the share of the model's strokes that the page has, each with its
direction, less for ink that the model does not explain. So a broken contour, a wall that is touched
or a missing stroke costs no more than its share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.extras import cv2
from spotlab.geometry.polygon import Outlines, has_form
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.alignment import chamfer
from spotlab.spotting.symbols.alignment.template import (
    Template,
    at_right_angle,
    is_mixed,
    make_template,
)
from spotlab.spotting.symbols.drawing.contours import Primitives
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
        See `spotlab.spotting.symbols.alignment.stroke_alignment`.
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
        See `spotlab.spotting.symbols.alignment.stroke_alignment`.
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
        Hypotheses; see `spotlab.spotting.symbols.alignment.stroke_alignment`.

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


Channels = NDArray[np.uint8]

ANCHORS = 2  # points of the template that are laid onto strokes: one may be broken
PROBED = 20  # points that are looked at
FITTING = 0.7  # of them fit somewhere near
_RANGE = np.log(1.2)  # scales
_NEAR = 5  # small px
_CELL = 4  # small px that one anchor stands for, across and down
_SLACK = 1.0  # points that may not fit beyond the share that need not
OBLIQUE = 0.15  # share of a template's points from which the oblique ones alone are anchors


@dataclass(frozen=True, eq=False)
class TemplateShapes:
    """A template's first points as they lie around an anchor, for each anchor and pose.

    Attributes
    ----------
    offsets : (L, K, 2) int
        x, y of the points from the anchor, in small px.
    masks : (L, K) uint8
        Bits of which a point needs one in order to fit.
    poses : (L, 6) float
        See `spotlab.spotting.symbols.alignment.stroke_alignment`; x, y from the anchor.
    min_fitting : (K,) int
        How many of the points up to each one have to fit.
    """

    offsets: Ints
    masks: Channels
    poses: Floats
    min_fitting: Ints


def stroke_anchors(strokes: NDArray[np.uint32], points: NDArray[np.uint16]) -> Ints:
    """Choose places of strokes with one direction, one in every square cell that has any.

    Parameters
    ----------
    strokes : (h, w) uint32
        See `spotlab.spotting.symbols.drawing.strokes.pack`.
    points : (N, 2) uint16
        x, y of the pixels of strokes.

    Returns
    -------
    (A, 2) int
        x, y in small px.

    Examples
    --------
    >>> strokes = np.ones((3, 9), np.uint32)
    >>> stroke_anchors(strokes, np.array([(0, 0), (1, 1), (5, 0)], np.uint16)).tolist()
    [[0, 0], [5, 0]]
    """
    points = points[~is_mixed(strokes, points)]
    cells = points.astype(np.int64) // _CELL
    key = cells[:, 1] * (1 << 20) + cells[:, 0]
    return np.asarray(points[np.sort(np.unique(key, return_index=True)[1])], np.int64)


def template_shapes(template: Template, shrink: float) -> TemplateShapes:
    """Lay a template at all right angles, mirrored, and at scales around its own.

    Parameters
    ----------
    template : Template
    shrink : float
        px of the small page per px of the template.

    Returns
    -------
    TemplateShapes
        None, with arrays of shape (0, …), for a template without points.
    """
    count = min(PROBED, len(template.points))
    half = max(round(float(_RANGE * template.radius * shrink / 4)), 1)
    offsets, masks, poses = [], [], []
    for anchor in _rare_anchors(template)[:ANCHORS]:
        order = np.r_[anchor, np.delete(np.arange(len(template.points)), anchor)][:count]
        for turn, mirror in template.distinct_turns:
            for scale in np.linspace(-_RANGE, _RANGE, 2 * half + 1).tolist():
                laid = at_right_angle(template.points[order], turn, mirror) * np.exp(scale) * shrink
                channel = ((mirror * template.directions[order] + 32 * turn + 4) >> 3) & 7
                mask = np.uint8(1) << channel.astype(np.uint8)
                offsets.append(np.round(laid - laid[0]).astype(np.int64))
                masks.append(mask)
                poses.append([*-laid[0], turn * np.pi / 2, scale, scale, mirror])
    min_fitting = np.ceil(FITTING * np.arange(1, count + 1) - _SLACK).astype(np.int64)
    return TemplateShapes(
        np.array(offsets, np.int64).reshape(-1, count, 2),
        np.array(masks, np.uint8).reshape(-1, count),
        np.array(poses, np.float64).reshape(-1, 6),
        min_fitting,
    )


def _rare_anchors(template: Template) -> tuple[int, ...]:
    """The anchors to use: oblique ones if there are enough, for most strokes of a page are not."""
    channel = (template.directions[list(template.anchors)] + 4 >> 3) & 7
    oblique = np.flatnonzero((channel != 0) & (channel != 4)).tolist()
    if len(oblique) < max(OBLIQUE * len(template.points), ANCHORS):
        return template.anchors
    return tuple(template.anchors[number] for number in oblique)


def coarse_search(
    nearby: Channels, anchors: Ints, starts: Channels, shapes: TemplateShapes
) -> Floats:
    """Find poses at which most of a template's first points lie on strokes.

    Parameters
    ----------
    nearby, anchors, starts
        See `spotlab.spotting.symbols.alignment.chamfer.match_shapes`.
    shapes : TemplateShapes

    Returns
    -------
    (N, 6) float
        Poses in the small page: the best at each anchor where enough fits. Of poses that turn and
        mirror alike and are not `_NEAR` px apart only the best is kept.

    Examples
    --------
    >>> nearby = np.zeros((5, 9), np.uint8)
    >>> nearby[2, 5] = 1
    >>> shapes = TemplateShapes(
    ...     np.array([[[0, 0], [4, 0]]]), np.array([[1, 1]], np.uint8),
    ...     np.array([[2.0, 0, 0, 0, 0, 1]]), np.array([1, 2]))
    >>> starts = np.array([1], np.uint8)
    >>> coarse_search(nearby, np.array([[1, 2]]), starts, shapes)[:, :2].tolist()
    [[3.5, 2.5]]
    """
    matches = chamfer.match_shapes(
        nearby, anchors, starts, shapes.offsets, shapes.masks, shapes.min_fitting
    )
    is_match = matches[:, 0] >= 0
    poses, fitting = shapes.poses[matches[is_match, 0]], matches[is_match, 1]
    poses[:, :2] += anchors[is_match] + 0.5
    cells = np.floor(poses[:, :2] / _NEAR).astype(np.int64) + (1 << 20)
    ways = np.floor(poses[:, 2] / 1.5).astype(np.int64) * 2 + (poses[:, 5] > 0)
    keys = (cells[:, 0] * (1 << 24) + cells[:, 1]) * 8 + ways
    order = np.argsort(-fitting, kind="stable")
    chosen = order[np.unique(keys[order], return_index=True)[1]]
    return np.asarray(poses[chosen])


class StrokeAlignment(SpottingMethod):
    """The fifth method, which is spotlab's own."""

    name = "e"
    title = "Alignment of strokes"
    min_score = 0.4  # best F on photos of hand-drawn diagrams; on plans more would do
    definition = (
        "The model's strokes are laid onto the page's where contours or strokes suggest it, moved "
        "to fit, and scored by how much of them is there and how much ink they leave unexplained."
    )

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
        poses, scores = verify_poses(small, template, poses)
        rings = [place_outline(template, pose, small.shrink) for pose in poses]
        return QuerySpots(Outlines.of(rings), scores)


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
    is_free = template.free_axis is not None
    from_contours = poses_from_frames(frames, kept["frames"].astype(np.float64), mirrors, is_free)
    from_contours[:, :2] *= small.shrink
    coarse = round(float(np.log(small.shrink.mean())) * 32)  # the same for pages of like pens
    shapes = query.features.cached(
        f"shapes {coarse}", lambda: template_shapes(template, float(np.exp(coarse / 32)))
    )
    anchors, starts, nearby = page.cached("anchors", lambda: _searched_strokes(kept))
    from_strokes = coarse_search(nearby, anchors, starts, shapes)
    return np.concatenate([from_contours, from_strokes])


def _searched_strokes(kept: Arrays) -> tuple[Ints, Channels, Channels]:
    """The anchors of a page, the directions at each of them, and those near every place."""
    strokes = kept["strokes"]
    anchors = stroke_anchors(strokes, kept["points"])
    starts = (strokes[anchors[:, 1], anchors[:, 0]] & np.uint32(0xFF)).astype(np.uint8)
    return anchors, starts, ((strokes >> np.uint32(16)) & np.uint32(0xFF)).astype(np.uint8)


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
