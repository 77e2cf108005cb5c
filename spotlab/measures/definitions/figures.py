"""Measures of areas, symbols and ranks: each `Measure` is a column of every table and file."""

from __future__ import annotations

from functools import partial

import numpy as np

from spotlab.arrays import Floats
from spotlab.measures.area import f_score, fall_out, first_reaching, generality, ratio, sample
from spotlab.measures.figures import average_precision
from spotlab.measures.matching import THRESHOLDS, average_precision_of, drawn_average_precision
from spotlab.measures.measure import (
    DrawnList,
    Figure,
    Measure,
    RankedLists,
    RankingFormula,
    Sums,
    SumsFormula,
)


def area_precision(sums: Sums) -> Floats:
    """A(R ⊕ T) / A(R).

    Parameters
    ----------
    sums : Sums
        Areas in px².

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1] for unions; NaN where nothing is retrieved.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 7.
    """
    return ratio(sums.relevant, sums.retrieved)


AREA_PRECISION = Measure(
    Figure(
        "area_precision", "Precision", "", 1,
        "Area precision, A(R ∩ T) / A(R): how much of the retrieved area is truth. "
        "Undefined where nothing is retrieved.",
        paper="P_A, eq. 7",
    ),
    SumsFormula(area_precision),
    order=10,
)  # fmt: skip


def area_recall(sums: Sums) -> Floats:
    """A(R ⊕ T) / A(T).

    Parameters
    ----------
    sums : Sums
        Areas in px².

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1] for unions; NaN where there is no truth.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 7.
    """
    return ratio(sums.relevant, sums.truth)


AREA_RECALL = Measure(
    Figure(
        "area_recall", "Recall", "", 1,
        "Area recall, A(R ∩ T) / A(T): how much of the truth's area is retrieved. "
        "Undefined where there is no truth.",
        paper="R_A, eq. 7",
    ),
    SumsFormula(area_recall),
    order=20,
)  # fmt: skip


def area_f(sums: Sums) -> Floats:
    """F_A^β from areas, with β of the settings; see `area.f_score`.

    Parameters
    ----------
    sums : Sums
        Areas in px².

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1] for unions; NaN where nothing is retrieved of no
        truth.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 9.
    """
    return f_score(sums.relevant, sums.retrieved, sums.truth, sums.settings.beta)


AREA_F = Measure(
    Figure(
        "f", "F", "", 1,
        "(1 + β²) P R / (β² P + R) of area precision P and area recall R: high only if both are "
        "high. 0 if nothing of the truth is retrieved; undefined only if nothing is retrieved "
        "and there is no truth.",
        weighted=True,
        paper="F_A^β, eq. 9",
    ),
    SumsFormula(area_f),
    order=30,
)  # fmt: skip


def area_fall_out(sums: Sums) -> Floats:
    """(A(R) − A(R ⊕ T)) / (A(pages) − A(T)).

    Parameters
    ----------
    sums : Sums
        Areas in px².

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1] for unions; NaN where the truth covers all pages.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 11.
    """
    return fall_out(sums.outside, sums.truth, sums.pages)


FALL_OUT = Measure(
    Figure(
        "fall_out", "Fall-out", "", -1,
        "A(R outside T) / A(pages outside T): the share of the area outside the truth that is "
        "retrieved.",
        paper="Fo_A, eq. 11",
    ),
    SumsFormula(area_fall_out),
    order=40,
)  # fmt: skip


def area_generality(sums: Sums) -> Floats:
    """A(T) / A(pages).

    Parameters
    ----------
    sums : Sums
        Areas in px².

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1] for unions; NaN if the pages have no area.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 11.
    """
    return generality(sums.truth, sums.pages)


GENERALITY = Measure(
    Figure(
        "generality", "Generality", "", 0,
        "A(T) / A(pages): the share of the pages that is truth; where it is low, high precision "
        "is hard to reach.",
        paper="G_A, eq. 11; its mean is AveG_A",
    ),
    SumsFormula(area_generality),
    order=50,
    shown=False,
)  # fmt: skip


