"""The whole window on small pages, for tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from spotlab.gui.kit import background
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
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
