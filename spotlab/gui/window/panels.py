"""All panels of the window: the page list and the findings, and those of the workspaces."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.gui.pages.panel.findings import FindingsPanel
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.workspace.window import Window
from spotlab.gui.workspace.workspace import Panel, Workspace, outside_panels
from spotlab.registry import guarded

Widget = TypeVar("Widget", bound=QWidget)


def validate(window: Window) -> None:
    """Look through the truth of all pages."""
    window.docks.bring("findings")
    panel = window.panel(FindingsPanel)
    panel.run()
    window.status.watch(panel.task)


def filter_pages(window: Window) -> None:
    """Let the user filter the page list."""
    window.docks.bring("pages")
    box = window.panel(PagesPanel).box
    box.setFocus()
    box.selectAll()


def _findings(window: Window) -> FindingsPanel:
    show = window.canvas.show_selected
    return FindingsPanel(window.workbench, lambda: validate(window), show)


PANELS = (
    Panel(
        "pages",
        "Pages",
        Qt.DockWidgetArea.LeftDockWidgetArea,
        lambda window: PagesPanel(window.workbench),
        250,
        menu_title="&Pages",
        tip="The pages of the collection",
    ),
    Panel(
        "findings",
        "Findings",
        Qt.DockWidgetArea.BottomDockWidgetArea,
        _findings,
        200,
        shown=False,
        menu_title="F&indings",
        tip="Mistakes and doubtful regions found by the check of all pages",
    ),
)


class PanelWidgets:
    """The panels that a window has, and their widgets.

    A workspace with a panel that cannot be made is left out, and so is another package's panel.

    Attributes
    ----------
    by_workspace : dict of str to list of Panel
        The window's own panels are those of "".
    widgets : dict of str to QWidget
        By the panel's name.
    """

    def __init__(self, window: Window, spaces: Iterable[Workspace]) -> None:
        self.widgets: dict[str, QWidget] = {}
        self.by_workspace: dict[str, list[Panel]] = {"": list(PANELS)}
        self._make("", window)
        for space in spaces:
            self.by_workspace[space.name] = list(space.panels)
            if guarded(space, partial(self._make, space.name, window)) is None:
                del self.by_workspace[space.name]
        for panel in outside_panels(frozenset(self.widgets)):
            widget = guarded(panel, partial(panel.make, window))
            if widget is not None and panel.workspace in self.by_workspace:
                self.widgets[panel.name] = widget
                self.by_workspace[panel.workspace].append(panel)

    @property
    def every(self) -> list[Panel]:
        """All panels."""
        return [panel for panels in self.by_workspace.values() for panel in panels]

    @property
    def workspaces(self) -> list[str]:
        """The names of the workspaces whose panels could be made."""
        return [name for name in self.by_workspace if name]

    def of(self, kind: type[Widget]) -> Widget:
        """Return the panel of this class."""
        return next(widget for widget in self.widgets.values() if isinstance(widget, kind))

    def __getitem__(self, name: str) -> QWidget:
        return self.widgets[name]

    def _make(self, workspace: str, window: Window) -> bool:
        made = {panel.name: panel.make(window) for panel in self.by_workspace[workspace]}
        self.widgets |= made
        return True
