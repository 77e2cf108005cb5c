"""Somebody new reads what the tools are called; on a small screen the icons are all there."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton

from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows

pytestmark = pytest.mark.usefixtures("themed")

UNDER = Qt.ToolButtonStyle.ToolButtonTextUnderIcon


def tools(window: MainWindow) -> list[QToolButton]:
    """The buttons of tools that are in sight."""
    buttons = window.rail.findChildren(QToolButton)
    actions = [(button, button.defaultAction()) for button in buttons if button.isVisible()]
    return [button for button, act in actions if act and act.objectName().startswith("tool.")]


def named(window: MainWindow) -> list[str]:
    return [button.text() for button in tools(window) if button.toolButtonStyle() is UNDER]


def test_tools_have_names_where_there_is_room(tmp_path: Path, qapp: QApplication) -> None:
    pages = windows.write_pages(tmp_path / "pages")
    window = windows.open_window(tmp_path, pages, size=(1440, 860))
    assert named(window)[:3] == ["Sketch", "Select", "Convex"] and len(named(window)) >= 15
    assert all(button.sizeHint().width() <= button.width() for button in tools(window))
    window.resize(1024, 660)
    windows.settle()
    assert named(window) == [] and len(tools(window)) >= 15
    window.resize(1440, 860)
    windows.settle()
    assert window.actions_by_id.trigger("view.tool_names")
    windows.settle()
    assert named(window) == []
    windows.close(window)
    again = windows.open_window(tmp_path, pages, size=(1440, 860))
    assert named(again) == []
    assert again.actions_by_id.trigger("view.tool_names")
    windows.settle()
    assert len(named(again)) >= 15
    windows.close(again)
