"""Outlines as they are measured, and remarks on what is odd about them and the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints, Points
from spotlab.errors import counted
from spotlab.geometry import coverage
from spotlab.geometry.coverage import Engine
from spotlab.geometry.polygon import Outlines, Size, clip_to_page, even_odd_geometry, leaves_page
from spotlab.geometry.primitives import ellipse, ellipse_from_points, is_isothetic
from spotlab.geometry.rings import cells_from_ring, ring_from_cells, ring_from_geometry
from spotlab.libraries import shapely
from spotlab.measures.figures import RunFigures
from spotlab.measures.matching import ErrorKind, Errors
from spotlab.measures.tally import NONE, Tally
from spotlab.model import Truth
from spotlab.model.region import Ignore, Primitive
from spotlab.model.run import Page, QueryModel, Run
from spotlab.representation import short_repr

CELL_SIDE = 8  # px, of the smallest quad-tree cells


def outlines_as(
    outlines: Outlines, primitive: Primitive | None, page_size: Size, cell_side: int = CELL_SIDE
) -> Outlines:
    """The outlines as this primitive; as drawn for None, polygon and trace.

    hull
        The convex hull of the corners.
    box
        The bounds.
    ellipse
        The 48-gon of the ellipse with the area's moments to second order.
    isothetic
        The outline of the page's pixels whose centre is inside; what runs along x and y only is
        kept as drawn.
    cells
        The outline of the page's quad-tree cells, the smallest of ``cell_side`` px, of which more
        than half is inside.

    Parameters
    ----------
    page_size : (width, height)
        Of the page, in px.

    Returns
    -------
    Outlines
        As many; without corners where there is no area.

    Examples
    --------
    >>> triangle = Outlines.of([[(0, 0), (4, 0), (4, 4)]])
    >>> outlines_as(triangle, Primitive.BOX, (9, 9))[0].tolist()
    [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]
    """
    match primitive:
        case Primitive.HULL:
            return _hulls(outlines)
        case Primitive.BOX:
            return _boxes(outlines)
        case Primitive.ELLIPSE:
            return Outlines.of([_ellipse(outlines[each]) for each in range(len(outlines))])
        case Primitive.ISOTHETIC:
            return Outlines.of([_isothetic(outlines[n], page_size) for n in range(len(outlines))])
        case Primitive.CELLS:
            rings = (outlines[number] for number in range(len(outlines)))
            found = (
                cells_from_ring(_on_page(ring, page_size), cell_side, page_size) for ring in rings
            )
            return Outlines.of([ring_from_cells(cells, page_size) for cells in found])
        case _:
            return outlines


def measured_outlines(outlines: Outlines, primitive: Primitive | None, page_size: Size) -> Outlines:
    """The outlines as areas are measured: as this primitive, and only what lies on the page.

    Parameters
    ----------
    outlines : Outlines
        In px of the page.
    primitive : Primitive or None
        See `outlines_as`.
    page_size : (width, height)
        Of the page, in px.

    Examples
    --------
    >>> half = Outlines.of([[(-4, 0), (4, 0), (4, 2), (-4, 2)]])
    >>> measured_outlines(half, None, (9, 9)).bounds.tolist()
    [[0.0, 0.0, 4.0, 2.0]]
    """
    return clip_to_page(outlines_as(outlines, primitive, page_size), page_size)


def _boxes(outlines: Outlines) -> Outlines:
    left, top, right, bottom = outlines.bounds.T
    corners = np.stack([left, top, right, top, right, bottom, left, bottom], axis=1)
    filled = np.diff(outlines.offsets) > 0
    offsets = np.concatenate([[0], np.cumsum(np.where(filled, 4, 0))])
    return Outlines(corners[filled].reshape(-1, 2), offsets)


def _hulls(outlines: Outlines) -> Outlines:
    lengths = np.diff(outlines.offsets)
    filled = np.flatnonzero(lengths)
    kept = np.zeros(len(outlines), np.int64)
    if not len(filled):
        return outlines
    numbers = np.repeat(np.arange(len(filled)), lengths[filled])
    points = shapely.multipoints(shapely.points(outlines.points), indices=numbers)
    hulls = shapely.convex_hull(points)
    flat = shapely.get_type_id(hulls) == shapely.GeometryType.POLYGON
    rings = shapely.get_exterior_ring(hulls[flat])
    kept[filled[flat]] = shapely.get_num_coordinates(rings) - 1
    corners, which = shapely.get_coordinates(rings, return_index=True)
    open_end = np.append(which[1:] == which[:-1], False)[: len(which)]
    return Outlines(corners[open_end], np.concatenate([[0], np.cumsum(kept)]))


def _ellipse(ring: Points) -> Points:
    frame = ellipse_from_points(ring)
    return np.empty((0, 2)) if frame is None else ellipse(frame)


def _on_page(ring: Points, page_size: Size) -> Points:
    """The part on the page: pixels and cells are the page's."""
    return clip_to_page(Outlines.of([ring]), page_size)[0]


