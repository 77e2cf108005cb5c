"""Regions of a page that could be of some label, whatever they show: what experts suggest.

Every closed contour's hull is a candidate, and so is every union of neighbours that is made when
the two whose union is smallest are joined again and again. This finds symbols that share lines with
a wall, and symbols of several parts. On floor plans each room and each straight wall is one, too,
in diagrams each box between two long lines.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Boxes, Floats, Points
from spotlab.extras import cv2
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines, convex_hull, has_form, pair_boxes
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import hull
from spotlab.imaging.page_ink import label_components, select_components
from spotlab.imaging.rooms.room_map import RoomSettings, map_rooms, survey_plan
from spotlab.imaging.rooms.walls import WallKind
from spotlab.libraries import shapely
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.embedding.network import (
    SIZE,
    SymbolNetwork,
    cut_pictures,
    shipped_network,
)
from spotlab.spotting.symbols.engine.page_features import Arrays, PageFeatures, QueryFeatures
from spotlab.spotting.symbols.proposals.large_boxes import find_large_boxes
from spotlab.spotting.symbols.proposals.region_features import (
    CELLS,
    DIRECTIONS,
    LENGTH,
    NAMES,
    Histograms,
    orientation_histograms,
    region_features,
    rounded,
    upright_frames,
)

FARTHEST = 4.0  # pens between neighbours that may be parts of one symbol
LARGEST = 0.1  # of the page: what is larger is not joined
_SAME = 0.85  # overlap from which two candidates are the same

SHAPE, ROOM, WALL, BOX, ALIGNED, OWN = range(6)  # experts; the last: the region itself, drawn

Ring = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Regions with their features.

    Attributes
    ----------
    hulls : Outlines
        Convex, in px.
    outlines : Outlines
        As they are proposed: those of rooms need not be convex.
    source : (N,) int
        The expert that each is from, see `SHAPE`.
    boxes : (N, 4) float
        Left, top, right, bottom in px.
    frames : (N, 5) float
        See `upright_frames`.
    features : (N, 12) float
        See `region_features`.
    histograms : (N, LENGTH) float32
        See `orientation_histograms`.
    """

    hulls: Outlines
    outlines: Outlines
    source: NDArray[np.int64]
    boxes: NDArray[np.float64]
    frames: NDArray[np.float64]
    features: NDArray[np.float64]
    histograms: Histograms

    def __len__(self) -> int:
        return len(self.hulls)


def find_candidates(page: PageFeatures) -> Candidates:
    """Find all regions of a page that could be symbols, after Uijlings et al. (2013), §3.1.

    Parameters
    ----------
    page : PageFeatures
        Keeps the result.

    Returns
    -------
    Candidates
        None where the page has no contours.

    References
    ----------
    Uijlings et al. (2013), "Selective search for object recognition", International Journal of
    Computer Vision 104, §3.1: neighbours are joined, the smallest union first.
    """

    def make() -> Candidates:
        parts = [candidate_hulls(page), *_plan_of(page)[:2], find_large_boxes(page.ink)]
        source = np.repeat(np.array([SHAPE, ROOM, WALL, BOX]), [len(part) for part in parts])
        return describe_regions(page, Outlines.joined(parts), source)

    return page.cached("candidates", make)


def _plan_of(page: PageFeatures) -> tuple[Outlines, Outlines, Floats]:
    """The rooms, walls and openings of a page, which keeps them."""
    return page.cached("plan", lambda: plan_outlines(page.ink))


