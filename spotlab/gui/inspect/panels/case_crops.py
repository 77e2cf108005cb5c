"""Small pictures of the page around a spot and the truth region that it lies on, with outlines."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from spotlab.extras import cv2
from spotlab.imaging.reading.crops import WordCrops
from spotlab.measures.confusion import regions_under
from spotlab.measures.errors import Errors
from spotlab.model import Truth

SIDE = 240  # px of the longer side of a picture
MARGIN, LEAST = 0.35, 24.0  # around the outlines: a share of their size, and px at least
SPOT, TRUTH = "#D55E00", "#0072B2"


def spot_key(spot: int) -> int:
    """What stands for a spot where pictures are asked for."""
    return 2 * spot


def region_key(region: int) -> int:
    """What stands for a region where pictures are asked for."""
    return 2 * region + 1


class CaseCrops:
    """Cuts pictures in a thread; all that it reads stays as it is.

    Parameters
    ----------
    pages : WordCrops
        Reads pages.
    errors : Errors
    truths : mapping of str to Truth
        Those that were tallied.
    """

    def __init__(self, pages: WordCrops, errors: Errors, truths: Mapping[str, Truth]) -> None:
        self.pages = pages
        self.errors = errors
        self._truths = truths
        self._under = regions_under(errors)

    def crop(self, key: int) -> NDArray[np.uint8] | None:
        """(h, w, 3) a spot or a region, see `spot_key`; None where the page cannot be read."""
        tally, place = self.errors.tally, key // 2
        region = place if key % 2 else int(self._under[place])
        page = int(tally.region_page[place] if key % 2 else tally.page[place])
        rings = []
        if region >= 0:
            rings.append((self._region(region), TRUTH))
        if not key % 2:
            rings.append((tally.run.outlines[int(tally.spot[place])], SPOT))
        pixels = self.pages.page(tally.pages[page])
        rings = [(ring, colour) for ring, colour in rings if len(ring)]
        return None if pixels is None or not rings else _drawn(pixels, rings)

    def _region(self, region: int) -> NDArray[np.float64]:
        tally = self.errors.tally
        page = int(tally.region_page[region])
        regions = self._truths[tally.pages[page]].regions
        return regions[region - int(np.searchsorted(tally.region_page, page))].array


def _drawn(
    page: NDArray[np.uint8], rings: list[tuple[NDArray[np.float64], str]]
) -> NDArray[np.uint8] | None:
    points = np.concatenate([ring for ring, _ in rings])
    low, high = points.min(axis=0), points.max(axis=0)
    margin = np.maximum(MARGIN * (high - low).max(), LEAST)
    size = np.array(page.shape[1::-1])
    low = np.clip(np.floor(low - margin), 0, size).astype(int)
    high = np.clip(np.ceil(high + margin), 0, size).astype(int)
    part = page[low[1] : high[1], low[0] : high[0]]
    if not part.size:
        return None
    scale = SIDE / max(part.shape)
    wanted = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.cvtColor(cv2.resize(part, wanted, interpolation=way), cv2.COLOR_GRAY2RGB)
    small = np.ascontiguousarray(255 - (255 - small) // 2)  # ink is quiet beside the outlines
    for ring, colour in rings:
        corners = [np.round((ring - low) * scale * 16).astype(np.int32)]
        named = QColor(colour)
        inks = (((255, 255, 255), 5), ((named.red(), named.green(), named.blue()), 2))
        for ink, width in inks:
            cv2.polylines(small, corners, True, ink, width, cv2.LINE_AA, shift=4)
    return np.asarray(small, np.uint8)
