"""What two compared runs have on the open page: found when it is asked for, and kept."""

from __future__ import annotations

from spotlab.gui.inspect.state.comparison import ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.task import Task
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.overlay import ComparedAreas, ComparedKind
from spotlab.measures.cuts import CutRun
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.studies.compare.overlay import compared_areas, painted_areas
from spotlab.studies.tally.query_models import truth_without_models

FEW = 80  # outlines that are measured while the window waits


class ComparedOnPage:
    """The truth and the kept spots of both runs on the open page, of the query looked at.

    Attributes
    ----------
    changed : Signal
        A thread has measured what is painted.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._inspection = workbench.state(Inspection)
        self._comparison = workbench.state(ComparisonState)
        self.changed = Signal[[]]()
        self._areas: tuple[object, ComparedAreas] | None = None
        self._measured: tuple[ComparedAreas, dict[ComparedKind, float]] | None = None
        self._task = Task(urgent=True)

    @property
    def busy(self) -> bool:
        """Whether a thread is measuring."""
        return self._task.busy

    def areas(self) -> ComparedAreas | None:
        """The outlines; None where no page is open or nothing is compared."""
        first, second = self._comparison.first, self._comparison.second
        entry, document = self._workbench.entry, self._workbench.document
        if first is None or second is None or entry is None or document is None:
            return None
        if first.figures is None or second.figures is None:
            return None
        inspection = self._inspection
        counts = [inspection.counts_of(run) for run in (first, second)]
        query, primitive = inspection.query, inspection.runs.primitive
        regions = document.truth.regions
        key = (
            first.figures, second.figures, *(each.tobytes() for each in counts),
            entry.name, query, primitive, regions,
        )  # fmt: skip
        if self._areas is None or self._areas[0] != key:
            one = CutRun(first.name, first.figures, counts[0])
            other = CutRun(second.name, second.figures, counts[1])
            models = self._comparison.models.get(entry.name, ())
            judged = truth_without_models(document.truth, models)
            areas = compared_areas(one, other, entry.name, judged, query, primitive)
            self._areas = key, areas
        return self._areas[1]

    def sums(self) -> dict[ComparedKind, float] | None:
        """The exact areas in px², each query by itself; None until the page is compared."""
        entry = self._workbench.entry
        compared = self._comparison.pages.get(entry.name) if entry is not None else None
        return None if compared is None else compared.sums(self._inspection.query)

    def painted(self) -> dict[ComparedKind, float] | None:
        """The exact areas in px² as they are painted; None while a thread measures them."""
        areas = self.areas()
        if areas is None:
            return None
        if self._measured is not None and self._measured[0] is areas:
            return self._measured[1]
        if len(areas.truth) + len(areas.first) + len(areas.second) <= FEW:
            self._measured = areas, painted_areas(areas)
            return self._measured[1]
        if not self._task.busy:  # else what is shown now is measured after that
            self._task.start(_measured, areas, done=lambda found: self._take(areas, found))
        return None

    def _take(self, areas: ComparedAreas, found: dict[ComparedKind, float]) -> None:
        self._measured = areas, found
        self.changed.emit()


def _measured(areas: ComparedAreas, progress: Progress) -> dict[ComparedKind, float]:
    progress(0, None, "measuring areas")
    return painted_areas(areas)
