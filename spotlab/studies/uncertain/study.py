"""Compare systems' answers with the judgements of subjects who disagree.

Santini, Benchmarking without ground truth, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.comparison import FEWEST_ITEMS, FEWEST_SYSTEMS
from spotlab.formats.lists.rankings import Ranking
from spotlab.progress import Progress, silent, track
from spotlab.ranking.displacement import QualityForm
from spotlab.representation import short_repr
from spotlab.uncertain_truth.answers import (
    Answer,
    AnswerPair,
    Bands,
    Comparison,
    Distribution,
    bands_of,
    compare,
    measures_at,
    returned_probability,
)
from spotlab.uncertain_truth.judgements import (
    Judgements,
    category_truth,
    direct_shares,
    expected_size,
    relevance,
    with_categories_below,
)

Mixture = Literal["direct", "whole_tree"]
Unjudged = Literal["undefined", "left_out"]
Relevance = Literal["auto", "shares", "learned"]

USUAL_SHIFT: dict[Relevance, float] = {"shares": 0.0, "learned": 1.2}
FEW_JUDGEMENTS = 20  # of an item, up to which shares of the subjects say little of what is true


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
    shift : float or None
        Standard deviation of a shift of the log odds that all items share; 0 for none, None for
        that of ``USUAL_SHIFT``, whose bands hold the truth where relevance is learned.
    unjudged : "undefined" or "left_out"
        Effect of an item that nobody judged: the answer is undefined from it on, or the item is
        left out of the answer.
    compare_at : int or None
        Cut-off at which systems are compared; None for the largest of ``cut_offs`` that all
        answers reach, or, without any, for the longest. Answers that rank the same items are
        compared at the number of items that are expected to be relevant.
    relevance : "auto", "shares" or "learned"
        Probability of relevance of an item: the share of the subjects that assigned it, as in
        Santini; or the probability of truth, learned from how the subjects agree. By default, it
        is learned where 30 items or more have 20 judgements or fewer (median) of 3 subjects or
        more.
    quality : "rational" or "exponential"
        Quality 1 / (1 + w) ** p, or exp(−λ w), of a weighted displacement w.
    steepness : float
        p or λ, above 0.

    Raises
    ------
    ValueError
        If a value is not one of these.
    """

    cut_offs: tuple[int, ...] = ()
    mixture: Mixture = "direct"
    shift: float | None = None
    unjudged: Unjudged = "undefined"
    compare_at: int | None = None
    relevance: Relevance = "auto"
    quality: QualityForm = "rational"
    steepness: float = 1.0

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.mixture not in ("direct", "whole_tree"):
            raise ValueError(f"neither direct nor whole_tree: {self.mixture}")
        if self.unjudged not in ("undefined", "left_out"):
            raise ValueError(f"neither undefined nor left_out: {self.unjudged}")
        if self.relevance not in ("auto", "shares", "learned"):
            raise ValueError(f"neither auto, shares nor learned: {self.relevance}")
        if self.shift is not None and not self.shift >= 0:
            raise ValueError("a standard deviation must be 0 or more")
        if self.quality not in ("rational", "exponential") or not self.steepness > 0:
            raise ValueError("a quality is rational or exponential, with a steepness above 0")
        if any(cut < 1 for cut in (*self.cut_offs, self.compare_at or 1)):
            raise ValueError("a cut-off is 1 or more")

    def resolve(self, judgements: Judgements) -> UncertainSettings:
        """Choose how relevance follows from judgements, and the shift, where that is left open.

        Parameters
        ----------
        judgements : Judgements
            Judgements of N items.

        Returns
        -------
        UncertainSettings
            With "shares" or "learned", and a number.
        """
        how = self.relevance
        if how == "auto":
            counts = judgements.subject_counts[judgements.subject_counts > 0]
            enough = len(judgements.subjects) >= FEWEST_SYSTEMS and len(counts) >= FEWEST_ITEMS
            few = enough and float(np.median(counts)) <= FEW_JUDGEMENTS
            how = "learned" if few else "shares"
        shift = USUAL_SHIFT[how] if self.shift is None else self.shift
        return replace(self, relevance=how, shift=shift)

    @property
    def deviation(self) -> float:
        """Standard deviation of the shift, 0 where it is left open."""
        return self.shift or 0.0


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
            As `UncertainSettings.resolve` chooses it.

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
    bands = bands_of(answer, settings.cut_offs or None, settings.deviation)
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


