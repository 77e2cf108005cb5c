"""One page of a run as it is shown: its spots, the state of its symbols, and its areas by kind.

The state of each symbol of a page: recognised, partly found or missed; and the false spots.

Recognised and false are as in `spotlab.measures.matching`, at the cut and under the settings of
the figures. Areas alone do not tell these states where truth is nested in other truth.

How much of a page is found, taken for another label, false and missed, exactly, in px².

The legend, the report and the JSON take these figures from here. They are the areas of what
`spotlab.imaging.overlay` paints, from the outlines and not from pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.partition import Partition, partition_areas
from spotlab.geometry.polygon import Outlines, contains
from spotlab.imaging.overlay import PRECEDENCE, AreaKind, PageAreas
from spotlab.measures.area import ratio
from spotlab.measures.figures import RunFigures
from spotlab.measures.tally import PageTally, Tally
from spotlab.model import Primitive, Region
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.studies.tally.outlines import measured_outlines


@dataclass(frozen=True, eq=False)
class PageSpots:
    """The spots of a run on one page; make it with `page_spots`.

    Attributes
    ----------
    tally : Tally
    page : str
    query : str or None
        None: of all queries.
    spot : (n,) int
        Their places in the tally, rising.
    outlines : Outlines
    number : (n,) int
        Places of their queries among the tally's.
    kept : (n,) bool
        Whether the cut keeps them.
    counts : (Q,) int
        How many spots the cut keeps of each query.
    measured : dict
        Outlines as they are measured, found once for all cuts.
    """

    tally: Tally
    page: str
    query: str | None
    spot: Ints
    outlines: Outlines
    number: Ints
    kept: NDArray[np.bool_]
    counts: Ints
    measured: dict[object, Outlines] = field(default_factory=dict, repr=False)

    __repr__ = short_repr

    def cut(self, counts: Ints) -> PageSpots:
        """The same spots at another cut.

        Parameters
        ----------
        counts : (Q,) int
            How many spots each query keeps.
        """
        rank = self.tally.rank[self.spot]
        return replace(self, kept=rank <= counts[self.number], counts=counts)

    def spots_at(self, x: float, y: float) -> list[int]:
        """The kept spots that hold a point of the page in px, the smallest first."""
        left, top, right, bottom = self.outlines.bounds.T
        near = (left <= x) & (x <= right) & (top <= y) & (y <= bottom) & self.kept
        holding = [at for at in np.flatnonzero(near).tolist() if contains(self.outlines[at], x, y)]
        holding.sort(key=lambda at: float(self.tally.area[self.spot[at]]))
        return [int(self.spot[at]) for at in holding]

    def labelled(self, regions: Iterable[Region]) -> tuple[Region, ...]:
        """The regions of a page that count as truth: not ignored, with a label of the tally."""
        queries = frozenset(self.tally.queries)
        return tuple(region for region in regions if region.label in queries and not region.ignored)

    def areas(
        self, regions: tuple[Region, ...], size: tuple[int, int], primitive: Primitive | None = None
    ) -> PageAreas:
        """The page's truth and the kept spots, as they are measured and painted.

        Parameters
        ----------
        regions : tuple of Region
            The truth of the page; regions without a label are left out unless they are ignored.
        size : (width, height)
            Of the page in px: what lies outside counts nowhere.
        primitive : Primitive, optional
            What the outlines were converted to before they were tallied.
        """
        number = {name: at for at, name in enumerate(self.tally.queries)}
        labelled = self.labelled(regions)
        off = tuple(
            region for region in regions if region.ignored and region.label in {*number, ""}
        )

        def measured(key: object, outlines: Callable[[], Outlines]) -> Outlines:
            known = self.measured.get((key, size, primitive))
            if known is None:
                known = measured_outlines(outlines(), primitive, size)
                self.measured[key, size, primitive] = known
            return known

        truth = measured(labelled, lambda: Outlines.of([each.array for each in labelled]))
        spots = measured("spots", lambda: self.outlines)
        kept = np.flatnonzero(self.kept)
        labels = np.array([number[region.label] for region in labelled], np.int64)
        query = None if self.query is None else number[self.query]
        ignored = measured(off, lambda: Outlines.of([each.array for each in off]))
        concerned = np.array([number.get(region.label, -1) for region in off], np.int64)
        return PageAreas(
            truth, spots.take(kept), labels, self.number[kept], query, ignored, concerned
        )


def page_spots(tally: Tally, page: str, query: str | None, counts: Ints) -> PageSpots:
    """The spots of a run on a page.

    Parameters
    ----------
    tally : Tally
    page : str
    query : str or None
        None: of all queries.
    counts : (Q,) int
        How many spots each query keeps.
    """
    part = tally.parts.get(page)
    spot = np.searchsorted(tally.spot, part.spot) if part else np.zeros(0, np.int64)
    if query is not None:
        spot = spot[tally.query[spot] == tally.queries.index(query)]
    return PageSpots(
        tally,
        page,
        query,
        spot,
        tally.run.outlines.take(tally.spot[spot]),
        tally.query[spot],
        tally.rank[spot] <= counts[tally.query[spot]],
        counts,
    )


_NOTHING, _NO_SPOT = Outlines.of([]), np.empty(0, np.int64)
TAKEN = 0.5  # share of a region from which a spot of another label stands for it
TOUCH = 1e-9  # share of a region's area up to which a spot only touches it


class SymbolState(StrEnum):
    """The state of a truth region at a cut; the last one is of spots."""

    RECOGNISED = "recognised"
    PARTLY = "partly found"
    MISSED = "missed"
    FALSE = "false spot"


OF_REGIONS = (SymbolState.RECOGNISED, SymbolState.PARTLY, SymbolState.MISSED)


@dataclass(frozen=True, eq=False)
class PageSymbols:
    """The symbols of a page, of one query or of all; make it with `page_symbols`.

    Attributes
    ----------
    regions : tuple of str
        Ids of S truth regions.
    outlines : Outlines
        Theirs, as they are measured.
    state : (S,) object
        A `SymbolState` each.
    covered : (S,) float
        Share of each region's area that spots of its query cover; NaN for one without area.
    taken : (S,) bool
        True where a spot of another query covers at least half of the region.
    false_spots : (F,) int
        Places in the tally of the kept spots that overlap no recognised region of their query.
    false_outlines, other_outlines : Outlines
        Theirs, and those of the other kept spots.
    """

    regions: tuple[str, ...]
    outlines: Outlines
    state: NDArray[np.object_]
    covered: Floats
    taken: NDArray[np.bool_]
    false_spots: Ints
    false_outlines: Outlines
    other_outlines: Outlines

    __repr__ = short_repr

    @property
    def kinds(self) -> NDArray[np.int64]:
        """(S,) the `AreaKind` that tells each region's state: FOUND, also in part; else OTHER_LABEL
        where it is taken; else MISSED."""
        missed = self.state == SymbolState.MISSED
        unfound = np.where(self.taken, AreaKind.OTHER_LABEL, AreaKind.MISSED)
        return np.where(missed, unfound, AreaKind.FOUND)

    @property
    def spots(self) -> int:
        """Number of spots that the cut keeps on the page."""
        return len(self.false_outlines) + len(self.other_outlines)

    def count(self, state: SymbolState) -> int:
        """Number of regions in a state, or of false spots."""
        if state is SymbolState.FALSE:
            return len(self.false_spots)
        return int((self.state == state).sum())

    def share(self, state: SymbolState) -> float | None:
        """Share of the regions, or of the kept spots; None where there are none."""
        whole = self.spots if state is SymbolState.FALSE else len(self.regions)
        return self.count(state) / whole if whole else None


def page_symbols(
    spots: PageSpots, areas: PageAreas, regions: Iterable[Region], figures: RunFigures
) -> PageSymbols:
    """Find the state of each symbol of a page.

    Parameters
    ----------
    spots : PageSpots
        The run's spots on the page, at a cut.
    areas : PageAreas
        What ``spots.areas`` gives for these regions.
    regions : iterable of Region
        The truth of the page. Regions that are not tallied yet are left out.
    figures : RunFigures
        Of the same tally; their settings say from which share of its area a symbol is recognised.

    Returns
    -------
    PageSymbols
        A region without area is missed, unless nothing of it needs to be found.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3.
    """
    tally, counts = figures.tally, spots.counts
    part = tally.parts.get(spots.page)
    if part is None:  # the page is not evaluated: it has no spots either
        return PageSymbols(
            (),
            _NOTHING,
            np.empty(0, object),
            np.empty(0),
            np.empty(0, np.bool_),
            _NO_SPOT,
            _NOTHING,
            _NOTHING,
        )
    page = tally.pages.index(spots.page)
    first = int(np.searchsorted(tally.region_page, page))
    place_of = {id: first + number for number, id in enumerate(part.region_id)}
    ids = [region.id for region in spots.labelled(regions)]
    places = np.array([place_of.get(id, -1) for id in ids], np.int64)
    tallied = (places >= 0) & (tally.region_query[places] == areas.truth_query)
    chosen = np.flatnonzero(tallied & areas.sought)
    place = places[chosen]
    area = tally.region_area[place]
    own, others = _covered(figures, counts, part)
    covered = ratio(own[place - first], area)
    recognised = figures.recognition_rank[place] <= counts[tally.region_query[place]]
    state = np.full(len(place), SymbolState.MISSED, object)
    state[covered > TOUCH] = SymbolState.PARTLY
    state[recognised] = SymbolState.RECOGNISED
    false = spots.kept & (figures.first_true_positive_rank[spots.spot] > counts[spots.number])
    return PageSymbols(
        tuple(ids[number] for number in chosen),
        areas.truth.take(chosen),
        state,
        covered,
        others[place - first] >= TAKEN * area,
        spots.spot[false],
        areas.spots.take(np.flatnonzero(false[spots.kept])),
        areas.spots.take(np.flatnonzero(~false[spots.kept])),
    )


def _covered(figures: RunFigures, counts: Ints, part: PageTally) -> tuple[Floats, Floats]:
    """Measure what kept spots cover of each of a page's regions.

    Returns
    -------
    own : (t,) float
        The area in px² that spots of the region's query cover.
    others : (t,) float
        The largest area in px² that it shares with a spot of another query.
    """
    tally = figures.tally
    spot = np.searchsorted(tally.spot, part.pair_spot)
    first = np.searchsorted(tally.region_page, tally.pages.index(part.page))
    query = tally.query[spot]
    own = query == tally.region_query[first + part.pair_region]
    kept = tally.rank[spot] <= counts[query]
    covered, largest = np.zeros((2, len(part.region_area)))
    mine, others = own & kept, ~own & kept
    np.add.at(covered, part.pair_region[mine], part.pair_gained_area[mine])
    np.maximum.at(largest, part.pair_region[others], part.pair_shared[others])
    return covered, largest


SUM_OVER_QUERIES = "sum over queries"
SAME = 1e-6  # share up to which a sum over queries is the area as painted
ERRORS = (AreaKind.OTHER_LABEL, AreaKind.FALSE, AreaKind.MISSED)


@dataclass(frozen=True)
class AreaSums:
    """Areas of one page, or of several, by kind.

    Attributes
    ----------
    painted : mapping of AreaKind to float
        In px², as painted: each place counts once, as one kind.
    over_queries : mapping of AreaKind to float
        In px², the sums over queries of what is painted if only that query is looked at. A place
        that several queries retrieve, or that is truth of several labels, counts several times.
    page : float
        Area of the page in px².

    Examples
    --------
    >>> sums = AreaSums({AreaKind.FALSE: 20.0}, {AreaKind.FALSE: 30.0}, 200.0)
    >>> sums.share(AreaKind.FALSE), sums.differs(AreaKind.FALSE)
    (0.1, True)
    """

    painted: Mapping[AreaKind, float]
    over_queries: Mapping[AreaKind, float]
    page: float

    def share(self, kind: AreaKind) -> float | None:
        """Share of the page that is painted as a kind; None for a page without area."""
        return self.painted[kind] / self.page if self.page > 0 else None

    def differs(self, kind: AreaKind) -> bool:
        """Tell whether the sum over queries is not the area as painted."""
        painted, summed = self.painted[kind], self.over_queries[kind]
        return abs(summed - painted) > SAME * max(painted, summed)

    @property
    def has_ignored(self) -> bool:
        """True where some area is ignored for a query that is looked at."""
        return (
            max(each.get(AreaKind.IGNORED, 0.0) for each in (self.painted, self.over_queries)) > 0
        )

    @property
    def wrong(self) -> float:
        """Area in px² that is painted as some kind of error."""
        return sum(self.painted[kind] for kind in ERRORS)


def area_sums(areas: PageAreas, size: tuple[float, float], progress: Progress = silent) -> AreaSums:
    """Measure what is painted of a page.

    Parameters
    ----------
    areas : PageAreas
        Truth and spots as they are painted, clipped to the page.
    size : (width, height)
        Of the page in px.
    progress : Progress
        Called once, so that a task can be cancelled before it begins.

    Returns
    -------
    AreaSums
        All kinds but ``NOTHING``; 0 for kinds that are not there.

    Examples
    --------
    >>> import numpy as np
    >>> from spotlab.geometry.polygon import Outlines
    >>> bed, spot = [(0, 0), (4, 0), (4, 2), (0, 2)], [(2, 0), (6, 0), (6, 2), (2, 2)]
    >>> page = PageAreas(Outlines.of([bed]), Outlines.of([spot]), np.zeros(1, int), np.ones(1, int))
    >>> {kind.words: area for kind, area in area_sums(page, (10, 10)).painted.items()}
    {'found': 0.0, 'other label': 4.0, 'false': 4.0, 'missed': 4.0, 'ignored': 0.0}
    """
    progress(0, None, "measuring areas")
    parts, sums = partition_areas(
        areas.spots,
        areas.spot_query,
        areas.truth,
        areas.truth_query,
        areas.query,
        areas.ignored,
        areas.ignored_query,
    )
    width, height = size
    return AreaSums(_by_kind(parts), _by_kind(sums), float(width) * float(height))


def _by_kind(parts: Partition) -> dict[AreaKind, float]:
    of = {
        AreaKind.FOUND: parts.found,
        AreaKind.OTHER_LABEL: parts.other,
        AreaKind.FALSE: parts.false,
        AreaKind.MISSED: parts.missed,
        AreaKind.IGNORED: parts.ignored,
    }
    return {kind: of[kind] for kind in PRECEDENCE}
