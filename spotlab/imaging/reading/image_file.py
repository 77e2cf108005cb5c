"""Opens image files through Pillow, and reads what Pillow does not of PNG and JPEG files."""

from __future__ import annotations

import re
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from PIL import Image, UnidentifiedImageError

from spotlab.errors import BadInput, Cancelled, SpotlabError, reason
from spotlab.files import check_regular, is_folder, open_file

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


MAXIMUM_PIXELS = 300_000_000

_SUFFIXES = {
    "PNG": frozenset({".png"}),
    "JPEG": frozenset({".jpg", ".jpeg", ".jpe", ".jfif"}),
    "TIFF": frozenset({".tif", ".tiff"}),
    "WEBP": frozenset({".webp"}),
    "BMP": frozenset({".bmp", ".dib"}),
    "JPEG2000": frozenset({".jp2", ".j2k", ".j2c", ".jpc", ".jpf", ".jpx"}),
    "PDF": frozenset({".pdf"}),
}
IMAGE_SUFFIXES: frozenset[str] = frozenset().union(*_SUFFIXES.values())

_PAGED = frozenset({"TIFF"})  # the formats whose frames are pages, not an animation
_ORIENTATION = 274  # the EXIF and TIFF tag
_SIDEWAYS = frozenset({5, 6, 7, 8})  # its values that exchange width and height

# Pillow's own limit is below ours; check_size() refuses what is too large before any decoding.
Image.MAX_IMAGE_PIXELS = None
# Remarks on odd metadata; set once, because catch_warnings() is not safe among threads.
warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")


@contextmanager
def readable_errors(path: Path, doing: str) -> Iterator[None]:
    """Turn whatever a decoder raises in a ``with`` block into one `BadInput`.

    Decoders raise OSError, SyntaxError, ValueError, struct.error, KeyError and more on damaged
    files, so everything is caught here except what spotlab raised itself.

    Parameters
    ----------
    path : Path
        The file that is read.
    doing : str
        What is being done, such as "decoding the image".

    Raises
    ------
    BadInput
        Anything else was raised in the block.

    Examples
    --------
    >>> with readable_errors(Path("page.png"), "decoding the image"):
    ...     raise ValueError("bad chunk")
    Traceback (most recent call last):
    ...
    spotlab.errors.BadInput: page.png: decoding the image failed: the file is damaged (bad chunk)
    """
    try:
        yield
    except (SpotlabError, Cancelled):
        raise
    except MemoryError as error:
        raise BadInput(path, f"there is not enough memory for {doing}") from error
    except OSError as error:
        if error.errno is not None:
            raise BadInput(path, f"cannot be read: {reason(error)}") from error
        raise BadInput(path, f"{doing} failed: {_one_line(error)}") from error
    except Exception as error:
        raise BadInput(path, f"{doing} failed: the file is damaged ({_one_line(error)})") from error


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


@contextmanager
def open_image(path: Path, frame: int = 0) -> Iterator[Image.Image]:
    """Open an image file at one of its frames, without decoding it.

    Parameters
    ----------
    path : Path
        A PNG, JPEG, JPEG 2000, TIFF, WebP or BMP file.
    frame : int
        Which of its pages, from 0.

    Yields
    ------
    PIL.Image.Image

    Raises
    ------
    BadInput
        The file cannot be opened, or a decoder failed inside the ``with`` block.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("L", (30, 20)).save(Path(folder) / "page.png")
    ...     with open_image(Path(folder) / "page.png") as image:
    ...         image.size
    (30, 20)
    """
    with readable_errors(path, "decoding the image"):
        check_file(path)
        try:
            image = Image.open(path, formats=("PNG", "JPEG", "TIFF", "WEBP", "BMP", "JPEG2000"))
        except UnidentifiedImageError as error:
            raise BadInput(
                path,
                "this is not an image, or it is damaged",
                expected="PNG, JPEG, JPEG 2000, TIFF, WebP, BMP or PDF",
            ) from error
        with image:
            check_frame(path, image, frame)
            if frame:
                image.seek(frame)
            yield image


def check_file(path: Path) -> None:
    """Check that a path is a file with content.

    Parameters
    ----------
    path : Path
        The image file.

    Raises
    ------
    BadInput
        It is missing, a folder, no regular file, or empty.
    """
    if is_folder(path):
        raise BadInput(path, "this is a folder", expected="an image file")
    if check_regular(path).st_size == 0:
        raise BadInput(path, "the file is empty", expected="an image")


