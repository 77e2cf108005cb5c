"""What closing the window takes: everything is saved and stopped, and no mishap keeps it open."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtWidgets import QWidget

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background, kept_file
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.window import closing_dialog


Result = TypeVar("Result")


def close(frame: QWidget, canvas: Canvas, remember: Callable[[], object]) -> bool:
    """Save and stop; asks only if something cannot be saved. False if the user wants to stay.

    Parameters
    ----------
    frame : QWidget
        The parent of the question.
    canvas : Canvas
        Shows what is saved.
    remember : callable
        Keeps for the next start where the window and its panels are.
    """
    workbench = canvas.workbench
    for step in (workbench.opening.cancel, remember, canvas.cancel):
        _attempt(step)
    unsafe = _attempt(kept_file.flush_all)
    if unsafe and not closing_dialog.may_lose_work(frame, unsafe[0], ()):
        return False
    closed = _attempt(workbench.close)
    if not closed and not closing_dialog.may_lose_work(
        frame, workbench.autosave.failure, workbench.sessions
    ):
        return False
    for step in (workbench.collection.stop_following, canvas.stop, background.cancel_all):
        _attempt(step)
    return True


def _attempt(step: Callable[[], Result]) -> Result | None:
    try:
        return step()
    except Exception:
        sys.excepthook(*sys.exc_info())
        return None
