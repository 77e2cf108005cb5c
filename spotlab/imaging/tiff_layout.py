"""Finds where the strips or tiles of a large TIFF page are in its file, and how they are stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PIL import Image
from PIL.ExifTags import Base as Tag

from spotlab.imaging import opencv_decoder

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
class Kind:
    """How the pixels of one of Pillow's modes may be stored.

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
    "1": Kind(1, 1, frozenset({0, 1}), _GENERAL | _CCITT),
    "L": Kind(8, 1, frozenset({0, 1}), _GENERAL | {JPEG}),
    "RGB": Kind(8, 3, frozenset({2, _YCBCR}), _GENERAL | {JPEG}),
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
    if image.format != "TIFF" or width * height < opencv_decoder.LARGE or kind is None:
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


def _strips(tags: Any, width: int, height: int, kind: Kind) -> Segments | None:
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
