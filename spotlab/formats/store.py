"""Keeps what was computed, under a digest of all that it was made from.

An entry is right or not found: its name, or what it says of itself, is a digest of the content of
the files that it was made from, of the settings, and of the code and libraries that made it. It is
written whole or not at all, so that any number of processes and machines may share a folder: two
that make the same entry write the same. One that is damaged is made anew. Entries about pages are
arrays in folders of the user's cache, where the longest unused ones go first
(`clearing`); what belongs to the user, such as tallies of parts, is Parquet.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import stat
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import PIL
from numpy.typing import NDArray
from platformdirs import user_cache_path

from spotlab.errors import NotSaved, reason
from spotlab.extras import cv2
from spotlab.files import check_regular
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import parse_json
from spotlab.formats.rows.part_folder import PartFolder, array_of
from spotlab.imaging.reading import pixels as reading
from spotlab.imaging.reading.pixels import is_large, read_header, shrink
from spotlab.imaging.reading.pyramid import Pixels

if TYPE_CHECKING:
    import pyarrow


LARGEST_FOLDER = 4 << 30  # bytes that the files of one folder may take
OLDEST = 60 * 86_400  # seconds without use after which a file goes: its version is gone, most often
IN_USE = 86_400  # seconds without use before which none goes, however large the folder is

_NAME = re.compile(
    r"([0-9a-f]{2})[0-9a-f]{38}\.(symbols|words|described|spots|preview|tallies|labels|summaries)"
)
_cleared: set[Path] = set()


def clear_once(folder: Path) -> None:
    """Clear a folder, unless this process has done so already.

    Parameters
    ----------
    folder : Path
    """
    if folder not in _cleared:
        _cleared.add(folder)
        clear(folder)


def clear(folder: Path, largest: int = LARGEST_FOLDER) -> None:
    """Delete page files that were not used for `OLDEST`, and the longest unused of too many.

    Parameters
    ----------
    folder : Path
        Of `spotlab.formats.store.keyed_file`; whatever else is there stays.
    largest : int
        Bytes that may stay; files that were used within a day stay anyway.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "notes.txt").touch()
    ...     clear(Path(folder), largest=0)
    ...     print(Path(folder, "notes.txt").exists())
    True
    """
    now = time.time()
    total = 0
    for path, status in sorted(_files(folder), key=lambda file: -file[1].st_mtime):
        unused = now - status.st_mtime
        total += status.st_size
        if unused > OLDEST or (total > largest and unused > IN_USE):
            with suppress(OSError):
                path.unlink()


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    with suppress(OSError):
        for path in folder.glob("??/*"):
            match = _NAME.fullmatch(path.name)
            if match and match[1] == path.parent.name:
                with suppress(OSError):
                    yield path, path.lstat()


LARGEST = 1 << 30  # bytes of the arrays of one page
_DIGEST = 64  # of SHA-256, in hexadecimal digits


def keyed_file(folder: Path, key: str, suffix: str) -> Path:
    """Name the file of a key, in one of 256 subfolders.

    Parameters
    ----------
    folder : Path
    key : str
        As `key_of` makes it.
    suffix : str

    Returns
    -------
    Path
        Absolute.

    Examples
    --------
    >>> keyed_file(Path("/cache"), "ab12", ".words").as_posix()
    '/cache/ab/ab12.words'
    """
    return folder.absolute() / key[:2] / f"{key}{suffix}"


def write_arrays(
    arrays: Mapping[str, NDArray[Any]], path: Path, magic: bytes, *, sparse: bool = False
) -> None:
    """Write arrays to a file; where that fails, leave what was there.

    Parameters
    ----------
    arrays : mapping of str to array
        Of any shape.
    path : Path
        Its folder is made where it is missing.
    magic : bytes
        The file's first line, which says what it is.
    sparse : bool
        Compress arrays that are mostly zeros, as ink is.

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_arrays({"one": np.arange(3)}, Path(folder, "page"), b"mine\\n")
    ...     print(read_arrays(Path(folder, "page"), b"mine\\n"))
    {'one': array([0, 1, 2])}
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in arrays.items():
            # numpy's savez takes no names with "file" and allows objects
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
    body = content.getvalue()
    if len(body) > LARGEST:
        raise NotSaved(f"{path} was not saved: {len(body):,} bytes, of at most {LARGEST:,}")
    if sparse:
        body = zlib.compress(body, 1)  # more takes twice as long for a fiftieth less
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{path.parent} cannot be made: {reason(error)}") from error
    write_atomically(path, magic + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    if path.parent.name == path.name[:2]:
        clear_once(path.parent.parent)


def read_arrays(path: Path, magic: bytes, *, used: bool = True) -> dict[str, NDArray[Any]] | None:
    """Read arrays from a file.

    Parameters
    ----------
    path : Path
    magic : bytes
        The first line that the file has to have.
    used : bool
        Whether this counts as a use: what was not used for long is cleared.

    Returns
    -------
    dict of str to array, or None
        Of any shape; None where there is no file, or it is damaged in any way.

    Examples
    --------
    >>> read_arrays(Path("missing"), b"mine\\n") is None
    True
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            return None
        content = path.read_bytes()
    except OSError:
        return None
    start = len(magic) + _DIGEST + 1
    body = content[start:]
    digest = hashlib.sha256(body).hexdigest().encode() + b"\n"
    if content[:start] != magic + digest:
        return None
    try:
        arrays = _unpacked(body if body.startswith(b"PK") else _inflated(body))
    except Exception:  # it has the digest of what it holds, and was not written by us all the same
        return None
    if used:
        with suppress(OSError):
            os.utime(path)
    return arrays


def _inflated(body: bytes) -> bytes:
    inflating = zlib.decompressobj()
    archive = inflating.decompress(body, LARGEST)
    if not inflating.eof:
        raise ValueError("it is cut off, or inflates to more than we write")
    return archive


def _unpacked(content: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        packed = any(member.compress_type != zipfile.ZIP_STORED for member in members)
        if packed or sum(member.file_size for member in members) > len(content):
            raise ValueError("it inflates to more than it holds")
        return {
            member.filename.removesuffix(".npy"): array_of(archive.read(member))
            for member in members
        }


ABOUT = b"spotlab"  # the entry of a file's metadata with the key and what else is said


class Entry:
    """Result of looking up a key.

    Parameters
    ----------
    about : dict or None
        What the entry says about itself; None if there is none with the key.
    damaged : bool
        Whether there is one that cannot be read.
    """

    def __init__(self, about: dict[str, Any] | None, *, damaged: bool = False) -> None:
        self.about = about
        self.damaged = damaged


def described(schema: pyarrow.Schema, key: str, about: Mapping[str, Any]) -> pyarrow.Schema:
    """The schema of an entry, which says its key and something about it.

    Parameters
    ----------
    schema : pyarrow.Schema
    key : str
        As `spotlab.formats.store.key_of` makes it.
    about : mapping
        What JSON can hold.
    """
    return schema.with_metadata({ABOUT: json.dumps({**about, "key": key}).encode()})


def about(file: Any) -> dict[str, Any]:
    """Return what an open ``pyarrow.parquet.ParquetFile`` says about itself.

    Empty if it is not ours.
    """
    said: dict[str, Any] = parse_json((file.schema_arrow.metadata or {}).get(ABOUT, b"{}"))
    return said


def known(folder: PartFolder, name: str, key: str, *, whole: bool = False) -> Entry:
    """Look for an entry.

    Parameters
    ----------
    folder : PartFolder
    name : str
        Of the file.
    key : str
        The key that it has to have.
    whole : bool
        Read all of it, so that damage anywhere is noticed, and not only what it says of itself.

    Returns
    -------
    Entry
    """
    import pyarrow  # noqa: PLC0415 - takes a quarter of a second
    import pyarrow.parquet  # noqa: PLC0415

    try:
        opened = folder.open(name)
        with pyarrow.parquet.ParquetFile(opened, page_checksum_verification=True) as file:
            said = about(file)
            if said.get("key") != key:
                return Entry(None)
            if whole:
                for _ in file.iter_batches(use_threads=False):
                    pass
            return Entry(said)
    except FileNotFoundError:
        return Entry(None)
    except (pyarrow.ArrowException, OSError, ValueError, TypeError):
        return Entry(None, damaged=True)


def cache_folder(what: str) -> Path:
    """The folder in the user's cache for one kind of entries.

    Parameters
    ----------
    what : str
        Such as "symbols", "words", "tallies", "summaries" or "previews".

    Examples
    --------
    >>> cache_folder("words").name
    'words'
    """
    return user_cache_path("spotlab") / what


def digest_of(path: Path) -> str:
    """Compute the SHA-256 digest of a file's content.

    Parameters
    ----------
    path : Path
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def code_digest(sources: Iterable[Path], libraries: Sequence[ModuleType] = (np, cv2)) -> str:
    """Compute a digest that changes with source files and with the libraries that they use.

    The sources have to be files: a build without Python keeps them as such.

    Parameters
    ----------
    sources : iterable of Path
    libraries : sequence of module
        numpy and OpenCV by default, which is imported for its version.
    """
    versions = " ".join(library.__version__ for library in libraries)
    digest = hashlib.sha256(versions.encode())
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def key_of(*parts: str) -> str:
    """Make the name of a file from all that its content depends on.

    Parameters
    ----------
    *parts : str

    Returns
    -------
    str
        40 hexadecimal digits.
    """
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]


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
