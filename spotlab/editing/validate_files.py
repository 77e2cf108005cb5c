"""Look through all truth files of folders and files, those that cannot be read included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spotlab.editing.validate import Finding, Severity, validate
from spotlab.errors import BadInput
from spotlab.files import is_file, is_folder, is_missing
from spotlab.formats.collection.detect import format_of, truth_files_in
from spotlab.formats.collection.folder import PageEntry, expand, scan
from spotlab.formats.collection.label_file import NAME as LABEL_FILE
from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.truth import page_xml
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES, read_header
from spotlab.model import LabelSet, Truth
from spotlab.progress import Progress, silent, track


@dataclass(frozen=True)
class Looked:
    """What was found on one page.

    Attributes
    ----------
    entry : PageEntry
    regions : int or None
        How many the truth has; None where it could not be read.
    unreadable : tuple of str
        What is wrong with the truth file or the image, one line each.
    findings : tuple of Finding
    """

    entry: PageEntry
    regions: int | None
    unreadable: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def errors(self) -> int:
        """How many things are wrong."""
        return len(self.unreadable) + self._count(Severity.ERROR)

    @property
    def warnings(self) -> int:
        """How many things look wrong."""
        return self._count(Severity.WARNING)

    def _count(self, severity: Severity) -> int:
        return sum(finding.severity is severity for finding in self.findings)


def validate_files(
    paths: Sequence[Path], progress: Progress = silent, *, labels: LabelSet | None = None
) -> list[Looked]:
    """Look at every page that has a truth file.

    Parameters
    ----------
    paths : sequence of Path
        As for `spotlab.formats.collection.folder.scan`, and truth files of any other format. Of a
        folder without any PAGE file those of other formats are looked at.
    progress : Progress
    labels : LabelSet, optional
        The collection's label set. By default that of the label file in each folder, or beside
        each file.

    Raises
    ------
    BadInput
        A path is not there or is no page. A file in a folder that turns out to be damaged is a
        result like any other.
    """
    found: list[Looked] = []
    sets: dict[Path, LabelSet] = {}
    for path in paths:
        known = labels
        if known is None:
            folder = path if is_folder(path) else path.parent
            if folder not in sets:
                sets[folder] = _labels_of(folder, found)
            known = sets[folder]
        if _is_foreign(path):
            found += _of_foreign(path, known)
            continue
        entries = [
            entry for entry in scan([path], progress) if entry.has_truth or entry.frames is None
        ]
        looked_at = [
            looked
            for entry in track(entries, progress, "checking truth")
            for looked in _of_file(entry, known)
        ]
        if is_folder(path) and not looked_at:
            files = track(truth_files_in(path)[0], progress, "checking truth")
            looked_at = [looked for file, _ in files for looked in _of_foreign(file, known)]
        found += looked_at
    return list({(each.entry.image, each.entry.truth_path): each for each in found}.values())


def _labels_of(folder: Path, found: list[Looked]) -> LabelSet:
    """The label set of a folder; a damaged one joins what was found."""
    try:
        return read_labels(folder)
    except BadInput as error:
        path = folder / LABEL_FILE
        entry = PageEntry(path, 0, 1, path, True, missing=True)
        found.append(Looked(entry, None, (str(error),)))
        return LabelSet()


def _is_foreign(path: Path) -> bool:
    """Whether it is a truth file, and not PAGE."""
    if is_folder(path) or path.suffix.lower() in IMAGE_SUFFIXES or is_missing(path):
        return False
    return format_of(path) is not page_xml.FORMAT


def _of_foreign(path: Path, labels: LabelSet) -> Iterator[Looked]:
    """Every page of a truth file that is not PAGE."""
    try:
        truths = format_of(path).read(path, silent)
    except BadInput as error:
        entry = PageEntry(path, 0, 1, path, True, missing=True)
        yield Looked(entry, None, (str(error),))
        return
    for truth in truths:
        page = truth.page
        missing = not is_file(page.image)
        entry = PageEntry(page.image, page.frame, page.frames, path, True, missing)
        yield _validated(entry, truth, "", labels)


def _of_file(entry: PageEntry, labels: LabelSet) -> Iterator[Looked]:
    try:
        pages = expand(entry)
    except BadInput as error:
        if entry.has_truth:
            yield _look(entry, labels, str(error))
        return
    for page in pages:
        if page.has_truth:
            yield _look(page, labels)


def _look(entry: PageEntry, labels: LabelSet, unreadable: str = "") -> Looked:
    try:
        truth = page_xml.read(entry.truth_path)
    except BadInput as error:
        problems = [unreadable] if unreadable else _size(entry)[1]
        return Looked(entry, None, (*problems, str(error)))
    return _validated(entry, truth, unreadable, labels)


def _size(entry: PageEntry) -> tuple[tuple[int, int] | None, list[str]]:
    """The image's size, if it has one, and what is wrong with it."""
    try:
        if not entry.missing:
            header = read_header(entry.image, entry.frame)
            return (header.width, header.height), []
    except BadInput as error:
        return None, [str(error)]
    return None, []


def _validated(entry: PageEntry, truth: Truth, unreadable: str, labels: LabelSet) -> Looked:
    size, problems = (None, [unreadable]) if unreadable else _size(entry)
    if problems:  # the image is there: that it has no size is said already
        size = truth.page.width, truth.page.height
    findings = validate(truth, size, labels)
    return Looked(entry, len(truth.regions), tuple(problems), tuple(findings))
