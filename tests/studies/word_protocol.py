"""How well words are found when each of their instances is searched: mean average precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.model.ranked_list import Items
from spotlab.model.spelling import fold
from spotlab.progress import Progress, silent, track
from spotlab.ranking.displacement import average_precision
from spotlab.ranking.fusion import Choices, Evidence, FeatureScores, fusions
from spotlab.representation import short_repr
from spotlab.spotting.words.word_index import WordIndex, WordQuery
from spotlab.studies.words.word_spotting import mean_average_precision, spot_words
from spotlab.studies.words.word_truth import match_words

GIVEN = ("ws", "cr", "database_augmentation", "k_reciprocal", "diffusion")
FREE = ("ws", "qe", "cr", "database_augmentation", "k_reciprocal", "diffusion")


@dataclass(frozen=True)
class WordFigures:
    """What was reached.

    Attributes
    ----------
    queries : int
    mean : dict of str to (float or None)
        Mean average precision by fusion, the query itself left out; None without queries.
    recall : float or None
        Share of the queried words that are among the items at all; None without queries.
    """

    queries: int
    mean: dict[str, float | None]
    recall: float | None

    __repr__ = short_repr


def queried(words: Items, least: int = 5, letters: int = 1) -> NDArray[np.int64]:
    """The words that are searched: with so many instances and so many letters.

    Examples
    --------
    >>> words = Items(("a",), [0, 0, 0], [[0, 0, 4, 9]] * 3, ("my", "own", "My,"))
    >>> queried(words, least=2)
    array([0, 2])
    """
    plain = np.array([fold(text or "") for text in words.texts], dtype=np.str_)
    _, kind, count = np.unique(plain, return_inverse=True, return_counts=True)
    long = np.array([len(text) >= letters for text in plain.tolist()], np.bool_)
    return np.flatnonzero((count[kind] >= least) & long)


def evaluate_words(
    words: Items,
    features: NDArray[np.float32],
    lists: Sequence[str] = GIVEN,
    *,
    choices: Choices | None = None,
    least: int = 5,
    every: int = 1,
    progress: Progress = silent,
) -> WordFigures:
    """With given boxes: each word searches all others.

    Parameters
    ----------
    words : Items
        With texts.
    features : (N, D) float32
        Rows of length 1.
    lists : sequence of str
        Names of fusions; ``ws`` is the list by similarity alone.
    choices : Choices, optional
        The best five at any score re-score by default: a cosine is on no common scale.
    least : int
        Instances that a word has to have to be searched.
    every : int
        Search only every so manieth of them.
    """
    choices = choices or Choices(top=5, at_least=-1.0)
    plain = np.array([fold(text or "") for text in words.texts], dtype=np.str_)
    queries = queried(words, least)[::every]
    found: dict[str, list[float]] = {name: [] for name in lists}
    known = fusions()
    for query in track(queries.tolist(), progress, "searching"):
        others = np.flatnonzero(np.arange(len(words)) != query)
        scores = np.asarray(features[others] @ features[query], np.float64)
        evidence = Evidence(
            scores, FeatureScores(features[others]),
            np.empty((0, len(others))), np.ones(len(others), np.bool_),
        )  # fmt: skip
        relevant = plain[others] == plain[query]
        for name in lists:
            fused = known[name].fuse(evidence, choices)
            order = np.argsort(-fused, kind="stable")[: np.count_nonzero(~np.isnan(fused))]
            precision = average_precision(relevant[order], int(relevant.sum()))
            if precision is not None:
                found[name].append(precision)
    return WordFigures(len(queries), {name: _mean(each) for name, each in found.items()}, 1.0)


def evaluate_search(
    index: WordIndex,
    words: Items,
    lists: Sequence[str] = FREE,
    *,
    choices: Choices | None = None,
    least: int = 5,
    letters: int = 4,
    every: int = 1,
    tau: float = 0.7,
    tight: float = 0.8,
    progress: Progress = silent,
) -> WordFigures:
    """Without given boxes: each word's box searches what the index has found.

    Parameters
    ----------
    index : WordIndex
    words : Items
        The truth, on pages of the index.
    lists, choices, least, every
        As for `evaluate_words`.
    letters : int
        That a word has to have to be searched.
    tau, tight : float
        See `spotlab.spotting.words.search.search`.
    """
    queries = queried(words, least, letters)[::every]
    named = []
    for query in queries.tolist():
        left, top, right, bottom = words.boxes[query].tolist()
        box = WordQuery(words.page_name(query), (left, top, right, bottom), words.text(query) or "")
        named.append((str(query), box))
    spotted = spot_words(
        index, named, lists, words=words, choices=choices, tau=tau, tight=tight, progress=progress
    )
    reached = np.isin(queries, match_words(index.items, words))
    recall = float(reached.mean()) if len(queries) else None
    return WordFigures(
        len(queries), {name: mean_average_precision(spotted, name) for name in lists}, recall
    )


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None