@dataclass(frozen=True, eq=False)
class SystemPair:
    """System a compared with system b.

    Attributes
    ----------
    a, b : str
        Names of the systems.
    comparison : Comparison or None
        None where undefined: there is no query that both answer long enough, or nobody judged an
        item that only one of them returns.
    left_out : tuple of str
        Queries that do not count, because an answer is missing or too short.
    """

    a: str
    b: str
    comparison: Comparison | None
    left_out: tuple[str, ...]

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class SystemMean:
    """Mean of a system over the queries that it answers long enough.

    Attributes
    ----------
    system : str
        Name of the system.
    precision : Distribution or None
        Distribution of the mean precision; None where it is undefined for a query.
    recall : float or None
        Mean of the expected recalls; can exceed 1. None where one is undefined.
    queries : int
        Number of queries.
    left_out : tuple of str
        Queries that do not count, because the answer is missing or too short.
    """

    system: str
    precision: Distribution | None
    recall: float | None
    queries: int
    left_out: tuple[str, ...]

    __repr__ = short_repr


def compare_all(
    systems: Sequence[str],
    answers: Sequence[JudgedAnswer],
    cut_off: int,
    shift: float,
    progress: Progress,
) -> tuple[SystemPair, ...]:
    """Compare each pair of systems by precision at a cut-off, over the queries that both answer.

    Parameters
    ----------
    systems : sequence of str
        Names of the systems.
    answers : sequence of JudgedAnswer
        Answers of all systems.
    cut_off : int
        Number of first items.
    shift : float
        As in `UncertainSettings`.
    progress : callable
        Called with the number of pairs done.

    Returns
    -------
    tuple of SystemPair
        Empty for fewer than two systems.
    """
    named = {(answer.system, answer.query): answer for answer in answers}
    queries = list(dict.fromkeys(answer.query for answer in answers))
    compared = []
    for a, b in track(list(combinations(systems, 2)), progress, "comparing systems"):
        both = {
            query: [
                answer
                for answer in (named.get((a, query)), named.get((b, query)))
                if answer and len(answer.items) >= cut_off
            ]
            for query in queries
        }
        pairs = [_pair(two[0], two[1], cut_off) for two in both.values() if len(two) == 2]
        left_out = tuple(query for query, two in both.items() if len(two) < 2)
        compared.append(SystemPair(a, b, compare(pairs, shift), left_out))
    return tuple(compared)


def mean_all(
    systems: Sequence[str],
    answers: Sequence[JudgedAnswer],
    cut_off: int,
    shift: float,
    progress: Progress,
) -> tuple[SystemMean, ...]:
    """Compute each system's mean precision and recall at a cut-off.

    Parameters
    ----------
    systems : sequence of str
        Names of the systems.
    answers : sequence of JudgedAnswer
        Answers of all systems.
    cut_off : int
        Number of first items.
    shift : float
        As in `UncertainSettings`.
    progress : callable
        Called with the number of systems done.

    Returns
    -------
    tuple of SystemMean
        In the order of the systems.
    """
    queries = dict.fromkeys(answer.query for answer in answers)
    means = []
    for system in track(systems, progress, "computing means"):
        own = [
            answer for answer in answers if answer.system == system and len(answer.items) >= cut_off
        ]
        answered = {answer.query for answer in own}
        left_out = tuple(query for query in queries if query not in answered)
        recalls = [measures_at(answer.answer, cut_off, shift)[1] for answer in own]
        known = [recall.mean for recall in recalls if recall is not None]
        mean_recall = sum(known) / len(known) if known and len(known) == len(own) else None
        precision = _mean_precision(own, cut_off, shift)
        means.append(SystemMean(system, precision, mean_recall, len(own), left_out))
    return tuple(means)


