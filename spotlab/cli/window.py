"""Opens the window, or says what the system lacks for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from spotlab.diagnosis.system_libraries import install_line, missing_packages
from spotlab.errors import SpotlabError

MODULES = ("PySide6", "pyqtgraph", "qtawesome")


def open_window(paths: Sequence[Path], demo: bool = False, author: str = "") -> None:
    """Open the window on these paths and stay until it is closed.

    ``author`` is who draws; the name that the window knows where it is empty.

    Raises
    ------
    SpotlabError
        Something that the window needs is not installed, or there is no display.
    """
    require_qt(display=os.environ.get("QT_QPA_PLATFORM", "xcb") in ("xcb", "wayland"))
    from spotlab.gui.window.app import run  # noqa: PLC0415

    code = run(list(paths), demo, author)
    if code:
        sys.exit(code)


def require_qt(display: bool) -> None:
    """Raise a `SpotlabError` that says what to install for drawing, or for a window on a display.

    Qt itself would end the process with a riddle.
    """
    lacking = [name for name in MODULES if find_spec(name) is None]
    if lacking:
        raise SpotlabError(
            f"the window needs {', '.join(lacking)}: python -m pip install 'spotlab[gui]'"
        )
    packages = missing_packages(display)
    if packages:
        raise SpotlabError(f"the window needs system libraries: {install_line(packages)}")
    if display and sys.platform.startswith("linux"):
        if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            raise SpotlabError("there is no display; spotlab demo --headless works without one")
