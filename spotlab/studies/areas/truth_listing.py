"""Lists the files that have the truth of a collection, before any of them is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.files import is_folder
from spotlab.formats.collection.detect import format_of, truth_files_in
from spotlab.formats.collection.folder import PageEntry, expand, scan
from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.truth import page_xml
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.progress import Progress, silent
from spotlab.studies.areas.filed_truths import TruthFile


@dataclass(frozen=True)
class TruthListing:
    """The truth files of a collection.

    Attributes
    ----------
    items : tuple of TruthFile or str
        Files with truth, and names of pages that have an image but none, in their order.
    remarks : tuple of str
        What was passed over, a line each.
    labels : tuple of str
        In the order of the collection's label list; empty where there is none, or more than one.
    """

    items: tuple[TruthFile | str, ...]
    remarks: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def files(self) -> list[TruthFile]:
        """The files with truth."""
        return [item for item in self.items if isinstance(item, TruthFile)]


def list_truths(paths: Sequence[Path], progress: Progress = silent) -> TruthListing:
    """The truth files in folders, and those that are named themselves.

    Parameters
    ----------
    paths : sequence of Path
        Folders (PAGE files beside their images, in all folders in them; without any, truth files of
        other formats), images, and truth files of any format.
    progress : Progress
        Told of each folder.

    Raises
    ------
    BadInput
        A path is not there, or of no known format.
    """
    found = _Listed()
    for path in paths:
        if is_folder(path) or path.suffix.lower() in IMAGE_SUFFIXES:
            found.add_scanned(path, progress)
        else:
            found.add(TruthFile(path, format_of(path).name))
        labels = tuple(
            label.name for label in read_labels(path if is_folder(path) else path.parent)
        )
        found.labels |= {labels} - {()}
    one = next(iter(found.labels)) if len(found.labels) == 1 else ()
    return TruthListing(tuple(found.items), tuple(found.remarks), one)


class _Listed:
    """What has been found so far; a folder and a file in it may both be given."""

    def __init__(self) -> None:
        self.items: list[TruthFile | str] = []
        self.remarks: list[str] = []
        self.labels: set[tuple[str, ...]] = set()
        self._files: set[Path] = set()

    def add(self, file: TruthFile) -> None:
        """A file, unless it is there already."""
        if file.path.resolve() not in self._files:
            self.items.append(file)
        self._files.add(file.path.resolve())

    def add_scanned(self, path: Path, progress: Progress) -> None:
        """Every page of a folder, or of an image file.

        Where a folder has no PAGE at all, files of other formats in it are the truth.
        """
        entries = [page for entry in scan([path], progress) for page in _pages_of(entry)]
        if is_folder(path) and not any(entry.has_truth for entry in entries):
            files, remarks = truth_files_in(path)
            self.remarks += remarks
            for file, format in files:
                self.add(TruthFile(file, format.name))
        for entry in entries:
            if entry.has_truth:
                self.add(TruthFile(entry.truth_path, page_xml.FORMAT.name, entry))
            else:
                self.items.append(entry.name)


def with_absolute_paths(file: TruthFile) -> TruthFile:
    """A file as workers find it, which run in folders of their own.

    Parameters
    ----------
    file : TruthFile
    """
    entry = file.entry
    if entry is not None:
        entry = replace(entry, image=entry.image.absolute(), truth_path=entry.truth_path.absolute())
    return TruthFile(file.path.absolute(), file.format, entry)


def _pages_of(entry: PageEntry) -> list[PageEntry]:
    """The pages of a file; the file itself where its image cannot be read."""
    try:
        return expand(entry)
    except BadInput:  # evaluating needs no image, so a damaged one is no harm
        return [entry]
