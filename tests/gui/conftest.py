"""What the tests of the window share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication


@pytest.fixture(autouse=True, scope="module")
def _put_away() -> Iterator[None]:
    """Qt styles each widget that a module leaves whenever a later one asks for another theme."""
    yield
    for widget in QApplication.topLevelWidgets():
        if widget.parent() is None:
            widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
