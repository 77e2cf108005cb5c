"""Decodes large TIFF pages some strips at a time, into the memory where they stay.

Strips are compressed each by itself. Some at a time are handed to Pillow as a file of their own, in
several threads, so that the upper ones can be shown early and no second page is held.
"""

from __future__ import annotations

import os
import struct
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from io import BytesIO
from itertools import accumulate
from pathlib import Path

import numpy as np
from PIL import Image

from spotlab.errors import BadInput
from spotlab.files import open_file
from spotlab.imaging import opencv_decoder
from spotlab.imaging.conversion import Pixels, is_grey
from spotlab.progress import Progress

_BAND_PIXELS = 2_000_000  # decoded at a time
_MOST_THREADS = 4

_WIDTH, _HEIGHT, _BITS, _COMPRESSION, _PHOTOMETRIC = 256, 257, 258, 259, 262
_OFFSETS, _ORIENTATION, _SAMPLES, _ROWS, _SIZES, _PLANES = 273, 274, 277, 278, 279, 284
_PREDICTOR, _EXTRA, _FORMAT = 317, 338, 339
_COMPRESSIONS = frozenset({1, 5, 8, 32773, 32946})  # none, LZW, Deflate, PackBits, old Deflate
_COLOURS = {"L": (1, frozenset({0, 1})), "RGB": (3, frozenset({2}))}  # samples, photometrics


@dataclass(frozen=True)
class Strips:
    """Where the strips of a page are in its file.

    Attributes
    ----------
    offsets, sizes : tuple of int
        Of each strip, in bytes.
    rows : int
        Of the page in each strip, but for the last.
    shared : dict of int to int
        The fields that say how strips are decoded, by tag.
    """

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    rows: int
    shared: dict[int, int]


