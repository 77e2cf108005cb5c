"""Size and kind of an image file, read without decoding a pixel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spotlab.imaging import pdf
from spotlab.imaging.image_file import (
    IMAGE_SUFFIXES,
    MAXIMUM_PIXELS,
    check_frame,
    check_size,
    displayed_size,
    open_image,
)

__all__ = ["IMAGE_SUFFIXES", "MAXIMUM_PIXELS", "ImageHeader", "read_header"]

_MODES = {
    "1": "black and white",
    "L": "grey",
    "LA": "grey with transparency",
    "P": "palette",
    "PA": "palette with transparency",
    "RGB": "colour",
    "RGBA": "colour with transparency",
    "CMYK": "CMYK",
    "YCbCr": "colour",
}


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
    path = Path(path)
    if pdf.is_pdf(path):
        width, height, frames = pdf.page_size(path, frame)
        return ImageHeader(width, height, frames, f"PDF page at {pdf.DPI} dpi")
    with open_image(path, frame) as image:
        frames = check_frame(path, image, frame)
        width, height = displayed_size(path, image)
        check_size(path, width, height)
        kind = _MODES.get(image.mode, f"{image.mode} pixels")
        return ImageHeader(width, height, frames, f"{image.format}, {kind}")
