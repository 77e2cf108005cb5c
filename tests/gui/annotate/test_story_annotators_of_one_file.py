"""An export of Label Studio with several annotators: one of them is compared with what is drawn."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog

from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.window.main_window import MainWindow
from tests.gui.windows import close, open_window, settle, write_pages


def export(path: Path) -> Path:
    def by(name: str, day: int, width: float) -> dict[str, object]:
        value = {"x": 0, "y": 0, "width": width, "height": 50, "rectanglelabels": ["bed"]}
        result = {"id": name, "type": "rectanglelabels", "value": value, "original_width": 320,
                  "original_height": 240}  # fmt: skip
        return {"completed_by": {"email": name}, "updated_at": f"2026-01-0{day}",
                "result": [result]}  # fmt: skip

    task = {"data": {"image": "page_1.png"}, "annotations": [by("anna", 1, 25), by("ben", 2, 75)]}
    path.write_text(json.dumps([task]))
    return path


def rest(window: MainWindow) -> SecondAnnotator:
    second = window.workbench.state(SecondAnnotator)
    for _ in range(400):
        settle()
        if not second.busy:
            break
        QTest.qWait(20)
    return second


def test_one_of_its_annotators_is_chosen_and_comes_again(
    tmp_path: Path, qapp: QApplication
) -> None:
    pages = write_pages(tmp_path / "pages", 2)
    path = export(tmp_path / "project.json")
    window = open_window(tmp_path, pages, size=(1280, 800))
    assert window.actions_by_id.trigger("second.open_file")
    dialog = window.findChild(QFileDialog)
    dialog.selectFile(str(path))
    dialog.accept()
    QApplication.sendPostedEvents(dialog)
    rest(window)
    asked = window.findChild(QInputDialog)
    assert asked.comboBoxItems() == ["anna", "ben"] and "2 annotators" in asked.labelText()
    asked.setTextValue("anna")
    asked.accept()
    second = rest(window)
    assert second.name == "anna" and second.here is not None
    assert [region.area for region in second.here.regions] == [80 * 120]
    close(window)
    again = open_window(tmp_path, pages, size=(1280, 800))
    second = rest(again)
    assert second.name == "anna" and second.here is not None
    close(again)