def plan_outlines(ink: Ink) -> tuple[Outlines, Outlines, Floats]:
    """Find the rooms of a floor plan with heavy walls, the straight walls, and their openings.

    Parameters
    ----------
    ink : (H, W) bool
        The page's.

    Returns
    -------
    rooms, walls : Outlines
        In px; none where no lines are much thicker than the others.
    openings : (N, 2, 2) float
        Start and end of the lines that close openings, in px.

    Examples
    --------
    >>> ink = np.zeros((300, 400), bool)
    >>> ink[50:250, 50:350] = True
    >>> ink[60:240, 60:340] = False
    >>> ink[20, 10:390] = True  # a thin line outside
    >>> rooms, walls, openings = plan_outlines(ink)
    >>> len(rooms), len(walls), len(openings)
    (1, 4, 0)
    """
    plan = survey_plan(ink, WallKind.FILLED)
    rooms = map_rooms(plan, RoomSettings(kind=WallKind.FILLED))
    outlines = [rooms.outline([number]) for number in rooms.rooms]
    return (
        Outlines.of([ring for ring in outlines if len(convex_hull(ring))]),
        Outlines.of(_up_to_faces([band.ring * plan.factor for band in plan.features.walls.bands])),
        rooms.lines(),
    )


def fit_openings(boxes: Boxes, openings: Floats) -> Floats:
    """Tell how well boxes fit openings of walls along the wall, as doors and windows do.

    Parameters
    ----------
    boxes : (N, 4) float
        Left, top, right, bottom in px.
    openings : (M, 2, 2) float
        See `plan_outlines`.

    Returns
    -------
    (N,) float
        Of the best opening that runs through a box, or along its side: the length that they share
        by the length of both together; 0 without any.

    Examples
    --------
    >>> opening = np.array([[[10.0, 20.0], [50.0, 20.0]]])
    >>> fit_openings(np.array([[10, 10, 50, 30], [10, 10, 30, 30], [10, 70, 50, 90.0]]), opening)
    array([1. , 0.5, 0. ])
    """
    best = np.zeros(len(boxes))
    middles, halves = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2
    for start, end in openings:
        length = float(np.hypot(*(end - start)))
        ahead = (end - start) / length
        across = np.array([-ahead[1], ahead[0]])
        along = (middles - start) @ ahead
        reach = halves @ np.abs(ahead)
        shared = np.minimum(along + reach, length) - np.maximum(along - reach, 0)
        whole = np.maximum(along + reach, length) - np.minimum(along - reach, 0)
        runs = np.abs((middles - start) @ across) <= halves @ np.abs(across) + _BESIDE
        best = np.maximum(best, np.where(runs, shared.clip(0) / whole, 0))
    return best


_UPRIGHT = 0.9  # of its box, from which a wall is upright


def _up_to_faces(walls: list[Points]) -> list[Points]:
    """Let upright walls end at the face of the wall that they run into, if that one goes on."""
    boxes = np.array([_box_of(ring) for ring in walls]).reshape(-1, 4)
    ended = []
    for number, box in enumerate(boxes.copy()):
        ring = walls[number]
        axis = int(box[3] - box[1] > box[2] - box[0])  # along which it runs: x or y
        start, end, thick = box[axis], box[axis + 2], box[3 - axis] - box[1 - axis]
        near, far, low, high = boxes.T[[axis, axis + 2, 1 - axis, 3 - axis]]
        goes_on = (low < box[1 - axis] - thick / 4) & (high > box[3 - axis] + thick / 4)
        goes_on &= high - low > far - near
        start = far[goes_on & (near <= start + 1) & (far > start)].max(initial=start)
        end = near[goes_on & (far >= end - 1) & (near < end)].min(initial=end)
        is_shorter = thick / 2 < end - start < box[axis + 2] - box[axis]
        if is_shorter:
            box[[axis, axis + 2]] = start, end
            left, top, right, bottom = box.tolist()
            ring = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        ended.append(ring)
    return ended


def _box_of(ring: Points) -> Floats:
    """The box of a ring that is upright, about; NaN of another one."""
    box = np.array(polygon.bounds(ring))
    whole = float((box[2:] - box[:2]).prod())
    return box if polygon.area(ring) >= _UPRIGHT * whole else np.full(4, np.nan)


