"""Finds the image that a truth file names, wherever the file may have been moved with it."""

from __future__ import annotations

import base64
import math
import os
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, unquote, unquote_to_bytes, urlsplit

from spotlab.errors import BadInput, NotSaved, reason
from spotlab.files import as_on_disk, composed, is_file, is_folder, open_file
from spotlab.formats.page.xml_tree import NOT_XML
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import content_name
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES, read_header
from spotlab.model import Page

# beside truth, in lower case, such as JPEGImages of VOC and train2017 of COCO
_IMAGE_FOLDER = re.compile(
    r"images?|imgs?|(jpe?g|png|tiff?)(images)?|scans|(images_)?(train|val|valid|test)(\d{4})?"
)


def find_image(truth_path: Path, filename: str) -> Path | None:
    """The image that ``filename`` in the truth file means, if it is there.

    Looked for relative to the folder of the truth file, to the folder above and to the folders of
    images in both; then by its bare name in them; then as an image called like the truth file.
    """
    truth_path = content_name(truth_path)
    folder = truth_path.parent
    above = folder.parent if folder.name not in ("", "..") else folder / ".."  # of "."
    spellings = (filename, filename.replace("\\", "/"), _decoded_name(filename))
    names = [name for name in spellings if name]
    names = list(dict.fromkeys(names + [Path(name).name for name in names]))
    for near in (True, False):  # listing a folder takes long: only where its image is elsewhere
        bases = [folder, above, above / "images"] if near else _image_folders(folder)
        for name in names:
            for base in bases:
                image = as_on_disk(base / name)
                if is_file(image):
                    return _tidy(image)
        found = _image_called_like(truth_path, bases)
        if found is not None:
            return found
        bare = names[-1] if names else ""
        if bare and not Path(bare).suffix:  # VOC may have the name without the ending
            found = _image_called_like(truth_path.with_name(f"{bare}.xml"), bases)
            if found is not None:
                return found
    return None


def _image_folders(folder: Path) -> list[Path]:
    """The folders of images in the folder and the one above, of which most have none."""
    found = []
    for base in (folder, folder.parent):
        try:
            with os.scandir(base) as listing:
                found += [
                    base / item.name for item in listing
                    if _IMAGE_FOLDER.fullmatch(item.name.lower()) and is_folder(base / item.name)
                ]  # fmt: skip
        except OSError:
            continue
    return sorted(found)


def _image_called_like(truth_path: Path, bases: Iterable[Path]) -> Path | None:
    stem = truth_path.name.removesuffix(truth_path.suffix)
    for base in bases:
        image = as_on_disk(base / stem)
        if is_file(image) and image.suffix.lower() in IMAGE_SUFFIXES:
            return image  # "plan.png.xml"
        for suffix in sorted(IMAGE_SUFFIXES):
            for spelling in (suffix, suffix.upper()):
                image = as_on_disk(base / (stem + spelling))
                if is_file(image):
                    return image
    return None


