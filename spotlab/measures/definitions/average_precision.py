"""Average area precision with three normalisers; see `spotlab.measures.average_precision`."""

from __future__ import annotations

from functools import partial

import numpy as np

from spotlab.arrays import Floats
from spotlab.measures.area import ratio
from spotlab.measures.average_precision import average_precision
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, RankingFormula
from spotlab.measures.ranked_lists import DrawnList, RankedLists


def per_query(lists: RankedLists, normaliser: str) -> Floats:
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


def resampled(drawn: DrawnList, normaliser: str) -> Floats:
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
        per_query=partial(per_query, normaliser=normaliser),
        resampled=partial(resampled, normaliser=normaliser),
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