def describe_regions(
    page: PageFeatures, outlines: Outlines, source: NDArray[np.int64] | None = None
) -> Candidates:
    """Extract the features of regions.

    Parameters
    ----------
    page : PageFeatures
    outlines : Outlines
        In px.
    source : (N,) int, optional
        The expert that each is from; `OWN` by default.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> page = features_of_ink(np.ones((20, 20), bool), methods=[])
    >>> square = Outlines.of([[(2, 2), (12, 2), (12, 12), (2, 12)]])
    >>> describe_regions(page, square).boxes.tolist()
    [[2.0, 2.0, 12.0, 12.0]]
    """
    if source is None:
        source = np.full(len(outlines), OWN)
    hulls = Outlines.of(
        [
            outlines[number] if expert in (SHAPE, WALL, BOX) else _hull_of(outlines[number])
            for number, expert in enumerate(source.tolist())
        ]
    )
    ink, frames = page.ink, upright_frames(hulls)
    figures = region_features(ink, page.primitives, page.pen, hulls, frames)
    histograms = orientation_histograms(ink, hulls, frames)
    return Candidates(hulls, outlines, source, hulls.bounds, frames, figures, histograms)


def _hull_of(ring: Points) -> Points:
    """The hull of an outline; a speck where it has no area."""
    hull = convex_hull(ring)
    if len(hull):
        return hull
    left, top = ring.min(0)
    return np.array([(left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1)])


def candidate_hulls(page: PageFeatures) -> Outlines:
    """Find the outlines of candidates: contours from the outermost inwards, then unions.

    Parameters
    ----------
    page : PageFeatures

    Returns
    -------
    Outlines
        Convex, in px; (N, 2) float32 each.
    """
    single = _outer_hulls(page.primitives, page.pen)
    largest = LARGEST * page.size[0] * page.size[1]
    union = _unions(
        [hull for hull in single if cv2.contourArea(hull) <= largest], page.pen, largest
    )
    return _distinct(single + union)


def _outer_hulls(primitives: Primitives, pen: float) -> list[Ring]:
    """Hulls of the contours with the lines that draw them, those of components first."""
    contours = primitives.contours
    holes: list[Ring] = []
    outer: list[Ring] = []
    for number in range(len(contours)):
        ring = contours[number].astype(np.float32)
        # a contour runs through the centres of px; that of a hole through the inner rim of its line
        is_hole = cv2.contourArea(ring, oriented=True) > 0
        hull = _hull(ring)
        (holes if is_hole else outer).append(_grown(hull, max(pen - 1, 0) if is_hole else 0))
    return outer + holes


