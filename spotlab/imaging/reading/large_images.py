"""Decodes large pages by OpenCV, TIFF in strips or tiles, into the memory where they stay."""

from __future__ import annotations

import struct
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.ExifTags import Base as Tag

from spotlab.errors import BadInput
from spotlab.extras import cv2
from spotlab.files import has_utf8_name, open_file
from spotlab.imaging.reading import image_file
from spotlab.imaging.reading.pyramid import (
    Pixels,
    Zeros,
    compact,
    row_bands,
    scale_to_byte,
    white_value,
)
from spotlab.progress import Progress

LARGE = 24_000_000  # px; below, Pillow's copies do not matter

_DEEP = frozenset({"I;16", "I"})  # Pillow's modes of grey of 16 bits


def can_decode(image: Image.Image) -> bool:
    """Tell whether OpenCV should decode a page: it is large, and of a kind that OpenCV can decode.

    Parameters
    ----------
    image : PIL.Image.Image
        The opened image.

    Returns
    -------
    bool
    """
    if image.width * image.height < LARGE or "transparency" in image.info:
        return False
    if not has_utf8_name(Path(getattr(image, "filename", ""))):
        return False  # OpenCV would crash
    if image.format == "PNG":
        if image.info.get("interlace"):
            return False  # rows do not come in order
        modes = _DEEP | {"RGB"} if _has_16_bits(image) else {"1", "L", "P", "RGB", "RGBA"}
        return image.mode in modes
    if image.format in {"JPEG", "MPO"}:
        return image.mode in {"L", "RGB"}
    return image.mode == "RGB" and image.format in {"WEBP", "BMP"}


def _has_16_bits(image: Image.Image) -> bool:
    return any(";16" in str(tile) for tile in getattr(image, "tile", ()))


def decode_by_opencv(
    path: Path,
    image: Image.Image,
    progress: Progress,
    showing: Callable[[Pixels], AbstractContextManager[object]] = nullcontext,
    zeros: Zeros = np.zeros,
) -> Pixels:
    """Decode the file of an opened image.

    Parameters
    ----------
    path : Path
        The file.
    image : PIL.Image.Image
        The same file, opened; `can_decode` is True of it.
    progress : Progress
        Called with the rows done.
    showing : callable
        Called with the pixels, which are 0; gives a context in which they are filled from the top.
        Those of a page with transparency are BGRA.
    zeros : callable
        Makes the array that is returned, as `numpy.zeros` does.

    Returns
    -------
    (H, W) or (H, W, 3) uint8
        Grey, or RGB where the page has colour; as stored, without any rotation.

    Raises
    ------
    BadInput
        The file does not hold the whole page.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from spotlab.progress import silent
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.png")
    ...     Image.new("L", (3, 2), 255).save(path)
    ...     with Image.open(path) as image:
    ...         decode_by_opencv(path, image, silent).tolist()
    [[255, 255, 255], [255, 255, 255]]
    """
    progress(0, None, "opening")
    if image.format in {"JPEG", "MPO"} and not image_file.has_end(path):
        raise BadInput(path, "the image is cut off")
    flags, channels = _flags(image)
    shape = (image.height, image.width) if channels == 1 else (image.height, image.width, channels)
    deep = image.mode in _DEEP
    # memory that nobody has written to is 0 without being touched
    pixels: NDArray[Any] = zeros(shape, np.uint16 if deep else np.uint8)
    # OpenCV does not say when it stopped early, but then it leaves the rows that it did not reach
    edges = [0, image.height - 1]
    marks = np.random.default_rng(0).integers(0, 256, pixels[edges].shape, np.uint8)
    pixels[edges] = marks
    with showing(pixels):
        decoded = cv2.imread(str(path), pixels, flags)
    if decoded is not pixels or (pixels[edges] == marks).reshape(2, -1).all(axis=1).any():
        raise BadInput(path, "the image is damaged or cut off")
    del decoded
    if deep:
        return _with_8_bits(pixels, progress)
    if pixels.ndim == 2:
        progress(image.height, image.height, "opening")
        return pixels
    return compact(pixels, progress)


