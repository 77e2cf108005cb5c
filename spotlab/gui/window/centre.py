"""The middle of the window: the canvas, and above it what a workspace puts there."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from spotlab.gui.kit.settings import Settings

SIZES = "window.centre."  # and the workspace's name: the setting with the heights
SHARE = 0.62  # of the height, for what is above the canvas


class Centre(QSplitter):
    """Remembers for each workspace how the height is shared.

    Parameters
    ----------
    canvas : QWidget
    above : mapping of str to QWidget
        By the workspace's name; a workspace without has the canvas alone.
    """

    def __init__(self, canvas: QWidget, above: Mapping[str, QWidget], settings: Settings) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._above = dict(above)
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
        for widget in self._above.values():
            self.addWidget(widget)
            widget.hide()
        self.addWidget(self._row)
        self.splitterMoved.connect(lambda *_: self._remember())

    def enter(self, workspace: str) -> None:
        """Show what this workspace has above the canvas."""
        self._workspace = workspace
        for name, widget in self._above.items():
            widget.setVisible(name == workspace and name not in self._alone)
        self._row.setVisible(workspace not in self._without)
        if workspace in self._above:
            height = max(self.height(), 100)
            share = self._settings.get(SIZES + workspace, SHARE)
            above = int(height * (share if isinstance(share, float) else SHARE))
            self.setSizes(
                [above if name == workspace else 0 for name in self._above] + [height - above]
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
        if shown and self._workspace in self._above and self._workspace not in self._alone:
            self._settings.set(SIZES + self._workspace, 1 - sizes[-1] / shown)
