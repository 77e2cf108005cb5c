"""Pages of PDF files, rendered at a fixed resolution."""

from __future__ import annotations

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
from spotlab.imaging.image_file import check_file, check_size, readable_errors
from spotlab.libraries import pypdfium2

DPI = 200  # a page of truth has to have one size for ever, so this is no setting
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
def _page(path: Path, frame: int) -> Iterator[tuple[Any, int]]:
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
            if not 0 <= frame < len(document):
                raise BadInput(
                    path, f"there is no page {frame + 1}", expected=f"1 to {len(document)}"
                )
            page = document[frame]
            try:
                yield page, len(document)
            finally:
                page.close()
        finally:
            document.close()


def _size(page: Any, dpi: float) -> tuple[int, int]:
    scale = dpi / _POINTS_PER_INCH
    return math.ceil(page.get_width() * scale), math.ceil(page.get_height() * scale)


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
        The file is no PDF, is damaged or protected, has no such page, or the page is too large.

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
    with _page(path, frame) as (page, frames):
        width, height = _size(page, DPI)
        check_size(path, width, height)
        return width, height, frames


def render(path: Path, frame: int, side: int | None = None) -> NDArray[np.uint8]:
    """Render a page of a PDF file on white.

    Parameters
    ----------
    path : Path
        The file.
    frame : int
        Which of its pages, from 0.
    side : int, optional
        Length of the longer side in px, if that is smaller than at ``DPI`` dots per inch.

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
    with _page(path, frame) as (page, _frames):
        width, height = _size(page, DPI)
        check_size(path, width, height)
        scale = DPI / _POINTS_PER_INCH
        if side is not None:
            scale *= min(1.0, side / max(width, height))
        bitmap = page.render(scale=scale, rev_byteorder=True, fill_color=(255, 255, 255, 255))
        pixels: NDArray[np.uint8] = bitmap.to_numpy()  # keeps the bitmap's memory alive
        if side is None and pixels.shape[:2] != (height, width):
            raise BadInput(path, "the page was not rendered in full")
        return pixels[..., :3]
