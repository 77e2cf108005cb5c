"""Reading of one file or many: what is wanted of it, and the findings on what it could not give.

A reader gets a `Reading` beside the path. It reads each item (a shape, a page, a file of a folder)
within ``with reading.item():``, so that a bad one costs this item only, and reports the rest by
`Reading.remark` and `Reading.pass_over`. Nobody reads a file a second time to list what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from spotlab.errors import BadInput
from spotlab.progress import Progress, silent, track

Item = TypeVar("Item")
_VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|-?\d[\d.,]*")


class Consequence(StrEnum):
    """Consequence of a finding."""

    LEFT_OUT = "left out"  # an item that cannot be read; an error where reading is strict
    REMARK = "remark"  # replaced, repaired or dropped: everybody should know
    PASSED_OVER = "passed over"  # something else that a region cannot hold: for conversions


@dataclass(frozen=True)
class Finding:
    """Something in files that was not read as it stands, counted over all that is alike.

    Attributes
    ----------
    kind : Consequence
    path : Path
        The first file that has it.
    problem : str
    place : str
        The first place in this file; may be empty.
    expected : str
        What was expected there; may be empty.
    count : int
    files : int
        Number of files that have it.

    Examples
    --------
    >>> path = Path("a.xml")
    >>> print(Finding(Consequence.PASSED_OVER, path, "TextLine", count=3))
    a.xml: 3 × TextLine
    >>> print(Finding(Consequence.LEFT_OUT, path, "there is no box", "line 3", count=2))
    a.xml, line 3: there is no box; left out, as is 1 more like it
    """

    kind: Consequence
    path: Path
    problem: str
    place: str = ""
    expected: str = ""
    count: int = 1
    files: int = 1

    @property
    def error(self) -> BadInput:
        """The first of them as an error."""
        return BadInput(self.path, self.problem, place=self.place, expected=self.expected)

    def __str__(self) -> str:
        if self.kind is Consequence.LEFT_OUT:
            more = self.count - 1
            others = f", as {'are' if more > 1 else 'is'} {more:,} more like it" if more else ""
            return f"{self.error}; left out{others}"
        more = self.files - 1
        others = f" and {more:,} more {'files' if more > 1 else 'file'}" if more else ""
        first = f" (first: {self.place})" if self.place else ""
        return f"{self.path.name}{others}: {self.count:,} × {self.problem}{first}"


class Findings:
    """Findings on any number of files, those that are alike joined.

    Examples
    --------
    >>> found = Findings()
    >>> for line in (3, 7):
    ...     found.leave_out(BadInput("a.txt", f"the class is {line}", place=f"line {line}"))
    >>> [str(finding) for finding in found]
    ['a.txt, line 3: the class is 3; left out, as is 1 more like it']
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, ...], Finding] = {}
        self._last: dict[tuple[str, ...], Path] = {}

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found.values())

    def __len__(self) -> int:
        return len(self._found)

    def add(self, finding: Finding) -> None:
        """Add a finding, or its number to that of a finding like it."""
        texts = finding.problem, finding.expected
        if finding.kind is Consequence.LEFT_OUT:
            texts = _without_values(finding.problem), _without_values(finding.expected)
        key = finding.kind, *texts
        known = self._found.get(key)
        if known is None:
            self._found[key] = finding
        else:
            files = finding.files if self._last[key] != finding.path else finding.files - 1
            self._found[key] = replace(
                known, count=known.count + finding.count, files=known.files + files
            )
        self._last[key] = finding.path

    def leave_out(self, error: BadInput) -> None:
        """Add the item that an error is about."""
        self.add(
            Finding(Consequence.LEFT_OUT, error.path, error.problem, error.place, error.expected)
        )

    def of(self, kinds: Collection[Consequence]) -> tuple[Finding, ...]:
        """The findings of these kinds."""
        return tuple(finding for finding in self if finding.kind in kinds)

    @property
    def first_error(self) -> BadInput | None:
        """The first item that was left out, as an error; None where all was read."""
        return next((each.error for each in self if each.kind is Consequence.LEFT_OUT), None)


