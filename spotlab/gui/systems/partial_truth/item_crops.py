"""Pictures of items, cut out of their pages in a thread: of a word with what stands around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.votes.format import VoteTable
from spotlab.formats.votes.token_places import Box, ItemPlace, place_of_item
from spotlab.imaging.reading.crops import MARGIN, WordCrops
from spotlab.model import Items

BESIDE, ABOVE = 3.0, 0.8  # of a word's height: what is seen around it


@dataclass(frozen=True, eq=False)
class ItemPicture:
    """What an item looks like.

    Attributes
    ----------
    grey : (h, w) uint8
    box : tuple of float
        Left, top, right, bottom of the item, in px of its page.
    frame : tuple of float or None
        The same in px of the picture, where more than the item is in it.
    """

    grey: NDArray[np.uint8]
    box: Box
    frame: Box | None = None


class ItemCrops:
    """Cuts items out of the open pages, or out of the images that files of votes name.

    Parameters
    ----------
    files : mapping of str to (Path, int)
        The image file of each open page, and which page of it.
    """

    def __init__(self, files: Mapping[str, tuple[Path, int]]) -> None:
        self._files = dict(files)
        self._crops = WordCrops(self._files)

    def picture(self, table: VoteTable, item: int) -> ItemPicture | None:
        """Cut an item out; None where its page or its place is not known."""
        place = place_of_item(table, item)
        if place is None or not self._knows(place):
            return None
        region = table.boxes is not None
        left, top, right, bottom = place.box
        high = 0.0 if region else bottom - top
        around = (
            max(left - BESIDE * high, 0.0), max(top - ABOVE * high, 0.0),
            right + BESIDE * high, bottom + ABOVE * high,
        )  # fmt: skip
        items = Items((place.page,), np.zeros(1, np.int64), np.array([around]))
        grey = self._crops.crop(items, 0)
        if grey is None:
            return None
        if region:
            return ItemPicture(grey, place.box)
        margin = MARGIN * (around[3] - around[1])
        x, y = max(0, int(around[0] - margin)), max(0, int(around[1] - margin))
        return ItemPicture(grey, place.box, (left - x, top - y, right - x, bottom - y))

    def _knows(self, place: ItemPlace) -> bool:
        """Whether the page can be read; the image that a file names is taken in."""
        if place.page not in self._files and place.image is not None:
            self._files[place.page] = (place.image, 0)
            self._crops = WordCrops(self._files)
        return place.page in self._files
