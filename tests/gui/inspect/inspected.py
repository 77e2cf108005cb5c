"""A small collection and runs over it whose figures are known, for tests of what inspects them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from spotlab.geometry.polygon import Outlines
from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import ErrorNavigation
from spotlab.gui.kit import theme
from spotlab.gui.kit.settings import Settings as UserSettings
from spotlab.gui.pages.workbench import Workbench
from spotlab.measures.figures import compute_figures
from spotlab.measures.measure import MeasureSettings
from spotlab.model import Page, Region, Run, Truth
from spotlab.studies.evaluate.inspected_run import InspectedRun
from spotlab.studies.tally.tallying import tally

PAGE = (1000, 1000)  # px


def box(left: float, top: float, width: float, height: float) -> list[tuple[float, float]]:
    right, bottom = left + width, top + height
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def truths() -> dict[str, Truth]:
    """One page: a sofa of 100 × 100, two beds of 100 × 50, a lamp that no run looks for."""
    regions = (
        Region(tuple(box(0, 0, 100, 100)), "sofa", "r1"),
        Region(tuple(box(300, 0, 100, 50)), "bed", "r2"),
        Region(tuple(box(300, 200, 100, 50)), "bed", "r3"),
        Region(tuple(box(600, 0, 100, 100)), "lamp", "r4"),
    )
    return {"plan": Truth(Page(Path("plan.png"), *PAGE), regions)}


def first_run(name: str = "first", colour: str = "#E69F00") -> InspectedRun:
    """Sofa: half of it, a false one, its other half. Beds: one. A query without truth: one.

    Recall of sofa at ranks 1, 2, 3: .5, .5, 1; precision 1, .5, 2/3.
    """
    spots = [
        ("sofa", 0.9, box(0, 0, 50, 100)),
        ("sofa", 0.6, box(0, 500, 50, 100)),
        ("sofa", 0.3, box(50, 0, 50, 100)),
        ("bed", 0.8, box(300, 0, 100, 50)),
        ("ghost", 0.7, box(0, 800, 10, 10)),
    ]
    return inspected(name, colour, spots)


def second_run(name: str = "second", colour: str = "#56B4E9") -> InspectedRun:
    """The whole sofa at once, then twice something else; no beds."""
    spots = [
        ("sofa", 0.5, box(0, 0, 100, 100)),
        ("sofa", 0.4, box(0, 500, 100, 100)),
        ("sofa", 0.2, box(0, 700, 100, 100)),
    ]
    return inspected(name, colour, spots)


def inspected(
    name: str, colour: str, spots: list[tuple[str, float, list[tuple[float, float]]]]
) -> InspectedRun:
    """A run with its figures."""
    run = Run.ordered(
        name,
        [query for query, _, _ in spots],
        ["plan"] * len(spots),
        Outlines.of([points for _, _, points in spots]),
        score=np.array([score for _, score, _ in spots]),
    )
    of_run = tally(run, truths(), {"plan": "plan"})
    return InspectedRun(
        name,
        colour,
        run,
        whole=of_run,
        tally=of_run,
        figures=compute_figures(of_run, MeasureSettings()),
    )


def make_curves(workbench: Workbench) -> CurvesPanel:
    """The panel of curves, with nothing to show places on."""
    go_to = ErrorNavigation(workbench, lambda *_: None).go_to
    return CurvesPanel(workbench.state(Inspection), workbench.settings, go_to)


@contextmanager
def open_curves(folder: Path) -> Iterator[CurvesPanel]:
    """The panel of curves on the screen, in light colours, without a run."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, "light")
    panel = make_curves(Workbench(UserSettings(folder / "settings.json")))
    panel.resize(400, 860)
    panel.show()
    QTest.qWaitForWindowExposed(panel)
    yield panel
    QToolTip.hideText()
    panel.close()
    panel.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def use(panel: CurvesPanel, *runs: InspectedRun) -> None:
    """Open these runs, the first one in sight."""
    panel.inspection.runs.use(runs)
    panel.inspection.runs.choose(0)
    drawn()


def drawn() -> None:
    """Let all be drawn that was asked for."""
    for _ in range(3):
        QApplication.processEvents()
