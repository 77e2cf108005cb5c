"""What a window holds is let go of when it is closed: a program that opens many does not grow."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.inspect.inspecting import write_collection, write_runs


def used_window(settings: Path, pages: Path, run: Path) -> weakref.ref[MainWindow]:
    """A window that was opened, used in all workspaces, and closed."""
    window = windows.open_window(settings, pages)
    windows.add(window)
    for name in window.workspaces:
        window.enter(name)
        windows.settle()
    window.open_paths([run])
    windows.settle()
    gone = weakref.ref(window)
    windows.close(window)
    return gone


def alive(kind: type[QObject]) -> list[QObject]:
    gc.collect()
    return [one for one in gc.get_objects() if issubclass(type(one), kind)]


def test_nothing_is_left_of_closed_windows(qapp: QApplication, tmp_path: Path) -> None:
    gc.unfreeze()
    pages, [run, *_] = write_collection(tmp_path / "pages"), write_runs(tmp_path / "runs")
    used_window(tmp_path / "0", pages, run)  # makes what is made once
    before = set(map(id, alive(QObject)))
    gone = used_window(tmp_path / "1", pages, run)
    left = [type(one).__name__ for one in alive(QObject) if id(one) not in before]
    assert gone() is None
    assert left == []
