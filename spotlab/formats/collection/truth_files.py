"""Finds the truth files of a collection and pairs them with its images, for every command alike.

The truth of a folder is its PAGE XML; without any, it is the truth files of other formats in it.
What is not read is named. One image has one truth: where several files may be meant, a person has
to say which.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from spotlab.errors import BadInput
from spotlab.files import is_file, is_folder
from spotlab.formats.collection.containers import is_archive, unpacked
from spotlab.formats.collection.detect import format_of, known_formats, truth_files_in
from spotlab.formats.collection.folder import PageEntry, expand, named_like, scan
from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.page.images import ImageIndex
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth import mets, page_xml
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.model import LabelSet, Page, Truth
from spotlab.progress import Progress, silent, track


@dataclass(frozen=True)
class TruthFile:
    """A file with the truth of one page or many.

    Attributes
    ----------
    path : Path
    format : str
        The name of its format.
    entry : PageEntry or None
        The page of the collection that it belongs to, which gives it a name.
    root : Path or None
        The folder in which it was found; None where the file itself was named.
    """

    path: Path
    format: str
    entry: PageEntry | None = None
    root: Path | None = None

    def read(self, reading: Reading | None = None) -> list[Truth]:
        """Read what the file holds.

        Parameters
        ----------
        reading : Reading, optional
            What is wanted, and where findings go.

        Raises
        ------
        BadInput
            It cannot be read.
        """
        truths = known_formats()[self.format].read_file(self.path, reading)
        if self.entry is None:
            return truths
        return [named_like(truth, self.entry) for truth in truths]


def with_absolute_paths(file: TruthFile) -> TruthFile:
    """A file as workers find it, which run in folders of their own.

    Parameters
    ----------
    file : TruthFile
    """
    entry = file.entry
    if entry is not None:
        entry = replace(entry, image=entry.image.absolute(), truth_path=entry.truth_path.absolute())
    root = None if file.root is None else file.root.absolute()
    return TruthFile(file.path.absolute(), file.format, entry, root)


@dataclass(frozen=True)
class TruthListing:
    """The truth files of a collection.

    Attributes
    ----------
    files : tuple of TruthFile
        Files with truth, in their order.
    without : tuple of PageEntry
        Pages that have an image but no truth file beside it.
    remarks : tuple of str
        What was passed over, a line each.
    labels : LabelSet
        The collection's label list; empty where there is none, or more than one.
    unpacked : dict of Path to Path
        The archives that were given, by the folder of the cache in which their files are for a
        while.
    """

    files: tuple[TruthFile, ...]
    without: tuple[PageEntry, ...]
    remarks: tuple[str, ...]
    labels: LabelSet
    unpacked: Mapping[Path, Path]

    @property
    def skipped(self) -> str:
        """The first remark behind a colon, as the cause where there is no truth; may be empty.

        That archives were unpacked, which is said last, is none.
        """
        return f": {self.remarks[0]}" if len(self.remarks) > len(self.unpacked) else ""


def list_truths(paths: Sequence[Path], reading: Reading | None = None) -> TruthListing:
    """The truth files in folders, and those that are named themselves.

    Parameters
    ----------
    paths : sequence of Path
        Folders (PAGE files beside their images, in all folders in them; without any, truth files of
        other formats), archives of such a folder, images, and truth files of any format.
    reading : Reading, optional
        Told of each folder; takes the findings on files that are not read.

    Raises
    ------
    BadInput
        A path is not there, or of no known format.
    """
    found = _Listed(reading or Reading())
    for path in paths:
        if is_folder(path) or path.suffix.lower() in IMAGE_SUFFIXES:
            found.add_scanned(path)
        elif is_archive(path):
            folder = unpacked(path, found.reading.progress)
            found.unpacked[folder] = path
            found.add_scanned(folder)
        else:
            format = format_of(path)
            found.has_mets |= format is mets.FORMAT
            found.add(TruthFile(path, format.name))
        labels = read_labels(path if is_folder(path) else path.parent)
        if len(labels):
            found.labels[tuple(label.name for label in labels)] = labels
    if found.reading.file_group and not found.has_mets:
        raise BadInput(paths[0], "no METS is in it, which alone has file groups",
                       expected="METS, or no file group")  # fmt: skip
    one = next(iter(found.labels.values())) if len(found.labels) == 1 else LabelSet()
    unpacked_into = [f"{path.name} was unpacked into {to}" for to, path in found.unpacked.items()]
    remarks = (*found.remarks, *unpacked_into)
    return TruthListing(tuple(found.files), tuple(found.without), remarks, one, found.unpacked)


def pages_among(
    paths: Sequence[Path], progress: Progress = silent
) -> tuple[list[Path], list[Path]]:
    """Tell images, truth files and folders of pages from other files and folders.

    Parameters
    ----------
    paths : sequence of Path
        A folder that is given alone is one of pages, whatever is in it.
    progress : Progress

    Returns
    -------
    pages, others : list of Path

    Examples
    --------
    >>> pages, others = pages_among([Path("plan.png"), Path("found.run")])
    >>> [path.name for path in pages], [path.name for path in others]
    (['plan.png'], ['found.run'])
    """
    pages: list[Path] = []
    others: list[Path] = []
    names = ", ".join(path.name for path in paths)
    for path in track(paths, progress, f"Opening {names}"):
        is_page = len(paths) == 1 if is_folder(path) else _is_page_or_truth(path)
        (pages if is_page or _has_pages(path) else others).append(path)
    return pages, others


def _is_page_or_truth(path: Path) -> bool:
    if path.suffix.lower() in IMAGE_SUFFIXES:
        return True
    try:
        return is_file(path) and format_of(path) is not None
    except BadInput:
        return False


def _has_pages(path: Path) -> bool:
    try:
        return is_folder(path) and bool(scan([path]))
    except BadInput:
        return True  # opening it will say so


def annotators_of(path: Path, progress: Progress = silent) -> list[str]:
    """List the annotators whose work the truth files of a path hold, where these name several.

    Parameters
    ----------
    path : Path
        A file, or a folder.
    progress : Progress

    Raises
    ------
    BadInput
        It cannot be read.
    """
    names: dict[str, None] = {}
    for file in list_truths([path], Reading(progress)).files:
        annotators = known_formats()[file.format].annotators
        names |= dict.fromkeys(annotators(file.path) if annotators is not None else ())
    return list(names) if len(names) > 1 else []


class _Listed:
    """Files that have been found so far; a folder and a file in it may both be given."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.files: list[TruthFile] = []
        self.without: list[PageEntry] = []
        self.remarks: list[str] = []
        self.labels: dict[tuple[str, ...], LabelSet] = {}  # by their names
        self.unpacked: dict[Path, Path] = {}
        self.has_mets = False
        self._places: dict[Path, int] = {}

    def add(self, file: TruthFile) -> None:
        """A file, unless it is there already; one that is named itself is noted as such."""
        place = self._places.setdefault(file.path.resolve(), len(self.files))
        if place == len(self.files):
            self.files.append(file)
        elif file.root is None:
            known = self.files[place]
            entry = known.entry
            if entry is not None and entry.called.endswith(entry.rival_ending):
                entry = replace(entry, called="")  # it need not be told from its rivals any more
            self.files[place] = replace(known, root=None, entry=entry)

    def add_scanned(self, path: Path) -> None:
        """Every page of a folder, or of an image file.

        Where a folder has no PAGE at all, files of other formats in it are the truth.
        """
        reading = self.reading
        scanned = scan([path], reading.progress)
        entries = [page for entry in scanned for page in _pages_of(entry)]
        if is_folder(path):
            known = {entry.truth_path for entry in entries if entry.has_truth}
            files, errors, older = truth_files_in(path, known)
            bare = {(each.image.parent, each.image.stem) for each in entries if not each.has_truth}
            for error in errors:
                if (error.path.parent, error.path.stem) in bare:  # where a page's truth stands
                    reading.leave_out(error)
                elif not known:
                    self.remarks.append(f"{error.path.name} was skipped: {error.problem}")
            self.remarks += () if known else older
            others = []
            for file, format in files:
                self.has_mets |= format is mets.FORMAT
                if format is mets.FORMAT and known:
                    entries = self._in_group(file, entries)
                elif format is not page_xml.FORMAT and not known:
                    self.add(TruthFile(file, format.name, root=path))
                elif format is not page_xml.FORMAT:
                    others.append((file, format.title))
            for file, title in others:
                reading.remark(file, f"{title} file that is not read, as the truth is PAGE XML")
            self.remarks += () if known or files else _archives_in(path)
        for entry in entries:
            if not entry.has_truth:
                self.without.append(entry)
                continue
            root = path if is_folder(path) else None
            self.add(TruthFile(entry.truth_path, page_xml.FORMAT.name, entry, root))
            for other in entry.others:
                what = f"further PAGE file of an image, whose truth is {entry.truth_path.name}"
                reading.remark(other, what)

    def _in_group(self, path: Path, entries: list[PageEntry]) -> list[PageEntry]:
        """The pages without those of file groups that METS has besides the one that is read."""
        try:
            groups = mets.page_groups(path)
        except BadInput as error:
            self.reading.remark(path, f"METS that is not understood: {error.problem}", error.place)
            return entries
        if not groups:
            return entries
        chosen = mets.group_for(path, self.reading.file_group)
        mets.name_missing(path, chosen, self.reading)
        if len(groups) < 2:
            return entries
        left_out = {
            file.resolve() for name, files in groups.items() if name != chosen for file in files
        } - {file.resolve() for file in groups[chosen]}
        kept = [entry for entry in entries if entry.truth_path.resolve() not in left_out]
        truths = Counter((entry.image, entry.frame) for entry in kept)
        kept = [
            entry if truths[entry.image, entry.frame] > 1
            else replace(entry, called=entry.called.removesuffix(entry.rival_ending))
            for entry in kept
        ]  # fmt: skip
        if len(kept) < len(entries):
            count = len(entries) - len(kept)
            self.reading.remark(path, f"PAGE file of another file group than {chosen}", count=count)
        return kept


