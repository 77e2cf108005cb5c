"""Relevance judgements of TREC (qrels), ``query iter item relevance``: the truth of lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import counted
from spotlab.formats.lists.format import QueryLists, ReadLists
from spotlab.formats.lists.word_lines import LineLayout, read_words
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.model.ranked_list import Items
from spotlab.progress import Progress, silent

LAYOUT = LineLayout(("query", "iteration", "item", "relevance"), ("relevance",), ("relevance",))


@dataclass(frozen=True, eq=False)
class Qrels:
    """Relevance grades of items for queries; the last judgement of an item counts.

    Attributes
    ----------
    grades : dict of str to (dict of str to int)
        By query, the grade of each item: from 1 on relevant, 0 not, below 0 not known.
    bad_lines : tuple of BadLine
    """

    grades: dict[str, dict[str, int]]
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()


def read_qrels(path: Path | str, progress: Progress = silent) -> Qrels:
    """The relevance judgements in a file.

    Raises
    ------
    BadInput
        It cannot be read, or no line of it is right.
    """
    words = read_words(Path(path), LAYOUT, progress)
    query, item = words.names["query"], words.names["item"]
    grades: dict[str, dict[str, int]] = {name: {} for name in query.names}
    of_query = [grades[name] for name in query.names]
    rows = zip(
        query.code.tolist(),
        item.code.tolist(),
        words.numbers["relevance"].astype(np.int64).tolist(),
        strict=True,
    )
    for query_code, item_code, grade in rows:
        of_query[query_code][item.names[item_code]] = grade
    return Qrels(grades, tuple(words.bad_lines), tuple(words.remarks))


def judge(read: ReadLists, qrels: Qrels) -> ReadLists:
    """The lists with this truth; a query that it does not name has none.

    Relevant items that no list holds count too, and so do queries that no list answers: they are
    there without a list.
    """
    without = [each.query for each in read.queries if each.query not in qrels.grades]
    remarks = [*read.remarks, *qrels.remarks]
    if without:
        number = counted(len(without), "query")
        remarks.append(f"no relevance judgements for {number}: {', '.join(without[:5])}")
    queries = tuple(_judged(each, qrels.grades.get(each.query)) for each in read.queries)
    answered = {each.query for each in queries}
    queries += tuple(
        QueryLists(name, Items.named(()), (), np.zeros(0, np.int8), relevant)
        for name, grades in qrels.grades.items()
        if name not in answered and (relevant := sum(grade > 0 for grade in grades.values()))
    )
    return replace(read, queries=queries, remarks=tuple(remarks))


def judge_known(query: QueryLists, qrels: Qrels) -> QueryLists:
    """The lists of a query with this truth; as they are where it does not name the query."""
    grades = qrels.grades.get(query.query)
    return query if grades is None else _judged(query, grades)


def _judged(query: QueryLists, grades: dict[str, int] | None) -> QueryLists:
    if grades is None:
        return replace(query, relevance=np.full(len(query.items), -1, np.int8), relevant=None)
    names = [query.items.name(item) for item in range(len(query.items))]
    relevance = _relevance(names, grades)
    return replace(query, relevance=relevance, relevant=sum(g > 0 for g in grades.values()))


def _relevance(names: Sequence[str], grades: dict[str, int]) -> NDArray[np.int8]:
    """(N,) 1 relevant, 0 not, -1 where there is no judgement or one below 0.

    Examples
    --------
    >>> _relevance(["a", "b", "c", "d"], {"a": 2, "b": 0, "c": -1})
    array([ 1,  0, -1, -1], dtype=int8)
    """
    return np.clip([grades.get(name, -1) for name in names], -1, 1).astype(np.int8)