def _isothetic(ring: Points, page_size: Size) -> Points:
    ring = _on_page(ring, page_size)
    if len(ring) < 3 or is_isothetic(ring):
        return ring
    (x1, y1), (x2, y2) = ring.T, np.roll(ring, -1, axis=0).T
    boxes = []
    for row in range(int(y1.min()), int(np.ceil(y1.max()))):
        y = row + 0.5
        spans = (y1 <= y) != (y2 <= y)
        across = x1[spans] + (y - y1[spans]) / (y2[spans] - y1[spans]) * (x2[spans] - x1[spans])
        edges = np.ceil(np.sort(across) - 0.5)  # the first pixel whose centre is not left of it
        boxes += [(a, row, b, row + 1) for a, b in edges.reshape(-1, 2).tolist() if a < b]
    if not boxes:
        return np.empty((0, 2))
    area = shapely.union_all(shapely.box(*np.array(boxes).T))
    return ring_from_geometry(shapely.simplify(shapely.normalize(area), 0), isothetic=True)


EVERY = -1  # the query of an ignored region that concerns every query
INSIDE = 1e-9  # share of an area up to which a rest outside ignored area is rounding


@dataclass(frozen=True, eq=False)
class IgnoredOutlines:
    """The I ignored regions of a page.

    Attributes
    ----------
    outlines : Outlines
        Their outlines, clipped to the page.
    query : (I,) int
        The number of the query that each one concerns, or `EVERY`.
    engine : Engine
        What computes areas.
    """

    outlines: Outlines
    query: Ints
    engine: Engine

    def area(self, query: int) -> float:
        """The area in px² that is ignored for a query; `EVERY` for one without a region of its own.

        Parameters
        ----------
        query : int
            The number of the query.
        """
        own = np.flatnonzero((self.query == query) | (self.query == EVERY))
        group = np.zeros(len(own), np.int64)
        return float(coverage.union_areas(self.outlines.take(own), group, 1, self.engine)[0])

    def new_coverage(
        self, outlines: Outlines, query: Ints, regions: Outlines, region_query: Ints
    ) -> tuple[Floats, Floats]:
        """Measure what each outline covers that no ignored region and no earlier outline covers.

        Parameters
        ----------
        outlines : Outlines
            N of them, in order of rank within their query.
        query : (N,) int
            Their queries.
        regions : Outlines
            T truth regions.
        region_query : (T,) int
            Their queries.

        Returns
        -------
        new_area, new_relevant : (N,) float
            In px², see `coverage.NewCoverage`.
        """
        queries = np.unique(query)
        concerned = (self.query == queries[:, None]) | (self.query == EVERY)
        of_query, which = np.nonzero(concerned)
        new = coverage.new_coverage(
            self.outlines.take(which).followed_by(outlines),
            np.concatenate([queries[of_query], query]),
            regions,
            region_query,
            self.engine,
        )
        return new.new_area[len(which) :], new.new_relevant[len(which) :]

    def outside(
        self, outlines: Outlines, query: Ints, areas: Floats, within: Outlines | None = None
    ) -> Floats:
        """The part of each outline outside what is ignored for its query.

        Parameters
        ----------
        outlines : Outlines
            N of them.
        query : (N,) int
            Their queries.
        areas : (N,) float
            Their whole areas in px², or what each shares with its other one.
        within : Outlines, optional
            N others; of each outline only what lies in its other one is measured.

        Returns
        -------
        (N,) float
            In px²: exactly the whole where no ignored region is near, and exactly 0 where at most
            a 10⁻⁹ of it is outside.
        """
        pairs = coverage.overlapping_bounds(outlines, self.outlines)
        concerned = self.query[pairs[:, 1]]
        pairs = pairs[(concerned == EVERY) | (concerned == query[pairs[:, 0]])]
        near = np.unique(pairs[:, 0])
        if not len(near):
            return areas
        # every outline is a query of its own here
        number = np.arange(len(near))
        new = coverage.new_coverage(
            self.outlines.take(pairs[:, 1]).followed_by(outlines.take(near)),
            np.concatenate([np.searchsorted(near, pairs[:, 0]), number]),
            Outlines.of([]) if within is None else within.take(near),
            [] if within is None else number,
            self.engine,
        )
        rest = (new.new_area if within is None else new.new_relevant)[len(pairs) :]
        parts = areas.copy()
        parts[near] = np.where(rest > INSIDE * areas[near], np.minimum(rest, areas[near]), 0.0)
        return parts

    def cut_off(self, outlines: Outlines, query: Ints) -> Outlines:
        """The outlines without what is ignored for their queries.

        Parameters
        ----------
        outlines : Outlines
            N of them.
        query : (N,) int
            Their queries.

        Returns
        -------
        Outlines
            N rings whose parts and holes are joined by edges that run there and back; without
            corners where nothing is left.
        """
        pairs = coverage.overlapping_bounds(outlines, self.outlines)
        concerned = self.query[pairs[:, 1]]
        pairs = pairs[(concerned == EVERY) | (concerned == query[pairs[:, 0]])]
        rings = [outlines[at] for at in range(len(outlines))]
        for at in np.unique(pairs[:, 0]).tolist():
            off = pairs[pairs[:, 0] == at, 1].tolist()
            covers = shapely.union_all([even_odd_geometry(self.outlines[one]) for one in off])
            rest = shapely.difference(even_odd_geometry(rings[at]), covers)
            rings[at] = ring_from_geometry(rest)
        return Outlines.of(rings)


