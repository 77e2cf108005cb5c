"""Recall at a fixed precision: how much is found while so much of what is retrieved is true."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.measures.area import ratio
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, RankingFormula
from spotlab.measures.ranked_lists import DrawnList, RankedLists

ROUNDING = 1e-12  # that a precision may be short of the level


def per_query(lists: RankedLists) -> Floats:
    """The highest area recall at any rank whose precision is at least that of the settings.

    Parameters
    ----------
    lists : RankedLists
        Of Q queries.

    Returns
    -------
    (Q,) float
        Shares in [0, 1] for unions; NaN where no rank reaches the precision, or there is no truth.

    Notes
    -----
    The measure that is known as recall at fixed precision; see torchmetrics.
    """
    reached = lists.precision >= lists.settings.at_precision - ROUNDING  # not where undefined
    best = np.full(len(lists.tally.queries), -np.inf)
    np.maximum.at(best, lists.tally.query[reached], lists.recall[reached])
    return np.where(np.isfinite(best), best, np.nan)


def resampled(drawn: DrawnList) -> Floats:
    """The highest area recall at such a rank, of one query on drawn pages.

    Parameters
    ----------
    drawn : DrawnList
        The query's list on D draws of pages.

    Returns
    -------
    (D,) float
        Shares in [0, 1] for unions; NaN where no rank reaches the precision.

    Notes
    -----
    The measure that is known as recall at fixed precision; see torchmetrics.
    """
    retrieved, relevant = drawn.areas
    reached = ratio(relevant, retrieved) >= drawn.lists.settings.at_precision - ROUNDING
    recall = np.where(reached, ratio(relevant, drawn.truth[:, None]), -np.inf)
    best = recall.max(axis=1, initial=-np.inf)
    return np.where(np.isfinite(best), best, np.nan)


MEASURE = Measure(
    Figure(
        "recall_at_precision", "R at precision p", "", 1,
        "The highest area recall at any rank whose area precision is at least p, a level that is "
        "set. Undefined for a query whose list never has that precision.",
    ),
    RankingFormula(per_query, resampled, pooled=None),
    order=86,
    shown=False,
)  # fmt: skip
