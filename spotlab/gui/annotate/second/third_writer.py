"""Writes the third truth in threads: one page after a decision, or all that were decided before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from spotlab.errors import SpotlabError
from spotlab.files import exists, is_missing
from spotlab.formats.truth import page_xml
from spotlab.gui.kit.task import Task
from spotlab.model import Truth
from spotlab.progress import Progress, track
from spotlab.studies.annotators.decisions import Decision
from spotlab.studies.annotators.differences import PageDifferences, compare_regions
from spotlab.studies.annotators.third_truth import third_path, write_page

Keys = frozenset[str]  # of the differences of a page


@dataclass(frozen=True)
class ThirdPage:
    """What it takes to compare a page and to write it in the third truth."""

    name: str
    truth_path: Path
    first: Truth | None  # None: as it is on the disk
    second: Truth


@dataclass(frozen=True)
class ThirdWriter:
    """What was decided at a moment, for a thread to write."""

    folder: Path
    names: tuple[str, str]
    decisions: Mapping[str, Mapping[str, Decision]]
    author: str
    time: datetime

    def write(self, page: str, path: Path, first: Truth, differences: PageDifferences) -> None:
        """Bring a page up to the decisions; not before somebody has begun with it."""
        decisions = self.decisions.get(page, {})
        target = third_path(self.folder, path)
        if not decisions and differences.differences and is_missing(target):
            return  # nobody has begun with this page
        bare = replace(first, source=b"")
        write_page(target, bare, differences, decisions, self.names, self.author, self.time)


class WriteQueue:
    """Writes one page after the other; of several states of a page that wait, the last one.

    Parameters
    ----------
    say : callable
        Takes why a page could not be written, and True.
    """

    def __init__(self, say: Callable[[str, bool], object]) -> None:
        self._task = Task(say=say)
        self._waiting: dict[str, tuple[object, ...]] = {}

    @property
    def busy(self) -> bool:
        """Whether something is not written yet."""
        return self._task.busy or bool(self._waiting)

    def put(
        self, writer: ThirdWriter, page: str, path: Path, first: Truth, differences: PageDifferences
    ) -> None:
        """Write a page soon."""
        self._waiting[page] = (writer, page, path, first, differences)
        self._go_on()

    def _go_on(self) -> None:
        if self._task.busy or not self._waiting:
            return
        arguments = self._waiting.pop(next(iter(self._waiting)))

        def failed(error: Exception) -> None:
            self._task.tell(error)
            self._go_on()

        self._task.start(_write, *arguments, done=lambda _: self._go_on(), failed=failed)


def _write(
    writer: ThirdWriter,
    page: str,
    path: Path,
    first: Truth,
    differences: PageDifferences,
    progress: Progress,
) -> None:
    """Write one page, in a thread."""
    progress(0, 1, f"writing {page}")
    writer.write(page, path, first, differences)


def survey(
    works: Sequence[ThirdPage],
    match: float,
    alike: float,
    writer: ThirdWriter | None,
    progress: Progress,
) -> dict[str, Keys]:
    """The differences of all pages that both have seen; those that cannot be read are left out."""
    found: dict[str, Keys] = {}
    for work in track(works, progress, "Comparing pages"):
        if work.first is None and not exists(work.truth_path):
            continue
        try:
            first = work.first or page_xml.read(work.truth_path)
            regions = first.regions, work.second.regions
            differences = compare_regions(*regions, match=match, alike=alike)
            if writer is not None:
                writer.write(work.name, work.truth_path, first, differences)
        except SpotlabError:
            continue  # opening the page says what is wrong with it
        found[work.name] = frozenset(pair.key for pair in differences.differences)
    return found
