"""Answers of systems beside the judgements of subjects.

Santini, Benchmarking without ground truth, section 4. A query is an item that the subjects judged
too, and is mixed over its categories; or it is the name of a category.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from spotlab.formats.lists.rankings import Ranking
from spotlab.representation import short_repr
from spotlab.uncertain.answers import Answer, Bands, bands_of
from spotlab.uncertain.judgements import Floats, Judgements, direct_shares, expected_size, relevance

Mixture = Literal["direct", "whole_tree"]
Unjudged = Literal["undefined", "left_out"]


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

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.mixture not in ("direct", "whole_tree"):
            raise ValueError(f"neither direct nor whole_tree: {self.mixture}")
        if self.unjudged not in ("undefined", "left_out"):
            raise ValueError(f"neither undefined nor left_out: {self.unjudged}")
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
        Share of the subjects that assigned the item to exactly this category, in [0, 1].
    size : (C,) float
        |ω|, the expected number of items of each category.
    """

    judgements: Judgements
    probability: Floats
    direct: Floats
    size: Floats

    __repr__ = short_repr

    @staticmethod
    def of(judgements: Judgements) -> CategoryRelevance:
        """Compute the relevance from judgements.

        Parameters
        ----------
        judgements : Judgements
            Judgements of N items in C categories.

        Returns
        -------
        CategoryRelevance
            NaN for items that nobody judged.
        """
        probability = relevance(judgements)
        return CategoryRelevance(
            judgements, probability, direct_shares(judgements), expected_size(probability)
        )

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
        Precision and recall over cut-offs.
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
    probability[:, there] = relevance.probability[rows][:, taken].T
    answer = Answer(probability, weights[taken], relevance.size[taken])
    return JudgedAnswer(
        ranking.who,
        ranking.query,
        items,
        unjudged,
        tuple(relevance.judgements.tree.categories[at] for at in taken),
        float(weights.sum()),
        answer,
        bands_of(answer, settings.cut_offs or None, settings.shift),
    )