def _archives_in(folder: Path) -> list[str]:
    """Say of each archive in a folder that it is not opened by itself."""
    return [
        f"{path.name} is an archive, which has to be named itself"
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in (".zip", ".tar", ".tgz", ".gz") and is_archive(path)
    ]


def _pages_of(entry: PageEntry) -> list[PageEntry]:
    """The pages of a file; the file itself where its image cannot be read."""
    try:
        return expand(entry)
    except BadInput:  # evaluating needs no image, so a damaged one is no harm
        return [entry]


def other_images(listing: TruthListing, pages: Sequence[Page]) -> list[PageEntry]:
    """The pages without truth, but for masks and copies of pages that have truth.

    These are called like the page, and lie in a folder that has no page with truth, such as
    SegmentationClass of VOC.

    Parameters
    ----------
    listing : TruthListing
    pages : sequence of Page
        Those with truth.
    """
    known = {_key(page) for page in pages}
    others = [entry for entry in listing.without
              if (os.path.abspath(entry.image), entry.frame) not in known]  # fmt: skip
    return without_copies(others, [page.image for page in pages])


def without_copies(entries: Sequence[PageEntry], images: Sequence[Path]) -> list[PageEntry]:
    """The pages that are no masks or copies of others; see `other_images`.

    Parameters
    ----------
    entries : sequence of PageEntry
        Pages without truth.
    images : sequence of Path
        Those of the pages with truth.
    """
    stems = {image.stem for image in images}
    if not any(entry.image.stem in stems for entry in entries):
        return list(entries)
    folders = {os.path.abspath(image.parent) for image in images}
    return [
        entry
        for entry in entries
        if entry.image.stem not in stems or os.path.abspath(entry.image.parent) in folders
    ]


