"""The files of an index's pages: their words, and what a network says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from spotlab.arrays import Boxes, Ints
from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.store.entries import key_of, keyed_file
from spotlab.imaging.reading.conversion import Pixels, darkness
from spotlab.imaging.reading.pixels import read_page
from spotlab.model.ranked_list import Items
from spotlab.spotting.page_entries import image_digests, with_absolute_path
from spotlab.spotting.words.descriptors import WordDescriptor
from spotlab.spotting.words.embedding.description_file import (
    description_key,
    description_version,
    read_description,
    write_description,
)
from spotlab.spotting.words.embedding.given_words import writing_turns
from spotlab.spotting.words.embedding.network import WordNetwork, read_network, shipped_network
from spotlab.spotting.words.embedding.page_description import PageDescription, describe_page
from spotlab.spotting.words.extraction.page_words import PageWords, WordSettings, extract_words
from spotlab.spotting.words.index_file import page_key, read_words, write_words


@dataclass(frozen=True, eq=False)
class IndexPage:
    """A page, and the files that keep its words and what a network says of them.

    Attributes
    ----------
    entry : PageEntry
    settings : WordSettings
    boxes : (N, 4) float or None
        left, top, right, bottom in px of given words; None where words are to be found.
    file : Path
        Keeps the words.
    described : Path or None
        Keeps what a network says; None without a network.
    problem : str
        Why the page cannot be read; empty where it can.
    """

    entry: PageEntry
    settings: WordSettings
    boxes: Boxes | None
    file: Path
    described: Path | None = None
    problem: str = ""

    def make(self) -> tuple[str, bool]:
        """Make the files; returns what is wrong with the page, and whether they were there."""
        if self.problem:
            return self.problem, False
        if self._is_done():
            return "", True
        read = cache(self._pixels)
        try:
            self.description(self.words(read), read)
        except BadInput as error:
            return error.problem, False
        return "", False

    def words(self, read: Callable[[], Pixels] | None = None) -> PageWords:
        """The page's words, from the file if that is whole.

        Parameters
        ----------
        read : callable, optional
            Gives the page's pixels, (H, W) or (H, W, 3) uint8, where these are needed.
        """
        words = read_words(self.file)
        if words is None:
            pixels = (read or self._pixels)()
            words = extract_words(pixels, self.settings, self.boxes, self._turns(pixels))
            write_words(words, self.file)
        return words

    def _turns(self, pixels: Pixels) -> Ints | int:
        """How the given words run, as far as a network can say."""
        network = network_of(self.settings)
        if self.boxes is None or network is None:
            return 0
        return writing_turns(network, darkness(pixels), self.boxes)

    def description(
        self, words: PageWords, read: Callable[[], Pixels] | None = None
    ) -> PageDescription | None:
        """What a network says of them, from the file if that is whole; None without a network.

        Parameters
        ----------
        words : PageWords
        read : callable, optional
            Gives the page's pixels, (H, W) or (H, W, 3) uint8, where these are needed.
        """
        if self.described is None:
            return None
        network = network_of(self.settings)
        assert network is not None
        said = read_description(self.described, network, len(words))
        if said is None:
            grey = darkness((read or self._pixels)())
            given = self.boxes is not None
            said = describe_page(network, grey, words.boxes, words.turns, given=given)
            write_description(said, self.described)
        return said

    def _pixels(self) -> Pixels:
        return read_page(self.entry.image, self.entry.frame)

    def _is_done(self) -> bool:
        words = read_words(self.file)
        if words is None or self.described is None:
            return words is not None
        network = network_of(self.settings)
        assert network is not None
        return read_description(self.described, network, len(words)) is not None


def network_of(settings: WordSettings) -> WordNetwork | None:
    """The network that words are described by; None where only strokes are compared.

    Parameters
    ----------
    settings : WordSettings

    Raises
    ------
    SpotlabError
        Only what was learned is to be compared, and no network is installed.
    BadInput
        The network's file cannot be read.

    Examples
    --------
    >>> network_of(WordSettings(descriptor=WordDescriptor.STROKES)) is None
    True
    """
    if settings.descriptor is WordDescriptor.STROKES:
        return None
    if settings.network is not None:
        return read_network(settings.network)
    network = shipped_network()
    if network is None and settings.descriptor is WordDescriptor.LEARNED:
        raise SpotlabError(
            "the learned descriptor needs a network, and none is installed: name its file, or "
            "compare by strokes"
        )
    return network


def index_pages(
    entries: Sequence[PageEntry], settings: WordSettings, boxes: Items | None, folder: Path
) -> list[IndexPage]:
    """Name the files of pages.

    Parameters
    ----------
    entries : sequence of PageEntry
    settings : WordSettings
    boxes : Items or None
        Given words.
    folder : Path
    """
    digests, network = image_digests(entries), network_of(settings)
    pages = []
    for given in entries:
        own, digest, entry = (
            _boxes_on(boxes, given.name),
            digests[given.image],
            with_absolute_path(given),
        )
        if isinstance(digest, BadInput):
            pages.append(IndexPage(entry, settings, own, folder, problem=digest.problem))
            continue
        seen = str(settings.ink)
        if own is not None and network is not None:  # which says how given words run
            seen = key_of(seen, network.digest, description_version())
        key = page_key(digest, entry.frame, seen, own)
        described = None
        if network is not None:
            described = keyed_file(folder, description_key(key, network), ".described")
        words = keyed_file(folder, key, ".words")
        pages.append(IndexPage(entry, settings, own, words, described))
    return pages


def _boxes_on(boxes: Items | None, page: str) -> Boxes | None:
    """The given boxes of a page; None where boxes are to be found."""
    if boxes is None:
        return None
    if page not in boxes.pages:
        return np.empty((0, 4))
    here: Boxes = boxes.boxes[boxes.page == boxes.pages.index(page)]
    return here
