"""Spotting from the window: the built-in spotter for symbols, and spotters of the user."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import SpotlabError
from spotlab.formats.runs.csv_run import write_csv
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.open_runs import RUNS
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task, raise_unexpected
from spotlab.gui.kit.settings import LAST_SPOTTER, SPOTTERS, SpotterCommand
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.spotting.symbols.search.symbol_search import search_symbols
from spotlab.studies.own_spotter import Spotter, SpotterFailed, SpotterOrder, run_spotter
from spotlab.studies.provenance import symbol_provenance
from spotlab.studies.symbols.page_learning import learn_from_truth, learning_method_of
from spotlab.studies.symbols.symbol_queries import (
    PlacedModel,
    crop_models,
    learn_from_pages,
    with_models,
)
from spotlab.trust import confined

if TYPE_CHECKING:
    from spotlab.formats.collection.folder import PageEntry
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.model import Truth
    from spotlab.spotting.symbols.lessons.lessons import Lessons
    from spotlab.spotting.symbols.search.symbol_search import PageLessons


ALL_PROCESSORS = 0


@dataclass(frozen=True)
class Order:
    """Specification of a spotting job.

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
        For a method that learns, None stands for all labelled pages.
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


class SymbolSpottingState:
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
        """Tell whether an order is being carried out."""
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

        def work(progress: Progress) -> tuple[Path, Sequence[str]]:
            truths = request.read(progress).truths
            asked = _asked(order, entries, truths, cache, jobs, progress)
            search = search_symbols(
                entries, asked.models, order.method, cache=cache, jobs=jobs, max_spots=order.most,
                lessons=asked.lessons, progress=progress,
            )  # fmt: skip
            made = symbol_provenance(
                order.method, asked.models, entries, asked.labels, max_spots=order.most,
                **asked.settings,
            )  # fmt: skip
            run = with_models(replace(search.run, provenance=made), asked.models)
            place = confined(path, folder)
            place.parent.mkdir(exist_ok=True)
            write_csv(run, place)
            problems = [f"left out {each.page}: {each.problem}" for each in search.left_out]
            return path, [*problems, *asked.remarks]

        self._task.start(work, done=self._done)

    def cancel(self) -> None:
        """Give up; pages that are done are kept for the next time."""
        self._task.cancel()

    def _done(self, done: tuple[Path, Sequence[str]]) -> None:
        path, remarks = done
        text = f"Wrote {path.parent.name}/{path.name}"
        if remarks:
            text += f"; {remarks[0]}"
        if len(remarks) > 1:
            text += f", and {len(remarks) - 1:,} more"
        self.workbench.said.emit(text, bool(remarks))
        self.workbench.state(Inspection).runs.open([path])


@dataclass(frozen=True, eq=False)
class _Asked:
    """Models and lessons for a search, and the notes stored about them with the run."""

    models: Sequence[PlacedModel]
    lessons: Lessons | PageLessons | None
    settings: Mapping[str, object]
    labels: Sequence[str] = ()
    remarks: Sequence[str] = ()


def _asked(
    order: Order, entries: Sequence[PageEntry], truths: Mapping[str, Truth], cache: Path | None,
    jobs: int, progress: Progress,
) -> _Asked:  # fmt: skip
    if learning_method_of(order.method) is not None:
        known = entries if order.lessons is None else [order.lessons]
        pages = learn_from_truth(
            known, truths, entries, order.method,
            labels=_on(known, truths, order.labels), cache=cache, jobs=jobs, progress=progress,
        )  # fmt: skip
        return _Asked((), pages.lessons, pages.provenance, pages.lessons.labels, pages.remarks)
    each = {"models_per_label": order.each}
    if order.lessons is None:
        models = crop_models(entries, order.labels, order.each, truths=truths, progress=progress)
        return _Asked(models, None, each)
    learned = learn_from_pages(
        [order.lessons], truths, _on([order.lessons], truths, order.labels), order.method,
        cache=cache, progress=progress,
    )  # fmt: skip
    return _Asked(learned.models, learned.lessons, {**each, "lessons": [order.lessons.name]})


