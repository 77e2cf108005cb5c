"""The middle of the window: the canvas, and above it what a workspace puts there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from spotlab.gui.kit.known_settings import CENTRE
from spotlab.gui.kit.settings import Settings
from spotlab.gui.workspace.window import Window
from spotlab.gui.workspace.workspace import Workspace
from spotlab.registry import guarded
from spotlab.signal import Signal

LOW, LOW_SHARE = 600, 0.8  # px of height below which what is above has this share at first,
LEAST = 80  # or the height it asks for, if so many px are left of the canvas


class AboveCanvas:
    """What workspaces have above the canvas, made when it is asked for first.

    Attributes
    ----------
    widgets : dict of str to QWidget
        What has been made, by the workspace's name.
    made : Signal
        A workspace's name: its widget has been made.
    """

    def __init__(self, window: Window, workspaces: Mapping[str, Workspace]) -> None:
        self.widgets: dict[str, QWidget] = {}
        self.made = Signal[[str]]()
        self._window = window
        self._wanted = {name: space for name, space in workspaces.items() if space.above}

    def get(self, name: str) -> QWidget | None:
        """What a workspace has; None if that is nothing, or cannot be made."""
        space = self._wanted.pop(name, None)
        if space is not None and space.above is not None:
            widget = guarded(space, partial(space.above, self._window))
            if widget is not None:
                self.widgets[name] = widget
                self.made.emit(name)
        return self.widgets.get(name)

    def __getitem__(self, name: str) -> QWidget:
        widget = self.get(name)
        if widget is None:
            raise KeyError(name)
        return widget


class Centre(QSplitter):
    """Remembers for each workspace how the height is shared.

    Parameters
    ----------
    canvas : QWidget
    above : AboveCanvas
        What workspaces have above the canvas; a workspace without has the canvas alone.
    """

    def __init__(self, canvas: QWidget, above: AboveCanvas, settings: Settings) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._above = above
        self._settings = settings
        self._canvas = canvas
        self._row = QSplitter(Qt.Orientation.Horizontal)
        self._row.setChildrenCollapsible(False)
        self._row.addWidget(canvas)
        self._beside: QWidget | None = None
        self._without: set[str] = set()  # workspaces where the canvas has nothing to show
        self._alone: set[str] = set()  # those where nothing is above it yet
        self._workspace = ""
        self.setChildrenCollapsible(False)
        self.addWidget(self._row)
        above.made.connect(self._place)
        self.splitterMoved.connect(lambda *_: self._remember())

    def enter(self, workspace: str) -> None:
        """Show what this workspace has above the canvas."""
        self._workspace = workspace
        wanted = workspace not in self._alone and self._above.get(workspace) is not None
        for name, widget in self._above.widgets.items():
            widget.setVisible(wanted and name == workspace)
        self._row.setVisible(workspace not in self._without)
        if workspace in self._above.widgets:
            height = max(self.height(), 100)
            share = self._settings.get(CENTRE.of(workspace))
            above = int(height * share)
            if height < LOW and share == CENTRE.default:
                asked = self._above.widgets[workspace].sizeHint().height()
                above = max(int(height * LOW_SHARE), min(asked, height - LEAST))
            self.setSizes(
                [
                    *(above if name == workspace else 0 for name in self._above.widgets),
                    height - above,
                ]
            )

    def want_canvas(self, workspace: str, wanted: bool) -> None:
        """Say whether the canvas has anything to show in this workspace."""
        if wanted == (workspace in self._without):
            self._without ^= {workspace}
            if workspace == self._workspace:
                self.enter(workspace)

    def want_above(self, workspace: str, wanted: bool) -> None:
        """Say whether what a workspace has above the canvas has anything to show."""
        if wanted == (workspace in self._alone):
            self._alone ^= {workspace}
            if workspace == self._workspace:
                self.enter(workspace)

    def show_beside_canvas(self, widget: QWidget | None) -> None:
        """Show this at the right of the canvas, as wide as it; None: the canvas has all room."""
        if self._beside is not None:
            self._beside.hide()
            self._beside.setParent(None)
        self._beside = widget
        if widget is not None:
            self._row.addWidget(widget)
            self._row.setSizes([1_000, 1_000])
            widget.show()

    def _remember(self) -> None:
        if not self._canvas.isVisible():
            return
        sizes = self.sizes()
        shown = sum(sizes)
        if shown and self._workspace in self._above.widgets and self._workspace not in self._alone:
            self._settings.set(CENTRE.of(self._workspace), 1 - sizes[-1] / shown)

    def _place(self, name: str) -> None:
        """Take in what has been made, above the canvas and below what was there before."""
        widget = self._above.widgets[name]
        self.insertWidget(self.count() - 1, widget)
        widget.hide()
