"""What two compared runs have on the open page: found when it is asked for, and kept."""

from __future__ import annotations

from spotlab.gui.inspect.state.comparison import Comparison
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.comparison_overlay import ComparedAreas, ComparedKind
from spotlab.measures.cut_run import CutRun
from spotlab.studies.areas.compared_areas import compared_areas


class ComparedOnPage:
    """The truth and the kept spots of both runs on the open page, of the query looked at."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._inspection = workbench.state(Inspection)
        self._comparison = workbench.state(Comparison)
        self._areas: tuple[object, ComparedAreas] | None = None

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
            cuts = (
                CutRun(run.name, run.figures, kept)
                for run, kept in zip((first, second), counts, strict=True)
                if run.figures is not None
            )
            areas = compared_areas(*cuts, entry.name, document.truth, query, primitive)
            self._areas = key, areas
        return self._areas[1]

    def sums(self) -> dict[ComparedKind, float] | None:
        """The exact areas in px², each query by itself; None until the page is compared."""
        entry = self._workbench.entry
        compared = self._comparison.pages.get(entry.name) if entry is not None else None
        return None if compared is None else compared.sums(self._inspection.query)
