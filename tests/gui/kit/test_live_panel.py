"""Panels that are brought up to date while they are in sight."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QTabBar

from spotlab.gui.kit import background
from spotlab.gui.kit.panel import LivePanel
from spotlab.signal import Signal


class Counting(LivePanel):
    """Counts how often it is drawn, painted in the theme, and told of a step."""

    def __init__(self, *, delay: int = 0, settle: bool = False) -> None:
        super().__init__(delay=delay, settle=settle)
        self.drawn = self.painted = self.steps = 0
        self.empty = False
        self.changed, self.stepped = Signal[[]](), Signal[[int]]()
        self.redraw_on(self.changed)
        self.follow(self.stepped, self._step)

    def draw(self) -> None:
        self.drawn += 1

    def is_empty(self) -> bool:
        return self.empty

    def paint_in_theme(self) -> None:
        self.painted += 1

    def _step(self) -> None:
        self.steps += 1


def test_several_changes_are_drawn_once(qapp: QApplication) -> None:
    panel = Counting()
    panel.show()
    assert panel.drawn == 1 and not panel.outdated
    for _ in range(3):
        panel.changed.emit()
    assert panel.drawn == 1 and panel.outdated
    assert background.wait_until(lambda: panel.drawn == 2)
    assert not panel.outdated
    panel.close()


def test_a_hidden_panel_is_drawn_when_it_is_shown(qapp: QApplication) -> None:
    panel = Counting()
    panel.changed.emit()
    panel.stepped.emit(1)
    panel.refresh()
    assert (panel.drawn, panel.steps) == (0, 0) and panel.outdated
    panel.show()
    panel.stepped.emit(2)
    assert (panel.drawn, panel.steps) == (1, 1)
    panel.close()


def test_a_panel_behind_others_waits_until_its_tab_is_clicked(qapp: QApplication) -> None:
    window = QMainWindow()
    window.resize(500, 400)
    panels = [Counting(), Counting()]
    for number, panel in enumerate(panels):
        dock = QDockWidget(f"panel {number}", window)
        dock.setWidget(panel)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    first, second = window.findChildren(QDockWidget)
    window.tabifyDockWidget(first, second)
    first.raise_()
    window.show()
    assert QTest.qWaitForWindowExposed(window)
    before, behind = panels
    assert behind.isVisible()  # says Qt
    drawn, steps = behind.drawn, behind.steps
    for panel in panels:
        panel.changed.emit()
        panel.stepped.emit(1)
    assert background.wait_until(lambda: not before.outdated)
    qapp.processEvents()
    assert (behind.drawn, behind.steps) == (drawn, steps) and behind.outdated
    [bar] = [each for each in window.findChildren(QTabBar) if each.count() == 2]
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
    assert background.wait_until(lambda: not behind.outdated)
    assert behind.drawn == drawn + 1
    window.close()


def test_one_with_nothing_to_show_lets_go_of_it_out_of_sight(qapp: QApplication) -> None:
    panel = Counting()
    panel.changed.emit()
    assert background.wait_until(lambda: not panel._timer.isActive())
    assert panel.drawn == 0
    panel.empty = True
    panel.changed.emit()
    assert background.wait_until(lambda: panel.drawn == 1)


def test_one_that_settles_waits_for_the_last_change(qapp: QApplication) -> None:
    panel = Counting(delay=60_000, settle=True)
    panel.show()
    panel.changed.emit()
    panel._timer.setInterval(0)
    assert panel.drawn == 1
    panel.changed.emit()  # starts the time again
    assert background.wait_until(lambda: panel.drawn == 2)
    panel.close()


def test_another_palette_is_painted_and_drawn(qapp: QApplication) -> None:
    panel = Counting()
    panel.show()
    palette = QPalette(panel.palette())
    palette.setColor(QPalette.ColorRole.Window, "#123456")
    panel.setPalette(palette)
    assert panel.painted == 1
    assert background.wait_until(lambda: panel.drawn == 2)
    panel.close()


def test_a_panel_that_is_gone_hears_nothing(qapp: QApplication) -> None:
    changed = Signal[[]]()
    panel = LivePanel()
    panel.redraw_on(changed)
    panel.follow(changed, lambda: None)
    panel.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    changed.emit()
