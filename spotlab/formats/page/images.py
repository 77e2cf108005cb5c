"""Finds the image that a truth file names, wherever the file may have been moved with it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote_to_bytes

from spotlab.files import as_on_disk, composed, is_file
from spotlab.formats.page.xml_tree import NOT_XML
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES

# beside truth, in lower case, such as JPEGImages of VOC and train2017 of COCO
_IMAGE_FOLDER = re.compile(
    r"images?|imgs?|(jpe?g|png|tiff?)(images)?|scans|(images_)?(train|val|valid|test)(\d{4})?"
)


def find_image(truth_path: Path, filename: str) -> Path | None:
    """The image that ``filename`` in the truth file means, if it is there.

    Looked for relative to the folder of the truth file, to the folder above and to the folders of
    images in both; then by its bare name in them; then as an image called like the truth file.
    """
    folder = truth_path.parent
    above = folder.parent if folder.name not in ("", "..") else folder / ".."  # of "."
    spellings = (filename, filename.replace("\\", "/"), _decoded(filename))
    names = [name for name in spellings if name]
    names = list(dict.fromkeys(names + [Path(name).name for name in names]))
    for bases in ((folder, above, above / "images"), _image_folders(folder)):
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
                    if _IMAGE_FOLDER.fullmatch(item.name.lower()) and item.is_dir()
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
        """The image of this name, or called so without its ending; None where several may be meant.

        Of several the one counts whose path ends with the folders that the name has.
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
        return found[0] if len(found) == 1 else None

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


def _decoded(name: str) -> str:
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
    return truth_path.parent / (bare or truth_path.stem)


def image_name(image: Path, folder: Path) -> str:
    """Tell how a file in the folder names the image so that it is found: by its path from there.

    An image that is not there, or lies beside the file, goes by its bare name.
    """
    if is_file(folder / image.name) or not is_file(image):
        return image.name
    return os.path.relpath(image, folder).replace(os.sep, "/")
