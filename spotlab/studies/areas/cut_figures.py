"""The figures of a run at a cut by a rule, and its best F, as files and reports have them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures.cuts import By, operating_points
from spotlab.measures.figures import RunFigures, means_over_queries
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class FiguresAtCut:
    """Figures of a run of which every query keeps only its first spots.

    Attributes
    ----------
    figures : RunFigures
        Of the whole lists.
    counts : (Q,) int
        Number of spots that each query keeps.
    """

    figures: RunFigures
    counts: Ints

    __repr__ = short_repr

    @cached_property
    def whole(self) -> bool:
        """Whether every query keeps all of its spots."""
        return bool((self.counts >= np.diff(self.figures.tally.starts)).all())

    @property
    def kept(self) -> int:
        """Number of spots that all queries keep together."""
        return int(self.counts.sum())

    @property
    def kept_of_truth(self) -> int:
        """Number of spots that the truth's queries keep together."""
        return int(self.counts[self.figures.in_truth].sum())

    @cached_property
    def columns(self) -> Mapping[str, Floats]:
        """(Q,) values by figure, NaN where undefined; without measures of whole rankings.

        Average precision, for instance, has no value at a cut.
        """
        return self.figures.at(self.counts)

    @cached_property
    def mean(self) -> dict[str, float | None]:
        """The mean of each column over the truth's queries where it is defined; else None."""
        return means_over_queries(self.columns, self.figures.in_truth)

    @cached_property
    def pooled(self) -> dict[str, float | None]:
        """Figures of the truth's queries' areas together, by name; None where undefined."""
        return self.figures.pooled_at(self.counts)

    def of(self, query: str | None) -> dict[str, float | None]:
        """The figures of a query, or their means where None is given; None where undefined.

        A query that the run does not know has no figures.
        """
        if query is None:
            return self.mean
        queries = self.figures.tally.queries
        if query not in queries:
            return dict.fromkeys(self.columns)
        place = queries.index(query)
        values = {name: float(column[place]) for name, column in self.columns.items()}
        return {name: None if math.isnan(value) else value for name, value in values.items()}


@dataclass(frozen=True)
class BestF:
    """The threshold with the highest F.

    Attributes
    ----------
    threshold : float
        A rank or a score, the same for all queries.
    f, precision, recall : float or None
        There; None where undefined.
    """

    threshold: float
    f: float | None
    precision: float | None
    recall: float | None


def best_f(
    figures: RunFigures, by: By, query: str | None = None, *, pooled: bool = False
) -> BestF | None:
    """The rank or score at which F of a run is highest.

    Parameters
    ----------
    figures : RunFigures
    by : {"rank", "score"}
    query : str, optional
        F of this query; by default of the mean over the truth's queries.
    pooled : bool
        F of all queries' areas together, instead of their mean.

    Returns
    -------
    BestF or None
        None where F is undefined, or no spot has a score.
    """
    points = operating_points(figures, by, query, pooled=pooled)
    place = points.best_f()
    if place is None:
        return None
    there = (float(each[place]) for each in (points.f, points.precision, points.recall))
    return BestF(
        float(points.value[place]), *(None if np.isnan(value) else value for value in there)
    )
