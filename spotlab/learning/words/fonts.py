"""Fonts that words are written by, with their versions and licences."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from PIL import ImageFont

from spotlab.errors import BadInput
from spotlab.files import is_file, read_file
from spotlab.progress import Progress, silent, track

_SUFFIXES = (".ttf", ".otf")
_NEEDED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SIZE = 24  # px


@dataclass(frozen=True)
class Font:
    """A font.

    Attributes
    ----------
    path : Path
    family : str
    digest : str
        Of the file.
    """

    path: Path
    family: str
    digest: str

    @property
    def told(self) -> dict[str, str]:
        """What a network that has learned from it says of it."""
        return {"file": self.path.name, "family": self.family, "sha256": self.digest[:16]}


def read_fonts(folder: Path, progress: Progress = silent) -> list[Font]:
    """Find the fonts in a folder and below that have all letters.

    Parameters
    ----------
    folder : Path
    progress : Progress

    Raises
    ------
    BadInput
        There is none.
    """
    files = sorted(
        file for file in folder.rglob("*") if file.suffix.lower() in _SUFFIXES and is_file(file)
    )
    fonts = [font for file in track(files, progress, "reading fonts") if (font := _font(file))]
    if not fonts:
        raise BadInput(folder, "no font with all letters", expected="files .ttf or .otf")
    return fonts


def _font(file: Path) -> Font | None:
    try:
        font = ImageFont.truetype(str(file), _SIZE)
        content = read_file(file)
        missing = bytes(font.getmask("\uffff"))
        has_all = all(bytes(font.getmask(letter)) != missing for letter in _NEEDED)
    except OSError:
        return None
    family = " ".join(part for part in font.getname() if part)
    return Font(file, family, hashlib.sha256(content).hexdigest()) if has_all else None