class ImageIndex:
    """The images in a folder and all folders in it by their names; listed when first asked for.

    Parameters
    ----------
    root : Path
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._by_name: dict[str, list[Path]] | None = None

    def find(self, filename: str) -> Path | None:
        """The image of this name, or called so without its ending; None where there is none.

        Of several the one counts whose path ends with the folders that the name has.

        Raises
        ------
        BadInput
            Several may be meant.
        """
        if self._by_name is None:
            self._by_name = self._listed()
        parts = [part for part in _spelled(filename).replace("\\", "/").split("/") if part]
        if not parts:
            return None
        stem = os.path.splitext(parts[-1])[0]
        found = self._by_name.get(parts[-1]) or self._by_name.get(stem) or []
        for count in range(2, len(parts) + 1):
            if len(found) > 1:
                tail = parts[-count:-1]
                found = [
                    path for path in found
                    if [_spelled(part) for part in path.parts[-count:-1]] == tail
                ]  # fmt: skip
        if len(found) > 1:
            places = ", ".join(path.relative_to(self._root).as_posix() for path in found[:3])
            more = " …" if len(found) > 3 else ""
            problem = f"{len(found)} images are called {filename}: {places}{more}"
            raise BadInput(
                self._root, problem, expected="one of this name, or its folder named, too"
            )
        return found[0] if found else None

    def _listed(self) -> dict[str, list[Path]]:
        by_name: dict[str, list[Path]] = {}
        for folder, folders, names in os.walk(self._root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in names:
                stem, suffix = os.path.splitext(_spelled(name))
                if suffix in IMAGE_SUFFIXES:
                    by_name.setdefault(stem + suffix, []).append(Path(folder, name))
                    by_name.setdefault(stem, []).append(Path(folder, name))
        return by_name


def _spelled(name: str) -> str:
    """The name as it is compared: one spelling of accents, lower case."""
    return composed(name).lower()


def writable_name(name: str) -> str:
    """The name as XML can hold it: bytes that are no text and control characters as %XX.

    Examples
    --------
    >>> writable_name("plan é.png"), writable_name(os.fsdecode(b"caf\\xe9\\1.png"))
    ('plan é.png', 'caf%E9%01.png')
    """
    return NOT_XML.sub(
        lambda found: "".join(f"%{byte:02X}" for byte in os.fsencode(found[0])), name
    )


def _decoded_name(name: str) -> str:
    """Return what `writable_name` was given."""
    try:
        return os.fsdecode(unquote_to_bytes(name))
    except UnicodeEncodeError:  # it has not been through XML
        return name


def _tidy(path: Path) -> Path:
    """Without "..", unless that leads elsewhere because of a link."""
    tidy = Path(os.path.normpath(path))
    return tidy if is_file(tidy) and tidy.samefile(path) else path


def image_path(truth_path: Path, filename: str) -> Path:
    """The image, or where it would be expected."""
    found = find_image(truth_path, filename)
    if found is not None:
        return found
    bare = os.path.basename(filename.replace("\\", "/").replace("\0", ""))
    return truth_path.parent / (bare or content_name(truth_path).stem)


def image_name(image: Path, folder: Path) -> str:
    """Tell how a file in the folder names the image so that it is found: by its path from there.

    An image that is not there, or lies beside the file, goes by its bare name.
    """
    if is_file(folder / image.name) or not is_file(image):
        return image.name
    return os.path.relpath(image, folder).replace(os.sep, "/")


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
    size = size_from_image(path, filename, place, " and ".join(wrong), reading)
    reading.remark(path, f"{remark} the image", place)
    return size


def size_from_image(
    path: Path, filename: str, place: str, reason: str, reading: Reading
) -> tuple[int, int]:
    """Return the size of the image, for files that do not say how large the page is.

    See `needed_image`.
    """
    return _image_size(needed_image(path, filename, place, reason, reading))


def needed_image(path: Path, filename: str, place: str, reason: str, reading: Reading) -> Path:
    """Return the image of a page that cannot be read without it, wherever the collection has it.

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
    reading : Reading
        Finds it elsewhere in the collection.

    Raises
    ------
    BadInput
        The image is not there, or several may be meant.
    """
    image, name = find_image(path, filename), filename or content_name(path).stem
    if image is None and reading.find_image is not None:
        try:
            image = reading.find_image(name)
        except BadInput as error:
            raise BadInput(path, f"{reason} and {error.problem}", place=place,
                           expected=error.expected) from error  # fmt: skip
    if image is None:
        problem = f"{reason} and its image {name} is not there"
        raise BadInput(path, problem, place=place, expected="the image beside the file")
    return image


def page_of_image(path: Path, reading: Reading, filename: str = "", place: str = "") -> Page:
    """Return the page of an image, with the image's size.

    Parameters
    ----------
    path : Path
        The truth file.
    reading : Reading
    filename : str
        The image as the file names it; by default it is called like the file.
    place : str
        Where it is named, for the message.

    Raises
    ------
    BadInput
        The image is not there, or several may be meant.
    """
    is_bare = bool(filename) and Path(filename).suffix.lower() not in IMAGE_SUFFIXES
    owner = path.with_name(f"{Path(filename).name}.txt") if is_bare else path
    image = find_image(owner, "") if is_bare else None
    if image is None:
        reason = "positions are in px of the image"
        image = needed_image(path, filename, place, reason, reading)
    header = read_header(image)
    return Page(image, header.width, header.height)


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


def write_embedded(path: Path, embedded: str, place: str, target: Path) -> None:
    """Write an embedded image to a file; see `embedded_file`.

    Raises
    ------
    BadInput
        It is not Base64.
    NotSaved
        The file could not be written.
    """
    content = _decoded(path, embedded, place)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    except OSError as error:
        raise NotSaved(f"{target} could not be written: {reason(error)}") from error


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


_UPLOADED = re.compile(r"[0-9a-f]{8}-(?=.)")  # what Label Studio puts before the name of a file


def images_of_task(data: Mapping[str, object], path: Path) -> list[str]:
    """The images of a task of Label Studio, as far as files can be found by them.

    Parameters
    ----------
    data : mapping of str to object
        The data of the task: one image, or those of its pages.
    path : Path
        The file that has the task.
    """
    texts = {key: value for key, value in data.items() if isinstance(value, str)}
    name = texts.get("image") or texts.get("ocr") or texts.get("img") or ""
    if name:
        return [uploaded_image(name, path)]
    for value in data.values():  # pages, of documents
        given = [each.get("page") or each.get("image") or each.get("url") or ""
                 if isinstance(each, dict) else each
                 for each in (value if isinstance(value, list) else [])]  # fmt: skip
        names = [each for each in given if isinstance(each, str) and _is_address(each)]
        if names and len(names) == len(given):
            return [uploaded_image(each, path) for each in names]
    return [uploaded_image(text, path) for text in texts.values() if _is_address(text)][:1]


def _is_address(text: str) -> bool:
    return "/" in text or "." in text


def uploaded_image(address: str, path: Path) -> str:
    """The image of an address of Label Studio; one that was exported as uploaded keeps its prefix.

    Parameters
    ----------
    address : str
    path : Path
        The file that has the address.
    """
    uploaded = unquote(urlsplit(address).path).rpartition("/")[2]
    name = image_of(address)
    if name != uploaded and "/upload/" in address and find_image(path, name) is None:
        return uploaded if find_image(path, uploaded) is not None else name
    return name


def image_of(name: str) -> str:
    """The file that the address of an image means, without what Label Studio puts before it.

    Examples
    --------
    >>> image_of("/data/upload/3/4c9c9b1e-plan_1.png"), image_of("s3://bucket/a%20b.png")
    ('plan_1.png', 'a b.png')
    >>> image_of("/data/local-files/?d=plans/plan_1.png"), image_of("plans/plan_1.png")
    ('plans/plan_1.png', 'plans/plan_1.png')
    """
    parts = urlsplit(name)
    query = parse_qs(parts.query).get("d")
    if query:
        return query[0]
    if parts.scheme or name.startswith("/data/"):
        bare = unquote(parts.path).rpartition("/")[2]
        return _UPLOADED.sub("", bare, count=1) if "/upload/" in name else bare
    return name