def _on(
    pages: Sequence[PageEntry], truths: Mapping[str, Truth], labels: Sequence[str]
) -> list[str]:
    """Those of the labels that regions of the pages have."""
    there = {
        region.label
        for page in pages
        if page.name in truths
        for region in truths[page.name].regions
    }
    return [label for label in labels if label in there]


def _runs_in(folder: Path | None) -> Sequence[Path]:
    try:
        names = background.call(os.listdir, folder / RUNS) if folder else []
        return [Path(name) for name in names]
    except (OSError, background.NoAnswer):  # there is no such folder
        return []


class OwnSpotters:
    """Spotters by name, and the one at work.

    Attributes
    ----------
    lines : list of str
        What the last one wrote so far, and how it ended.
    changed : Signal
        Others are remembered, or the last one has ended.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.lines: list[str] = []
        self.changed = Signal[[]]()
        self._task = Task(workbench)
        self.busy_changed = self._task.busy_changed
        workbench.collection_changed.connect(self.cancel)

    @property
    def busy(self) -> bool:
        """Tell whether one is at work."""
        return self._task.busy

    @property
    def known(self) -> dict[str, Spotter]:
        """Those that are remembered, by name."""
        kept = self.workbench.settings.get(SPOTTERS)
        return {name: Spotter(name, each.command, each.ending) for name, each in kept.items()}

    @property
    def last(self) -> Spotter | None:
        """The one that was run last."""
        return self.known.get(self.workbench.settings.get(LAST_SPOTTER))

    def remember(self, spotter: Spotter) -> None:
        """Remember it under its name, with the folder that is open when it gets the name."""
        kept = self.workbench.settings.get(SPOTTERS)
        folder = kept[spotter.name].folder if spotter.name in kept else self._opened
        command = SpotterCommand(spotter.command, spotter.ending, folder)
        self.workbench.settings.set(SPOTTERS, {**kept, spotter.name: command})
        self.changed.emit()

    @property
    def _opened(self) -> str | None:
        folder = self.workbench.collection.folder
        return str(folder.absolute()) if folder else None

    def remove(self, name: str) -> None:
        """Forget the spotter of this name; its runs stay."""
        kept = self.workbench.settings.get(SPOTTERS)
        others = {each: values for each, values in kept.items() if each != name}
        self.workbench.settings.set(SPOTTERS, others)
        self.changed.emit()

    def run(self, spotter: Spotter) -> None:
        """Have it make a run of all pages, which replaces the one that it made before."""
        workbench = self.workbench
        folder = workbench.collection.folder
        if folder is None or not workbench.entries or self.busy:
            return
        self.remember(spotter)
        workbench.settings.set(LAST_SPOTTER, spotter.name)
        workbench.autosave.now()
        images = tuple(dict.fromkeys(entry.image for entry in workbench.entries))
        kept_folder = self.workbench.settings.get(SPOTTERS)[spotter.name].folder
        works_in = Path(kept_folder) if kept_folder else Path.home()
        self.lines = lines = [f"{spotter.name}: {spotter.command}"]

        def work(progress: Progress) -> Sequence[Path]:
            runs = confined(RUNS, folder)
            order = SpotterOrder(spotter, folder, images, runs, spotter.name, works_in)
            return run_spotter(order, lines.append, progress)

        self._task.start(work, done=self._done, failed=self._fail)

    def cancel(self) -> None:
        """End it and everything that it has started."""
        if self.busy:
            self._task.cancel()
            self._write("Cancelled.")

    def _done(self, paths: Sequence[Path]) -> None:
        runs = self.workbench.state(Inspection).runs
        names = ", ".join(f"{path.parent.name}/{path.name}" for path in paths)
        self._write(f"Wrote {names}.")
        self.workbench.said.emit(f"Wrote {names}", False)
        known = {run.run.source for run in runs}
        runs.open([path for path in paths if path not in known])
        for path in paths:
            if path in known:
                runs.live.reread(path, True)

    def _fail(self, error: Exception) -> None:
        raise_unexpected(error)
        assert isinstance(error, SpotlabError)
        self._write(error.problem if isinstance(error, SpotterFailed) else str(error))
        self.workbench.said.emit(str(error), True)

    def _write(self, line: str) -> None:
        """Say below its output how it ended."""
        self.lines.append(line)
        self.changed.emit()
