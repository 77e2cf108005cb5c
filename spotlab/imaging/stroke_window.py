"""The window around a stroke in which ink that hangs on something larger is cut off.

Walls and long straight lines are left out first. What encloses paper is a body; lines that only
stick out of a body are cut where they meet it. Where nothing encloses paper, lines that cross the
stroke are followed inwards to where they meet something. Where that leaves little, the ink is cut
at the stroke.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import Runs, label_parts, runs_from_mask
from spotlab.imaging.page_ink import InkSelection, PageInk, runs_inside

_BLOCK = 12  # px of a line that are judged together
_FILLED = 0.8  # of a block's columns that a line has ink in
_UNBROKEN = 0.9  # of the blocks of a line that are filled
_BEYOND = 2  # blocks that a line goes on outside the stroke, at both ends
_TILTS = np.arange(-1.5, 1.51, 0.5)  # px by which a line climbs in a block: up to 7°
_THICKEST = 0.08  # of the stroke's short side; what is thicker is no line
_WALL = 0.25  # of the short side: lines farther apart are no wall
_HATCHED = 0.08  # of the blocks between two lines that hatching fills
_BAND = 2  # px of way that a spur is followed at a time
_WIDER_THAN_PEN = 2.2  # times the pen: where a spur becomes so wide, it has met something
_DEPTH = 0.5  # of the short side: no spur is followed farther

_NEIGHBOURS = np.ones((3, 3), np.uint8)


def find_passing_lines(ink: Ink, inside: Ink, short: float) -> Ink:
    """Find straight lines that enter a stroke and leave it again: rulings, walls, hatched ones.

    Parameters
    ----------
    ink, inside : (H, W) bool
        Ink of the window, and the stroke's inside.
    short : float
        The shorter side of the stroke in px.

    Returns
    -------
    (H, W) bool
        Ink of lines within 7° of x or y, inside the stroke and outside.

    Examples
    --------
    >>> ink = np.zeros((90, 120), bool); ink[40] = True; ink[10:80, 60] = True
    >>> inside = np.zeros_like(ink); inside[30:60, 30:90] = True
    >>> lines = find_passing_lines(ink, inside, 30)
    >>> bool(lines[40, 30:50].all()), int(lines[:39].sum())
    (True, 0)
    """
    upright = _passing(np.ascontiguousarray(ink.T), inside.T, short).T
    return _passing(ink, inside, short) | upright


def _passing(ink: Ink, inside: Ink, short: float) -> Ink:
    """Lines along x."""
    height, width = ink.shape
    lines = np.zeros((height, width), np.bool_)
    count = width // _BLOCK
    columns = np.flatnonzero(inside[:, : count * _BLOCK].any(axis=0)) // _BLOCK
    if not len(columns):
        return lines
    first = max(0, int(columns[0]) - _BEYOND)
    last = min(count, int(columns[-1]) + 1 + _BEYOND)
    count = last - first
    if count < 4:
        return lines
    thin = _thinner_than(ink, max(4, round(_THICKEST * short)))
    part = slice(first * _BLOCK, last * _BLOCK)
    blocks = _filled(ink.astype(np.uint8)[:, part], count) >= _FILLED
    blocks &= _filled(thin[:, part], count) >= _FILLED / 2  # other lines may cross it
    shares = ink[:, part].reshape(height, count, _BLOCK).mean(axis=2)
    widest = round(_WALL * short)
    on_line, in_wall = np.zeros_like(blocks), np.zeros_like(blocks)
    numbers = np.arange(count)
    for tilt in _TILTS:
        rows = np.arange(height)[:, None] + np.rint(tilt * (numbers - count / 2)).astype(int)
        on_page = (rows >= 0) & (rows < height)
        seen = blocks[np.clip(rows, 0, height - 1), numbers] & on_page
        hits = (seen.mean(axis=1) >= _UNBROKEN) & seen[:, 0] & seen[:, -1]
        found = np.flatnonzero(hits)
        hatched = _between(found, shares[np.clip(rows, 0, height - 1), numbers], widest)
        there = rows[np.concatenate([found, hatched])]
        across = np.broadcast_to(numbers, there.shape)
        valid = (there >= 0) & (there < height)
        on_line[there[valid], across[valid]] = True
        in_wall[rows[hatched].clip(0, height - 1), numbers] = True
    if on_line.any():
        lines[:, part] = np.repeat(on_line, _BLOCK, axis=1)
        walls = np.repeat(in_wall, _BLOCK, axis=1)
        lines[:, part] &= (thin[:, part] > 0) | (walls & ink[:, part])
    return lines


def _between(lines: NDArray[np.intp], shares: NDArray[np.float64], widest: int) -> NDArray[np.intp]:
    """Rows between two neighbouring lines that are hatched all along."""
    rows: list[int] = []
    before = np.concatenate([np.zeros((1, shares.shape[1])), np.cumsum(shares, axis=0)])
    for first, last in zip(lines[:-1].tolist(), lines[1:].tolist(), strict=True):
        top, bottom = first + 2, last - 1  # what is between, without the lines
        if 1 < bottom - top <= widest:
            filled = (before[bottom] - before[top]) / (bottom - top)
            if (filled >= _HATCHED).mean() >= _UNBROKEN:
                rows += range(first + 1, last)
    return np.array(rows, np.intp)


def _filled(pixels: NDArray[np.uint8], count: int) -> NDArray[np.float64]:
    """(H, count) which part of each block's columns has ink, within a px above and below."""
    near = cv2.dilate(pixels, np.ones((3, 1), np.uint8))
    return np.asarray(near.reshape(len(pixels), count, _BLOCK).mean(axis=2))


