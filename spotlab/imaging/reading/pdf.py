"""Pages of PDF files, rendered at a fixed resolution."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.files import has_utf8_name, open_file, read_file
from spotlab.imaging.reading.conversion import Zeros
from spotlab.imaging.reading.image_file import check_file, check_size, readable_errors
from spotlab.libraries import pypdfium2

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