def precision_at_iou(sums: Sums) -> Floats:
    """Right spots / spots.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1]; NaN without spots.

    Notes
    -----
    Spots are matched with regions as in Lin et al. (2014); see `match_spots`. A list that is
    cut keeps its matches, because spots choose in rank order.
    """
    return ratio(sums.correct, sums.spots)


PRECISION_AT_IOU = Measure(
    Figure(
        "precision_at_iou", "P at IoU", "", 1,
        "Spots that are right / all spots. A spot is right if its intersection over union "
        "with a truth region that no earlier spot has taken reaches the threshold t. "
        "Undefined where nothing is retrieved.",
        threshold="iou",
    ),
    SumsFormula(precision_at_iou),
    order=92,
    shown=False,
)  # fmt: skip


def recall_at_iou(sums: Sums) -> Floats:
    """Right spots / truth regions; each right spot has a region of its own.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1]; NaN without truth regions.

    Notes
    -----
    Spots are matched with regions as in Lin et al. (2014); see `match_spots`. A list that is
    cut keeps its matches, because spots choose in rank order.
    """
    return ratio(sums.correct, sums.symbols)


RECALL_AT_IOU = Measure(
    Figure(
        "recall_at_iou", "R at IoU", "", 1,
        "Truth regions that a right spot takes / all truth regions. A spot is right if its "
        "intersection over union with a truth region that no earlier spot has taken reaches "
        "the threshold t. Undefined where there is no truth region.",
        threshold="iou",
    ),
    SumsFormula(recall_at_iou),
    order=94,
    shown=False,
)  # fmt: skip


def f_at_iou(sums: Sums) -> Floats:
    """F^β of numbers of spots, with β of the settings; see `area.f_score`.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1]; NaN with neither spots nor truth regions.

    Notes
    -----
    Spots are matched with regions as in Lin et al. (2014); see `match_spots`. A list that is
    cut keeps its matches, because spots choose in rank order.
    """
    return f_score(sums.correct, sums.spots, sums.symbols, sums.settings.beta)


F_AT_IOU = Measure(
    Figure(
        "f_at_iou", "F at IoU", "", 1,
        "(1 + β²) P R / (β² P + R) of P at IoU and R at IoU. 0 if no spot is right; undefined "
        "only if there are neither spots nor truth regions.",
        threshold="iou",
        weighted=True,
    ),
    SumsFormula(f_at_iou),
    order=96,
)  # fmt: skip


def iou_precision(lists: RankedLists) -> Floats:
    """Average precision of every query, at the IoU of the settings.

    Parameters
    ----------
    lists : RankedLists
        Of Q queries.

    Returns
    -------
    (Q,) float
        Shares in [0, 1]; NaN for a query without truth.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools.
    """
    counted = np.where(lists.ignored, 0.0, 1.0)
    return average_precision_of(lists.right, counted, lists.tally.starts, lists.symbols)


def iou_precision_of_draws(drawn: DrawnList) -> Floats:
    """Average precision of one query on drawn pages.

    Parameters
    ----------
    drawn : DrawnList
        The query's list on D draws of pages.

    Returns
    -------
    (D,) float
        Shares in [0, 1]; NaN where the drawn pages have no truth.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools.
    """
    return _drawn_precision(drawn, drawn.lists.settings.iou)


def _drawn_precision(drawn: DrawnList, iou: float) -> Floats:
    places = np.flatnonzero(drawn.lists.right_at(iou)[drawn.spots])
    ranks = drawn.ranks_at(iou)[:, places]
    return drawn_average_precision(drawn.weight[:, places], ranks, drawn.symbols)


IOU_PRECISION = Measure(
    Figure(
        "iou_precision", "AP at IoU", "", 1,
        "Average precision as for object detectors: a spot is right if its intersection over "
        "union with a truth region that no earlier spot has taken reaches the threshold t; "
        "precision is averaged over 101 recalls, as in COCO.",
        threshold="iou",
    ),
    RankingFormula(iou_precision, iou_precision_of_draws, pooled=None),
    order=90,
)  # fmt: skip


