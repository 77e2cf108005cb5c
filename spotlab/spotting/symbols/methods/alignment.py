"""Method e: the model's strokes are laid onto the page's, wherever it might lie, and moved to fit.

Hypothesise and verify: poses come from contours of like form and from a coarse search with the
model's own strokes; what counts is how much of the model's strokes the page has, each with its
direction, and how much ink there is that the model does not explain. So a broken contour,
a wall that is touched or a missing stroke costs no more than its share.
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
from spotlab.spotting.symbols.alignment.choosing import once, promising
from spotlab.spotting.symbols.alignment.coarse_search import anchors_of, from_strokes, shapes_of
from spotlab.spotting.symbols.alignment.machine_code import CHAMFER
from spotlab.spotting.symbols.alignment.poses import frames, from_frames
from spotlab.spotting.symbols.alignment.template import Template, make_template
from spotlab.spotting.symbols.drawing.primitives import Primitives
from spotlab.spotting.symbols.drawing.strokes import TURNS, pack, points_of, see_strokes
from spotlab.spotting.symbols.engine.method import Method
from spotlab.spotting.symbols.engine.page_features import Arrays, Found, Query, Seen

Floats = NDArray[np.float64]

CHANCE = 0.25  # coverage that a template has somewhere on any page
SETTLED = 40  # poses that are moved to fit; more where half of them are found
LEAST = 0.25  # score of what is found
EASIER = 1.5  # as much less chance has, per what the page offers less than others
_SIZE, _RATIO = 0.5, 0.35  # what a scale, a ratio of e costs
_ROUNDS = 4
_USUAL = 0.3  # quantile of the scores of poses that were moved to fit: chance has most of them
SMALL, LARGE = 2.0, 20.0  # small px: radii from which far strokes count not at all, in full
NEAR, FAR = (0.7, 0.8), 0.3  # what a point is worth with a stroke near or farther off


class Alignment(Method):
    """The fifth method."""

    name = "e"
    title = "Alignment of strokes"
    usual = 0.4  # best F on photos of hand-drawn diagrams; on plans more would do
    definition = (
        "The model's strokes are laid onto the page's where contours or strokes suggest it, moved "
        "to fit, and scored by how much of them is there and how much ink they leave unexplained."
    )

    def get_ready(self, progress: Progress = silent) -> None:
        """Compile what lays templates on pages, unless it is stored."""
        CHAMFER.compile_ahead(progress)

    def see(self, ink: Ink, primitives: Primitives, pen: float) -> Arrays:
        """The strokes' directions around each place, the strokes, the contours' rectangles."""
        strokes = see_strokes(ink, pen)
        points, turns = points_of(strokes)
        return {
            "strokes": pack(strokes),
            "points": points,
            "turns": turns,
            "frames": frames(primitives),
        }

    def is_sound(self, kept: Arrays, primitives: Primitives) -> bool:
        """Whether the arrays are of the kinds and sizes that the machine code relies on."""
        strokes, points, turns = kept["strokes"], kept["points"], kept["turns"]
        rectangles = kept["frames"]
        return (
            has_form(strokes, np.uint32, None, None)
            and has_form(turns, np.uint8, None)
            and has_form(points, np.uint16, len(turns), 2)
            and has_form(rectangles, np.float32, len(primitives), 6)
            and bool((points < strokes.shape[::-1]).all() and (turns < TURNS).all())
        )

    def spot(self, page: Seen, query: Query) -> Found:
        """Where the query is, each place once."""
        kept = page.arrays[self.name]
        mine = query.seen.arrays[self.name]
        template = query.seen.made("template", lambda: make_template(query, mine))
        if not len(template.points):
            return Found(Outlines.of([]), np.zeros(0))
        # machine code would be compiled anew for an array that may not be written
        strokes = page.made("strokes", lambda: np.require(kept["strokes"], requirements=["C", "W"]))
        sheet = Sheet(strokes, np.array(strokes.shape[::-1]) / np.array(page.size))
        poses = hypothesise(sheet, page, kept, query, mine, template)
        poses, scores = verify(sheet, template, poses)
        rings = [place(template, pose, sheet.shrink) for pose in poses]
        return Found(Outlines.of(rings), scores)


@dataclass(frozen=True, eq=False)
class Sheet:
    """The small page: its strokes, and its px per px of the page, across and down."""

    strokes: NDArray[np.uint32]
    shrink: Floats


def hypothesise(
    sheet: Sheet, page: Seen, kept: Arrays, query: Query, mine: Arrays, template: Template
) -> Floats:
    """(N, 6) poses in the small page."""
    ours = mine["frames"].astype(np.float64)
    ours[:, :2] -= template.middle
    mirrors = sorted({mirror for _, mirror in template.different}, reverse=True)
    laid = from_frames(ours, kept["frames"].astype(np.float64), mirrors)
    laid[:, :2] *= sheet.shrink
    coarse = round(float(np.log(sheet.shrink.mean())) * 32)  # the same for pages of like pens
    shapes = query.seen.made(
        f"shapes {coarse}", lambda: shapes_of(template, float(np.exp(coarse / 32)))
    )
    anchors = page.made("anchors", lambda: anchors_of(kept["strokes"], kept["points"]))
    swept = from_strokes(sheet.strokes, anchors, shapes)
    return np.concatenate([laid, swept])


def verify(sheet: Sheet, template: Template, poses: Floats) -> tuple[Floats, Floats]:
    """The best of the poses, moved to fit, each place once; and their scores, falling."""
    far = max(template.radius * float(sheet.shrink.mean()), 1.0)
    large = float(np.clip((far - SMALL) / (LARGE - SMALL), 0, 1))
    worth = [NEAR[0] + (NEAR[1] - NEAR[0]) * large, FAR * large]
    unlike = np.array([CHANCE, template.unexplained, _SIZE, _RATIO, *worth])
    fit = chamfer.Fit(
        sheet.strokes,
        template.points,
        template.turns,
        template.weights,
        template.blanks,
        sheet.shrink,
        unlike,
    )
    rated = chamfer.rate(fit, poses)
    half = np.maximum(np.ptp(template.outline, axis=0) / 2 * sheet.shrink, 1.0)
    steps = np.array([1.5, 1.5, 2.0 / far, *(1.5 / half), *half])
    most = SETTLED
    while True:
        chosen = promising(poses, rated, 0.12 * far, most)
        settled, scores = chamfer.settle(fit, chosen, steps, _ROUNDS)
        found = once(settled, above_chance(scores, template.chance), half, LEAST)
        if len(chosen) < most or 2 * len(found[1]) < most:
            return found
        most *= 4  # so many were found that there may be more


def above_chance(scores: Floats, chance: float) -> Floats:
    """Scores of which 0 is what chance gives: on usual pages, or less where a page offers less."""
    usual = float(np.quantile(scores, _USUAL)) if len(scores) else 0.0
    least = max(chance - EASIER * max(chance - usual, 0.0), 0.0)
    return np.asarray((scores - least) / (1 - least))


def place(template: Template, pose: Floats, shrink: Floats) -> Floats:
    """The template's outline on the page, in px of the page."""
    cosine, sine = np.cos(pose[2]), np.sin(pose[2])
    scaled = template.outline * [np.exp(pose[3]) * pose[5], np.exp(pose[4])]
    turned = scaled @ np.array([[cosine, sine], [-sine, cosine]])
    return np.asarray(turned + pose[:2] / shrink)


METHOD = Alignment()