def _grown(hull: Ring, by: float) -> Ring:
    """The hull around the squares of the pixels that it joins, wider by this many px."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * (1 + 2 * by) - by
    return _hull((hull[:, None] + square.astype(np.float32)).reshape(-1, 2))


def _hull(points: Ring) -> Ring:
    return np.asarray(cv2.convexHull(points)[:, 0], np.float32)


def _unions(hulls: list[Ring], pen: float, largest: float) -> list[Ring]:
    """The hulls of neighbours, joined two by two, the smallest union first."""
    known = list(hulls)
    gone = [False] * len(known)
    beside: list[set[int]] = [set() for _ in known]
    waiting: list[tuple[float, int, int]] = []

    def weigh(one: int, other: int) -> None:
        area = cv2.contourArea(cv2.convexHull(np.concatenate([known[one], known[other]])))
        if area <= largest:
            beside[one].add(other)
            beside[other].add(one)
            heapq.heappush(waiting, (area, one, other))

    for one, other in _neighbours(hulls, FARTHEST * pen):
        weigh(one, other)
    while waiting:
        _, one, other = heapq.heappop(waiting)
        if gone[one] or gone[other]:
            continue
        gone[one] = gone[other] = True
        new = len(known)
        known.append(_hull(np.concatenate([known[one], known[other]])))
        gone.append(False)
        beside.append(set())
        for neighbour in sorted((beside[one] | beside[other]) - {one, other}):
            if not gone[neighbour]:
                weigh(neighbour, new)
    return known[len(hulls) :]


def _neighbours(hulls: list[Ring], distance: float) -> list[tuple[int, int]]:
    """Tell which hulls are at most this many px from each other."""
    boxes = Outlines.of(hulls).bounds
    out = np.array([distance, distance])
    wide = np.hstack([boxes[:, :2] - out, boxes[:, 2:]])
    pairs = pair_boxes(wide, np.hstack([boxes[:, :2], boxes[:, 2:] + out]))
    one, other = pairs.first, pairs.second
    both = np.unique(np.sort(np.column_stack([one, other])[one != other], 1), axis=0)
    shapes = np.array([shapely.polygons(hull) for hull in hulls], object)
    near = shapely.distance(shapes[both[:, 0]], shapes[both[:, 1]]) <= distance
    return [(int(a), int(b)) for a, b in both[near]]


def _distinct(hulls: list[Ring]) -> Outlines:
    """Hulls without those that are about the same as an earlier one."""
    boxes = Outlines.of(hulls).bounds
    areas = np.array([cv2.contourArea(hull) for hull in hulls])
    pairs = pair_boxes(boxes, boxes)
    alike = (pairs.iou >= _SAME) & (pairs.first < pairs.second)
    one, other = pairs.first[alike], pairs.second[alike]
    similar = np.minimum(areas[one], areas[other]) >= _SAME * np.maximum(areas[one], areas[other])
    kept = np.ones(len(hulls), bool)
    for first, second in zip(one[similar].tolist(), other[similar].tolist(), strict=True):
        if kept[first]:
            kept[second] = False
    return Outlines.of([hull for hull, keep in zip(hulls, kept, strict=True) if keep])


_MEANT = 0.6  # overlap from which a candidate is what the outline is about


def example_region(query: QueryFeatures) -> Candidates:
    """Find the one region that a query is about, and describe it once.

    People draw boxes and outlines around a symbol that are wide or narrow; what counts is the
    candidate that fits best. Where none fits, it is the outline.

    Parameters
    ----------
    query : QueryFeatures

    Returns
    -------
    Candidates
        Only one.
    """

    def make() -> Candidates:
        outline = convex_hull(query.outline)
        if not len(outline):
            outline = query.outline
        hulls = candidate_hulls(query.features)
        boxes = is_box(query.outline)
        fits = [_fit(hulls[number], outline, boxes) for number in range(len(hulls))]
        best = int(np.argmax(fits)) if fits else -1
        meant = hulls[best] if fits and fits[best] >= _MEANT else outline
        return describe_regions(query.features, Outlines.of([meant]))

    return query.features.cached("example", make)


def is_box(outline: Points) -> bool:
    """Say whether an outline has four corners and only upright and level edges.

    Parameters
    ----------
    outline : (N, 2) float
        Open ring in px.
    """
    if len(outline) != 4:
        return False
    edges = np.abs(np.roll(outline, -1, axis=0) - outline)
    return bool((edges.min(1) < 1e-6).all())


def bounding_ring(outline: Points) -> Points:
    """Make the ring of the upright box around an outline.

    Parameters
    ----------
    outline : (N, 2) float
        In px.

    Returns
    -------
    (4, 2) float
        Open ring.
    """
    left, top, right, bottom = polygon.bounds(outline)
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _fit(hull: Points, outline: Points, boxes: bool) -> float:
    """Overlap of two convex outlines, or of the boxes around them, 0 to 1."""
    return overlap(bounding_ring(hull), bounding_ring(outline)) if boxes else overlap(hull, outline)


def overlap(first: Points, second: Points) -> float:
    """Compute the intersection over union of two convex outlines.

    Parameters
    ----------
    first, second : (N, 2) float
        Open rings in px.

    Returns
    -------
    float
        In [0, 1]; 0 where one of them has no area.

    Examples
    --------
    >>> square = np.array([(0, 0), (10, 0), (10, 10), (0, 10)])
    >>> overlap(square, square + (5, 0))
    0.3333333333333333
    """
    one, other = first.astype(np.float32), second.astype(np.float32)
    areas = cv2.contourArea(one), cv2.contourArea(other)
    if min(areas) <= 0:
        return 0.0
    shared, _ = cv2.intersectConvexConvex(one, other)
    return float(shared / (sum(areas) - shared))


def described_example(query: QueryFeatures, network: SymbolNetwork) -> NDArray[np.float32]:
    """Describe an example in the eight poses of a square, once.

    Parameters
    ----------
    query : QueryFeatures
        Keeps the result.
    network : SymbolNetwork

    Returns
    -------
    (8, E) float32
        Unit vectors, first the pose in which it is drawn.

    Examples
    --------
    >>> from spotlab.spotting.symbols.embedding.network import shipped_network
    >>> from spotlab.spotting.symbols.engine.method import features_of_model
    >>> from spotlab.spotting.symbols.engine.page_features import draw_model
    >>> triangle = draw_model("slope", [[(0, 0), (40, 0), (40, 20), (0, 0)]], pen=2)
    >>> poses = described_example(features_of_model(triangle, []), shipped_network())
    >>> poses.shape, bool(poses[0] @ poses[2] < 0.9)  # upside down it is another one
    ((8, 128), True)
    """

    def make() -> NDArray[np.float32]:
        [picture] = cut_pictures(query.features.ink, example_region(query).boxes)
        poses = [np.rot90(each, k) for each in (picture, picture[:, ::-1]) for k in range(4)]
        return network.describe_pictures(np.stack(poses)).embedding

    return query.features.cached(f"described by {network.digest}", make)


_MIN_FIT = 0.75  # overlap with the outline below which the ink is connected to something else
_SLACK = 0.04  # of the outline's size, by which it may lie beside its ink


def snap_to_ink(outline: ArrayLike, ink: Ink) -> Points:
    """Replace an outline by the hull of the ink that a sketch along it takes.

    An upright box becomes the box around that ink. Where a symbol is connected to walls, lines or
    arrows, its component lies mostly outside, and the outline stays as it is; so does one that is
    not convex.

    Parameters
    ----------
    outline : (N, 2) array_like
        Open ring in px.
    ink : (H, W) bool
        The page's.

    Returns
    -------
    (M, 2) float
        Open ring in px.

    Examples
    --------
    >>> ink = np.zeros((60, 60), bool); ink[20:40, 10:50] = True
    >>> snap_to_ink([(9, 18), (52, 18), (52, 41), (9, 41)], ink).tolist()
    [[10.0, 20.0], [50.0, 20.0], [50.0, 40.0], [10.0, 40.0]]
    >>> ink[:, 30] = True; ink[0], ink[-1] = True, True  # connected to a frame
    >>> len(snap_to_ink([(9, 18), (52, 18), (52, 41), (9, 41)], ink))
    4
    """
    points = polygon.as_points(outline)
    around = polygon.convex_hull(points)
    if not len(around) or not polygon.is_convex(points):
        return points
    left, top, right, bottom = polygon.bounds(around)
    slack = _SLACK * float(np.hypot(right - left, bottom - top)) + 2
    wide = shapely.get_coordinates(shapely.Polygon(around).buffer(slack, join_style="mitre"))[:-1]
    # some room around: a component that leaves it lies more outside than inside
    room = (right - left + bottom - top) + 2 * slack
    x, y = (int(max(edge - room, 0)) for edge in (left, top))
    part = ink[y : int(bottom + room) + 1, x : int(right + room) + 1]
    components = label_components(np.ascontiguousarray(part))
    corner = np.array([x, y], np.float64)
    taken = select_components(components, wide - corner)
    if not len(taken):
        return points
    snapped: Points = hull(components.select(taken)[0]) + corner
    if is_box(points):
        snapped = bounding_ring(snapped)
    return snapped if overlap(snapped, around) >= _MIN_FIT else points


def overlaps(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Compute by how much each two of boxes overlap.

    Parameters
    ----------
    first : (N, 4) float
        Left, top, right, bottom in px.
    second : (M, 4) float

    Returns
    -------
    iou : (N, M) float
        Intersection over union, 0 to 1.
    part : (N, M) float
        Share of the smaller box that lies in the other one.

    Examples
    --------
    >>> iou, part = overlaps(np.array([[0, 0, 4, 4.0]]), np.array([[2, 0, 4, 4.0]]))
    >>> iou.item(), part.item()
    (0.5, 1.0)
    """
    corner = np.maximum(first[:, None, :2], second[None, :, :2])
    end = np.minimum(first[:, None, 2:], second[None, :, 2:])
    shared = (end - corner).clip(0).prod(2)
    one = (first[:, 2:] - first[:, :2]).prod(1)[:, None]
    other = (second[:, 2:] - second[:, :2]).prod(1)[None]
    iou = shared / np.maximum(one + other - shared, 1e-9)
    return iou, shared / np.maximum(np.minimum(one, other), 1e-9)


