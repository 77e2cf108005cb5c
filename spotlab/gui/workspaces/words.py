"""Words: search written words, and judge, re-rank and purge the lists of what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from spotlab.gui.panels.word_queries import WordQueriesPanel
from spotlab.gui.word_in_sight import WordInSight
from spotlab.gui.workspaces.base import Panel, Workspace

if TYPE_CHECKING:
    from spotlab.gui.main_window import MainWindow

_Area = Qt.DockWidgetArea


def _panels(window: MainWindow) -> list[Panel]:
    workbench = window.workbench
    left = _Area.LeftDockWidgetArea
    WordInSight(workbench, window.canvas.show_place, window)
    return [Panel("word_queries", "Search", left, WordQueriesPanel(workbench), 280)]


WORKSPACE = Workspace(
    "words",
    "Words",
    "format-list-checks",
    "Search written words; judge, re-rank and purge what was found",
    3,
    _panels,
    shares=("pages",),
)
