"""Decodes large TIFF pages some strips or rows of tiles at a time, into the memory where they stay.

Strips and tiles (together: segments) are compressed each by itself. Some at a time are handed to
Pillow as a file of their own, in several threads, so that the upper ones can be shown early and no
second page is held.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from PIL import Image

from spotlab.errors import BadInput
from spotlab.files import open_file
from spotlab.imaging import opencv_decoder
from spotlab.imaging.conversion import Pixels, is_grey
from spotlab.progress import Progress

_BAND_PIXELS = 2_000_000  # decoded at a time
_MOST_THREADS = 4
_READ_AT_ONCE = 1 << 20  # bytes

_WIDTH, _HEIGHT, _BITS, _COMPRESSION, _PHOTOMETRIC, _FILL_ORDER = 256, 257, 258, 259, 262, 266
_OFFSETS, _ORIENTATION, _SAMPLES, _ROWS, _SIZES, _PLANES = 273, 274, 277, 278, 279, 284
_T4, _T6, _PREDICTOR, _EXTRA, _FORMAT = 292, 293, 317, 338, 339
_TILE_WIDTH, _TILE_ROWS, _TILE_OFFSETS, _TILE_SIZES = 322, 323, 324, 325
_JPEG_TABLES, _SUBSAMPLING = 347, 530
_DECODING = (
    _COMPRESSION, _PHOTOMETRIC, _FILL_ORDER, _T4, _T6, _PREDICTOR, _JPEG_TABLES, _SUBSAMPLING,
)  # fmt: skip
_UNCOMPRESSED, _JPEG, _YCBCR = 1, 7, 6
_DEFLATE = frozenset({8, 32946})  # and as it was named before
_GENERAL = _DEFLATE | {_UNCOMPRESSED, 5, 32773}  # LZW, PackBits
_CCITT = frozenset({2, 3, 4})  # modified Huffman, G3, G4


@dataclass(frozen=True)
class _Kind:
    """How the pixels of one of Pillow's modes may be stored."""

    bits: int
    samples: int
    photometrics: frozenset[int]
    compressions: frozenset[int]


_KINDS = {
    "1": _Kind(1, 1, frozenset({0, 1}), _GENERAL | _CCITT),
    "L": _Kind(8, 1, frozenset({0, 1}), _GENERAL | {_JPEG}),
    "RGB": _Kind(8, 3, frozenset({2, _YCBCR}), _GENERAL | {_JPEG}),
}


@dataclass(frozen=True)
class Segments:
    """Where the strips or tiles of a page are in its file.

    Attributes
    ----------
    offsets, sizes : tuple of int
        Of each segment, in bytes; in what ``deflated`` inflates to, if there is such a strip.
    rows : int
        Of the page in each segment, but for the lowest.
    tile_width : int
        In px; 0 for strips.
    shared : dict of int to value
        The fields that say how segments are decoded, by tag.
    deflated : tuple of (int, int), optional
        Offset and size of the one strip that holds all of the page.
    """

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    rows: int
    tile_width: int
    shared: dict[int, Any]
    deflated: tuple[int, int] | None = None


