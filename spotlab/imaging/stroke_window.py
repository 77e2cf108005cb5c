"""The window around a stroke in which ink that hangs on something larger is cut off.

Walls and long straight lines are left out first. What encloses paper is a body; lines that only
stick out of a body are cut where they meet it. Where nothing encloses paper, lines that cross the
stroke are followed inwards to where they meet something. Where that leaves little, the ink is cut
at the stroke.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from spotlab.arrays import Points
from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.imaging.ink_selection import InkSelection
from spotlab.imaging.labelled_parts import label_parts
from spotlab.imaging.line_removal import (
    distance_inside,
    distance_to,
    find_passing_lines,
    find_solid_walls,
    prune_spurs,
)
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.run_masks import paint_runs, select_runs
from spotlab.imaging.runs import Runs, runs_from_mask
from spotlab.imaging.stroke import runs_inside

_LONG = 256  # px: larger strokes are judged on a smaller page,
_SHORT = 96  # but not on one where the stroke is narrower
_MARGIN = 0.35  # of the short side around the stroke that is looked at
_SOLID = 0.5  # of a stroke that is ink: shade, where nothing can be told
_NEAR = 0.08  # of the short side: so far a symbol may stick out of a stroke that is meant for it
_WIDER = (0.0, _NEAR)  # strokes that are tried, one after another
_SPECK = 3.0  # square pens: what is smaller than that and lies outside a body is a speck
_GAPS = (0.6, 1.2, 2.5)  # pens: gaps of an outline that are closed, smallest first
_SLIM = 0.08  # of the short side: narrower parts stick out of a body and are cut off
_MINOR = 0.1  # of the largest body: smaller ones are none
_WHOLE = 0.75  # of the hull of all that remains that bodies have to fill
_LEAST = 0.3  # of the stroke that a symbol fills
_WITHOUT_LINES = 0.6  # of a body that has to be left where lines are left out
_PEN_RADIUS = 0.75  # pens: no line is wider than twice that
_CORNERS = 0.2  # of what is slim: so much of a corner is taken that is rounded off with it
_SAME = 0.8  # of the hull with cut ink that whole components fill: then nothing is cut


@dataclass(frozen=True, eq=False)
class StrokeWindow:
    """A window around a stroke, ``step`` times smaller than the page.

    Attributes
    ----------
    left, top, step : int
        Corner on the page, and px of the page a pixel.
    ink, inside, whole : (H, W) bool
        All ink, the stroke's inside, and the components that it takes as a whole.
    short : float
        Shorter side of the stroke in px of the window.
    """

    left: int
    top: int
    step: int
    ink: Ink
    inside: Ink
    whole: Ink
    short: float

    @property
    def hangs(self) -> bool:
        """Whether ink inside belongs to something that continues outside."""
        rest = self.ink & self.inside & ~self.whole
        return bool(rest.any() or (self.whole & ~self.grown(_NEAR).inside).any())

    def grown(self, share: float) -> StrokeWindow:
        """With a wider stroke.

        Parameters
        ----------
        share : float
            Of the short side, by which the stroke reaches farther out.

        Returns
        -------
        StrokeWindow
        """
        return replace(self, inside=distance_to(self.inside) <= share * self.short)

    def choose(self) -> Ink:
        """The pixels that the stroke is meant for; inside, but for what sticks out a little.

        Returns
        -------
        (H, W) bool
            Of the shape of the window.
        """
        held = self.ink & self.inside
        pen = _pen_width(held)
        whole, specks = self._whole_components(pen)
        if held.sum() >= _SOLID * self.inside.sum():
            return held | whole
        walls = find_solid_walls(self.ink, self.inside, pen)
        clear = replace(self, ink=self.ink & ~walls)
        lines = find_passing_lines(clear.ink, self.inside, self.short)
        pruned = prune_spurs(clear.ink & ~lines, self.inside, pen, self.short)
        area = _hull_area(self.inside)
        wanted = _WHOLE * max(_hull_area(pruned | (whole & self.inside)), _LEAST * area)
        for wider in _WIDER:
            body = clear.grown(wider).body(lines, pen, wanted)
            if body is not None:
                return body | whole
        kept = pruned | whole | specks
        return kept if _hull_area(kept) >= _LEAST * area else held | whole

    def body(self, lines: Ink, pen: float, wanted: float) -> Ink | None:
        """The ink of what encloses paper, if its hull has at least the wanted area.

        Parameters
        ----------
        lines : (H, W) bool
            Ink of lines that only pass.
        pen : float
            Width of the pen in px.
        wanted : float
            Area in px².

        Returns
        -------
        (H, W) bool or None
            None where no closed outline is that large.
        """
        held = self.ink & self.inside
        crossed = bool((lines & held).any())
        for gap in _GAPS:
            filled, body = self._enclosed(held, gap * pen, pen)
            if crossed:
                clear, without = self._enclosed(held & ~lines, max(gap, _GAPS[1]) * pen, pen)
                if _hull_area(without) >= _WITHOUT_LINES * _hull_area(body):
                    filled, body = clear, without
            if _hull_area(body) >= wanted:
                around = _opened(filled, _PEN_RADIUS * pen)
                around &= distance_to(body) <= _CORNERS * self._slim(pen) + 0.5 * pen
                return held & (distance_to(around | body) <= max(1.0, 0.5 * pen))
        return None

    def _enclosed(self, held: Ink, gap: float, pen: float) -> tuple[Ink, Ink]:
        """Paper that ink encloses with the ink, and the same without what is slim."""
        wide = distance_to(held) <= gap
        closed = (distance_inside(wide) > gap) & self.inside | held
        paper = np.pad(~closed | ~self.inside, 1, constant_values=True)
        _, labels = cv2.connectedComponents(paper.astype(np.uint8), connectivity=4)
        filled = (labels != labels[0, 0])[1:-1, 1:-1]
        body = _opened(filled, self._slim(pen))
        parts, figures = label_parts(body, diagonal=True)
        areas = figures[:, cv2.CC_STAT_AREA].copy()
        areas[0] = 0
        large: Ink = (areas >= max(1.0, _MINOR * float(areas.max())))[parts]
        return filled, large

    def _slim(self, pen: float) -> float:
        return max(1.0, _PEN_RADIUS * pen, _SLIM * self.short)

    def _whole_components(self, pen: float) -> tuple[Ink, Ink]:
        """Those that the stroke takes as they are, and specks among them; hanging ones are none."""
        labels, figures = label_parts(self.whole, diagonal=True)
        hanging = np.zeros(len(figures), np.bool_)
        hanging[labels[self.whole & ~self.grown(_NEAR).inside]] = True
        hanging[0] = True
        small = figures[:, cv2.CC_STAT_AREA] <= _SPECK * pen * pen
        return (~hanging & ~small)[labels], (~hanging & small)[labels]

    def selection(self, ink: PageInk, kept: Ink, whole: InkSelection) -> tuple[InkSelection, Runs]:
        """The pixels of the page that are taken, and ink near them that was cut off.

        Parameters
        ----------
        ink : PageInk
            Of the page.
        kept : (H, W) bool
            What is taken, in the window.
        whole : InkSelection
            The components that the stroke takes as a whole.

        Returns
        -------
        taken : InkSelection
        left : Runs
            Empty where whole components are all that matters.
        """
        if whole and self._is_same(kept):
            return whole, Runs.of([], [], [])
        width, height = ink.page_size
        right = min(width, self.left + self.ink.shape[1] * self.step)
        bottom = min(height, self.top + self.ink.shape[0] * self.step)
        pixels = ink.ink(self.left, self.top, right, bottom)
        mine = pixels & _enlarged(kept, self.step, pixels.shape)
        left = pixels & ~mine & _enlarged(self._cut_off(kept), self.step, pixels.shape)
        taken, rest = (runs_from_mask(part).translate(self.left, self.top) for part in (mine, left))
        return select_runs(ink.page_size, taken), rest

    def _cut_off(self, kept: Ink) -> Ink:
        """Ink in and around the stroke that hangs together with what is kept."""
        near = self.ink & self.grown(_MARGIN / 2).inside
        _, parts = cv2.connectedComponents((near | kept).astype(np.uint8), connectivity=8)
        joined = np.zeros(int(parts.max()) + 1, np.bool_)
        joined[parts[kept]] = True
        cut_off: Ink = near & joined[parts]
        return cut_off

    def _is_same(self, kept: Ink) -> bool:
        """Whether whole components are all that matters: nothing hangs that belongs to them."""
        if (self.whole & ~self.grown(_NEAR).inside).any():
            return False
        return _hull_area(self.whole) >= _SAME * _hull_area(kept | self.whole)

    def places(self, kept: Ink) -> Points:
        """Find where ink that is taken continues in ink that is not.

        Parameters
        ----------
        kept : (H, W) bool
            What is taken, in the window.

        Returns
        -------
        (K, 2) float
            In px of the page.
        """
        rest = (self.ink & ~kept).astype(np.uint8)
        border = kept & (cv2.dilate(rest, np.ones((3, 3), np.uint8)) > 0)
        count, _, _, centres = cv2.connectedComponentsWithStats(
            border.astype(np.uint8), connectivity=8
        )
        if count < 2:
            return np.empty((0, 2))
        corner = np.array([self.left, self.top], np.float64)
        return np.asarray((centres[1:] + 0.5) * self.step + corner, np.float64)


def open_window(ink: PageInk, stroke: Points, whole: InkSelection) -> StrokeWindow | None:
    """Look at the window around a stroke.

    Parameters
    ----------
    ink : PageInk
        Of the page.
    stroke : (N, 2) float
        In px of the page.
    whole : InkSelection
        The components that the stroke takes as a whole.

    Returns
    -------
    StrokeWindow or None
        None where the stroke has no inside.

    Examples
    --------
    >>> page = PageInk(np.zeros((90, 90), np.uint8))
    >>> stroke = np.array([(30.0, 30.0), (60, 30), (60, 50), (30, 50)])
    >>> window = open_window(page, stroke, page.select(stroke))
    >>> (window.ink.shape, window.short) if window else None
    ((52, 62), 20.0)
    """
    inside = runs_inside(stroke, *ink.page_size)
    if not len(inside):
        return None
    left, top, right, bottom = inside.bounds
    long, short = max(right - left, bottom - top), min(right - left, bottom - top)
    step = max(1, min(-(-long // _LONG), short // _SHORT))
    margin = max(16 * step, int(_MARGIN * short) // step * step)
    left, top = max(0, left - margin), max(0, top - margin)
    right, bottom = min(ink.page_size[0], right + margin), min(ink.page_size[1], bottom + margin)
    pixels = ink.ink(left, top, right, bottom)

    def small(runs: Runs) -> Ink:
        return _reduced(paint_runs(runs, left, top, right, bottom), step)

    return StrokeWindow(
        left, top, step, _reduced(pixels, step), small(inside), small(whole.runs), short / step
    )


def _reduced(mask: Ink, step: int) -> Ink:
    """A smaller mask, True where any pixel is."""
    if step == 1:
        return mask
    height, width = mask.shape
    padded = np.zeros((-(-height // step) * step, -(-width // step) * step), np.bool_)
    padded[:height, :width] = mask
    down = np.asarray(padded.reshape(len(padded) // step, step, -1).any(axis=1))
    return np.asarray(down.reshape(len(down), -1, step).any(axis=2), np.bool_)


def _enlarged(mask: Ink, step: int, shape: tuple[int, ...]) -> Ink:
    large = mask.repeat(step, axis=0).repeat(step, axis=1)
    return large[: shape[0], : shape[1]]


def _pen_width(ink: Ink) -> float:
    """Twice the area by the length of the border, in px; at least 1."""
    inner = distance_inside(ink)
    pen = 2 * float(ink.sum()) / max(1, int((ink & (inner < 1.5)).sum()))
    thin = ink & ~(distance_to(inner > pen) <= pen)  # without walls
    border = int((thin & (inner < 1.5)).sum())
    return max(1.0, min(pen, 2 * float(thin.sum()) / border) if border else pen)


def _opened(mask: Ink, radius: float) -> Ink:
    """Without what is narrower than a disc."""
    opened: Ink = distance_to(distance_inside(mask) > radius) <= radius
    return opened


def _hull_area(mask: Ink) -> float:
    rows = np.flatnonzero(mask.any(axis=1))
    if not len(rows):
        return 0.0
    first = mask[rows].argmax(axis=1)
    last = mask.shape[1] - mask[rows, ::-1].argmax(axis=1)
    ends = np.stack([np.tile(rows, 2), np.concatenate([first, last])], axis=1)
    corners = np.concatenate([ends, ends + np.array([1, 0])]).astype(np.int32)
    return float(cv2.contourArea(cv2.convexHull(corners)))
