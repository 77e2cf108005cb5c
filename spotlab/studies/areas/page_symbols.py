"""The state of each symbol of a page: recognised, partly found or missed; and the false spots.

Recognised and false are as in `spotlab.measures.matching`, at the cut and under the settings of
the figures. Areas alone do not tell these states where truth is nested in other truth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.overlay import AreaKind, PageAreas
from spotlab.measures.area import ratio
from spotlab.measures.figures import RunFigures
from spotlab.measures.tally import PageTally
from spotlab.model import Region
from spotlab.representation import short_repr
from spotlab.studies.areas.page_spots import PageSpots

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