def find_strips(image: Image.Image) -> Strips | None:
    """Find the strips of a large page.

    Parameters
    ----------
    image : PIL.Image.Image
        The opened image, at the frame that is wanted.

    Returns
    -------
    Strips or None
        None where the page is small, turned, no TIFF, or stored in another way than in strips of
        8-bit grey or RGB.

    Examples
    --------
    >>> find_strips(Image.new("L", (3, 2))) is None
    True
    """
    width, height = image.size
    if (
        image.format != "TIFF"
        or width * height < opencv_decoder.LARGE
        or image.mode not in _COLOURS
    ):
        return None
    tags = getattr(image, "tag_v2", {})
    samples, photometrics = _COLOURS[image.mode]
    shared = {tag: tags.get(tag, 1) for tag in (_COMPRESSION, _PHOTOMETRIC, _PREDICTOR)}
    expected = {
        _WIDTH: width, _HEIGHT: height, _BITS: (8,) * samples, _SAMPLES: samples, _ORIENTATION: 1,
        _PLANES: 1, _EXTRA: (), _FORMAT: (1,) * samples,
    }  # fmt: skip
    offsets, sizes, rows = tags.get(_OFFSETS), tags.get(_SIZES), tags.get(_ROWS, height)
    if (
        any(tags.get(tag, value) != value for tag, value in expected.items())
        or _BITS not in tags
        or shared[_COMPRESSION] not in _COMPRESSIONS
        or shared[_PHOTOMETRIC] not in photometrics
        or not isinstance(offsets, tuple)
        or not isinstance(sizes, tuple)
        or not isinstance(rows, int)
        or not 0 < rows < height
        or not len(offsets) == len(sizes) == -(-height // rows)
    ):
        return None
    return Strips(offsets, sizes, rows, shared)


def decode(
    path: Path,
    image: Image.Image,
    strips: Strips,
    progress: Progress,
    showing: Callable[[Pixels], AbstractContextManager[object]] = nullcontext,
) -> Pixels:
    """Decode the page of an opened image.

    Parameters
    ----------
    path : Path
        The file.
    image : PIL.Image.Image
        The same file, opened.
    strips : Strips
        Of the same page.
    progress : Progress
        Called with the rows done; it may raise to cancel.
    showing : callable
        Called with the pixels, which are 0; gives a context in which they are filled from the top.

    Returns
    -------
    (H, W) or (H, W, 3) uint8
        Grey, or RGB where the page has colour.

    Raises
    ------
    BadInput
        The file does not hold the whole page.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from spotlab.progress import silent
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.tif")
    ...     Image.new("L", (3, 4), 9).save(path, compression="packbits", strip_size=6)
    ...     with Image.open(path) as image:
    ...         tags = image.tag_v2
    ...         strips = Strips(tags[273], tags[279], tags[278], {259: tags[259], 262: tags[262]})
    ...         len(strips.offsets), decode(path, image, strips, silent)[:, 0].tolist()
    (2, [9, 9, 9, 9])
    """
    width, height = image.size
    grey = image.mode == "L"
    # memory that nobody has written to is 0 without being touched
    pixels = np.zeros((height, width) if grey else (height, width, 3), np.uint8)
    without_colour = True
    with showing(pixels):
        top = 0
        for band in _bands(path, strips, width, height, 1 if grey else 3):
            progress(top, height, "opening")
            without_colour = without_colour and is_grey(band)
            pixels[top : top + len(band)] = band
            top += len(band)
    progress(height, height, "opening")
    return np.ascontiguousarray(pixels[..., 0]) if without_colour and not grey else pixels


def _bands(path: Path, strips: Strips, width: int, height: int, samples: int) -> Iterator[Pixels]:
    """The page from the top, decoded some bands ahead."""
    count = max(1, _BAND_PIXELS // (width * strips.rows))
    threads = min(os.cpu_count() or 1, _MOST_THREADS)
    ahead: deque[Future[Pixels]] = deque()
    with open_file(path) as file, ThreadPoolExecutor(threads, "spotlab-strips") as pool:
        for first in range(0, len(strips.offsets), count):
            contents = []
            for number in range(first, min(first + count, len(strips.offsets))):
                file.seek(strips.offsets[number])
                contents.append(file.read(strips.sizes[number]))
                if len(contents[-1]) < strips.sizes[number]:
                    raise BadInput(path, "the image is cut off")
            rows = min(count * strips.rows, height - first * strips.rows)
            ahead.append(pool.submit(_decoded, strips, contents, width, rows, samples))
            if len(ahead) > threads:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def _decoded(strips: Strips, contents: list[bytes], width: int, rows: int, samples: int) -> Pixels:
    with Image.open(BytesIO(_file(strips, contents, width, rows, samples))) as image:
        return np.asarray(image)


def _file(strips: Strips, contents: list[bytes], width: int, rows: int, samples: int) -> bytes:
    """A little-endian TIFF file of some strips."""
    sizes = [len(content) for content in contents]
    fields = {tag: [value] for tag, value in strips.shared.items()} | {
        _WIDTH: [width], _HEIGHT: [rows], _BITS: [8] * samples, _SAMPLES: [samples],
        _ROWS: [strips.rows], _SIZES: sizes, _OFFSETS: sizes,
    }  # fmt: skip
    after = 8 + 2 + 12 * len(fields) + 4  # the directory: the values that do not fit into it
    start = after + sum(4 * len(values) for values in fields.values() if len(values) > 1)
    fields[_OFFSETS] = [start + before for before in accumulate(sizes, initial=0)][:-1]
    directory, more = b"", b""
    for tag, values in sorted(fields.items()):
        written = struct.pack(f"<{len(values)}I", *values)
        if len(values) > 1:
            more += written
            written = struct.pack("<I", after + len(more) - len(written))
        directory += struct.pack("<HHI", tag, 4, len(values)) + written
    head = struct.pack("<2sHIH", b"II", 42, 8, len(fields)) + directory + bytes(4)
    return b"".join((head, more, *contents))
