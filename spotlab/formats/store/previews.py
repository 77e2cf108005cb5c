"""Keeps small pictures of large pages, so that a page that was decoded once is shown at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import PIL

from spotlab.extras import cv2
from spotlab.files import check_regular
from spotlab.formats.store.entries import (
    cache_folder,
    code_digest,
    digest_of,
    key_of,
    keyed_file,
    read_arrays,
    write_arrays,
)
from spotlab.imaging.reading import pixels as reading
from spotlab.imaging.reading.conversion import Pixels
from spotlab.imaging.reading.pixels import is_large, read_header, shrink

SIDE = 2048  # px of the longer side
_MAGIC = b"spotlab preview 1\n"
_QUALITY = 90  # of JPEG, in which drawings and scans take some hundred kilobytes


@dataclass(frozen=True)
class PagePreview:
    """The file that keeps a small picture of a page, found by the content of the image.

    Attributes
    ----------
    image : Path
        The image file.
    file : Path
        Keeps the picture, if that was made already.
    state : (int, int, int)
        Size, time and number of the image file before its content was looked at.
    """

    image: Path
    file: Path
    state: tuple[int, int, int]

    def read(self) -> Pixels | None:
        """The picture, (h, w) or (h, w, 3) uint8; None where none is kept, or it is damaged."""
        arrays = read_arrays(self.file, _MAGIC)
        coded = None if arrays is None else arrays.get("jpeg")
        if coded is None or coded.dtype != np.uint8 or coded.ndim != 1 or not coded.size:
            return None
        pixels = cv2.imdecode(coded, cv2.IMREAD_UNCHANGED)
        if pixels is None or max(pixels.shape[:2]) > SIDE:
            return None
        return np.asarray(pixels if pixels.ndim == 2 else cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB))

    def write(self, pixels: Pixels) -> None:
        """Keep the picture, unless the image file is another one by now.

        Parameters
        ----------
        pixels : (H, W) or (H, W, 3) uint8
            The page at any resolution; it is kept at `SIDE` px at most.

        Raises
        ------
        NotSaved
            The folder is read-only, the disk is full, …
        OSError
            The image file is gone.
        """
        small = shrink(pixels, SIDE)
        colours = small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_RGB2BGR)
        coded = cv2.imencode(".jpg", colours, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
        if _state(self.image) == self.state:
            write_arrays({"jpeg": coded.ravel()}, self.file, _MAGIC)


def find_preview(image: Path, frame: int = 0, folder: Path | None = None) -> PagePreview | None:
    """Find where the small picture of a page is kept; looks at all of the image file's content.

    Parameters
    ----------
    image : Path
        The image or PDF file.
    frame : int
        Which of its pages, from 0.
    folder : Path, optional
        Where pictures are kept; by default in the user's cache.

    Returns
    -------
    PagePreview or None
        None for pages that are so small that they are decoded as fast as a preview is found.

    Raises
    ------
    BadInput
        As `spotlab.imaging.reading.pixels.read_header`.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> with TemporaryDirectory() as home:
    ...     path = Path(home, "page.png")
    ...     Image.new("1", (4000, 4000), 1).save(path)
    ...     preview = find_preview(path, folder=Path(home))
    ...     preview.write(np.full((4000, 4000), 255, np.uint8))
    ...     preview.read().shape
    (2048, 2048)
    """
    header = read_header(image, frame)
    if not is_large(header.width, header.height):
        return None
    state = _state(image)
    key = key_of(digest_of(image), str(frame), _version())
    file = keyed_file(folder or cache_folder("previews"), key, ".preview")
    return PagePreview(image, file, state)


def _state(image: Path) -> tuple[int, int, int]:
    status: os.stat_result = check_regular(image)
    return status.st_size, status.st_mtime_ns, status.st_ino


@cache
def _version() -> str:
    """Digest that changes with everything that decides what a page looks like."""
    folder = Path(reading.__file__).parent
    return code_digest(sorted(folder.glob("*.py")), (np, cv2, PIL))
