"""Paper can be dimmed or inverted in the dark theme; pixels, ink and exports stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QListView, QWidget

from spotlab.gui.kit import background, theme
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.dialogs.preferences import PreferencesDialog
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.columns import WordColumns
from spotlab.gui.words.means.save_report import save_sheet
from spotlab.gui.words.state.words import Words
from spotlab.model import Items, Primitive
from tests.gui import windows
from tests.gui.words import listed_words, searching

PAPER, INK = (20, 20), (61, 41)  # px of a page: beside and in the square's edge


@pytest.fixture
def window(lasting: MainWindow, tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    before = str(qapp.property("spotlab_theme") or "light")
    window = windows.begin_anew(lasting, windows.write_pages(tmp_path / "pages"))
    yield window
    window.actions_by_id.trigger("view.paper_plain")
    theme.apply(qapp, before)


@pytest.fixture
def new_window(qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    """For a test that leaves more behind than can be put back."""
    before = str(qapp.property("spotlab_theme") or "light")
    window = windows.open_window(tmp_path, windows.write_pages(tmp_path / "pages"))
    yield window
    window.actions_by_id.trigger("view.paper_plain")
    windows.close(window)
    theme.apply(qapp, before)


def look(window: MainWindow, how: str, colours: str) -> None:
    assert window.actions_by_id.trigger(f"view.theme_{colours}")
    assert window.actions_by_id.trigger(f"view.paper_{how}")
    windows.settle()


def shown(window: MainWindow, x: int, y: int) -> QColor:
    """The colour in which a pixel of the page is seen."""
    picture = window.canvas.grab().toImage()
    place = window.canvas.view.to_view(x + 0.5, y + 0.5)
    return picture.pixelColor(*(int(each * picture.devicePixelRatio()) for each in place))


def brightest(widget: QWidget, part: QRect | None = None) -> int:
    picture = widget.grab(part or widget.rect()).toImage()
    grey = picture.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    return int(np.percentile(rows[:, : grey.width()], 99))


@pytest.mark.parametrize(
    ("how", "colours", "paper", "ink"),
    [
        ("plain", "dark", (255, 255), (0, 20)),
        ("dimmed", "dark", (120, 200), (0, 20)),
        ("inverted", "dark", (10, 50), (200, 240)),
        ("dimmed", "light", (255, 255), (0, 20)),
        ("inverted", "light", (255, 255), (0, 20)),
    ],
)
def test_paper_is_shown_as_chosen(
    window: MainWindow, how: str, colours: str, paper: tuple[int, int], ink: tuple[int, int]
) -> None:
    look(window, how, colours)
    for part, (least, most) in ((PAPER, paper), (INK, ink)):
        assert least <= shown(window, *part).lightness() <= most, part
    window.canvas.zoom_by(0.8)  # painted anew
    window.canvas.view.pan(23, 31)  # the edges that come into sight only
    window.canvas.refresh()
    windows.settle()
    assert paper[0] <= shown(window, *PAPER).lightness() <= paper[1]


def test_it_is_chosen_in_the_preferences_and_kept(new_window: MainWindow, tmp_path: Path) -> None:
    window = new_window
    look(window, "plain", "dark")
    window.show_preferences()
    (dialog,) = (each for each in window.findChildren(PreferencesDialog) if each.isVisible())
    assert dialog.paper.value == "plain"
    dialog.paper.setCurrentIndex(2)
    dialog.paper.activated.emit(2)
    windows.settle()
    assert shown(window, *PAPER).lightness() < 50
    assert window.actions_by_id["view.paper_inverted"].isChecked()
    dialog.close()
    assert window.workbench.settings.flush()
    other = windows.open_window(tmp_path, tmp_path / "pages")
    try:
        assert shown(other, *PAPER).lightness() < 50
    finally:
        windows.close(other)


def test_the_list_of_pages_is_dark_too(window: MainWindow) -> None:
    view = window.panel(PagesPanel).findChild(QListView)
    assert view is not None
    first = QRect(QPoint(2, 2), view.visualRect(view.model().index(0, 0)).size())
    first.setWidth(60)  # the picture
    look(window, "plain", "dark")
    assert brightest(view.viewport(), first) > 240
    look(window, "inverted", "dark")
    assert brightest(view.viewport(), first) < 240


def test_what_is_drawn_and_saved_is_the_same(window: MainWindow, tmp_path: Path) -> None:
    page = tmp_path / "pages" / "page_1.png"
    before = page.read_bytes()
    look(window, "inverted", "dark")
    ink = window.workbench.ink.page
    assert ink is not None
    taken = ink.select([(30, 30), (110, 30), (110, 100), (30, 100)], 0.5)
    outline = np.asarray(taken.outline(Primitive.HULL))
    assert outline.min(axis=0).tolist() == [40, 40]
    windows.add(window)
    window.workbench.save()
    windows.settle()
    assert page.read_bytes() == before
    assert Image.open(page).getpixel(PAPER) == 255


@pytest.mark.slow
def test_word_images_are_dark_too_and_the_sheet_is_not(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = searching.open_letters(tmp_path, monkeypatch, tmp_path / "cache")
    try:
        words = window.workbench.state(Words)
        boxes = np.array([[90.0, 90 + 50 * row, 390, 140 + 50 * row] for row in range(8)])
        items = Items(("letter_001",), np.zeros(8, int), boxes, ("word",) * 8)
        words.add_sources([listed_words.source(items=items)])
        columns = window.findChild(WordColumns)
        assert columns is not None
        bright, sheets = [], []
        for how in ("plain", "inverted"):
            look(window, how, "dark")
            assert background.wait_for_all(60)
            windows.settle()
            picture = columns.viewport().grab().toImage()
            grey = picture.convertToFormat(QImage.Format.Format_Grayscale8)
            bright.append((np.frombuffer(grey.constBits(), np.uint8) > 200).mean())
            save_sheet(window.workbench, tmp_path / f"{how}.png")
            assert background.wait_for_all(60)
            windows.settle()
            with Image.open(tmp_path / f"{how}.png") as image:
                sheets.append(np.asarray(image.convert("L")))
        assert 0 < bright[1] < bright[0] / 3, bright
        assert np.array_equal(*sheets) and sheets[0].mean() > 200
    finally:
        window.actions_by_id.trigger("view.paper_plain")
        windows.close(window)
        theme.apply(qapp, "light")
