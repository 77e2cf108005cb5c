"""Hast's Tables 2 to 5 and Fig. 3: lists of representative and of difficult queries of some words.

All instances of a word are compared with each other; those with the highest mean score are
representative queries, those with the lowest are difficult ones. Each searches the whole
collection, and its lists are judged by what is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError, counted
from spotlab.model.ranked_list import Items
from spotlab.progress import Progress, silent, track
from spotlab.ranking.displacement import average_precision
from spotlab.ranking.fusion import Choices, difficult_queries, fusions, representative_queries
from spotlab.ranking.purge import ItemTruth, Purge, PurgePoint, without_item
from spotlab.representation import short_repr
from spotlab.spotting.words.search import RE_SCORING, make_lists, search
from spotlab.spotting.words.word_index import WordIndex, WordQuery, instances
from spotlab.studies.words.query_means import StudiedList, StudiedQuery
from spotlab.studies.words.word_truth import match_texts, relevance, relevant_count

PAPER = ("ws", "qe", "cr", "ml", "ml_cr")
KINDS = ("representative", "difficult")
CUTS = {"tau": "τ", "best_f": "best F", "largest_drop": "largest drop"}


@dataclass(frozen=True, eq=False)
class ScoreCurve:
    """A list as Fig. 3 draws it.

    Attributes
    ----------
    name : str
        The list's.
    score : (K,) float
        Falling.
    relevant : (K,) bool
    """

    name: str
    score: NDArray[np.float64]
    relevant: NDArray[np.bool_]

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class QueryResult:
    """The lists of one query.

    Attributes
    ----------
    word, kind : str
        The text, and whether the query is a representative or a difficult instance of it.
    place : str
        Where the instance is.
    relevant : int
        Number of other instances.
    average_precision : dict of str to float
        By list.
    purged : dict of str to (dict of str to PurgePoint)
        By list, and by the suggested cut (`CUTS`), where there is one: what it keeps.
    curves : tuple of ScoreCurve
    studied : StudiedQuery or None
        The lists with their words, as reports show them.
    """

    word: str
    kind: str
    place: str
    relevant: int
    average_precision: dict[str, float | None]
    purged: dict[str, dict[str, PurgePoint]]
    curves: tuple[ScoreCurve, ...]
    studied: StudiedQuery | None = None

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class KeywordStudy:
    """The figures of all queries, and the settings.

    Attributes
    ----------
    words, lists : tuple of str
    results : tuple of QueryResult
    pages, items : int
        Numbers of pages and items searched.
    tau, tight : float
    choices : Choices
    """

    words: tuple[str, ...]
    lists: tuple[str, ...]
    results: tuple[QueryResult, ...]
    pages: int
    items: int
    tau: float
    tight: float
    choices: Choices

    __repr__ = short_repr

    def mean(self, kind: str, name: str, word: str | None = None) -> float | None:
        """Mean average precision of a list: of a word, or over the words' means as in the paper."""
        if word is None:
            means = [self.mean(kind, name, text) for text in self.words]
        else:
            means = [
                result.average_precision[name]
                for result in self.results
                if (result.kind, result.word) == (kind, word)
            ]
        known = [value for value in means if value is not None]
        return float(np.mean(known)) if known else None

    def increase(self, kind: str, name: str) -> float | None:
        """Mean gain of a list, in percent: of QE over WS, of the others over QE.

        None for WS, and where the other one has nothing.
        """
        if name == "ws":
            return None
        value, base = self.mean(kind, name), self.mean(kind, "ws" if name == "qe" else "qe")
        return 100 * (value / base - 1) if value is not None and base else None

    def purging(self, kind: str, name: str, cut: str = "tau") -> tuple[float | None, float | None]:
        """The mean shares of false words that a cut removes from a list, and of true ones it loses.

        Over the queries for which there is such a cut; None where it does that in none of them.
        """
        cuts = [result.purged[name] for result in self.results if result.kind == kind]
        points = [points[cut] for points in cuts if cut in points]
        removed = [point.removed for point in points if point.removed is not None]
        lost = [point.lost_share for point in points if point.lost_share is not None]
        return (
            float(np.mean(removed)) if removed else None,
            float(np.mean(lost)) if lost else None,
        )


