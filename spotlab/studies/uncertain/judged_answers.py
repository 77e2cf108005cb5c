"""Answers of systems beside the judgements of subjects.

Santini, Benchmarking without ground truth, section 4. A query is an item that the subjects judged
too, and is mixed over its categories; or it is the name of a category.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.formats.lists.rankings import Ranking
from spotlab.representation import short_repr
from spotlab.uncertain_truth.answers import Answer, Bands, bands_of
from spotlab.uncertain_truth.category_truth import category_truth
from spotlab.uncertain_truth.judgements import (
    Judgements,
    direct_shares,
    expected_size,
    relevance,
    with_categories_below,
)
from spotlab.uncertain_truth.returned_items import returned_probability

Mixture = Literal["direct", "whole_tree"]
Unjudged = Literal["undefined", "left_out"]
Relevance = Literal["shares", "learned"]

USUAL_SHIFT: dict[Relevance, float] = {"shares": 0.0, "learned": 1.2}


@dataclass(frozen=True)
class UncertainSettings:
    """Settings for the comparison of answers with judgements.

    Attributes
    ----------
    cut_offs : tuple of int
        Numbers of first items, ascending; empty for each rank up to 200, then steps of 2 %.
    mixture : "direct" or "whole_tree"
        Categories over which a query is mixed: those to which subjects assigned it directly, with
        shares that sum to 1; or also all above them, with shares divided by their sum.
    shift : float
        Standard deviation of a shift of the log odds that all items share; 0 for none.
    unjudged : "undefined" or "left_out"
        Effect of an item that nobody judged: the answer is undefined from it on, or the item is
        left out of the answer.
    compare_at : int or None
        Cut-off at which systems are compared; None for the longest that all answers reach.
    relevance : "shares" or "learned"
        Probability of relevance of an item: the share of the subjects that assigned it, as in
        Santini; or the probability of truth, learned from how the subjects agree. For the latter
        ``USUAL_SHIFT`` has the shift whose bands hold the truth.

    Raises
    ------
    ValueError
        If a value is not one of these.
    """

    cut_offs: tuple[int, ...] = ()
    mixture: Mixture = "direct"
    shift: float = 0.0
    unjudged: Unjudged = "undefined"
    compare_at: int | None = None
    relevance: Relevance = "shares"

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.mixture not in ("direct", "whole_tree"):
            raise ValueError(f"neither direct nor whole_tree: {self.mixture}")
        if self.unjudged not in ("undefined", "left_out"):
            raise ValueError(f"neither undefined nor left_out: {self.unjudged}")
        if self.relevance not in ("shares", "learned"):
            raise ValueError(f"neither shares nor learned: {self.relevance}")
        if not self.shift >= 0:
            raise ValueError("a standard deviation must be 0 or more")
        if any(cut < 1 for cut in (*self.cut_offs, self.compare_at or 1)):
            raise ValueError("a cut-off is 1 or more")


@dataclass(frozen=True, eq=False)
class CategoryRelevance:
    """Judgements, and the relevance of all items to all categories that follows from them.

    Attributes
    ----------
    judgements : Judgements
        Judgements of N items in C categories.
    probability : (N, C) float
        p(ω|q), in [0, 1]; NaN for an item that nobody judged.
    direct : (N, C) float
        Share of the subjects that assigned the item to exactly this category, or probability that
        this is the truth, in [0, 1].
    size : (C,) float
        |ω|, the expected number of items of each category.
    shares : (N, C) float or None
        Shares of the subjects, if ``probability`` is learned; else None.
    """

    judgements: Judgements
    probability: Floats
    direct: Floats
    size: Floats
    shares: Floats | None = None

    __repr__ = short_repr

    @staticmethod
    def of(judgements: Judgements, how: Relevance = "shares") -> CategoryRelevance:
        """Compute the relevance from judgements.

        Parameters
        ----------
        judgements : Judgements
            Judgements of N items in C categories.
        how : "shares" or "learned"
            As in `UncertainSettings`.

        Returns
        -------
        CategoryRelevance
            NaN for items that nobody judged.
        """
        shares = relevance(judgements)
        if how == "shares":
            return CategoryRelevance(
                judgements, shares, direct_shares(judgements), expected_size(shares)
            )
        direct = category_truth(judgements)
        probability = with_categories_below(judgements.tree, direct)
        return CategoryRelevance(
            judgements, probability, direct, expected_size(probability), shares
        )

    def of_items(self, rows: NDArray[np.int64], categories: NDArray[np.int64]) -> Floats:
        """Probability of the judged items that a system returns.

        Parameters
        ----------
        rows : (n,) int
            Indices of the items, best first.
        categories : (K,) int
            Indices of the categories.

        Returns
        -------
        (K, n) float
            In [0, 1]; where it is learned, it depends on the rank too (`returned_probability`).
        """
        plain: Floats = self.probability[rows][:, categories].T
        if self.shares is None or not len(rows):
            return plain
        prior = np.nanmean(self.probability[:, categories], axis=0)
        known = self.judgements.subject_counts[rows].astype(np.float64)
        return returned_probability(plain, prior, self.shares[rows][:, categories].T, known)

    def weights(self, query: str, mixture: Mixture) -> Floats | None:
        """Weight of each category for a query.

        Parameters
        ----------
        query : str
            Name of an item, or of a category.
        mixture : "direct" or "whole_tree"
            As in `UncertainSettings`.

        Returns
        -------
        (C,) float or None
            In [0, 1]; None if nobody judged the query.
        """
        item = self.judgements.number.get(query)
        if item is not None:
            shares = (self.direct if mixture == "direct" else self.probability)[item]
            return None if np.isnan(shares).any() else shares
        category = self.judgements.tree.number.get(query)
        return None if category is None else np.eye(len(self.size))[category]


@dataclass(frozen=True, eq=False)
class JudgedAnswer:
    """A system's answer to a query, with what the subjects judged.

    Attributes
    ----------
    system, query : str
        Names of the system and of the query.
    items : tuple of str
        Items of the answer, best first, without those that are left out.
    unjudged : tuple of str
        Items of the answer that nobody judged.
    categories : tuple of str
        Categories of the query, whose weights and sizes ``answer`` has.
    weight_sum : float
        Sum of the weights; exceeds 1 over the whole tree.
    answer : Answer
        Probabilities of relevance.
    bands : Bands
        Precision and recall over cut-offs. Where the relevance is learned, recall has a mean and a
        median only.
    """

    system: str
    query: str
    items: tuple[str, ...]
    unjudged: tuple[str, ...]
    categories: tuple[str, ...]
    weight_sum: float
    answer: Answer
    bands: Bands

    __repr__ = short_repr


def judge_answer(
    relevance: CategoryRelevance, ranking: Ranking, settings: UncertainSettings
) -> JudgedAnswer | None:
    """Join an answer with the judgements.

    Parameters
    ----------
    relevance : CategoryRelevance
        Judgements, and the relevance of all items.
    ranking : Ranking
        A system's answer to a query.
    settings : UncertainSettings
        Settings of the study.

    Returns
    -------
    JudgedAnswer or None
        None if nobody judged the query.
    """
    weights = relevance.weights(ranking.query, settings.mixture)
    if weights is None:
        return None
    number = relevance.judgements.number
    known = {
        item
        for item in ranking.items
        if item in number and relevance.judgements.subject_counts[number[item]]
    }
    unjudged = tuple(item for item in ranking.items if item not in known)
    items = ranking.items
    if settings.unjudged == "left_out":
        items = tuple(item for item in items if item in known)
    taken = np.flatnonzero(weights)
    probability = np.full((len(taken), len(items)), np.nan)
    there = [at for at, item in enumerate(items) if item in known]
    rows = [number[items[at]] for at in there]
    probability[:, there] = relevance.of_items(np.array(rows, np.int64), taken)
    answer = Answer(probability, weights[taken], relevance.size[taken])
    bands = bands_of(answer, settings.cut_offs or None, settings.shift)
    if settings.relevance == "learned":  # |ω| is uncertain too: bands would be too narrow
        bands = replace(bands, recall=bands.recall.without_bands())
    return JudgedAnswer(
        ranking.who,
        ranking.query,
        items,
        unjudged,
        tuple(relevance.judgements.tree.categories[at] for at in taken),
        float(weights.sum()),
        answer,
        bands,
    )
