"""What a run has on one page: its spots, and the areas found, false and missed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.clip import clip_to_page
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import contains
from spotlab.imaging.area_overlay import AreaKind, PageAreas
from spotlab.measures.tally import Ints, Tally
from spotlab.model import Region
from spotlab.representation import short_repr


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
    """

    tally: Tally
    page: str
    query: str | None
    spot: Ints
    outlines: Outlines
    number: Ints
    kept: NDArray[np.bool_]

    __repr__ = short_repr

    def spots_at(self, x: float, y: float) -> list[int]:
        """The kept spots that hold a point of the page in px, the smallest first."""
        left, top, right, bottom = self.outlines.bounds.T
        near = (left <= x) & (x <= right) & (top <= y) & (y <= bottom) & self.kept
        holding = [at for at in np.flatnonzero(near).tolist() if contains(self.outlines[at], x, y)]
        holding.sort(key=lambda at: float(self.tally.area[self.spot[at]]))
        return [int(self.spot[at]) for at in holding]

    def area_sums(self) -> dict[AreaKind, float] | None:
        """Exact area found, false and missed in px², each query by itself; None without truth."""
        tally = self.tally
        if self.page not in tally.pages:
            return None
        kept = self.spot[self.kept]
        found, covered = tally.gained_true_area[kept].sum(), tally.gained_area[kept].sum()
        truth = tally.truth_area[:, tally.pages.index(self.page)]
        relevant = truth.sum() if self.query is None else truth[tally.queries.index(self.query)]
        return {
            AreaKind.FOUND: float(found),
            AreaKind.FALSE: max(0.0, float(covered - found)),
            AreaKind.MISSED: max(0.0, float(relevant - found)),
        }

    def areas(self, regions: Iterable[Region], size: tuple[int, int] | None) -> PageAreas:
        """The page's truth and the kept spots, as the canvas paints them.

        Parameters
        ----------
        regions : iterable of Region
            The truth of the page.
        size : (width, height) or None
            Of the page in px: what lies outside counts nowhere. None: nothing is clipped.
        """
        number = {name: at for at, name in enumerate(self.tally.queries)}
        relevant = [
            region
            for region in regions
            if region.label in number and self.query in (None, region.label)
        ]
        kept = np.flatnonzero(self.kept)
        truth, covered = Outlines.of([each.array for each in relevant]), self.outlines.take(kept)
        if size is not None:
            truth, covered = clip_to_page(truth, size), clip_to_page(covered, size)
        labels = np.array([number[region.label] for region in relevant], np.int64)
        return PageAreas(truth, covered, labels, self.number[kept])


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
    )
