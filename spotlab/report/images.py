"""Images that a report carries: WebP, as small as they may be and still be read."""

from __future__ import annotations

import base64
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

LEVELS = 16  # of grey, in pages that compress better without loss
PAGE_QUALITY, CROP_QUALITY = 45, 50
_EFFORT = 2  # of 6; twice as fast as 4, for files that are a twentieth larger
_LOSSLESS_EFFORT = 20  # of 100; likewise


def page_webp(pixels: NDArray[np.uint8], quality: int = PAGE_QUALITY) -> bytes:
    """A page, by whichever way gives fewer bytes: lossy, or with few levels of grey and lossless.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        Grey or RGB.
    quality : int
        Of the lossy way, up to 100.
    """
    image = Image.fromarray(np.ascontiguousarray(pixels))
    lossy = _webp(image, quality=quality)
    if pixels.ndim == 3:
        return lossy
    step = 255 / (LEVELS - 1)
    levels = np.rint(np.rint(pixels / step) * step).astype(np.uint8)
    lossless = _webp(Image.fromarray(levels), quality=_LOSSLESS_EFFORT, lossless=True)
    return min(lossy, lossless, key=len)


def crop_webp(pixels: NDArray[np.uint8]) -> bytes:
    """A small picture, (H, W, 3) uint8 RGB."""
    return _webp(Image.fromarray(np.ascontiguousarray(pixels)), quality=CROP_QUALITY)


def smaller_webp(content: bytes, share: float) -> bytes:
    """The same page with its sides shortened to a share in (0, 1]."""
    with Image.open(BytesIO(content)) as image:
        width, height = (max(1, round(side * share)) for side in image.size)
        pixels = np.asarray(image.convert("RGB").resize((width, height), Image.Resampling.BOX))
    grey = (pixels[..., :1] == pixels).all()
    return page_webp(pixels[..., 0] if grey else pixels)


def data_uri(content: bytes, kind: str = "webp") -> str:
    """The image as an address that holds it.

    Examples
    --------
    >>> data_uri(b"abc")
    'data:image/webp;base64,YWJj'
    """
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def _webp(image: Image.Image, *, quality: int, lossless: bool = False) -> bytes:
    content = BytesIO()
    image.save(content, "WEBP", quality=quality, lossless=lossless, method=_EFFORT)
    return content.getvalue()
