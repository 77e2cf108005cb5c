"""Precision at a fixed recall: how much is false until so much of the truth is found."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.measures.area import first_reaching, ratio, sample
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, RankingFormula
from spotlab.measures.ranked_lists import DrawnList, RankedLists

ROUNDING = 1e-12  # as in `area.first_reaching`


def per_query(lists: RankedLists) -> Floats:
    """P_A(r) of every query, with r of the settings.

    Parameters
    ----------
    lists : RankedLists
        Of Q queries.

    Returns
    -------
    (Q,) float
        Shares in [0, 1] for unions; NaN where the list never reaches the recall.

    Notes
    -----
    Rusiñol & Lladós (2009), §3.2: precision at the first rank where recall reaches r.
    """
    level = np.array([lists.settings.at_recall])
    return sample(lists.precision, first_reaching(lists.recall, lists.tally.starts, level))[:, 0]


def resampled(drawn: DrawnList) -> Floats:
    """P_A(r) of one query on drawn pages.

    Parameters
    ----------
    drawn : DrawnList
        The query's list on D draws of pages.

    Returns
    -------
    (D,) float
        Shares in [0, 1] for unions; NaN where the drawn list never reaches the recall.

    Notes
    -----
    Rusiñol & Lladós (2009), §3.2.
    """
    retrieved, relevant = drawn.areas
    reached = ratio(relevant, drawn.truth[:, None]) >= drawn.lists.settings.at_recall - ROUNDING
    if not reached.shape[1]:
        return np.full(len(reached), np.nan)
    draw, first = np.arange(len(reached)), reached.argmax(axis=1)
    precision = ratio(relevant[draw, first], retrieved[draw, first])
    return np.where(reached.any(axis=1), precision, np.nan)


MEASURE = Measure(
    Figure(
        "precision_at_recall", "P at recall r", "", 1,
        "Area precision at the first rank where area recall reaches r, a level that is set. "
        "Undefined for a query whose list never reaches it.",
    ),
    RankingFormula(per_query, resampled, pooled=None),
    order=83,
    shown=False,
)  # fmt: skip
