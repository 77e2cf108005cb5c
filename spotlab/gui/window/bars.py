"""The bars of the window: the rail of workspaces and tools, and the status line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QSizePolicy,
    QStatusBar,
    QToolBar,
    QToolButton,
    QWidget,
)

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import theme
from spotlab.gui.kit.background import QUICK
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.settings import TOOL_NAMES, Settings
from spotlab.gui.kit.widgets import Elided, in_column
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace import Cancellable, Worker, Workspace, tool_kinds

if TYPE_CHECKING:
    from spotlab.gui.canvas.tool import ToolKind
    from spotlab.gui.window.actions import Actions


SIDE, NAMED_SIDE, BETWEEN = 22, 15, 3  # px of an icon, of one with its name, between icons
SMALL = 0.85  # of the size of other text, for names of tools
BESIDE = 2  # tools in a row where one column is too high
MORE = "More tools"


class Rail(QToolBar):
    """A narrow column of icons, with names below them where there is room for all."""

    def __init__(
        self,
        shown: list[Workspace],
        actions: Actions,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Rail", parent)
        self.setObjectName("rail")
        self.setOrientation(Qt.Orientation.Vertical)
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.column = _Column(
            [actions.on_button(f"workspace.{workspace.name}") for workspace in shown],
            {kind: actions.on_button(f"tool.{kind.name}") for kind in tool_kinds()},
            settings,
        )
        self.addWidget(self.column)

    def offer(self, workspace: str) -> None:
        """Show the tools of this workspace, if there is a choice."""
        self.column.offer(workspace)


class _Column(QWidget):
    """All workspaces and tools, in two columns where one is too high; a menu has what is left."""

    def __init__(
        self, workspaces: list[QAction], tools: dict[ToolKind, QAction], settings: Settings
    ) -> None:
        super().__init__()
        self._settings = settings
        settings.changed.connect(self._follow_setting)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._tools = tools
        self._offered: list[QToolButton] = []
        self._workspaces = [_button(action) for action in workspaces]
        for kind, action in tools.items():
            action.setIconText(kind.caption or kind.title)
        self._buttons = {kind: _button(action) for kind, action in tools.items()}
        for button in self._buttons.values():
            font = button.font()
            font.setPointSizeF(SMALL * font.pointSizeF())
            button.setFont(font)
        self.menu = QMenu(self)
        self.more = set_up(_button(), tip=MORE, name=MORE, menu=self.menu)
        line = QFrame()
        line.setProperty("role", "line")
        column = in_column(of=self, margins=0, spacing=BETWEEN)
        for button in self._workspaces:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            column.addWidget(button)
        column.addWidget(line)
        self._places = QGridLayout()
        self._places.setSpacing(BETWEEN)
        column.addLayout(self._places)
        column.addWidget(self.more)
        column.addStretch()
        self.more.setIcon(theme.icon("dots-horizontal"))

    def offer(self, workspace: str) -> None:
        """Show these tools."""
        for kind, action in self._tools.items():
            action.setVisible(kind.workspace == workspace)
        self._offered = [
            button for kind, button in self._buttons.items() if kind.workspace == workspace
        ]
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """The workspaces, and the menu of the tools."""
        wide = max(button.sizeHint().width() for button in self._workspaces)
        return QSize(wide, self._above() + self.more.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is room for more tools or for fewer."""
        super().resizeEvent(event)
        self._fit()

    def _above(self) -> int:
        """Px of height of what stands above the tools."""
        heights = [button.sizeHint().height() for button in self._workspaces]
        return sum(heights) + (len(heights) + 1) * BETWEEN + 1

    def _follow_setting(self, name: str) -> None:
        if name == TOOL_NAMES.name:
            self._fit()

    def _show_names(self) -> bool:
        """Show the names of the tools; False, and icons alone, if there is no room for all."""
        wanted = self._settings.get(TOOL_NAMES) and len(self._offered) > 1
        for named in (True, False) if wanted else (False,):
            style = Qt.ToolButtonStyle
            for button in self._offered:
                button.setToolButtonStyle(
                    style.ToolButtonTextUnderIcon if named else style.ToolButtonIconOnly
                )
                button.setProperty("role", "named" if named else "")
                button.style().polish(button)
                side = NAMED_SIDE if named else SIDE
                button.setIconSize(QSize(side, side))
            hints = [button.sizeHint() for button in self._offered]
            between = 0 if named else BETWEEN
            self._places.setSpacing(between)
            high = sum(hint.height() + between for hint in hints)
            wide = max((hint.width() for hint in hints), default=0)
            room = self.minimumSizeHint().width(), self.height() - self._above()
            if named and wide <= room[0] and high <= room[1]:
                return True
        return False

    def _fit(self) -> None:
        each = self.more.sizeHint().height() + BETWEEN
        if self._show_names():
            each = 1  # all have room
        places = max(0, (self.height() - self._above() + BETWEEN) // each)
        beside = 1 if len(self._offered) <= places else BESIDE
        fitting = beside * (places if len(self._offered) <= beside * places else max(0, places - 1))
        for button in self._buttons.values():
            self._places.removeWidget(button)
        for at, button in enumerate(self._offered[:fitting]):
            self._places.addWidget(button, at // beside, at % beside)
        shown, others = self._offered[:fitting], self._offered[fitting:]
        for button in self._buttons.values():
            button.setVisible(button in shown)
        self.more.setVisible(bool(others))
        self.menu.clear()
        self.menu.addActions([button.defaultAction() for button in others])


def _button(action: QAction | None = None) -> QToolButton:
    button = QToolButton(autoRaise=True)
    button.setIconSize(QSize(SIDE, SIDE))
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if action is not None:
        button.setDefaultAction(action)
    return button


SAID_FOR = 6000  # ms
POINTER, DOING, BAR = 120, 60, 90  # px, the least of the first two


class StatusLine(QStatusBar):
    """Says at any time what the pointer is over and what the tool does."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self._tools = {kind.name: kind for kind in tool_kinds()}
        self._job: Cancellable | None = None
        self.setSizeGripEnabled(False)
        self.pointer = Elided()
        self.pointer.setMinimumWidth(POINTER)
        self.pointer.setContentsMargins(10, 0, 0, 0)
        self.zoom = set_up(QLabel(), tip="Zoom; at 100 %, one page pixel is one screen pixel")
        self.zoom.setMinimumWidth(60)
        self.zoom.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.hint = Elided()
        self.doing = Elided()
        self.doing.setMinimumWidth(DOING)
        self.doing.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar = QProgressBar()
        self.bar.setFixedWidth(BAR)
        self.bar.setTextVisible(False)
        self.cancel = set_up(QToolButton(), tip="Cancel the running task", does=self._cancel)
        self.hidden = QLabel()
        self.hidden.setContentsMargins(8, 0, 8, 0)
        self.hidden.setToolTip(
            "Hidden and locked regions of the page; Region > Show and Hide shows all of them. "
            "They are in the truth and in all figures"
        )
        self.saved = QLabel()
        self.saved.setContentsMargins(8, 0, 8, 0)
        self.addWidget(self.pointer, 2)
        self.addWidget(self.hint, 5)
        self.addPermanentWidget(self.doing, 1)
        for widget in (self.bar, self.cancel, self.hidden, self.zoom, self.saved):
            self.addPermanentWidget(widget)
        self._said = QTimer(self, singleShot=True)
        self._said.timeout.connect(self._show_hint)
        self._slow = QTimer(self, singleShot=True, interval=QUICK)
        self._slow.timeout.connect(lambda: self._show_progress(True))
        workbench.said.connect(self.say)
        self._entry: object = None
        for signal in (workbench.acted, workbench.history_moved, workbench.tool_changed):
            signal.connect(self.end_said)
        workbench.page_changed.connect(self._end_on_another_page)
        workbench.tool_changed.connect(self._show_hint)
        workbench.page_changed.connect(self._show_hint)
        workbench.progressed.connect(self._progressed)
        workbench.finished.connect(self._finished)
        for signal in (workbench.saved, workbench.history_moved, workbench.page_changed):
            signal.connect(self._show_saved)
        self._visibility = workbench.state(RegionVisibility)
        for signal in (self._visibility.changed, workbench.page_changed, workbench.history_moved,
                       workbench.workspace_changed):  # fmt: skip
            signal.connect(self._show_hidden)
        theme.repainted.changed.connect(self._show_saved)
        self._show_progress(False)
        for show in (self._show_hint, self._show_saved, self._show_hidden):
            show()

    def follow(self, canvas: Canvas) -> None:
        """Say what the pointer is over on the canvas, and how it shows the page."""

        def show_view() -> None:
            view = canvas.view
            turned = f" · {view.angle:.0f}°" if view.angle else ""
            shown = f"{view.scale * view.ratio:.0%}{turned}"
            seen = self.workbench.document is not None and canvas.isVisibleTo(self.window())
            self.zoom.setText(shown if seen else "")

        canvas.pointer_moved.connect(self.pointer.setText)
        canvas.view_changed.connect(show_view)
        self.workbench.workspace_changed.connect(
            lambda: QTimer.singleShot(0, self, show_view), self
        )
        show_view()

    def say(self, text: str, serious: bool = False) -> None:
        """Show a line in place of the hint, for a while or until something else is done.

        Serious ones are the banner's: they stay.
        """
        if serious:
            return
        self.hint.setText(text)
        _set_role(self.hint, "")
        self.hint.setToolTip(text)
        self._said.start(SAID_FOR)

    def end_said(self) -> None:
        """Show the hint again: what was said is about something that is over."""
        if self._said.isActive():
            self._said.stop()
            self._show_hint()

    def _end_on_another_page(self) -> None:
        if self._entry is not self.workbench.entry:  # else it has only been read
            self._entry = self.workbench.entry
            self.end_said()

    def watch(self, job: Cancellable | None) -> None:
        """Let the button cancel this."""
        self._job = job

    def watch_when_busy(self, worker: Worker) -> None:
        """Let the button cancel its work whenever there is some."""

        def watch() -> None:
            if worker.busy:
                self.watch(worker)

        worker.busy_changed.connect(watch, self)

    def _show_hint(self) -> None:
        if self._said.isActive():
            return
        open = self.workbench.document is not None
        tool = self._tools.get(self.workbench.tool) if open else None
        _set_role(self.hint, "quiet")
        self.hint.setText(tool.hint if tool else "")
        self.hint.setToolTip(tool.keys if tool else "")

    def _progressed(self, done: int, total: int | None, doing: str) -> None:
        self.bar.setRange(0, total or 0)
        self.bar.setValue(done)
        self.doing.setText(doing)
        if not self.bar.isVisible() and not self._slow.isActive():
            self._slow.start()

    def _finished(self) -> None:
        self._slow.stop()
        self._job = None
        self._show_progress(False)

    def _show_progress(self, shown: bool) -> None:
        self.doing.setVisible(shown)
        self.bar.setVisible(shown)
        self.cancel.setVisible(shown and self._job is not None)

    def _cancel(self) -> None:
        if self._job:
            self._job.cancel()
            self.say("Cancelled")
        self._finished()

    def _show_hidden(self) -> None:
        visibility, draws = self._visibility, self.workbench.draws
        hidden = visibility.hidden_count() if draws else 0
        locked = visibility.locked_count() if draws else 0
        parts = [f"{hidden:,} hidden"] if hidden else []
        parts += [f"{locked:,} locked"] if locked else []
        self.hidden.setText(" · ".join(parts))
        self.hidden.setVisible(bool(parts))

    def _show_saved(self) -> None:
        autosave = self.workbench.autosave
        self.cancel.setIcon(theme.icon("close-circle-outline"))
        _set_role(self.saved, "serious" if autosave.failure else "")
        self.saved.setToolTip(
            "Every step is written to a journal immediately; the truth file is saved when you pause"
        )
        if autosave.failure:
            self.saved.setText("not saved")
            self.saved.setToolTip(autosave.failure)
        elif autosave.busy:
            self.saved.setText("saving …")
        elif autosave.pending:
            self.saved.setText("in the journal")
        else:
            self.saved.setText("all saved" if self.workbench.document is not None else "")


def _set_role(label: QLabel, role: str) -> None:
    """Let the theme's style sheet colour a text."""
    if label.property("role") != role:
        label.setProperty("role", role)
        label.style().unpolish(label)
        label.style().polish(label)