INSIDE, AROUND = 1.1, 1.8  # sides of the boxes whose ink is described, in sides of the candidate
CORE = 0.6  # of the box whose ink tells marks inside symbols apart
_FREQUENCIES = 6  # of the cosine transform over the cells that are kept, both directions together
_TURNED = 0.5  # how much the ink in the narrowest box counts, beside the two upright ones
_MARK = 0.5  # how much the ink in the core counts
_OPENING = 8.0  # how much an opening of a wall counts
_BESIDE = 3.0  # px beside a box that an opening may run
_EXPERT = 1.0  # how much the expert that found the candidate counts, beside a histogram
_SPREAD = 0.5  # typical distance of two candidates' histograms
_LEARNED = 1.0  # how much the network's description counts, beside a histogram
_SYMBOL = 1 / 16  # how much its log-odds of being a symbol count, beside the description
_SURE = 4.0  # log-odds beyond which it makes no difference
PLACED = ("aspect", "size on page", "size in pens", "x", "y")

Rows = NDArray[np.float32]


def figures_count() -> int:
    """Return the number of figures of shape and place at the end of each row."""
    return len(PLACED) + len(NAMES)


def appearance_length() -> int:
    """Return the number of figures in each row."""
    frequencies = int(_cosines().shape[1])
    return OWN + 1 + 4 * DIRECTIONS * frequencies + SIZE + 1 + figures_count()


