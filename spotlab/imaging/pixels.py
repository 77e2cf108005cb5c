"""Reads a page's pixels: the whole page, or a thumbnail faster.

A worker decodes them (`spotlab.confined`); they lie in memory that it shares with this process.
"""

from __future__ import annotations

from pathlib import Path

from spotlab.confined.client import Limits, read
from spotlab.imaging.conversion import Pixels
from spotlab.imaging.growing_page import GrowingPage
from spotlab.imaging.header import read_header
from spotlab.imaging.pyramid import shrink
from spotlab.progress import Progress, silent

__all__ = ["is_large", "is_thumbnail_fast", "read_page", "read_thumbnail", "shrink"]

LIMITS = Limits(bytes=900_000_000, seconds=60)
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
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("RGB", (3, 2), (9, 9, 9)).save(Path(folder) / "page.png")
    ...     read_page(Path(folder) / "page.png").tolist()
    [[9, 9, 9], [9, 9, 9]]
    """
    _, [pixels] = read(
        Path(path),
        "spotlab.imaging.decoding:_page",
        {"path": str(Path(path).absolute()), "frame": frame},
        LIMITS,
        progress,
        growing.showing if growing else None,
    )
    return pixels


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
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("L", (300, 200)).save(Path(folder) / "page.png")
    ...     read_thumbnail(Path(folder) / "page.png", side=30).shape
    (20, 30)
    """
    _, [pixels] = read(
        Path(path),
        "spotlab.imaging.decoding:_thumbnail",
        {"path": str(Path(path).absolute()), "frame": frame, "side": side},
        LIMITS,
    )
    return pixels


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
    if Path(path).suffix.lower() == ".pdf":
        return True
    header = read_header(path, frame)
    return header.description.startswith(("JPEG", "MPO")) or not is_large(
        header.width, header.height
    )


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
