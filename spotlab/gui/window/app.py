"""Starts the window, and sees to it that nothing that happens to the program loses work."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Thread
from types import TracebackType

import PySide6
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

import spotlab
from spotlab import interruption
from spotlab.confined.client import start_ahead
from spotlab.errors import SpotlabError
from spotlab.gui.kit import background, theme
from spotlab.gui.kit.settings import FAST_OFFERED, STARTED, THEME, Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.window.panels import LateWorkspaces
from spotlab.gui.workspace import Workspace
from spotlab.libraries import late_imports, load_ahead
from spotlab.processes import share_one_heap
from spotlab.representation import visible
from spotlab.resources import icon_file, own_sample

with late_imports(__name__):
    from spotlab.diagnosis import machine
    from spotlab.geometry.compiled import machine_code
    from spotlab.gui.inspect.state import inspection

ENDING = 2.0  # s that work may still take after the window has closed, which has waited for it
LIBRARIES_AFTER = 300  # ms from the first idle, so that the window is there first


FASTER = (
    "Areas are computed about ten times faster, and words searched twice as fast, after "
    "pip install 'spotlab[fast]'"
)


def run(paths: Sequence[Path], demo: bool = False, author: str = "") -> int:
    """Open the window on these paths and stay until it is closed; gives the exit code.

    ``author`` is who draws; the name that the settings know where it is empty.
    """
    Thread(target=start_ahead, daemon=True).start()  # the first page need not wait for it
    app = application()
    settings = Settings()
    theme.apply(app, settings.get(THEME))
    workbench = Workbench(settings)
    workbench.author.use(author)
    window = MainWindow(workbench)
    compile_beside(window.late, workbench)
    with catching(window), ending(window.close):
        window.show()
        QTimer.singleShot(0, load_libraries_soon)
        first = first_paths(paths, settings, workbench)
        if not first:
            window.session.reopen()
        elif demo or not window.session.go_on(first):
            window.open_paths(first)
        code = app.exec()
    if not background.cancel_all(ENDING):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # something hangs, such as a call to a network drive that has gone
    return code


def load_libraries_soon() -> None:
    """Import what work on a page needs before anybody has to wait for it."""
    QTimer.singleShot(LIBRARIES_AFTER, lambda: background.run(load_ahead))


def compile_beside(spaces: LateWorkspaces, workbench: Workbench) -> None:
    """Compile what tallies runs once somebody has opened one, in another process.

    The first figures do not wait for that: they are computed without. Where numba is not
    installed, that is said once.
    """

    def follow(space: Workspace) -> None:
        if space.name == "inspect":
            disconnect.append(workbench.state(inspection.Inspection).runs.changed.connect(start))

    def start() -> None:
        if workbench.state(inspection.Inspection).runs:
            disconnect.pop()()
            if machine_code.is_installed():
                background.run(machine_code.COVERAGE.compile_ahead)
            elif not workbench.settings.get(FAST_OFFERED):
                workbench.settings.set(FAST_OFFERED, True)
                workbench.said.emit(FASTER, False)

    disconnect: list[Callable[[], None]] = []
    spaces.made.connect(follow)


def application() -> QApplication:
    """The one application, made on the first call."""
    app = QApplication.instance()
    if isinstance(app, QApplication):
        return app
    share_one_heap()
    app = QApplication(sys.argv[:1])
    for merged in (
        Qt.ApplicationAttribute.AA_CompressHighFrequencyEvents,
        Qt.ApplicationAttribute.AA_CompressTabletEvents,
    ):
        app.setAttribute(merged, False)  # which X11 turns on: points of strokes would be lost
    app.setApplicationName("spotlab")
    app.setApplicationDisplayName("spotlab")
    app.setDesktopFileName("spotlab")  # Wayland takes the icon from there
    if icon := icon_file():
        app.setWindowIcon(QIcon(str(icon)))
    return app


def first_paths(paths: Sequence[Path], settings: Settings, workbench: Workbench) -> list[Path]:
    """Return what to open: the paths, and the sample where there are none and nobody was here
    before.
    """
    first = not settings.get(STARTED)
    settings.set(STARTED, True)
    if paths or not first:
        return list(paths)
    try:
        return [own_sample()]
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
        return []


@contextlib.contextmanager
def catching(window: MainWindow) -> Iterator[None]:
    """An exception that nobody expected is shown with its details, and all is saved."""
    before = sys.excepthook

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not isinstance(error, Exception):
            before(kind, error, trace)
            return
        details = "".join([*traceback.format_exception(kind, error, trace), "\n", environment()])
        print(visible(details, kept="\n"), file=sys.stderr)
        with contextlib.suppress(Exception):  # this may be what went wrong
            window.workbench.autosave.now()
        line = " ".join(str(error).split())[:200].rstrip(".") or kind.__name__
        window.banner.show_error(
            f"Something went wrong in spotlab: {line}. Your work is kept; you can go on.", details
        )

    sys.excepthook = show
    try:
        yield
    finally:
        sys.excepthook = before


@contextlib.contextmanager
def ending(close: Callable[[], object]) -> Iterator[None]:
    """SIGINT and SIGTERM close the window as a click would.

    They are heard of in another thread, which Qt may call from while it waits for hours.
    """
    bell = _Bell()
    bell.rang.connect(close, Qt.ConnectionType.QueuedConnection)
    with interruption.listening(bell.rang.emit):
        yield


class _Bell(QObject):
    """Rings on the window's thread."""

    rang = Signal()


def environment() -> str:
    """Versions, for a report of what went wrong."""
    return (
        f"spotlab {spotlab.__version__} ({machine.build()}), Python {platform.python_version()}, "
        f"PySide6 {PySide6.__version__}, "
        f"{platform.platform()}"
    )
