"""What tests with a window share, wherever they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background, files, theme
from spotlab.gui.window.main_window import MainWindow
from tests.gui import gestures, timers, windows


@pytest.fixture(autouse=True, scope="module")
def _put_away() -> Iterator[None]:
    """Qt styles each widget that a module leaves whenever a later one asks for another theme."""
    yield
    for widget in QApplication.topLevelWidgets():
        if not isValid(widget):  # it went with another one
            continue
        if isinstance(widget, MainWindow):
            if not widget.isVisible():
                windows.close_without_saving(widget)
            windows.close(widget)  # what it does would end after it
        elif widget.parent() is None:
            widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    application = QApplication.instance()
    if isinstance(application, QApplication) and application.styleSheet():
        application.setStyleSheet("")  # a window of a theme takes twice as long to be made


@pytest.fixture(scope="module")
def _lasting() -> Iterator[list[MainWindow]]:
    kept: list[MainWindow] = []
    yield kept
    for window in filter(isValid, kept):
        windows.close_without_saving(window)
        windows.close(window)


@pytest.fixture
def lasting(
    _lasting: list[MainWindow], tmp_path_factory: pytest.TempPathFactory, qapp: QApplication
) -> MainWindow:
    """One window for all tests of a module that begin with `windows.begin_anew`.

    Another one takes its place where a test has closed it.
    """
    if not _lasting or not isValid(_lasting[-1]) or not _lasting[-1].isVisible():
        _lasting.append(windows.open_window(tmp_path_factory.mktemp("lasting")))
    return _lasting[-1]


@pytest.fixture(scope="module")
def lasting_canvas(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication
) -> Iterator[Canvas]:
    """One canvas for all tests of a module that begin with `gestures.begin_page`."""
    canvas = gestures.empty_canvas(tmp_path_factory.mktemp("lasting"))
    yield canvas
    gestures.close(canvas)


@pytest.fixture(autouse=True)
def _saved_nowhere_yet() -> None:
    """Dialogs that save open where one was saved last since the program started."""
    files._saved_in.clear()


@pytest.fixture
def themed(qapp: QApplication) -> None:
    """For tests of sizes: a window is as the user has it."""
    theme.apply(qapp, "light")


@pytest.fixture(autouse=True, scope="session")
def _clipboard_is_emptied() -> Iterator[None]:
    """Without a screen, Qt keeps what was copied until Python, which made it, is gone: a crash."""
    yield
    if QApplication.instance() is not None:
        QApplication.clipboard().clear()


@pytest.fixture(autouse=True, scope="session")
def _no_pauses() -> Iterator[None]:
    """Whoever waits for something to happen does not wait for the pauses before it."""
    patient = background.wait_until

    def wait_until(happened: Callable[[], bool], timeout: float = 30.0) -> bool:
        return patient(partial(_hurried, happened), timeout) or happened()

    def wait_for_all(timeout: float = 30.0) -> bool:
        return patient(lambda: not background._running, timeout)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(background, "wait_until", wait_until)
        patch.setattr(background, "wait_for_all", wait_for_all)
        yield


def _hurried(happened: Callable[[], bool]) -> bool:
    if happened():
        return True
    timers.hurry()
    return False
