"""Every plot and table that can be saved is found in the palette and in a menu, and is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.panels.figures_table import FiguresPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.plots.export import PlotDialog
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.inspect.inspecting import calm, write_collection, write_runs

EXPORTS = {
    "Save Precision Plot": "run.svg",
    "Save Fall-out Plot": "run.pdf",
    "Save F Plot": "run.png",
    "Save Precision over Score Plot": "score_precision.svg",
    "Save Recall over Score Plot": "score_recall.pdf",
    "Save F over Score Plot": "score_f.png",
    "Save Critical-Difference Plot": "ranks.pdf",
    "Save Confusion Table as Picture": "confusion.pdf",
    "Save Worst Errors as Pictures": "errors.pdf",
    "Save Mean Curves as CSV": "means.csv",
    "Save Curve Points as CSV": "points.csv",
    "Export Figures as CSV": "figures.csv",
    "Export Figures as JSON": "figures.json",
    "Export Figures as LaTeX": "figures.tex",
}


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("exports")
    window = windows.open_window(folder, write_collection(folder / "pages"))
    window.enter("inspect")
    window.workbench.state(Inspection).runs.open(write_runs(folder / "runs"))
    calm()
    yield window
    windows.close(window)


def save_by_palette(window: MainWindow, title: str, path: Path) -> None:
    """Type the title, press Enter, and save to the path."""
    palette = window.palette_of_commands
    window.find_command(title)
    assert title in palette.list.item(0).text()
    QTest.keyClick(palette.box, Qt.Key.Key_Return)
    calm()
    for plot in window.findChildren(PlotDialog):  # a plot is looked at before
        save = plot.buttons.button(QDialogButtonBox.StandardButton.Save)
        QTest.mouseClick(save, Qt.MouseButton.LeftButton)
    [dialog] = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
    dialog.setDirectory(str(path.parent))
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.setText(path.name)
    dialog.accept()
    calm()


@pytest.mark.parametrize("title", EXPORTS)
def test_the_palette_finds_and_writes_every_export(
    window: MainWindow, title: str, tmp_path: Path
) -> None:
    for panel in ("curves", "figures", "confusion"):  # where they are hidden, too
        if window.docks.is_shown(panel):
            window.docks.by_name[panel].hide()
    calm()
    path = tmp_path / EXPORTS[title]
    save_by_palette(window, title, path)
    content = path.read_bytes()
    assert len(content) > 200
    if path.suffix == ".pdf":
        assert b"CIDFontType2" in content
    if path.suffix == ".csv":
        assert b"partly" in content or b"sofa" in content
    if path.suffix == ".json":
        assert {row["name"] for row in json.loads(content)} >= {"sofa", "bed"}


def test_the_menus_of_plots_and_tables_offer_nothing_else(window: MainWindow) -> None:
    ids = [id for id in window.actions_by_id.by_id if id.startswith("run.")]
    named = {window.actions_by_id[id].text().replace("&", "").rstrip("…") for id in ids}
    assert set(EXPORTS) <= named
    menu = window.panel(CurvesPanel).head.menu.actions()
    offered = {action.text().rstrip("…") for action in menu if action.text().startswith("Save")}
    assert offered and offered <= set(EXPORTS)
    menu = window.panel(FiguresPanel).more.menu().actions()
    offered = {action.text().rstrip("…") for action in menu if action.text().startswith("Export")}
    assert offered == {"Export CSV", "Export JSON", "Export LaTeX"}
