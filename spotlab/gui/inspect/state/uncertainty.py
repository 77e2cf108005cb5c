"""Intervals of the open runs' figures and differences between runs, computed in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QTimer

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.background import Task
from spotlab.measures.figures import RunFigures
from spotlab.measures.intervals import (
    Difference,
    Interval,
    compare_runs,
    correct_differences,
    intervals_over_pages,
    intervals_over_queries,
)
from spotlab.measures.measure import Figure
from spotlab.progress import Progress
from spotlab.signal import Signal

Over = Literal["queries", "pages"]
STILL = 400  # ms without a change until they are computed: nobody reads them while drawing
DRAWS = 1000
SEED = 0


@dataclass(frozen=True)
class UncertainFigures:
    """Of which figures, drawn over what, and what was found; by place of the run."""

    figures: tuple[RunFigures | None, ...] = ()
    current: int = -1
    over: Over = "queries"
    intervals: Mapping[int, Mapping[str, Interval | None]] = field(default_factory=dict)
    differences: Mapping[int, Mapping[str, Difference | None]] = field(default_factory=dict)

    def corrected(
        self, figures: Sequence[Figure]
    ) -> tuple[dict[int, dict[str, Difference | None]], int]:
        """The differences with p corrected for those of these figures, and for how many."""
        found, tests = correct_differences(list(self.differences.values()), figures)
        return dict(zip(self.differences, found, strict=True)), tests


class Uncertainty:
    """Uncertainty of the figures currently shown; outdated figures have none."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self._task = Task()
        self._known = UncertainFigures()
        self.over: Over = "queries"
        self._anybody = False
        self.changed = Signal[[]]()
        self._timer = QTimer(singleShot=True, interval=STILL)
        self._timer.timeout.connect(self.compute)
        inspection.runs.changed.connect(self._soon)
        inspection.runs.figures_changed.connect(self._soon)

    @property
    def busy(self) -> bool:
        """Tell whether there will be others soon."""
        return self._timer.isActive() or self._task.busy

    @property
    def known(self) -> UncertainFigures:
        """Return what is known; empty where the figures are others by now."""
        wanted = self._wanted()
        known = self._known
        if (known.figures, known.current, known.over) == (*wanted, self.over):
            return known
        fresh = {
            run: intervals
            for run, intervals in known.intervals.items()
            if known.over == self.over and wanted[0][run : run + 1] == known.figures[run : run + 1]
        }
        return UncertainFigures(intervals=fresh)

    def set_wanted(self, wanted: bool) -> None:
        """Say whether anybody wants to see them; else nothing is computed."""
        self._anybody = wanted
        self._soon()

    def draw_over(self, what: Over) -> None:
        """Draw "queries" or "pages"."""
        if what != self.over:
            self.over = what
            self.changed.emit()
            self.compute()

    def compute(self) -> None:
        """Compute what is not known, now; what was under way for others is dropped."""
        self._timer.stop()
        if not self._anybody:
            return
        self._task.cancel()
        figures, current = self._wanted()
        over = self.over
        if (self._known.figures, self._known.current, self._known.over) == (figures, current, over):
            return
        have = self.known.intervals

        def work(progress: Progress) -> UncertainFigures:
            return _known(figures, current, over, have, progress)

        self._task.start(work, done=self._done)

    def _done(self, known: UncertainFigures) -> None:
        self._known = known
        self.changed.emit()

    def _wanted(self) -> tuple[tuple[RunFigures | None, ...], int]:
        inspection = self._inspection
        return tuple(run.figures for run in inspection.runs), inspection.runs.current_index

    def _soon(self) -> None:
        wanted = (*self._wanted(), self.over)
        if not wanted[0]:
            self._known = UncertainFigures()  # what was known is of runs that are closed
        if wanted != (self._known.figures, self._known.current, self._known.over):
            self._timer.start()


def _known(
    figures: Sequence[RunFigures | None],
    current: int,
    over: Over,
    have: Mapping[int, Mapping[str, Interval | None]],
    progress: Progress,
) -> UncertainFigures:
    draw = intervals_over_queries if over == "queries" else intervals_over_pages
    intervals = dict(have)
    differences = {}
    for run, each in enumerate(figures):
        if each is None:
            continue
        progress(run, len(figures), "Drawing queries")
        if run not in intervals:
            intervals[run] = draw(each, draws=DRAWS, seed=SEED, progress=progress)
        other = figures[current] if current < len(figures) else None
        if run != current and other is not None:
            differences[run] = compare_runs(
                each, other, over=over, draws=DRAWS, seed=SEED, progress=progress
            )
    return UncertainFigures(tuple(figures), current, over, intervals, differences)