def page_appearance(page: PageFeatures) -> Rows:
    """Describe all candidates of a page, once.

    Parameters
    ----------
    page : PageFeatures
        Keeps the result.

    Returns
    -------
    (N, D) float32
        In the order of `find_candidates`.
    """
    return page.cached("appearance", lambda: describe_appearance(page, find_candidates(page)))


def learned_columns(rows: Rows) -> tuple[Rows, Rows]:
    """Return what the network says of the candidates that rows describe.

    Parameters
    ----------
    rows : (N, D) float32
        See `describe_appearance`.

    Returns
    -------
    embedding : (N, E) float32
        Of length 1, alike for symbols of the same kind.
    symbol : (N,) float32
        Log-odds that it is a symbol, whole and alone, from -4 to 4.

    Examples
    --------
    >>> embedding, symbol = learned_columns(np.zeros((3, appearance_length()), np.float32))
    >>> embedding.shape, symbol.shape
    ((3, 128), (3,))
    """
    end = rows.shape[1] - figures_count() - 1
    return rows[:, end - SIZE : end] / _LEARNED, rows[:, end] / (_LEARNED * _SYMBOL)


def describe_appearance(page: PageFeatures, candidates: Candidates) -> Rows:
    """Describe regions of a page.

    Parameters
    ----------
    page : PageFeatures
    candidates : Candidates

    Returns
    -------
    (N, D) float32
        The expert that found it, how well it fits an opening of a wall, histograms of the inside,
        of the surroundings, of the narrowest box around the region and of its core, in units of a
        typical distance, what the network says, then `figures_count` figures of shape and place as
        they are.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
    >>> describe_appearance(page, find_candidates(page)).shape
    (0, 824)
    """
    ink, boxes = page.ink, candidates.boxes
    width, height = page.size
    sides = np.log(np.maximum(boxes[:, 2:] - boxes[:, :2], 1))
    sizes, middle = sides.mean(1), (boxes[:, :2] + boxes[:, 2:]) / 2
    figures = np.column_stack(
        [
            sides[:, 0] - sides[:, 1],
            sizes - np.log(width * height) / 2,
            sizes - np.log(max(page.pen, 1)),
            middle / (width, height),
            candidates.features,
        ]
    )
    inside, around = (_slow_changes(_box_histograms(ink, boxes, by)) for by in (INSIDE, AROUND))
    turned = _slow_changes(candidates.histograms)
    mark = _slow_changes(_box_histograms(ink, boxes, CORE))
    described = shipped_network().describe(ink, boxes)
    fits = fit_openings(boxes, _plan_of(page)[2])
    parts = [
        experts(candidates.source),
        np.asarray(_OPENING * fits[:, None], np.float32),
        inside / _SPREAD,
        around / _SPREAD,
        turned * (_TURNED / _SPREAD),
        mark * (_MARK / _SPREAD),
        described.embedding * _LEARNED,
        described.symbol.clip(-_SURE, _SURE)[:, None] * (_LEARNED * _SYMBOL),
        figures,
    ]
    return rounded(np.hstack(parts))


