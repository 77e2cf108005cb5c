"""Lets the embedded symbol spotter make a run of the open pages, which is then opened like any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.formats.runs.csv_run import write_csv
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.open_runs import RUNS
from spotlab.gui.kit.task import Task
from spotlab.progress import Progress
from spotlab.spotting.page_entries import UnreadablePage
from spotlab.spotting.symbols.search.symbol_search import search_symbols
from spotlab.studies.run_provenance import symbol_provenance
from spotlab.studies.symbols.symbol_lessons import learn_from_pages
from spotlab.studies.symbols.symbol_queries import PlacedModel, crop_models, with_models

if TYPE_CHECKING:
    from spotlab.formats.truth.folder import PageEntry
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.model import Truth
    from spotlab.spotting.symbols.lessons.lessons import Lessons

ALL_PROCESSORS = 0


@dataclass(frozen=True)
class Order:
    """What is to be spotted.

    Attributes
    ----------
    method : str
        Name of a spotting method.
    labels : tuple of str
        What is searched: models are cropped from regions with these labels.
    each : int
        Models of a label.
    most : int or None
        Spots of a query that are kept, over all pages; None: all.
    lessons : PageEntry or None
        A page all of whose regions are models together, instead; None: regions of typical size.
    name : str
        The run's, and that of its file in the folder ``runs`` beside the pages; with a number
        where there is one already.
    """

    method: str
    labels: tuple[str, ...]
    each: int
    most: int | None
    name: str
    lessons: PageEntry | None = None


class SymbolSpotting:
    """One order at a time, with progress and cancel; pages that are done are not done again."""

    def __init__(self, workbench: Workbench, cache: Path | None = None) -> None:
        self.workbench = workbench
        self.cache = cache
        self.jobs = ALL_PROCESSORS
        self._task = Task(workbench)
        self.busy_changed = self._task.busy_changed
        workbench.collection_changed.connect(self.cancel)

    @property
    def busy(self) -> bool:
        """Whether an order is being carried out."""
        return self._task.busy

    def free_name(self, name: str) -> str:
        """The name, with a number where a run is called so already: none is written over."""
        taken = {path.stem for path in _runs_in(self.workbench.collection.folder)}
        number, found = 1, name
        while found in taken:
            number += 1
            found = f"{name}-{number}"
        return found

    def start(self, order: Order) -> None:
        """Crop the models, spot them on all pages, write and open the run."""
        workbench = self.workbench
        folder = workbench.collection.folder
        if folder is None or not workbench.entries or self.busy:
            return
        workbench.autosave.now()
        request = workbench.state(Inspection).runs.truth.request()
        entries, cache, jobs = workbench.entries, self.cache, self.jobs
        path = folder / RUNS / f"{self.free_name(order.name)}.csv"

        def work(progress: Progress) -> tuple[Path, Sequence[UnreadablePage]]:
            truths = request.read(progress).truths
            models, lessons = _models(order, entries, truths, cache, progress)
            search = search_symbols(
                entries, models, order.method, cache=cache, jobs=jobs, max_spots=order.most,
                lessons=lessons, progress=progress,
            )  # fmt: skip
            learned = {"lessons": [order.lessons.name]} if order.lessons else {}
            made = symbol_provenance(
                order.method, models, entries, models_per_label=order.each, max_spots=order.most,
                **learned,
            )  # fmt: skip
            path.parent.mkdir(exist_ok=True)
            write_csv(with_models(replace(search.run, provenance=made), models), path)
            return path, search.left_out

        self._task.start(work, done=self._done)

    def cancel(self) -> None:
        """Give up; pages that are done are kept for the next time."""
        self._task.cancel()

    def _done(self, done: tuple[Path, Sequence[UnreadablePage]]) -> None:
        path, left_out = done
        text = f"Wrote {path.parent.name}/{path.name}"
        if left_out:
            text += f"; left out {left_out[0].page}: {left_out[0].problem}"
        if len(left_out) > 1:
            text += f", and {len(left_out) - 1:,} more"
        self.workbench.said.emit(text, bool(left_out))
        self.workbench.state(Inspection).runs.open([path])


def _models(
    order: Order, entries: Sequence[PageEntry], truths: Mapping[str, Truth], cache: Path | None,
    progress: Progress,
) -> tuple[Sequence[PlacedModel], Lessons | None]:  # fmt: skip
    """What is searched for, and what was learned from the page of the lessons."""
    if order.lessons is None:
        return crop_models(
            entries, order.labels, order.each, truths=truths, progress=progress
        ), None
    on_page = {region.label for region in truths[order.lessons.name].regions}
    learned = learn_from_pages(
        [order.lessons], truths, [label for label in order.labels if label in on_page],
        order.method, cache=cache, progress=progress,
    )  # fmt: skip
    return learned.models, learned.lessons


def _runs_in(folder: Path | None) -> Sequence[Path]:
    try:
        return list((folder / RUNS).iterdir()) if folder else []
    except OSError:  # there is no such folder
        return []