def _mean_precision(
    answers: Sequence[JudgedAnswer], cut_off: int, shift: float
) -> Distribution | None:
    """Mean precision, as the difference from a system that finds nothing, with a shared shift."""
    pairs = []
    for answer in answers:
        chances = answer.answer.probability[:, :cut_off]
        both = np.concatenate([chances, np.zeros_like(chances)], axis=1)
        own = np.arange(cut_off)
        pairs.append(AnswerPair(both, answer.answer.weight, own, own + cut_off))
    comparison = compare(pairs, shift)
    if comparison is None:
        return None
    whole = comparison.difference
    from_zero = whole.values >= 0
    return Distribution(whole.values[from_zero], whole.mass[from_zero])


def _pair(a: JudgedAnswer, b: JudgedAnswer, cut_off: int) -> AnswerPair:
    """Both answers to a query, with the items of both numbered."""
    chances: dict[str, NDArray[np.float64]] = {}
    for answer in (a, b):
        chances.update(zip(answer.items[:cut_off], answer.answer.probability.T, strict=False))
    number = {item: at for at, item in enumerate(chances)}
    first, second = (
        np.array([number[item] for item in answer.items[:cut_off]], np.int64) for answer in (a, b)
    )
    return AnswerPair(np.array(list(chances.values())).T, a.answer.weight, first, second)


@dataclass(frozen=True, eq=False)
class UncertainStudy:
    """All answers, and the systems compared.

    Attributes
    ----------
    relevance : CategoryRelevance
        Judgements, and the relevance of all items.
    settings : UncertainSettings
        Settings of the study.
    answers : tuple of JudgedAnswer
        Answers to queries that subjects judged.
    systems : tuple of str
        Names of the systems.
    compared_at : int or None
        Cut-off at which systems are compared; None if there is none.
    means : tuple of SystemMean
        Mean of each system over its queries.
    comparisons : tuple of SystemPair
        Comparison of each pair of systems.
    captions : tuple of str
        Sentences that have to stand beside the figures.
    remarks : tuple of str
        Queries that nobody judged, items that nobody judged, and so on.
    """

    relevance: CategoryRelevance
    settings: UncertainSettings
    answers: tuple[JudgedAnswer, ...]
    systems: tuple[str, ...]
    compared_at: int | None
    means: tuple[SystemMean, ...]
    comparisons: tuple[SystemPair, ...]
    captions: tuple[str, ...]
    remarks: tuple[str, ...]

    __repr__ = short_repr


def study_uncertainty(
    judgements: Judgements,
    rankings: Sequence[Ranking],
    settings: UncertainSettings | None = None,
    progress: Progress = silent,
) -> UncertainStudy:
    """Compute precision and recall of answers as distributions, and compare the systems.

    Parameters
    ----------
    judgements : Judgements
        Categories to which subjects assigned items.
    rankings : sequence of Ranking
        Answers of systems, one per system and query. A query is an item, or the name of a category.
    settings : UncertainSettings, optional
        Settings of the study.
    progress : callable
        Called with the number of answers done.

    Returns
    -------
    UncertainStudy
        Answers to queries that nobody judged are left out, with a remark.

    Raises
    ------
    ValueError
        If there is no answer, or a system answers a query twice.
    """
    given = settings or UncertainSettings()
    chosen = given.resolve(judgements)
    if not rankings:
        raise ValueError("there is no answer")
    named = [(ranking.who, ranking.query) for ranking in rankings]
    if len(set(named)) < len(named):
        system, query = next(pair for at, pair in enumerate(named) if pair in named[:at])
        raise ValueError(f"{system} answers {query} twice")
    relevance = CategoryRelevance.of(judgements, chosen.relevance)
    answers = []
    for done, ranking in enumerate(rankings):
        progress(done, len(rankings), "computing distributions")
        answer = judge_answer(relevance, ranking, chosen)
        if answer is not None:
            answers.append(answer)
    progress(len(rankings), len(rankings), "computing distributions")
    systems = tuple(dict.fromkeys(ranking.who for ranking in rankings))
    cut_off, why = _compared_at(chosen, answers)
    shift = chosen.deviation
    comparisons = compare_all(systems, answers, cut_off, shift, progress) if cut_off else ()
    means = mean_all(systems, answers, cut_off, shift, progress) if cut_off else ()
    return UncertainStudy(
        relevance,
        chosen,
        tuple(answers),
        systems,
        cut_off,
        means,
        comparisons,
        tuple(_captions(chosen, given.relevance == "auto")),
        (*_remarks(relevance, rankings, answers, chosen), *why),
    )