def _thinner_than(ink: Ink, thickness: int) -> NDArray[np.uint8]:
    """(H, W) 0 or 1: ink whose columns are shorter than that."""
    pixels = ink.astype(np.uint8)
    column = np.ones((thickness, 1), np.uint8)
    thick = np.asarray(cv2.morphologyEx(pixels, cv2.MORPH_OPEN, column), np.uint8)
    return np.asarray(pixels & ~thick, np.uint8)


def find_solid_walls(ink: Ink, inside: Ink, pen: float) -> Ink:
    """Find ink much thicker than the pen that continues outside the stroke.

    Parameters
    ----------
    ink, inside : (H, W) bool
        Ink of the window, and the stroke's inside.
    pen : float
        Width of the pen in px.

    Returns
    -------
    (H, W) bool

    Examples
    --------
    >>> ink = np.zeros((60, 60), bool); ink[20:34] = True; ink[40:50, 25:35] = True
    >>> inside = np.zeros_like(ink); inside[15:55, 15:45] = True
    >>> walls = find_solid_walls(ink, inside, 3)
    >>> bool(walls[27, 30]), bool(walls[45, 30])
    (True, False)
    """
    radius = 1.2 * pen + 1
    core = distance_inside(ink) > radius
    count, labels = cv2.connectedComponents(core.astype(np.uint8), connectivity=8)
    leaves = np.zeros(count, np.bool_)
    leaves[np.intersect1d(labels[~inside], labels[inside])] = True
    leaves[0] = False
    if not leaves.any():
        return np.zeros_like(ink)
    return ink & (distance_to(leaves[labels]) <= radius + 0.5)


