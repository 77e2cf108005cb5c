"""Reads what Pillow does not read of PNG files: EXIF data without decoding, and missing rows."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from spotlab.files import open_file

# Adam7: first column, first row, column step, row step of each pass
_PASSES = (
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
)  # fmt: skip
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by PNG's colour type


def read_exif(path: Path, image: Image.Image) -> Image.Exif:
    """Read the EXIF data of a PNG file without decoding the page; Pillow would decode it.

    Parameters
    ----------
    path : Path
        The file.
    image : PIL.Image.Image
        The same file, opened.

    Returns
    -------
    PIL.Image.Exif
        Empty where the file has none.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> exif = Image.Exif()
    >>> exif[0x0112] = 6  # the page is to be turned by 90 degrees
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.png")
    ...     Image.new("L", (3, 2)).save(path, exif=exif)
    ...     with Image.open(path) as image:
    ...         read_exif(path, image)[0x0112]
    6
    """
    if "exif" not in image.info and "Raw profile type exif" in image.info:
        return image.getexif()  # an older way to write it, in front of the page
    data = image.info.get("exif")
    exif = Image.Exif()
    exif.load(next(_contents(path, b"eXIf"), b"") if data is None else data)
    return exif


def has_all_rows(path: Path) -> bool:
    """Tell whether a PNG file has as many bytes of pixels as its header says; decompresses them.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    bool
    """
    header = next(_contents(path, b"IHDR"))
    width, height = int.from_bytes(header[:4]), int.from_bytes(header[4:8])
    depth, colour, interlaced = header[8], header[9], header[12]
    bits = depth * _CHANNELS[colour]
    missing = 0
    for x, y, step_x, step_y in _PASSES if interlaced else ((0, 0, 1, 1),):
        columns, rows = -(-(width - x) // step_x), -(-(height - y) // step_y)
        if columns > 0 and rows > 0:
            missing += rows * (1 + (columns * bits + 7) // 8)
    inflating = zlib.decompressobj()
    for content in _contents(path, b"IDAT"):
        rest = content
        while rest and missing > 0:
            missing -= len(inflating.decompress(rest, 1 << 20))
            rest = inflating.unconsumed_tail
    return missing <= 0


def _contents(path: Path, chunk: bytes) -> Iterator[bytes]:
    """Contents of a PNG file's chunks of one type."""
    with open_file(path) as file:
        file.seek(8)
        while len(head := file.read(8)) == 8:
            size, kind = int.from_bytes(head[:4]), head[4:]
            if kind == chunk:
                yield file.read(size)
                file.seek(4, 1)  # its checksum
            else:
                file.seek(size + 4, 1)
