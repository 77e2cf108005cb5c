"""Look through all truth files of folders and files, those that cannot be read included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spotlab.editing.validate import Finding, Severity, validate
from spotlab.errors import BadInput
from spotlab.formats import page_xml
from spotlab.formats.folder import PageEntry, expand, scan
from spotlab.imaging.header import read_header
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


def validate_files(paths: Sequence[Path], progress: Progress = silent) -> list[Looked]:
    """Look at every page that has a truth file.

    Parameters
    ----------
    paths : sequence of Path
        As for `spotlab.formats.folder.scan`.

    Raises
    ------
    BadInput
        A path is not there or is no page. A file in a folder that turns out to be damaged is a
        result like any other.
    """
    entries = [entry for entry in scan(paths, progress) if entry.has_truth or entry.frames is None]
    return [
        looked
        for entry in track(entries, progress, "looking through")
        for looked in _of_file(entry)
    ]


def _of_file(entry: PageEntry) -> Iterator[Looked]:
    try:
        pages = expand(entry)
    except BadInput as error:
        if entry.has_truth:
            yield _look(entry, str(error))
        return
    for page in pages:
        if page.has_truth:
            yield _look(page)


def _look(entry: PageEntry, unreadable: str = "") -> Looked:
    problems = [unreadable] if unreadable else []
    size = None
    try:
        if not entry.missing and not unreadable:
            header = read_header(entry.image, entry.frame)
            size = header.width, header.height
    except BadInput as error:
        problems.append(str(error))
    try:
        truth = page_xml.read(entry.truth_path)
    except BadInput as error:
        return Looked(entry, None, (*problems, str(error)))
    if problems:  # the image is there: that it has no size is said already
        size = truth.page.width, truth.page.height
    return Looked(entry, len(truth.regions), tuple(problems), tuple(validate(truth, size)))
