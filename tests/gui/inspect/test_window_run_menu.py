"""The Run menu in the whole window: letters step only in Inspect, measures count at once."""

from __future__ import annotations

import html
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog

from spotlab.api.job import setting_texts
from spotlab.api.settings import EvaluationSettings
from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.inspect.curves.curve_head import MISSING
from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.dialogs import reports
from spotlab.gui.inspect.dialogs.reports import ScalabilityDialog
from spotlab.gui.inspect.dialogs.run_settings import MeasuresDialog
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.main_window import MainWindow
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.model import Primitive
from tests.gui.choosing import pick
from tests.gui.inspect.inspecting import calm, write_collection, write_runs
from tests.gui.windows import begin_anew, press, settle

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    window = begin_anew(lasting, write_collection(tmp_path / "pages"))
    window.workbench.state(Inspection).runs.open(write_runs(tmp_path / "elsewhere"))
    settle()
    return window


def chosen(window: MainWindow) -> tuple[int | None, str | None]:
    return window.workbench.state(Inspection).spot, window.workbench.state(Inspection).region


def test_letters_find_labels_in_annotate_and_step_in_inspect(window: MainWindow) -> None:
    press(window.canvas, Qt.Key.Key_N)
    assert window.part(LabelFinder).isVisible() and chosen(window) == (None, None)
    press(window.part(LabelFinder), Qt.Key.Key_Escape)
    window.enter("inspect")
    press(window.canvas, Qt.Key.Key_N)
    calm()
    assert chosen(window) == (None, "r2")  # the bed, missed: the worst
    press(window.canvas, Qt.Key.Key_N)
    calm()
    assert chosen(window) == (2, None)
    assert window.workbench.entry is not None and window.workbench.entry.name == "page_2"
    press(window.canvas, Qt.Key.Key_P)
    calm()
    assert chosen(window) == (None, "r2") and not window.part(LabelFinder).isVisible()
    press(window.canvas, Qt.Key.Key_N, SHIFT)
    calm()
    assert chosen(window) == (1, None)  # the worst, and only, false one


def test_letters_typed_into_a_filter_are_text(window: MainWindow) -> None:
    window.enter("inspect")
    window.actions_by_id.trigger("page.filter")
    QTest.keyClicks(window.panel(PagesPanel).box, "np")
    calm()
    assert window.panel(PagesPanel).box.text() == "np" and chosen(window) == (None, None)


