"""Adapts the network for words to a collection, and keeps it beside the pages if it got better."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from queue import Empty, Full
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.reading.pyramid import darkness
from spotlab.interruption import install_in_worker, shielded
from spotlab.learning.words.hand.adapting import AdaptedNetwork, AdaptingSettings, adapt_network
from spotlab.learning.words.hand.hand_words import HandWords, cut_words
from spotlab.learning.words.network import with_properties
from spotlab.model.ranked_list import Items
from spotlab.progress import Progress, silent, track
from spotlab.spotting.words.embedding.network import WordNetwork, writing_turns
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.feature_space import (
    Adaptation,
    adapted_file,
    metadata_of_adaptation,
    write_adapted,
)
from spotlab.spotting.words.index import build_index
from spotlab.spotting.words.readings import Lexicon, WordReader, fitting_lexicon
from spotlab.spotting.words.search import OVERLAP
from spotlab.spotting.words.word_index import WordIndex
from spotlab.studies.words.transcription import COVERED, KnownTexts, covered_share

LIKELY = 0.2  # probability of a reading from which it is looked at in later rounds
MOST = 10_000  # words that are looked at, the surest ones
_BLOCK = 512  # words between two reports


@dataclass(frozen=True)
class AdaptedHand:
    """Result of adapting a network to a collection.

    Attributes
    ----------
    file : Path
        Where the adapted network is kept.
    kept : bool
        Whether it is: not where known words are found less well, or no better.
    network : AdaptedNetwork
    adaptation : Adaptation
        What the file says of itself.
    words : int
        Words that were looked at, known or not.
    left_out : tuple of str
        What is wrong with each list of words that could not be read.
    """

    file: Path
    kept: bool
    network: AdaptedNetwork
    adaptation: Adaptation
    words: int
    left_out: tuple[str, ...] = ()


def adapt_words(
    entries: Sequence[PageEntry],
    known: KnownTexts,
    *,
    lexicon: Lexicon | None = None,
    words: WordSettings | None = None,
    boxes: Items | None = None,
    settings: AdaptingSettings | None = None,
    fonts: Sequence[Path] = (),
    file: Path | None = None,
    cache: Path | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> AdaptedHand:
    """Adapt the network for words to the hand of a collection.

    It starts from the network as it came, whether or not it was adapted before. The adapted one is
    kept beside the pages only when it is whole, and if it finds known words better that it has not
    learned from; where too few are known to tell, it is kept.

    Parameters
    ----------
    entries : sequence of PageEntry
    known : KnownTexts
        Words whose texts are certain.
    lexicon : Lexicon, optional
        Words that may be written; by default those of the pages' language.
    words : WordSettings, optional
        How words are found on pages.
    boxes : Items, optional
        Words that were given instead.
    settings : AdaptingSettings, optional
    fonts : sequence of Path
        Fonts of handwriting. Words that they draw are learned beside those of the collection.
    file : Path, optional
        Where the network is kept; by default beside the pages, where searches use it.
    cache : Path, optional
        Folder for the files of the index; by default the user's cache.
    jobs : int
        Number of worker processes for the index; 0 means one per CPU core.
    progress : Progress
        May raise `Cancelled`; nothing is changed then.

    Raises
    ------
    SpotlabError
        There is no network, or there are too few words to learn from.
    NotSaved
        The result cannot be written beside the pages.
    """
    learned = replace(words or WordSettings(), descriptor=WordDescriptor.LEARNED, adapted=False)
    index = build_index(entries, learned, boxes=boxes, cache=cache, jobs=jobs, progress=progress)
    assert index.learned is not None  # its descriptor is the learned one
    if lexicon is None:
        counted = Counter(text for text, _ in known.transcribed)
        lexicon = fitting_lexicon(index.learned, counted)
    if lexicon is None:
        raise SpotlabError("no list of words is installed: name one")
    gathered = _gathered(index, known, lexicon, progress)
    made = adapt_network(
        index.learned.network, gathered, lexicon, settings or AdaptingSettings(), fonts, progress
    )
    adaptation = _told(index.learned.network, made)
    file = file or adapted_file(entries)
    assert file is not None  # there are pages
    kept = made.gain is None or made.gain > 0
    if kept:
        progress(0, None, "keeping the adapted network")
        write_adapted(file, with_properties(made.content, metadata_of_adaptation(adaptation)))
    return AdaptedHand(file, kept, made, adaptation, len(gathered), lexicon.left_out)


def _told(network: WordNetwork, made: AdaptedNetwork) -> Adaptation:
    before, after = (
        {"by example": figures.by_example, "typed": figures.typed}
        for figures in (made.before, made.after)
    )
    return Adaptation(
        date.today().isoformat(), made.learned, made.known, made.held_out, before, after,
        made.is_light, network.digest[:12],
    )  # fmt: skip


def _gathered(
    index: WordIndex, known: KnownTexts, lexicon: Lexicon, progress: Progress
) -> HandWords:
    """Known words, and those of an index that lie on none of them and are likely to be words."""
    places = {name: number for number, name in enumerate(index.items.pages)}
    certain = _without_repeats(known, places)
    rows = _likely_words(index, lexicon, certain, progress)
    assert index.learned is not None
    network, parts = index.learned.network, []
    for number, entry in enumerate(track(index.images, progress, "cutting words out")):
        here = rows[index.items.page[rows] == number]
        said = np.flatnonzero(certain.page == number).tolist()
        if not len(here) and not said:
            continue
        grey = darkness(read_page(entry.image, entry.frame))
        drawn, texts = certain.boxes[said], [certain.texts[each] for each in said]
        parts.append(cut_words(grey, drawn, texts, writing_turns(network, grey, drawn)))
        parts.append(cut_words(grey, index.items.boxes[here], turns=index.turns_of(here)))
    return HandWords.joined(parts)


def _without_repeats(known: KnownTexts, places: dict[str, int]) -> Items:
    """All known words on some pages; judged ones only where nothing is transcribed."""
    transcribed, judged = (
        _items([each for each in said if each[1][0] in places], places)
        for said in (known.transcribed, known.judged)
    )
    if not len(transcribed):
        return judged
    new = np.flatnonzero(covered_share(judged, transcribed) < COVERED)
    return Items(
        transcribed.pages,
        np.concatenate([transcribed.page, judged.page[new]]),
        np.concatenate([transcribed.boxes, judged.boxes[new]]),
        (*transcribed.texts, *(judged.texts[each] for each in new.tolist())),
    )


def _items(
    said: Sequence[tuple[str, tuple[str, float, float, float, float]]], places: dict[str, int]
) -> Items:
    return Items(
        tuple(places),
        np.array([places[place[0]] for _, place in said], np.int64),
        np.array([place[1:] for _, place in said], np.float64).reshape(-1, 4),
        tuple(text for text, _ in said),
    )


def _likely_words(
    index: WordIndex, lexicon: Lexicon, known: Items, progress: Progress
) -> NDArray[np.int64]:
    """Items that are read as a word of the list and lie on no known word, rising.

    Where items lie on each other, the one that is read most surely stays.
    """
    assert index.learned is not None
    free = np.arange(len(index))
    if len(known):
        free = np.flatnonzero(covered_share(index.items, known) < COVERED)
    # items that share a description are read alike
    _, first = np.unique(index.learned.row[free], return_index=True)
    free = np.sort(free[first])
    reader = WordReader(index.learned, lexicon)
    sure = np.zeros(len(free))
    for start in range(0, len(free), _BLOCK):
        progress(start, len(free), "reading words")
        part = free[start : start + _BLOCK].tolist()
        sure[start : start + _BLOCK] = [reading.probability for reading in reader.read(part)]
    likely = sure >= LIKELY
    rows, sure = free[likely], sure[likely]
    if not index.given:
        stays = index.overlaps.best(rows, sure, OVERLAP) == np.arange(len(rows))
        rows, sure = rows[stays], sure[stays]
    return np.sort(rows[np.argsort(-sure, kind="stable")[:MOST]])


_POLL = 0.1  # s between two questions whether the result is still wanted
_PATIENCE = 5.0  # s for a process to end by itself
_NICE = 5  # learning for minutes gives way to whatever somebody waits for


@dataclass(frozen=True)
class _Progress:
    """Progress reported by the process."""

    done: int
    total: int | None
    doing: str


def adapt_in_process(arguments: dict[str, Any], progress: Progress) -> AdaptedHand:
    """Call `spotlab.studies.words.adapting.adapt_words` in a process of its own.

    Parameters
    ----------
    arguments : dict
        Its arguments but ``progress``, by name.
    progress : Progress
        Asked all the time; where it raises `Cancelled`, the process is ended.

    Raises
    ------
    SpotlabError
        What it raises, or that the process has ended before its time.
    """
    made: AdaptedHand = _run(adapt_words, arguments, progress)
    return made


def _run(function: Callable[..., Any], arguments: dict[str, Any], progress: Progress) -> Any:
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(100)
    task = (queue, function, arguments)
    process = context.Process(target=_work, args=task, daemon=True)
    with shielded():
        process.start()
    told = _Progress(0, None, "starting")
    try:
        while True:
            progress(told.done, told.total, told.doing)
            is_alive = process.is_alive()  # before the last word is looked for
            try:
                said = queue.get(timeout=_POLL)
            except Empty:
                if not is_alive:
                    raise SpotlabError("the process that learns has ended") from None
                continue
            if isinstance(said, Exception):
                raise said
            if not isinstance(said, _Progress):
                process.join(_PATIENCE)
                return said
            told = said
    finally:
        process.terminate()  # it ends at once, but in the middle of no file
        process.join(_PATIENCE)
        if process.is_alive():
            process.kill()
        queue.close()


def _work(queue: Any, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    install_in_worker()
    with suppress(AttributeError, OSError):  # not on Windows
        os.nice(_NICE)

    def tell(done: int, total: int | None, doing: str) -> None:
        with suppress(Full):  # whoever listens is busy
            queue.put_nowait(_Progress(done, total, doing))

    try:
        queue.put(function(**arguments, progress=tell))
    except Exception as error:
        queue.put(error)
