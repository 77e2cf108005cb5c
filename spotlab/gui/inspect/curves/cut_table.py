"""Figures of the open runs at the cut: what they are, and a table of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QMenu,
    QWidget,
)

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import CurveView, Relation
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.readout import HEADS, Readout, Value
from spotlab.gui.kit.settings import CUT_FIGURES, Settings
from spotlab.gui.kit.widgets import (
    name_thresholds,
)
from spotlab.measures.measure import Figure, SumsFormula, known_measures
from spotlab.report.figure_text import UNDEFINED
from spotlab.studies.evaluate.cuts import FiguresAtCut
from spotlab.studies.evaluate.inspected_run import InspectedRun

OVER_SCORE = "score_"  # begins the kinds of plots over the score
OF_DETECTORS = ("precision_at_iou", "recall_at_iou", "f_at_iou")
CUT = Figure(
    "cut", "Cut", "", 0,
    "Where the lists of the run end: at this rank, or before the first score below this one. A "
    "dash: there is no such place.",
)  # fmt: skip


@dataclass(frozen=True)
class Standing:
    """Cut of a run and its figures at that cut.

    Attributes
    ----------
    run : InspectedRun
    reason : str
        Why it has no cut; empty where it has one.
    cut : str
        Where it is cut, in short.
    score : float or None
        The score of the cut, where it is one.
    figures : mapping of str to float or None
        By name; None where undefined, and none at all without a cut.
    """

    run: InspectedRun
    reason: str
    cut: str
    score: float | None
    figures: Mapping[str, float | None]

    @property
    def line(self) -> dict[str, Value]:
        """Return what the table says of it."""
        return {CUT.name: self.cut, **self.figures}


def standing_at_cut(inspection: Inspection, runs: Sequence[InspectedRun]) -> list[Standing]:
    """Return what each of these runs has at its cut, of the chosen query or in the mean over
    all.
    """
    found = []
    for run in runs:
        if run.figures is None:
            continue
        cut = inspection.cuts.of(run)
        if cut.reason:
            found.append(Standing(run, cut.reason, UNDEFINED, None, {}))
            continue
        figures = FiguresAtCut(run.figures, inspection.counts_of(run)).of(inspection.query)
        score = cut.cut.value if cut.cut.by == "score" else None
        found.append(Standing(run, "", cut.cut.text, score, figures))
    return found


def place_at_cut(
    inspection: Inspection, standing: Standing, kind: str
) -> tuple[float, float] | None:
    """Point of a run's figures at its cut in a plot; None where one of them is undefined."""
    view, over_score = inspection.view, kind.startswith(OVER_SCORE)
    y = standing.figures.get(view.figure(kind.removeprefix(OVER_SCORE)))
    x = standing.score if over_score else standing.figures.get(view.figure("recall"))
    return None if x is None or y is None else (x, y)


def best_points(
    inspection: Inspection, runs: Sequence[InspectedRun]
) -> dict[str, list[tuple[tuple[float, float], str]]]:
    """Tell where each run has its best F, in its colour, by the kind of plot."""
    found: dict[str, list[tuple[tuple[float, float], str]]] = {}
    for run in runs:
        points = inspection.cuts.points(run)
        place = None if points is None else points.best_f()
        if points is None or place is None:
            continue
        score = float(points.value[place]) if points.by == "score" else math.nan
        for kind in ("precision", "recall", "f"):
            y = float(getattr(points, kind)[place])
            for name, x in ((kind, float(points.recall[place])), (OVER_SCORE + kind, score)):
                if not math.isnan(x) and not math.isnan(y):
                    found.setdefault(name, []).append(((x, y), run.colour))
    return found


class CutTable(Readout):
    """The readout of the runs at their cuts, with a menu of the figures that it shows."""

    def __init__(
        self, inspection: Inspection, settings: Settings, parent: QWidget | None = None
    ) -> None:
        offered = {each.name: each.figure for each in known_measures()
                   if isinstance(each.formula, SumsFormula)}  # fmt: skip
        figures = {CUT.name: CUT, **offered}
        heads = {name: HEADS.get(name, figure.title) for name, figure in figures.items()}
        super().__init__(heads, figures, named=True)
        self._inspection, self._settings = inspection, settings
        known = [name for name in settings.get(CUT_FIGURES) if name in offered]
        self._chosen = set(known or HEADS)
        self.menu = self._menu(offered)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(
            lambda place: self.menu.popup(self.mapToGlobal(place))
        )
        self.follow()

    def follow(self) -> None:
        """Show the chosen figures, and the cuts where runs have cuts of their own."""
        inspection = self._inspection
        self.name_thresholds(inspection.runs.settings)
        apart = len(inspection.runs) > 1 and inspection.cuts.relation is not Relation.SAME
        is_detector = inspection.view is CurveView.DETECTOR
        chosen = set(OF_DETECTORS) if is_detector else self._chosen
        order = [name for name in self._actions if name in chosen]
        self.use([*([CUT.name] if apart else []), *order])

    def show_standing(self, standing: Sequence[Standing]) -> None:
        """Show where each of these runs is cut, and its figures there."""
        self.follow()
        behind = theme.colours(self.palette()).window
        self.show_runs(
            [(each.run.name, readable(each.run.colour, behind), each.line) for each in standing],
            mean=self._inspection.query is None,
            dashes=[each.run.dash for each in standing],
        )

    def _menu(self, offered: Mapping[str, Figure]) -> QMenu:
        menu = QMenu("Figures at the Cut", self)
        calm = [name for name in HEADS if name in offered]
        self._actions: dict[str, QAction] = {}
        for name in (*calm, *(name for name in offered if name not in HEADS)):
            action = menu.addAction(offered[name].title)
            action.setCheckable(True)
            action.setChecked(name in self._chosen)
            action.toggled.connect(partial(self._choose, name))
            self._actions[name] = action
        pairs = [(action, offered[name]) for name, action in self._actions.items()]
        runs = self._inspection.runs
        menu.aboutToShow.connect(lambda: name_thresholds(pairs, runs.settings))
        menu.addSeparator()
        menu.addAction("Restore Defaults", self._restore)
        return menu

    def _choose(self, name: str, shown: bool) -> None:
        chosen = self._chosen | {name} if shown else self._chosen - {name}
        self._chosen = chosen or {name}  # a table without columns would say nothing
        self._actions[name].setChecked(name in self._chosen)
        self._settings.set(CUT_FIGURES, [name for name in self._actions if name in self._chosen])
        self.follow()

    def _restore(self) -> None:
        for name in sorted(self._actions, key=lambda name: name not in HEADS):
            self._actions[name].setChecked(name in HEADS)
