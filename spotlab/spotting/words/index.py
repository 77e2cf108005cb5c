"""Builds the index of a collection's words, page by page, so that it goes on where it was ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from spotlab.compute import each_done
from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.truth.folder import PageEntry
from spotlab.imaging.pixels import read_page
from spotlab.model.items import Items
from spotlab.progress import Progress, silent, track
from spotlab.spotting.page_entries import (
    UnreadablePage,
    image_digests,
    page_entries,
    readable_pages,
    with_absolute_path,
)
from spotlab.spotting.page_file import keyed_file
from spotlab.spotting.words.extraction.descriptor import WIDTH
from spotlab.spotting.words.extraction.page_words import PageWords, WordSettings, extract_words
from spotlab.spotting.words.index_file import page_key, read_words, write_words
from spotlab.spotting.words.likely_pairs import likely_pairs
from spotlab.spotting.words.overlaps import ItemOverlaps
from spotlab.spotting.words.projection import Projection
from spotlab.spotting.words.scores import fit_scale
from spotlab.spotting.words.word_index import WordIndex

_FITTING_ROWS = 8_000  # descriptors from which the projection is fitted, as many from each page

Boxes = NDArray[np.float64]


def default_cache() -> Path:
    """Folder of the index files unless another one is named."""
    return user_cache_path("spotlab") / "words"


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
    settings = settings or WordSettings()
    entries = page_entries(pages)
    works = _works(entries, settings, boxes, cache or default_cache())
    outcomes = _make_files(works, jobs, cluster, progress)
    good, left_out = readable_pages(entries, [problem for problem, _ in outcomes])
    reused = sum(was_there for _, was_there in outcomes)
    readable = [works[number] for number in good]
    return _assembled(readable, settings, boxes, left_out, reused, progress)


@dataclass(frozen=True, eq=False)
class _Work:
    """A page, and the file that keeps its words."""

    entry: PageEntry
    settings: WordSettings
    boxes: Boxes | None
    file: Path
    problem: str = ""

    def words(self) -> PageWords:
        """The page's words, from the file if that is whole."""
        words = read_words(self.file)
        if words is None:
            pixels = read_page(self.entry.image, self.entry.frame)
            words = extract_words(pixels, self.settings, self.boxes)
            write_words(words, self.file)
        return words


def _works(
    entries: Sequence[PageEntry], settings: WordSettings, boxes: Items | None, cache: Path
) -> list[_Work]:
    digests = image_digests(entries)
    works = []
    for given in entries:
        own, digest, entry = (
            _boxes_on(boxes, given.name),
            digests[given.image],
            with_absolute_path(given),
        )
        if isinstance(digest, BadInput):
            works.append(_Work(entry, settings, own, cache, digest.problem))
            continue
        key = page_key(digest, entry.frame, repr(settings), own)
        works.append(_Work(entry, settings, own, keyed_file(cache, key, ".words")))
    return works


def _boxes_on(boxes: Items | None, page: str) -> Boxes | None:
    """The given boxes of a page; None where boxes are to be found."""
    if boxes is None:
        return None
    if page not in boxes.pages:
        return np.empty((0, 4))
    here: Boxes = boxes.boxes[boxes.page == boxes.pages.index(page)]
    return here


def _make_file(work: _Work) -> tuple[str, bool]:
    """Make a page's file; returns what is wrong with the page, and whether the file was there."""
    if work.problem:
        return work.problem, False
    if read_words(work.file) is not None:
        return "", True
    try:
        work.words()
    except BadInput as error:
        return error.problem, False
    return "", False


def _make_files(
    works: Sequence[_Work], jobs: int, cluster: str | None, progress: Progress
) -> list[tuple[str, bool]]:
    outcomes = dict(each_done(_make_file, works, jobs, cluster, progress, "finding words"))
    return [outcomes[number] for number in range(len(works))]


def _assembled(
    works: Sequence[_Work],
    settings: WordSettings,
    boxes: Items | None,
    left_out: tuple[UnreadablePage, ...],
    reused: int,
    progress: Progress,
) -> WordIndex:
    """The index of pages whose files are there; descriptors of one page at a time are in memory."""
    most = max(_FITTING_ROWS // len(works), 1)
    samples, changes, sampled_page, sampled_boxes = [], [], [], []
    for number, work in enumerate(track(works, progress, "reading words")):
        words = work.words()
        step = np.linspace(0, len(words) - 1, min(most, len(words))).astype(np.int64)
        samples.append(words.raw[step].astype(np.float32))
        sampled_page.append(np.full(len(step), number))
        sampled_boxes.append(words.boxes[step])
        share = np.linspace(0, len(words.changes) - 1, min(most, len(words.changes)))
        changes.append(words.changes[share.astype(np.int64)].astype(np.float32))
    sample = np.concatenate(samples)
    if not len(sample):
        raise SpotlabError(f"there are no words on {works[0].entry.image}" + (
            f" and {len(works) - 1} more pages" if len(works) > 1 else ""))  # fmt: skip
    places, corners = np.concatenate(sampled_page), np.concatenate(sampled_boxes)
    projection = Projection.fit(
        sample,
        np.concatenate(changes),
        carried=WIDTH,
        partners=lambda seen, used: likely_pairs(seen, places[used], corners[used]),
    )
    page, word_boxes, features = [], [], []
    for number, work in enumerate(track(works, progress, "comparing words")):
        words = work.words()
        page.append(np.full(len(words), number))
        word_boxes.append(words.boxes)
        features.append(projection.apply(words.raw.astype(np.float32)))
    items = Items(
        tuple(work.entry.name for work in works),
        np.concatenate(page),
        np.concatenate(word_boxes),
        _texts(works, boxes),
    )
    all_features = np.concatenate(features)
    overlaps = ItemOverlaps.of(items)
    return WordIndex(
        items, all_features, projection, overlaps, fit_scale(all_features, overlaps), settings,
        tuple(work.entry for work in works), boxes is not None, left_out, reused,
    )  # fmt: skip


def _texts(works: Sequence[_Work], boxes: Items | None) -> tuple[str | None, ...]:
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
