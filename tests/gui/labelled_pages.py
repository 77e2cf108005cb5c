"""Collections with labelled pages, and the hand that renames and deletes labels in the window."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
)

from spotlab.formats.truth import page_xml
from spotlab.gui.annotate.panels.labels import LabelsPanel
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Page, Region, Truth
from tests.gui import windows

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def write_labelled(folder: Path, count: int, labels: Sequence[str] = ("sofa",)) -> Path:
    """White pages; each has a region of every label, r1, r2, …"""
    folder.mkdir(parents=True)
    first = folder / "page_0001.png"
    Image.new("L", (320, 240), 255).save(first)
    regions = tuple(
        Region(((x, 10), (x + 30, 10), (x + 30, 50)), label, f"r{number}")
        for number, label in enumerate(labels, 1)
        for x in (40 * number,)
    )
    truth = Truth(Page(folder / "page.png", 320, 240), regions)
    content = page_xml.serialise(truth, datetime(2026, 1, 1))
    for number in range(1, count + 1):
        image = folder / f"page_{number:04}.png"
        if number > 1:
            os.link(first, image)
        image.with_suffix(".xml").write_bytes(content.replace(b"page.png", image.name.encode()))
    return folder


def open_labelled(window: MainWindow, folder: Path) -> MainWindow:
    """Open these pages, with a stool on the first; sofa has its own colour and digit."""
    windows.begin_anew(window, folder)
    window.workbench.editing.apply_label("stool")
    windows.add(window, "stool")
    window.workbench.selection.clear()
    window.workbench.collection.set_labels(
        window.workbench.labels.with_colour("sofa", "#123456").with_digit("sofa", "7")
    )
    window.workbench.save()
    windows.settle()
    return window


def labels_on_disk(folder: Path) -> Counter[str]:
    """How many regions of all truth files carry each label."""
    return Counter(
        region.label
        for path in sorted(folder.rglob("*.xml"))
        for region in page_xml.read(path).regions
    )


def labels_here(window: MainWindow) -> list[str]:
    """Those of the open page's regions."""
    assert window.workbench.document is not None
    return [region.label for region in window.workbench.document]


def panel(window: MainWindow) -> LabelsPanel:
    widget = window.panels["labels"]
    assert isinstance(widget, LabelsPanel)
    return widget


def row(window: MainWindow, label: str) -> QPoint:
    """The middle of a label's row in the panel."""
    labels = panel(window)
    labels.model.reread()
    number = labels.model.row_of(label)
    assert number is not None, label
    index = labels.model.index(number, 0)
    labels.list.scrollTo(index)
    return labels.list.visualRect(index).center()


def choose(window: MainWindow, label: str, action: str) -> None:
    """Click a row with the right button and an action of the menu with the left one."""
    place, clicked = row(window, label), []

    def click() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        wanted = next(each for each in menu.actions() if each.text() == action)
        clicked.append(wanted)
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(wanted).center())

    QTimer.singleShot(0, click)
    panel(window).list.customContextMenuRequested.emit(place)
    assert clicked


def type_name(window: MainWindow, old: str, new: str) -> None:
    """Rename in place: what is typed into the row."""
    choose(window, old, "Rename everywhere…")
    wait(lambda: panel(window).list.findChild(QLineEdit) is not None)
    editor = panel(window).list.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, new)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def question(window: MainWindow) -> QMessageBox:
    """The question that the window waits with."""
    assert background.wait_until(lambda: shown_question(window) is not None, 60)
    box = shown_question(window)
    assert box is not None
    return box


def shown_question(window: MainWindow) -> QMessageBox | None:
    return next((box for box in window.findChildren(QMessageBox) if box.isVisible()), None)


def answer(window: MainWindow, button: str) -> str:
    """Click a button of the question; gives its text."""
    box = question(window)
    text = box.text()
    QTest.mouseClick(button_of(box, button), LEFT)
    return text


def button_of(box: QMessageBox, text: str) -> QAbstractButton:
    return next(each for each in box.buttons() if each.text().replace("&", "") == text)


def over(window: MainWindow, timeout: float = 30) -> None:
    """Let a step come to its end: all pages written, nothing intended."""
    steps = window.workbench.collection_steps
    wait(lambda: not steps.busy and steps.runner.step is None, timeout)
    window.activateWindow()  # a window manager does that when the question goes
    window.canvas.setFocus()
    QApplication.processEvents()


def wait(happened: Callable[[], bool], timeout: float = 30) -> None:
    assert background.wait_until(happened, timeout)


def rename(window: MainWindow, old: str, new: str, button: str = "Rename") -> str:
    """Rename a label by hand and wait for the end; gives the question."""
    type_name(window, old, new)
    text = answer(window, button)
    over(window)
    return text


def undo(window: MainWindow) -> None:
    QTest.keyClick(window.canvas, Qt.Key.Key_Z, CONTROL)
    QApplication.processEvents()


def take_back(window: MainWindow) -> None:
    """Undo a step over all pages and wait for the end."""
    undo(window)
    over(window)


def redo(window: MainWindow) -> None:
    QTest.keyClick(window.canvas, Qt.Key.Key_Z, CONTROL | SHIFT)
    QApplication.processEvents()


def press_on_banner(window: MainWindow, title: str) -> None:
    """Click one of the banner's buttons."""
    buttons = [each for each in window.banner.findChildren(QPushButton) if each.text() == title]
    QTest.mouseClick(buttons[-1], LEFT)
