"""Starts the window, and sees to it that nothing that happens to the program loses work."""

from __future__ import annotations

import contextlib
import platform
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType

import PySide6
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from spotlab import interruption
from spotlab.errors import SpotlabError
from spotlab.geometry.machine_code import COVERAGE
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background, theme
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.main_window import MainWindow
from spotlab.imaging.memory import limit_kept_memory
from spotlab.resources import own_sample

STARTED = "started"  # the setting that says that this is not the first start


def run(paths: Sequence[Path], demo: bool = False, author: str = "") -> int:
    """Open the window on these paths and stay until it is closed; gives the exit code.

    ``author`` is who draws; the name that the settings know where it is empty.
    """
    app = application()
    settings = Settings()
    theme.apply(app, chosen_theme(settings))
    workbench = Workbench(settings)
    workbench.author.use(author)
    window = MainWindow(workbench)
    compile_beside(workbench)
    with catching(window), ending(window.close):
        window.show()
        first = first_paths(paths, settings, workbench)
        if not first:
            window.session.reopen()
        elif demo or not window.session.go_on(first):
            window.open_paths(first)
        code = app.exec()
    background.cancel_all()
    return code


def compile_beside(workbench: Workbench) -> None:
    """Compile what tallies runs once somebody has opened one, in another process.

    The first figures do not wait for that: they are computed without.
    """

    def start() -> None:
        if workbench.state(Inspection).runs:
            disconnect()
            background.run(COVERAGE.compile_ahead)

    disconnect = workbench.state(Inspection).runs.changed.connect(start)


def application() -> QApplication:
    """The one application, made on the first call."""
    app = QApplication.instance()
    if isinstance(app, QApplication):
        return app
    limit_kept_memory()
    app = QApplication(sys.argv[:1])
    app.setApplicationName("spotlab")
    app.setApplicationDisplayName("spotlab")
    app.setDesktopFileName("spotlab")
    return app


def chosen_theme(settings: Settings) -> str:
    """What the user has chosen; a name that is none counts as not chosen."""
    name = settings.get("theme", "system")
    return name if name in theme.THEMES else "system"


def first_paths(paths: Sequence[Path], settings: Settings, workbench: Workbench) -> list[Path]:
    """What to open: the paths, and the sample where there are none and nobody was here before."""
    first = not settings.get(STARTED, False)
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
        print(details, file=sys.stderr)
        with contextlib.suppress(Exception):  # this may be what went wrong
            window.workbench.autosave.now()
        line = " ".join(str(error).split())[:200].rstrip(".") or kind.__name__
        window.banner.show_error(
            f"Something went wrong in spotlab: {line}. Your work is kept; you can go on.",
            details,
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
    try:
        own = version("spotlab")
    except PackageNotFoundError:
        own = "?"
    return (
        f"spotlab {own}, Python {platform.python_version()}, PySide6 {PySide6.__version__}, "
        f"{platform.platform()}"
    )
