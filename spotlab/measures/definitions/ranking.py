"""Measures of rankings by area: average precision, and precision and recall at fixed levels."""

from __future__ import annotations

from functools import partial

import numpy as np

from spotlab.arrays import Floats
from spotlab.measures.area import first_reaching, ratio, sample
from spotlab.measures.figures import average_precision
from spotlab.measures.measure import DrawnList, Figure, Measure, RankedLists, RankingFormula


def average_precision_by(lists: RankedLists, normaliser: str) -> Floats:
    """Σ_n P_A@n · r(n) / N of every query.

    Parameters
    ----------
    lists : RankedLists
        Of Q queries.
    normaliser : {"hits", "relevant", "retrieved"}
        What N is.

    Returns
    -------
    (Q,) float
        NaN where N is 0.

    Notes
    -----
    Rusiñol & Lladós (2009), eqs. 2 and 8.
    """
    tally = lists.tally
    retrieved = np.bincount(tally.query[tally.is_counted], minlength=len(tally.queries))
    values = average_precision(
        lists.precision, tally.hit, tally.starts, lists.symbols, retrieved=retrieved
    )
    return values[normaliser]


def average_precision_of_draws(drawn: DrawnList, normaliser: str) -> Floats:
    """Σ_n P_A@n · r(n) / N of one query on drawn pages.

    Parameters
    ----------
    drawn : DrawnList
        The query's list on D draws of pages.
    normaliser : {"hits", "relevant", "retrieved"}
        What N is.

    Returns
    -------
    (D,) float
        NaN where N is 0.
    """
    if normaliser == "relevant":
        whole = drawn.symbols
    else:
        is_counted = drawn.lists.tally.is_counted[drawn.spots]
        counted = drawn.hits if normaliser == "hits" else np.flatnonzero(is_counted)
        whole = drawn.weight[:, counted].sum(axis=1)
    return ratio(drawn.precision_sum, whole)


def _formula(normaliser: str) -> RankingFormula:
    return RankingFormula(
        per_query=partial(average_precision_by, normaliser=normaliser),
        resampled=partial(average_precision_of_draws, normaliser=normaliser),
        pooled=None,
    )


HITS = Measure(
    Figure(
        "average_precision_hits", "AveP (hits)", "", 1,
        "Area precision averaged over the ranks whose spot overlaps some truth: whether the "
        "first spots are good. What is missed does not count.",
    ),
    _formula("hits"),
    order=60,
)  # fmt: skip
RELEVANT = Measure(
    Figure(
        "average_precision_relevant", "AveP (relevant)", "", 1,
        "Σ of area precision over the ranks whose spot overlaps some truth, divided by "
        "the number of truth regions: what is missed costs. Above 1 where regions are found "
        "several times.",
    ),
    _formula("relevant"),
    order=70,
    shown=False,
)  # fmt: skip
RETRIEVED = Measure(
    Figure(
        "average_precision_retrieved", "AveP (retrieved)", "", 1,
        "Σ of area precision over the ranks whose spot overlaps some truth, divided by "
        "the number of spots: eq. 8 as printed.",
    ),
    _formula("retrieved"),
    order=80,
    shown=False,
)  # fmt: skip


ROUNDING = 1e-12  # by which a level may be missed, as in `area.first_reaching`


def precision_at_recall(lists: RankedLists) -> Floats:
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


def precision_at_recall_of_draws(drawn: DrawnList) -> Floats:
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


PRECISION_AT_RECALL = Measure(
    Figure(
        "precision_at_recall", "P at recall r", "", 1,
        "Area precision at the first rank where area recall reaches r, a level that is set. "
        "Undefined for a query whose list never reaches it.",
        threshold="at_recall",
    ),
    RankingFormula(precision_at_recall, precision_at_recall_of_draws, pooled=None),
    order=83,
    shown=False,
)  # fmt: skip


def recall_at_precision(lists: RankedLists) -> Floats:
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


def recall_at_precision_of_draws(drawn: DrawnList) -> Floats:
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


RECALL_AT_PRECISION = Measure(
    Figure(
        "recall_at_precision", "R at precision p", "", 1,
        "The highest area recall at any rank whose area precision is at least p, a level that is "
        "set. Undefined for a query whose list never has that precision.",
        threshold="at_precision",
    ),
    RankingFormula(recall_at_precision, recall_at_precision_of_draws, pooled=None),
    order=86,
    shown=False,
)  # fmt: skip
