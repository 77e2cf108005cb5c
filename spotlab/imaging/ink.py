"""Separates ink from paper: by Otsu's, Sauvola's or Wolf's threshold; dark, light or coloured."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.extras import cv2, doxapy
from spotlab.imaging.cleaning import CleanedInk, clean_ink
from spotlab.imaging.reading.pyramid import Pixels, darkness, row_bands
from spotlab.progress import Progress, silent


def otsu_threshold(pixels: Pixels, grey_of: Callable[[Pixels], Pixels] = darkness) -> int | None:
    """Compute the grey level up to which pixels are ink, by Otsu (1979).

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page, grey or RGB.
    grey_of : callable
        Gives the grey levels of a part of the page, in which ink is dark.

    Returns
    -------
    int or None
        None where all pixels have the same darkness.

    Examples
    --------
    >>> page = np.array([[20, 20, 200, 210]], np.uint8)
    >>> otsu_threshold(page)
    20
    >>> print(otsu_threshold(np.full((9, 9), 255, np.uint8)))
    None
    """
    height, width = pixels.shape[:2]
    histogram = np.zeros(256, np.int64)
    for top, bottom in row_bands(width, height):
        grey = grey_of(pixels[top:bottom])
        histogram += cv2.calcHist([grey], [0], None, [256], [0, 256]).ravel().astype(np.int64)
    if np.count_nonzero(histogram) < 2:
        return None
    # OpenCV's Otsu wants pixels, so it gets every grey level as often as its share of 2**22
    counts = np.maximum(histogram * 2**22 // histogram.sum(), histogram > 0)
    levels = np.repeat(np.arange(256, dtype=np.uint8), counts)
    threshold, _ = cv2.threshold(levels[None], 0, 255, cv2.THRESH_OTSU)
    return int(threshold)


_SIDE = 800  # px: paper changes slowly, so a small page is enough to see it
_WINDOW = 51  # of the small page; wider than any stroke, narrower than a stain
_FAINTEST = 229  # of 255: ink lacks at least a tenth of the light, or a blank page would have some


def estimate_paper(grey: Pixels) -> Pixels:
    """Estimate the brightness of the paper everywhere on a page.

    Parameters
    ----------
    grey : (H, W) uint8
        The page.

    Returns
    -------
    (h, w) uint8
        The smoothed median of a wide neighbourhood, on a page of at most 800 px a side.
    """
    height, width = grey.shape
    scale = min(1.0, _SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.medianBlur(small, _WINDOW), (0, 0), 5), np.uint8)


def even_illumination(pixels: Pixels) -> Pixels:
    """Divide a page's darkest channel by the brightness of its paper.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page.

    Returns
    -------
    (H, W) uint8
        255 where a pixel is as bright as the paper around it.

    Examples
    --------
    >>> page = np.repeat(np.array([[100], [200]], np.uint8), 60, axis=0).repeat(50, axis=1)
    >>> page[10, 10], page[100, 10] = 20, 40  # equally dark for the paper around them
    >>> even_illumination(page)[[10, 100, 30, 90], 10].tolist()
    [51, 51, 255, 255]
    """
    height, width = pixels.shape[:2]
    even = np.empty((height, width), np.uint8)
    if not even.size:
        return even
    for top, bottom in row_bands(width, height):
        even[top:bottom] = darkness(pixels[top:bottom])
    small = np.maximum(estimate_paper(even), 1).astype(np.float32)
    wide = cv2.resize(small, (width, len(small)), interpolation=cv2.INTER_LINEAR)
    for top, bottom in row_bands(width, height):
        rows = (np.arange(top, bottom) + 0.5) * len(small) / height - 0.5
        low = np.clip(np.floor(rows).astype(np.int64), 0, len(small) - 1)
        high = np.minimum(low + 1, len(small) - 1)
        weight = np.clip(rows - low, 0, 1).astype(np.float32)[:, None]
        paper = wide[low] * (1 - weight) + wide[high] * weight
        even[top:bottom] = np.minimum(even[top:bottom] / paper, 1) * 255 + 0.5
    return even


def binarise_evened(pixels: Pixels, offset: int = 0) -> NDArray[np.bool_]:
    """Binarise a page with Otsu's threshold after evening its illumination.

    Meant for drawings of one pen on unevenly lit paper: one threshold for the page as it is tears
    strokes in the shade, local thresholds take the paper's grain for ink.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page.
    offset : int
        Grey levels added to the threshold; more than 0 makes more ink.

    Returns
    -------
    (H, W) bool
        True where there is ink; nowhere on a blank page.

    Examples
    --------
    >>> bool(binarise_evened(np.full((9, 9), 200, np.uint8)).any())
    False
    """
    return _binarise_even(even_illumination(pixels), offset)


def _binarise_even(even: Pixels, offset: int = 0) -> NDArray[np.bool_]:
    threshold = otsu_threshold(even) if even.size else None
    if threshold is None:
        return np.zeros(even.shape, np.bool_)
    return np.asarray(even <= min(threshold, _FAINTEST) + offset)


def remove_background(pixels: Pixels) -> Pixels:
    """Make all white but the ink and its borders, which keep their grey levels.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page.

    Returns
    -------
    (H, W) uint8
        255 everywhere on a blank page.

    Examples
    --------
    >>> page = np.full((9, 40), 180, np.uint8)
    >>> page[:, 20:23] = 60
    >>> remove_background(page)[4, 17:26].tolist()
    [255, 255, 255, 85, 85, 85, 255, 255, 255]
    """
    even = even_illumination(pixels)
    near = cv2.dilate(_binarise_even(even).view(np.uint8), np.ones((3, 3), np.uint8))
    return np.where(near > 0, even, np.uint8(255))


Colour = tuple[int, int, int]

GREY = 40  # of 255: a pen whose colours differ less has no hue


def colour_darkness(pixels: Pixels, colour: Colour, tolerance: float = 30) -> Pixels:
    """Show the ink of one colour in grey levels, and all other ink as paper.

    What a colour absorbs beyond what all three channels lack is its hue; so shade, and black ink,
    have none. Of a pen without a hue, black or grey, the brightest channel counts.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        Grey or RGB.
    colour : (int, int, int)
        Red, green and blue of the pen.
    tolerance : float
        How far the hue of ink may be from the pen's, in degrees.

    Returns
    -------
    (H, W) uint8
        0 for ink of exactly this colour, or a stronger one, and 255 for paper.

    Examples
    --------
    >>> page = np.array([[[255, 255, 255], [220, 30, 30], [0, 160, 200], [20, 20, 20]]], np.uint8)
    >>> colour_darkness(page, (220, 30, 30)).tolist()
    [[255, 0, 255, 255]]
    >>> colour_darkness(page, (20, 20, 20)).tolist()
    [[255, 220, 200, 20]]
    """
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    pen, strength = _hue(np.asarray(colour, np.float32))
    if strength < GREY:
        return np.asarray(pixels.max(axis=2))
    hues, strengths = _hue(pixels.astype(np.float32))
    along = hues @ pen / strength**2
    near = hues @ pen >= np.cos(np.radians(tolerance)) * strengths * strength
    share = np.where(near, np.clip(along, 0, 1), 0)
    return np.asarray(255 - np.rint(255 * share), np.uint8)


def colour_of_text(text: str) -> Colour | None:
    """Read a colour as in HTML; None where it is none.

    Parameters
    ----------
    text : str
        # and six hexadecimal digits.

    Examples
    --------
    >>> colour_of_text("#dc1e1e"), colour_of_text("red")
    ((220, 30, 30), None)
    """
    if not re.fullmatch("#[0-9a-fA-F]{6}", text):
        return None
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue


def _hue(colours: ArrayLike) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return what colours absorb beyond grey, and how much that is."""
    absorbed = 255 - np.asarray(colours, np.float32)
    hue = absorbed - absorbed.min(axis=-1, keepdims=True)
    return hue, np.linalg.norm(hue, axis=-1)