def test_ranks_step_with_alt_and_end_with_the_list(window: MainWindow) -> None:
    window.enter("inspect")
    window.workbench.state(Inspection).choose_spot(1)
    press(window.canvas, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    calm()
    assert chosen(window) == (0, None)
    press(window.canvas, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert chosen(window) == (0, None)


def test_runs_close_from_the_menu(window: MainWindow) -> None:
    assert window.actions_by_id.trigger("run.close")
    assert [run.name for run in window.workbench.state(Inspection).runs] == ["all"]
    assert window.actions_by_id.trigger("run.close_all")
    assert not window.actions_by_id.trigger("run.close")


def test_runs_are_opened_by_the_dialog(window: MainWindow, tmp_path: Path) -> None:
    window.actions_by_id.trigger("run.close_all")
    assert window.actions_by_id.trigger("run.open")
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.selectFile(str(tmp_path / "elsewhere" / "all.csv"))
    dialog.accept()
    settle()
    assert [run.name for run in window.workbench.state(Inspection).runs] == ["all"]


def test_measures_count_at_once_and_can_be_put_back(window: MainWindow) -> None:
    inspection = window.workbench.state(Inspection)
    assert window.actions_by_id.trigger("run.measures")
    dialog = window.findChild(MeasuresDialog)
    assert dialog is not None and dialog.isVisible()
    pick(dialog.overlap, Overlap.SUM)
    dialog.iou.setValue(0.3)
    pick(dialog.outlines, Primitive.BOX)
    calm()
    assert inspection.runs.settings.overlap is Overlap.SUM and inspection.runs.settings.iou == 0.3
    assert inspection.runs.primitive is Primitive.BOX
    current = inspection.runs.current
    assert current is not None and current.figures is not None
    assert current.figures.settings == inspection.runs.settings
    dialog.reset()
    calm()
    assert inspection.runs.settings.overlap is Overlap.UNION and inspection.runs.primitive is None


def test_measures_follow_what_is_chosen_elsewhere(window: MainWindow) -> None:
    inspection = window.workbench.state(Inspection)
    assert window.actions_by_id.trigger("run.measures")
    assert window.actions_by_id.trigger("run.measures")
    [dialog] = window.findChildren(MeasuresDialog)
    assert dialog.missing.value == "zero"
    texts = setting_texts(EvaluationSettings)
    for name in ("overlap", "beta", "iou", "at_recall", "at_precision", "recognised", "missing"):
        assert html.escape(texts[name].text) in getattr(dialog, name).toolTip()
    menu = window.panel(CurvesPanel).head.menu
    [left_out] = [each for each in menu.actions() if each.text() == MISSING["drop"]]
    left_out.trigger()
    assert dialog.missing.value == "drop"
    dialog.iou.setValue(0.4)
    calm()
    settings = inspection.runs.settings
    assert (settings.missing, settings.iou) == ("drop", 0.4)


def test_digits_that_measures_does_not_show_are_kept(window: MainWindow) -> None:
    runs = window.workbench.state(Inspection).runs
    exact = replace(runs.settings, iou=1 / 3, beta=0.125, recognised=0.655)
    runs.set_settings(exact)
    calm()
    assert window.actions_by_id.trigger("run.measures")
    [dialog] = window.findChildren(MeasuresDialog)
    pick(dialog.overlap, Overlap.SUM)
    calm()
    assert runs.settings == replace(exact, overlap=Overlap.SUM)
    dialog.iou.setValue(0.4)
    dialog.recognised.setValue(70)
    calm()
    assert runs.settings == replace(exact, overlap=Overlap.SUM, iou=0.4, recognised=0.7)
    runs.set_settings(replace(exact, iou=0.504))  # looks like the usual .50
    calm()
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    restore = buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
    QTest.mouseClick(restore, Qt.MouseButton.LeftButton)
    calm()
    assert runs.settings == MeasureSettings()
    assert dialog.beta.value() == 1


def test_a_report_is_written_beside_the_window(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(
        reports.QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile())
    )
    reports.save(window, tmp_path / "report")
    settle()
    page = tmp_path / "report" / "report.html"
    assert page.is_file() and opened == [str(page)]
    assert "partly" in page.read_text()


def test_scalability_stands_beside_the_window(window: MainWindow, tmp_path: Path) -> None:
    assert window.actions_by_id.trigger("run.scalability")
    dialog = window.findChild(ScalabilityDialog)
    assert dialog is not None
    settle()
    assert dialog.found is not None and dialog.found.classes == ("bed", "sofa")
    assert "2 queries" in dialog.head.text()
    dialog.copy()
    lines = QApplication.clipboard().text().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["Run", "partly", "all"]
    assert "by chance" in lines[0]
    titles = [dialog.pictures.tabText(tab) for tab in range(dialog.pictures.count())]
    assert titles == ["Fig. 9a", "Fig. 9b, c", "Fig. 10"]
    for tab in range(3):
        dialog.pictures.setCurrentIndex(tab)
        dialog.ask_plot().save(tmp_path / f"{tab}.pdf")
        settle()
        assert b"CIDFontType2" in (tmp_path / f"{tab}.pdf").read_bytes()
    dialog.save_all(tmp_path / "scalability")
    settle()
    names = {path.name for path in (tmp_path / "scalability").iterdir()}
    assert {"deviations.tex", "curves-by-number.pdf", "curves.pdf", "sizes.pdf"} <= names
    dialog.close()


def test_scalability_is_closed_while_it_is_computed(window: MainWindow) -> None:
    assert window.actions_by_id.trigger("run.scalability")
    dialog = window.findChild(ScalabilityDialog)
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    settle()
    assert window.findChild(ScalabilityDialog) is None


def test_scalability_without_truth_says_why(window: MainWindow) -> None:
    workbench = window.workbench
    for page, ids in ((0, ["r1", "r2"]), (1, ["r1"])):
        workbench.open_page(page)
        settle()
        assert workbench.document is not None
        workbench.editing.do("Remove", workbench.document.removing(ids))
        calm()
    window.actions_by_id.trigger("run.scalability")
    dialog = window.findChild(ScalabilityDialog)
    assert dialog is not None
    settle()
    assert dialog.found is None and "no labelled region" in dialog.head.text()
