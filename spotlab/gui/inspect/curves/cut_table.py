"""The table under the slider: where each run is cut, its figures there, and which are shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import Relation
from spotlab.gui.kit import theme
from spotlab.gui.kit.known_settings import CUT_FIGURES
from spotlab.gui.kit.plots.cut_slider import printed_score
from spotlab.gui.kit.plots.readout import HEADS, Readout, Value
from spotlab.gui.kit.plots.shades import readable
from spotlab.gui.kit.settings import Settings
from spotlab.measures.measure import Figure, SumsFormula, known_measures
from spotlab.report.figure_text import UNDEFINED
from spotlab.studies.evaluate.cuts import FiguresAtCut, ListCut
from spotlab.studies.evaluate.inspected_run import InspectedRun

CUT = Figure(
    "cut", "Cut", "", 0,
    "Where the lists of the run end: at this rank, or before the first score below this one. A "
    "dash: there is no such place.",
)  # fmt: skip


@dataclass(frozen=True)
class Standing:
    """Where a run is cut, and what it has there.

    Attributes
    ----------
    run : InspectedRun
    reason : str
        Why it has no cut; empty where it has one.
    cut : str
        Where it is cut, in short.
    figures : mapping of str to float or None
        By name; None where undefined, and none at all without a cut.
    """

    run: InspectedRun
    reason: str
    cut: str
    figures: Mapping[str, float | None]

    @property
    def line(self) -> dict[str, Value]:
        """What the table says of it."""
        return {CUT.name: self.cut, **self.figures}


def standing_at_cut(inspection: Inspection, runs: Sequence[InspectedRun]) -> list[Standing]:
    """What each of these runs has at its cut, of the chosen query or in the mean over all."""
    found = []
    for run in runs:
        if run.figures is None:
            continue
        cut = inspection.cuts.of(run)
        if cut.reason:
            found.append(Standing(run, cut.reason, UNDEFINED, {}))
            continue
        figures = FiguresAtCut(run.figures, inspection.counts_of(run)).of(inspection.query)
        found.append(Standing(run, "", written_cut(cut.cut), figures))
    return found


def best_points(
    inspection: Inspection, runs: Sequence[InspectedRun]
) -> dict[str, list[tuple[tuple[float, float], str]]]:
    """Where each run has its best F, in its colour, by the kind of plot."""
    found: dict[str, list[tuple[tuple[float, float], str]]] = {"precision": [], "f": []}
    for run in runs:
        points = inspection.cuts.points(run)
        place = None if points is None else points.best_f()
        if points is None or place is None:
            continue
        for kind, values in (("precision", points.precision), ("f", points.f)):
            at = float(points.recall[place]), float(values[place])
            if not any(map(math.isnan, at)):
                found[kind].append((at, run.colour))
    return found


def written_cut(cut: ListCut) -> str:
    """Where lists end, in short.

    Examples
    --------
    >>> written_cut(ListCut("rank", 20)), written_cut(ListCut("score", 0.71239)), written_cut(
    ...     ListCut())
    ('rank 20', '≥ 0.7123', 'all')
    """
    if cut.value is None:
        return "all"
    return f"rank {cut.value:,.0f}" if cut.by == "rank" else f"≥ {short_score(cut.value)}"


def short_score(score: float) -> str:
    """Four digits of a score, never above it: a cut there keeps the spot.

    Examples
    --------
    >>> short_score(0.6979056), short_score(1234.5)
    ('0.6979', '1234')
    """
    size = math.floor(math.log10(abs(score))) if score and math.isfinite(score) else 0
    return f"{printed_score(score, 3 - size):.4g}"


class CutTable(Readout):
    """The readout of the runs at their cuts, with a menu of the figures that it shows."""

    def __init__(
        self, inspection: Inspection, settings: Settings, parent: QWidget | None = None
    ) -> None:
        offered = {each.name: each.figure for each in known_measures()
                   if isinstance(each.formula, SumsFormula)}  # fmt: skip
        titles = {name: HEADS.get(name, figure.title) for name, figure in offered.items()}
        super().__init__({CUT.name: CUT.title, **titles}, {CUT.name: CUT, **offered}, named=True)
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
        apart = len(inspection.runs) > 1 and inspection.cuts.relation is not Relation.SAME
        order = [name for name in self._actions if name in self._chosen]
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
