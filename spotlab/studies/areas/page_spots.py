"""What a run has on one page: its spots, and the areas that are painted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints
from spotlab.geometry.outlines import Outlines, clip_to_page
from spotlab.geometry.polygon import contains
from spotlab.imaging.overlay import PageAreas
from spotlab.measures.tally import Tally
from spotlab.model import Primitive, Region
from spotlab.representation import short_repr
from spotlab.studies.areas.primitive_outlines import outlines_as


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
        self,
        regions: tuple[Region, ...],
        size: tuple[int, int],
        primitive: Primitive | None = None,
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
                known = clip_to_page(outlines_as(outlines(), primitive, size), size)
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
