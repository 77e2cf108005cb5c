"""Separates ink from paper: Otsu's global threshold, Sauvola's and Wolf's local ones.

The result may be cleaned of rulings and specks, or keep the ink of one colour only.

Ink is what is darker than the threshold in its darkest colour channel; on pages of light ink, such
as blueprints, it is what is lighter than the paper in its lightest channel.

References
----------
N. Otsu, "A threshold selection method from gray-level histograms", IEEE Trans. SMC 9(1), 1979.
J. Sauvola and M. Pietikäinen, "Adaptive document image binarization", Pattern Recognition 33, 2000.
C. Wolf and J.-M. Jolion, "Extraction and recognition of artificial text in multimedia documents",
Pattern Analysis and Applications 6(4), 2003.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import doxapy
from spotlab.imaging.cleaning import CleanedInk, clean_ink
from spotlab.imaging.conversion import Pixels, darkness, row_bands
from spotlab.imaging.illumination import binarise_evened
from spotlab.imaging.ink_colour import Colour, colour_darkness
from spotlab.imaging.ink_tone import InkTone, LightInk, tone_of
from spotlab.imaging.otsu import otsu_threshold
from spotlab.progress import Progress, silent

Ink = NDArray[np.bool_]


class InkMethod(StrEnum):
    """How the threshold between ink and paper is chosen."""

    EVEN = "even"
    OTSU = "otsu"
    SAUVOLA = "sauvola"
    WOLF = "wolf"


@dataclass(frozen=True)
class InkSettings:
    """How a page is binarised.

    Attributes
    ----------
    method : InkMethod
        Otsu's threshold for the whole page, as it is or evenly lit, or Sauvola's or Wolf's around
        each pixel.
    offset : int
        Grey levels added to Otsu's threshold, from -255 to 255; more than 0 makes more ink.
    window : int
        Side of the neighbourhood of Sauvola and Wolf in px; odd, at least 3.
    k : float
        How far their threshold lies below the neighbourhood's mean, as a factor in (0, 1); less
        makes more ink.
    rulings : bool
        Remove the lines of squared and lined paper.
    specks : int
        Remove connected ink of at most this area in px; 0 removes none.
    smallest : int
        Remove connected ink whose larger side is shorter than this, in px; 0 removes none.
    colour : (int, int, int), optional
        Keep only ink of this colour: red, green and blue from 0 to 255.
    tolerance : int
        How far the hue of coloured ink may be from ``colour``, from 1 to 90 degrees.
    tone : InkTone
        Whether ink is darker or lighter than the paper; by default what is the minority.

    Raises
    ------
    TypeError
        The method is not an `InkMethod`, or the tone not an `InkTone`.
    ValueError
        A number is out of its range.
    """

    method: InkMethod = InkMethod.OTSU
    offset: int = 0
    window: int = 51
    k: float = 0.2
    rulings: bool = False
    specks: int = 0
    smallest: int = 0
    colour: Colour | None = None
    tolerance: int = 30
    tone: InkTone = InkTone.AUTO

    def __post_init__(self) -> None:
        if not isinstance(self.method, InkMethod):
            raise TypeError(f"the method is an InkMethod, not {self.method!r}")
        if not isinstance(self.tone, InkTone):
            raise TypeError(f"the tone is an InkTone, not {self.tone!r}")
        if self.window < 3 or self.window % 2 == 0:
            raise ValueError(f"the window is an odd number of px from 3 on, not {self.window}")
        if not -255 <= self.offset <= 255:
            raise ValueError(f"the offset lies between -255 and 255, not {self.offset}")
        if not 0 < self.k < 1:
            raise ValueError(f"k lies between 0 and 1, not {self.k}")
        if not 0 <= self.specks <= LARGEST_SPECK:
            raise ValueError(f"specks lies between 0 and {LARGEST_SPECK} px, not {self.specks}")
        if not 0 <= self.smallest <= LARGEST_SPECK:
            raise ValueError(f"smallest lies between 0 and {LARGEST_SPECK} px, not {self.smallest}")
        if self.colour is not None and not (
            len(self.colour) == 3 and all(0 <= part <= 255 for part in self.colour)
        ):
            raise ValueError(f"a colour is three numbers from 0 to 255, not {self.colour}")
        if not 1 <= self.tolerance <= 90:
            raise ValueError(f"the tolerance lies between 1 and 90 degrees, not {self.tolerance}")

    @property
    def cleans(self) -> bool:
        """Whether ink is removed after the threshold."""
        return self.rulings or self.specks > 0 or self.smallest > 0


LARGEST_SPECK = 10_000
_DEFAULT = InkSettings()
_BAND_PIXELS = 1_000_000  # doxapy holds the interpreter while it works: the window has to breathe


def binarise(pixels: Pixels, settings: InkSettings = _DEFAULT, progress: Progress = silent) -> Ink:
    """Separate the ink of a page from its paper.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page, grey or RGB.
    settings : InkSettings
        Method and threshold.
    progress : Progress
        Called with the rows done.

    Returns
    -------
    (H, W) bool
        True where there is ink; nowhere on a page of one colour.

    References
    ----------
    Otsu (1979); Sauvola & Pietikäinen (2000); Wolf & Jolion (2003).

    Examples
    --------
    >>> binarise(np.array([[255, 250, 3], [0, 251, 255]], np.uint8)).tolist()
    [[False, False, True], [True, False, False]]
    >>> bool(binarise(np.full((9, 9), 200, np.uint8)).any())  # nothing stands out
    False
    >>> negative = np.zeros((9, 40), np.uint8)
    >>> negative[4, 5:35] = 252  # a light line on dark paper
    >>> binarise(negative)[3:6, 10].tolist()
    [False, True, False]
    """
    ink = np.empty(pixels.shape[:2], np.bool_)
    for top, band in Binariser(pixels, settings).bands(progress):
        ink[top : top + len(band)] = band
    return ink


class Binariser:
    """Binarises windows of a page, each the same as in the whole page.

    What depends on the whole page is computed once, when it is first needed. Safe to use from
    several threads.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page, grey or RGB; it is kept, not copied.
    settings : InkSettings
        Method and threshold.

    References
    ----------
    Otsu (1979); Sauvola & Pietikäinen (2000); Wolf & Jolion (2003).
    """

    def __init__(self, pixels: Pixels, settings: InkSettings = _DEFAULT) -> None:
        self._pixels = pixels
        self._settings = settings
        self._height, self._width = pixels.shape[:2]
        side = min(settings.window, self._width, self._height)
        self._window = side if side % 2 else side - 1  # smaller where the page is
        self._finding = threading.Lock()
        self._cleaned: CleanedInk | None = None

    def window(self, left: int, top: int, right: int, bottom: int) -> Ink:
        """Binarise a window.

        Parameters
        ----------
        left, top, right, bottom : int
            Inside the page, in px; right and bottom are exclusive.

        Returns
        -------
        (bottom − top, right − left) bool
            True where there is ink.

        Examples
        --------
        >>> page = np.array([[255, 250, 3], [0, 251, 255]], np.uint8)
        >>> Binariser(page).window(1, 0, 3, 2).tolist()
        [[False, True], [False, False]]
        """
        if self._is_whole:
            packed = self._packed[top:bottom, left // 8 : -(-right // 8)]
            bits = np.unpackbits(packed, axis=1)[:, left % 8 : left % 8 + right - left]
            return bits.view(np.bool_)
        if self._settings.method is InkMethod.OTSU:
            grey = self._darkness(self._pixels[top:bottom, left:right])
            threshold = self._threshold
            return np.zeros(grey.shape, np.bool_) if threshold is None else grey <= threshold
        half = self._window // 2 + 1
        first_column, last_column = _widened(left, right, half, self._width)
        first_row, last_row = _widened(top, bottom, half, self._height)
        window = self._pixels[first_row:last_row, first_column:last_column]
        grey = self._darkness(window).copy()
        self._binarise(grey)
        ink: Ink = np.equal(grey, 0)
        return ink[top - first_row : bottom - first_row, left - first_column : right - first_column]

    def bands(self, progress: Progress = silent) -> Iterator[tuple[int, Ink]]:
        """Binarise the whole page in bands of rows, from top to bottom.

        Parameters
        ----------
        progress : Progress
            Called with the rows done.

        Yields
        ------
        top : int
            First row of the band.
        ink : (h, W) bool
            True where there is ink.
        """
        for top, bottom in row_bands(self._width, self._height, _BAND_PIXELS):
            progress(top, self._height, "finding ink")
            yield top, self.window(0, top, self._width, bottom)
        progress(self._height, self._height, "finding ink")

    @property
    def tone(self) -> InkTone:
        """Whether the page's ink is dark or light."""
        return InkTone.DARK if self._light_ink is None else InkTone.LIGHT

    @cached_property
    def _light_ink(self) -> LightInk | None:
        """How light ink is read; None where ink is dark."""
        tone = self._settings.tone
        found = tone_of(self._pixels) if tone is InkTone.AUTO else tone
        return LightInk(self._pixels) if found is InkTone.LIGHT else None

    def _darkness(self, pixels: Pixels) -> Pixels:
        """The grey levels of a part of the page, in which ink is dark."""
        light = self._light_ink
        return darkness(pixels) if light is None else light.darkness(pixels)

    def _colour_darkness(self, pixels: Pixels, colour: Colour) -> Pixels:
        """The same, where ink of another colour is paper."""
        if self._light_ink is not None:  # the complement of light ink is dark ink
            red, green, blue = (255 - part for part in colour)
            pixels, colour = 255 - pixels, (red, green, blue)
        return colour_darkness(pixels, colour, self._settings.tolerance)

    @property
    def cleaned(self) -> CleanedInk | None:
        """What has been removed from the page's ink; None until it is known, or if nothing is."""
        return self._cleaned

    @property
    def _is_whole(self) -> bool:
        """Whether each window depends on all of the page."""
        settings = self._settings
        whole = settings.method in {InkMethod.EVEN, InkMethod.WOLF}
        return whole or settings.cleans or settings.colour is not None

    @property
    def _threshold(self) -> int | None:
        with self._finding:
            return self._found_threshold

    @cached_property
    def _found_threshold(self) -> int | None:
        threshold = otsu_threshold(self._pixels, self._darkness)
        return None if threshold is None else threshold + self._settings.offset

    @property
    def _packed(self) -> NDArray[np.uint8]:
        with self._finding:
            return self._found_packed

    @cached_property
    def _found_packed(self) -> NDArray[np.uint8]:
        """The page's ink, eight pixels a byte, where a window depends on all of the page."""
        settings = self._settings
        ink = self._thresholded(self._grey())
        if settings.cleans:
            ink, self._cleaned = clean_ink(
                ink, rulings=settings.rulings, specks=settings.specks, smallest=settings.smallest
            )
        packed = np.empty((self._height, -(-self._width // 8)), np.uint8)
        for top, bottom in row_bands(self._width, self._height):
            packed[top:bottom] = np.packbits(ink[top:bottom], axis=1)
        return packed

    def _grey(self) -> Pixels:
        """The whole page in grey levels, where ink of another colour than wanted is paper."""
        colour = self._settings.colour
        grey = np.empty((self._height, self._width), np.uint8)
        for top, bottom in row_bands(self._width, self._height):
            band = self._pixels[top:bottom]
            grey[top:bottom] = (
                self._darkness(band) if colour is None else self._colour_darkness(band, colour)
            )
        return grey

    def _thresholded(self, grey: Pixels) -> Ink:
        settings = self._settings
        if settings.method is InkMethod.EVEN:
            return binarise_evened(grey, settings.offset)
        if settings.method is InkMethod.OTSU:
            threshold = otsu_threshold(grey)
            if threshold is None:
                return np.zeros(grey.shape, np.bool_)
            return np.asarray(grey <= threshold + settings.offset)
        self._binarise(grey)
        return np.asarray(grey == 0)

    def _binarise(self, grey: Pixels) -> None:
        """Set Sauvola's or Wolf's ink to 0 and paper to 255, in place.

        The image is at least as large as the window.
        """
        if self._window < 3:  # a neighbourhood of one pixel tells nothing
            grey[:] = 255
            return
        algorithm = getattr(doxapy.Binarization.Algorithms, self._settings.method.name)
        # 0.9.2 is the last for Python 3.11, later ones have moved the function
        home = doxapy if hasattr(doxapy, "update_to_binary") else doxapy.Binarization
        # doxapy writes beyond its memory where the window is larger than the image
        home.update_to_binary(algorithm, grey, {"window": self._window, "k": self._settings.k})


def _widened(start: int, stop: int, margin: int, limit: int) -> tuple[int, int]:
    """A span with its margin inside 0 … limit, moved rather than cut so that windows still fit."""
    size = min(limit, stop - start + 2 * margin)
    first = min(max(0, start - margin), limit - size)
    return first, first + size
