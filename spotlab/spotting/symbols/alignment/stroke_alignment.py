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

from spotlab.arrays import Floats, Ints
from spotlab.geometry.outlines import Outlines, has_form
from spotlab.imaging.ink import Ink
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.alignment import chamfer
from spotlab.spotting.symbols.alignment.machine_code import CHAMFER
from spotlab.spotting.symbols.alignment.poses import (
    SmallPage,
    contour_frames,
    poses_from_frames,
    verify_poses,
)
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
        See `spotlab.spotting.symbols.alignment.poses`; x, y from the anchor.
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