def ignored_areas(ignored: IgnoredOutlines, numbers: Mapping[str, int]) -> dict[str, float]:
    """A(I) in px² by label; under "" for every query without an ignored region of its own.

    Parameters
    ----------
    ignored : IgnoredOutlines
        Of a page.
    numbers : mapping of str to int
        The query of each label that an ignored region has.
    """
    areas = {label: ignored.area(number) for label, number in numbers.items() if label}
    return {**areas, "": ignored.area(EVERY)}


BEYOND = 1e-6  # px beyond the page that are not worth a word


@dataclass(frozen=True, eq=False)
class OffPage:
    """Outlines that leave their page.

    Attributes
    ----------
    partly : (n,) int
        Some of their area lies on the page and counts, the rest is cut off.
    wholly : (n,) int
        None of it does: they retrieve nothing.
    """

    partly: Ints
    wholly: Ints

    __repr__ = short_repr

    @property
    def count(self) -> int:
        """Number of outlines that leave their page."""
        return len(self.partly) + len(self.wholly)


NOWHERE = OffPage(np.empty(0, np.int64), np.empty(0, np.int64))


def off_page(outlines: Outlines, page_size: Size) -> OffPage:
    """Find the outlines that leave a page of this size.

    Examples
    --------
    >>> half, outside = [(-4, 0), (4, 0), (4, 2)], [(9, 9), (12, 9), (9, 12)]
    >>> found = off_page(Outlines.of([half, outside, [(0, 0), (6, 0), (6, 6)]]), (6, 6))
    >>> found.partly.tolist(), found.wholly.tolist()
    ([0], [1])
    """
    leaving = np.flatnonzero(leaves_page(outlines, page_size, BEYOND))
    if not len(leaving):
        return NOWHERE
    on_page = coverage.areas(clip_to_page(outlines.take(leaving), page_size)) > 0
    return OffPage(leaving[on_page], leaving[~on_page])