_CLEARLY = 1.5  # times as much light ink as dark ink
_SPECK = 9 * 255.0**3  # a few white px on black, which are no drawing
_LEAST = 64  # grey levels between the paper and white in a channel that tells ink from paper


class InkTone(StrEnum):
    """Tone of ink relative to its paper: darker or lighter."""

    AUTO = "auto"
    DARK = "dark"
    LIGHT = "light"


def tone_of(pixels: Pixels) -> InkTone:
    """Decide whether a page's ink is dark or light: ink is the minority around each place.

    Every pixel is compared with the median around it, so that dark margins, shade and lamps do not
    count, and strong contrasts count most.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page, grey or RGB.

    Returns
    -------
    InkTone
        DARK or LIGHT; DARK where neither is clear, as on a page of one colour.

    Examples
    --------
    >>> page = np.full((60, 60), 30, np.uint8)
    >>> page[20:22, 10:50] = 240
    >>> str(tone_of(page)), str(tone_of(255 - page))
    ('light', 'dark')
    """
    height, width = pixels.shape[:2]
    if not (height and width):
        return InkTone.DARK
    scale = min(1.0, _SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_AREA)
    if small.ndim == 3:
        small = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    beyond = small.astype(np.float64) - cv2.medianBlur(small, _WINDOW)
    light = (np.maximum(beyond, 0) ** 3).sum()
    dark = (np.maximum(-beyond, 0) ** 3).sum()
    return InkTone.LIGHT if light > max(_CLEARLY * dark, _SPECK) else InkTone.DARK


