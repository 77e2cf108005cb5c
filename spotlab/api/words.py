"""Handwritten words spotted on pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spotlab.api.arguments import PathLike, Paths, check_choice, paths_of
from spotlab.api.known_words import known_words
from spotlab.api.runs import SpottingRun
from spotlab.api.summary import Summary, html_of, text_of
from spotlab.api.tables import data_frame, stacked
from spotlab.api.word_queries import WordQueries, named_as_pages, word_queries
from spotlab.api.word_rows import COLUMNS, word_rows
from spotlab.errors import BadArgument, counted
from spotlab.formats.lists.csv_list import write_csv
from spotlab.formats.runs import ReadRun
from spotlab.progress import Progress, silent
from spotlab.ranking.fusion import Choices, fusions
from spotlab.report.figure_text import written
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.words.adaptation import with_adapted
from spotlab.spotting.words.descriptors import WordDescriptor
from spotlab.spotting.words.examples import COMBINE
from spotlab.spotting.words.extraction.ink import WordInk
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.index import build_index
from spotlab.spotting.words.index_page import network_of
from spotlab.spotting.words.query import WordQuery
from spotlab.spotting.words.readings import read_lexicon
from spotlab.spotting.words.word_index import WordIndex
from spotlab.studies.run_provenance import word_provenance
from spotlab.studies.words import word_spotting
from spotlab.studies.words.proposed_readings import reader_of
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
        return stacked([word_rows(word) for word in self.words], COLUMNS)

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
        words, pages = (
            counted(len(self.index), "word"),
            counted(len(self.index.items.pages), "page"),
        )
        title = f"{counted(len(self.words), 'query')}, {words} on {pages}, compared by "
        left_out = (f"left out {each.page}: {each.problem}" for each in self.index.left_out)
        notes = (*left_out, *self.not_searched)
        heads = ("query", "found", *(f"AP {name}" for name in self.lists))
        return Summary(title + self.index.compared_by, heads, tuple(rows), notes)

    __repr__ = text_of
    _repr_html_ = html_of


def spot_words(
    pages: Paths,
    queries: WordQueries = (),
    *,
    texts: str | Sequence[str] = (),
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
    descriptor: str = "both",
    network: PathLike | None = None,
    adapted: bool = True,
    lexicon: PathLike | None = None,
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
        query of all boxes of a name: several examples of the same word. A text that is transcribed
        nowhere is searched as it is typed.
    texts : str or sequence of str
        Searched as they are typed by a learned descriptor; ``*`` stands for any characters.
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
    descriptor : "strokes", "learned" or "both"
        What words are compared by; without a network "both" is "strokes".
    network : path, optional
        File of a trained network; by default one adapted to the pages, else that of spotlab.
    adapted : bool
        Use a network that was adapted to the pages.
    lexicon : path, optional
        File with a word in each line, and how often it is written behind it or the most frequent
        first: the words that proposed readings consist of. By default the frequent English words
        that come with spotlab. Transcribed words are added.
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
    check_choice(descriptor, "descriptor", [str(each) for each in WordDescriptor])
    check_choice(combine, "combine", COMBINE)
    settings = WordSettings(
        WordInk(ink),
        WordDescriptor(descriptor),
        None if network is None else Path(network),
        adapted,
    )
    wanted = _wanted(queries, [texts] if isinstance(texts, str) else texts)
    entries = page_entries(paths_of(pages, "pages"))
    settings = with_adapted(settings, entries)
    can_type = network_of(settings) is not None
    if lexicon is not None and not can_type:
        raise BadArgument("a list of words for readings needs a learned descriptor")
    listed = None if lexicon is None else read_lexicon(Path(lexicon))
    page_names = [entry.name for entry in entries]
    needed = given_boxes or not (can_type or all(query.box for query in wanted))
    given = [] if truth is None else paths_of(truth, "truth")
    known = known_words(entries, given, needed, progress)
    placed = [named_as_pages(query, page_names) for query in wanted]
    problems: list[str] = []
    resolved = word_spotting.resolve_queries(
        placed,
        known,
        page_names,
        all_instances=all_instances,
        can_type=can_type,
        problems=problems,
    )
    index = build_index(
        entries,
        settings,
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
        reader=reader_of(index, known, listed),
        progress=progress,
    )
    made = word_provenance(
        placed, entries, tau=tau, tight=tight, top=top, min_score=min_score, weight=weight,
        fall=fall, overlap=overlap, depth=depth, combine=combine, ink=ink,
        descriptor=str(index.descriptor), **_network_name(index),
        given_boxes=given_boxes, all_instances=all_instances,
    )  # fmt: skip
    return WordSpotting(index, tuple(spotted), names, made, tuple(problems))


def _wanted(queries: WordQueries, texts: Sequence[str]) -> list[WordQuery]:
    """All queries; texts are typed."""
    typed = [WordQuery(text=text, typed=True) for text in texts]
    return typed if typed and queries == () else [*word_queries(queries), *typed]


def _network_name(index: WordIndex) -> dict[str, str]:
    return {} if index.learned is None else {"network": index.learned.network.digest[:12]}


def _list_names(lists: str | Sequence[str]) -> tuple[str, ...]:
    """The names of lists, each once."""
    given = lists.split(",") if isinstance(lists, str) else lists
    names = [name.strip().lower().replace("-", "_") for name in given]
    for name in names:
        if name not in fusions():
            raise BadArgument(f"there is no list {name!r}; there are {', '.join(fusions())}")
    return tuple(dict.fromkeys(names))