def spots_off_page(
    run: Run, pages: Mapping[str, Page], pages_of_run: Mapping[str, str | None]
) -> OffPage:
    """Find the spots of a run that leave their page; nothing is known of pages without truth.

    Parameters
    ----------
    run : Run
    pages : mapping of str to Page
        By name; they say how large they are.
    pages_of_run : mapping of str to str or None
        Which of these each page of the run is.
    """
    sizes = np.full((len(run.pages), 2), np.inf)
    for number, name in enumerate(run.pages):
        known = pages_of_run.get(name)
        if known is not None:
            sizes[number] = pages[known].width, pages[known].height
    bounds = run.outlines.bounds
    beyond = (bounds[:, :2] < -BEYOND) | (bounds[:, 2:] > sizes[run.page] + BEYOND)
    leaving = np.flatnonzero(beyond.any(axis=1) & np.isfinite(sizes[run.page, 0]))
    parts = [NOWHERE]
    for number in np.unique(run.page[leaving]).tolist():
        here = leaving[run.page[leaving] == number]
        width, height = sizes[number].astype(int).tolist()
        found = off_page(run.outlines.take(here), (width, height))
        parts.append(OffPage(here[found.partly], here[found.wholly]))
    return OffPage(
        np.sort(np.concatenate([part.partly for part in parts])),
        np.sort(np.concatenate([part.wholly for part in parts])),
    )


SAME_AREA = 1e-9  # of the area of an outline's bounds
AT_ONCE = 50_000  # outlines whose corners are copied at the same time


@dataclass(frozen=True, eq=False)
class OutlineFlaws:
    """Outlines that are odd, by their places.

    Attributes
    ----------
    without_area : (n,) int
        Fewer than three corners, all on one line, or covered an even number of times.
    crossing : (n,) int
        Those whose area depends on the even-odd rule: they cross themselves or wind around some
        place more than once.
    """

    without_area: Ints
    crossing: Ints

    __repr__ = short_repr


