"""Pixels of decoded images as grey levels or colours, and the pyramid of smaller copies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.extras import cv2
from spotlab.progress import Progress, silent

Pixels = NDArray[np.uint8]
Zeros = Callable[..., NDArray[Any]]  # of a shape and a kind of numbers, as `numpy.zeros`
BAND_PIXELS = 1_000_000
_BLENDED = 500_000  # px; transparency needs some eight times the memory of a band

_ALPHA_MODES = frozenset({"LA", "La", "PA", "RGBA", "RGBa"})


def row_bands(width: int, height: int, pixels: int = BAND_PIXELS) -> Iterator[tuple[int, int]]:
    """Divide a page into bands of whole rows.

    Parameters
    ----------
    width, height : int
        Size of the page in px.
    pixels : int
        About how many pixels a band has; at least one row.

    Yields
    ------
    top, bottom : int
        First row of a band, and the row after its last.

    Examples
    --------
    >>> list(row_bands(10, 7, pixels=30))
    [(0, 3), (3, 6), (6, 7)]
    """
    rows = max(1, pixels // max(1, width))
    for top in range(0, height, rows):
        yield top, min(height, top + rows)


def pixels_from_image(
    image: Image.Image, progress: Progress = silent, zeros: Zeros = np.zeros
) -> Pixels:
    """Convert a decoded Pillow image to 8-bit pixels.

    Images with more than 8 bits are shifted right so that the largest value that occurs just fits;
    floating-point ones are stretched from their smallest to their largest value. Palettes and
    transparency are blended on white.

    Parameters
    ----------
    image : PIL.Image.Image
        An image of any mode.
    progress : Progress
        Called with the rows done.
    zeros : callable
        Makes the array that is returned, as `numpy.zeros` does.

    Returns
    -------
    (H, W) or (H, W, 3) uint8
        Grey, or RGB if any pixel has a colour.

    Examples
    --------
    >>> pixels_from_image(Image.new("RGB", (2, 1), (9, 9, 9))).tolist()
    [[9, 9]]
    """
    width, height = image.size
    palette = _palette_on_white(image) if image.mode == "P" else None
    scale = _scale(image)
    transparent = image.mode in _ALPHA_MODES or (
        "transparency" in image.info and image.mode in {"1", "L", "RGB"}
    )

    def band(top: int, bottom: int) -> Pixels:
        part = image.crop((0, top, width, bottom))
        if palette is not None:
            return np.take(palette, np.asarray(part), axis=0)
        if scale is not None:
            return scale_to_byte(np.asarray(part), *scale)
        if transparent:
            return blend_on_white(np.asarray(part.convert("RGBA")))
        return np.asarray(part.convert("L" if image.mode in {"1", "L"} else "RGB"))

    grey = all(is_grey(band(top, bottom)) for top, bottom in row_bands(width, height))
    pixels: Pixels = zeros((height, width) if grey else (height, width, 3), np.uint8)
    for top, bottom in row_bands(width, height):
        progress(top, height, "opening")
        part = band(top, bottom)
        pixels[top:bottom] = part[..., 0] if grey and part.ndim == 3 else part
    progress(height, height, "opening")
    return pixels


def compact(pixels: Pixels, progress: Progress = silent) -> Pixels:
    """Bring decoded colours into the form of a page, in the beginning of the same memory.

    Parameters
    ----------
    pixels : (H, W, 3) or (H, W, 4) uint8
        RGB or BGRA, one row after the other; what they hold is lost.
    progress : Progress
        Called with the rows done.

    Returns
    -------
    (H, W) or (H, W, 3) uint8
        Grey, or RGB where the page has colour; on white.

    Examples
    --------
    >>> compact(np.array([[[9, 9, 9], [7, 7, 7]]], np.uint8)).tolist()
    [[9, 7]]
    """
    height, width, channels = pixels.shape
    bands = list(row_bands(width, height, _BLENDED))
    grey = all(is_grey(_on_paper(pixels[top:bottom])) for top, bottom in bands)
    if channels == 3 and not grey:
        progress(height, height, "opening")
        return pixels
    kept = 1 if grey else 3
    flat = pixels.reshape(-1)
    for top, bottom in bands:
        progress(top, height, "opening")
        band = _on_paper(pixels[top:bottom])
        band = (band[..., 0] if grey else band[..., ::-1]).copy()
        # the written part never overtakes the part that is still to be read
        flat[top * width * kept : bottom * width * kept] = band.reshape(-1)
    return flat[: height * width * kept].reshape((height, width) if grey else (height, width, 3))


def _on_paper(band: Pixels) -> Pixels:
    return blend_on_white(band) if band.shape[2] == 4 else band


def is_grey(pixels: Pixels) -> bool:
    """Tell whether pixels have no colour.

    Parameters
    ----------
    pixels : (H, W) or (H, W, C) uint8
        One channel, or three or more of which the first three count.

    Returns
    -------
    bool
        True for one channel, and for channels that are equal everywhere.
    """
    if pixels.ndim == 2:
        return True
    red = pixels[..., 0]
    return bool((red == pixels[..., 1]).all()) and bool((red == pixels[..., 2]).all())


def blend_on_white(pixels: Pixels) -> Pixels:
    """Blend transparent pixels on a white ground.

    Parameters
    ----------
    pixels : (H, W, 4) uint8
        RGBA or BGRA, not premultiplied.

    Returns
    -------
    (H, W, 3) uint8
        RGB or BGR, in the same order.

    Examples
    --------
    >>> pixels = np.array([[[0, 0, 0, 255], [9, 9, 9, 0], [0, 9, 99, 51]]], np.uint8)
    >>> blend_on_white(pixels).tolist()
    [[[0, 0, 0], [255, 255, 255], [204, 206, 224]]]
    """
    *colours, alpha = cv2.split(pixels)
    paper = cv2.merge([cv2.bitwise_not(alpha)] * 3)
    mixed = np.asarray(cv2.bitwise_or(cv2.merge(colours), paper), np.uint8)
    # that was right where alpha is 0 or 255; what lies between is rare in drawings
    between = np.flatnonzero((alpha > 0) & (alpha < 255))
    if len(between):
        weights = alpha.ravel()[between, None].astype(np.uint16)
        blended = pixels.reshape(-1, 4)[between, :3] * weights + (255 - weights) * np.uint16(255)
        mixed.reshape(-1, 3)[between] = (blended + 127) // 255
    return mixed


def scale_to_byte(values: NDArray[np.generic], low: float, high: float) -> Pixels:
    """Map values from low … high to 0 … 255.

    Parameters
    ----------
    values : ndarray
        Numbers of any shape; those outside the range are clipped, NaN becomes 0.
    low, high : float
        The range.

    Returns
    -------
    ndarray of uint8
        Of the same shape; all 0 for an empty range.

    Examples
    --------
    >>> scale_to_byte(np.array([0, 4095]), 0, 4095).tolist()
    [0, 255]
    """
    if high <= low:
        return np.zeros(values.shape, np.uint8)
    if values.dtype == np.uint16 and low == 0:
        words = np.asarray(values, np.uint16)
        return np.asarray(cv2.convertScaleAbs(words, alpha=255 / high), np.uint8).reshape(
            words.shape
        )
    scaled = (values.astype(np.float32) - low) * (255.0 / (high - low))
    return np.asarray(np.clip(np.nan_to_num(scaled) + 0.5, 0, 255), np.uint8)


def white_value(brightest: int) -> float:
    """Return the largest value of the fewest bits that hold a page's values.

    Scanners store 10, 12 or 14 bits in 16.

    Parameters
    ----------
    brightest : int
        The largest value that a pixel has, in [0, 65535].

    Returns
    -------
    float
        Of 8 bits at least.

    Examples
    --------
    >>> white_value(4000), white_value(3)
    (4095.0, 255.0)
    """
    return float(2 ** max(8, brightest.bit_length()) - 1)


def _scale(image: Image.Image) -> tuple[float, float] | None:
    """The values that become black and white in images of more than 8 bits."""
    if not (image.mode.startswith("I") or image.mode == "F"):
        return None
    low, high = np.inf, -np.inf
    for top, bottom in row_bands(*image.size):
        part = np.asarray(image.crop((0, top, image.width, bottom)))
        part = part[np.isfinite(part)] if image.mode == "F" else part
        if part.size:
            low, high = min(low, float(part.min())), max(high, float(part.max()))
    if high < low:
        return 0.0, 0.0
    if image.mode != "F" and low >= 0 and high < 65536:
        return 0.0, white_value(int(high))
    return low, high


def _palette_on_white(image: Image.Image) -> Pixels:
    """(256,) or (256, 3): each colour of the palette on white; one channel where all are grey.

    Only the colours that occur count, because unused entries are often arbitrary.
    """
    image.apply_transparency()  # from the file's remarks into the palette
    entries = np.array(image.getpalette("RGBA") or [], np.uint8).reshape(-1, 4)[:256]
    colours = np.zeros((256, 3), np.uint8)
    if len(entries):
        colours[: len(entries)] = blend_on_white(entries[None])[0]
    used = np.asarray(image.histogram()[:256]) > 0
    return np.ascontiguousarray(colours[:, 0]) if is_grey(colours[used][None]) else colours


def apply_orientation(pixels: Pixels, orientation: int) -> Pixels:
    """Turn a page upright.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page as stored.
    orientation : int
        As in EXIF, 1 to 8.

    Returns
    -------
    (h, w) or (h, w, 3) uint8
        A view of the same memory; sides are exchanged from orientation 5 on.

    Examples
    --------
    >>> apply_orientation(np.array([[1, 2, 3]], np.uint8), 6).tolist()  # a quarter turn clockwise
    [[1], [2], [3]]
    """
    if orientation >= 5:
        pixels = pixels.swapaxes(0, 1)
    flip_rows = orientation in {3, 4, 7, 8}
    flip_columns = orientation in {2, 3, 6, 7}
    return pixels[:: -1 if flip_rows else 1, :: -1 if flip_columns else 1]


def darkness(pixels: Pixels) -> Pixels:
    """Return the darkest channel of each pixel.

    By luminance, yellow would be paper; a drawing's lines are ink in any colour.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        Grey or RGB.

    Returns
    -------
    (H, W) uint8
        0 is black.

    Examples
    --------
    >>> darkness(np.array([[[255, 255, 0], [250, 255, 255]]], np.uint8)).tolist()
    [[0, 250]]
    """
    if pixels.ndim == 2:
        return np.ascontiguousarray(pixels)
    red, green, blue = cv2.split(np.ascontiguousarray(pixels))
    return np.asarray(cv2.min(cv2.min(red, green), blue))


TILE = 512


class Pyramid:
    """The levels of a page: level 0 is the page itself, the last one fits into one tile.

    Averaging keeps thin lines visible when a drawing is shown small: a line of one px becomes
    paler, but has no gaps.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page; it is kept as ``pixels``, not copied.
    progress : Progress
        Called with the levels done.

    Examples
    --------
    >>> pyramid = Pyramid(np.zeros((700, 1300), np.uint8))
    >>> pyramid.levels, pyramid.tile(0, 2, 1).shape
    (3, (188, 276))
    """

    def __init__(self, pixels: Pixels, progress: Progress = silent) -> None:
        self.pixels = pixels
        self._sizes = [(int(pixels.shape[1]), int(pixels.shape[0]))]
        while max(self._sizes[-1]) > TILE:
            width, height = self._sizes[-1]
            self._sizes.append(((width + 1) // 2, (height + 1) // 2))
        # level 1 would be three quarters of the memory and is made anew for each tile
        self._small: list[Pixels] = []
        for level in range(2, self.levels):
            progress(level, self.levels, "scaling")
            self._small.append(halve(self._small[-1]) if self._small else quarter(self.pixels))

    @property
    def width(self) -> int:
        """Width of the page in px."""
        return self._sizes[0][0]

    @property
    def height(self) -> int:
        """Height of the page in px."""
        return self._sizes[0][1]

    @property
    def levels(self) -> int:
        """Number of levels, at least 1."""
        return len(self._sizes)

    def reduced(self, side: int) -> Pixels:
        """Return the page at the smallest resolution at which it still has enough pixels.

        Parameters
        ----------
        side : int
            The length in px that the longer side has at least, unless the page is smaller.

        Returns
        -------
        (h, w) or (h, w, 3) uint8
            Not a copy.

        Examples
        --------
        >>> Pyramid(np.zeros((3000, 5000), np.uint8)).reduced(1000).shape
        (750, 1250)
        """
        enough = (pixels for pixels in reversed(self._small) if max(pixels.shape[:2]) >= side)
        return next(enough, self.pixels)

    def tile(self, level: int, column: int, row: int) -> Pixels:
        """Return a tile of a level.

        Parameters
        ----------
        level : int
            2 to the power of ``level`` px of the page are averaged in each direction.
        column, row : int
            Position of the tile, from 0.

        Returns
        -------
        (h, w) or (h, w, 3) uint8
            Contiguous, at most ``TILE`` × ``TILE``; empty outside the page.

        Examples
        --------
        >>> Pyramid(np.zeros((700, 1300), np.uint8)).tile(1, 1, 0).shape
        (350, 138)
        """
        left, top = column * TILE, row * TILE
        if level == 1:
            source = self.pixels[2 * top : 2 * (top + TILE), 2 * left : 2 * (left + TILE)]
            return halve(source) if source.size else source
        pixels = self._small[level - 2] if level else self.pixels
        return np.ascontiguousarray(pixels[top : top + TILE, left : left + TILE])


def halve(pixels: NDArray[Any]) -> NDArray[Any]:
    """Average 2 × 2 px; the last column and row of odd sides are averaged alone.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8 or uint16
        At least one pixel.

    Returns
    -------
    (h, w) or (h, w, 3), of the same type
        Sides are halved and rounded up.

    Examples
    --------
    >>> halve(np.array([[0, 10, 20], [20, 10, 40]], np.uint8)).tolist()
    [[10, 30]]
    """
    height, width = pixels.shape[:2]
    if height % 2 or width % 2:
        padding = [(0, height % 2), (0, width % 2)] + [(0, 0)] * (pixels.ndim - 2)
        pixels = np.pad(pixels, padding, mode="edge")
    size = pixels.shape[1] // 2, pixels.shape[0] // 2
    half = cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_AREA)
    return np.asarray(half)


def quarter(pixels: NDArray[Any]) -> NDArray[Any]:
    """Average 4 × 4 px, as `halve` applied twice, without holding all of the first result.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8 or uint16
        At least one pixel.

    Returns
    -------
    (h, w) or (h, w, 3), of the same type
        Sides are divided by 4 and rounded up.

    Examples
    --------
    >>> quarter(np.full((8, 9), 5, np.uint8)).tolist()
    [[5, 5, 5], [5, 5, 5]]
    """
    height, width = pixels.shape[:2]
    quarter = np.empty(((height + 3) // 4, (width + 3) // 4, *pixels.shape[2:]), pixels.dtype)
    for top, bottom in row_bands(width, len(quarter), BAND_PIXELS // 4):
        quarter[top:bottom] = halve(halve(pixels[4 * top : 4 * bottom]))
    return quarter


def shrink(pixels: Pixels, side: int) -> Pixels:
    """Average the pixels of a page so that it is small.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page.
    side : int
        Largest length of the longer side in px.

    Returns
    -------
    (h, w) or (h, w, 3) uint8
        A page that is smaller keeps its size.

    Examples
    --------
    >>> shrink(np.array([[0, 10, 20, 20], [20, 10, 40, 40]], np.uint8), 2).tolist()
    [[10, 30]]
    """
    # halving is much quicker than one step of any other size, with the same averages
    while max(pixels.shape[:2]) >= 4 * side:
        pixels = quarter(pixels)
    while max(pixels.shape[:2]) >= 2 * side:
        pixels = halve(pixels)
    height, width = pixels.shape[:2]
    factor = side / max(height, width)
    if factor >= 1:
        return np.ascontiguousarray(pixels)
    size = max(1, round(width * factor)), max(1, round(height * factor))
    # rows are gathered first, because a turned page is not stored row by row
    small = cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)
