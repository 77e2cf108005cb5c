"""Size of a page: that in its truth file, else that of its image or of a copy in the file."""

from __future__ import annotations

import base64
import math
import os
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from spotlab.errors import BadInput
from spotlab.files import open_file
from spotlab.formats.page.images import find_image
from spotlab.formats.rows.reading import Reading
from spotlab.imaging.reading.pixels import read_header
from spotlab.model import Page

_NUMBER = re.compile(r"\s*\+?(\d+(?:\.\d*)?|\.\d+)(?:[eE]\+?(\d{1,2}))?\s*(?:px)?\s*")
_LARGEST = 2**31 - 1
_DATA_ADDRESS = re.compile(r"data:[^,]{0,200},")


def length_of(value: object) -> int | None:
    """Return a length in px; None where the value is no finite number above 0.

    Examples
    --------
    >>> length_of(400), length_of("300.0"), length_of("300 px"), length_of(0), length_of("wide")
    (400, 300, 300, None, None)
    """
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value)
        value = float(value.replace("px", "")) if found else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 < value <= _LARGEST or math.isnan(value):
        return None
    return round(value) or None


def page_size(
    path: Path,
    filename: str,
    given: tuple[object, object],
    place: str,
    reading: Reading,
    *,
    names: tuple[str, str] = ("width", "height"),
    embedded: str = "",
) -> tuple[int, int]:
    """Return the size of a page, for every reader of truth.

    Parameters
    ----------
    path : Path
        The truth file.
    filename : str
        The image as the file names it; may be empty.
    given : pair of object
        Width and height as the file has them: numbers, texts, or None where they are missing.
    place : str
        Where they stand, for the message.
    reading : Reading
        Told where the size is not the file's.
    names : pair of str
        What the file calls them.
    embedded : str
        A copy of the image in the file, in Base64; empty without one.

    Returns
    -------
    width, height : int
        In px. Where one of the two is not a number above 0, both are those of the image, or of the
        copy in the file.

    Raises
    ------
    BadInput
        Neither the file nor an image says it.
    """
    width, height = (length_of(value) for value in given)
    if width is not None and height is not None:
        return width, height
    remark = f"{names[0]} or {names[1]} is not a size above 0: it is taken from"
    if embedded:
        with suppress(BadInput):
            size = _embedded_size(path, embedded, place)
            reading.remark(path, f"{remark} the copy of the image", place)
            return size
    wrong = [
        f"{name} is missing" if value in (None, "") else f"{name} is {value!r:.40}"
        for name, value, length in zip(names, given, (width, height), strict=True)
        if length is None
    ]
    size = size_from_image(path, filename, place, " and ".join(wrong))
    reading.remark(path, f"{remark} the image", place)
    return size


def size_from_image(path: Path, filename: str, place: str, reason: str) -> tuple[int, int]:
    """Return the size of the image, for files that do not say how large the page is.

    Parameters
    ----------
    path : Path
        The truth file.
    filename : str
        The image as the file names it; may be empty.
    place : str
        For the message.
    reason : str
        Why the image is needed, for the message.

    Raises
    ------
    BadInput
        The image is not there, or is none.
    """
    image = find_image(path, filename)
    if image is None:
        problem = f"{reason} and its image {filename or path.stem} is not there"
        raise BadInput(path, problem, place=place, expected="the image beside the file")
    return _image_size(image)


def _image_size(image: Path) -> tuple[int, int]:
    header = read_header(image)
    return header.width, header.height


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # JPEG's markers that have the size
_ALONE = frozenset((0x01, *range(0xD0, 0xD9)))  # markers without a length
_MOST_MARKERS = 1000


def stored_size(image: Path) -> tuple[int, int] | None:
    """Read width and height from the first bytes of a PNG or JPEG file, before any turn by EXIF.

    It takes microseconds, where `read_header` asks another process: for every page of a set.

    Returns
    -------
    width, height : int, or None
        None where the file is another one, or damaged.

    Examples
    --------
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("L", (30, 20)).save(Path(folder, "page.jpg"))
    ...     stored_size(Path(folder, "page.jpg"))
    (30, 20)
    """
    with suppress(OSError, ValueError, struct.error), open_file(image) as file:
        head = file.read(24)
        if head.startswith(_SIGNATURE) and head[12:16] == b"IHDR":
            width, height = struct.unpack(">II", head[16:24])
            return width, height
        if not head.startswith(b"\xff\xd8\xff"):
            return None
        file.seek(2)
        for _ in range(_MOST_MARKERS):
            marker = file.read(2)[-1:]
            kind = marker[0] if marker else 0
            if kind == 0xFF:  # a byte that only fills
                file.seek(-1, os.SEEK_CUR)
                continue
            if kind in _ALONE:
                continue
            length = int.from_bytes(file.read(2))
            if kind in _FRAMES:
                height, width = struct.unpack(">xHH", file.read(5))
                return width, height
            if length < 2:
                return None
            file.seek(length - 2, os.SEEK_CUR)
    return None


def size_contradiction(page: Page) -> str:
    """Say that a page has another size than its image; "" where it has not, or nothing is known.

    Which of the two is right nobody can tell: the page keeps its size.
    """
    size = stored_size(page.image) if page.frames == 1 else None
    if size is None or sorted(size) == sorted((page.width, page.height)):  # it may be turned
        return ""
    return "page whose size is not that of its image: the size in the truth counts"


def _embedded_size(path: Path, embedded: str, place: str) -> tuple[int, int]:
    with embedded_file(path, embedded, place) as file:
        return _image_size(file)


@contextmanager
def embedded_file(path: Path, embedded: str, place: str) -> Iterator[Path]:
    """Write an embedded image to a temporary file, to be read as any other image is.

    Parameters
    ----------
    path : Path
        The file that it is embedded in, for messages.
    embedded : str
        Base64, with or without the beginning of a data address.
    place : str
        Where it stands, for messages.
    """
    with TemporaryDirectory(prefix="spotlab-") as folder:
        file = Path(folder, "embedded")
        file.write_bytes(_decoded(path, embedded, place))
        yield file


def _decoded(path: Path, embedded: str, place: str) -> bytes:
    address = _DATA_ADDRESS.match(embedded)
    try:
        return base64.b64decode(embedded[address.end() if address else 0 :])
    except ValueError as error:  # binascii.Error is one
        raise BadInput(path, "the embedded image is not Base64", place=place) from error
