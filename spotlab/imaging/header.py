"""Size and kind of an image file, read by a worker without decoding a pixel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spotlab.confined.client import Limits, read
from spotlab.imaging.image_file import IMAGE_SUFFIXES, MAXIMUM_PIXELS

__all__ = ["IMAGE_SUFFIXES", "MAXIMUM_PIXELS", "ImageHeader", "read_header"]

LIMITS = Limits(bytes=400_000_000, seconds=20)


@dataclass(frozen=True)
class ImageHeader:
    """Size and kind of one page.

    Attributes
    ----------
    width, height : int
        In px as the page is displayed, that is after any EXIF rotation.
    frames : int
        Number of pages of the file.
    description : str
        Format and kind of pixels, for display.
    """

    width: int
    height: int
    frames: int
    description: str


def read_header(path: Path, frame: int = 0) -> ImageHeader:
    """Read the size of a page without decoding it.

    Parameters
    ----------
    path : Path
        The image or PDF file.
    frame : int
        Which of its pages, from 0.

    Returns
    -------
    ImageHeader

    Raises
    ------
    BadInput
        The file is missing, empty, no image, damaged, not what its name says, has no such page, or
        the page has more than ``MAXIMUM_PIXELS``.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("L", (30, 20)).save(Path(folder) / "page.png")
    ...     read_header(Path(folder) / "page.png")
    ImageHeader(width=30, height=20, frames=1, description='PNG, grey')
    """
    header, _ = read(
        Path(path),
        "spotlab.imaging.decoding:_header",
        {"path": str(Path(path).absolute()), "frame": frame},
        LIMITS,
    )
    return ImageHeader(*header)