def iou_precision_50_95(lists: RankedLists) -> Floats:
    """Average precision of every query, averaged over the IoU thresholds .5, .55, … .95.

    Parameters
    ----------
    lists : RankedLists
        Of Q queries.

    Returns
    -------
    (Q,) float
        Shares in [0, 1]; NaN for a query without truth.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools.
    """
    values = [
        average_precision_of(
            lists.right_at(iou),
            np.where(lists.ignored_at(iou), 0.0, 1.0),
            lists.tally.starts,
            lists.symbols,
        )
        for iou in THRESHOLDS
    ]
    return np.asarray(np.mean(values, axis=0))


def iou_precision_50_95_of_draws(drawn: DrawnList) -> Floats:
    """Average precision of one query on drawn pages, averaged over the IoU thresholds.

    Parameters
    ----------
    drawn : DrawnList
        The query's list on D draws of pages.

    Returns
    -------
    (D,) float
        Shares in [0, 1]; NaN where the drawn pages have no truth.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools.
    """
    return np.asarray(np.mean([_drawn_precision(drawn, iou) for iou in THRESHOLDS], axis=0))


IOU_PRECISION_50_95 = Measure(
    Figure(
        "iou_precision_50_95", "AP@[.5:.95]", "", 1,
        "Average precision as for object detectors, averaged over the IoU thresholds .5, .55, … "
        ".95, as in COCO: high only if spots also fit their regions closely.",
    ),
    RankingFormula(iou_precision_50_95, iou_precision_50_95_of_draws, pooled=None),
    order=91,
)  # fmt: skip


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

    Examples
    --------
    A query with 4 regions; the first and the third of its spots overlap some of them:

    >>> from types import SimpleNamespace
    >>> tally = SimpleNamespace(
    ...     query=np.zeros(3, int), queries=("bed",), starts=np.array([0, 3]),
    ...     is_counted=np.ones(3, bool), hit=np.array([True, False, True]))
    >>> lists = SimpleNamespace(
    ...     tally=tally, symbols=np.array([4]), precision=np.array([1.0, 0.5, 0.5]))
    >>> [average_precision_by(lists, name).item() for name in ("hits", "relevant", "retrieved")]
    [0.75, 0.375, 0.5]
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

    Examples
    --------
    Two draws of pages with 4 and 2 regions, and the sums of precision there:

    >>> from types import SimpleNamespace
    >>> drawn = SimpleNamespace(precision_sum=np.array([3.0, 0.5]), symbols=np.array([4.0, 2.0]))
    >>> average_precision_of_draws(drawn, "relevant").tolist()
    [0.75, 0.25]
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


RETRIEVED = Measure(
    Figure(
        "average_precision_retrieved", "AveP (retrieved, eq. 8)", "", 1,
        "Σ of area precision over the ranks whose spot overlaps some truth, divided by "
        "the number of retrieved spots: every false spot costs.",
        paper="AveP_A, eq. 8",
    ),
    _formula("retrieved"),
    order=60,
)  # fmt: skip
RELEVANT = Measure(
    Figure(
        "average_precision_relevant", "AveP (relevant, eq. 2)", "", 1,
        "Σ of area precision over the ranks whose spot overlaps some truth, divided by "
        "the number of truth regions: what is missed costs. Above 1 where regions are found "
        "several times.",
        paper="AveP, eq. 2, of area precision",
        bounded=False,
    ),
    _formula("relevant"),
    order=70,
)  # fmt: skip
HITS = Measure(
    Figure(
        "average_precision_hits", "AveP (hits)", "", 1,
        "Area precision averaged over the ranks whose spot overlaps some truth: whether the "
        "first spots are good. What is missed does not count.",
        paper="AveP_A as the text of §4.2 reads",
    ),
    _formula("hits"),
    order=80,
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
        paper="P_A(r), §3.2",
    ),
    RankingFormula(precision_at_recall, precision_at_recall_of_draws, pooled=None),
    order=83,
    shown=False,
)  # fmt: skip


