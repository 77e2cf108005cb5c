"""Reads a page's pixels in a worker: its size, a thumbnail, or all while they are decoded."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.confined.client import TaskLimits, read
from spotlab.errors import SpotlabError
from spotlab.extras import cv2
from spotlab.imaging.reading.image_file import IMAGE_SUFFIXES, MAXIMUM_PIXELS
from spotlab.imaging.reading.pyramid import (
    Pixels,
    apply_orientation,
    blend_on_white,
    halve,
    quarter,
    scale_to_byte,
    shrink,
    white_value,
)
from spotlab.model import Items
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
    path: Path, frame: int = 0, progress: Progress = silent, growing: GrowingPage | None = None
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


KEPT = 200_000_000  # bytes of decoded pages
MARGIN = 0.06  # of the height, around a word

TurnOf = Callable[[Items, int], int]
"""Quarter turns clockwise that make an item run from left to right."""


def _level(_items: Items, _item: int) -> int:
    return 0


def _grey(pixels: Pixels) -> Pixels:
    return pixels if pixels.ndim == 2 else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))


class WordCrops:
    """Reads pages once and keeps the last ones; may be used by several threads.

    Parameters
    ----------
    files : mapping of str to (Path, int)
        The image file of each page, and which page of it.
    turn_of : callable, optional
        How words run; their pictures are turned, so that they can be read.
    grey_of : callable, optional
        Makes a page grey; by its brightness if left out.
    """

    def __init__(
        self,
        files: Mapping[str, tuple[Path, int]],
        turn_of: TurnOf = _level,
        grey_of: Callable[[Pixels], Pixels] = _grey,
    ) -> None:
        self.files = dict(files)
        self._grey_of = grey_of
        self._turn_of = turn_of
        self._kept: OrderedDict[str, NDArray[np.uint8] | None] = OrderedDict()
        self._lock = Lock()
        self._reading: dict[str, Lock] = {}

    def crop(self, items: Items, item: int) -> NDArray[np.uint8] | None:
        """Cut an item out of its page, with a little margin.

        Parameters
        ----------
        items : Items
        item : int
            One of them.

        Returns
        -------
        (h, w) uint8 or None
            Grey; None where there is no picture.

        Examples
        --------
        >>> WordCrops({}).crop(Items.named(["FT923-11593"]), 0) is None
        True
        """
        if items.page[item] < 0:
            return None
        page = self.page(items.page_name(item))
        return None if page is None else self._cut(page, items, item)

    def crop_at_once(self, items: Items, item: int) -> NDArray[np.uint8] | None:
        """Cut an item out of its page if that has been read.

        Parameters
        ----------
        items : Items
        item : int
            One of them.

        Returns
        -------
        (h, w) uint8 or None
            Grey; None where there is no picture, or its page is not at hand.

        Examples
        --------
        >>> WordCrops({}).crop_at_once(Items.named(["FT923-11593"]), 0) is None
        True
        """
        if items.page[item] < 0:
            return None
        with self._lock:
            page = self._kept.get(items.page_name(item))
        return None if page is None else self._cut(page, items, item)

    def page(self, name: str) -> NDArray[np.uint8] | None:
        """Read a page, or take it from those read last.

        Parameters
        ----------
        name : str
            The page's.

        Returns
        -------
        (H, W) uint8 or None
            Grey; None where it cannot be read.

        Examples
        --------
        >>> WordCrops({}).page("270") is None
        True
        """
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
                return self._kept[name]
            reading = self._reading.setdefault(name, Lock())
        with reading:  # two threads that want one page wait for one decoding
            with self._lock:
                if name in self._kept:
                    return self._kept[name]
            pixels = self._read(name)
            with self._lock:
                self._kept[name] = pixels
                self._forget()
            return pixels

    def _cut(self, page: NDArray[np.uint8], items: Items, item: int) -> NDArray[np.uint8] | None:
        found = _cut(page, items, item)
        if found is None:
            return None
        return np.ascontiguousarray(np.rot90(found, -self._turn_of(items, item)))

    def _read(self, name: str) -> NDArray[np.uint8] | None:
        if name not in self.files:
            return None
        try:
            return self._grey_of(read_page(*self.files[name]))
        except SpotlabError:  # opening the page says what is wrong with it
            return None

    def _forget(self) -> None:
        size = sum(page.nbytes for page in self._kept.values() if page is not None)
        while size > KEPT and len(self._kept) > 1:
            page = self._kept.popitem(last=False)[1]
            size -= 0 if page is None else page.nbytes


def _cut(page: NDArray[np.uint8], items: Items, item: int) -> NDArray[np.uint8] | None:
    """The item's box, with a little margin."""
    left, top, right, bottom = items.boxes[item]
    margin = MARGIN * (bottom - top)
    height, width = page.shape
    rows = slice(max(0, int(top - margin)), min(height, int(np.ceil(bottom + margin))))
    columns = slice(max(0, int(left - margin)), min(width, int(np.ceil(right + margin))))
    found = page[rows, columns]
    return np.ascontiguousarray(found) if found.size else None


DARKEST, BRIGHTEST = 0.01, 0.5  # quantiles: a hundredth is ink, and half a page is paper
LEAST = 16  # grey levels between them, or it is a page without a drawing


def stretch_contrast(pixels: Pixels) -> Pixels:
    """Make the paper white and the darkest strokes black.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        Grey or RGB; all channels are stretched alike, so that hues stay.

    Returns
    -------
    ndarray of uint8
        Of the same shape; the same where the page is blank, or mostly dark.

    Examples
    --------
    >>> page = np.array([[180, 180, 180, 100]], np.uint8)
    >>> stretch_contrast(page).tolist()
    [[255, 255, 255, 0]]
    """
    if not pixels.size:
        return pixels
    brightness = pixels if pixels.ndim == 2 else pixels.max(axis=2)
    darkness = pixels if pixels.ndim == 2 else pixels.min(axis=2)
    low = float(np.quantile(darkness, DARKEST, method="lower"))
    high = float(np.quantile(brightness, BRIGHTEST))
    if high - low < LEAST or high < 128:
        return pixels
    stretched = (pixels.astype(np.float32) - low) * (255 / (high - low))
    return np.asarray(np.clip(np.rint(stretched), 0, 255), np.uint8)
