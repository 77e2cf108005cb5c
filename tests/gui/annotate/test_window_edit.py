"""Menus and keys on regions: undo by name, copy and paste, labels by digit, nudge, merge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Primitive
from tests.gui import gestures, windows

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    return windows.begin_anew(lasting, windows.write_pages(tmp_path / "plans"))


def shown(window: MainWindow, id: str) -> str:
    return window.actions_by_id[id].text().replace("&", "")


def test_the_menu_names_what_undo_takes_back(window: MainWindow) -> None:
    assert shown(window, "edit.undo") == "Undo"
    assert not window.actions_by_id["edit.undo"].isEnabled()
    windows.add(window, "sofa")
    assert shown(window, "edit.undo") == "Undo Draw sofa"
    windows.press(window.canvas, Qt.Key.Key_Z, CONTROL)
    assert shown(window, "edit.redo") == "Redo Draw sofa"
    assert len(window.workbench.document or ()) == 0
    windows.press(window.canvas, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert len(window.workbench.document or ()) == 1


def test_copies_land_on_another_page_at_the_same_place(window: MainWindow) -> None:
    region = windows.add(window, "sofa")
    windows.press(window.canvas, Qt.Key.Key_C, CONTROL)
    windows.press(window.canvas, Qt.Key.Key_PageDown)
    windows.settle()
    assert window.workbench.index == 1
    windows.press(window.canvas, Qt.Key.Key_V, CONTROL)
    [pasted] = window.workbench.document or ()
    assert (pasted.points, pasted.label) == (region.points, "sofa")
    assert pasted.id != region.id
    assert [each.id for each in window.workbench.selected] == [pasted.id]
    assert shown(window, "edit.undo") == "Undo Paste region"


def test_cut_takes_away_and_paste_brings_back(window: MainWindow) -> None:
    region = windows.add(window, "sofa")
    windows.press(window.canvas, Qt.Key.Key_X, CONTROL)
    assert len(window.workbench.document or ()) == 0
    windows.press(window.canvas, Qt.Key.Key_V, CONTROL)
    assert [each.points for each in window.workbench.document or ()] == [region.points]


def test_pasting_something_else_is_said(window: MainWindow) -> None:
    said: list[str] = []
    window.workbench.said.connect(lambda text, serious: said.append(text))
    QApplication.clipboard().setText("no regions")
    windows.press(window.canvas, Qt.Key.Key_V, CONTROL)
    assert said == ["The clipboard holds no regions"]
    assert len(window.workbench.document or ()) == 0


def test_a_digit_labels_the_selection_and_what_is_drawn_next(window: MainWindow) -> None:
    for name in ("sofa", "sink"):
        window.workbench.editing.apply_label(name)
    windows.add(window, "sofa")
    windows.press(window.canvas, Qt.Key.Key_2)
    assert [each.label for each in window.workbench.selected] == ["sink"]
    assert window.workbench.label == "sink"
    assert shown(window, "edit.undo") == "Undo Label sink"


def test_a_letter_finds_a_label_and_makes_a_new_one(window: MainWindow) -> None:
    windows.add(window, "sofa")
    QTest.keyClicks(window.canvas, "b")
    assert window.part(LabelFinder).isVisible()
    assert window.part(LabelFinder).box.text() == "b"
    QTest.keyClicks(window.part(LabelFinder).box, "ed")
    windows.press(window.part(LabelFinder).box, Qt.Key.Key_Return)
    assert not window.part(LabelFinder).isVisible()
    assert [each.label for each in window.workbench.selected] == ["bed"]


def test_arrows_nudge_as_one_step(window: MainWindow) -> None:
    region = windows.add(window)
    for _ in range(3):
        windows.press(window.canvas, Qt.Key.Key_Right)
    windows.press(window.canvas, Qt.Key.Key_Down, SHIFT)
    [moved] = window.workbench.selected
    assert moved.bounds == (43, 50, 103, 100)
    windows.press(window.canvas, Qt.Key.Key_Z, CONTROL)
    assert [each.points for each in window.workbench.document or ()] == [region.points]


def test_merge_needs_two_and_makes_one(window: MainWindow) -> None:
    windows.add(window)
    assert not window.actions_by_id.trigger("region.merge")
    windows.add(window, left=120)
    windows.press(window.canvas, Qt.Key.Key_A, CONTROL)
    assert len(window.workbench.selected) == 2
    assert window.actions_by_id.trigger("region.merge")
    [merged] = window.workbench.document or ()
    assert merged.bounds == (40, 40, 180, 90)


def test_delete_and_escape_on_the_page(window: MainWindow) -> None:
    windows.add(window)
    windows.press(window.canvas, Qt.Key.Key_Escape)
    assert window.workbench.selected == ()
    windows.press(window.canvas, Qt.Key.Key_A, CONTROL)
    windows.press(window.canvas, Qt.Key.Key_Delete)
    assert len(window.workbench.document or ()) == 0


def test_a_gesture_under_way_keeps_its_keys(window: MainWindow) -> None:
    windows.add(window)
    window.workbench.set_tool("sketch")
    stroke = gestures.on_screen(window.canvas, gestures.around(180, 120, 260, 200))
    gestures.drag(window.canvas, stroke, let_go=False)
    assert window.canvas.pointing.gesture is not None
    windows.press(window.canvas, Qt.Key.Key_Z, CONTROL)  # the stroke's, not the page's undo
    assert len(window.workbench.document or ()) == 1
    windows.press(window.canvas, Qt.Key.Key_Escape)
    assert window.canvas.pointing.gesture is None
    assert len(window.workbench.selected) == 1  # Esc was the stroke's, too


def test_keys_of_the_page_are_letters_in_a_field(window: MainWindow) -> None:
    windows.add(window, "sofa")
    box = window.panel(PagesPanel).box
    box.setFocus()
    QTest.keyClicks(box, "b1")
    windows.press(box, Qt.Key.Key_Delete)
    assert box.text() == "b1"
    assert not window.part(LabelFinder).isVisible()
    assert [each.label for each in window.workbench.document or ()] == ["sofa"]


def test_pages_are_marked_as_checked(window: MainWindow) -> None:
    assert window.actions_by_id.trigger("page.check_and_next")
    windows.settle()
    assert window.workbench.index == 1
    assert not window.actions_by_id["page.checked"].isChecked()
    window.workbench.open_page(0)
    windows.settle()
    assert window.actions_by_id["page.checked"].isChecked()


def test_the_context_menu_offers_what_can_be_done(window: MainWindow) -> None:
    windows.add(window)
    with right_clicked(window, (70, 65)) as titles:
        assert {"Label…", "Copy", "Delete", "Duplicate"} <= titles


@contextmanager
def right_clicked(window: MainWindow, place: gestures.Place | None) -> Iterator[set[str]]:
    """What can be done in the menu at a place of the page, or in that of the menu key."""
    canvas = window.canvas
    reason = QContextMenuEvent.Reason.Mouse if place else QContextMenuEvent.Reason.Keyboard
    spot = QPointF(*canvas.view.to_view(*place)).toPoint() if place else canvas.rect().center()
    if place:
        gestures.press(canvas, (spot.x(), spot.y()), Qt.MouseButton.RightButton)
    QApplication.sendEvent(canvas, QContextMenuEvent(reason, spot, canvas.mapToGlobal(spot)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    yield {each.text().replace("&", "") for each in menu.actions() if each.isEnabled()}
    menu.close()
    window.activateWindow()
    QApplication.processEvents()
    if place:
        gestures.release(canvas, (spot.x(), spot.y()), Qt.MouseButton.RightButton)


def test_a_right_click_selects_what_is_under_it(window: MainWindow) -> None:
    first, second = windows.add(window, "sofa"), windows.add(window, "bed", left=160)
    assert window.workbench.selected == (second,)
    with right_clicked(window, (70, 65)) as titles:
        assert window.workbench.selected == (first,) and "Delete" in titles
    windows.press(window.canvas, Qt.Key.Key_A, CONTROL)
    with right_clicked(window, (70, 65)):
        assert len(window.workbench.selected) == 2, "it was selected already"
    inner = window.workbench.editing.add_region(
        [(60, 60), (80, 60), (80, 75), (60, 75)], Primitive.HULL
    )
    window.workbench.selection.set([first.id])
    with right_clicked(window, (70, 65)):
        assert window.workbench.selected == (inner,), "the smallest, as by a click"


def test_a_right_click_on_paper_means_the_page(window: MainWindow) -> None:
    windows.add(window)
    QApplication.clipboard().clear()
    with right_clicked(window, (250, 40)) as titles:
        assert window.workbench.selected == ()
        assert not {"Paste", "Delete", "Copy", "Duplicate"} & titles
        assert {"Select All", "Undo Draw sofa"} <= titles
    windows.press(window.canvas, Qt.Key.Key_A, CONTROL)
    windows.press(window.canvas, Qt.Key.Key_C, CONTROL)
    with right_clicked(window, (250, 40)) as titles:
        assert "Paste" in titles


@pytest.mark.parametrize("workspace", ["inspect", "words"])
def test_other_workspaces_offer_nothing_that_edits(window: MainWindow, workspace: str) -> None:
    windows.add(window)
    window.enter(workspace)
    with right_clicked(window, (70, 65)) as titles:
        assert titles and not {"Delete", "Duplicate", "Select All", "Paste"} & titles
    assert len(window.workbench.selected) == 1


def test_the_menu_key_means_what_is_selected(window: MainWindow) -> None:
    windows.add(window)
    with right_clicked(window, None) as titles:
        assert len(window.workbench.selected) == 1 and "Delete" in titles
    windows.press(window.canvas, Qt.Key.Key_F10, SHIFT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    x, y = window.canvas.view.to_view(70, 65)
    place = window.canvas.mapFromGlobal(menu.pos())
    assert (place.x(), place.y()) == pytest.approx((x, y), abs=3)
    menu.close()


def test_a_right_click_in_the_middle_of_a_polygon_leaves_it(window: MainWindow) -> None:
    windows.add(window)
    window.workbench.set_tool("polygon")
    for place in gestures.on_screen(window.canvas, [(200, 40), (220, 40)]):
        gestures.click(window.canvas, place)
    spot = QPointF(*window.canvas.view.to_view(70, 65)).toPoint()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, QPoint())
    QApplication.sendEvent(window.canvas, event)
    assert QApplication.activePopupWidget() is None
    assert window.canvas.pointing.gesture is not None