def find_segments(image: Image.Image) -> Segments | None:
    """Find the strips or tiles of a large page.

    Parameters
    ----------
    image : PIL.Image.Image
        The opened image, at the frame that is wanted.

    Returns
    -------
    Segments or None
        None where the page is small, turned, no TIFF, or stored in another way than in segments
        of black and white, 8-bit grey or RGB one above the other. One strip counts as several if
        it is not compressed, or by Deflate.

    Examples
    --------
    >>> find_segments(Image.new("L", (3, 2))) is None
    True
    """
    width, height = image.size
    kind = _KINDS.get(image.mode)
    if image.format != "TIFF" or width * height < opencv_decoder.LARGE or kind is None:
        return None
    tags = getattr(image, "tag_v2", {})
    expected = {
        _WIDTH: width, _HEIGHT: height, _BITS: (kind.bits,) * kind.samples,
        _SAMPLES: kind.samples, _ORIENTATION: 1, _PLANES: 1, _EXTRA: (),
        _FORMAT: (1,) * kind.samples,
    }  # fmt: skip
    if (
        any(tags.get(tag, value) != value for tag, value in expected.items())
        or (kind.bits > 1 and _BITS not in tags)
        or tags.get(_COMPRESSION, _UNCOMPRESSED) not in kind.compressions
        or tags.get(_PHOTOMETRIC) not in kind.photometrics
        or (tags[_PHOTOMETRIC] == _YCBCR and tags.get(_COMPRESSION) != _JPEG)
    ):
        return None
    segments = _tiles(tags) if _TILE_WIDTH in tags else _strips(tags, width, height, kind)
    if segments is None or not 0 < segments.rows < height:
        return None
    count = -(-height // segments.rows) * _segments_across(segments, width)
    return segments if len(segments.offsets) == len(segments.sizes) == count else None


def _tiles(tags: Any) -> Segments | None:
    offsets, sizes = tags.get(_TILE_OFFSETS), tags.get(_TILE_SIZES)
    rows, width = tags.get(_TILE_ROWS), tags[_TILE_WIDTH]
    if not _are_numbers(offsets, sizes) or not _are_numbers((rows, width)) or width < 1:
        return None
    return Segments(offsets, sizes, rows, width, _shared(tags))


def _strips(tags: Any, width: int, height: int, kind: _Kind) -> Segments | None:
    offsets, sizes, rows = tags.get(_OFFSETS), tags.get(_SIZES), tags.get(_ROWS, height)
    if not _are_numbers(offsets, sizes, (rows,)):
        return None
    compression, deflated = tags.get(_COMPRESSION, _UNCOMPRESSED), None
    if len(offsets) == len(sizes) == 1 and rows >= height:
        start = offsets[0]
        if compression in _DEFLATE and tags.get(_FILL_ORDER, 1) == 1:
            deflated, start = (offsets[0], sizes[0]), 0
        if deflated or compression == _UNCOMPRESSED:
            rows = max(1, _BAND_PIXELS // width)
            row_size = (width * kind.bits * kind.samples + 7) // 8
            tops = range(0, height, rows)
            sizes = tuple(min(rows, height - top) * row_size for top in tops)
            offsets = tuple(start + top * row_size for top in tops)
    return Segments(offsets, sizes, rows, 0, _shared(tags), deflated)


def _are_numbers(*fields: object) -> bool:
    return all(
        isinstance(field, tuple) and all(isinstance(value, int) for value in field)
        for field in fields
    )


def _shared(tags: Any) -> dict[int, Any]:
    return {tag: tags[tag] for tag in _DECODING if tag in tags}


def _segments_across(segments: Segments, width: int) -> int:
    return -(-width // segments.tile_width) if segments.tile_width else 1


def decode(
    path: Path,
    image: Image.Image,
    segments: Segments,
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
    segments : Segments
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
    ...         shared = {259: tags[259], 262: tags[262]}
    ...         strips = Segments(tags[273], tags[279], tags[278], 0, shared)
    ...         len(strips.offsets), decode(path, image, strips, silent)[:, 0].tolist()
    (2, [9, 9, 9, 9])
    """
    width, height = image.size
    grey = image.mode != "RGB"
    # memory that nobody has written to is 0 without being touched
    pixels = np.zeros((height, width) if grey else (height, width, 3), np.uint8)
    without_colour = True
    with showing(pixels):
        top = 0
        for band in _bands(path, segments, image):
            progress(top, height, "opening")
            without_colour = without_colour and is_grey(band)
            pixels[top : top + len(band)] = band
            top += len(band)
    progress(height, height, "opening")
    return np.ascontiguousarray(pixels[..., 0]) if without_colour and not grey else pixels


def _bands(path: Path, segments: Segments, image: Image.Image) -> Iterator[Pixels]:
    """The page from the top, decoded some bands ahead."""
    width, height = image.size
    across = _segments_across(segments, width)
    count = max(1, _BAND_PIXELS // (width * segments.rows))  # of strips or rows of tiles
    # not more is under way at a time than a small part of the page
    threads = max(1, min(os.cpu_count() or 1, _MOST_THREADS, height // (4 * count * segments.rows)))
    ahead: deque[Future[Pixels]] = deque()
    with open_file(path) as file, ThreadPoolExecutor(threads, "spotlab-segments") as pool:
        source = _Inflated(file, *segments.deflated) if segments.deflated else file
        for first in range(0, -(-height // segments.rows), count):
            contents = []
            for number in range(first * across, min((first + count) * across, len(segments.sizes))):
                source.seek(segments.offsets[number])
                contents.append(source.read(segments.sizes[number]))
                if len(contents[-1]) < segments.sizes[number]:
                    raise BadInput(path, "the image is cut off")
            rows = min(count * segments.rows, height - first * segments.rows)
            ahead.append(pool.submit(_decoded, segments, contents, width, rows, _KINDS[image.mode]))
            if len(ahead) > threads:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


class _Inflated:
    """Reads what a deflated strip holds, from its begin to its end."""

    def __init__(self, file: BinaryIO, offset: int, size: int) -> None:
        self._file, self._left = file, size
        self._inflating = zlib.decompressobj()
        file.seek(offset)

    def seek(self, offset: int) -> None:
        """Nothing to do: segments follow each other."""

    def read(self, size: int) -> bytes:
        parts = []
        while size and not self._inflating.eof:
            content = self._inflating.unconsumed_tail
            if not content:
                content = self._file.read(min(self._left, _READ_AT_ONCE))
                self._left -= len(content)
            part = self._inflating.decompress(content, size)
            if not content and not part:
                break
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def _decoded(
    segments: Segments, contents: list[bytes], width: int, rows: int, kind: _Kind
) -> Pixels:
    if _are_pixels(segments, kind):
        shape = (rows, width, kind.samples) if kind.samples > 1 else (rows, width)
        return np.frombuffer(b"".join(contents), np.uint8).reshape(shape)
    with Image.open(BytesIO(_file(segments, contents, width, rows, kind))) as image:
        return np.asarray(image.convert("L") if image.mode == "1" else image)


def _are_pixels(segments: Segments, kind: _Kind) -> bool:
    """Whether what is read of segments is pixels row by row already."""
    fields = segments.shared
    is_plain = segments.deflated and fields.get(_PREDICTOR, 1) == 1
    return (
        bool(is_plain or fields.get(_COMPRESSION, _UNCOMPRESSED) == _UNCOMPRESSED)
        and not segments.tile_width
        and kind.bits == 8
        and fields[_PHOTOMETRIC] != 0
        and fields.get(_FILL_ORDER, 1) == 1
    )


def _file(segments: Segments, contents: list[bytes], width: int, rows: int, kind: _Kind) -> bytes:
    """A little-endian TIFF file of some segments."""
    if segments.deflated:  # the predictor is left to Pillow, and that needs a compression
        contents = [zlib.compress(content, 0) for content in contents]
    sizes = [len(content) for content in contents]
    fields: dict[int, Any] = segments.shared | {
        _WIDTH: width, _HEIGHT: rows, _BITS: (kind.bits,) * kind.samples, _SAMPLES: kind.samples,
    }  # fmt: skip
    if segments.tile_width:
        fields |= {_TILE_WIDTH: segments.tile_width, _TILE_ROWS: segments.rows}
        fields |= {_TILE_SIZES: sizes, _TILE_OFFSETS: sizes}
    else:
        fields |= {_ROWS: segments.rows, _SIZES: sizes, _OFFSETS: sizes}
    after = 8 + 2 + 12 * len(fields) + 4  # the directory: the values that do not fit into it
    written = {tag: _field(value) for tag, value in fields.items()}
    start = after + sum(len(content) for _, _, content in written.values() if len(content) > 4)
    offsets = [start + before for before in accumulate(sizes, initial=0)][:-1]
    written[_TILE_OFFSETS if segments.tile_width else _OFFSETS] = _field(offsets)
    directory, more = b"", b""
    for tag, (form, number, content) in sorted(written.items()):
        entry = content
        if len(content) > 4:
            entry = struct.pack("<I", after + len(more))
            more += content
        directory += struct.pack("<HHI4s", tag, form, number, entry)
    head = struct.pack("<2sHIH", b"II", 42, 8, len(fields)) + directory + bytes(4)
    return b"".join((head, more, *contents))


def _field(value: Any) -> tuple[int, int, bytes]:
    """The type, number and bytes of a field's values: bytes, or a number or several."""
    if isinstance(value, bytes):
        return 7, len(value), value
    numbers = [value] if isinstance(value, int) else value
    return 4, len(numbers), struct.pack(f"<{len(numbers)}I", *numbers)
