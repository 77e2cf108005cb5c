"""What was drawn is being found: from letting go of the pen until the region is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtGui import QPainter

from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.kit import background
from spotlab.gui.kit.task import Task

Result = TypeVar("Result")

_FRAME = 0.012  # s: what is found within is seen in the next frame, without one of the stroke
_LONGEST = 60.0  # s that a key waits for what is being found


class Landing(Gesture):
    """Finds something in a thread and does something with it; the window goes on meanwhile.

    A press or a key that comes before waits, so that a digit labels what was drawn.

    Parameters
    ----------
    drawn : Gesture
        What was drawn; it is painted until the result is there.
    find : callable
        Plain work on frozen values; its last argument is the progress to report to.
    *arguments : object
        Its other arguments.
    then : callable
        Called with the result, if the document is still the same.
    """

    def __init__(
        self,
        drawn: Gesture,
        find: Callable[..., Result],
        *arguments: object,
        then: Callable[[Result], object],
    ) -> None:
        super().__init__(drawn.surface)
        self._drawn, self._then = drawn, then
        self._document = drawn.surface.workbench.document
        self._finding = Task(urgent=True)
        self._finding.start(find, *arguments, done=self._arrived, failed=self._failed)
        self._finding.wait(_FRAME)

    def release(self, pointer: Pointer) -> None:
        """It goes on."""

    def settle(self) -> None:
        """Wait until it is there; the page is painted meanwhile, further input waits."""
        background.wait_for(lambda: not self._finding.busy, _LONGEST)

    def cancel(self) -> None:
        """What was drawn is drawn, unless the page is another."""
        if self.surface.workbench.document is self._document:
            self.settle()
        self._finding.cancel()
        super().cancel()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """What was drawn."""
        self._drawn.paint(painter, view)

    def _arrived(self, result: Any) -> None:
        self.over = True
        if self.surface.workbench.document is self._document:
            self._then(result)
        self.surface.refresh()

    def _failed(self, error: Exception) -> None:
        self.over = True
        self.surface.refresh()
        raise error
