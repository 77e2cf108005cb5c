"""Ranked lists and scores between items, from files, tables and arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from spotlab.api.arguments import PathLike, is_path, refuse, unusable
from spotlab.api.tables import Table, as_file, columns_of, is_table, remarks_of, rows_of
from spotlab.errors import BadArgument, SpotlabError
from spotlab.formats.lists.format import ReadLists
from spotlab.formats.lists.format import Table as ListRows
from spotlab.formats.lists.qrels import judge, read_qrels
from spotlab.formats.lists.reading import assemble, list_format_of
from spotlab.formats.lists.score_file import ScoreFile, read_scores
from spotlab.progress import Progress, silent
from spotlab.studies.words.ranked_lists import ScoresBetween

if TYPE_CHECKING:
    from pandas import DataFrame

ListSource: TypeAlias = "PathLike | Table"
ListSources: TypeAlias = "ListSource | Iterable[ListSource] | Mapping[str, ListSource]"
ScoreSource: TypeAlias = "PathLike | DataFrame | tuple[ArrayLike, Sequence[str]]"

NEEDED = ("query", "score", "item")
EXPECTED = (
    "a path, a table with the columns query, page, x, y, width, height, score or query, item, "
    "score, several of these, or a mapping of names to them"
)


def read_ranked_lists(
    lists: ListSources,
    qrels: PathLike | None = None,
    *,
    skip_bad_lines: bool = False,
    progress: Progress = silent,
) -> ReadLists:
    """The lists of all sources together, those of one query side by side.

    Parameters
    ----------
    lists : path, DataFrame, or several of these
        As `rerank` takes them.
    qrels : path, optional
        What is relevant, as TREC has it.
    skip_bad_lines : bool
        Take what can be read.
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
    refuse([*read.bad_lines, *(truth.bad_lines if truth else ())], skip_bad_lines)
    if not read.queries:
        paths = [source for _, source in _named(lists) if is_path(source)]
        place = f"{Path(paths[0])}: " if paths else ""
        raise SpotlabError(f"{place}there is no ranked list in it; expected at least one row")
    return read if truth is None else judge(read, truth)


def scores_between(
    scores: ScoreSource | None,
) -> tuple[ScoresBetween | None, tuple[str, ...]]:
    """What gives the scores of items with each other, and remarks; None where there is nothing.

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