def prune_spurs(ink: Ink, inside: Ink, pen: float, short: float) -> Ink:
    """Remove lines that cross the stroke, up to where they meet something.

    Each is followed inwards from the stroke by its way through the ink. It ends where the front
    splits or becomes wider than a line. A line that only passes is removed altogether.

    Parameters
    ----------
    ink, inside : (H, W) bool
        Ink of the window, and the stroke's inside.
    pen, short : float
        Width of the pen, and the shorter side of the stroke, in px.

    Returns
    -------
    (H, W) bool
        The ink inside that remains.

    Examples
    --------
    >>> ink = np.zeros((40, 60), bool); ink[10:30, 20:40] = True; ink[20, 40:] = True
    >>> inside = np.zeros_like(ink); inside[5:35, 10:55] = True
    >>> kept = prune_spurs(ink, inside, 1, 30)
    >>> bool(kept[20, 37]), bool(kept[20, 45])
    (True, False)
    """
    kept = ink & inside
    outside = cv2.dilate((ink & ~inside).astype(np.uint8), _NEIGHBOURS) > 0
    way = _ways(kept, kept & outside, round(_DEPTH * short))
    bands = np.where(way >= 0, way // _BAND, -1)
    nodes, count = _nodes(bands)
    level = np.zeros(count + 1, np.int64)
    level[nodes.ravel()] = bands.ravel()
    width = np.bincount(nodes.ravel(), minlength=count + 1) / _BAND
    following, before = _graph(nodes, level)
    spurs = np.zeros(count + 1, np.bool_)
    for start in np.flatnonzero(level[1:] == 0) + 1:
        for node in _follow(int(start), width, pen, following, before):
            spurs[node] = True
    return kept & ~spurs[nodes]


def _follow(
    start: int,
    width: NDArray[np.float64],
    pen: float,
    following: dict[int, list[int]],
    before: dict[int, list[int]],
) -> list[int]:
    """The nodes of one spur."""
    if width[start] > 3.5 * pen + 2:
        return []
    widest = max(_WIDER_THAN_PEN * pen, 1.6 * width[start] + 1)
    spur, node = [start], start
    while len(following.get(node, ())) == 1:
        (node,) = following[node]
        if width[node] > widest or len(before[node]) > 1:
            break
        spur.append(node)
    return spur


def _ways(ink: Ink, start: Ink, depth: int) -> NDArray[np.int32]:
    """(H, W) px of way through the ink from the start; -1 where it does not lead within depth."""
    way = np.full(ink.shape, -1, np.int32)
    way[start] = 0
    free = (ink & ~start).astype(np.uint8)
    front = start.astype(np.uint8)
    for step in range(1, depth + 1):
        front = np.asarray(cv2.dilate(front, _NEIGHBOURS), np.uint8) & free
        if not front.any():
            break
        way[front > 0] = step
        free &= ~front
    return way


def _nodes(bands: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
    """Number the connected pieces of each band from 1."""
    nodes = np.zeros(bands.shape, np.int32)
    total = 0
    for parity in (0, 1):  # pieces of the same parity never touch, but where they are one
        count, labels = cv2.connectedComponents(
            ((bands >= 0) & (bands % 2 == parity)).astype(np.uint8), connectivity=8
        )
        nodes[labels > 0] = labels[labels > 0] + total
        total += count - 1
    return nodes, total


def _graph(
    nodes: NDArray[np.int32], level: NDArray[np.int64]
) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """The nodes of the next band that each touches, and those of the band before."""
    height, width = nodes.shape
    pairs = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        one = nodes[: height - down, max(0, -right) : width - max(0, right)]
        other = nodes[down:, max(0, right) : width - max(0, -right)]
        touching = (one > 0) & (other > 0) & (one != other)
        pairs.append(np.column_stack([one[touching], other[touching]]))
    links = np.unique(np.concatenate(pairs).astype(np.int64), axis=0)
    following: dict[int, list[int]] = {}
    before: dict[int, list[int]] = {}
    for one_node, other_node in {
        (low, high) if level[low] < level[high] else (high, low) for low, high in links.tolist()
    }:
        if level[other_node] == level[one_node] + 1:
            following.setdefault(one_node, []).append(other_node)
            before.setdefault(other_node, []).append(one_node)
    return following, before


def distance_inside(mask: Ink) -> NDArray[np.float32]:
    """Measure px from each pixel of a mask to the nearest pixel outside, which the border is not.

    Parameters
    ----------
    mask : (H, W) bool
        Any image.

    Returns
    -------
    (H, W) float32
        0 outside the mask; infinite where the mask fills the image.

    Examples
    --------
    >>> float(distance_inside(np.ones((1, 3), bool)).min())
    inf
    """
    if mask.all():
        return np.full(mask.shape, np.inf, np.float32)
    distances = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 3)
    return np.asarray(distances, np.float32)


def distance_to(mask: Ink) -> NDArray[np.float32]:
    """Measure px from each pixel to the nearest one of a mask.

    Parameters
    ----------
    mask : (H, W) bool
        Any image.

    Returns
    -------
    (H, W) float32
        Infinite where the mask is empty.

    Examples
    --------
    >>> distance_to(np.array([[True, False, False]])).round().tolist()
    [[0.0, 1.0, 2.0]]
    """
    return distance_inside(~mask)


def select_runs(page_size: tuple[int, int], runs: Runs) -> InkSelection:
    """Pixels of which each run is a component of its own.

    Parameters
    ----------
    page_size : (int, int)
        Width and height of the page in px.
    runs : Runs
        Any pixels.

    Returns
    -------
    InkSelection

    Examples
    --------
    >>> select_runs((9, 9), Runs.of([2, 3], [1, 1], [4, 4])).component_keys.tolist()
    [19, 28]
    """
    return InkSelection(page_size, runs, runs.rows.astype(np.int64) * page_size[0] + runs.starts)


def paint_runs(runs: Runs, left: int, top: int, right: int, bottom: int) -> Ink:
    """The part of the runs in a window, as a mask.

    Parameters
    ----------
    runs : Runs
        In px of the page.
    left, top, right, bottom : int
        The window in px, right and bottom exclusive.

    Returns
    -------
    (bottom − top, right − left) bool

    Examples
    --------
    >>> paint_runs(Runs.of([2], [1], [4]), 2, 2, 6, 3).tolist()
    [[True, True, False, False]]
    """
    pieces = runs.crop(left, top, right, bottom)[0].translate(-left, -top)
    return pieces.fill(right - left, bottom - top, np.ones(len(pieces), np.uint8)) > 0


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
        """Tell whether ink inside belongs to something that continues outside."""
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
        """Tell whether whole components are all that matters: nothing hangs that belongs to
        them.
        """
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