class LightInk:
    """Shows a page of light ink as if its ink were black and its paper white.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The whole page, from which the colour of the paper is taken.
    """

    def __init__(self, pixels: Pixels) -> None:
        step = max(1, max(pixels.shape[:2]) // _SIDE)
        sample = pixels[::step, ::step].reshape(-1, 1 if pixels.ndim == 2 else 3)
        levels = np.arange(256)
        self._tables = []
        for paper in np.median(sample, axis=0).tolist():
            above = np.maximum(levels - paper, 0) / max(255 - paper, _LEAST)
            self._tables.append(np.asarray(np.rint(255 - 255 * above), np.uint8))

    def darkness(self, pixels: Pixels) -> Pixels:
        """Return how far each pixel is from the paper towards white, in its lightest channel.

        Parameters
        ----------
        pixels : (H, W) or (H, W, 3) uint8
            A window of the page.

        Returns
        -------
        (H, W) uint8
            255 is paper, or darker; 0 is white.

        Examples
        --------
        >>> blue = np.full((3, 3, 3), (0, 60, 160), np.uint8)
        >>> blue[1, 1] = 255
        >>> LightInk(blue).darkness(blue)[1].tolist()
        [255, 0, 255]
        """
        if pixels.ndim == 2:
            return np.asarray(cv2.LUT(np.ascontiguousarray(pixels), self._tables[0]))
        channels = cv2.split(np.ascontiguousarray(pixels))
        first, *others = (cv2.LUT(*each) for each in zip(channels, self._tables, strict=True))
        for other in others:
            first = cv2.min(first, other)
        return np.asarray(first)


Ink = NDArray[np.bool_]


class InkMethod(StrEnum):
    """Method for choosing the threshold between ink and paper."""

    EVEN = "even"
    OTSU = "otsu"
    SAUVOLA = "sauvola"
    WOLF = "wolf"


@dataclass(frozen=True)
class InkSettings:
    """Settings for binarising a page.

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
        """Tell whether ink is removed after the threshold."""
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
        """Tell whether the page's ink is dark or light."""
        return InkTone.DARK if self._light_ink is None else InkTone.LIGHT

    @cached_property
    def _light_ink(self) -> LightInk | None:
        """Tell how light ink is read; None where ink is dark."""
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
        """Return what has been removed from the page's ink.

        None until it is known, or if nothing is.
        """
        return self._cleaned

    @property
    def _is_whole(self) -> bool:
        """Tell whether each window depends on all of the page."""
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


def settings_as_values(settings: InkSettings) -> dict[str, Any]:
    """Turn ink settings into values that JSON has.

    Parameters
    ----------
    settings : InkSettings

    Examples
    --------
    >>> settings_as_values(InkSettings(colour=(0, 0, 9)))["colour"]
    [0, 0, 9]
    """
    colour = None if settings.colour is None else list(settings.colour)
    return {
        **asdict(settings),
        "method": str(settings.method),
        "colour": colour,
        "tone": str(settings.tone),
    }


def settings_from_values(values: Mapping[str, Any]) -> InkSettings:
    """Read ink settings; the default where the values make no sense.

    Parameters
    ----------
    values : mapping
        As from `settings_as_values`; missing ones are the default's.

    Examples
    --------
    >>> settings_from_values({"method": "wolf", "specks": 4}).specks
    4
    >>> settings_from_values({"method": "later"}) == InkSettings()
    True
    """
    try:
        method = InkMethod(values.get("method", InkSettings.method))
        tone = InkTone(values.get("tone", InkSettings.tone))
        colour = values.get("colour")
        colour = None if colour is None else tuple(int(part) for part in colour)
        return InkSettings(**{**values, "method": method, "colour": colour, "tone": tone})
    except (TypeError, ValueError):
        return InkSettings()  # written by another version


def ink_text(settings: InkSettings) -> str:
    """Say in a line what differs from the default of the method.

    Parameters
    ----------
    settings : InkSettings

    Examples
    --------
    >>> ink_text(InkSettings(InkMethod.EVEN, rulings=True, specks=6))
    'even rulings=True specks=6'
    """
    plain = InkSettings(settings.method)
    parts = [
        f"{name}={value}".replace(" ", "")
        for name, value in vars(settings).items()
        if value != getattr(plain, name)
    ]
    return " ".join([str(settings.method), *parts])