def study_keywords(
    index: WordIndex,
    truth: Items,
    words: Sequence[str],
    *,
    lists: Sequence[str] = PAPER,
    per_kind: int = 3,
    tau: float = 0.7,
    tight: float = 0.8,
    choices: Choices | None = None,
    progress: Progress = silent,
) -> KeywordStudy:
    """Search some words by their representative and their difficult instances.

    The query's own instance is left out of its lists and of what is to be found: finding it is no
    achievement.

    Parameters
    ----------
    index : WordIndex
    truth : Items
        The words of the pages with their texts.
    words : sequence of str
        Each is written at least ``2 * per_kind`` times on the index's pages.
    lists : sequence of str
        Fusions.
    per_kind : int
        Number of queries of each kind for a word.

    Raises
    ------
    SpotlabError
        A word is written too seldom, or there is no such list.
    """
    choices = choices or RE_SCORING
    unknown = [name for name in lists if name not in fusions()]
    if unknown:
        raise SpotlabError(f"there is no list {unknown[0]!r}; there are {', '.join(fusions())}")
    queries = [
        (word, kind, query)
        for word in words
        for kind, chosen in choose_queries(index, truth, word, per_kind).items()
        for query in chosen
    ]
    results = [
        _result(index, truth, word, kind, query, lists, tau, tight, choices)
        for word, kind, query in track(queries, progress, "searching words")
    ]
    return KeywordStudy(
        tuple(words),
        tuple(lists),
        tuple(results),
        len(index.items.pages),
        len(index.items),
        tau,
        tight,
        choices,
    )


def choose_queries(
    index: WordIndex, truth: Items, word: str, per_kind: int = 3
) -> dict[str, list[WordQuery]]:
    """Choose the instances of a word that resemble the others most, and least.

    Where only lines are transcribed, these are the found words that lie best where it is written.

    Parameters
    ----------
    index : WordIndex
    truth : Items
    word : str
    per_kind : int
        Number of queries of each kind.

    Raises
    ------
    SpotlabError
        There are fewer than twice as many as wanted.
    """
    known, own = truth, instances(truth, word)
    if (truth.line[own] >= 0).any():
        known, own = index.items, np.flatnonzero(relevance(index.items, word, truth) == 1)
    here = [at for at in own.tolist() if known.page_name(at) in index.items.pages]
    if len(here) < 2 * per_kind:
        raise SpotlabError(f"{word!r} is written {counted(len(here), 'time')}, not {2 * per_kind}")
    queries = []
    for at in here:
        left, top, right, bottom = known.boxes[at].tolist()
        queries.append(WordQuery(known.page_name(at), (left, top, right, bottom), word))
    features = np.array([index.describe(query) for query in queries])
    scores = index.scale.apply((features @ features.T).astype(np.float64))
    places = (representative_queries(scores, per_kind), difficult_queries(scores, per_kind))
    return {
        kind: [queries[at] for at in chosen] for kind, chosen in zip(KINDS, places, strict=True)
    }


def _result(
    index: WordIndex,
    truth: Items,
    word: str,
    kind: str,
    query: WordQuery,
    lists: Sequence[str],
    tau: float,
    tight: float,
    choices: Choices,
) -> QueryResult:
    hits = search(index, query, tau=tau, tight=tight, words=truth)
    right = relevance(hits.items, word, truth)
    total = relevant_count(truth, word, index.items.pages, without_own=True)
    whole = make_lists(hits, lists, choices)
    made = [without_item(ranked, hits.own) for ranked in whole]
    curves = tuple(
        ScoreCurve(name, ranked.score, right[ranked.item] == 1)
        for name, ranked in zip(lists, made, strict=True)
    )
    purges = {
        name: Purge.of(ranked, right, total) for name, ranked in zip(lists, made, strict=True)
    }
    purged = {
        name: {
            cut.name: purge.at(cut.threshold)
            for cut in purge.suggestions(tau)
            if cut.threshold is not None
        }
        for name, purge in purges.items()
    }
    precisions = {curve.name: average_precision(curve.relevant, total) for curve in curves}
    place = replace(query, text="").name
    known = fusions()
    listed = tuple(
        StudiedList(
            ranked.name, known[ranked.name].title, known[ranked.name].definition, ranked,
            precisions[ranked.name], purges[ranked.name].at(tau),
        )
        for ranked in whole
    )  # fmt: skip
    assert query.box is not None  # it is an instance
    items = replace(hits.items, texts=match_texts(hits.items, truth))
    studied = StudiedQuery(
        f"{word} · {place}", items, ItemTruth(right, total + 1, hits.own), listed,
        (query.page, query.box),
    )  # fmt: skip
    return QueryResult(word, kind, place, total, precisions, purged, curves, studied)