def described_once(page: PageFeatures, outlines: Outlines, expert: int) -> Rows:
    """Describe regions of a page that an expert found, each only once.

    Parameters
    ----------
    page : PageFeatures
        Keeps the rows.
    outlines : Outlines
    expert : int
        See `SHAPE`.

    Returns
    -------
    (N, D) float32
        See `describe_appearance`.
    """
    known = page.cached("described", dict[tuple[int, bytes], Rows])
    rings = [outlines[number] for number in range(len(outlines))]
    keys = [(expert, ring.tobytes()) for ring in rings]
    new = {key: ring for key, ring in zip(keys, rings, strict=True) if key not in known}
    if new:
        regions = describe_regions(page, Outlines.of(list(new.values())), np.full(len(new), expert))
        known.update(zip(new, describe_appearance(page, regions), strict=True))
    return np.array([known[key] for key in keys], np.float32).reshape(-1, appearance_length())


def experts(source: NDArray[np.int64]) -> Rows:
    """Make the columns of rows that say which expert found a candidate, the first ones.

    Parameters
    ----------
    source : (N,) int
        See `spotlab.spotting.symbols.proposals.candidates.SHAPE`; 0 in all columns for `OWN`.

    Returns
    -------
    (N, 5) float32
    """
    return np.asarray(_EXPERT * (source[:, None] == np.arange(OWN)), np.float32)


def _box_histograms(ink: Ink, boxes: Boxes, by: float) -> Histograms:
    """Of the ink in boxes that are this many times as wide and high."""
    middle, half = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2 * by
    low, high = middle - half, middle + half
    corners = [low, np.column_stack([high[:, 0], low[:, 1]]), high]
    corners.append(np.column_stack([low[:, 0], high[:, 1]]))
    rings = Outlines.of(list(np.stack(corners, 1)))
    frames = np.column_stack([middle, np.maximum(2 * half, 1), np.zeros(len(boxes))])
    return orientation_histograms(ink, rings, frames)