def _flags(image: Image.Image) -> tuple[int, int]:
    """Return what OpenCV is told, and the channels that it then decodes."""
    if image.mode == "RGBA":
        return int(cv2.IMREAD_UNCHANGED), 4
    if image.mode in {"1", "L"} or _has_grey_palette(image):
        return int(cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION), 1
    if image.mode in _DEEP:
        return int(cv2.IMREAD_ANYDEPTH | cv2.IMREAD_IGNORE_ORIENTATION), 1
    return int(cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION), 3


def _has_grey_palette(image: Image.Image) -> bool:
    if image.mode != "P" or image.palette is None:
        return False
    colours = bytes(image.palette.palette)  # image.getpalette() would decode the page
    return colours[::3] == colours[1::3] == colours[2::3]


def _with_8_bits(pixels: NDArray[np.uint16], progress: Progress) -> Pixels:
    """Grey of 16 bits to 8, in the beginning of the same memory."""
    height, width = pixels.shape
    bands = list(row_bands(width, height))
    white = white_value(max(int(pixels[top:bottom].max()) for top, bottom in bands))
    flat = pixels.reshape(-1).view(np.uint8)
    for top, bottom in bands:
        progress(top, height, "opening")
        # the written part never overtakes the part that is still to be read
        flat[top * width : bottom * width] = scale_to_byte(pixels[top:bottom], 0, white).ravel()
    progress(height, height, "opening")
    return flat[: height * width].reshape(height, width)


BAND_PIXELS = 2_000_000  # decoded at a time

_DECODING = (
    Tag.Compression, Tag.PhotometricInterpretation, Tag.FillOrder, Tag.T4Options, Tag.T6Options,
    Tag.Predictor, Tag.JPEGTables, Tag.YCbCrSubSampling,
)  # fmt: skip
UNCOMPRESSED, JPEG, _YCBCR = 1, 7, 6
_DEFLATE = frozenset({8, 32946})  # and as it was named before
_GENERAL = _DEFLATE | {UNCOMPRESSED, 5, 32773, 50000}  # LZW, PackBits, Zstandard
_CCITT = frozenset({2, 3, 4})  # modified Huffman, G3, G4


@dataclass(frozen=True)
class SampleKind:
    """Possible storage formats for the pixels of one of Pillow's modes.

    Attributes
    ----------
    bits, samples : int
        Of a pixel: bits of each sample, and how many samples.
    photometrics, compressions : frozenset of int
        As TIFF numbers them.
    """

    bits: int
    samples: int
    photometrics: frozenset[int]
    compressions: frozenset[int]


KINDS = {
    "1": SampleKind(1, 1, frozenset({0, 1}), _GENERAL | _CCITT),
    "L": SampleKind(8, 1, frozenset({0, 1}), _GENERAL | {JPEG}),
    "RGB": SampleKind(8, 3, frozenset({2, _YCBCR}), _GENERAL | {JPEG}),
}


