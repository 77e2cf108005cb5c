"""Decodes large pages with OpenCV, into the memory where they stay; Pillow takes a copy."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.errors import BadInput
from spotlab.extras import cv2
from spotlab.files import has_utf8_name
from spotlab.imaging import jpeg
from spotlab.imaging.conversion import (
    Pixels,
    Zeros,
    compact,
    row_bands,
    scale_to_byte,
    white_value,
)
from spotlab.progress import Progress

LARGE = 24_000_000  # px; below, Pillow's copies do not matter

_DEEP = frozenset({"I;16", "I"})  # Pillow's modes of grey of 16 bits


def can_decode(image: Image.Image) -> bool:
    """Tell whether OpenCV should decode a page: it is large, and of a kind that OpenCV can decode.

    Parameters
    ----------
    image : PIL.Image.Image
        The opened image.

    Returns
    -------
    bool
    """
    if image.width * image.height < LARGE or "transparency" in image.info:
        return False
    if not has_utf8_name(Path(getattr(image, "filename", ""))):
        return False  # OpenCV would crash
    if image.format == "PNG":
        if image.info.get("interlace"):
            return False  # rows do not come in order
        modes = _DEEP | {"RGB"} if _has_16_bits(image) else {"1", "L", "P", "RGB", "RGBA"}
        return image.mode in modes
    if image.format in {"JPEG", "MPO"}:
        return image.mode in {"L", "RGB"}
    return image.mode == "RGB" and image.format in {"WEBP", "BMP"}


def _has_16_bits(image: Image.Image) -> bool:
    return any(";16" in str(tile) for tile in getattr(image, "tile", ()))


def decode(
    path: Path,
    image: Image.Image,
    progress: Progress,
    showing: Callable[[Pixels], AbstractContextManager[object]] = nullcontext,
    zeros: Zeros = np.zeros,
) -> Pixels:
    """Decode the file of an opened image.

    Parameters
    ----------
    path : Path
        The file.
    image : PIL.Image.Image
        The same file, opened; `can_decode` is True of it.
    progress : Progress
        Called with the rows done.
    showing : callable
        Called with the pixels, which are 0; gives a context in which they are filled from the top.
        Those of a page with transparency are BGRA.
    zeros : callable
        Makes the array that is returned, as `numpy.zeros` does.

    Returns
    -------
    (H, W) or (H, W, 3) uint8
        Grey, or RGB where the page has colour; as stored, without any rotation.

    Raises
    ------
    BadInput
        The file does not hold the whole page.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from spotlab.progress import silent
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.png")
    ...     Image.new("L", (3, 2), 255).save(path)
    ...     with Image.open(path) as image:
    ...         decode(path, image, silent).tolist()
    [[255, 255, 255], [255, 255, 255]]
    """
    progress(0, None, "opening")
    if image.format in {"JPEG", "MPO"} and not jpeg.has_end(path):
        raise BadInput(path, "the image is cut off")
    flags, channels = _flags(image)
    shape = (image.height, image.width) if channels == 1 else (image.height, image.width, channels)
    deep = image.mode in _DEEP
    # memory that nobody has written to is 0 without being touched
    pixels: NDArray[Any] = zeros(shape, np.uint16 if deep else np.uint8)
    # OpenCV does not say when it stopped early, but then it leaves the rows that it did not reach
    edges = [0, image.height - 1]
    marks = np.random.default_rng(0).integers(0, 256, pixels[edges].shape, np.uint8)
    pixels[edges] = marks
    with showing(pixels):
        decoded = cv2.imread(str(path), pixels, flags)
    if decoded is not pixels or (pixels[edges] == marks).reshape(2, -1).all(axis=1).any():
        raise BadInput(path, "the image is damaged or cut off")
    del decoded
    if deep:
        return _with_8_bits(pixels, progress)
    if pixels.ndim == 2:
        progress(image.height, image.height, "opening")
        return pixels
    return compact(pixels, progress)


def _flags(image: Image.Image) -> tuple[int, int]:
    """What OpenCV is told, and the channels that it then decodes."""
    if image.mode == "RGBA":
        return int(cv2.IMREAD_UNCHANGED), 4
    if image.mode in {"1", "L"} or _has_grey_palette(image):
        return int(cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION), 1
    if image.mode in _DEEP:
        return int(cv2.IMREAD_ANYDEPTH | cv2.IMREAD_IGNORE_ORIENTATION), 1
    return int(cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION), 3


def _has_grey_palette(image: Image.Image) -> bool:
    if image.mode != "P" or image.palette is None:
        return False
    colours = bytes(image.palette.palette)  # image.getpalette() would decode the page
    return colours[::3] == colours[1::3] == colours[2::3]


def _with_8_bits(pixels: NDArray[np.uint16], progress: Progress) -> Pixels:
    """Grey of 16 bits to 8, in the beginning of the same memory."""
    height, width = pixels.shape
    bands = list(row_bands(width, height))
    white = white_value(max(int(pixels[top:bottom].max()) for top, bottom in bands))
    flat = pixels.reshape(-1).view(np.uint8)
    for top, bottom in bands:
        progress(top, height, "opening")
        # the written part never overtakes the part that is still to be read
        flat[top * width : bottom * width] = scale_to_byte(pixels[top:bottom], 0, white).ravel()
    progress(height, height, "opening")
    return flat[: height * width].reshape(height, width)