def left_out(lines: Sequence[str]) -> list[str]:
    """Remarks on lines that were left out, each with its place and problem; one for each kind.

    Examples
    --------
    >>> left_out(["a.csv, line 3: rank is 'x'", "a.csv, line 9: page is empty"])
    ["a.csv, line 3: rank is 'x'; left out", 'a.csv, line 9: page is empty; left out']
    """
    alike: dict[str, list[str]] = {}
    for line in lines:
        alike.setdefault(_without_values(line), []).append(line)
    remarks = []
    for first, *more in alike.values():
        verb = "are" if len(more) > 1 else "is"
        others = f", as {verb} {len(more):,} more like it" if more else ""
        remarks.append(f"{first}; left out{others}")
    return remarks


def _without_values(text: str) -> str:
    return _VALUES.sub("#", text)


@dataclass(frozen=True)
class Reading:
    """Wishes for reading files, and a place for the findings.

    A reader of ground truth is ``read(path, reading) -> Sequence[Truth]``. It should

    - wrap the reading of each region, page or inner file in ``with reading.item():``;
    - raise `BadInput` outside of that only where nothing in the file can be used;
    - call `remark` for what it drops, replaces or repairs, such as a size taken from the image;
    - call `pass_over` for what a region has no place for, such as a mark of an occluded box;
    - take what ``words``, ``lines``, ``blocks``, ``texts_only``, ``file_group`` and ``annotator``
      ask for, as far as its format has such things.

    Attributes
    ----------
    progress : Progress
        Told how far it is.
    words, lines, blocks : bool
        Take words, lines of text, or blocks (zones) of text as regions. By default a format gives
        what it is made for: regions in PAGE, words in ALTO and hOCR.
    texts_only : bool
        Of words and lines take only those that have a text.
    file_group : str
        Of METS, the file group to read; by default the ground truth.
    annotator : str
        Of files with the work of several annotators, the one whose work to read; by default the
        latest of each page. Pages without any of it are left out.
    strict : bool
        Raise the error of the first item that cannot be read.
    image_folder : Path or None
        Where images go that are in truth files themselves; None leaves them there.
    find_image : callable or None
        Finds an image of the collection by its name, wherever it lies there.
    findings : Findings
        Filled while reading.

    Examples
    --------
    >>> reading = Reading()
    >>> with reading.item():
    ...     raise BadInput("a.json", "2 points are not an outline", place="shapes[3]")
    >>> [str(finding) for finding in reading.findings]
    ['a.json, shapes[3]: 2 points are not an outline; left out']
    """

    progress: Progress = silent
    words: bool = False
    lines: bool = False
    blocks: bool = False
    texts_only: bool = False
    file_group: str = ""
    annotator: str = ""
    strict: bool = False
    image_folder: Path | None = None
    find_image: Callable[[str], Path | None] | None = None
    findings: Findings = field(default_factory=Findings)

    @contextmanager
    def item(self) -> Iterator[None]:
        """Read one item within this: a `BadInput` leaves it out, or is raised where strict."""
        try:
            yield
        except BadInput as error:
            self.leave_out(error)

    def leave_out(self, error: BadInput) -> None:
        """Leave an item out, or raise its error where strict."""
        if self.strict:
            raise error
        self.findings.leave_out(error)

    def remark(self, path: Path, what: str, place: str = "", count: int = 1) -> None:
        """Report what was dropped, replaced or repaired."""
        self.findings.add(Finding(Consequence.REMARK, path, what, place, count=count))

    def pass_over(self, path: Path, what: str, place: str = "", count: int = 1) -> None:
        """Report what a region has no place for."""
        self.findings.add(Finding(Consequence.PASSED_OVER, path, what, place, count=count))

    def track(self, items: Iterable[Item], path: Path) -> Iterator[Item]:
        """Yield the items of a file and tell the progress."""
        return track(items, self.progress, f"reading {path.name}")

    def image_called(self, filename: str, path: Path) -> Path | None:
        """Find an image of the collection that a file names, and report where several may be meant.

        Parameters
        ----------
        filename : str
        path : Path
            The file that names it.
        """
        try:
            return None if self.find_image is None else self.find_image(filename)
        except BadInput as error:
            self.remark(path, "image that cannot be told from others of its name", error.problem)
            return None

    def quiet(self) -> Reading:
        """The same without progress, for a file among many."""
        return replace(self, progress=silent)

    def apart(self) -> Reading:
        """The same with findings of its own."""
        return replace(self, findings=Findings())