def image_finder(file: TruthFile, reading: Reading, known: dict[Path, ImageIndex]) -> Reading:
    """The reading with images found all over the folder that the file was found in.

    Parameters
    ----------
    file : TruthFile
    reading : Reading
    known : dict of Path to ImageIndex
        The folders that were listed so far, by their path; one is added where necessary.
    """
    if file.root is None:
        return reading
    return replace(reading, find_image=known.setdefault(file.root, ImageIndex(file.root)).find)


class PageOfFile(Protocol):
    """A page and the file that has its truth."""

    @property
    def file(self) -> TruthFile: ...  # noqa: D102

    @property
    def page(self) -> Page: ...  # noqa: D102


class FiledTruth(NamedTuple):
    """Truth of a page, and the file that has it."""

    file: TruthFile
    truth: Truth

    @property
    def page(self) -> Page:
        """The page."""
        return self.truth.page


Filed = TypeVar("Filed", bound=PageOfFile)


def one_truth_each(found: Sequence[Filed], reading: Reading) -> list[Filed]:
    """See that each image has one truth.

    Parameters
    ----------
    found : sequence of PageOfFile
    reading : Reading
        Told of files that give way to one that was named itself.

    Returns
    -------
    list of PageOfFile
        Without those of an image for which another file was named.

    Raises
    ------
    BadInput
        Several files are the truth of one image.
    """
    by_image: dict[tuple[str, int], dict[Path, TruthFile]] = {}
    for each in found:
        of_image = by_image.setdefault(_key(each.page), {})
        if each.file.path in of_image:
            raise image_twice(each.file.path, each.page)
        of_image[each.file.path] = each.file
    given_way: set[tuple[tuple[str, int], Path]] = set()
    for key, files in by_image.items():
        if len(files) == 1:
            continue
        named = [path for path, file in files.items() if file.root is None]
        if len(named) != 1:
            names = " and ".join(map(str, files))
            expected = "one truth for each image: name the file that is meant beside the folder"
            raise BadInput(key[0], f"it has truth in {names}", expected=expected)
        for path in files:
            if path != named[0]:
                reading.remark(path, f"truth of an image, for which {named[0].name} was named")
                given_way.add((key, path))
    return [each for each in found if (_key(each.page), each.file.path) not in given_way]


def image_twice(path: Path, page: Page) -> BadInput:
    """Return the error of a file that has two truths of a page."""
    problem = f"the image {page.image.name} is in it twice"
    return BadInput(path, problem, expected="one truth for each image")


def _key(page: Page) -> tuple[str, int]:
    return os.path.abspath(page.image), page.frame
