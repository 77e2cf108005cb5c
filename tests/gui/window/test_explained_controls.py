"""Somebody wonders what a control of Words or Systems means: it says so where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QRadioButton,
    QScrollBar,
    QWidget,
)

from spotlab.gui.systems.centre import SystemsCentre
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.panels.word_settings import WordSettingsPanel
from spotlab.gui.words.state.words import Words
from spotlab.resources import VOTES, sample_collection
from spotlab.spotting.words.word_index import WordQuery
from tests.gui import windows
from tests.gui.words.searching import calm, open_letters

PANELS = {
    "words": ("word_queries", "scores", "word_settings", "word_matrix", "word_means"),
    "systems": ("weights", "ranking", "agreement", "partial_truth"),
}
SYMBOLS = re.compile(r"[τρκφδΣ⊤⊥]")
NUMBERS = (QAbstractSlider, QAbstractSpinBox, QComboBox, QCheckBox, QRadioButton)


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    """The sample letters, one word searched, and the sample contest."""
    folder = tmp_path_factory.mktemp("explained")
    with pytest.MonkeyPatch.context() as patch:
        window = open_letters(folder, patch, folder / "cache", (1440, 900))
        words = window.workbench.state(Words)
        words.searching.search(WordQuery(text="ordered"))
        calm(words)
        window.workbench.state(Systems).open([sample_collection(VOTES) / "contest.csv"])
        windows.settle()
        yield window
        windows.close(window)


def explanation(widget: QWidget) -> str:
    return QTextDocumentFragment.fromHtml(widget.toolTip()).toPlainText()


def shown(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, (QLabel, QAbstractButton)) else ""
    return QTextDocumentFragment.fromHtml(text).toPlainText()


def unexplained(inside: QWidget) -> list[str]:
    """The controls, and short texts with symbols, that say no more than three words."""
    found = []
    for widget in inside.findChildren(QWidget):
        if not widget.isVisible() or type(widget) in (QScrollBar, QAbstractButton):
            continue
        symbol = SYMBOLS.search(shown(widget)) if isinstance(widget, QLabel) else None
        button = isinstance(widget, QAbstractButton) and len(shown(widget).split()) < 2
        terse = len(explanation(widget).split()) <= 3 and len(shown(widget).split()) < 8
        if terse and (isinstance(widget, NUMBERS) or symbol or button):
            found.append(f"{type(widget).__name__} {shown(widget)!r} {explanation(widget)!r}")
    for form in inside.findChildren(QFormLayout):
        for row in range(form.rowCount()):
            item = form.itemAt(row, QFormLayout.ItemRole.LabelRole)
            label = item.widget() if item is not None else None
            if label is not None and label.isVisible() and not explanation(label):
                found.append(f"label {shown(label)!r}")
    return found


@pytest.mark.parametrize("name", [name for names in PANELS.values() for name in names])
def test_every_control_of_a_panel_is_explained(window: MainWindow, name: str) -> None:
    window.enter(next(space for space, names in PANELS.items() if name in names))
    window.docks.bring(name)
    windows.settle()
    assert window.docks.by_name[name].isVisible()
    assert unexplained(window.docks.by_name[name].widget()) == []


@pytest.mark.parametrize("page", range(3))
def test_every_control_of_the_tables_of_systems_is_explained(window: MainWindow, page: int) -> None:
    window.enter("systems")
    centre = window.findChild(SystemsCentre)
    centre.setCurrentIndex(page)
    windows.settle()
    assert unexplained(centre) == []


def test_numbers_of_the_ranking_say_what_larger_and_smaller_mean(window: MainWindow) -> None:
    panel = window.panel(WordSettingsPanel)
    for name, row in {**panel.rows, **panel.searched}.items():
        said = explanation(row.slider)
        assert "Larger:" in said and "Smaller:" in said, name
        assert explanation(row.label) == explanation(row.field) == said
