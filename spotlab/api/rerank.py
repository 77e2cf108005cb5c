"""Ranked lists fused into better ones, judged and purged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spotlab.api.arguments import (
    ResultSummary,
    as_arguments,
    as_file,
    columns_of,
    data_frame,
    html_of,
    is_path,
    is_table,
    paths_of,
    refuse,
    remarks_of,
    rows_of,
    stacked,
    text_of,
)
from spotlab.api.job import checked, job, unusable
from spotlab.api.settings import RerankingSettings
from spotlab.errors import BadArgument, NotSaved, SpotlabError, counted, reason
from spotlab.extras import problem_of
from spotlab.files import PathLike
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.lists.csv_list import write_csv
from spotlab.formats.lists.format import ListTable as ListRows
from spotlab.formats.lists.format import QueryLists, ReadLists, listed_items
from spotlab.formats.lists.kept_lines import ReadJudgements, read_judgements
from spotlab.formats.lists.reading import assemble, list_format_of
from spotlab.formats.lists.score_file import ScoreFile, read_scores
from spotlab.formats.lists.trec import judge, read_qrels, write_trec
from spotlab.imaging.reading.pixels import WordCrops
from spotlab.progress import Progress, silent
from spotlab.ranking.fusion import Choices, fusions
from spotlab.ranking.list_scale import ListScale, cut_after, written_cut
from spotlab.report.figure_text import written
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.words.box_scores import BoxScores
from spotlab.spotting.words.index import build_index
from spotlab.studies.words import ranked_lists
from spotlab.studies.words.query_means import QueryComparison, compare_queries, studied
from spotlab.studies.words.query_means import as_json as means_json
from spotlab.studies.words.ranked_lists import JudgedQuery, Reranking, ScoresBetween, as_json
from spotlab.studies.words.word_truth import judge_all_by_words, known_words, on_searched_pages

if TYPE_CHECKING:
    from pandas import DataFrame

    from spotlab.api.settings import ListSources, ScoreSource

MEANS = ("mean_average_precision", "defined", "unanswered", "kept", "true", "false", "unknown",
         "lost", "removed")  # fmt: skip


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
            that mean goes), unanswered (how many of these lack the list and count 0), kept, true,
            false, unknown (what purging leaves, counts), lost and removed (shares in [0, 1] of the
            relevant and of the other items that purging takes out). NaN where undefined.
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

    @checked
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
        write_csv(ranked_lists.whole_lists(result), files[0])
        write_csv(ranked_lists.purged_lists(result), files[1])
        if all(query.query.items.names for query in result.queries) and result.fusions:
            with suppress(ValueError):  # names with spaces in them
                write_trec(ranked_lists.made_lists(result), folder / "made.trec")
                files.append(folder / "made.trec")
        return [*files, write_report(result, self.images, self.remarks, folder)]

    @property
    def summary(self) -> ResultSummary:
        """Mean average precision of each list, and what purging leaves."""
        result = self.reranking
        rows = tuple(
            (
                each.name,
                f"{each.queries:,}",
                f"{each.defined:,}",
                written(each.mean_average_precision),
                *(written(items, "count") for items in (each.kept, each.true, each.false)),
            )
            for each in result.means
        )
        heads = ("list", "queries", "judged", "mAP", "kept", "true", "false")
        cut = written_cut(result.threshold, result.scale)
        title = f"{counted(len(result.queries), 'query')}, purged at {cut}"
        return ResultSummary(title, heads, rows, self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of


@job(RerankingSettings)
def rerank(chosen: RerankingSettings) -> RerankingResult:
    """Fuse the ranked lists of each query, judge all lists, and purge them.

    Parameters
    ----------
    chosen : RerankingSettings
        The parameters are its attributes.

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
    list   queries  judged    mAP  kept  true  false
    lists        1       1   .833     3     2      1
    cr           1       1  1.000     1     1      0
    """
    choices = replace(
        _choices(chosen.settings, chosen.top, chosen.min_score, chosen.weight, chosen.iterations),
        fall=chosen.fall,
    )
    strict = chosen.strict or not chosen.skip_bad_lines
    read = read_ranked_lists(chosen.lists, chosen.qrels, strict=strict, progress=chosen.progress)
    images = paths_of(chosen.pages, "pages")
    if chosen.qrels is None:
        read = judged_by_pages(read, paths_of(chosen.truth, "truth"), images, chosen.progress)
    elif chosen.truth is not None:
        raise BadArgument("`truth` and `qrels` both say what is relevant; give one of them")
    judged = None if chosen.judgements is None else read_judgements(Path(chosen.judgements))
    told = refuse(judged.bad_lines if judged else (), strict)
    between, remarks = scores_between(chosen.scores)
    if between is None and images:
        between, remarks = scores_on_pages(read, images, chosen.cache, chosen.jobs, chosen.progress)
    names = [chosen.fusion] if isinstance(chosen.fusion, str) else list(chosen.fusion or ())
    scale = ListScale(chosen.scale) if chosen.scale else _scale(read, judged)
    names = names or _default(read, between is not None, scale)
    for name in names:
        if name not in fusions():
            raise BadArgument(f"there is no fusion {name!r}; there are {', '.join(fusions())}")
    with as_arguments():
        result = ranked_lists.rerank(
            read.queries, between, names, choices, _threshold(chosen.threshold, scale),
            chosen.progress, judged=judged, scale=scale,
        )  # fmt: skip
    entries = tuple(page_entries(images)) if images else ()
    return RerankingResult(result, (*read.remarks, *told, *remarks, *_unanswered(result)), entries)


def _unanswered(result: ranked_lists.Reranking) -> list[str]:
    """A remark on each list that some queries with relevant items lack."""
    ends = ("was not answered; it counts 0", "were not answered; they count 0")
    return [
        f"{each.name}: {counted(each.unanswered, 'judged query')} {ends[each.unanswered > 1]}"
        for each in result.means
        if each.unanswered
    ]


def _scale(read: ReadLists, judged: ReadJudgements | None) -> ListScale:
    known = [ranked_lists.with_judgements(query, judged) for query in read.queries]
    return ranked_lists.choose_scale(known)


def _threshold(given: float | None, scale: ListScale) -> float | None:
    """The threshold on the scale of the lists; on that of ranks a number of items is given."""
    if given is None or scale is not ListScale.RANK:
        return given
    if given < 0 or not given.is_integer():
        raise BadArgument(f"the threshold is {given:g}; expected a number of items to keep")
    return cut_after(int(given))


def _choices(
    settings: Mapping[str, float | str] | None,
    top: int,
    min_score: float,
    weight: float,
    iterations: int,
) -> Choices:
    known = {setting.name: setting for each in fusions().values() for setting in each.settings}
    for name in settings or ():
        if name not in known:
            raise BadArgument(f"there is no setting {name!r}; there are {', '.join(sorted(known))}")
    with as_arguments():
        more = {name: known[name].value(value) for name, value in (settings or {}).items()}
    return Choices(top, min_score, weight, iterations, more=more)


def _default(read: ReadLists, between: bool, scale: ListScale) -> list[str]:
    """The fusion where none is named; none for single lists, which are only judged and purged."""
    if between:
        return ["cr"]
    several = any(len(query.lists) > 1 for query in read.queries)
    best = "noisy_or" if scale is ListScale.PROBABILITY else "reciprocal_rank"
    return [best] if several else []


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


NEEDED = ("query", "score", "item")
EXPECTED = (
    "a path, a table with the columns query, page, x, y, width, height, score or query, item, "
    "score, several of these, or a mapping of names to them"
)


def read_ranked_lists(
    lists: ListSources,
    qrels: PathLike | None = None,
    *,
    strict: bool = False,
    progress: Progress = silent,
) -> ReadLists:
    """The lists of all sources together, those of one query side by side.

    Parameters
    ----------
    lists : path, DataFrame, or several of these
        As `rerank` takes them.
    qrels : path, optional
        What is relevant, as TREC has it.
    strict : bool
        Refuse files with bad lines. By default the rest is taken, with a remark.
    progress : callable
        Told how far it is.

    Raises
    ------
    SpotlabError
        Something cannot be read, or there is no list.

    Examples
    --------
    >>> lists = {"query": ["q", "q"], "item": ["a", "b"], "score": [0.9, 0.8]}
    >>> [ranked.item.tolist() for ranked in read_ranked_lists(lists).queries[0].lists]
    [[0, 1]]
    """
    read = _together(lists, progress)
    truth = None if qrels is None else read_qrels(Path(qrels), progress)
    told = refuse([*read.bad_lines, *(truth.bad_lines if truth else ())], strict)
    read = replace(read, remarks=(*told, *read.remarks))
    if not read.queries and read.bad_lines:
        raise SpotlabError(f"{read.bad_lines[0]}; no line of the lists can be read")
    if not read.queries:
        paths = [source for _, source in _named(lists) if is_path(source)]
        place = f"{Path(paths[0])}: " if paths else ""
        raise SpotlabError(f"{place}there is no ranked list in it; expected at least one row")
    return read if truth is None else judge(read, truth)


def scores_between(scores: ScoreSource | None) -> tuple[ScoresBetween | None, tuple[str, ...]]:
    """Return what gives the scores of items with each other, and remarks.

    None where there is nothing.

    Parameters
    ----------
    scores : path, DataFrame, (matrix, items) or None
        As `rerank` takes them; the matrix is (N, N) float.

    Raises
    ------
    SpotlabError
        It cannot be read, is not square, or a score is not finite.
    """
    if scores is None:
        return None, ()
    if is_path(scores):
        read = read_scores(Path(scores))
        return read.among, read.remarks
    if isinstance(scores, ScoreFile):
        return scores.among, scores.remarks
    if is_table(scores) and hasattr(scores, "index"):
        frame: Any = scores
        matrix, items = np.asarray(frame, np.float64), list(frame.index)
    elif isinstance(scores, Sequence) and len(scores) == 2:
        matrix, items = np.asarray(scores[0], np.float64), list(scores[1])
    else:
        expected = "a path, a square DataFrame, or an (N, N) array and the names of N items"
        raise unusable(scores, "scores", expected)
    if matrix.shape != (len(items), len(items)):
        shape = " × ".join(map(str, matrix.shape))
        raise BadArgument(f"`scores` are {shape} for {len(items)} items; expected N × N for N")
    if not np.isfinite(matrix).all():
        raise BadArgument("`scores` have NaN or infinity; expected finite numbers")
    return ScoreFile(Path("scores"), (matrix + matrix.T) / 2, tuple(map(str, items))).among, ()


def _together(lists: Any, progress: Progress) -> ReadLists:
    named = _named(lists)
    tables: list[ListRows] = []
    written: dict[Path, str] = {}  # what each file is that stands for a table
    for name, source in named:
        if is_path(source):
            tables.append(list_format_of(Path(source)).read(Path(source), progress))
            continue
        if not is_table(source):
            raise unusable(source, "lists", EXPECTED)
        what = f"the lists {name!r}" if len(named) > 1 else "the lists"
        columns = columns_of(source, what)
        columns.setdefault("list", [name] * len(next(iter(columns.values()), [])))
        with as_file(columns, what) as path:
            tables.append(list_format_of(path).read(path, progress))
        written[path] = what
    read = assemble(tables)
    bad_lines, remarks = list(read.bad_lines), list(read.remarks)
    for path, what in written.items():
        for at, bad in enumerate(bad_lines):
            if str(path) in f"{bad}":
                bad_lines[at] = rows_of([bad], path, what)[0]
        for at, remark in enumerate(remarks):
            if str(path) in remark:
                remarks[at] = remarks_of([remark], path, what)[0]
    return ReadLists(read.queries, tuple(bad_lines), tuple(remarks))


def _named(lists: Any) -> list[tuple[str, Any]]:
    """Each source with what to call its list where nothing else does."""
    if isinstance(lists, Mapping) and not is_table(lists, *NEEDED):
        return [(str(name), source) for name, source in lists.items()]
    if is_path(lists) or is_table(lists):
        return [("lists", lists)]
    if not isinstance(lists, Iterable):
        raise unusable(lists, "lists", EXPECTED)
    return [(f"list {at}", each) for at, each in enumerate(lists, 1)]


def judged_by_pages(
    read: ReadLists, truth: Sequence[Path], pages: Sequence[Path], progress: Progress = silent
) -> ReadLists:
    """The lists judged by what is written on pages; as they are where nobody says it.

    Parameters
    ----------
    read : ReadLists
    truth : sequence of path
        PAGE XML with words, or folders; where there is none, what lies beside the pages.
    pages : sequence of path
        Images, or folders of them: what was searched. Without them, all pages with truth were.
    progress : callable
        Told how far it is.

    Raises
    ------
    SpotlabError
        Something cannot be read, or no word in it has a text.

    Examples
    --------
    >>> judged_by_pages(ReadLists(()), [], []).queries
    ()
    """
    entries: list[PageEntry] = page_entries(pages) if pages else []
    words = known_words(entries, truth, bool(truth), progress)
    if words is not None and entries:  # other pages were not searched
        words = on_searched_pages(words, [entry.name for entry in entries])
    return read if words is None else judge_all_by_words(read, words)


def scores_on_pages(
    read: ReadLists,
    pages: Sequence[Path],
    cache: PathLike | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> tuple[ScoresBetween, tuple[str, ...]]:
    """Return what gives the scores of the lists' boxes with each other, and remarks.

    The boxes are described as the words are that a search on these pages finds.

    Parameters
    ----------
    read : ReadLists
    pages : sequence of path
        Images, or folders of them.
    cache : path, optional
        Folder for the words of the pages; by default the user's cache.
    jobs : int
        Number of worker processes; 0 means one per CPU core.
    progress : callable
        Told how far it is.

    Raises
    ------
    SpotlabError
        No page can be read, or no box is on one of them.
    """
    index = build_index(
        page_entries(pages), cache=None if cache is None else Path(cache), jobs=jobs,
        progress=progress,
    )  # fmt: skip
    listed = [query.items.take(listed_items(query.lists)) for query in read.queries]
    scores = BoxScores.of(index, listed, progress)
    known, every = sum(map(scores.known, listed)), sum(map(len, listed))
    if not known:
        raise BadArgument("no item of the lists is a box on the given pages")
    remarks = tuple(f"left out {each.page}: {each.problem}" for each in index.left_out)
    if known < every:
        missing = f"{every - known:,} of {every:,} items of the lists are on no given page"
        remarks = (*remarks, f"{missing}; consensus methods leave them out")
    return scores.among, remarks


def write_report(
    result: Reranking, images: Sequence[PageEntry], remarks: Sequence[str], folder: Path
) -> Path:
    """Write means over queries, curves and sheets of words; gives the page.

    Parameters
    ----------
    result : Reranking
    images : sequence of PageEntry
        The pages of the words; without them there are no pictures.
    remarks : sequence of str
        What a person should know of what was read.
    folder : path

    Raises
    ------
    NotSaved
        It cannot be written.
    """
    from spotlab.report.studies.words import WordReport, write_words  # noqa: PLC0415 - takes long

    choices = result.choices
    if images and (problem := problem_of("cv2")):
        images, remarks = (), (*remarks, f"Pictures of words are left out: {problem}")
    crops = WordCrops({entry.name: (entry.image, entry.frame) for entry in images})
    settings = (
        f"Fusions: {', '.join(fusion.title for fusion in result.fusions) or 'none'}",
        f"Re-scored by at most {counted(choices.top, 'item')} that score "
        f"{choices.at_least:g} or more",
        f"Weight of a re-scoring item: score to the power of {choices.weight:g}; "
        f"repeated {counted(choices.iterations, 'time')}",
    )
    queries = [studied(query) for query in result.queries]
    threshold = f"at a {result.scale} of {written_cut(result.threshold, result.scale)}"
    return write_words(WordReport(queries, threshold, crops.crop, settings, remarks), folder)
