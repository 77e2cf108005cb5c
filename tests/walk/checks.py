"""What has to hold after every deed: where things lie, what fits the screen, what is saved."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractScrollArea, QDockWidget, QTabBar, QWidget

from spotlab.formats.truth import page_xml
from spotlab.gui.window.main_window import MainWindow
from tests.walk.deeds import name_of
from tests.walk.watch import Watch


def check_places(window: MainWindow, size: tuple[int, int], watch: Watch) -> None:
    """Nothing that is seen lies outside the window, but for what can be scrolled to."""
    whole = window.rect()
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.isWindow() or _scrolled(widget):
            continue
        if widget.objectName() == "qt_qmainwindow_extended_splitter":
            continue  # Qt places it over the edge by itself
        if widget.visibleRegion().isEmpty() and _behind_a_tab(window, widget):
            continue
        place = QRect(widget.mapTo(window, QPoint()), widget.size())
        if not whole.contains(place) and not place.isEmpty():
            watch.note(f"{name_of(widget)} lies at {place.getRect()}, outside the window")
    least = window.minimumSizeHint()
    width, height = size
    if least.width() > width or least.height() > height:
        watch.note(f"the window needs {least.width()}×{least.height()}")


def check_fits(window: MainWindow, opened: QWidget, watch: Watch) -> None:
    """What has opened over the window lies within its screen."""
    screen = window.screen().availableGeometry()
    if not screen.contains(opened.frameGeometry()):
        where = opened.frameGeometry().getRect()
        watch.note(f"{type(opened).__name__} {opened.windowTitle()!r} at {where} leaves the screen")


def check_saved(window: MainWindow, watch: Watch) -> None:
    """What is drawn is what the truth file holds once it is saved."""
    workbench = window.workbench
    if not workbench.autosave.finish():
        watch.note(f"not saved: {workbench.autosave.failure}")
    for session in workbench.sessions:
        if session.path.exists():
            there = page_xml.parse(session.path.read_bytes(), session.path).regions
            if [(each.label, each.points) for each in there] != [
                (each.label, each.points) for each in session.document
            ]:
                watch.note(f"{session.path.name} holds something else")


def _behind_a_tab(window: MainWindow, widget: QWidget) -> bool:
    """Whether it is in a panel, or the tabs of panels, that another one lies over now."""
    dock: QWidget | None = widget
    while dock is not None and not isinstance(dock, QDockWidget | QTabBar):
        dock = dock.parentWidget()
    tabbed = isinstance(dock, QDockWidget) and window.tabifiedDockWidgets(dock)
    return isinstance(dock, QTabBar) or bool(tabbed)


def _scrolled(widget: QWidget) -> bool:
    """Whether the widget lies in something that scrolls, which may take it out of sight."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent.parentWidget(), QAbstractScrollArea):
            return True
        parent = parent.parentWidget()
    return False
