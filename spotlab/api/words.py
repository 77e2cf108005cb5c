"""Handwritten words spotted on pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spotlab.api.arguments import PathLike, Paths, check_choice, paths_of
from spotlab.api.known_words import known_words
from spotlab.api.runs import SpottingRun
from spotlab.api.summary import Summary, html_of, text_of
from spotlab.api.tables import data_frame, stacked
from spotlab.api.word_queries import WordQueries, named_as_pages, word_queries
from spotlab.errors import BadArgument
from spotlab.formats.lists.csv_write import write_csv
from spotlab.formats.runs import ReadRun
from spotlab.progress import Progress, silent
from spotlab.ranking.fusion import Choices, fusions
from spotlab.report.figure_text import written
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.words.examples import COMBINE
from spotlab.spotting.words.extraction.ink import WordInk
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.index import build_index
from spotlab.spotting.words.word_index import WordIndex
from spotlab.studies.areas.remarks import count
from spotlab.studies.run_provenance import word_provenance
from spotlab.studies.words import word_spotting
from spotlab.studies.words.word_spotting import SpottedWord

if TYPE_CHECKING:
    from pandas import DataFrame

LISTS = ("ws", "qe", "cr", "ml", "ml_cr")


@dataclass(frozen=True, eq=False, repr=False)
class WordSpotting:
    """Words that were spotted; `spot_words` makes it.

    Attributes
    ----------
    index : WordIndex
        The words of all pages.
    words : tuple of SpottedWord
        What was found for each query.
    lists : tuple of str
        The names of the ranked lists that were made.
    provenance : mapping of str to str
        What made them: settings, versions, date, hashes of pages and queries. Runs have it.
    not_searched : tuple of str
        A line for each text that is written nowhere.
    """

    index: WordIndex
    words: tuple[SpottedWord, ...]
    lists: tuple[str, ...]
    provenance: Mapping[str, str] = field(default_factory=dict)
    not_searched: tuple[str, ...] = ()

    def frame(self) -> DataFrame:
        """A row for each word of each ranked list.

        Returns
        -------
        DataFrame
            Columns query, list, rank (from 1), page, x, y, width, height (px), score, text,
            relevant (1, 0, or NaN where unknown) and own (1 for the query itself, else 0).
            `rerank` takes it back.
        """
        names = ("query", "list", "rank", "page", "x", "y", "width", "height", "score", "text",
                 "relevant", "own")  # fmt: skip
        return stacked([_rows(word) for word in self.words], names)

    def means(self) -> DataFrame:
        """A row for each ranked list: its mean average precision over the queries.

        Returns
        -------
        DataFrame
            Columns list and mean_average_precision ([0, 1]; NaN where nothing is known to be
            relevant besides the queries themselves).
        """
        means = [word_spotting.mean_average_precision(self.words, name) for name in self.lists]
        return data_frame({"list": self.lists, "mean_average_precision": means})

    def run(self, name: str | None = None) -> SpottingRun:
        """A ranked list of all queries, as a run.

        Parameters
        ----------
        name : str, optional
            Which list; the last by default.

        Raises
        ------
        BadArgument
            It was not made.
        """
        chosen = self.lists[-1] if name is None else name
        check_choice(chosen, "name", self.lists)
        run = word_spotting.run_of(self.words, chosen)
        made = {**self.provenance, "method": chosen} if self.provenance else {}
        return SpottingRun(ReadRun(replace(run, provenance=made)))

    def write(self, path: PathLike) -> Path:
        """Write all ranked lists as CSV; ``run(name).write(path)`` writes one as a run.

        Parameters
        ----------
        path : path
            A .csv file.

        Raises
        ------
        NotSaved
            It cannot be written.
        """
        write_csv([word.query_lists for word in self.words], Path(path))
        return Path(path)

    def as_dict(self) -> dict[str, Any]:
        """What was found, in the layout of ``spotlab spot words --json``; None where undefined."""
        found: dict[str, Any] = word_spotting.as_json(self.index, self.words, self.lists)
        return found

    @property
    def summary(self) -> Summary:
        """How much was found for each query, and the average precision of its lists."""
        rows = []
        for word in self.words:
            shares = [written(word.average_precision(ranked)) for ranked in word.lists]
            rows.append((word.name, f"{len(word.search.items):,}", *shares))
        words, pages = count(len(self.index), "word"), count(len(self.index.items.pages), "page")
        title = f"{count(len(self.words), 'query')}, {words} on {pages}"
        left_out = (f"left out {each.page}: {each.problem}" for each in self.index.left_out)
        notes = (*left_out, *self.not_searched)
        heads = ("query", "found", *(f"AP {name}" for name in self.lists))
        return Summary(title, heads, tuple(rows), notes)

    __repr__ = text_of
    _repr_html_ = html_of


def spot_words(
    pages: Paths,
    queries: WordQueries,
    *,
    truth: Paths | None = None,
    lists: str | Sequence[str] = LISTS,
    tau: float = 0.7,
    tight: float = 0.8,
    top: int = 6,
    min_score: float = 0.6,
    weight: float = 3.0,
    fall: float = 0.1,
    overlap: float | None = None,
    depth: int = 5_000,
    combine: str = "maximum",
    ink: str = "none",
    given_boxes: bool = False,
    all_instances: bool = False,
    cache: PathLike | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> WordSpotting:
    """Search handwritten words that look like a query.

    Finished pages are kept in the cache: a search that was interrupted goes on from there.

    Parameters
    ----------
    pages : path or sequence of path
        Images, or folders of them, in the order in which pages follow each other.
    queries : str, (page, (x, y, width, height)), or several of these
        A text that is written on the pages, or a box on a page (px), also as
        PAGE:x,y,width,height. A box may be drawn loosely. A mapping of names to boxes makes one
        query of all boxes of a name: several examples of the same word.
    truth : path or sequence of path, optional
        What is written where: PAGE XML with words, or folders; by default what lies beside the
        pages.
    lists : str or sequence of str
        Which ranked lists to make: names of fusions.
    tau : float
        Minimum score of a hit.
    tight : float
        Minimum score of a hit that becomes a query itself.
    top : int
        At most this many items re-score a list.
    min_score : float
        Minimum score of an item that re-scores a list.
    weight : float
        Such an item weighs its score to this power; 0 gives all the same weight, as in the paper.
    fall : float
        How far its score may lie below the second best one; ``inf`` for any distance, as in the
        paper. The paper has ``top=12`` and ``min_score=0.8``.
    overlap : float, optional
        Share in [0, 1] of the smaller of two boxes from which only the better one is kept; 0.5 by
        default, and for given boxes all are kept.
    depth : int
        Rank so many words of a query at most, besides all hits.
    combine : "maximum" or "mean"
        How several examples make one score: the best one, or that of their mean.
    ink : "none", "otsu", "sauvola" or "wolf"
        What counts as ink.
    given_boxes : bool
        Search among the words of the truth instead of finding words.
    all_instances : bool
        Search a text by each of its instances, not by the first.
    cache : path, optional
        Folder that keeps what is finished; in the user's cache by default.
    jobs : int
        Number of worker processes; 0 means one per CPU core.
    cluster : str, optional
        Address of a Dask scheduler whose workers do it instead.
    progress : callable
        Told how far it is.

    Returns
    -------
    WordSpotting
        Its average precision leaves the query itself out; None where nothing else is relevant.

    Raises
    ------
    SpotlabError
        There is no such list, a text is written nowhere, or no page can be read.

    References
    ----------
    A. Hast, "Consensus ranking for increasing mean average precision in keyword spotting", 2020,
    §3.

    Examples
    --------
    >>> import tempfile
    >>> from spotlab.resources import LETTERS, sample_collection
    >>> page = sample_collection(LETTERS) / "letter_001.jpg"
    >>> with tempfile.TemporaryDirectory() as cache:
    ...     found = spot_words(page, "the", lists="ws", given_boxes=True, cache=cache)
    >>> found.lists, len(found.words)
    (('ws',), 1)
    """
    names = _list_names(lists)
    check_choice(ink, "ink", [str(each) for each in WordInk])
    check_choice(combine, "combine", COMBINE)
    wanted = word_queries(queries)
    entries = page_entries(paths_of(pages, "pages"))
    page_names = [entry.name for entry in entries]
    needed = given_boxes or any(query.box is None for query in wanted)
    given = [] if truth is None else paths_of(truth, "truth")
    known = known_words(entries, given, needed, progress)
    placed = [named_as_pages(query, page_names) for query in wanted]
    problems: list[str] = []
    resolved = word_spotting.resolve_queries(
        placed, known, page_names, all_instances=all_instances, problems=problems
    )
    index = build_index(
        entries,
        WordSettings(WordInk(ink)),
        boxes=known if given_boxes else None,
        cache=None if cache is None else Path(cache),
        jobs=jobs,
        cluster=cluster,
        progress=progress,
    )
    spotted = word_spotting.spot_words(
        index,
        resolved,
        names,
        words=known,
        choices=Choices(top, min_score, weight, fall=fall),
        tau=tau,
        tight=tight,
        overlap=overlap,
        depth=depth,
        combine=combine,
        progress=progress,
    )
    made = word_provenance(
        placed, entries, tau=tau, tight=tight, top=top, min_score=min_score, weight=weight,
        fall=fall, overlap=overlap, depth=depth, combine=combine, ink=ink,
        given_boxes=given_boxes, all_instances=all_instances,
    )  # fmt: skip
    return WordSpotting(index, tuple(spotted), names, made, tuple(problems))


def _list_names(lists: str | Sequence[str]) -> tuple[str, ...]:
    """The names of lists, each once."""
    given = lists.split(",") if isinstance(lists, str) else lists
    names = [name.strip().lower().replace("-", "_") for name in given]
    for name in names:
        if name not in fusions():
            raise BadArgument(f"there is no list {name!r}; there are {', '.join(fusions())}")
    return tuple(dict.fromkeys(names))


def _rows(word: SpottedWord) -> dict[str, list[Any]]:
    """The words of all lists of a query, list after list."""
    items = word.items
    order = [place for ranked in word.lists for place in ranked.item.tolist()]
    boxes = items.boxes[order].reshape(-1, 4)
    relevance = {1: 1.0, 0: 0.0}
    return {
        "query": [word.name] * len(order),
        "list": [ranked.name for ranked in word.lists for _ in range(len(ranked))],
        "rank": [rank for ranked in word.lists for rank in range(1, len(ranked) + 1)],
        "page": [items.page_name(place) for place in order],
        "x": boxes[:, 0].tolist(),
        "y": boxes[:, 1].tolist(),
        "width": (boxes[:, 2] - boxes[:, 0]).tolist(),
        "height": (boxes[:, 3] - boxes[:, 1]).tolist(),
        "score": [score for ranked in word.lists for score in ranked.score.tolist()],
        "text": [items.text(place) for place in order],
        "relevant": [relevance.get(value, np.nan) for value in word.relevance[order].tolist()],
        "own": [int(place == word.search.own) for place in order],
    }