def check_frame(path: Path, image: Image.Image, frame: int) -> int:
    """Return the number of pages of a file; check that it has this one.

    Parameters
    ----------
    path : Path
        The file, for the error.
    image : PIL.Image.Image
        The opened image. Only the frames of TIFF are pages.
    frame : int
        The page, from 0.

    Returns
    -------
    int

    Raises
    ------
    BadInput
        The file has no such page.

    Examples
    --------
    >>> check_frame(Path("page.png"), Image.new("L", (3, 2)), 0)
    1
    """
    frames = int(getattr(image, "n_frames", 1)) if image.format in _PAGED else 1
    if not 0 <= frame < frames:
        raise BadInput(path, f"there is no page {frame + 1}", expected=f"1 to {frames}")
    return frames


def check_size(path: Path, width: int, height: int) -> None:
    """Check that a page has an area and is not too large.

    Parameters
    ----------
    path : Path
        The file, for the error.
    width, height : int
        In px.

    Raises
    ------
    BadInput
        A side is 0, or the page has more than ``MAXIMUM_PIXELS``.

    Examples
    --------
    >>> check_size(Path("page.png"), 3, 0)
    Traceback (most recent call last):
    ...
    spotlab.errors.BadInput: page.png: the page is 3 × 0 px; expected a page with an area
    """
    if width <= 0 or height <= 0:
        raise BadInput(path, f"the page is {width} × {height} px", expected="a page with an area")
    if width * height > MAXIMUM_PIXELS:
        raise BadInput(
            path,
            f"the page is {width} × {height} = {width * height:,} px",
            expected=f"at most {MAXIMUM_PIXELS:,} px",
        )


def orientation(path: Path, image: Image.Image) -> int:
    """Return how the stored rows have to be turned.

    Parameters
    ----------
    path : Path
        The image file.
    image : PIL.Image.Image
        The same file, opened.

    Returns
    -------
    int
        1 to 8 as in EXIF; 1 where the file does not say.

    Examples
    --------
    >>> orientation(Path("page.jpg"), Image.new("L", (3, 2)))
    1
    """
    exif = read_exif(path, image) if image.format == "PNG" else image.getexif()
    value = exif.get(_ORIENTATION, 1)
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def displayed_size(path: Path, image: Image.Image) -> tuple[int, int]:
    """Return the size of a page after its orientation has been applied.

    Parameters
    ----------
    path : Path
        The image file.
    image : PIL.Image.Image
        The same file, opened.

    Returns
    -------
    width, height : int
        In px.

    Examples
    --------
    >>> displayed_size(Path("page.jpg"), Image.new("L", (3, 2)))
    (3, 2)
    """
    width, height = image.size
    if image.format == "TIFF":
        # Pillow has said the turned size or the stored one, depending on its version
        tags = getattr(image, "tag_v2", {})
        width, height = int(tags.get(256, width)), int(tags.get(257, height))
    return (height, width) if orientation(path, image) in _SIDEWAYS else (width, height)


_READ_AT_ONCE = 1 << 20  # bytes
_END = b"\xff\xd9"
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")  # within a scan stand filling and restarts only


def first_scan(path: Path) -> bytes | None:
    """Read a JPEG file up to its first scan.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    bytes or None
        A file that ends there. Of a progressive one it holds the averages of 8 × 8 px, to half of
        their precision: enough for a small picture at an eighth of the size. None where there is
        no whole scan.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.jpg")
    ...     Image.effect_noise((64, 64), 90).save(path, progressive=True)
    ...     len(first_scan(path)) < path.stat().st_size / 2
    True
    """
    with open_file(path) as file:
        head = _up_to_scan(file)
        if head is None:
            return None
        content = bytearray(head)
        since = len(content)
        while block := file.read(_READ_AT_ONCE):
            content += block
            end = _MARKER.search(content, since)
            if end is not None:
                return bytes(content[: end.start()]) + _END
            since = len(content) - 1
    return None


def has_end(path: Path) -> bool:
    """Tell whether a JPEG file has its end marker, which libjpeg would make up.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    bool

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.jpg")
    ...     Image.new("L", (8, 8)).save(path)
    ...     has_end(path)
    True
    """
    with open_file(path) as file:
        # a preview in front of the first scan has its own end
        if _up_to_scan(file) is None:
            return False
        before = b""
        while block := file.read(_READ_AT_ONCE):
            if _END in before + block:
                return True
            before = block[-1:]
    return False


def _up_to_scan(file: BinaryIO) -> bytes | None:
    """A file's segments up to the begin of its first scan; None where there is none."""
    content = file.read(2)
    while (head := file.read(4))[:2] != b"\xff\xda":
        if len(head) < 4:
            return None
        if head[0] != 0xFF or head[1] == 0xFF:  # filling between segments
            file.seek(-3, 1)
            continue
        content += head + file.read(int.from_bytes(head[2:]) - 2)
    return content + head
