"""Reads a page's pixels in a worker: its size, a thumbnail, or all while they are decoded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.confined.client import TaskLimits, read
from spotlab.imaging.reading.conversion import (
    Pixels,
    apply_orientation,
    blend_on_white,
    scale_to_byte,
    white_value,
)
from spotlab.imaging.reading.image_file import IMAGE_SUFFIXES, MAXIMUM_PIXELS
from spotlab.imaging.reading.pyramid import halve, quarter, shrink
from spotlab.progress import Progress, silent

__all__ = [
    "IMAGE_SUFFIXES",
    "MAXIMUM_PIXELS",
    "ImageHeader",
    "is_large",
    "is_thumbnail_fast",
    "read_header",
    "read_page",
    "read_thumbnail",
    "shrink",
]

_PARTS = 16  # in which the page is looked at


class GrowingPage:
    """The upper part of a page whose rows are being decoded; may be used from several threads.

    Parameters
    ----------
    side : int
        Largest length of the longer side of the picture in px.

    Examples
    --------
    >>> growing, page = GrowingPage(64), np.zeros((640, 960), np.uint8)
    >>> with growing.showing(page):
    ...     page[:300] = 9
    ...     small = growing.look()
    >>> small.shape, small[[0, 39], 0].tolist()
    ((40, 60), [9, 255])
    """

    def __init__(self, side: int) -> None:
        self._side = side
        self._lock = Lock()
        self._pixels: NDArray[Any] | None = None
        self._orientation = 1
        self._small: Pixels | None = None
        self._rows = 0  # of the page that are in the picture
        self._brightest = 0  # of 16-bit values that were looked at

    @contextmanager
    def showing(self, pixels: NDArray[Any], orientation: int = 1) -> Iterator[None]:
        """Look at these pixels while they are filled from the top in a ``with`` block.

        Parameters
        ----------
        pixels : (H, W), (H, W, 3) or (H, W, 4) uint8, or (H, W) uint16
            Grey, RGB or BGRA, which is shown on white; all 0, but for the last row.
        orientation : int
            How the page has to be turned, as in EXIF.
        """
        with self._lock:
            self._pixels, self._orientation = pixels, orientation
            self._small, self._rows, self._brightest = None, 0, 0
        try:
            yield
        finally:
            with self._lock:  # nobody looks at the pixels any more: they may be moved
                self._pixels = None

    def look(self) -> Pixels | None:
        """Return a small picture of the page, white where nothing has been decoded yet.

        Returns
        -------
        (h, w) or (h, w, 3) uint8 or None
            None where there is no more to be seen than at the last call.
        """
        with self._lock:
            if self._pixels is None or not self._look_at(self._pixels):
                return None
            assert self._small is not None
            return np.ascontiguousarray(apply_orientation(self._small.copy(), self._orientation))

    def _look_at(self, pixels: NDArray[Any]) -> bool:
        """Bring the picture up to date; False where nothing is new."""
        height, width = pixels.shape[:2]
        factor = 4
        while max(height, width) > factor * self._side:
            factor *= 2
        if self._small is None:
            colours = (3,) if pixels.ndim == 3 else ()
            self._small = np.full(
                (-(-height // factor), -(-width // factor), *colours), 255, np.uint8
            )
        edges = [height * part // _PARTS // factor * factor for part in range(1, _PARTS)]
        # what is above a row that is not black is there; black rows show with those that follow
        known = next((edge for edge in reversed(edges) if pixels[edge].any()), 0)
        if known <= self._rows:
            return False
        band = quarter(pixels[self._rows : known])
        for _ in range(factor.bit_length() - 3):
            band = halve(band)
        if band.shape[2:] == (4,):
            band = blend_on_white(band)[..., ::-1]
        if band.dtype == np.uint16:
            self._brightest = max(self._brightest, int(band.max()))
            band = scale_to_byte(band, 0, white_value(self._brightest))
        self._small[self._rows // factor : known // factor] = band
        self._rows = known
        return True


HEADER_LIMITS = TaskLimits(bytes=400_000_000, seconds=20)


@dataclass(frozen=True)
class ImageHeader:
    """Size and kind of one page.

    Attributes
    ----------
    width, height : int
        In px as the page is displayed, that is after any EXIF rotation.
    frames : int
        Number of pages of the file.
    description : str
        Format and kind of pixels, for display.
    """

    width: int
    height: int
    frames: int
    description: str


def read_header(path: Path, frame: int = 0) -> ImageHeader:
    """Read the size of a page without decoding it.

    Parameters
    ----------
    path : Path
        The image or PDF file.
    frame : int
        Which of its pages, from 0.

    Returns
    -------
    ImageHeader

    Raises
    ------
    BadInput
        The file is missing, empty, no image, damaged, not what its name says, has no such page, or
        the page has more than ``MAXIMUM_PIXELS``.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("L", (30, 20)).save(Path(folder) / "page.png")
    ...     read_header(Path(folder) / "page.png")
    ImageHeader(width=30, height=20, frames=1, description='PNG, grey')
    """
    header, _ = read(
        Path(path),
        "spotlab.imaging.reading.decoding:_header",
        {"path": str(Path(path).absolute()), "frame": frame},
        HEADER_LIMITS,
    )
    return ImageHeader(*header)


LIMITS = TaskLimits(bytes=900_000_000, seconds=60)
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
        As `read_header`; also when pixels are missing. A page is read whole
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
        "spotlab.imaging.reading.decoding:_page",
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
        "spotlab.imaging.reading.decoding:_thumbnail",
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
