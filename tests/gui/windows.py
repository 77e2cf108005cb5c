"""The whole window on small pages, for tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from spotlab.gui.kit import background
from spotlab.gui.kit.settings import INK_SHARE, KNOWN, PANELS, PRIMITIVE, Settings
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.docking.docks import CLASSES
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Primitive, Region

SQUARE = ((40, 40), (100, 40), (100, 90), (40, 90))
NO_KEYS = Qt.KeyboardModifier.NoModifier


def write_pages(folder: Path, count: int = 2) -> Path:
    """White pages of 320 × 240 px with two black symbols each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, count + 1):
        image = Image.new("L", (320, 240), 255)
        draw = ImageDraw.Draw(image)
        draw.rectangle((40, 40, 99, 89), outline=0, width=3)
        draw.ellipse((180, 120, 259, 199), outline=0, width=3)
        image.save(folder / f"page_{number}.png")
    return folder


def open_window(
    settings: Path, *paths: Path, size: tuple[int, int] | None = (1100, 760)
) -> MainWindow:
    """A window as the user sees it, on these paths or on none."""
    window = MainWindow(Workbench(Settings(settings / "settings.json")))
    window.show()
    if size:
        window.resize(*size)  # whatever the screen is like
    QTest.qWaitForWindowExposed(window)
    if paths:
        window.open_paths(list(paths))
        settle()
    window.activateWindow()
    window.canvas.setFocus()
    QApplication.processEvents()
    return window


def begin_anew(window: MainWindow, *paths: Path, size: tuple[int, int] = (1100, 760)) -> MainWindow:
    """Bring a window back to how it is at first, as its user can, and open these paths."""
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    for dialog in window.findChildren(QDialog):
        dialog.close()
    window.canvas.cancel()
    if not window.workbench.close():
        close_without_saving(window)
    put_settings_back(window.workbench)
    window.resize(*size)
    window.enter("annotate")
    _put_filter_back(window)
    for tool in ("select", "sketch"):
        window.workbench.set_tool(tool)
    window.workbench.editing.apply_label("")
    window.open_paths(list(paths))
    for name in window.workspaces:
        for width in CLASSES:  # they are arranged anew when they are entered
            of = f"{name}.{width}".removesuffix(".")
            window.workbench.settings.set(PANELS.of(of), "")
    window.docks.reset()
    while window.banner.isVisible():
        window.banner.dismiss()
    settle()
    window.activateWindow()
    window.canvas.setFocus()
    QApplication.processEvents()
    return window


def put_settings_back(workbench: Workbench) -> None:
    """Choose what is chosen at first."""
    for setting in KNOWN:
        if not setting.name.endswith("."):  # a family
            workbench.settings.set(setting, setting.default)
    workbench.ink.set_view("raw")
    workbench.ink.set_share(INK_SHARE.default)
    workbench.ink.set_primitive(PRIMITIVE.default)


def _put_filter_back(window: MainWindow) -> None:
    pages = window.panel(PagesPanel)
    pages.box.clear()
    for chip in pages.chips.values():
        chip.setChecked(False)
    pages.apply_filter()
    window.workbench.shown.set_only(False)


def settle() -> None:
    """Let everything that is under way end."""
    assert background.wait_for_all(30)
    for _ in range(3):
        QApplication.processEvents()


def close(window: MainWindow) -> None:
    """Close it and let go of all; nothing is asked."""
    if not window.workbench.close():
        close_without_saving(window)
    window.close()
    background.wait_for_all()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def close_without_saving(window: MainWindow) -> None:
    """Let go of the files as if nothing had been drawn."""
    for session in window.workbench.sessions:
        window.workbench.autosave.forget(session)
        session.discard()
        session.close()
    window.workbench._sessions.clear()


def add(window: MainWindow, label: str = "sofa", left: int = 40, top: int = 40) -> Region:
    """Draw a box of 60 × 50 px."""
    points = np.array(SQUARE) - 40 + (left, top)
    window.workbench.editing.label = label
    region = window.workbench.editing.add_region(points, Primitive.BOX)
    assert region is not None
    QApplication.processEvents()
    return region


def press(widget: QWidget, key: Qt.Key, held: Qt.KeyboardModifier = NO_KEYS) -> None:
    """Press and release a key, shortcuts included."""
    QTest.keyClick(widget, key, held)
    QApplication.processEvents()
