"""The middle of the window: the canvas, and above it what a workspace puts there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSplitter, QToolButton, QVBoxLayout, QWidget

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.files import KnownPaths
from spotlab.gui.kit.settings import CENTRE, RECENT, Settings
from spotlab.gui.kit.widgets import Flow, in_column
from spotlab.gui.workspace import Window, Workspace
from spotlab.registry import guarded
from spotlab.signal import Signal

FOLLOWED = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)
OF_STRIPS = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent, QEvent.Type.LayoutRequest)
LEFT = Qt.MouseButton.LeftButton


class OverCanvas(QWidget):
    """A stack of strips, each shown and hidden by itself.

    The canvas keeps its size and the page its place, whatever appears; the view is told how much is
    covered, so that what is brought into sight is not brought behind a strip. The strips give way
    to a stroke that is drawn where they are. Where the canvas is hidden, there is no page that
    could move: the strips then stand above the rest of the parent.
    """

    def __init__(self, canvas: Canvas, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._strips: tuple[QWidget, ...] = ()
        self._placing = False
        self._around = parent
        self._column = layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        canvas.installEventFilter(self)
        parent.installEventFilter(self)
        self.place()

    def add(self, strip: QWidget) -> None:
        """Lay a strip below those that are there."""
        self._strips = (*self._strips, strip)
        self._column.addWidget(strip)
        strip.installEventFilter(self)
        self.place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the canvas and the strips; give way to a pen."""
        kind = event.type()
        if kind in (FOLLOWED if watched not in self._strips else OF_STRIPS):
            self.place()
        elif watched is self._canvas and isinstance(event, QMouseEvent):
            self._give_way(event)
        return super().eventFilter(watched, event)

    def place(self) -> None:
        """Lie over the top of the canvas, or above everything where there is no canvas."""
        if self._placing:
            return
        self._placing = True
        parent, canvas = self._around, self._canvas
        over = canvas.isVisibleTo(parent)
        width = canvas.width() if over else parent.width()
        self._column.invalidate()
        shown = any(not strip.isHidden() for strip in self._strips)
        height = self._column.totalHeightForWidth(width) if shown else 0
        if shown and height < 0:  # no strip's height depends on its width
            height = self._column.totalMinimumSize().height()
        canvas.cover(height if over else 0)
        around = parent.layout()
        if around is not None:
            around.setContentsMargins(0, 0 if over else height, 0, 0)
            around.activate()
        corner = canvas.mapTo(parent, QPoint(0, 0)) if over else QPoint(0, 0)
        width = canvas.width() if over else parent.width()  # laid out only now, perhaps
        self.setGeometry(corner.x(), corner.y(), width, height)
        self.setVisible(shown)
        self.raise_()
        self._placing = False

    def _give_way(self, event: QMouseEvent) -> None:
        """Show what is under the strips while a stroke is drawn there."""
        drawing = bool(event.buttons() & LEFT) and self._canvas.pointing.gesture is not None
        place = self._canvas.mapTo(self._around, event.position().toPoint())
        under = drawing and self.geometry().contains(place)
        shown = any(not strip.isHidden() for strip in self._strips)
        if self.isHidden() is not (under or not shown):
            self.setVisible(shown and not under)


KEPT = 10


class Recent:
    """Folders and files that were opened; those that are gone are not offered.

    ``changed`` is emitted when others are offered.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known = KnownPaths()
        self.changed = Signal[[]]()
        self._known.changed.connect(self.changed.emit)
        self.look()

    @property
    def paths(self) -> list[Path]:
        """Paths that can be opened again, the last one first."""
        return [path for path in self._kept if self._known.is_there(path)]

    def look(self) -> None:
        """See which paths are there now; the file system may take its time."""
        self._known.look(self._kept)

    def note(self, opened: Sequence[Path]) -> None:
        """Remember that this has been opened: a folder, or the folder of several files."""
        if not opened:
            return
        path = opened[0].absolute()
        if len(opened) > 1:
            path = path.parent
        kept = [path, *(other for other in self._kept if other != path)]
        self._settings.set(RECENT, [str(path) for path in kept[:KEPT]])
        self.look()
        self.changed.emit()

    @property
    def _kept(self) -> list[Path]:
        return [Path(path) for path in self._settings.get(RECENT)[:KEPT]]


SHOWN = 5
LONGEST = 420  # px of a path


class Welcome(QWidget):
    """Offers to open a folder, the sample, or what was open before."""

    def __init__(
        self,
        ask: Callable[[], object],
        sample: Callable[[], object],
        open_path: Callable[[Path], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._open_path = open_path
        self.mark = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        title = QLabel("Annotate your pages", alignment=Qt.AlignmentFlag.AlignCenter)
        title.setProperty("role", "title")
        text = QLabel(
            "Open a folder of images, or drop one here.\nYour work is saved automatically as PAGE "
            "XML beside each image.",
            alignment=Qt.AlignmentFlag.AlignCenter,
        )
        text.setProperty("role", "quiet")
        for label in (title, text):
            label.setWordWrap(True)
        self.folder_button = set_up(QPushButton("Open a folder…"), does=lambda _: ask())
        self.folder_button.setProperty("prominent", True)
        self.sample_button = QPushButton("Open the sample collection")
        self.sample_button.setToolTip("Your own copy of sample pages with truth, to try spotlab")
        self.sample_button.clicked.connect(lambda _: sample())
        buttons = Flow(10, 8, centred=True)
        for button in (self.folder_button, self.sample_button):
            button.setMinimumHeight(34)
            button.setIconSize(QSize(18, 18))
            buttons.addWidget(button)
        self.recent = QVBoxLayout()
        self.recent.setSpacing(2)
        layout = in_column(of=self, spacing=14)
        layout.addStretch(2)
        for widget in (self.mark, title, text):
            layout.addWidget(widget)
        layout.addSpacing(6)
        layout.addLayout(buttons)
        layout.addSpacing(10)
        layout.addLayout(self.recent)
        layout.addStretch(3)
        theme.repainted.changed.connect(self._paint)
        self._paint()

    def show_recent(self, paths: list[Path]) -> None:
        """Offer these as well."""
        while (item := self.recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget:
                widget.deleteLater()
        for path in paths[:SHOWN]:
            button = QToolButton()
            text = f"{path.name}    {_short(path.parent)}"
            side = Qt.TextElideMode.ElideMiddle
            button.setText(button.fontMetrics().elidedText(text, side, LONGEST))
            button.setToolTip(str(path))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setIcon(theme.icon("history"))
            button.clicked.connect(lambda _=False, path=path: self._open_path(path))
            self.recent.addWidget(button, alignment=Qt.AlignmentFlag.AlignHCenter)

    def _paint(self) -> None:
        self.mark.setPixmap(theme.pixmap("vector-polygon", 64, "#56B4E9"))
        self.folder_button.setIcon(theme.icon("folder-open-outline", "#ffffff"))
        self.sample_button.setIcon(theme.icon("home-floor-1"))


def _short(path: Path) -> str:
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


LOW, LOW_SHARE = 600, 0.8  # px of height below which what is above has this share at first,
LEAST = 80  # or the height it asks for, if so many px are left of the canvas


class AboveCanvas:
    """Widgets of workspaces above the canvas, created when first requested.

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
        """Return what a workspace has; None if that is nothing, or cannot be made."""
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
        self._row = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
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
