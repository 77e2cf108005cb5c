"""A table whose columns their names do not tell: the window shows some rows and asks once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialogButtonBox, QTableWidget

from spotlab.gui.inspect.dialogs.run_settings import ColumnsDialog
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.inspect.inspecting import BED, SOFA, write_collection

BOXES = (("sofa", "page_1", 0.9, SOFA), ("bed", "page_1", 0.8, BED), ("sofa", "page_2", 0.7, SOFA))


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path, write_collection(tmp_path / "pages"))
    yield window
    windows.close(window)


def pick(box: QComboBox, text: str) -> None:
    """Choose an entry by typing its beginning, as a user would."""
    box.setFocus()
    QTest.keyClicks(box, text)
    assert box.currentText().startswith(text), box.currentText()


def asked(window: MainWindow) -> ColumnsDialog:
    windows.settle()
    (dialog,) = (each for each in window.frame.findChildren(ColumnsDialog) if each.isVisible())
    return dialog


@pytest.mark.parametrize("head", ["scan,kind,belief,u0,v0,u1,v1\n", ""])
def test_columns_are_asked_for_and_the_run_is_read(
    window: MainWindow, tmp_path: Path, head: str
) -> None:
    run = tmp_path / "odd.csv"
    run.write_text(head + "".join(
        f"{page},{query},{score},{','.join(map(str, box))}\n" for query, page, score, box in BOXES
    ))  # fmt: skip
    runs = window.workbench.state(Inspection).runs
    runs.open([run])
    dialog = asked(window)
    preview = dialog.findChild(QTableWidget)
    assert preview is not None and preview.rowCount() == 3
    assert [preview.item(0, at).text() for at in range(3)] == ["page_1", "sofa", "0.9"]
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert not ok.isEnabled()
    names = head.strip().split(",") if head else list("1234567")
    for box, name in zip((*dialog.roles.values(), *dialog.box), names, strict=True):
        pick(box, name)
    assert ok.isEnabled()
    QTest.mouseClick(ok, Qt.MouseButton.LeftButton)
    windows.settle()
    (found,) = runs
    assert found.figures is not None and found.figures.mean["f"] == pytest.approx(1)
    assert found.bad_lines == ()


def test_nothing_is_read_where_the_question_is_cancelled(
    window: MainWindow, tmp_path: Path
) -> None:
    run = tmp_path / "odd.csv"
    run.write_text("scan,kind,belief,u0,v0,u1,v1\np,sofa,1,0,0,9,9\n")
    runs = window.workbench.state(Inspection).runs
    runs.open([run])
    QTest.keyClick(asked(window), Qt.Key.Key_Escape)
    windows.settle()
    assert len(runs) == 0
