"""Pictures of places on pages, made in a thread for those that are seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPixmap

from spotlab.formats.lists.place_lines import Place
from spotlab.gui.kit import background
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.words.state.words import Words
from spotlab.imaging.reading.crops import WordCrops
from spotlab.model import Items
from spotlab.progress import Progress

KEPT = 200  # pictures


class QueryPictures:
    """Keeps pictures while the pages are the same.

    Parameters
    ----------
    words : Words
    arrived : callable
        Called when a picture has come.
    """

    def __init__(self, words: Words, arrived: Callable[[], object]) -> None:
        self._words, self._arrived = words, arrived
        self._crops: WordCrops | None = None
        self._kept: dict[Place, QPixmap | None] = {}

    def get(self, place: Place) -> QPixmap | None:
        """The picture; None: it comes later, or there is none."""
        crops = self._words.crops
        if self._crops is not crops:
            self.forget()
        if place not in self._kept:
            if len(self._kept) > KEPT:
                self._kept.clear()
            self._kept[place] = None
            background.run(_cut, crops, place, done=partial(self._keep, crops, place))
        return self._kept[place]

    def forget(self) -> None:
        """Make all pictures anew: the pages are others, or it is known now how words run."""
        self._crops = self._words.crops
        self._kept = {}

    def _keep(self, crops: WordCrops, place: Place, grey: NDArray[np.uint8] | None) -> None:
        if grey is None or crops is not self._crops or place not in self._kept:
            return
        self._kept[place] = QPixmap.fromImage(image_of(grey))
        self._arrived()


def _cut(crops: WordCrops, place: Place, _: Progress) -> NDArray[np.uint8] | None:
    return crops.crop(Items((place[0],), np.zeros(1, np.int64), np.array([place[1:]])), 0)
