"""Ranked lists fused into better ones, judged and purged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spotlab.api.arguments import PathLike, Paths, as_arguments, paths_of, refuse
from spotlab.api.list_pages import judged_by_pages, scores_on_pages
from spotlab.api.list_report import write_report
from spotlab.api.ranked_list_sources import (
    ListSources,
    ScoreSource,
    read_ranked_lists,
    scores_between,
)
from spotlab.api.summary import Summary, html_of, text_of
from spotlab.api.tables import data_frame, stacked
from spotlab.errors import BadArgument, NotSaved, counted, reason
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.lists.csv_list import write_csv
from spotlab.formats.lists.format import QueryLists, ReadLists
from spotlab.formats.lists.judgements import read_judgements
from spotlab.formats.lists.trec_run import write_trec
from spotlab.progress import Progress, silent
from spotlab.ranking.fusion import Choices, fusions
from spotlab.report.figure_text import written
from spotlab.spotting.page_entries import page_entries
from spotlab.studies.words import ranked_lists, written_lists
from spotlab.studies.words.query_means import QueryComparison, compare_queries
from spotlab.studies.words.query_means_json import as_json as means_json
from spotlab.studies.words.ranked_lists import JudgedQuery, Reranking
from spotlab.studies.words.ranked_lists_json import as_json
from spotlab.studies.words.studied_queries import studied

if TYPE_CHECKING:
    from pandas import DataFrame

MEANS = ("mean_average_precision", "defined", "kept", "true", "false", "unknown", "lost", "removed")


@dataclass(frozen=True, eq=False, repr=False)
class RerankingResult:
    """Ranked lists, those given and those made of them; `rerank` makes it.

    Attributes
    ----------
    reranking : Reranking
        The lists of every query.
    remarks : tuple of str
        What a person should know of what was read, a line each.
    images : tuple of PageEntry
        The pages on which the items lie, where they were given.
    """

    reranking: Reranking
    remarks: tuple[str, ...] = ()
    images: tuple[PageEntry, ...] = ()

    @cached_property
    def comparison(self) -> QueryComparison:
        """Means over queries with intervals, and paired tests against the first list."""
        return compare_queries([studied(query).figures() for query in self.reranking.queries])

    def frame(self) -> DataFrame:
        """A row for each item of each list, in order of rank.

        Returns
        -------
        DataFrame
            Columns query, list, made (whether it is a fusion's), rank (from 1), item, page, x, y,
            width, height (px; NaN for items that only have a name), score, relevant (1, 0 or NaN
            where unknown), own (1 for the query itself, else 0),
            kept (whether purging leaves it), gain (ranks further up than in the
            query's first list; NaN where it was not in it) and common_score (the score on the
            scale of the lists given, by which it is purged). `rerank` takes it back.
        """
        names = ("query", "list", "made", "rank", "item", "page", "x", "y", "width", "height",
                 "score", "relevant", "own", "kept", "gain", "common_score")  # fmt: skip
        return stacked([_rows(each) for each in self.reranking.queries], names)

    def means(self) -> DataFrame:
        """A row for each list: what it is worth over all queries.

        Returns
        -------
        DataFrame
            Columns list, queries, mean_average_precision ([0, 1]), defined (over how many queries
            that mean goes), kept, true, false, unknown (what purging leaves, counts), lost and
            removed (shares in [0, 1] of the relevant and of the other items that purging takes
            out). NaN where undefined.
        """
        means = self.reranking.means
        columns: dict[str, list[Any]] = {
            name: [getattr(each, name) for each in means] for name in ("queries", *MEANS)
        }
        return data_frame({"list": [each.name for each in means], **columns})

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab rerank --json``; None where undefined."""
        built: dict[str, Any] = as_json(self.reranking, self.remarks)
        return {**built, "comparison": means_json(self.comparison)}

    def write(self, folder: PathLike) -> list[Path]:
        """Write all lists, and what purging leaves of them, as CSV; named items as TREC, too.

        Beside them stands a report: means over queries with intervals and paired tests, curves, and
        sheets of the words, with their images where pages were given.

        Parameters
        ----------
        folder : path
            Made if it is not there.

        Returns
        -------
        list of Path
            The files.

        Raises
        ------
        NotSaved
            They cannot be written.
        """
        folder, result = Path(folder), self.reranking
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NotSaved(f"{folder} cannot be written: {reason(error)}") from error
        files = [folder / "lists.csv", folder / "purged.csv"]
        write_csv(written_lists.whole_lists(result), files[0])
        write_csv(written_lists.purged_lists(result), files[1])
        if all(query.query.items.names for query in result.queries) and result.fusions:
            with suppress(ValueError):  # names with spaces in them
                write_trec(written_lists.made_lists(result), folder / "made.trec")
                files.append(folder / "made.trec")
        return [*files, write_report(result, self.images, self.remarks, folder)]

    @property
    def summary(self) -> Summary:
        """Mean average precision of each list, and what purging leaves."""
        result = self.reranking
        rows = tuple(
            (
                each.name,
                f"{each.queries:,}",
                written(each.mean_average_precision),
                *(written(items, "count") for items in (each.kept, each.true, each.false)),
            )
            for each in result.means
        )
        heads = ("list", "queries", "mAP", "kept", "true", "false")
        title = f"{counted(len(result.queries), 'query')}, purged at {result.threshold:g}"
        return Summary(title, heads, rows, self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of


def rerank(
    lists: ListSources,
    fusion: str | Sequence[str] | None = None,
    *,
    scores: ScoreSource | None = None,
    qrels: PathLike | None = None,
    truth: Paths | None = None,
    pages: Paths | None = None,
    judgements: PathLike | None = None,
    top: int = 12,
    min_score: float = 0.8,
    weight: float = 0.0,
    iterations: int = 1,
    fall: float = inf,
    settings: Mapping[str, float] | None = None,
    threshold: float = 0.7,
    skip_bad_lines: bool = False,
    cache: PathLike | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> RerankingResult:
    """Fuse the ranked lists of each query, judge all lists, and purge them.

    Parameters
    ----------
    lists : path, DataFrame, or several of these
        CSV or runs of TREC, one or a sequence, or a mapping of names to them. A table has a row for
        each item of a list: query, score, and page, x, y, width, height (px) or item (a name);
        where they are known list, relevant (1, 0), text. Lists of one query in several files or
        tables are several systems'.
    fusion : str or sequence of str, optional
        How lists are made, such as "cr", "ml_cr", "combsum" or "borda"; by default "cr" where
        scores are given, "reciprocal_rank" where a query has several lists, else none.
    scores : path, DataFrame or (matrix, items), optional
        Scores of the items with each other, which "cr" needs: .npz with ``scores`` and ``items``; a
        square DataFrame with the items' names as index; or an (N, N) float array and N names. An
        item without a name is called "page,x,y,width,height".
    qrels : path, optional
        What is relevant, as TREC has it.
    truth : path or sequence of path, optional
        What is written where: PAGE XML with words, or folders. Queries are words, called by their
        text ("orders", "orders 3") or by their place ("270:10,20,100,40"). All instances count as
        relevant, found or not.
    pages : path or sequence of path, optional
        Images, or folders of them, on which the boxes of the lists lie. Their scores with each
        other, which "cr" needs, are computed from what the boxes contain; truth beside the pages
        counts as `truth`.
    judgements : path, optional
        What a person said of items, as the window writes it.
    top : int
        At most this many items re-score a list.
    min_score : float
        Minimum score of an item that re-scores a list.
    weight : float
        An item that re-scores a list weighs its score to this power; 0 gives all the same weight.
    iterations : int
        How often a list re-scores itself.
    fall : float
        How far the score of an item that re-scores a list may lie below the second best score.
    settings : mapping of str to float, optional
        Settings that only some fusions know, such as ``{"rank_constant": 60}``.
    threshold : float
        Purging keeps items with this score or more.
    skip_bad_lines : bool
        Rank what can be read.
    cache : path, optional
        Folder that keeps the words of `pages`; in the user's cache by default.
    jobs : int
        Number of worker processes for `pages`; 0 means one per CPU core.
    progress : callable
        Told how far it is.

    Returns
    -------
    RerankingResult
        Average precision leaves the query itself out, where it is known which item that is. It is
        None where nothing is known to be relevant.

    Raises
    ------
    SpotlabError
        Something cannot be read, there is no such fusion or setting, or a fusion needs scores.

    References
    ----------
    A. Hast, "Consensus ranking for increasing mean average precision in keyword spotting", 2020,
    §3, for "cr" and "ml_cr"; `spotlab.ranking.fusions` names the sources of the others.

    Examples
    --------
    >>> lists = {"query": ["orders"] * 3, "item": ["a", "b", "c"], "score": [0.9, 0.85, 0.8],
    ...          "relevant": [1, 0, 1]}
    >>> alike = [[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]]
    >>> rerank(lists, "cr", scores=(alike, ["a", "b", "c"]))
    1 query, purged at 0.7
    list   queries    mAP  kept  true  false
    lists        1   .833     3     2      1
    cr           1  1.000     1     1      0
    """
    choices = replace(_choices(settings, top, min_score, weight, iterations), fall=fall)
    read = read_ranked_lists(lists, qrels, skip_bad_lines=skip_bad_lines, progress=progress)
    images = [] if pages is None else paths_of(pages, "pages")
    if qrels is None:
        read = judged_by_pages(
            read, [] if truth is None else paths_of(truth, "truth"), images, progress
        )
    elif truth is not None:
        raise BadArgument("`truth` and `qrels` both say what is relevant; give one of them")
    judged = None if judgements is None else read_judgements(Path(judgements))
    refuse(judged.bad_lines if judged else (), skip_bad_lines)
    between, remarks = scores_between(scores)
    if between is None and images:
        between, remarks = scores_on_pages(read, images, cache, jobs, progress)
    names = [fusion] if isinstance(fusion, str) else list(fusion or ())
    names = names or _default(read, between is not None)
    for name in names:
        if name not in fusions():
            raise BadArgument(f"there is no fusion {name!r}; there are {', '.join(fusions())}")
    with as_arguments():
        result = ranked_lists.rerank(
            read.queries, between, names, choices, threshold, progress, judged=judged
        )
    entries = tuple(page_entries(images)) if images else ()
    return RerankingResult(result, (*read.remarks, *remarks), entries)


def _choices(
    settings: Mapping[str, float] | None, top: int, min_score: float, weight: float, iterations: int
) -> Choices:
    known = sorted({setting.name for each in fusions().values() for setting in each.settings})
    for name in settings or ():
        if name not in known:
            raise BadArgument(f"there is no setting {name!r}; there are {', '.join(known)}")
    return Choices(top, min_score, weight, iterations, more=dict(settings or {}))


def _default(read: ReadLists, between: bool) -> list[str]:
    """The fusion where none is named; none for single lists, which are only judged and purged."""
    if between:
        return ["cr"]
    several = any(len(query.lists) > 1 for query in read.queries)
    return ["reciprocal_rank"] if several else []


def _rows(judged: JudgedQuery) -> dict[str, list[Any]]:
    """The items of all lists of a query, list after list."""
    query: QueryLists = judged.query
    items = query.items
    order = [place for each in judged.lists for place in each.ranked.item.tolist()]
    boxes = items.boxes[order].reshape(-1, 4)
    relevance = {1: 1.0, 0: 0.0}
    columns: dict[str, list[Any]] = {
        "query": [query.query] * len(order),
        "item": [items.name(place) for place in order],
        "page": [items.page_name(place) for place in order],
        "x": boxes[:, 0].tolist(),
        "y": boxes[:, 1].tolist(),
        "width": (boxes[:, 2] - boxes[:, 0]).tolist(),
        "height": (boxes[:, 3] - boxes[:, 1]).tolist(),
        "relevant": [relevance.get(value, np.nan) for value in query.relevance[order].tolist()],
        "own": [int(place == query.own) for place in order],
    }
    for name in ("list", "made", "rank", "score", "kept", "gain", "common_score"):
        columns[name] = []
    for each in judged.lists:
        count = len(each.ranked)
        columns["list"] += [each.ranked.name] * count
        columns["made"] += [each.made] * count
        columns["rank"] += range(1, count + 1)
        columns["score"] += each.ranked.score.tolist()
        columns["common_score"] += each.common.score.tolist()
        columns["kept"] += [at < each.point.kept for at in range(count)]
        columns["gain"] += each.moved.tolist()
    return columns
