"""Ranked lists over several queries: means with intervals, and paired tests against one list.

All lists are averaged over the same queries: those with words to be found. A query that a list does
not answer counts as one of which nothing was found, as ``trec_eval -c`` has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.rows.json_values import attributes, to_builtins
from spotlab.measures.intervals import (
    Design,
    Difference,
    Interval,
    compare_pairs,
    mean_interval,
)
from spotlab.measures.measure import Figure
from spotlab.measures.significance import mean_ranks
from spotlab.model.ranked_list import Items, RankedList
from spotlab.ranking.fusion import ItemScores, difficult_queries, representative_queries
from spotlab.ranking.purge import ItemTruth, PurgePoint
from spotlab.representation import short_repr
from spotlab.studies.words.ranked_lists import JudgedQuery
from spotlab.studies.words.word_truth import truth_of

PRIMARY = "average_precision"
UNANSWERED = {"average_precision": 0.0, "recall": 0.0}  # precision, and so F, are undefined
FIGURES = (
    Figure(
        "average_precision",
        "mAP",
        "",
        1,
        "Mean over queries of average precision: the mean of the precision at the rank of each "
        "relevant word, over all relevant words of the collection, found or not "
        "(Hast 2020, eq. 3).",
    ),
    Figure(
        "precision",
        "P",
        "",
        1,
        "Precision at the threshold: relevant words / judged words that purging keeps.",
    ),
    Figure(
        "recall",
        "R",
        "",
        1,
        "Recall at the threshold: relevant words that purging keeps / all relevant words, found "
        "or not.",
    ),
    Figure("f", "F", "", 1, "Harmonic mean of precision and recall at the threshold."),
)


@dataclass(frozen=True, eq=False)
class WordFigures:
    """Figures for the quality of one list of a query.

    Attributes
    ----------
    name, title : str
        Of the list; lists of the same name are compared over queries.
    values : dict of str to (float or None)
        By the name of a figure of `FIGURES`; shares in [0, 1], None where it is undefined.
    """

    name: str
    title: str
    values: dict[str, float | None]

    @classmethod
    def of(
        cls, name: str, title: str, average_precision: float | None, point: PurgePoint | None
    ) -> WordFigures:
        """The figures of a list with this average precision, of which a cut leaves this.

        Examples
        --------
        >>> WordFigures.of("cr", "CR", 0.5, None).values
        {'average_precision': 0.5, 'precision': None, 'recall': None, 'f': None}
        """
        cut = {name: getattr(point, name, None) for name in ("precision", "recall", "f")}
        return cls(name, title, {"average_precision": average_precision, **cut})


@dataclass(frozen=True, eq=False)
class QueryFigures:
    """The lists of one query.

    Attributes
    ----------
    query : str
    relevant : int or None
        Number of words to be found, without the query itself where that is known.
    lists : tuple of WordFigures
    """

    query: str
    relevant: int | None
    lists: tuple[WordFigures, ...]

    __repr__ = short_repr

    def has(self, name: str) -> bool:
        """Tell whether the query has a list of this name: whether a system has answered it."""
        return any(each.name == name for each in self.lists)

    def is_unanswered(self, name: str) -> bool:
        """Tell whether words are to be found and no list of this name looks for them."""
        return bool(self.relevant) and not self.has(name)

    def value(self, name: str, figure: str) -> float | None:
        """A figure of a list; None where it is undefined.

        A query with words to be found that has no such list counts as one of which nothing was
        found, as ``trec_eval -c`` has it.
        """
        if self.is_unanswered(name):
            return UNANSWERED.get(figure)
        return next((each.values.get(figure) for each in self.lists if each.name == name), None)


@dataclass(frozen=True, eq=False)
class ListMean:
    """A list over all queries that have it.

    Attributes
    ----------
    name, title : str
    queries : int
        Number of queries that have it.
    mean : dict of str to (float or None)
        By figure; None where it is defined for no query.
    defined : dict of str to int
        Over how many queries each mean goes.
    unanswered : int
        Number of queries with words to be found that lack the list. They are in the means: nothing
        is found for them.
    interval : dict of str to (Interval or None)
        95 % interval over queries; None for too few.
    difference : dict of str to (Difference or None)
        This list minus the reference, over the queries that have the figure in both.
    """

    name: str
    title: str
    queries: int
    mean: dict[str, float | None]
    defined: dict[str, int]
    unanswered: int
    interval: dict[str, Interval | None]
    difference: Mapping[str, Difference | None] = field(default_factory=dict)

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class QueryComparison:
    """Lists over all queries.

    Attributes
    ----------
    queries : tuple of QueryFigures
    lists : tuple of ListMean
    reference : str
        Name of the list that the others are compared with; empty without lists.
    design : Design
        What is tested: the mean average precision of all lists against that of the reference.
    """

    queries: tuple[QueryFigures, ...]
    lists: tuple[ListMean, ...]
    reference: str
    design: Design

    __repr__ = short_repr

    @property
    def best(self) -> str:
        """Name of the list of highest mean average precision; empty where none has one."""
        means = [(each.mean["average_precision"], each.name) for each in self.lists]
        known = [(value, name) for value, name in means if value is not None]
        return max(known, key=lambda pair: pair[0])[1] if known else ""

    def hardest(self, name: str) -> list[QueryFigures]:
        """The queries by rising average precision of a list, first those that it does not answer.

        Queries for which it is undefined are left out.
        """
        pairs = [(query.value(name, "average_precision"), query) for query in self.queries]
        known = [(value, query) for value, query in pairs if value is not None]
        return [query for _, query in sorted(known, key=lambda pair: pair[0])]


def compare_queries(
    queries: Sequence[QueryFigures],
    reference: str | None = None,
    draws: int = 1000,
    seed: int = 0,
) -> QueryComparison:
    """Average lists over queries, and compare them with one of them.

    Parameters
    ----------
    queries : sequence of QueryFigures
    reference : str, optional
        Name of a list; the first one by default.
    draws, seed : int
        Number of draws of the randomisation test, and the seed of the random numbers.

    Notes
    -----
    Intervals and tests are those of `spotlab.measures.intervals`, over queries.

    Examples
    --------
    >>> def query(name, first, second):
    ...     lists = (WordFigures.of("a", "A", first, None), WordFigures.of("b", "B", second, None))
    ...     return QueryFigures(name, 3, lists)
    >>> found = compare_queries([query("x", 0.2, 0.4), query("y", 0.6, 0.8), query("z", None, 1)])
    >>> [round(each.mean["average_precision"], 3) for each in found.lists]
    [0.4, 0.733]
    >>> round(found.lists[1].difference["average_precision"].value, 3), found.design.tests
    (0.2, 1)
    """
    titles = {each.name: each.title for query in queries for each in query.lists}
    columns = {
        name: {figure.name: _column(queries, name, figure.name) for figure in FIGURES}
        for name in titles
    }
    reference = reference if reference in titles else next(iter(titles), "")
    means = [_mean(name, title, queries, columns[name]) for name, title in titles.items()]
    others = [name for name in titles if name != reference]
    pairs = [
        {figure: values - columns[reference][figure] for figure, values in columns[name].items()}
        for name in others
    ]
    differences = compare_pairs(pairs, PRIMARY, draws, seed)
    by_name = dict(zip(others, differences, strict=True))
    lists = tuple(replace(each, difference=by_name.get(each.name, {})) for each in means)
    units = min((int((~np.isnan(each[PRIMARY])).sum()) for each in pairs), default=len(queries))
    tested = [each[PRIMARY] for each in differences]
    tests = sum(each is not None and each.p is not None for each in tested)
    ranks = mean_ranks(np.array([columns[name][PRIMARY] for name in titles])) if tests else ()
    design = Design(PRIMARY, FIGURES[0].title, "queries", units, tests, ranks=ranks)
    return QueryComparison(tuple(queries), lists, reference, design)


def _column(queries: Sequence[QueryFigures], name: str, figure: str) -> NDArray[np.float64]:
    """(Q,) a figure of a list for each query; NaN where it is undefined."""
    values = (query.value(name, figure) for query in queries)
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _mean(
    name: str,
    title: str,
    queries: Sequence[QueryFigures],
    columns: Mapping[str, NDArray[np.float64]],
) -> ListMean:
    own = sum(query.has(name) for query in queries)
    unanswered = sum(query.is_unanswered(name) for query in queries)
    mean: dict[str, float | None] = {}
    defined: dict[str, int] = {}
    interval: dict[str, Interval | None] = {}
    for figure, values in columns.items():
        known = values[~np.isnan(values)]
        defined[figure] = len(known)
        mean[figure] = float(known.mean()) if len(known) else None
        interval[figure] = mean_interval(values)
    return ListMean(name, title, own, mean, defined, unanswered, interval)


def as_json(comparison: QueryComparison) -> dict[str, Any]:
    """The comparison as `json.dumps` takes it."""
    found: dict[str, Any] = to_builtins(
        {
            "reference": comparison.reference or None,
            "design": comparison.design,
            "lists": [_list(each) for each in comparison.lists],
            "queries": [
                {
                    "query": query.query,
                    "relevant": query.relevant,
                    "lists": {each.name: each.values for each in query.lists},
                }
                for query in comparison.queries
            ],
        }
    )
    return found


def _list(each: ListMean) -> dict[str, Any]:
    return {
        **attributes(each, "name", "title", "queries", "unanswered"),
        "figures": {
            figure.name: {
                "mean": each.mean[figure.name],
                "defined": each.defined[figure.name],
                "interval": each.interval[figure.name],
                "difference": each.difference.get(figure.name),
            }
            for figure in FIGURES
        },
    }


FEW = 6  # instances from which three are representative and three others difficult


@dataclass(frozen=True, eq=False)
class StudiedList:
    """A list of a query with its figures.

    Attributes
    ----------
    name, title, definition : str
        Lists of the same name are compared over queries.
    ranked : RankedList
    average_precision : float or None
    point : PurgePoint or None
        What purging leaves; None where the threshold means nothing for it.
    one_sided : bool
        Whether only one kind of words is judged, right or wrong: then nothing can be averaged.
    """

    name: str
    title: str
    definition: str
    ranked: RankedList
    average_precision: float | None
    point: PurgePoint | None
    one_sided: bool = False

    @property
    def kept(self) -> int:
        """Tell how many of its items purging leaves."""
        return len(self.ranked) if self.point is None else self.point.kept


@dataclass(frozen=True, eq=False)
class StudiedQuery:
    """A query, its items and its lists.

    Attributes
    ----------
    name : str
    items : Items
    truth : ItemTruth
    lists : tuple of StudiedList
    place : (str, (left, top, right, bottom)) or None
        Page and box of the query in px, where they are known.
    between : ItemScores or None
        The scores of the first items with each other.
    """

    name: str
    items: Items
    truth: ItemTruth
    lists: tuple[StudiedList, ...]
    place: tuple[str, Sequence[float]] | None = None
    between: ItemScores | None = None

    __repr__ = short_repr

    @property
    def relevant(self) -> int | None:
        """Tell how many words are to be found, without the query itself."""
        return self.truth.without_own().relevant

    def figures(self) -> QueryFigures:
        """Return what is averaged over queries."""
        lists = tuple(
            WordFigures.of(
                each.name,
                each.title,
                each.average_precision,
                None if each.one_sided else each.point,
            )
            for each in self.lists
        )
        return QueryFigures(self.name, self.relevant, lists)

    @classmethod
    def unanswered(cls, name: str, relevant: int) -> StudiedQuery:
        """Return a query with words to be found that no list answers.

        Examples
        --------
        >>> StudiedQuery.unanswered("orders", 3).relevant
        3
        """
        return cls(name, Items.named(()), ItemTruth(np.zeros(0, np.int8), relevant), ())

    def image(self) -> tuple[Items, int] | None:
        """The query as an item to be cut out of its page; None where its place is not known."""
        own = self.truth.own
        if own is not None and self.items.page[own] >= 0:
            return self.items, own
        if self.place is None:
            return None
        page, box = self.place
        return Items((page,), np.zeros(1, np.int64), np.array([box])), 0

    def instances(self, count: int = 3) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The instances of the word that are most like the others, and those that are least so.

        Parameters
        ----------
        count : int
            How many of each, at most; no instance is both.

        Returns
        -------
        representative, difficult : (k,) int
            Items; empty where fewer than `FEW` instances are known, or what they look like is not.

        Notes
        -----
        Hast (2020), §4.
        """
        nothing = np.zeros(0, np.int64)
        if self.between is None:
            return nothing, nothing
        right = np.flatnonzero(self.truth.relevance == 1)
        right = right[right < len(self.between)]
        if len(right) < FEW:
            return nothing, nothing
        scores = self.between.among(right).rows(np.arange(len(right)))
        most = min(count, len(right) // 2)
        return (
            right[representative_queries(scores, most)],
            right[difficult_queries(scores, most)],
        )


def studied(judged: JudgedQuery) -> StudiedQuery:
    """A query of a re-ranking."""
    query = judged.query
    lists = tuple(
        StudiedList(
            each.ranked.name, each.title, "", each.ranked, each.average_precision, each.point
        )
        for each in judged.lists
    )
    return StudiedQuery(query.query, query.items, truth_of(query), lists)
