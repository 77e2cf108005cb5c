"""Names and texts of strangers' files are shown letter by letter: no markup of theirs is obeyed."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QMessageBox,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from spotlab.formats.collection.label_file import write_labels
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.text import Rich, plain, rich
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Label, LabelSet
from tests.gui.inspect.inspecting import calm
from tests.gui.windows import close, open_window, settle
from tests.judging_files import box, points, write_run, write_truth

# as an attribute and as an element, at the start, where Qt looks for markup, and behind it
NASTY = '<img src="owned.png"><h1>owned</h1>\x1b[2J\u202e'
SHOWN = r'<img src="owned.png"><h1>owned</h1>\u001b[2J\u202e'


def collection(folder: Path) -> Path:
    """Labels, a page, comments, texts, a run and votes with such names."""
    folder.mkdir()
    name = "<b>page<b>"
    regions = [
        box(NASTY, 0, 0, 40, 40),
        replace(box("<h1>", 50, 50, 90, 90), comment=NASTY, text=NASTY),
    ]
    write_truth(folder, name, *regions)
    labels = (Label(NASTY, "#102030", "1", NASTY), Label("<h1>", "#405060", "2", "<h1>owned"))
    write_labels(folder, LabelSet(labels))
    quoted = '"' + NASTY.replace('"', '""') + '"'
    write_run(folder / "<i>run<i>.csv", (quoted, name, 0.5, points(0, 0, 40, 40)),
              ("<h1>", name, 0.4, points(50, 50, 80, 90)))  # fmt: skip
    (folder / "votes.csv").write_text(
        f"item,{quoted},<h1>two,three\n{quoted},1,0,1\n<h1>y,0,1,1\nz,1,1,0\n"
    )
    return folder


def labels_of(window: QWidget) -> Iterator[QLabel]:
    yield from window.findChildren(QLabel)


def tips_of(window: QWidget) -> Iterator[tuple[str, str]]:
    """Every tooltip of a widget, of an action and of a model's cells and heads."""
    for widget in window.findChildren(QWidget):
        yield type(widget).__name__, widget.toolTip()
        for action in widget.actions():
            yield "action", action.toolTip()
    for view in window.findChildren(QAbstractItemView):
        model = view.model()
        if model is None or isinstance(view, QHeaderView):
            continue
        for index in cells(model):
            yield type(model).__name__, str(index.data(Qt.ItemDataRole.ToolTipRole) or "")
        for side, count in ((Qt.Orientation.Horizontal, columns(model)),
                            (Qt.Orientation.Vertical, model.rowCount())):  # fmt: skip
            for section in range(min(count, 50)):
                tip = model.headerData(section, side, Qt.ItemDataRole.ToolTipRole)
                yield f"{type(model).__name__} head", str(tip or "")


def columns(model: QAbstractItemModel, parent: QModelIndex | None = None) -> int:
    if isinstance(model, QAbstractListModel):
        return 1
    return model.columnCount(parent or QModelIndex())


def cells(model: QAbstractItemModel, parent: QModelIndex | None = None) -> Iterator[QModelIndex]:
    parent = parent or QModelIndex()
    for row in range(min(model.rowCount(parent), 50)):
        for column in range(columns(model, parent)):
            index = model.index(row, column, parent)
            yield index
        yield from cells(model, model.index(row, 0, parent))


def said_by(text: str) -> str:
    """What Qt shows of a text of which it guesses whether it is HTML."""
    if not GuiQt.mightBeRichText(text):
        return text
    document = QTextDocument()
    document.setHtml(text)
    assert "<img" not in text or "data:image" in text, text
    assert "<h1" not in text, text
    return document.toPlainText()


def check_window(window: MainWindow) -> int:
    """How many of the window's texts hold what is nasty; it is shown in all of them."""
    count = 0
    for label in labels_of(window):
        text = label.text()
        if label.textFormat() is Qt.TextFormat.RichText:
            text = said_by(text)
        else:
            plainly = label.textFormat() is Qt.TextFormat.PlainText
            assert plainly or not GuiQt.mightBeRichText(text), text
        assert "\x1b" not in text and "\u202e" not in text
        assert "<p>" not in text and "&lt;" not in text, text  # markup of ours as text
        count += "owned" in text
    for what, tip in tips_of(window):
        said = said_by(tip)
        assert "\x1b" not in said and "\u202e" not in said, (what, tip)
        assert "<p>" not in said and "&lt;" not in said, (what, tip)
        count += "owned" in said
    return count


def test_what_is_plain_and_what_is_rich(qtbot: QtBot) -> None:
    assert plain("a < b") == "a < b" and plain("<3") == "<3"
    assert html.unescape(plain("<h1>x").partition(">")[2]) == "<h1>x</p>"
    assert plain(rich("<b>x\x07</b>")) == r"<b>x\u0007</b>" and isinstance(rich("x"), Rich)
    label = QLabel("<h1>x")
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText and label.text() == "<h1>x"
    label.setText(rich("<b>x</b>"))
    assert label.textFormat() is Qt.TextFormat.RichText
    label.setText(NASTY)
    assert label.textFormat() is Qt.TextFormat.PlainText and label.text() == SHOWN
    label.setToolTip(NASTY)
    assert said_by(label.toolTip()) == SHOWN
    box = QMessageBox(QMessageBox.Icon.Warning, "spotlab", NASTY)
    qtbot.addWidget(box)
    box.setInformativeText(NASTY)
    assert said_by(box.text()) == said_by(box.informativeText()) == SHOWN
    label.show()
    QToolTip.showText(label.mapToGlobal(label.rect().center()), NASTY, label)
    assert said_by(QToolTip.text()) == SHOWN
    QToolTip.hideText()


@pytest.mark.parametrize("space", ["annotate", "inspect", "words", "systems"])
def test_a_stranger_s_collection_in_each_workspace(
    space: str, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = collection(tmp_path / "plans")
    window = open_window(tmp_path, folder)
    window.enter(space)
    settle()
    if space == "annotate":
        workbench = window.workbench
        workbench.selection.set([region.id for region in workbench.document or ()])
    if space == "inspect":
        window.workbench.state(Inspection).runs.open([folder / "<i>run<i>.csv"])
        calm()
    if space == "systems":
        window.workbench.state(Systems).open([folder / "votes.csv"])
        settle()
    window.workbench.said.emit(NASTY, True)
    window.banner.show_error(NASTY, NASTY)
    settle()
    try:
        assert check_window(window) > 3
    finally:
        close(window)
