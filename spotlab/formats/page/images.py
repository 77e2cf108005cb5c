"""Finds the image that a truth file names, wherever the file may have been moved with it."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote_to_bytes

from spotlab.files import as_on_disk, is_file
from spotlab.formats.page.xml_tree import NOT_XML
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES


def find_image(truth_path: Path, filename: str) -> Path | None:
    """The image that ``filename`` in the truth file means, if it is there.

    Looked for relative to the folder of the truth file, to the folder above and to a folder
    ``images`` there; then by its bare name in them; then as an image called like the truth file.
    """
    folder = truth_path.parent
    bases = (folder, folder.parent, folder.parent / "images")
    spellings = (filename, filename.replace("\\", "/"), _decoded(filename))
    names = [name for name in spellings if name]
    names += [Path(name).name for name in names]
    for name in dict.fromkeys(names):
        for base in bases:
            image = as_on_disk(base / name)
            if is_file(image):
                return _tidy(image)
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
