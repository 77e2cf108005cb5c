"""How much of a page is found, taken for another label, false and missed, exactly, in px².

The legend, the report and the JSON take these figures from here. They are the areas of what
`spotlab.imaging.overlay` paints, from the outlines and not from pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spotlab.geometry.partition import Partition, partition_areas
from spotlab.imaging.overlay import PRECEDENCE, AreaKind, PageAreas
from spotlab.progress import Progress, silent

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
        """Whether the sum over queries is not the area as painted."""
        painted, summed = self.painted[kind], self.over_queries[kind]
        return abs(summed - painted) > SAME * max(painted, summed)

    @property
    def has_ignored(self) -> bool:
        """Whether some area is ignored for a query that is looked at."""
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
    >>> from spotlab.geometry.outlines import Outlines
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
