"""Builds the index of a collection's words, page by page, so that it goes on where it was ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from spotlab.compute import each_done
from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.store.entries import cache_folder
from spotlab.model.ranked_list import Items
from spotlab.progress import Progress, silent, track
from spotlab.spotting.page_entries import (
    UnreadablePage,
    page_entries,
    readable_pages,
)
from spotlab.spotting.words.adaptation import with_adapted
from spotlab.spotting.words.descriptors import WordDescriptor
from spotlab.spotting.words.embedding.page_description import PageDescription
from spotlab.spotting.words.extraction.descriptor import WIDTH
from spotlab.spotting.words.extraction.page_words import PageWords, WordSettings
from spotlab.spotting.words.feature_space import (
    FeatureSpace,
    learned_projection,
    learned_share,
)
from spotlab.spotting.words.index_page import IndexPage, index_pages, network_of
from spotlab.spotting.words.learned_words import LearnedWords
from spotlab.spotting.words.likely_pairs import likely_pairs
from spotlab.spotting.words.overlaps import ItemOverlaps
from spotlab.spotting.words.projection import Projection
from spotlab.spotting.words.scores import fit_scale
from spotlab.spotting.words.word_index import WordIndex

_FITTING_ROWS = 8_000  # descriptors from which the projection is fitted, as many from each page

MEMORY = 256 * 2**20  # bytes of descriptors that are held while an index is made
_KEPT = 8  # spaces: to fit one again takes longer than all else of an index that is there


_spaces: dict[object, FeatureSpace] = {}  # by the settings and the names of the files they are from
_lock = Lock()


def default_cache() -> Path:
    """Folder of the index files unless another one is named."""
    return cache_folder("words")


def build_index(
    pages: Sequence[Path | PageEntry],
    settings: WordSettings | None = None,
    *,
    boxes: Items | None = None,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> WordIndex:
    """Find and describe the words of all pages.

    Each page's words are kept in a file as soon as they are found, so that a build that was
    cancelled or killed goes on where it was, and a second one only reads. The projection and the
    scale are fitted on all pages in the end.

    Parameters
    ----------
    pages : sequence of Path or PageEntry
        Images, folders of images, or pages of files, in the order in which pages follow each other.
    settings : WordSettings, optional
        Unless it names a network, words are described by the one that was adapted to the pages, if
        there is one.
    boxes : Items, optional
        Take these words instead of finding some; pages are matched by name.
    cache : Path, optional
        Folder for the files; by default the user's cache.
    jobs : int
        Number of worker processes; 0 means one per CPU core. The result does not depend on it.
    cluster : str, optional
        Address of a Dask scheduler whose workers do the work; see `spotlab.compute.executor`.
    progress : Progress
        Called after each page.

    Raises
    ------
    BadInput
        No page can be read, or two have the same name.
    SpotlabError
        There are no words on them.
    NotSaved
        The folder for the files is not writable.
    Cancelled
        From ``progress``; the pages finished so far are kept.
    """
    entries = page_entries(pages)
    settings = with_adapted(settings or WordSettings(), entries)
    works = index_pages(entries, settings, boxes, cache or default_cache())
    outcomes = _make_files(works, jobs, cluster, progress)
    good, left_out = readable_pages(entries, [problem for problem, _ in outcomes])
    reused = sum(was_there for _, was_there in outcomes)
    readable = [works[number] for number in good]
    return _assembled(readable, settings, boxes, left_out, reused, progress)


def _make_files(
    pages: Sequence[IndexPage], jobs: int, cluster: str | None, progress: Progress
) -> list[tuple[str, bool]]:
    outcomes = dict(each_done(IndexPage.make, pages, jobs, cluster, progress, "finding words"))
    return [outcomes[number] for number in range(len(pages))]


def _assembled(
    works: Sequence[IndexPage],
    settings: WordSettings,
    boxes: Items | None,
    left_out: tuple[UnreadablePage, ...],
    reused: int,
    progress: Progress,
) -> WordIndex:
    """The index of pages whose files are there; no more descriptors than `MEMORY` are held."""
    files = _PageFiles(works)
    space = _space(files, settings, progress)
    page, word_boxes, apart, turns, features, descriptions = [], [], [], [], [], []
    for number in track(range(len(works)), progress, "comparing words"):
        words, description = files.take(number)
        page.append(np.full(len(words), number))
        word_boxes.append(words.boxes)
        apart.append(words.apart)
        turns.append(words.turns)
        features.append(space.apply(words.raw.astype(np.float32), _embedding(description)))
        if description is not None:
            descriptions.append(description)
    items = Items(
        tuple(work.entry.name for work in works),
        np.concatenate(page),
        np.concatenate(word_boxes),
        _texts(works, boxes),
    )
    all_features, overlaps = np.concatenate(features), ItemOverlaps.of(items)
    network = network_of(settings)
    learned = None if network is None else LearnedWords.of(network, descriptions)
    return WordIndex(
        items, all_features, space, overlaps, fit_scale(all_features, overlaps), settings,
        tuple(work.entry for work in works), boxes is not None, left_out, reused, learned,
        np.concatenate(apart), np.concatenate(turns),
    )  # fmt: skip


class _PageFiles:
    """The files of pages, which are read twice only if they do not all fit into memory.

    Parameters
    ----------
    works : sequence of IndexPage
    """

    def __init__(self, works: Sequence[IndexPage]) -> None:
        self.works = works
        self._left = MEMORY
        self._held: dict[int, tuple[PageWords, PageDescription | None]] = {}

    def look(self, number: int) -> tuple[PageWords, PageDescription | None]:
        """A page that is wanted again."""
        words = self.works[number].words()
        description = self.works[number].description(words)
        if words.raw.nbytes <= self._left:  # descriptions are held anyway
            self._left -= words.raw.nbytes
            self._held[number] = replace(words, changes=words.changes[:0].copy()), description
        return words, description

    def take(self, number: int) -> tuple[PageWords, PageDescription | None]:
        """A page that is not wanted any more; of one that was held there are no changes."""
        held = self._held.pop(number, None)
        if held is not None:
            return held
        words = self.works[number].words()
        return words, self.works[number].description(words)


def _space(files: _PageFiles, settings: WordSettings, progress: Progress) -> FeatureSpace:
    """The space that is fitted to some words of each page; the same pages have the same."""
    names = tuple((work.file.name, work.described and work.described.name) for work in files.works)
    with _lock:
        space = _spaces.pop((settings, names), None)
    if space is None:
        space = _fitted_space(files, settings, progress)
    with _lock:
        _spaces[settings, names] = space  # the one that was used last is the last
        for key in list(_spaces)[:-_KEPT]:
            del _spaces[key]
    return space


def _fitted_space(files: _PageFiles, settings: WordSettings, progress: Progress) -> FeatureSpace:
    works = files.works
    most = max(_FITTING_ROWS // len(works), 1)
    samples, changes, embeddings, sampled_page, sampled_boxes = [], [], [], [], []
    for number in track(range(len(works)), progress, "reading words"):
        words, description = files.look(number)
        step = np.linspace(0, len(words) - 1, min(most, len(words))).astype(np.int64)
        samples.append(words.raw[step].astype(np.float32))
        sampled_page.append(np.full(len(step), number))
        sampled_boxes.append(words.boxes[step])
        share = np.linspace(0, len(words.changes) - 1, min(most, len(words.changes)))
        changes.append(words.changes[share.astype(np.int64)].astype(np.float32))
        embedding = _embedding(description)
        if embedding is not None:
            embeddings.append(embedding[step])
    sample = np.concatenate(samples)
    if not len(sample):
        raise SpotlabError(f"there are no words on {works[0].entry.image}" + (
            f" and {len(works) - 1} more pages" if len(works) > 1 else ""))  # fmt: skip
    learned = None
    if embeddings:
        said = np.concatenate(embeddings)
        learned = learned_projection(said)
        if settings.descriptor is WordDescriptor.LEARNED:
            return FeatureSpace(None, learned, 1.0)
    progress(0, None, "fitting descriptors")
    places, corners = np.concatenate(sampled_page), np.concatenate(sampled_boxes)
    strokes = Projection.fit(
        sample,
        np.concatenate(changes),
        carried=WIDTH,
        partners=lambda seen, used: likely_pairs(seen, places[used], corners[used]),
    )
    if learned is None:
        return FeatureSpace(strokes)
    return FeatureSpace(strokes, learned, learned_share(strokes.apply(sample), learned.apply(said)))


def _embedding(description: PageDescription | None) -> NDArray[np.float32] | None:
    """(N, E) of the words of a page; None without a network."""
    if description is None:
        return None
    return np.asarray(description.described.embedding.astype(np.float32)[description.row])


def _texts(works: Sequence[IndexPage], boxes: Items | None) -> tuple[str | None, ...]:
    """The texts of given boxes."""
    if boxes is None or not boxes.texts:
        return ()
    number = {name: place for place, name in enumerate(boxes.pages)}
    on_pages = [number.get(work.entry.name, -1) for work in works]
    return tuple(
        boxes.texts[word]
        for place in on_pages
        for word in np.flatnonzero(boxes.page == place).tolist()
    )
