"""Decodes pages in the process that calls; `pixels` and `header` have a worker do it.

All that files of strangers meet stands here and in what it imports: Pillow, OpenCV and PDFium.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.confined.worker import Call
from spotlab.errors import BadInput, counted
from spotlab.imaging.reading import image_file, large_images, pdf
from spotlab.imaging.reading.conversion import (
    Pixels,
    Zeros,
    apply_orientation,
    compact,
    pixels_from_image,
)
from spotlab.imaging.reading.image_file import (
    check_frame,
    check_size,
    displayed_size,
    open_image,
    orientation,
)
from spotlab.imaging.reading.pyramid import shrink
from spotlab.processes import release_memory
from spotlab.progress import Progress, silent

MEMORY = 800_000_000  # bytes that decoding may take beside the page itself

# Turning is free as a view; below this size a copy makes all that follows a little faster.
_COPIED_BYTES = 64_000_000
_SMALL_MODES = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16B": 2}  # bytes of a pixel in Pillow; else 4
_MODES = {
    "1": "black and white",
    "L": "grey",
    "LA": "grey with transparency",
    "P": "palette",
    "PA": "palette with transparency",
    "RGB": "colour",
    "RGBA": "colour with transparency",
    "CMYK": "CMYK",
    "YCbCr": "colour",
}


Answer = tuple[Any, list[NDArray[Any]]]


def _header(_: Call, path: str, frame: int) -> Answer:
    """Return what a worker is asked for by `spotlab.imaging.reading.pixels`."""
    return list(decode_header(Path(path), frame)), []


def _page(call: Call, path: str, frame: int) -> Answer:
    """Return what a worker is asked for by `spotlab.imaging.reading.pixels`."""
    zeros = call.arrays.zeros
    return None, [decode_page(Path(path), frame, call.progress, call.showing, zeros, call.cores)]


def _thumbnail(call: Call, path: str, frame: int, side: int) -> Answer:
    """Return what a worker is asked for by `spotlab.imaging.reading.pixels`, too."""
    return None, [decode_thumbnail(Path(path), frame, side, call.progress, call.arrays.zeros)]


def decode_header(path: Path, frame: int) -> tuple[int, int, int, str]:
    """Read width and height, the number of pages and the kind of a page.

    Parameters
    ----------
    path : Path
        The image or PDF file.
    frame : int
        Which of its pages, from 0.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("L", (30, 20)).save(Path(folder) / "page.png")
    ...     decode_header(Path(folder) / "page.png", 0)
    (30, 20, 1, 'PNG, grey')
    """
    if pdf.is_pdf(path):
        width, height, frames = pdf.page_size(path, frame)
        return width, height, frames, f"PDF page at {pdf.DPI} dpi"
    with open_image(path, frame) as image:
        frames = check_frame(path, image, frame)
        width, height = displayed_size(path, image)
        check_size(path, width, height)
        kind = _MODES.get(image.mode, f"{image.mode} pixels")
        return width, height, frames, f"{image.format}, {kind}"


def decode_page(
    path: Path,
    frame: int = 0,
    progress: Progress = silent,
    showing: Callable[..., AbstractContextManager[object]] | None = None,
    zeros: Zeros = np.zeros,
    threads: int = 1,
) -> Pixels:
    """Decode a page as `spotlab.imaging.reading.pixels.read_page` returns it.

    Parameters
    ----------
    path : Path
        The image or PDF file.
    frame : int
        Which of its pages, from 0.
    progress : Progress
        Called with the rows done.
    showing : callable, optional
        Called with pixels that are 0 and how they are turned, as `GrowingPage.showing`; gives a
        context in which they are filled from the top.
    zeros : callable
        Makes the array that is returned, as `numpy.zeros` does.
    threads : int
        At most so many.

    Returns
    -------
    (H, W) or (H, W, 3) uint8
        Grey, or RGB where the page has colour.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("L", (300, 200)).save(Path(folder) / "page.png")
    ...     decode_page(Path(folder) / "page.png").shape
    (200, 300)
    """
    if pdf.is_pdf(path):
        progress(0, None, "rendering")
        return compact(pdf.render(path, frame, zeros=zeros), silent)
    with open_image(path, frame) as image:
        size = displayed_size(path, image)
        check_size(path, *size)
        # Pillow turns TIFF by itself while decoding, and nothing else
        turn = 1 if image.format == "TIFF" else orientation(path, image)
        show = partial(showing, orientation=turn) if showing else nullcontext
        if large_images.can_decode(image):
            pixels = large_images.decode_by_opencv(path, image, progress, show, zeros)
        elif segments := large_images.find_segments(image):
            pixels = large_images.decode_tiff(path, image, segments, progress, show, zeros, threads)
        else:
            progress(0, None, "opening")
            _check_memory(path, image)
            upper = large_images.decode_upper_part(path, image, zeros) if showing else None
            with nullcontext() if upper is None else show(upper):
                image.load()
            del upper
            _check_rows(path, image)
            pixels = pixels_from_image(image, progress, zeros)
        release_memory()
        pixels = apply_orientation(pixels, turn)
        if pixels.shape[1::-1] != size:
            raise BadInput(path, f"the header says {size[0]} × {size[1]} px, the content differs")
        if pixels.flags.c_contiguous or pixels.nbytes > _COPIED_BYTES:
            return pixels
        upright: Pixels = zeros(pixels.shape, np.uint8)
        upright[...] = pixels
        return upright


def _check_memory(path: Path, image: Image.Image) -> None:
    """Refuse a page of which Pillow would take more memory than a worker has."""
    needed = image.width * image.height * _SMALL_MODES.get(image.mode, 4)
    if needed > MEMORY:
        kind = _MODES.get(image.mode, f"{image.mode} pixels")
        raise BadInput(
            path,
            f"decoding {image.width} × {image.height} px of this kind ({image.format}, {kind})"
            f" takes {needed / 1e9:.1f} GB of memory",
            expected=f"at most {MEMORY / 1e9:.1f} GB, or 8-bit grey or RGB",
        )


def _check_rows(path: Path, image: Image.Image) -> None:
    """Raise `BadInput` for a PNG with too few rows, which Pillow leaves empty silently."""
    width, height = image.size
    last = image.crop((0, height - 1, width, height))
    if image.format == "PNG" and not np.asarray(last).any() and not image_file.has_all_rows(path):
        raise BadInput(path, f"the header says {counted(height, 'row')}, but some are missing")


def decode_thumbnail(
    path: Path, frame: int, side: int, progress: Progress = silent, zeros: Zeros = np.zeros
) -> Pixels:
    """Decode a page at a small size, as `spotlab.imaging.reading.pixels.read_thumbnail` returns it.

    Parameters
    ----------
    path : Path
        The image or PDF file.
    frame : int
        Which of its pages, from 0.
    side : int
        Largest length of the longer side in px.
    progress : Progress
        Called with the rows done.
    zeros : callable
        Makes the array that is decoded into, as `numpy.zeros` does.

    Returns
    -------
    (H, W) or (H, W, 3) uint8
        Grey, or RGB where the page has colour.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("L", (300, 200)).save(Path(folder) / "page.png")
    ...     decode_thumbnail(Path(folder) / "page.png", 0, 30).shape
    (20, 30)
    """
    if pdf.is_pdf(path):
        return compact(pdf.render(path, frame, side), silent)
    with open_image(path, frame) as image:
        check_size(path, *displayed_size(path, image))
        if image.format in {"JPEG", "MPO"}:
            turn, width = orientation(path, image), image.width
            image.draft(None, (side, side))
            with _coarse(path, image, width) or nullcontext(image) as drawn:
                drawn.draft(None, (side, side))
                return shrink(apply_orientation(pixels_from_image(drawn), turn), side)
    return shrink(decode_page(path, frame, progress, zeros=zeros), side)


def _coarse(path: Path, image: Image.Image, width: int) -> Image.Image | None:
    """The beginning of a progressive file, where that is all that is needed: at an eighth."""
    if not image.info.get("progressive") or image.width * 4 >= width:
        return None
    content = image_file.first_scan(path)
    return None if content is None else Image.open(BytesIO(content))
