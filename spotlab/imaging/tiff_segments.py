"""Decodes large TIFF pages some strips or rows of tiles at a time, into the memory where they stay.

Strips and tiles (together: segments) are compressed each by itself. Some at a time are handed to
Pillow as a file of their own, in several threads, so that the upper ones can be shown early and no
second page is held.
"""

from __future__ import annotations

import struct
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from PIL import Image
from PIL.ExifTags import Base as Tag

from spotlab.errors import BadInput
from spotlab.files import open_file
from spotlab.imaging import tiff_layout
from spotlab.imaging.conversion import Pixels, Zeros, compact
from spotlab.imaging.tiff_layout import JPEG, KINDS, UNCOMPRESSED, Kind, Segments
from spotlab.progress import Progress

_MOST_THREADS = 4
_READ_AT_ONCE = 1 << 20  # bytes
_UPPER_PART = 15  # of a page: a little more than the first part that a growing page looks at
_READ_FIRST = 8  # part of what is stored of a strip in which that much of the page is sought first


def decode(
    path: Path,
    image: Image.Image,
    segments: Segments,
    progress: Progress,
    showing: Callable[[Pixels], AbstractContextManager[object]] = nullcontext,
    zeros: Zeros = np.zeros,
    threads: int = 1,
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
    zeros : callable
        Makes the array that is returned, as `numpy.zeros` does.
    threads : int
        At most so many.

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
    pixels: Pixels = zeros((height, width) if grey else (height, width, 3), np.uint8)
    with showing(pixels):
        top = 0
        for band in _bands(path, segments, image, threads):
            progress(top, height, "opening")
            pixels[top : top + len(band)] = band
            top += len(band)
    progress(height, height, "opening")
    return pixels if grey else compact(pixels, progress)


def decode_upper_part(path: Path, image: Image.Image, zeros: Zeros = np.zeros) -> Pixels | None:
    """Decode the first rows of a page whose only strip is compressed, to be shown before the rest.

    Parameters
    ----------
    path : Path
        The file.
    image : PIL.Image.Image
        The same file, opened.
    zeros : callable
        Makes the array that is returned, as `numpy.zeros` does.

    Returns
    -------
    (H, W) or (H, W, 3) uint8 or None
        A fifteenth of the page, and 0 below; None where `find_strip` gives None, or the strip is
        damaged.

    Examples
    --------
    >>> decode_upper_part(Path("page.png"), Image.new("L", (3, 2))) is None
    True
    """
    strip, (width, height) = tiff_layout.find_strip(image), image.size
    rows = height // _UPPER_PART
    if strip is None or not rows:
        return None
    size, part, kind = strip.sizes[0], replace(strip, rows=rows), KINDS[image.mode]
    # an eighth has what is above, unless what is below is simpler; JPEG would be made up then
    is_jpeg = strip.shared.get(Tag.Compression) == JPEG
    for stored in (size,) if is_jpeg else (size // _READ_FIRST, size):
        with open_file(path) as file:
            file.seek(strip.offsets[0])
            content = file.read(stored)
        with suppress(Exception):  # decoding the whole page says what is wrong
            upper = _decoded(part, [content], width, rows, kind)
            break
    else:
        return None
    pixels: Pixels = zeros((height, *upper.shape[1:]), np.uint8)
    pixels[:rows] = upper
    return pixels


def _bands(path: Path, segments: Segments, image: Image.Image, threads: int) -> Iterator[Pixels]:
    """The page from the top, decoded some bands ahead."""
    width, height = image.size
    across = segments.across(width)
    count = max(1, tiff_layout.BAND_PIXELS // (width * segments.rows))  # of strips or rows of tiles
    # not more is under way at a time than a small part of the page
    threads = max(1, min(threads, _MOST_THREADS, height // (4 * count * segments.rows)))
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
            ahead.append(pool.submit(_decoded, segments, contents, width, rows, KINDS[image.mode]))
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
    segments: Segments, contents: list[bytes], width: int, rows: int, kind: Kind
) -> Pixels:
    if _are_pixels(segments, kind):
        shape = (rows, width, kind.samples) if kind.samples > 1 else (rows, width)
        return np.frombuffer(b"".join(contents), np.uint8).reshape(shape)
    with Image.open(BytesIO(_file(segments, contents, width, rows, kind))) as image:
        return np.asarray(image.convert("L") if image.mode == "1" else image)


def _are_pixels(segments: Segments, kind: Kind) -> bool:
    """Whether what is read of segments is pixels row by row already."""
    fields = segments.shared
    is_plain = segments.deflated and fields.get(Tag.Predictor, 1) == 1
    return (
        bool(is_plain or fields.get(Tag.Compression, UNCOMPRESSED) == UNCOMPRESSED)
        and not segments.tile_width
        and kind.bits == 8
        and fields[Tag.PhotometricInterpretation] != 0
        and fields.get(Tag.FillOrder, 1) == 1
    )


def _file(segments: Segments, contents: list[bytes], width: int, rows: int, kind: Kind) -> bytes:
    """A little-endian TIFF file of some segments."""
    if segments.deflated:  # the predictor is left to Pillow, and that needs a compression
        contents = [zlib.compress(content, 0) for content in contents]
    sizes = [len(content) for content in contents]
    fields: dict[int, Any] = segments.shared | {
        Tag.ImageWidth: width,
        Tag.ImageLength: rows,
        Tag.BitsPerSample: (kind.bits,) * kind.samples,
        Tag.SamplesPerPixel: kind.samples,
    }
    if segments.tile_width:
        fields |= {Tag.TileWidth: segments.tile_width, Tag.TileLength: segments.rows}
        fields |= {Tag.TileByteCounts: sizes, Tag.TileOffsets: sizes}
    else:
        fields |= {
            Tag.RowsPerStrip: segments.rows,
            Tag.StripByteCounts: sizes,
            Tag.StripOffsets: sizes,
        }
    after = 8 + 2 + 12 * len(fields) + 4  # the directory: the values that do not fit into it
    written = {tag: _field(value) for tag, value in fields.items()}
    start = after + sum(len(content) for _, _, content in written.values() if len(content) > 4)
    offsets = [start + before for before in accumulate(sizes, initial=0)][:-1]
    written[Tag.TileOffsets if segments.tile_width else Tag.StripOffsets] = _field(offsets)
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