def _slow_changes(histograms: Histograms) -> Rows:
    """(N, K) the lowest frequencies of a cosine transform over the cells, for each direction."""
    cells = histograms.reshape(-1, CELLS * CELLS, DIRECTIONS)
    slow = np.tensordot(cells, _cosines(), axes=(1, 0))  # (N, DIRECTIONS, F)
    return np.asarray(slow.reshape(len(slow), slow.shape[1] * slow.shape[2]), np.float32)


@cache
def _cosines() -> Rows:
    """(CELLS², F) orthonormal cosines of two dimensions, those of low frequency."""
    place, wave = np.arange(CELLS) + 0.5, np.arange(_FREQUENCIES)
    one = np.cos(np.pi * np.outer(wave, place) / CELLS) * np.sqrt(2 / CELLS)
    one[0] /= np.sqrt(2)
    both = np.einsum("ui,vj->uvij", one, one)
    low = np.add.outer(wave, wave) < _FREQUENCIES
    return np.asarray(both[low].reshape(-1, CELLS * CELLS).T, np.float32)


def candidate_arrays(page: PageFeatures) -> Arrays:
    """Find and describe the candidates of a page.

    Parameters
    ----------
    page : PageFeatures
        Keeps them, too.

    Returns
    -------
    mapping of str to array
        For `adopt_candidates`; of N candidates.
    """
    candidates = find_candidates(page)
    return {
        "points": candidates.outlines.points.astype(np.float32),
        "offsets": candidates.outlines.offsets,
        "hull points": candidates.hulls.points.astype(np.float32),
        "hull offsets": candidates.hulls.offsets,
        "openings": _plan_of(page)[2].swapaxes(0, 1),  # all starts, then all ends
        "source": candidates.source,
        "frames": candidates.frames,
        "features": candidates.features,
        # both are rounded so that nothing is lost
        "histograms": candidates.histograms.astype(np.float16),
        "rows": page_appearance(page).astype(np.float16),
    }


def adopt_candidates(page: PageFeatures, kept: Arrays) -> bool:
    """Give a page the candidates that were found before.

    Parameters
    ----------
    page : PageFeatures
    kept : mapping of str to array
        Of any shape: the file may be damaged.

    Returns
    -------
    bool
        False, and the page as it was, where they cannot be candidates.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
    >>> adopt_candidates(page, candidate_arrays(page)), adopt_candidates(page, {})
    (True, False)
    """
    names = {"frames", "features", "histograms", "openings", "rows", "source"}
    if kept.keys() != names | {"points", "offsets", "hull points", "hull offsets"}:
        return False
    both = []
    for points, offsets in (("points", "offsets"), ("hull points", "hull offsets")):
        if not has_form(kept[points], np.float32, None, 2):
            return False
        both.append(Outlines(kept[points].astype(np.float64), kept[offsets]))
    outlines, hulls = both
    if not outlines.is_sound() or not hulls.is_sound() or len(outlines) != len(hulls):
        return False
    count, openings = len(hulls), kept["openings"]
    is_sound = (
        has_form(openings, np.float64, 2, None, 2)
        and bool(np.isfinite(openings).all() and (openings[0] != openings[1]).any(1).all())
        and has_form(kept["frames"], np.float64, count, 5)
        and has_form(kept["source"], np.int64, count)
        and has_form(kept["features"], np.float64, count, len(NAMES))
        and has_form(kept["histograms"], np.float16, count, LENGTH)
        and has_form(kept["rows"], np.float16, count, appearance_length())
    )
    if not is_sound:
        return False
    histograms = kept["histograms"].astype(np.float32)
    found = Candidates(
        hulls, outlines, kept["source"], hulls.bounds, kept["frames"], kept["features"], histograms
    )
    rows = kept["rows"].astype(np.float32)
    page.cached("candidates", lambda: found)
    rooms, walls = (outlines.take(np.flatnonzero(found.source == each)) for each in (ROOM, WALL))
    page.cached("plan", lambda: (rooms, walls, openings.swapaxes(0, 1)))
    page.cached("appearance", lambda: rows)
    return True
