"""The Systems workspace in the window: entered without pages, votes opened, weighed, exported."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.gui.kit import background
from spotlab.gui.kit.plots.export import PlotDialog
from spotlab.gui.systems.centre import SystemsCentre
from spotlab.gui.systems.ranking.ranking import WeightsPanel
from spotlab.gui.systems.ranking.superiority import CSV, JSON, REPORT, save
from spotlab.gui.systems.state import Systems
from spotlab.gui.systems.votes.dialog import VotesDialog, ask_votes
from spotlab.gui.systems.votes.vote_table import VoteTablePanel
from spotlab.gui.window.main_window import MainWindow
from tests.gui import gestures, windows
from tests.gui.choosing import pick
from tests.gui.systems.systems_window import example, use

CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
LINES = "item,a,b,c,truth\n#engine,x,x,y,\none,1,1,1,1\ntwo,1,0,,0\nthree,0,0,1,0\n"


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path)
    yield window
    window.workbench.state(Systems).cancel()
    windows.settle()
    windows.close(window)


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    path = tmp_path / "votes.csv"
    path.write_text(LINES)
    return path


def shown(window: MainWindow) -> set[str]:
    return {name for name, dock in window.docks.by_name.items() if not dock.isHidden()}


def table(window: MainWindow) -> VoteTablePanel:
    return centre(window).votes


def centre(window: MainWindow) -> SystemsCentre:
    middle = window.above["systems"]
    assert isinstance(middle, SystemsCentre)
    return middle


def enter(window: MainWindow) -> None:
    windows.press(window, Qt.Key.Key_4, CONTROL)
    windows.settle()


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, middle = Qt.DropAction.CopyAction, window.rect().center()
    keys = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(middle, action, data, LEFT, keys))
    QApplication.sendEvent(window, QDropEvent(QPointF(middle), action, data, LEFT, keys))
    windows.settle()


def test_it_needs_no_pages(window: MainWindow) -> None:
    assert window.welcome.isVisible()
    enter(window)
    assert not window.welcome.isVisible() and centre(window).starts[0].nothing.isVisible()
    assert "ranking" in shown(window) and "weights" not in shown(window)
    assert not window.canvas.isVisible()
    windows.press(window, Qt.Key.Key_1, CONTROL)
    assert window.welcome.isVisible() and not shown(window)
    enter(window)
    assert "ranking" in shown(window) and "labels" not in shown(window)


def test_the_example_and_a_weight_that_moves_everything(window: MainWindow) -> None:
    enter(window)
    QTest.mouseClick(centre(window).starts[0].example_button, LEFT)
    windows.settle()
    assert "weights" in shown(window)  # the example is looked at by the weights of the paper
    systems, weights = window.workbench.state(Systems), window.panels["weights"]
    assert isinstance(weights, WeightsPanel) and systems.weighted is not None
    assert systems.weighted.precision.round(3).tolist() == [0.6, 0.667, 0.667]
    slider = weights.rows["S1"].slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    index = table(window).model.index(3, table(window).model.column_of("probability"))
    assert index.data() == ".250" and systems.system == 0
    window.actions_by_id["systems.paper"].trigger()
    assert index.data() == ".400"


def test_votes_are_dropped(window: MainWindow, votes: Path) -> None:
    enter(window)
    drop(window, votes)
    assert window.workbench.state(Systems).names == ("a", "b", "c")
    assert centre(window).figures.table.isVisible()
    gestures.click_tab(centre(window), "Votes")
    assert table(window).view.isVisible()
    window.actions_by_id["systems.truth"].trigger()
    weighted = window.workbench.state(Systems).weighted
    assert weighted is not None and weighted.precision.tolist() == [0.5, 1.0, 0.5]


def test_votes_that_cannot_be_read_leave_what_is_open(window: MainWindow, tmp_path: Path) -> None:
    enter(window)
    use(window.workbench.state(Systems), example())
    said: list[tuple[str, bool]] = []
    window.workbench.said.connect(lambda text, serious: said.append((text, serious)))
    bad = tmp_path / "bad.csv"
    bad.write_text("item,a,a\none,1,0\n")
    drop(window, bad)
    assert len(said) == 1 and said[0][1] and "bad.csv" in said[0][0]
    assert window.workbench.state(Systems).names == ("S1", "S2", "S3")
    windows.settle()
    assert not window.workbench.state(Systems).busy


def test_the_dialog_takes_files_and_options(window: MainWindow, votes: Path) -> None:
    enter(window)
    dialog = ask_votes(window.workbench, window)
    go = dialog.buttons.button(QDialogButtonBox.StandardButton.Open)
    assert not go.isEnabled()
    dialog.add([votes])
    dialog.ranks.setValue(50)
    pick(dialog.method, "alignment")
    QTest.mouseClick(go, LEFT)
    windows.settle()
    options = window.workbench.state(Systems).options
    assert (options.method, options.depth, options.overlap) == ("alignment", 50, 0.5)
    assert window.workbench.state(Systems).names == ("a", "b", "c")


def test_a_dialog_can_forget(window: MainWindow, votes: Path) -> None:
    dialog = VotesDialog(window.workbench, window)
    dialog.add([votes, votes])
    assert dialog.list.count() == 1
    QTest.mouseClick(dialog.clear, LEFT)
    assert dialog.list.count() == 0 and not dialog.paths
    dialog.deleteLater()


def test_exports_are_by_the_weights_of_the_sliders(
    window: MainWindow, votes: Path, tmp_path: Path
) -> None:
    enter(window)
    drop(window, votes)
    window.workbench.state(Systems).leave_out_virtual()
    save(window.workbench, tmp_path / "figures.csv", CSV)
    save(window.workbench, tmp_path / "figures.json", JSON)
    windows.settle()
    weighted = window.workbench.state(Systems).weighted
    assert weighted is not None
    with (tmp_path / "figures.csv").open() as file:
        rows = {row["system"]: row for row in csv.DictReader(file)}
    assert float(rows["b"]["precision"]) == pytest.approx(weighted.precision[1])
    written = json.loads((tmp_path / "figures.json").read_text())
    assert written["weights"]["top"] == 0 and written["weights"]["a"] == pytest.approx(1 / 3)
    save(window.workbench, tmp_path / "report", REPORT)
    windows.settle()
    report = (tmp_path / "report" / "report.html").read_text()
    comparison = window.workbench.state(Systems).comparison
    assert comparison is not None and "Recommended estimate" in report
    assert comparison.recommendation.reason in report


def test_the_bars_of_the_paper_are_saved_by_the_method_that_is_looked_at(
    window: MainWindow, tmp_path: Path
) -> None:
    enter(window)
    systems = window.workbench.state(Systems)
    use(systems, example(truth=True))
    systems.set_method("majority")
    window.actions_by_id.trigger("systems.save_bars")
    [dialog] = window.findChildren(PlotDialog)
    dialog.save(tmp_path / "bars.svg")
    windows.settle()
    drawn = (tmp_path / "bars.svg").read_text("utf-8")
    assert all(said in drawn for said in ("With truth", "Majority", "precision", *systems.names))


def test_exporting_where_nothing_can_be_written(window: MainWindow, tmp_path: Path) -> None:
    enter(window)
    use(window.workbench.state(Systems), example())
    said: list[bool] = []
    window.workbench.said.connect(lambda _, serious: said.append(serious))
    save(window.workbench, tmp_path / "missing" / "figures.csv", CSV)
    windows.settle()
    assert said == [True]


def test_actions_are_offered_where_they_can_be_done(window: MainWindow) -> None:
    actions = window.actions_by_id
    assert actions["systems.open"].isEnabled() and not actions["systems.close"].isEnabled()
    actions["systems.example"].trigger()
    windows.settle()
    assert window.workbench.workspace == "systems" and actions["systems.csv"].isEnabled()
    assert not actions["systems.truth"].isEnabled()
    actions["systems.close"].trigger()
    windows.settle()
    assert centre(window).starts[0].nothing.isVisible() and not actions["systems.csv"].isEnabled()


def test_an_item_that_is_a_region_is_shown_on_its_page(tmp_path: Path, qapp: QApplication) -> None:
    folder = windows.write_pages(tmp_path / "pages")
    window = windows.open_window(tmp_path, folder)
    enter(window)
    assert not window.canvas.isVisible()
    votes = Votes.of(np.array([[1, 0], [1, 1], [0, 1]], bool), ["a", "b"])
    names = [entry.name for entry in window.workbench.entries]
    boxes = np.array([[40, 40, 100, 90], [180, 120, 260, 200], [40, 40, 100, 90]], float)
    pages = (names[0], names[1], names[1])
    use(window.workbench.state(Systems), VoteTable(votes, ("x", "y", "z"), pages, boxes=boxes))
    assert window.canvas.isVisible()
    window.workbench.state(Systems).choose_item(1)
    assert background.wait_until(lambda: window.workbench.index == 1)
    windows.settle()
    x, y = window.canvas.view.to_view(70, 65)
    QTest.mouseClick(window.canvas, LEFT, pos=QPoint(round(x), round(y)))
    assert window.workbench.state(Systems).item == 2
    QTest.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert window.workbench.state(Systems).item is None
    windows.settle()
    windows.close(window)


def test_votes_and_judgements_opened_from_anywhere_open_here(
    window: MainWindow, votes: Path, tmp_path: Path
) -> None:
    assert window.workbench.workspace != "systems"
    assert window.open_paths([votes])
    assert background.wait_until(lambda: window.workbench.state(Systems).table is not None)
    assert window.workbench.workspace == "systems"
    assert window.workbench.state(Systems).names == ("a", "b", "c")
    judgements, tree = tmp_path / "judgements.csv", tmp_path / "tree.csv"
    judgements.write_text("subject,item,category\nA,one,p\nB,one,s\n")
    tree.write_text("category,parent\np,all\ns,all\n")
    window.enter("annotate")
    assert window.open_paths([judgements, tree])
    subjects = centre(window).subjects.subjects
    assert background.wait_until(lambda: subjects.found is not None)
    assert window.workbench.workspace == "systems"
    assert centre(window).currentIndex() == 2


def test_files_that_are_no_votes_are_refused_as_before(window: MainWindow, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    assert not window.open_paths([other])
    assert window.workbench.workspace != "systems"