def precision_at_rank(lists: RankedLists) -> Floats:
    """P_A@n of every query, with n of the settings.

    Parameters
    ----------
    lists : RankedLists
        Of Q queries.

    Returns
    -------
    (Q,) float
        Shares in [0, 1] for unions; NaN without spots. A shorter list counts whole.

    Notes
    -----
    Rusiñol & Lladós (2009), §3.2.
    """
    starts = lists.tally.starts
    kept = np.minimum(np.diff(starts), lists.settings.at_rank)
    return sample(lists.precision, np.where(kept > 0, starts[:-1] + kept - 1, -1)[:, None])[:, 0]


def precision_at_rank_of_draws(drawn: DrawnList) -> Floats:
    """P_A@n of one query on drawn pages.

    Parameters
    ----------
    drawn : DrawnList
        The query's list on D draws of pages.

    Returns
    -------
    (D,) float
        Shares in [0, 1] for unions; NaN without drawn spots. A shorter list counts whole.

    Notes
    -----
    Rusiñol & Lladós (2009), §3.2.
    """
    retrieved, relevant = drawn.areas
    if not retrieved.shape[1]:
        return np.full(len(retrieved), np.nan)
    reached = drawn.ranks >= drawn.lists.settings.at_rank
    place = np.where(reached.any(axis=1), reached.argmax(axis=1), reached.shape[1] - 1)
    draw = np.arange(len(reached))
    return ratio(relevant[draw, place], retrieved[draw, place])


PRECISION_AT_RANK = Measure(
    Figure(
        "precision_at_rank", "P@n", "", 1,
        "Area precision of the first n spots, or of all of them where a list is shorter. "
        "Undefined where nothing is retrieved.",
        threshold="at_rank",
        paper="P@n, §3.2; of areas P_A@n, §4.2",
    ),
    RankingFormula(precision_at_rank, precision_at_rank_of_draws, pooled=None),
    order=82,
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


def symbols(sums: Sums) -> Floats:
    """Number of truth regions.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums.
    """
    return sums.symbols


SYMBOLS = Measure(
    Figure("symbols", "Symbols", "count", 0, "How many truth regions there are."),
    SumsFormula(symbols),
    order=100,
    shown=False,
)


def recognised(sums: Sums) -> Floats:
    """Number of recognised truth regions.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3.
    """
    return sums.recognised


RECOGNISED = Measure(
    Figure(
        "recognised", "Recognised", "count", 1,
        "How many truth regions have at least the share t of their area retrieved.",
        threshold="recognised",
        paper="eq. 12",
    ),
    SumsFormula(recognised),
    order=110,
    shown=False,
)  # fmt: skip


def recognition_rate(sums: Sums) -> Floats:
    """Recognised regions / all truth regions.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums, in %; NaN where there are no truth regions.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 12.
    """
    return ratio(100 * sums.recognised, sums.symbols)


RECOGNITION_RATE = Measure(
    Figure(
        "recognition_rate",
        "Recognition rate",
        "%",
        1,
        "Recognised regions / all truth regions.",
        threshold="recognised",
        over="pooled",
        paper="recognition rate, §4.3",
    ),
    SumsFormula(recognition_rate),
    order=120,
)


def false_positives(sums: Sums) -> Floats:
    """Number of spots that overlap no recognised region of their query.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3; the mean over queries is AveFP.
    """
    return sums.false_positives


FALSE_POSITIVES = Measure(
    Figure(
        "false_positives", "False positives", "count", -1,
        "How many spots overlap no recognised region of their query; its mean is AveFP.",
        threshold="recognised",
        paper="§4.3; its mean is AveFP",
    ),
    SumsFormula(false_positives),
    order=130,
)  # fmt: skip
