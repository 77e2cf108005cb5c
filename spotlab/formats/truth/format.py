"""Interface of truth formats: recognition, reading and writing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spotlab.files import is_file, is_folder
from spotlab.formats.rows.reading import Reading
from spotlab.model import Truth
from spotlab.progress import Progress


@dataclass(frozen=True)
class DatasetLayout:
    """Layout of a folder of images and truth, for formats that prescribe one.

    Attributes
    ----------
    image_folder : callable
        The folder for the images of a part ("train", …, or "" where the pages are not split), as a
        path from the folder of the whole.
    write : callable
        Writes the truth of all parts into a folder, which is there and may have the images already.
    needs_images : bool
        The truth cannot be read where the images do not lie in these folders.
    """

    image_folder: Callable[[str], str]
    write: Callable[[Mapping[str, Sequence[Truth]], Path, Progress], None]
    needs_images: bool = False


@dataclass(frozen=True)
class Format:
    """One truth file format, found through the registry.

    Attributes
    ----------
    name, title : str
        What commands and what people call it.
    suffixes : tuple of str
        File name endings in lower case, with the dot.
    sniff : callable
        Whether a file of this name, with these first 4,096 bytes, is of this format.
    read : callable
        The truth of every page in the file; `read_file` calls it. See `Reading` for what it has to
        do. Raises `BadInput` where nothing in the file can be used.
    write : callable or None
        Writes the pages to a path: one file for a format that holds many pages, else the files that
        `page_file` names. Raises `NotSaved`. None where the format is only read.
    many_pages : bool
        One file holds any number of pages.
    losses : callable or None
        What of these pages the format has no place for, a line each with how many it concerns.
    superseded : callable or None
        Of several files of the format, those that others there take the place of, each with the
        one that does: earlier versions of the same page's truth.
    contents : callable or None
        Truth files that reading a file reads, too, so that nobody reads them again.
    layout : DatasetLayout or None
        Pages are always written as a whole folder; ``write`` then writes pages that are not split.
    image_folder : str
        The folder beside the truth that images are copied to; empty for the truth's own.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Path, bytes], bool]
    read: Callable[[Path, Reading], Sequence[Truth]]
    write: Callable[[Sequence[Truth], Path, Progress], None] | None = None
    many_pages: bool = False
    losses: Callable[[Sequence[Truth]], list[str]] | None = None
    superseded: Callable[[Sequence[Path]], Mapping[Path, Path]] | None = None
    contents: Callable[[Path], Sequence[Path]] | None = None
    layout: DatasetLayout | None = None
    image_folder: str = ""

    def read_file(self, path: Path, reading: Reading | None = None) -> list[Truth]:
        """The truth of every page in a file, and findings on what it could not give.

        Raises
        ------
        BadInput
            It cannot be read, nothing in it can be used, or reading is strict and an item is bad.
        """
        reading = reading or Reading()
        inside = reading.apart()
        truths = list(self.read(path, inside))
        error = inside.findings.first_error
        if error is not None and not any(truth.regions for truth in truths):
            raise error
        for finding in inside.findings:
            reading.findings.add(finding)
        return [_with_image(truth, path, reading) for truth in truths]


def _with_image(truth: Truth, path: Path, reading: Reading) -> Truth:
    """The truth with an image that lies elsewhere in the collection; a missing one is reported."""
    image = truth.page.image
    if is_file(image):
        return truth
    found = reading.find_image(image.name) if reading.find_image is not None else None
    if found is None:
        reading.pass_over(path, "image that is not there", image.name)
        return truth
    return replace(truth, page=replace(truth.page, image=found))


def page_file(target: Path, truth: Truth, suffix: str) -> Path:
    """Tell where a format of one page a file writes a page: the target itself, or a file in that
    folder.

    Examples
    --------
    >>> from spotlab.model import Page
    >>> truth = Truth(Page(Path("one.png"), 9, 9))
    >>> page_file(Path("out"), truth, ".xml").as_posix()
    'out/one.xml'
    >>> page_file(Path("a.xml"), truth, ".xml").name
    'a.xml'
    """
    if target.suffix.lower() == suffix and not is_folder(target):
        return target
    return target / f"{truth.page.name}{suffix}"
