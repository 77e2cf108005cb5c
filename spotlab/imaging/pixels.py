"""Reads a page's pixels: the whole page, or a thumbnail faster."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from spotlab.errors import BadInput
from spotlab.extras import cv2
from spotlab.imaging import jpeg, opencv_decoder, pdf, png, tiff_layout, tiff_segments
from spotlab.imaging.conversion import Pixels, apply_orientation, is_grey, pixels_from_image
from spotlab.imaging.growing_page import GrowingPage
from spotlab.imaging.image_file import check_size, displayed_size, open_image, orientation
from spotlab.imaging.pyramid import halve, quarter
from spotlab.memory import release_memory
from spotlab.progress import Progress, silent

# Turning is free as a view; below this size a copy makes all that follows a little faster.
_COPIED_BYTES = 64_000_000
_LARGE = 12_000_000  # px


def read_page(
    path: Path,
    frame: int = 0,
    progress: Progress = silent,
    growing: GrowingPage | None = None,
) -> Pixels:
    """Decode a page.

    Parameters
    ----------
    path : Path
        The image or PDF file; PDF pages are rendered at ``pdf.DPI`` dots per inch.
    frame : int
        Which of its pages, from 0.
    progress : Progress
        Called with the rows done.
    growing : GrowingPage, optional
        Shows what is there so far, if the page is decoded row by row.

    Returns
    -------
    (H, W) or (H, W, 3) uint8
        Grey, or RGB where the page has colour; upright, on white. Very large pages that had to be
        rotated are views with unusual strides.

    Raises
    ------
    BadInput
        As `spotlab.imaging.header.read_header`; also when pixels are missing. A page is read whole
        or refused.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("RGB", (3, 2), (9, 9, 9)).save(Path(folder) / "page.png")
    ...     read_page(Path(folder) / "page.png").tolist()
    [[9, 9, 9], [9, 9, 9]]
    """
    path = Path(path)
    if pdf.is_pdf(path):
        progress(0, None, "rendering")
        return _grey_if_possible(pdf.render(path, frame))
    with open_image(path, frame) as image:
        size = displayed_size(path, image)
        check_size(path, *size)
        # Pillow turns TIFF by itself while decoding, and nothing else
        turn = 1 if image.format == "TIFF" else orientation(path, image)
        show = partial(growing.showing, orientation=turn) if growing else nullcontext
        if opencv_decoder.can_decode(image):
            pixels = opencv_decoder.decode(path, image, progress, show)
        elif segments := tiff_layout.find_segments(image):
            pixels = tiff_segments.decode(path, image, segments, progress, show)
        else:
            progress(0, None, "opening")
            upper = tiff_segments.decode_upper_part(path, image) if growing else None
            with nullcontext() if upper is None else show(upper):
                image.load()
            del upper
            _check_rows(path, image)
            pixels = pixels_from_image(image, progress)
        release_memory()
        pixels = apply_orientation(pixels, turn)
        if pixels.shape[1::-1] != size:
            raise BadInput(path, f"the header says {size[0]} × {size[1]} px, the content differs")
        return np.ascontiguousarray(pixels) if pixels.nbytes <= _COPIED_BYTES else pixels


def _check_rows(path: Path, image: Image.Image) -> None:
    """Raise `BadInput` for a PNG with too few rows, which Pillow leaves empty silently."""
    width, height = image.size
    last = image.crop((0, height - 1, width, height))
    if image.format == "PNG" and not np.asarray(last).any() and not png.has_all_rows(path):
        raise BadInput(path, f"the header says {height} rows, but some are missing")


def read_thumbnail(path: Path, frame: int = 0, side: int = 256) -> Pixels:
    """Decode a page at a small size.

    JPEG is decoded at reduced resolution and PDF rendered small; other formats have to be decoded
    in full.

    Parameters
    ----------
    path : Path
        The image or PDF file.
    frame : int
        Which of its pages, from 0.
    side : int
        Largest length of the longer side in px.

    Returns
    -------
    (h, w) or (h, w, 3) uint8
        Grey, or RGB where the page has colour; a page that is smaller keeps its size.

    Raises
    ------
    BadInput
        As `read_page`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("L", (300, 200)).save(Path(folder) / "page.png")
    ...     read_thumbnail(Path(folder) / "page.png", side=30).shape
    (20, 30)
    """
    path = Path(path)
    if pdf.is_pdf(path):
        return _grey_if_possible(pdf.render(path, frame, side))
    with open_image(path, frame) as image:
        check_size(path, *displayed_size(path, image))
        if image.format in {"JPEG", "MPO"}:
            turn, width = orientation(path, image), image.width
            image.draft(None, (side, side))
            with _coarse(path, image, width) or nullcontext(image) as drawn:
                drawn.draft(None, (side, side))
                return shrink(apply_orientation(pixels_from_image(drawn), turn), side)
    return shrink(read_page(path, frame), side)


def _coarse(path: Path, image: Image.Image, width: int) -> Image.Image | None:
    """The beginning of a progressive file, where that is all that is needed: at an eighth."""
    if not image.info.get("progressive") or image.width * 4 >= width:
        return None
    content = jpeg.first_scan(path)
    return None if content is None else Image.open(BytesIO(content))


def is_thumbnail_fast(path: Path, frame: int = 0) -> bool:
    """Tell whether a thumbnail takes much less time than the whole page, or the page is small.

    Parameters
    ----------
    path : Path
        The image or PDF file.
    frame : int
        Which of its pages, from 0.

    Returns
    -------
    bool

    Raises
    ------
    BadInput
        As `read_page`, as far as the header shows.

    Examples
    --------
    >>> is_thumbnail_fast(Path("plans.pdf"))
    True
    """
    path = Path(path)
    if pdf.is_pdf(path):
        return True
    with open_image(path, frame) as image:
        return image.format in {"JPEG", "MPO"} or not is_large(*image.size)


def is_large(width: int, height: int) -> bool:
    """Tell whether decoding a page takes so long that somebody would wait for it.

    Parameters
    ----------
    width, height : int
        Of the page in px.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_large(2480, 3508), is_large(10_000, 10_000)
    (False, True)
    """
    return width * height >= _LARGE


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


def _grey_if_possible(pixels: Pixels) -> Pixels:
    return np.ascontiguousarray(pixels[..., 0]) if is_grey(pixels) else np.ascontiguousarray(pixels)