@dataclass(frozen=True)
class Segments:
    """Locations of a page's strips or tiles in its file.

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

    def across(self, width: int) -> int:
        """Return how many segments lie side by side.

        Parameters
        ----------
        width : int
            Of the page in px.

        Returns
        -------
        int

        Examples
        --------
        >>> Segments((), (), rows=16, tile_width=256, shared={}).across(1000)
        4
        """
        return -(-width // self.tile_width) if self.tile_width else 1


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
    segments, height = _find(image), image.height
    if segments is None or not 0 < segments.rows < height:
        return None
    count = -(-height // segments.rows) * segments.across(image.width)
    return segments if len(segments.offsets) == len(segments.sizes) == count else None


def find_strip(image: Image.Image) -> Segments | None:
    """Find the only strip of a large page.

    Parameters
    ----------
    image : PIL.Image.Image
        The opened image, at the frame that is wanted.

    Returns
    -------
    Segments or None
        None where the page is small, turned, no TIFF, or stored in another way than in one strip
        of black and white, 8-bit grey or RGB.

    Examples
    --------
    >>> find_strip(Image.new("L", (3, 2))) is None
    True
    """
    segments = _find(image)
    if segments is None or segments.tile_width or segments.rows < image.height:
        return None
    return segments if len(segments.offsets) == len(segments.sizes) == 1 else None


def _find(image: Image.Image) -> Segments | None:
    width, height = image.size
    kind = KINDS.get(image.mode)
    if image.format != "TIFF" or width * height < LARGE or kind is None:
        return None
    tags = getattr(image, "tag_v2", {})
    expected = {
        Tag.ImageWidth: width,
        Tag.ImageLength: height,
        Tag.BitsPerSample: (kind.bits,) * kind.samples,
        Tag.SamplesPerPixel: kind.samples,
        Tag.SampleFormat: (1,) * kind.samples,
        Tag.ExtraSamples: (),
        Tag.Orientation: 1,
        Tag.PlanarConfiguration: 1,
    }
    if (
        any(tags.get(tag, value) != value for tag, value in expected.items())
        or (kind.bits > 1 and Tag.BitsPerSample not in tags)
        or tags.get(Tag.Compression, UNCOMPRESSED) not in kind.compressions
        or tags.get(Tag.PhotometricInterpretation) not in kind.photometrics
        or (tags[Tag.PhotometricInterpretation] == _YCBCR and tags.get(Tag.Compression) != JPEG)
    ):
        return None
    return _tiles(tags) if Tag.TileWidth in tags else _strips(tags, width, height, kind)


def _tiles(tags: Any) -> Segments | None:
    offsets, sizes = tags.get(Tag.TileOffsets), tags.get(Tag.TileByteCounts)
    rows, width = tags.get(Tag.TileLength), tags[Tag.TileWidth]
    if not _are_numbers(offsets, sizes) or not _are_numbers((rows, width)) or width < 1:
        return None
    return Segments(offsets, sizes, rows, width, _shared(tags))


def _strips(tags: Any, width: int, height: int, kind: SampleKind) -> Segments | None:
    offsets, sizes, rows = (
        tags.get(Tag.StripOffsets),
        tags.get(Tag.StripByteCounts),
        tags.get(Tag.RowsPerStrip, height),
    )
    if not _are_numbers(offsets, sizes, (rows,)):
        return None
    compression, deflated = tags.get(Tag.Compression, UNCOMPRESSED), None
    if len(offsets) == len(sizes) == 1 and rows >= height:
        start = offsets[0]
        if compression in _DEFLATE and tags.get(Tag.FillOrder, 1) == 1:
            deflated, start = (offsets[0], sizes[0]), 0
        if deflated or compression == UNCOMPRESSED:
            rows = max(1, BAND_PIXELS // width)
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


_MOST_THREADS = 4
_READ_AT_ONCE = 1 << 20  # bytes
_UPPER_PART = 15  # of a page: a little more than the first part that a growing page looks at
_READ_FIRST = 8  # part of what is stored of a strip in which that much of the page is sought first


def decode_tiff(
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
    ...         len(strips.offsets), decode_tiff(path, image, strips, silent)[:, 0].tolist()
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
    strip, (width, height) = find_strip(image), image.size
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
    count = max(1, BAND_PIXELS // (width * segments.rows))  # of strips or rows of tiles
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
    segments: Segments, contents: list[bytes], width: int, rows: int, kind: SampleKind
) -> Pixels:
    if _are_pixels(segments, kind):
        shape = (rows, width, kind.samples) if kind.samples > 1 else (rows, width)
        return np.frombuffer(b"".join(contents), np.uint8).reshape(shape)
    with Image.open(BytesIO(_file(segments, contents, width, rows, kind))) as image:
        return np.asarray(image.convert("L") if image.mode == "1" else image)


def _are_pixels(segments: Segments, kind: SampleKind) -> bool:
    """Tell whether what is read of segments is pixels row by row already."""
    fields = segments.shared
    is_plain = segments.deflated and fields.get(Tag.Predictor, 1) == 1
    return (
        bool(is_plain or fields.get(Tag.Compression, UNCOMPRESSED) == UNCOMPRESSED)
        and not segments.tile_width
        and kind.bits == 8
        and fields[Tag.PhotometricInterpretation] != 0
        and fields.get(Tag.FillOrder, 1) == 1
    )


def _file(
    segments: Segments, contents: list[bytes], width: int, rows: int, kind: SampleKind
) -> bytes:
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
