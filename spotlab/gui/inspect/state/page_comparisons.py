"""Compares two runs page by page in the background, the open page first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.task import Task
from spotlab.measures.cuts import CutRun
from spotlab.measures.tally import PageTally
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress
from spotlab.studies.compare.comparison import PageComparison, compare_page
from spotlab.studies.tally.query_models import Models, common_truths

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

AT_ONCE = 8  # pages between two looks at which page is open

# of both runs: the page's tally, the queries, the spots that are kept
_Key = tuple[PageTally, PageTally, tuple[tuple[str, ...], ...], tuple[bytes, bytes]]


class PageComparisons:
    """What is known of the pages of two runs.

    Parameters
    ----------
    workbench : Workbench
    arrived : callable
        Called when more pages are compared.
    """

    def __init__(self, workbench: Workbench, arrived: Callable[[], object]) -> None:
        self._workbench = workbench
        self._arrived = arrived
        self._task = Task(urgent=True)
        self._cuts: tuple[CutRun, CutRun] | None = None
        self._models: Models = {}
        self._known: dict[str, tuple[_Key, PageComparison]] = {}

    @property
    def busy(self) -> bool:
        """Whether pages are being compared."""
        return self._task.busy

    @property
    def known(self) -> Mapping[str, PageComparison]:
        """The pages that are compared, by name."""
        return {name: known for name, (_, known) in self._known.items()}

    @property
    def progress(self) -> tuple[int, int] | None:
        """How many pages of how many are compared; None when all are."""
        if self._cuts is None:
            return None
        total = len(self._cuts[0].tally.pages)
        return None if len(self._known) == total else (len(self._known), total)

    def stop(self) -> None:
        """Compare nothing more, and forget what is known."""
        self._task.cancel()
        self._cuts, self._known = None, {}

    def use(self, first: CutRun, second: CutRun, models: Models) -> None:
        """Compare these without these models; pages that are the same as before stay known."""
        self._task.cancel()
        self._cuts, self._models = (first, second), models
        self._known = {
            name: known
            for name, known in self._known.items()
            if name in first.tally.parts and _key(first, second, name) == known[0]
        }
        self.go_on()

    def go_on(self) -> None:
        """Compare the pages that are not known, the open one first."""
        if self._cuts is None or self._task.busy:
            return
        first, second = self._cuts
        missing = [name for name in first.tally.pages if name not in self._known]
        entry = self._workbench.entry
        opened = entry.name if entry is not None else ""
        chosen = [opened] if opened in missing else missing[:AT_ONCE]
        if not chosen:
            return
        runs = self._workbench.state(Inspection).runs
        known = {name: runs.truth.of(name) for name in chosen}
        truths = common_truths(
            {name: truth for name, truth in known.items() if truth is not None}, self._models
        )
        self._task.start(_compared, first, second, truths, runs.primitive, done=self._take)

    def _take(self, found: Mapping[str, PageComparison]) -> None:
        assert self._cuts is not None  # else the task would have been cancelled
        for name, compared in found.items():
            self._known[name] = _key(*self._cuts, name), compared
        if found:
            self.go_on()
        self._arrived()


def _compared(
    first: CutRun,
    second: CutRun,
    truths: Mapping[str, Truth],
    primitive: Primitive | None,
    progress: Progress,
) -> dict[str, PageComparison]:
    found = {}
    for done, (name, truth) in enumerate(truths.items()):
        progress(done, len(truths), "Comparing pages")
        found[name] = compare_page(first, second, name, truth, primitive)
    return found


def _key(first: CutRun, second: CutRun, page: str) -> _Key:
    return (
        first.tally.parts[page], second.tally.parts[page],
        (first.tally.queries, second.tally.queries),
        (_kept_places(first, page), _kept_places(second, page)),
    )  # fmt: skip


def _kept_places(run: CutRun, page: str) -> bytes:
    """Which spots of the page are kept, and where they stand in the tally."""
    place = np.searchsorted(run.tally.spot, run.tally.parts[page].spot)
    return bytes(place[run.kept[place]].tobytes())
