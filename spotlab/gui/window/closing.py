"""What closing the window takes: everything is saved and stopped, and no mishap keeps it open."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from spotlab.gui.kit import background
from spotlab.gui.window.closing_dialog import may_lose_work

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow

if TYPE_CHECKING:
    pass

Result = TypeVar("Result")


def close(window: MainWindow) -> bool:
    """Save and stop; asks only if something cannot be saved. False if the user wants to stay."""
    workbench = window.workbench
    for step in (window.remember, window.canvas.cancel):
        _attempt(step)
    closed = _attempt(workbench.close)
    if not closed and not may_lose_work(window, workbench.autosave.failure, workbench.sessions):
        return False
    for step in (window.canvas.stop, background.cancel_all):
        _attempt(step)
    return True


def _attempt(step: Callable[[], Result]) -> Result | None:
    try:
        return step()
    except Exception:
        sys.excepthook(*sys.exc_info())
        return None
