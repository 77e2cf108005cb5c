"""Small pictures cut out of pages, with stretched contrast where they are pale."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.extras import cv2
from spotlab.imaging.reading.conversion import Pixels
from spotlab.imaging.reading.pixels import read_page
from spotlab.model import Items

KEPT = 200_000_000  # bytes of decoded pages
MARGIN = 0.06  # of the height, around a word

TurnOf = Callable[[Items, int], int]
"""Quarter turns clockwise that make an item run from left to right."""


def _level(_items: Items, _item: int) -> int:
    return 0


class WordCrops:
    """Reads pages once and keeps the last ones; may be used by several threads.

    Parameters
    ----------
    files : mapping of str to (Path, int)
        The image file of each page, and which page of it.
    turn_of : callable, optional
        How words run; their pictures are turned, so that they can be read.
    """

    def __init__(self, files: Mapping[str, tuple[Path, int]], turn_of: TurnOf = _level) -> None:
        self.files = dict(files)
        self._turn_of = turn_of
        self._kept: OrderedDict[str, NDArray[np.uint8] | None] = OrderedDict()
        self._lock = Lock()
        self._reading: dict[str, Lock] = {}

    def crop(self, items: Items, item: int) -> NDArray[np.uint8] | None:
        """Cut an item out of its page, with a little margin.

        Parameters
        ----------
        items : Items
        item : int
            One of them.

        Returns
        -------
        (h, w) uint8 or None
            Grey; None where there is no picture.

        Examples
        --------
        >>> WordCrops({}).crop(Items.named(["FT923-11593"]), 0) is None
        True
        """
        if items.page[item] < 0:
            return None
        page = self.page(items.page_name(item))
        return None if page is None else self._cut(page, items, item)

    def crop_at_once(self, items: Items, item: int) -> NDArray[np.uint8] | None:
        """Cut an item out of its page if that has been read.

        Parameters
        ----------
        items : Items
        item : int
            One of them.

        Returns
        -------
        (h, w) uint8 or None
            Grey; None where there is no picture, or its page is not at hand.

        Examples
        --------
        >>> WordCrops({}).crop_at_once(Items.named(["FT923-11593"]), 0) is None
        True
        """
        if items.page[item] < 0:
            return None
        with self._lock:
            page = self._kept.get(items.page_name(item))
        return None if page is None else self._cut(page, items, item)

    def page(self, name: str) -> NDArray[np.uint8] | None:
        """Read a page, or take it from those read last.

        Parameters
        ----------
        name : str
            The page's.

        Returns
        -------
        (H, W) uint8 or None
            Grey; None where it cannot be read.

        Examples
        --------
        >>> WordCrops({}).page("270") is None
        True
        """
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
                return self._kept[name]
            reading = self._reading.setdefault(name, Lock())
        with reading:  # two threads that want one page wait for one decoding
            with self._lock:
                if name in self._kept:
                    return self._kept[name]
            pixels = self._read(name)
            with self._lock:
                self._kept[name] = pixels
                self._forget()
            return pixels

    def _cut(self, page: NDArray[np.uint8], items: Items, item: int) -> NDArray[np.uint8] | None:
        found = _cut(page, items, item)
        if found is None:
            return None
        return np.ascontiguousarray(np.rot90(found, -self._turn_of(items, item)))

    def _read(self, name: str) -> NDArray[np.uint8] | None:
        if name not in self.files:
            return None
        try:
            pixels = read_page(*self.files[name])
        except SpotlabError:  # opening the page says what is wrong with it
            return None
        if pixels.ndim == 3:
            return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
        return pixels

    def _forget(self) -> None:
        size = sum(page.nbytes for page in self._kept.values() if page is not None)
        while size > KEPT and len(self._kept) > 1:
            page = self._kept.popitem(last=False)[1]
            size -= 0 if page is None else page.nbytes


def _cut(page: NDArray[np.uint8], items: Items, item: int) -> NDArray[np.uint8] | None:
    """The item's box, with a little margin."""
    left, top, right, bottom = items.boxes[item]
    margin = MARGIN * (bottom - top)
    height, width = page.shape
    rows = slice(max(0, int(top - margin)), min(height, int(np.ceil(bottom + margin))))
    columns = slice(max(0, int(left - margin)), min(width, int(np.ceil(right + margin))))
    found = page[rows, columns]
    return np.ascontiguousarray(found) if found.size else None


DARKEST, BRIGHTEST = 0.01, 0.5  # quantiles: a hundredth is ink, and half a page is paper
LEAST = 16  # grey levels between them, or it is a page without a drawing


def stretch_contrast(pixels: Pixels) -> Pixels:
    """Make the paper white and the darkest strokes black.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        Grey or RGB; all channels are stretched alike, so that hues stay.

    Returns
    -------
    ndarray of uint8
        Of the same shape; the same where the page is blank, or mostly dark.

    Examples
    --------
    >>> page = np.array([[180, 180, 180, 100]], np.uint8)
    >>> stretch_contrast(page).tolist()
    [[255, 255, 255, 0]]
    """
    if not pixels.size:
        return pixels
    brightness = pixels if pixels.ndim == 2 else pixels.max(axis=2)
    darkness = pixels if pixels.ndim == 2 else pixels.min(axis=2)
    low = float(np.quantile(darkness, DARKEST, method="lower"))
    high = float(np.quantile(brightness, BRIGHTEST))
    if high - low < LEAST or high < 128:
        return pixels
    stretched = (pixels.astype(np.float32) - low) * (255 / (high - low))
    return np.asarray(np.clip(np.rint(stretched), 0, 255), np.uint8)
