"""Judged ranked lists of queries as reports show them, wherever they were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.model.ranked_list import Items, RankedList
from spotlab.ranking.item_scores import ItemScores
from spotlab.ranking.own_instance import ItemTruth
from spotlab.ranking.purge import PurgePoint
from spotlab.ranking.query_choice import difficult_queries, representative_queries
from spotlab.representation import short_repr
from spotlab.studies.words.list_truth import truth_of
from spotlab.studies.words.query_means import ListFigures, QueryFigures
from spotlab.studies.words.ranked_lists import JudgedQuery

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
        """How many of its items purging leaves."""
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
        """How many words are to be found, without the query itself."""
        return self.truth.without_own().relevant

    def figures(self) -> QueryFigures:
        """What is averaged over queries."""
        lists = tuple(
            ListFigures.of(
                each.name,
                each.title,
                each.average_precision,
                None if each.one_sided else each.point,
            )
            for each in self.lists
        )
        return QueryFigures(self.name, self.relevant, lists)

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
