"""Decodes pages in the process that calls; `pixels` and `header` have a worker do it.

All that files of strangers meet stands here and in what it imports: Pillow, OpenCV and PDFium.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.confined.worker import Call
from spotlab.errors import BadInput, counted
from spotlab.files import has_utf8_name, open_file, read_file
from spotlab.imaging.reading import image_file, large_images
from spotlab.imaging.reading.image_file import (
    check_file,
    check_frame,
    check_size,
    displayed_size,
    open_image,
    orientation,
    readable_errors,
)
from spotlab.imaging.reading.pyramid import (
    Pixels,
    Zeros,
    apply_orientation,
    compact,
    pixels_from_image,
    shrink,
)
from spotlab.libraries import pypdfium2
from spotlab.processes import release_memory
from spotlab.progress import Progress, silent

DPI = 200  # a page of truth has to have one size for ever, so this is no setting
MAXIMUM_PAGES = 100_000  # of a file
_POINTS_PER_INCH = 72

_pdfium = threading.Lock()  # PDFium may only be used by one thread at a time


def is_pdf(path: Path) -> bool:
    """Tell whether a file is named like a PDF.

    Parameters
    ----------
    path : Path
        Its content is not read.

    Returns
    -------
    bool
    """
    return path.suffix.lower() == ".pdf"


@contextmanager
def _document(path: Path, frame: int) -> Iterator[tuple[Any, int]]:
    """Open a document that has this page; also yields the number of its pages."""
    with readable_errors(path, "reading the PDF"), _pdfium:
        check_file(path)
        with open_file(path) as file:
            if b"%PDF" not in file.read(1024):
                raise BadInput(path, "the name ends in .pdf but the content is not PDF")
        try:
            named = has_utf8_name(path)
            document = pypdfium2.PdfDocument(path if named else read_file(path))
        except pypdfium2.PdfiumError as error:
            problem = (
                "it is protected by a password" if "assword" in str(error) else "it is damaged"
            )
            raise BadInput(path, f"the PDF cannot be opened: {problem}") from error
        try:
            frames = len(document)
            if frames > MAXIMUM_PAGES:
                raise BadInput(
                    path, f"it has {frames:,} pages", expected=f"at most {MAXIMUM_PAGES:,}"
                )
            if not 0 <= frame < frames:
                raise BadInput(path, f"there is no page {frame + 1}", expected=f"1 to {frames}")
            yield document, frames
        finally:
            document.close()


def _points(path: Path, document: Any, frame: int) -> tuple[float, float]:
    """Width and height of a page as it is displayed, without loading what is on it."""
    size = pypdfium2.raw.FS_SIZEF()
    if not pypdfium2.raw.FPDF_GetPageSizeByIndexF(document, frame, ctypes.byref(size)):
        raise BadInput(path, f"page {frame + 1} is damaged: it has no size")
    return size.width, size.height


def _pixels(points: tuple[float, float]) -> tuple[int, int]:
    width, height = (math.ceil(length * DPI / _POINTS_PER_INCH) for length in points)
    return width, height


def page_size(path: Path, frame: int) -> tuple[int, int, int]:
    """Return the size of a page of a PDF file.

    Parameters
    ----------
    path : Path
        The file.
    frame : int
        Which of its pages, from 0.

    Returns
    -------
    width, height : int
        In px at ``DPI`` dots per inch.
    frames : int
        Number of pages of the file.

    Raises
    ------
    BadInput
        The file is no PDF, is damaged or protected, has no such page or more than
        ``MAXIMUM_PAGES``, or the page is too large.

    Examples
    --------
    A page of 2 by 1 inches:

    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.pdf")
    ...     Image.new("L", (144, 72)).save(path, resolution=72)
    ...     page_size(path, 0)
    (400, 200, 1)
    """
    with _document(path, frame) as (document, frames):
        width, height = _pixels(_points(path, document, frame))
        check_size(path, width, height)
        return width, height, frames


def render(
    path: Path, frame: int, side: int | None = None, zeros: Zeros = np.zeros
) -> NDArray[np.uint8]:
    """Render a page of a PDF file on white.

    Parameters
    ----------
    path : Path
        The file.
    frame : int
        Which of its pages, from 0.
    side : int, optional
        Length of the longer side in px, if that is smaller than at ``DPI`` dots per inch.
    zeros : callable
        Makes the array that is returned, as `numpy.zeros` does.

    Returns
    -------
    (H, W, 3) uint8
        RGB.

    Raises
    ------
    BadInput
        As `page_size`; also where the page was not rendered in full.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.pdf")
    ...     Image.new("L", (144, 72)).save(path, resolution=72)
    ...     render(path, 0).shape, render(path, 0, side=50).shape
    ((200, 400, 3), (25, 50, 3))
    """
    with _document(path, frame) as (document, _frames):
        width, height = _pixels(_points(path, document, frame))
        check_size(path, width, height)
        if side is not None and side < max(width, height):
            factor = side / max(width, height)
            width, height = (max(1, round(length * factor)) for length in (width, height))
        return _rendered(path, document, frame, zeros((height, width, 3), np.uint8))


def _rendered(
    path: Path, document: Any, frame: int, pixels: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Fill the pixels with a page."""
    raw, (height, width, channels) = pypdfium2.raw, pixels.shape
    start = pixels.ctypes.data_as(ctypes.c_void_p)
    pixels.fill(255)
    page = raw.FPDF_LoadPage(document, frame)
    if not page:
        raise BadInput(path, f"page {frame + 1} is damaged")
    try:
        bitmap = raw.FPDFBitmap_CreateEx(width, height, raw.FPDFBitmap_BGR, start, width * channels)
        if not bitmap:
            raise BadInput(path, "the page was not rendered in full")
        try:
            flags = raw.FPDF_ANNOT | raw.FPDF_REVERSE_BYTE_ORDER
            raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        finally:
            raw.FPDFBitmap_Destroy(bitmap)
    finally:
        raw.FPDF_ClosePage(page)
    return pixels


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
    if is_pdf(path):
        width, height, frames = page_size(path, frame)
        return width, height, frames, f"PDF page at {DPI} dpi"
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
    if is_pdf(path):
        progress(0, None, "rendering")
        return compact(render(path, frame, zeros=zeros), silent)
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
    if is_pdf(path):
        return compact(render(path, frame, side), silent)
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
