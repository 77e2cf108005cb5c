"""Takes note of every exception and every warning of Qt while something is done."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

SERIOUS = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
# what the platform without a screen lacks, which no user's has to lack
OF_THE_PLATFORM = (
    "This plugin does not support",
    "QFont::setPointSize",
    "propagateSizeHints",
)


class Watch:
    """Faults by what was being done when they were seen.

    Attributes
    ----------
    doing : str
        What is being done now.
    faults : list of str
        One text for each that differs, beginning with what was being done when it came first.
    """

    def __init__(self) -> None:
        self.doing = "starting"
        self.faults: list[str] = []
        self._known: set[str] = set()

    def note(self, fault: str) -> None:
        """Something is wrong."""
        if fault not in self._known:  # each is told once, with where it was seen first
            self._known.add(fault)
            self.faults.append(f"{self.doing}: {fault}")

    def note_exception(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        """An exception that nobody has caught."""
        self.note("".join(traceback.format_exception(kind, error, trace)))

    def _note_message(self, kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
        if kind in SERIOUS and not any(known in text for known in OF_THE_PLATFORM):
            self.note(f"Qt says: {text}")

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear of everything while this lasts."""
        hook, unraisable = sys.excepthook, sys.unraisablehook
        handler = qInstallMessageHandler(self._note_message)
        sys.excepthook = self.note_exception
        sys.unraisablehook = lambda it: self.note(f"in a destructor: {it.exc_value!r}")
        try:
            yield
        finally:
            sys.excepthook, sys.unraisablehook = hook, unraisable
            qInstallMessageHandler(handler)

    @contextmanager
    def while_doing(self, what: str) -> Iterator[None]:
        """Whatever goes wrong meanwhile belongs to this; it goes on afterwards."""
        before, self.doing = self.doing, what
        try:
            yield
        except Exception as error:
            self.note_exception(type(error), error, error.__traceback__)
        finally:
            self.doing = before