def outline_flaws(outlines: Outlines) -> OutlineFlaws:
    """Look for outlines without area and for those that cross themselves.

    An outline that winds around everything in it once has the area of the shoelace formula; where
    the even-odd rule gives another one, it does not.

    Examples
    --------
    >>> square, bow_tie = [(0, 0), (2, 0), (2, 2), (0, 2)], [(0, 0), (2, 2), (2, 0), (0, 2)]
    >>> found = outline_flaws(Outlines.of([square, bow_tie, [(0, 0), (1, 1), (2, 2)]]))
    >>> found.without_area.tolist(), found.crossing.tolist()
    ([2], [1])
    """
    places = np.arange(len(outlines))
    none, crossing = np.zeros((2, len(outlines)), np.bool_)
    for start in range(0, len(outlines), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        some = outlines.take(places[part])
        areas = coverage.areas(some)
        left, top, right, bottom = some.bounds.T
        tolerance = SAME_AREA * np.nan_to_num((right - left) * (bottom - top))
        none[part] = areas <= 0
        crossing[part] = np.abs(np.abs(_shoelace(some)) - areas) > tolerance
    return OutlineFlaws(np.flatnonzero(none), np.flatnonzero(crossing))


def _shoelace(outlines: Outlines) -> NDArray[np.float64]:
    """(N,) half the sum of cross products of neighbours, each ring seen from its first corner."""
    found = np.zeros(len(outlines))
    starts, ends = outlines.offsets[:-1], outlines.offsets[1:]
    filled = np.flatnonzero(ends > starts)
    if not len(filled):
        return found
    lengths = np.diff(outlines.offsets)[filled]
    points = outlines.points - np.repeat(outlines.points[starts[filled]], lengths, axis=0)
    following = np.arange(1, len(points) + 1)
    following[ends[filled] - 1] = starts[filled]
    x, y = points.T
    found[filled] = np.add.reduceat(x * y[following] - x[following] * y, starts[filled]) / 2
    return found


MOST_NAMES = 5  # that a line names; `listed` names all


def some(names: Iterable[str]) -> str:
    """The first names and how many more there are.

    Examples
    --------
    >>> some("abc"), some("abcdefg")
    ('a, b, c', 'a, b, c, d, e and 2 more')
    """
    all_of_them = list(names)
    text = ", ".join(all_of_them[:MOST_NAMES])
    more = len(all_of_them) - MOST_NAMES
    return f"{text} and {more:,} more" if more > 0 else text


def spot_places(run: Run, spots: Ints) -> Iterator[str]:
    """Origins of spots: the line of the file, or the query and rank."""
    for spot in spots.tolist():
        line = int(run.line[spot])
        query = run.queries[run.query[spot]]
        yield f"line {line}" if line else f"{query}, rank {int(run.rank[spot])}"


@dataclass(frozen=True)
class Flawed:
    """A truth region that may surprise.

    Attributes
    ----------
    page, region : str
        The page's name and the region's id.
    label : str
    """

    page: str
    region: str
    label: str


@dataclass(frozen=True)
class TruthNotes:
    """Counts and odd regions of the truth of some pages.

    Attributes
    ----------
    regions : int
        Number of regions.
    ignored_symbols, ignored_areas : int
        Number of those that are ignored, of each kind.
    without_area, crossing : tuple of Flawed
        Regions that enclose nothing; whose outline crosses itself or winds around some place more
        than once, so that its area depends on the even-odd rule.
    without_label, off_page : tuple of Flawed
        Those without a label belong to no query; of those that leave the page only what lies on it
        counts.
    """

    regions: int = 0
    ignored_symbols: int = 0
    ignored_areas: int = 0
    without_area: tuple[Flawed, ...] = ()
    crossing: tuple[Flawed, ...] = ()
    without_label: tuple[Flawed, ...] = ()
    off_page: tuple[Flawed, ...] = ()

    @property
    def ignored(self) -> int:
        """Number of ignored regions."""
        return self.ignored_symbols + self.ignored_areas


def notes_on(truths: Iterable[tuple[str, Truth]]) -> TruthNotes:
    """Note what there is to say about the truth of some pages.

    Parameters
    ----------
    truths : iterable of (str, Truth)
        Each with the name of its page.

    Examples
    --------
    >>> from pathlib import Path
    >>> from spotlab.model import Page, Region
    >>> line = Region(((0, 0), (5, 5), (9, 9)), "bed", "r1")
    >>> notes = notes_on([("plan", Truth(Page(Path("plan.png"), 20, 20), (line,)))])
    >>> notes.regions, notes.without_area
    (1, (Flawed(page='plan', region='r1', label='bed'),))
    """
    regions, leaving, kinds = [], [], []
    for page, truth in truths:
        own = [Flawed(page, region.id, region.label) for region in truth.regions]
        kinds += [region.ignore for region in truth.regions if region.ignored]
        leaving += [own[place] for place in _leaving(truth)]
        regions += [(each, region.array) for each, region in zip(own, truth.regions, strict=True)]
    flaws = outline_flaws(Outlines.of([array for _, array in regions]))
    return TruthNotes(
        len(regions),
        kinds.count(Ignore.SYMBOL),
        kinds.count(Ignore.AREA),
        tuple(regions[place][0] for place in flaws.without_area),
        tuple(regions[place][0] for place in flaws.crossing),
        tuple(flawed for flawed, _ in regions if not flawed.label),
        tuple(leaving),
    )


def sum_notes(parts: Sequence[TruthNotes]) -> TruthNotes:
    """The notes on the truth of all these pages, in this order.

    Parameters
    ----------
    parts : sequence of TruthNotes

    Examples
    --------
    >>> sum_notes([TruthNotes(2), TruthNotes(3, 1)]).regions
    5
    """
    return TruthNotes(
        sum(part.regions for part in parts),
        sum(part.ignored_symbols for part in parts),
        sum(part.ignored_areas for part in parts),
        *(
            tuple(flawed for part in parts for flawed in getattr(part, name))
            for name in ("without_area", "crossing", "without_label", "off_page")
        ),
    )


def _leaving(truth: Truth) -> list[int]:
    outlines = Outlines.of([region.array for region in truth.regions])
    found = off_page(outlines, (truth.page.width, truth.page.height))
    return sorted([*found.partly.tolist(), *found.wholly.tolist()])


BOTH = {"area_precision": "area precision", "area_recall": "area recall", "iou_precision": "AP"}


def ignored_regions_remark(notes: TruthNotes) -> Iterator[str]:
    """A line on the ignored regions of the truth, if there are any.

    Parameters
    ----------
    notes : TruthNotes

    Examples
    --------
    >>> list(ignored_regions_remark(TruthNotes(3, ignored_areas=1)))
    ['1 truth region ignored (0 symbols, 1 area): neither found nor missed nor false']
    """
    if notes.ignored:
        yield (
            f"{counted(notes.ignored, 'truth region')} ignored "
            f"({counted(notes.ignored_symbols, 'symbol')}, "
            f"{counted(notes.ignored_areas, 'area')}): "
            "neither found nor missed nor false"
        )


def ignored_remarks(
    tally: Tally,
    errors: Errors,
    figures: RunFigures,
    models: Mapping[str, Sequence[QueryModel]],
    with_models: RunFigures | None,
) -> Iterator[str]:
    """Lines on what is ignored of a run.

    Parameters
    ----------
    tally, errors, figures
        Of the run.
    models : mapping of str to sequence of QueryModel
        What its queries were taken from, by page.
    with_models : RunFigures or None
        The figures that count them, where ``figures`` does not.
    """
    spots = int(errors.count(ErrorKind.IGNORED).sum())
    if spots:
        regions = "an ignored region" if spots == 1 else "ignored regions"
        yield f"{counted(spots, 'spot')} ignored, on {regions}: neither right nor false"
    number = sum(map(len, models.values()))
    if number and with_models is not None:
        yield (
            f"{counted(number, 'query model')} ignored, with the spots on "
            f"{'it' if number == 1 else 'them'}: {_figures(figures)}; counted: "
            f"{_figures(with_models)}"
        )
    elif number:
        yield (
            f"{counted(number, 'query model')} counted: the spots that are the models themselves "
            "make the figures better"
        )


def ignored_counts(tally: Tally, errors: Errors) -> list[dict[str, Any]]:
    """Number of ignored regions and spots and the ignored area in px², of every query.

    Parameters
    ----------
    tally, errors
        Of the run.

    Returns
    -------
    list of dict
        One for each of the tally's queries; regions without a label count for each.
    """
    spots = errors.count(ErrorKind.IGNORED).tolist()
    queries = len(tally.queries)
    if tally.ignored is None:
        return [{"regions": 0, "spots": 0, "area": 0.0} for _ in range(queries)]
    regions, of_all = tally.ignored.query, int((tally.ignored.query == -1).sum())
    own = np.bincount(regions[regions > NONE + 1], minlength=queries)
    areas = tally.ignored.area.sum(axis=1).tolist()
    return [
        {"regions": int(own[query]) + of_all, "spots": spots[query], "area": areas[query]}
        for query in range(queries)
    ]


def _figures(figures: RunFigures) -> str:
    values = ((name, figures.mean[key]) for key, name in BOTH.items())
    return ", ".join(f"{name} {'–' if value is None else f'{value:.3f}'}" for name, value in values)
