"""Somebody looks for a page: the list, its filter, stepping through it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.panel.page_model import PAGE_ROLE, PageModel
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import PageState
from tests.gui.windows import add, begin_anew, close, open_window, press, settle, write_pages


@pytest.fixture
def window(lasting: MainWindow, tmp_path: Path) -> MainWindow:
    return begin_anew(lasting, write_pages(tmp_path / "pages", 4))


def names(window: MainWindow) -> list[str]:
    model = window.panel(PagesPanel).model
    return [model.data(model.index(row, 0)) for row in range(model.rowCount())]


def test_pages_are_listed_with_what_is_known_of_them(window: MainWindow) -> None:
    assert names(window) == ["page_1", "page_2", "page_3", "page_4"]
    add(window, "sofa")
    settle()
    assert window.panel(PagesPanel).model.remark(0) == "1 region"
    assert window.panel(PagesPanel).model.remark(1) == "untouched"
    first = window.panel(PagesPanel).model.index(0, 0)
    assert "1 × sofa" in first.data(Qt.ItemDataRole.ToolTipRole)
    assert first.data(Qt.ItemDataRole.AccessibleTextRole) == "page_1, 1 region, draft"


def test_the_filter_finds_names_labels_and_states(window: MainWindow) -> None:
    add(window, "coffee table")
    settle()
    QTest.keyClicks(window.panel(PagesPanel).box, "_3")
    window.panel(PagesPanel).apply_filter()
    assert names(window) == ["page_3"]
    window.panel(PagesPanel).box.setText('label:"coffee t"')
    window.panel(PagesPanel).apply_filter()
    assert names(window) == ["page_1"]
    window.panel(PagesPanel).box.clear()
    window.panel(PagesPanel).chips[PageState.UNTOUCHED].click()
    assert names(window) == ["page_2", "page_3", "page_4"]
    count = window.panel(PagesPanel).count
    assert count.toolTip() == "3 of 4" and count.text() in ("3 of 4", "3")  # as there is room


def test_page_keys_step_through_what_the_filter_lets_through(window: MainWindow) -> None:
    window.panel(PagesPanel).box.setText("_2")
    window.panel(PagesPanel).apply_filter()
    window.panel(PagesPanel).box.setText("")
    window.panel(PagesPanel).apply_filter()
    press(window.canvas, Qt.Key.Key_PageDown)
    settle()
    assert window.workbench.index == 1
    window.panel(PagesPanel).box.setText("page_")
    window.panel(PagesPanel).chips[PageState.UNTOUCHED].click()
    press(window.canvas, Qt.Key.Key_PageUp)
    settle()
    assert window.workbench.index == 0
    press(window.canvas, Qt.Key.Key_PageUp)
    assert window.workbench.index == 0


def test_a_click_opens_a_page_and_enter_in_the_filter_the_first(window: MainWindow) -> None:
    row = (
        window.panel(PagesPanel)
        .list.visualRect(window.panel(PagesPanel).model.index(2, 0))
        .center()
    )
    QTest.mouseClick(window.panel(PagesPanel).list.viewport(), Qt.MouseButton.LeftButton, pos=row)
    settle()
    assert window.workbench.index == 2
    window.actions_by_id.trigger("page.filter")
    QTest.keyClicks(window.panel(PagesPanel).box, "_4")
    press(window.panel(PagesPanel).box, Qt.Key.Key_Return)
    settle()
    assert window.workbench.index == 3


def test_next_untouched_passes_over_what_has_been_begun(window: MainWindow) -> None:
    window.workbench.open_page(1)
    settle()
    add(window)
    window.workbench.open_page(0)
    settle()
    assert window.actions_by_id.trigger("page.next_untouched")
    settle()
    assert window.workbench.index == 2


def test_missing_images_and_broken_truth_are_shown_as_such(qapp, tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "pages", 2)
    window = open_window(tmp_path, folder)
    add(window)
    assert window.workbench.close()
    (folder / "page_1.png").unlink()
    (folder / "page_2.xml").write_text("<PcGts><Page imageFilename=", "utf-8")
    window.open_paths([folder])
    settle()
    model = window.panel(PagesPanel).model
    remarks = {
        window.workbench.entries[model.index(row, 0).data(PAGE_ROLE)].name: model.remark(row)
        for row in range(model.rowCount())
    }
    assert remarks == {"page_1": "image missing", "page_2": "the truth file cannot be read"}
    assert window.grab().width() > 0
    close(window)


def test_thumbnails_are_made_only_for_rows_in_sight(qapp, tmp_path: Path) -> None:
    window = open_window(tmp_path, write_pages(tmp_path / "pages", 30), size=(1280, 800))
    settle()
    window.panel(PagesPanel).list.viewport().repaint()
    settle()
    shown = [page for page in range(30) if page_has_picture(window.panel(PagesPanel).model, page)]
    rows = window.panel(PagesPanel).list.viewport().height() // 58 + 2
    assert 3 < len(shown) <= rows
    close(window)


def page_has_picture(model: PageModel, page: int) -> bool:
    return model.thumbnails._kept.get(model.workbench.entries[page]) is not None


def test_pages_without_a_window(qapp, tmp_path: Path) -> None:
    model = PageModel(Workbench(Settings(tmp_path / "settings.json")))
    assert model.rowCount() == 0 and model.row_of(None) is None
