"""Intervals of the open runs' figures and differences between runs, computed in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from spotlab.errors import SpotlabError
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.plots.export import PlotChoice, PlotOffer
from spotlab.measures.figures import RunFigures
from spotlab.measures.intervals import (
    PRIMARY,
    ComparedRun,
    Design,
    Difference,
    Interval,
    Over,
    compare_runs,
)
from spotlab.measures.significance import symmetric
from spotlab.progress import Progress
from spotlab.report.colours import RunStyle
from spotlab.signal import Signal

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

STILL = 400  # ms without a change until they are computed: nobody reads them while drawing


@dataclass(frozen=True)
class UncertainFigures:
    """Intervals and differences of runs, by their places, as far as they are known."""

    figures: tuple[RunFigures | None, ...] = ()
    asked: tuple[str, Over | None] = (PRIMARY, None)
    runs: Mapping[int, ComparedRun] = field(default_factory=dict)
    design: Design | None = None
    pairs: Mapping[tuple[int, int], Mapping[str, Difference | None]] = field(default_factory=dict)

    def intervals(self, run: int) -> Mapping[str, Interval | None]:
        """The intervals of a run; empty where they are not known yet."""
        compared = self.runs.get(run)
        return compared.intervals(self.design.over) if compared and self.design else {}

    def differences(self, current: int) -> dict[int, dict[str, Difference | None]]:
        """Those of all other runs from this one: other minus current."""
        found = {}
        for (first, second), differences in self.pairs.items():
            if first == current:
                found[second] = dict(differences)
            elif second == current:
                found[first] = {name: each and -each for name, each in differences.items()}
        return found


class Uncertainty:
    """Uncertainty of the figures currently shown; outdated figures have none."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self._task = Task()
        self._known = UncertainFigures()
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
        known = self._known
        return known if self._is_known() else UncertainFigures()

    def set_wanted(self, wanted: bool) -> None:
        """Say whether anybody wants to see them; else nothing is computed."""
        self._anybody = wanted
        self._soon()

    def test(self, primary: str) -> None:
        """Test the figure of this name; the others are described."""
        self._ask(primary, self._inspection.runs.over)

    def draw_over(self, what: Over | None) -> None:
        """Take queries or pages for the units, or what there is enough of."""
        self._ask(self._inspection.runs.primary, what)

    def _ask(self, primary: str, over: Over | None) -> None:
        runs = self._inspection.runs
        if (primary, over) != (runs.primary, runs.over):
            runs.primary, runs.over = primary, over
            self.changed.emit()
            self.compute()

    def compute(self) -> None:
        """Compute what is not known, now; what was under way for others is dropped."""
        self._timer.stop()
        if not self._anybody:
            return
        self._task.cancel()
        if self._is_known():
            return
        runs = self._inspection.runs
        figures, primary, over = self._wanted(), runs.primary, runs.over
        have = list(self._known.runs.values())

        def work(progress: Progress) -> UncertainFigures:
            return _known(figures, primary, over, have, progress)

        self._task.start(work, done=self._done)

    def plot(self) -> PlotOffer:
        """Offer the critical-difference plot of the open runs for print."""
        runs = self._inspection.runs
        figures, asked, have = self._wanted(), (runs.primary, runs.over), self._known
        styled = [(run.name, RunStyle(run.colour, run.dash)) for run in runs]

        def draw(choice: PlotChoice, progress: Progress) -> Drawing:
            from spotlab.report.run_plots import rank_figure  # noqa: PLC0415 - matplotlib

            known = have
            if (known.figures, known.asked) != (figures, asked):
                known = _known(figures, *asked, list(have.runs.values()), progress)
            if known.design is None or not known.design.ranks:
                raise SpotlabError("Nothing is tested: open two runs of the same pages and queries")
            places = list(known.runs)
            p: dict[tuple[int, int], float | None] = {}
            for (first, second), each in known.pairs.items():
                found = each.get(asked[0])
                at = places.index(first), places.index(second)
                p[at] = None if found is None else found.p_holm
            names, styles = zip(*(styled[place] for place in places), strict=True)
            return rank_figure(names, styles, known.design, symmetric(p, len(places)), choice.width)

        return PlotOffer("critical-difference", draw)

    def _done(self, known: UncertainFigures) -> None:
        self._known = known
        self.changed.emit()

    def _is_known(self) -> bool:
        runs = self._inspection.runs
        return (self._known.figures, self._known.asked) == (
            self._wanted(), (runs.primary, runs.over)
        )  # fmt: skip

    def _wanted(self) -> tuple[RunFigures | None, ...]:
        return tuple(run.figures for run in self._inspection.runs)

    def _soon(self) -> None:
        if not self._inspection.runs:
            self._known = UncertainFigures()  # what was known is of runs that are closed
        if not self._is_known():
            self._timer.start()


def _known(
    figures: tuple[RunFigures | None, ...],
    primary: str,
    over: Over | None,
    have: Sequence[ComparedRun],
    progress: Progress,
) -> UncertainFigures:
    known = {run.figures: run for run in have}
    runs = {
        place: known.get(each) or ComparedRun(each)
        for place, each in enumerate(figures)
        if each is not None
    }
    places = list(runs)
    design, pairs = compare_runs(list(runs.values()), primary, over, progress=progress)
    for run in runs.values():
        run.intervals(design.over, progress)
    return UncertainFigures(
        figures,
        (primary, over),
        runs,
        design,
        {(places[first], places[second]): each for (first, second), each in pairs.items()},
    )
