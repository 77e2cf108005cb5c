"""Run B of a comparison, as the canvas looks at a run: its spots on the page, its chosen spot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spotlab.gui.inspect.state.comparison import ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_on_page import RunOnPage
from spotlab.model import Primitive
from spotlab.signal import Signal
from spotlab.studies.evaluate.inspected_run import InspectedRun

if TYPE_CHECKING:
    from spotlab.arrays import Ints
    from spotlab.gui.pages.workbench import Workbench


class SecondRun:
    """What of run B is looked at; it follows the query and the cut of the current run.

    Attributes
    ----------
    runs : OnlyRun
        Holds B as its current run.
    page : RunOnPage
        What B has on the open page.
    query_changed, cut_changed, spot_changed : Signal
    """

    def __init__(self, workbench: Workbench) -> None:
        self._inspection = workbench.state(Inspection)
        self._comparison = workbench.state(ComparisonState)
        self.runs = OnlyRun(self._inspection, self._comparison)
        self.page = RunOnPage(self, workbench)
        self.query_changed = self._inspection.query_changed
        self.cut_changed = self._inspection.cut_changed
        self.spot_changed = self._comparison.chosen_changed

    @property
    def query(self) -> str | None:
        """The query that is looked at; None: all."""
        return self._inspection.query

    @property
    def counts(self) -> Ints:
        """(Q,) how many spots each query of B keeps at the cut."""
        run = self._comparison.second
        assert run is not None  # else nobody asks
        return self._inspection.counts_of(run)

    @property
    def spot(self) -> int | None:
        """What B has where the chosen change is, by its place in B's tally."""
        entry, changes = self._comparison.chosen, self._comparison.changes
        if entry is None or changes is None or not self._is_current():
            return None
        spot = int(changes.second_spot[entry])
        return spot if spot >= 0 else None

    @property
    def region(self) -> str | None:
        """The symbol of the chosen change, where B has nothing on it."""
        entry, changes = self._comparison.chosen, self._comparison.changes
        if entry is None or changes is None or self.spot is not None:
            return None
        return changes.region_id(entry)

    @property
    def region_page(self) -> str:
        """The page that the symbol is on."""
        entry, changes = self._comparison.chosen, self._comparison.changes
        return "" if entry is None or changes is None else changes.page_name(entry)

    def _is_current(self) -> bool:
        """Whether the changes are of B as it is tallied now."""
        changes, run = self._comparison.changes, self._comparison.second
        return changes is not None and run is not None and changes.second.tally.run is run.run


class OnlyRun:
    """Run B where the canvas expects the open runs.

    Attributes
    ----------
    changed, figures_changed : Signal
    """

    def __init__(self, inspection: Inspection, comparison: ComparisonState) -> None:
        self._inspection = inspection
        self._comparison = comparison
        self.changed: Signal[[]] = comparison.changed
        self.figures_changed: Signal[[]] = inspection.runs.figures_changed

    @property
    def current(self) -> InspectedRun | None:
        """B; None where it does not know the query that is looked at."""
        run, query = self._comparison.second, self._inspection.query
        known = run is not None and run.tally is not None and query in (None, *run.tally.queries)
        return run if known else None

    @property
    def primitive(self) -> Primitive | None:
        """What outlines are converted to before they are compared."""
        return self._inspection.runs.primitive
