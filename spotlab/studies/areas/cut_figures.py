"""The figures of a run at a cut by a rule, and its best F, as files and reports have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures.figures import RunFigures
from spotlab.measures.operating_points import By, operating_points
from spotlab.representation import short_repr
from spotlab.studies.areas.list_cut import CutRule, ListCut


@dataclass(frozen=True, eq=False)
class FiguresAtCut:
    """What a run has where a rule cuts it.

    Attributes
    ----------
    cut : ListCut
        Where its lists end.
    counts : (Q,) int
        How many spots each query keeps.
    spots : int
        Number of spots that the truth's queries keep.
    columns : mapping of str to (Q,) float
        By figure, of each query; NaN where undefined.
    mean, pooled : mapping of str to float or None
        By figure: the mean over the truth's queries, and of their areas together.
    """

    cut: ListCut
    counts: Ints
    spots: int
    columns: Mapping[str, Floats]
    mean: Mapping[str, float | None]
    pooled: Mapping[str, float | None]

    __repr__ = short_repr


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


def figures_at_cut(figures: RunFigures, rule: CutRule) -> FiguresAtCut | None:
    """The figures of a run where a rule cuts it; None where it has no such place."""
    cut = rule.cut_of(figures)
    if cut is None:
        return None
    counts, own = cut.counts(figures.tally), figures.in_truth
    columns = figures.at(counts)
    defined = {name: values[own & ~np.isnan(values)] for name, values in columns.items()}
    return FiguresAtCut(
        cut=cut,
        counts=counts,
        spots=int(counts[own].sum()),
        columns=columns,
        mean={name: float(each.mean()) if len(each) else None for name, each in defined.items()},
        pooled=figures.pooled_at(counts),
    )


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
