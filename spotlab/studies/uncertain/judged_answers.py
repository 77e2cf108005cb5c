"""Answers of systems beside the judgements of subjects.

Santini, Benchmarking without ground truth, section 4. A query is an item that the subjects judged
too, and is mixed over its categories; or it is the name of a category.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from spotlab.formats.lists.rankings import Ranking
from spotlab.uncertain.answers import Answer, Bands, bands_of
from spotlab.uncertain.judgements import Floats, Judgements, direct_shares, expected_size, relevance

Mixture = Literal["direct", "whole_tree"]
Unjudged = Literal["undefined", "left_out"]


@dataclass(frozen=True)
class UncertainSettings:
    """How answers are held against judgements.

    Attributes
    ----------
    cut_offs : tuple of int
        Ascending; empty for each rank to 200, then steps of 2 %.
    mixture : "direct" or "whole_tree"
        Over which categories a query is mixed: those that subjects assigned it to, with shares
        that sum to 1; or all above them too, whose shares pass 1 and are divided by their sum.
    shift : float
        Standard deviation of a shift that all items' log odds share; 0 for none.
    unjudged : "undefined" or "left_out"
        What an item that nobody judged makes of an answer: undefined from it on, or as if the
        system had not returned it.
    compare_at : int or None
        The cut-off at which systems are compared; None for the longest that all answers reach.
    """

    cut_offs: tuple[int, ...] = ()
    mixture: Mixture = "direct"
    shift: float = 0.0
    unjudged: Unjudged = "undefined"
    compare_at: int | None = None

    def __post_init__(self) -> None:
        if self.mixture not in ("direct", "whole_tree"):
            raise ValueError(f"neither direct nor whole_tree: {self.mixture}")
        if self.unjudged not in ("undefined", "left_out"):
            raise ValueError(f"neither undefined nor left_out: {self.unjudged}")
        if not self.shift >= 0:
            raise ValueError("a standard deviation is not negative")
        if any(cut < 1 for cut in (*self.cut_offs, self.compare_at or 1)):
            raise ValueError("a cut-off is 1 or more")


@dataclass(frozen=True, eq=False)
class CategoryRelevance:
    """The judgements, and what follows from them for all items.

    Attributes
    ----------
    judgements : Judgements
        Of N items and C categories.
    probability : (N, C) float
        p(ω|q), NaN for an item that nobody judged.
    direct : (N, C) float
        The share that assigned it to just this category.
    size : (C,) float
        |ω|.
    """

    judgements: Judgements
    probability: Floats
    direct: Floats
    size: Floats

    @staticmethod
    def of(judgements: Judgements) -> CategoryRelevance:
        """Compute everything."""
        probability = relevance(judgements)
        return CategoryRelevance(
            judgements, probability, direct_shares(judgements), expected_size(probability)
        )

    def weights(self, query: str, mixture: Mixture) -> Floats | None:
        """(C,) the weight of each category for a query; None if nobody has judged it."""
        item = self.judgements.number.get(query)
        if item is not None:
            shares = (self.direct if mixture == "direct" else self.probability)[item]
            return None if np.isnan(shares).any() else shares
        category = self.judgements.tree.number.get(query)
        return None if category is None else np.eye(len(self.size))[category]


@dataclass(frozen=True, eq=False)
class JudgedAnswer:
    """A system's answer to a query, before the judgements.

    Attributes
    ----------
    system, query : str
    items : tuple of str
        Best first; without those that are left out.
    unjudged : tuple of str
        What the answer holds that nobody judged.
    categories : tuple of str
        Those of the query, whose weights and sizes ``answer`` has.
    weight_sum : float
        Passes 1 over the whole tree.
    answer : Answer
    bands : Bands
    """

    system: str
    query: str
    items: tuple[str, ...]
    unjudged: tuple[str, ...]
    categories: tuple[str, ...]
    weight_sum: float
    answer: Answer
    bands: Bands


def judge_answer(
    relevance: CategoryRelevance, ranking: Ranking, settings: UncertainSettings
) -> JudgedAnswer | None:
    """One answer before the judgements; None if nobody has judged its query."""
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
