"""Spots words on the pages of a collection: ranked lists for each query, and their figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.formats.lists.csv_list import WRITTEN_ONLY
from spotlab.formats.lists.format import QueryLists
from spotlab.geometry.polygon import Outlines
from spotlab.model.ranked_list import Items, RankedList, joined_items
from spotlab.model.run import QueryModel, Run
from spotlab.model.spelling import fold_query, is_one_word, parse_query
from spotlab.progress import Progress, silent, track
from spotlab.ranking.fusion import Choices
from spotlab.representation import short_repr
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.readings import Lexicon, WordReader, WordReading, fitting_lexicon
from spotlab.spotting.words.search import DEPTH, LookAlikes, WordSearch, make_lists, search
from spotlab.spotting.words.word_index import (
    WordIndex,
    WordQuery,
    instances,
    queries_of,
)
from spotlab.studies.words.word_truth import (
    find_own,
    frequent_texts,
    match_texts,
    missed_words,
    on_searched_pages,
    relevance_with_own,
    relevant_count,
    text_at,
    truth_of,
)

READ = 200  # of the best words of a query are read


def reader_of(
    index: WordIndex, words: Items | None, lexicon: Lexicon | None = None
) -> WordReader | None:
    """Return what reads words by a list of words, and by what is transcribed.

    Parameters
    ----------
    index : WordIndex
    words : Items or None
        What is written where; None where nobody says.
    lexicon : Lexicon, optional
        The words that may be written; by default those of the pages' language.

    Returns
    -------
    WordReader or None
        None without a network, or without a list of words.
    """
    if index.learned is None:
        return None
    counted = {} if words is None else dict(frequent_texts(words))
    lexicon = fitting_lexicon(index.learned, counted) if lexicon is None else lexicon
    if lexicon is None:
        return None
    reader = WordReader(index.learned, lexicon.with_words(counted), LookAlikes.of(index))
    reader.read(range(min(len(index), 1)))  # prepares its list, so that no hover has to wait
    return reader


class ProposedReadings(Mapping[int, WordReading]):
    """Readings of items, made when they are first asked for, so that a search need not wait.

    Parameters
    ----------
    reader : WordReader
    places : mapping of int to int
        The numbers in the index of the items that can be read, by item.
    """

    def __init__(self, reader: WordReader, places: Mapping[int, int]) -> None:
        self._reader, self._places = reader, places
        self._read: dict[int, WordReading] = {}

    def __getitem__(self, item: int) -> WordReading:
        """The reading of one item."""
        if item not in self._read:
            self._read[item] = self._reader.read([self._places[item]])[0]
        return self._read[item]

    def __iter__(self) -> Iterator[int]:
        """All items, which are read at once."""
        missing = [item for item in self._places if item not in self._read]
        made = self._reader.read([self._places[item] for item in missing])
        self._read.update(zip(missing, made, strict=True))
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def readings_of(reader: WordReader | None, found: WordSearch) -> Mapping[int, WordReading]:
    """Return what the best of the items that were found may say, by item.

    Nothing without a reader.
    """
    if reader is None:
        return {}
    best = np.argsort(-found.evidence.query, kind="stable")[:READ]
    known = {at: int(found.places[at]) for at in best.tolist() if found.places[at] < reader.words}
    return ProposedReadings(reader, known)


def further_columns(
    readings: Mapping[int, WordReading], descriptor: WordDescriptor | None, count: int
) -> dict[str, list[str]]:
    """Columns of a file of ranked lists: readings, how probable they are, the descriptor.

    Parameters
    ----------
    readings : mapping of int to WordReading
        By item.
    descriptor : WordDescriptor or None
        What the words were compared by; None for lists of files.
    count : int
        How many items there are.

    Examples
    --------
    >>> further_columns({1: WordReading("or", 0.9312)}, WordDescriptor.LEARNED, 2)["probability"]
    ['', '0.931']
    """
    reading, probability, compared = WRITTEN_ONLY
    columns: dict[str, list[str]] = {}
    if readings:
        texts, shares = [""] * count, [""] * count
        for item, read in readings.items():
            texts[item], shares[item] = read.text, f"{read.probability:.3f}"
        columns = {reading: texts, probability: shares}
    if descriptor is not None:
        columns[compared] = [str(descriptor)] * count
    return columns


NO_ITEMS = Items.named([])


@dataclass(frozen=True, eq=False)
class SpottedWord:
    """The ranked lists of one query.

    Attributes
    ----------
    name : str
        Name of the query.
    search : WordSearch
    items : Items
        Items of the search, with texts where these are known.
    lists : tuple of RankedList
        Numbers of ``items``.
    relevance : (K,) int8
        Of these items: 1 for the word, 0 for another, -1 where unknown.
    relevant : int or None
        Number of times the word is written on the pages, the query itself included if it is one of
        them; None where unknown.
    missed : Items
        The instances of the word that no item is.
    readings : mapping of int to WordReading
        What the best of the items may say; proposals, never truth.
    descriptor : WordDescriptor or None
        What words were compared by.
    """

    name: str
    search: WordSearch
    items: Items
    lists: tuple[RankedList, ...]
    relevance: NDArray[np.int8]
    relevant: int | None
    missed: Items = NO_ITEMS
    readings: Mapping[int, WordReading] = field(default_factory=dict)
    descriptor: WordDescriptor | None = None

    __repr__ = short_repr

    @cached_property
    def query_lists(self) -> QueryLists:
        """The lists in the form in which they are written, with the words that are not found."""
        judged = np.concatenate([self.relevance, np.ones(len(self.missed), np.int8)])
        items = joined_items(self.items, self.missed)
        further = further_columns(self.readings, self.descriptor, len(self.items))
        lists = QueryLists(
            self.name, items, self.lists, judged, self.relevant, self.search.own, further
        )
        query = self.search.query
        return lists if query.box is None else find_own(lists, (query.page, query.box))

    def average_precision(self, ranked: RankedList) -> float | None:
        """Average precision of a list without the query itself; None where undefined or unknown."""
        more = tuple(self.search.examples.tolist())
        return replace(truth_of(self.query_lists), more=more).average_precision(ranked)


def resolve_queries(
    queries: Sequence[WordQuery],
    words: Items | None,
    pages: Sequence[str],
    *,
    all_instances: bool = False,
    can_type: bool = False,
    problems: list[str] | None = None,
) -> list[tuple[str, WordQuery]]:
    """Complete queries: each with a box, a name of its own and, where it is known, a text.

    Typed ones have no box.

    Parameters
    ----------
    queries : sequence of WordQuery
    words : Items or None
        The words of the pages with their texts; None where unknown.
    pages : sequence of str
        The pages searched; queries have to be on them.
    all_instances : bool
        Search a text by each of its instances, named "orders 1", "orders 2", …, not by the first.
    can_type : bool
        Search a text that is transcribed nowhere as it is typed.
    problems : list of str, optional
        Gets a line for each text that is written nowhere, as long as another query remains.

    Raises
    ------
    SpotlabError
        A text is written nowhere, texts are not known, a query's page is not searched, or a word
        is missing beside AND or OR.

    Examples
    --------
    >>> resolve_queries([WordQuery(text="own")], None, ["a"], can_type=True)[0][1].typed
    True
    """
    words = (
        None
        if words is None
        else words.take([word for word in range(len(words)) if words.page_name(word) in pages])
    )
    resolved: dict[str, WordQuery] = {}
    failures: list[SpotlabError] = []
    for query in queries:
        if query.typed or (can_type and _is_unwritten(query, words)):
            parse_query(query.text)  # refuses what is no query, before anything is searched
            name = query.label or query.text
            resolved.setdefault(name, replace(query, typed=True, label=name))
        elif query.box is not None:
            for page, _ in query.places:
                if page not in pages:
                    problem = f"the page {page!r} of the query is not among the pages searched"
                    raise SpotlabError(problem)
            text = query.text
            if not text and words is not None:
                text = text_at(words, query.page, query.box)
            resolved.setdefault(query.name, replace(query, text=text))
        elif words is None:
            problem = f"where {query.text!r} is written is not known"
            raise SpotlabError(f"{problem}: name truth that has words with texts")
        else:
            try:
                written = queries_of(words, query.text, all_of_them=all_instances)
            except SpotlabError as error:
                failures.append(error)
                continue
            for number, instance in enumerate(written, 1):
                name = f"{query.text} {number}" if len(written) > 1 else query.text
                resolved.setdefault(name, instance)
    if failures and (problems is None or not resolved):
        raise failures[0]
    if problems is not None:
        problems += map(str, failures)
    return list(resolved.items())


def _is_unwritten(query: WordQuery, words: Items | None) -> bool:
    """Tell whether a query is no single word, or a text of no word whose box is known."""
    if query.box is not None:
        return False
    known = is_one_word(query.text) and words is not None
    return not known or words is None or not len(instances(words.exact, query.text))


def spot_words(
    index: WordIndex,
    queries: Sequence[tuple[str, WordQuery]],
    lists: Sequence[str],
    *,
    words: Items | None = None,
    choices: Choices | None = None,
    tau: float = 0.7,
    tight: float = 0.8,
    overlap: float | None = None,
    depth: int = DEPTH,
    combine: str = "maximum",
    reader: WordReader | None = None,
    progress: Progress = silent,
) -> list[SpottedWord]:
    """Search the queries and make their ranked lists.

    Parameters
    ----------
    index : WordIndex
    queries : sequence of (str, WordQuery)
        As `resolve_queries` gives them.
    lists : sequence of str
        Names of fusions.
    words : Items, optional
        The words of the pages with their texts; without them relevance is unknown.
    choices, tau, tight, overlap, depth, combine
        See `make_lists` and `search`.
    reader : WordReader, optional
        Proposes what the best words of each query say, and reads examples.
    """
    spotted: dict[str, SpottedWord] = {}
    searched = None if words is None else on_searched_pages(words, index.items.pages)
    # page after page, as a page has to be opened to describe its queries
    for name, query in track(
        sorted(queries, key=lambda named: named[1].page), progress, "searching"
    ):
        hits = search(
            index, query, tau=tau, tight=tight, overlap=overlap, depth=depth, combine=combine,
            reader=reader,
        )  # fmt: skip
        texts = () if words is None else match_texts(hits.items, words)
        spotted[name] = _judged(
            SpottedWord(
                name,
                hits,
                replace(hits.items, texts=texts),
                make_lists(hits, lists, choices),
                np.full(len(hits.items), -1, np.int8),
                None,
                readings=readings_of(reader, hits),
                descriptor=index.descriptor,
            ),
            searched,
        )
    return [spotted[name] for name, _ in queries]


def _judged(word: SpottedWord, words: Items | None) -> SpottedWord:
    """The lists of a query with what is written on the pages searched, where that is known."""
    text = word.search.query.text
    if words is None or not text:
        return word
    judged = relevance_with_own(word.items, text, words, word.search.own)
    missed = missed_words(word.items, judged, text, words)
    count = relevant_count(words, text)
    return replace(word, relevance=judged, relevant=count, missed=missed)


def run_of(spotted: Sequence[SpottedWord], name: str, source: Path | None = None) -> Run:
    """Make a run of the ranked lists with a name, of all queries.

    Its queries are named by their plain texts, where these are known and only one query has each:
    like the words of a truth that are labelled by their texts. The run knows the boxes of the
    queries, so that its evaluation can leave them out.
    """
    typed = [word.search.query.text for word in spotted]
    texts = [fold_query(text) if " " not in text else "" for text in typed]
    queries, pages, boxes, scores = [], [], [np.empty((0, 4))], [np.empty(0)]
    models = []
    for word, text in zip(spotted, texts, strict=True):
        ranked = next(ranked for ranked in word.lists if ranked.name == name)
        called = text if text and texts.count(text) == 1 else word.name
        queries += [called] * len(ranked)
        query = word.search.query
        if query.box is not None:
            left, top, right, bottom = query.box
            ring = ((left, top), (right, top), (right, bottom), (left, bottom))
            models.append(QueryModel(called, query.page, ring))
        pages += [word.search.items.page_name(item) for item in ranked.item.tolist()]
        boxes.append(word.search.items.boxes[ranked.item])
        scores.append(ranked.score)
    corners = np.concatenate(boxes)[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 2)
    outlines = Outlines(corners, np.arange(0, len(corners) + 1, 4))
    run = Run.ordered(name, queries, pages, outlines, score=np.concatenate(scores), source=source)
    return replace(run, models=tuple(models))


def mean_average_precision(spotted: Sequence[SpottedWord], name: str) -> float | None:
    """Mean over the queries for which average precision is defined; None where it is for none."""
    precisions = [
        word.average_precision(ranked)
        for word in spotted
        for ranked in word.lists
        if ranked.name == name
    ]
    defined = [precision for precision in precisions if precision is not None]
    return float(np.mean(defined)) if defined else None


def as_json(index: WordIndex, spotted: Sequence[SpottedWord], lists: Sequence[str]) -> Any:
    """Return what there is to say, for `json_text`."""
    return {
        "pages": len(index.items.pages),
        "words": len(index),
        "left_out": index.left_out,
        "descriptor": str(index.descriptor),
        "network": None if index.learned is None else index.learned.network.digest,
        "calibration": index.scale.as_dict(),
        "mean_average_precision": {name: mean_average_precision(spotted, name) for name in lists},
        "queries": [_query_json(word) for word in spotted],
    }


def _query_json(word: SpottedWord) -> dict[str, Any]:
    search = word.search
    return {
        "query": word.name,
        "page": search.query.page,
        "box": search.query.box or (),
        "examples": [
            {
                "page": each.page,
                "drawn": each.drawn,
                "used": each.box,
                "word": each.item is not None,
            }
            for each in search.used
        ],
        "text": search.query.text or None,
        "typed": search.query.typed,
        "tau": search.tau,
        "tight": search.tight,
        "overlap": search.overlap,
        "expanded": len(search.expanded),
        "covered": search.covered,
        "omitted": search.omitted,
        "relevant": word.relevant,
        "readings": [
            {
                "page": word.items.page_name(item),
                "box": word.items.boxes[item],
                "text": reading.text,
                "probability": reading.probability,
            }
            for item, reading in word.readings.items()
        ],
        "lists": {
            ranked.name: {
                "items": len(ranked),
                "from_tau": np.count_nonzero(ranked.score >= search.tau),
                "average_precision": word.average_precision(ranked),
            }
            for ranked in word.lists
        },
    }