def _compared_at(
    settings: UncertainSettings, answers: Sequence[JudgedAnswer]
) -> tuple[int | None, tuple[str, ...]]:
    """Cut-off at which systems are compared, and what has to be said of it."""
    if settings.compare_at is not None:
        return settings.compare_at, ()
    reach = min((len(answer.items) for answer in answers), default=0)
    if settings.cut_offs:
        return max((cut for cut in settings.cut_offs if cut <= reach), default=reach) or None, ()
    returned: dict[str, set[frozenset[str]]] = {}
    for answer in answers:
        returned.setdefault(answer.query, set()).add(frozenset(answer.items[:reach]))
    if reach < 2 or len(answers) == len(returned) or any(len(own) > 1 for own in returned.values()):
        return reach or None, ()
    sizes = [float(a.answer.weight @ a.answer.size) / a.weight_sum for a in answers]
    cut = int(np.clip(round(float(np.mean(sizes))), 1, reach - 1))
    remark = (
        "all systems rank the same items, so they are compared at the number of items that are "
        f"expected to be relevant, {cut:,}; another rank can be chosen"
    )
    return cut, (remark,)


def _captions(settings: UncertainSettings, by_default: bool) -> Iterator[str]:
    if settings.relevance == "shares":
        yield (
            "The distributions describe how far the subjects agree on what is relevant, not how "
            "far they are right."
        )
    else:
        yield (
            "The distributions describe what is true, as far as it can be learned from how the "
            "subjects agree (Dawid & Skene 1979) and from the ranks of the items. They assume that "
            "most subjects are right more often than not."
        )
        if by_default:
            yield (
                f"Items have {FEW_JUDGEMENTS} judgements or fewer, so the shares of the subjects "
                "(Santini's own bands) would hold the truth too rarely."
            )
        yield (
            "Recall has no bands: how many items are relevant in all is uncertain too, so "
            "bands would hold the truth too rarely."
        )
    yield "Items are taken to be relevant independently of each other, given the category."
    yield "Recall is k/|ω|, and |ω| is an expected number of items: recall can pass 1."
    if settings.mixture == "whole_tree":
        yield (
            "A query is mixed over all categories of the tree. Their weights pass 1, as a category "
            "counts again in all above it; they are divided by their sum."
        )
    if settings.shift:
        yield (
            f"All items' log odds share a shift with the standard deviation {settings.shift:g}, as "
            "if the subjects erred to the same side; what all or none of them assigned stays."
        )


def _remarks(
    relevance: CategoryRelevance,
    rankings: Sequence[Ranking],
    answers: Sequence[JudgedAnswer],
    settings: UncertainSettings,
) -> Iterator[str]:
    judgements = relevance.judgements
    lost = dict.fromkeys(
        ranking.query
        for ranking in rankings
        if relevance.weights(ranking.query, settings.mixture) is None
    )
    if lost:
        yield f"neither a judged item nor a category: the query {_list(lost)}; left out"
    items = dict.fromkeys(item for answer in answers for item in answer.unjudged)
    if items:
        what = "undefined from there on" if settings.unjudged == "undefined" else "left out"
        yield f"nobody judged {_list(items)}: answers are {what}"
    both = [ranking.query for ranking in rankings if ranking.query in judgements.number]
    both = [query for query in dict.fromkeys(both) if query in judgements.tree.number]
    if both:
        yield f"{_list(both)} names both an item and a category: used as the item"
    empty = dict.fromkeys(
        name
        for answer in answers
        for name, size in zip(answer.categories, answer.answer.size, strict=True)
        if size == 0
    )
    if empty:
        yield f"no subject assigned anything to {_list(empty)}: recall is undefined"


def _list(names: Sequence[str] | dict[str, None]) -> str:
    every = list(names)
    more = f" and {len(every) - 10:,} more" if len(every) > 10 else ""
    return ", ".join(every[:10]) + more
