"""Method e: the model's strokes are laid onto the page's, wherever it might lie, and moved to fit.

Hypothesise and verify: poses come from contours of like form and from a coarse search with the
model's own strokes; the score is the share of the model's strokes that the page has, each with its
direction, less for ink that the model does not explain. So a broken contour, a wall that is touched
or a missing stroke costs no more than its share.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.outlines import Outlines, has_form
from spotlab.imaging.ink import Ink
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.alignment.coarse_search import (
    coarse_search,
    stroke_anchors,
    template_shapes,
)
from spotlab.spotting.symbols.alignment.machine_code import CHAMFER
from spotlab.spotting.symbols.alignment.pose_verification import SmallPage, verify_poses
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

Channels = NDArray[np.uint8]


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
