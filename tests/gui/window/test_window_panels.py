"""Panels are closed, brought back and listed where one looks for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QTabBar, QToolButton, QWidget

from spotlab.gui.kit import background
from spotlab.gui.pages.panel.findings import NOTHING, FindingsPanel
from spotlab.gui.systems.partial_truth.partial_truth import PartialTruthPanel
from spotlab.gui.systems.partial_truth.partial_truth_state import PartialTruth
from spotlab.gui.systems.state import Systems
from spotlab.gui.systems.votes.dialog import open_example
from spotlab.gui.window.dialogs.help_viewer import HelpViewer
from spotlab.gui.window.dialogs.preferences import KeysDialog
from spotlab.gui.window.main_window import MainWindow
from tests.gui import gestures, windows
from tests.gui.systems.systems_window import many, use
from tests.gui.windows import add, begin_anew, close, open_window, press, settle, write_pages

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
WORKSPACES = ("annotate", "inspect", "words", "systems")


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> Iterator[MainWindow]:
    window = begin_anew(lasting, write_pages(tmp_path / "pages", 2), size=(1440, 900))
    yield window
    window.workbench.state(Systems).cancel()
    settle()


@pytest.fixture
def new_window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    """For a test that leaves more behind than can be put back."""
    window = open_window(tmp_path, write_pages(tmp_path / "pages", 2), size=(1440, 900))
    yield window
    window.workbench.state(Systems).cancel()
    settle()
    close(window)


def findings(window: MainWindow) -> FindingsPanel:
    panel = window.panels["findings"]
    assert isinstance(panel, FindingsPanel)
    return panel


def cross(window: MainWindow, name: str) -> QToolButton:
    """The button that closes a panel: in its title, or on its tab."""
    places = [window.docks.by_name[name].titleBarWidget(), *window.findChildren(QTabBar)]
    title = f"Close {window.docks.by_name[name].windowTitle()}"
    (button,) = (
        each
        for place in places
        for each in place.findChildren(QToolButton)
        if each.accessibleName() == title and each.isVisible()
    )
    return button


def panels_menu(window: MainWindow) -> QMenu:
    """View → Panels, as it is when it is opened."""
    (view,) = (menu for menu in menus_of(window) if menu.title() == "&View")
    view.aboutToShow.emit()
    (panels,) = (each.menu() for each in view.actions() if each.text() == "Panels")
    assert isinstance(panels, QMenu)
    return panels


def menus_of(window: MainWindow) -> list[QMenu]:
    menus = (action.menu() for action in window.menuBar().actions())
    return [menu for menu in menus if isinstance(menu, QMenu)]


def texts(menu: QMenu) -> list[str]:
    return [each.text().replace("&", "") for each in menu.actions() if each.isVisible()]


def bring_to_front(window: MainWindow, name: str) -> None:
    """Click the tab of a panel."""
    title = window.docks.by_name[name].windowTitle()
    for bar in window.findChildren(QTabBar):
        for tab in range(bar.count()):
            if bar.parent() is window and bar.tabText(tab) == title:
                QTest.mouseClick(bar, LEFT, pos=bar.tabRect(tab).center())
    settle()


def right_click(window: MainWindow, widget: QWidget) -> QMenu:
    """Ask for the menu of what is there; the menu that opens."""
    place = widget.rect().center()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place), Qt.KeyboardModifier(0)
    )
    QApplication.sendEvent(widget, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def test_every_panel_of_a_workspace_is_in_its_menu_and_has_a_cross(window: MainWindow) -> None:
    for name in WORKSPACES:
        window.enter(name)
        settle()
        own = {panel for panel in window.docks.by_name if window.docks.offered(panel)}
        offered = [each for each in panels_menu(window).actions() if each.isVisible()]
        assert {each.objectName().removeprefix("view.") for each in offered} == own
        assert all(each.isEnabled() for each in offered)
        assert len({each.text().replace("&", "") for each in offered}) == len(own)
        for panel in own:
            window.docks.bring(panel)
            settle()
            QTest.mouseClick(cross(window, panel), LEFT)
            assert not window.docks.is_shown(panel), panel
            assert window.actions_by_id.trigger(f"view.{panel}")
            assert window.docks.is_shown(panel)


@pytest.mark.parametrize("workspace", WORKSPACES)
def test_the_right_button_on_the_frame_lists_the_panels_of_this_workspace_once(
    workspace: str, window: MainWindow
) -> None:
    window.enter(workspace)
    if workspace == "systems":
        window.docks.bring("weights")  # by itself, where the others share a place
    settle()
    shown = next(name for name in window.docks.by_name if window.docks.is_shown(name))
    for widget in (window.menuBar(), window.docks.by_name[shown].titleBarWidget()):
        menu = right_click(window, widget)
        assert sorted(texts(menu)) == sorted(texts(panels_menu(window)))
        assert len(set(texts(menu))) == len(texts(menu)) > 1
        menu.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_findings_that_are_not_known_can_be_asked_for_there(
    tmp_path: Path, qapp: QApplication
) -> None:
    window = open_window(tmp_path, write_pages(tmp_path / "pages"), size=(1440, 900))
    add(window, "sofa")
    add(window, "sofa")
    assert window.actions_by_id.trigger("view.findings")
    assert findings(window).head.text() == NOTHING and not findings(window).tree.isVisible()
    QTest.mouseClick(findings(window).check, LEFT)
    settle()
    assert findings(window).tree.topLevelItemCount() == 1
    assert not findings(window).check.isVisible()
    close(window)
    again = open_window(tmp_path, tmp_path / "pages", size=(1440, 900))
    assert again.docks.is_shown("findings")
    assert findings(again).head.text() == NOTHING
    QTest.mouseClick(findings(again).check, LEFT)
    settle()
    assert findings(again).tree.topLevelItemCount() == 1
    again.open_paths([write_pages(tmp_path / "other")])
    settle()
    assert findings(again).head.text() == NOTHING and findings(again).check.isVisible()
    close(again)


@pytest.mark.parametrize("focus", ["search", "tree", "edit", "reset"])
def test_esc_closes_the_keys(focus: str, window: MainWindow) -> None:
    window.show_keys()
    dialog = window.findChild(KeysDialog)
    assert dialog is not None and dialog.isVisible()
    widget = getattr(dialog, focus)
    widget.setFocus()
    press(widget, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_esc_closes_the_help(window: MainWindow) -> None:
    window.show_help("index")
    viewer = window.findChild(HelpViewer)
    assert viewer is not None and viewer.isVisible()
    press(viewer.browser, Qt.Key.Key_Escape)
    assert not viewer.isVisible()


def test_keys_answer_wherever_the_focus_is_while_partial_truth_is_in_sight(
    window: MainWindow,
) -> None:
    windows.press(window.canvas, Qt.Key.Key_4, CONTROL)
    use(window.workbench.state(Systems), many(60, 3))
    truth = window.workbench.state(PartialTruth)
    votes = window.above["systems"]
    votes.setFocus()
    press(votes, Qt.Key.Key_Y)
    assert not truth.said  # nothing is asked while the panel is behind others
    bring_to_front(window, "partial_truth")
    panel = window.panels["partial_truth"]
    assert isinstance(panel, PartialTruthPanel) and panel.isVisible()
    said: list[int] = []
    answers = ((Qt.Key.Key_Y, True), (Qt.Key.Key_N, False), (Qt.Key.Key_U, None))
    for key, relevant in answers:
        assert background.wait_until(lambda: truth.current is not None, 10)
        assert truth.current is not None
        said.append(truth.current.item)
        votes.setFocus()
        press(window.focusWidget() or window, key)
        assert truth.said[said[-1]].relevant is relevant
    assert background.wait_until(lambda: truth.current is not None, 10)
    settle()
    assert truth.current is not None and len(truth.offered) > 1
    later = truth.current.item
    votes.setFocus()
    press(window.focusWidget() or window, Qt.Key.Key_Space)
    assert truth.current.item != later
    assert len(truth.said) == 3


def test_what_space_presses_is_pressed_while_partial_truth_is_in_sight(window: MainWindow) -> None:
    windows.press(window.canvas, Qt.Key.Key_4, CONTROL)
    open_example(window.workbench.state(Systems))
    bring_to_front(window, "partial_truth")
    button = QPushButton("Press", window.above["systems"])
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    button.show()
    button.setFocus()
    press(button, Qt.Key.Key_Space)
    assert pressed == [True] and window.workbench.state(PartialTruth).current is not None


def test_a_letter_that_is_typed_answers_nothing(window: MainWindow) -> None:
    windows.press(window.canvas, Qt.Key.Key_4, CONTROL)
    open_example(window.workbench.state(Systems))
    bring_to_front(window, "partial_truth")
    gestures.click_tab(window.above["systems"], "Votes")  # type: ignore[arg-type]
    field = window.above["systems"].votes.field  # type: ignore[attr-defined]
    field.setFocus()
    QTest.keyClicks(field, "y n u")
    assert field.text() == "y n u" and not window.workbench.state(PartialTruth).said


def test_a_dock_is_where_the_pointer_finds_its_cross(window: MainWindow) -> None:
    button = cross(window, "pages")
    assert button.isVisible()
    corner = button.mapTo(window, QPoint(button.width(), 0))
    dock = window.docks.by_name["pages"]
    assert abs(corner.x() - dock.mapTo(window, QPoint(dock.width(), 0)).x()) < 12


def test_no_panel_has_to_be_scrolled_to_the_side(new_window: MainWindow) -> None:
    window = new_window
    for name in WORKSPACES:
        window.enter(name)
        settle()
    least = {name: window.panels[name].minimumSizeHint().width() for name in window.docks.by_name}
    assert len(least) > 20
    narrow = 270  # px of a side in a window of 1024, in any look
    assert {name for name, width in least.items() if width > narrow} <= {"confusion"}  # lies below
