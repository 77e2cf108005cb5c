"""Quality of word search when each instance of a word is a query: tables for a collection.

``python -m spotlab.lab.reproduce.words.search_figures TRUTH PAGES…`` prints them for pages with
transcriptions; ``--descriptor`` and ``--network`` choose what words are compared by, ``--every 4``
takes every fourth query.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import counted
from spotlab.measures import area
from spotlab.measures.intervals import Interval, mean_interval, pseudo_values, weights_without_each
from spotlab.model.ranked_list import Items
from spotlab.model.spelling import fold
from spotlab.progress import Progress, silent, track
from spotlab.ranking.fusion import Choices
from spotlab.representation import short_repr, visible
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.words.extraction.descriptor import TITLES, WordDescriptor
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.index import build_index
from spotlab.spotting.words.search import join_examples
from spotlab.spotting.words.word_index import WordIndex, WordQuery
from spotlab.studies.words.word_spotting import reader_of, spot_words
from spotlab.studies.words.word_truth import read_words

LISTS = ("ws", "cr", "database_augmentation", "k_reciprocal", "diffusion")
LOOSE = (0, 10, 20)  # px around a word's box


@dataclass(frozen=True, eq=False)
class SearchFigures:
    """Average precisions of queries, their own instances left out.

    Attributes
    ----------
    lists : tuple of str
    precision : (Q, L) float
        0 where a list has none of the other instances.
    instances : (Q,) int
        How often the word of each query is written.
    texts : tuple of str
        What each query is.
    """

    lists: tuple[str, ...]
    precision: NDArray[np.float64]
    instances: NDArray[np.int64]
    texts: tuple[str, ...]

    __repr__ = short_repr

    def mean(self, least: int = 2) -> dict[str, float | None]:
        """Mean average precision by list, over words with so many instances; None without any."""
        rows = self.precision[self.instances >= least]
        means = rows.mean(axis=0).tolist() if len(rows) else [None] * len(self.lists)
        return dict(zip(self.lists, means, strict=True))

    def gains(self, least: int = 2) -> dict[str, Interval | None]:
        """By how much the mean of a list is above that of the first one: intervals of 95 %.

        The units are words, each with all of its instances: these are no independent queries.

        Parameters
        ----------
        least : int
            Instances that words need.

        Returns
        -------
        dict of str to (Interval or None)
            By the names of all lists but the first; None for too few words.

        Examples
        --------
        >>> precision = np.array([[0.5, 0.6], [0.7, 0.8], [0.1, 0.2]])
        >>> figures = SearchFigures(("ws", "cr"), precision, np.full(3, 2), ("to", "to", "be"))
        >>> figures.gains()["cr"] is None
        True
        """
        rows = np.flatnonzero(self.instances >= least)
        texts, of_text = np.unique([self.texts[row] for row in rows], return_inverse=True)
        weights = weights_without_each(len(texts))
        counts = weights @ np.bincount(of_text, minlength=len(texts))
        gains = {}
        for at, name in enumerate(self.lists[1:], 1):
            more = self.precision[rows, at] - self.precision[rows, 0]
            sums = np.bincount(of_text, more, len(texts))
            gain = area.ratio(weights @ sums, counts)
            gains[name] = mean_interval(pseudo_values(gain, len(texts)))
        return gains

    @property
    def nowhere(self) -> float | None:
        """Share of queries with an average precision of 0 in every list; None without queries."""
        return float((self.precision == 0).all(axis=1).mean()) if len(self.precision) else None


def queries_by_example(
    words: Items, letters: int = 4, least: int = 2, every: int = 1, margin: float = 0
) -> list[WordQuery]:
    """Make a query of each instance of the words that are long and frequent enough.

    Parameters
    ----------
    words : Items
        With texts.
    letters : int
        Letters and digits that a word needs.
    least : int
        Instances that it needs.
    every : int
        Take only every k-th of them.
    margin : float
        px by which the boxes are enlarged on every side.

    Examples
    --------
    >>> words = Items(("a",), [0, 0, 0], [[0, 0, 4, 9], [5, 0, 9, 9], [10, 0, 14, 9]],
    ...               ("own", "my", "Own,"))
    >>> [query.box for query in queries_by_example(words, letters=3, margin=1)]
    [(-1.0, -1.0, 5.0, 10.0), (9.0, -1.0, 15.0, 10.0)]
    """
    words = words.exact
    plain = [fold(text or "") for text in words.texts]
    chosen = [
        at for at, text in enumerate(plain) if len(text) >= letters and plain.count(text) >= least
    ]
    boxes = words.boxes + np.array([-margin, -margin, margin, margin])
    queries = []
    for at in chosen[::every]:
        left, top, right, bottom = boxes[at].tolist()
        box = (left, top, right, bottom)
        queries.append(WordQuery(words.page_name(at), box, words.text(at) or ""))
    return queries


def several_examples(
    words: Items, examples: int = 3, letters: int = 4, rest: int = 2
) -> list[WordQuery]:
    """Make one query of the first few instances of each word that has more.

    Parameters
    ----------
    words : Items
        With texts.
    examples : int
        Instances that are one query.
    letters : int
        Letters and digits that a word needs.
    rest : int
        Instances that have to be left to be found.

    Examples
    --------
    >>> words = Items(("a",), [0, 0, 0], [[0, 0, 4, 9], [5, 0, 9, 9], [10, 0, 14, 9]], ("own",) * 3)
    >>> [len(query.places) for query in several_examples(words, 2, letters=3, rest=1)]
    [2]
    """
    by_text: dict[str, list[WordQuery]] = {}
    for query in queries_by_example(words, letters, examples + rest):
        by_text.setdefault(fold(query.text), []).append(query)
    return [join_examples(queries[:examples]) for queries in by_text.values()]


def typed_queries(words: Items, letters: int = 4, least: int = 2) -> list[WordQuery]:
    """Make a query of each text that is long and frequent enough, to be searched as it is typed.

    Parameters
    ----------
    words : Items
        With texts.
    letters : int
        Letters and digits that a text needs.
    least : int
        Instances that it needs.

    Examples
    --------
    >>> words = Items(("a",), [0, 0, 0], [[0, 0, 4, 9], [5, 0, 9, 9], [10, 0, 14, 9]],
    ...               ("own", "my", "Own,"))
    >>> [query.text for query in typed_queries(words, letters=3)]
    ['own']
    """
    plain = [fold(text or "") for text in words.texts]
    counted = {text: plain.count(text) for text in dict.fromkeys(plain)}
    return [
        WordQuery(text=text, typed=True)
        for text, count in counted.items()
        if len(text) >= letters and count >= least
    ]


def measure_search(
    index: WordIndex,
    words: Items,
    queries: Sequence[WordQuery],
    lists: Sequence[str] = LISTS,
    choices: Choices | None = None,
    progress: Progress = silent,
) -> SearchFigures:
    """Search the queries and measure their lists.

    Parameters
    ----------
    index : WordIndex
    words : Items
        The truth.
    queries : sequence of WordQuery
        With texts.
    lists : sequence of str
        Names of fusions.
    choices : Choices, optional
        Settings of the fusions.
    progress : Progress
    """
    reader = reader_of(index, None)  # what is transcribed would help it
    precision, instances = np.zeros((len(queries), len(lists))), np.zeros(len(queries), np.int64)
    for row, query in enumerate(track(queries, progress, "searching")):
        (found,) = spot_words(
            index, [(str(row), query)], lists, words=words, choices=choices, reader=reader
        )
        instances[row] = found.relevant or 0
        precision[row] = [found.average_precision(ranked) or 0 for ranked in found.lists]
    texts = tuple(fold(query.text) for query in queries)
    return SearchFigures(tuple(lists), precision, instances, texts)


def tables(
    paths: Sequence[Path],
    truth: Sequence[Path],
    cache: Path | None = None,
    every: int = 1,
    settings: WordSettings | None = None,
) -> Iterator[str]:
    """Measure a collection: boxes given and found, typed texts, loose boxes, several examples.

    Parameters
    ----------
    paths : sequence of Path
        Images, or folders of them.
    truth : sequence of Path
        PAGE XML with words, or lists of boxes.
    cache : Path, optional
        Folder for the index.
    every : int
        Search only every k-th instance.
    settings : WordSettings, optional
        What words are compared by.

    Yields
    ------
    str
        Line by line.
    """
    entries, known = page_entries(paths), read_words(truth)
    pages = {entry.name for entry in entries}
    words = known.take([at for at in range(len(known)) if known.page_name(at) in pages])
    for name, boxes, letters in (("found", None, 4), ("given", words, 1)):
        index = build_index(entries, settings, boxes=boxes, cache=cache)
        compared = TITLES[index.descriptor].lower()
        yield (
            f"boxes {name}: {len(index):,} on {counted(len(entries), 'page')}, compared "
            f"by {compared}"
        )
        figures = measure_search(index, words, queries_by_example(words, letters, 2, every))
        yield from _lines(figures)
        if index.learned is not None:
            yield "typed texts"
            yield from _lines(measure_search(index, words, typed_queries(words)[::every]))
        for margin in LOOSE if boxes is None else ():
            loose = queries_by_example(words, letters, 5, 4 * every, margin)
            yield f"boxes drawn {margin} px around the word"
            yield from _lines(measure_search(index, words, loose, ("ws", "cr", "diffusion")))
        yield "3 examples a query"
        yield from _lines(measure_search(index, words, several_examples(words)[::every]))


def _lines(figures: SearchFigures) -> list[str]:
    rows = ["\t".join(["instances", "queries", *figures.lists])]
    for least in (2, 5):
        count = int((figures.instances >= least).sum())
        means = figures.mean(least).values()
        rows.append("\t".join([f"≥ {least}", f"{count:,}", *map(_share, means)]))
        gains = [_gain(gain) for gain in figures.gains(least).values()]
        rows.append("\t".join(["", "gain", "", *gains]))
    nowhere = figures.nowhere
    share = "–" if nowhere is None else f"{nowhere:.2%}"
    return [*rows, f"average precision 0 in every list: {share} of the queries"]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _gain(interval: Interval | None) -> str:
    return "–" if interval is None else f"{interval.low:+.3f}…{interval.high:+.3f}"


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("truth", type=Path, help="PAGE XML with words, or a list of boxes")
    parser.add_argument("pages", type=Path, nargs="+", help="images, or folders of images")
    kinds = [str(each) for each in WordDescriptor]
    parser.add_argument("--descriptor", choices=kinds, default=kinds[-1])
    parser.add_argument("--network", type=Path, help="a network instead of the one installed")
    parser.add_argument("--cache", type=Path, help="folder for the index")
    parser.add_argument("--every", type=int, default=1, help="search only every k-th instance")
    chosen = parser.parse_args()
    settings = WordSettings(descriptor=WordDescriptor(chosen.descriptor), network=chosen.network)
    for line in tables(chosen.pages, [chosen.truth], chosen.cache, chosen.every, settings):
        print(visible(line), flush=True)


if __name__ == "__main__":
    _main()
