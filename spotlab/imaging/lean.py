"""Decodes large colour pages in three bytes per pixel, where Pillow takes four and a copy."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.errors import BadInput
from spotlab.imaging.conversion import Pixels, bands, is_grey, on_white
from spotlab.progress import Progress

LARGE = 24_000_000  # px; below, Pillow's copies do not matter

_FORMATS = frozenset({"PNG", "JPEG", "MPO", "WEBP", "BMP"})


def suits(image: Image.Image) -> bool:
    """Whether the page is so large, and of such a kind, that OpenCV had better decode it."""
    if image.format not in _FORMATS or image.width * image.height < LARGE:
        return False
    if image.mode == "RGBA":
        return image.format == "PNG" and not _sixteen_bit(image)
    return image.mode == "RGB" and "transparency" not in image.info


def _sixteen_bit(image: Image.Image) -> bool:
    return any(";16" in str(tile) for tile in getattr(image, "tile", ()))


def decode(path: Path, image: Image.Image, progress: Progress) -> Pixels:
    """Decode the file of an opened image as (H, W) grey or (H, W, 3) RGB; not turned.

    Raises
    ------
    BadInput
        The file does not hold the whole page.
    """
    progress(0, None, "opening")
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    if image.mode == "RGBA":
        flags = cv2.IMREAD_UNCHANGED
    decoded = cv2.imdecode(np.fromfile(path, np.uint8), flags)
    if decoded is None or decoded.dtype != np.uint8 or decoded.shape[1::-1] != image.size:
        raise BadInput(path, "the image is damaged or cut off")
    pixels: NDArray[np.uint8] = np.asarray(decoded)
    return _compacted(pixels, progress)


def _compacted(pixels: Pixels, progress: Progress) -> Pixels:
    """BGR or BGRA to RGB or grey inside the same memory, which is then shortened."""
    height, width, channels = pixels.shape
    grey = all(_band_is_grey(pixels[top:bottom]) for top, bottom in bands(width, height))
    target_channels = 1 if grey else 3
    flat = pixels.reshape(-1)
    for top, bottom in bands(width, height):
        progress(top, height, "opening")
        band = pixels[top:bottom]
        if channels == 4:
            band = on_white(band)
        band = band[..., 0].copy() if grey else band[..., ::-1].copy()
        # the written part never overtakes the part that is still to be read
        flat[top * width * target_channels : bottom * width * target_channels] = band.reshape(-1)
    used = height * width * target_channels
    shape = (height, width) if grey else (height, width, 3)
    del flat, band
    if used < pixels.size:
        return _shortened(pixels, used).reshape(shape)
    return pixels


def _band_is_grey(band: Pixels) -> bool:
    return is_grey(on_white(band) if band.shape[2] == 4 else band)


def _shortened(pixels: Pixels, size: int) -> Pixels:
    """The first ``size`` bytes; the rest of the memory goes back where the array owns it."""
    flat = pixels.reshape(-1)
    if not pixels.flags.owndata:
        return flat[:size].copy()
    del flat
    pixels.resize(size, refcheck=False)  # nobody else knows this array
    return pixels
