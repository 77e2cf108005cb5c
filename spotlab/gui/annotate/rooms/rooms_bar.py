"""A strip over the page while rooms are drawn: the gap that is closed, and all rooms at once."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QLabel,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from spotlab.errors import counted
from spotlab.gui.annotate.rooms.rooms import Rooms, propose_rooms
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Choice, Elided, Flow, Option, in_column
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.rooms.walls import WallKind

_SAID = 60  # px, at least, for the figures
_ROOMY = 640  # px, from which all words are said
_WIDEST_MARGIN = 99  # px
_STEPS = 200  # of the slider
_GAP = rich(
    "<p><b>Gap</b></p><p>Openings at the ends of walls are closed up to this width, in px. "
    "It follows the thickness of the page's walls until you move it; a double click lets it "
    "follow again.</p>"
)
_WIDE = rich(
    "<p><b>Wide openings</b></p><p>Also closes wider openings: where a door or a window is drawn, "
    "and where the space narrows between two rooms.</p>"
)
_MARGIN = rich(
    "<p><b>Margin</b></p><p>Distance of a room's outline from its walls, in px; below 0 it runs "
    "inside the walls, up to their middle. It follows the rooms that you draw or correct until you "
    "set it, and is kept with the collection.</p>"
)
_FIT = "Let the margin follow the rooms that are drawn on this page"
_KIND = rich(
    "<p><b>Walls</b></p><p>How the plan draws its walls: filled, as two lines, or as single "
    "lines.</p>"
)


class RoomsBar(QFrame):
    """Shown with the Room tool; the keys stay with the page."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.rooms = workbench.state(Rooms)
        self.setObjectName("rooms")
        # a small window does not grow because of it, and its height never changes
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAutoFillBackground(True)
        self.setStyleSheet("#rooms { border-bottom: 1px solid palette(mid); }")
        self.title = QLabel("Rooms")
        self.title.setStyleSheet("font-weight: 600")
        self.figures = Elided()
        self.figures.setMinimumWidth(_SAID)
        self.gap = _GapSlider(self.rooms)
        self.width_said = QLabel()
        self.wide = set_up(QCheckBox("Wide openings"), tip=_WIDE)
        self.kind: Choice[WallKind] = Choice(
            Option(kind, f"{kind.capitalize()} walls") for kind in WallKind
        )
        self.kind.setToolTip(_KIND)
        self.kind.setAccessibleName("Walls")
        self.margin = set_up(QSpinBox(), tip=_MARGIN, name="Margin")
        self.margin.setRange(-_WIDEST_MARGIN, _WIDEST_MARGIN)
        self.margin.setSuffix(" px")
        self.fit = set_up(QToolButton(), text="Fit", tip=_FIT)
        self.larger = QToolButton()
        self.larger.setToolTip("Close the opening through which the space that was clicked is open")
        self.all = QToolButton()
        self.all.setText("Propose all rooms")
        self.all.setToolTip("Propose every room of the page as a region (Ctrl+Alt+R)")
        self.all.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for widget in (self.wide, self.fit, self.larger, self.all):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._lay_out()
        self._connect()
        self.all.setIcon(theme.icon("creation"))
        self._follow()

    def _connect(self) -> None:
        rooms, workbench = self.rooms, self.workbench
        self.wide.toggled.connect(lambda on: rooms.set(wide=on))
        self.kind.chosen.connect(lambda kind: rooms.set(kind=kind))
        self.margin.valueChanged.connect(lambda px: rooms.set(margin=px))
        self.fit.clicked.connect(rooms.fit_margin)
        self.larger.clicked.connect(self._use_larger)
        self.all.clicked.connect(lambda: propose_rooms(workbench))
        rooms.changed.connect(self._follow)
        workbench.workspace_changed.connect(self._follow)

    def _use_larger(self) -> None:
        if self.rooms.larger is not None:
            self.rooms.set(gap=self.rooms.larger[0])

    def _follow(self) -> None:
        """Show how things stand."""
        rooms = self.rooms
        self.setVisible(rooms.active and self.workbench.document is not None)
        settings, found = rooms.settings, rooms.map
        self.gap.follow()
        gap = settings.gap
        if gap is None and found is not None:
            gap = found.plan.default_gap
        self.width_said.setText("…" if gap is None else f"{gap:.0f} px")
        for widget, value in ((self.wide, settings.wide), (self.margin, settings.margin)):
            widget.blockSignals(True)
            if isinstance(widget, QSpinBox):
                widget.setValue(int(value))
            else:
                widget.setChecked(bool(value))
            widget.blockSignals(False)
        self.kind.show_value(settings.kind)
        for button in (self.all, self.fit):
            button.setEnabled(self.workbench.document is not None)
        self.larger.setVisible(rooms.larger is not None)
        if rooms.larger is not None:
            self.larger.setText(f"Close up to {rooms.larger[0]:.0f} px")
        self.figures.setText(self._figures())
        self.figures.setToolTip(self.figures.whole())

    def _figures(self) -> str:
        rooms = self.rooms
        if rooms.busy and (rooms.map is None or rooms.map.plan.kind is not rooms.settings.kind):
            return "Finding rooms …"
        if rooms.map is None:
            return "Rooms are found when the page's ink is known"
        count = len(rooms.map.rooms)
        if rooms.larger is not None:
            return f"The space that was clicked is enclosed at a gap of {rooms.larger[0]:.0f} px"
        if not count:
            return "No enclosed space: raise Gap, or choose how the walls are drawn"
        return counted(count, "enclosed space")

    def _lay_out(self) -> None:
        upper, lower = Flow(8, 0), Flow(8, 0)
        for shown in (self.title, self.figures, self.larger, self.all):
            upper.addWidget(shown)
        gap, margin = QLabel("Gap"), QLabel("Margin")
        gap.setToolTip(_GAP)
        margin.setToolTip(_MARGIN)
        for widget in (gap, self.gap, self.width_said, self.wide, self.kind, margin, self.margin):
            lower.addWidget(widget)
        lower.addWidget(self.fit)
        lower.addStretch()
        self.width_said.setFixedWidth(self.width_said.fontMetrics().horizontalAdvance("999 px") + 4)
        in_column(upper, lower, of=self, margins=(12, 5, 8, 5), spacing=2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Name things shortly where there is little room."""
        super().resizeEvent(event)
        wide = event.size().width() >= _ROOMY
        self.wide.setText("Wide openings" if wide else "Wide")
        self.all.setText("Propose all rooms" if wide else "Propose all")


class _GapSlider(QSlider):
    """The gap, from none to the widest of the page; a double click lets it follow the walls."""

    def __init__(self, rooms: Rooms) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._rooms = rooms
        self._widest = 1.0
        self.setRange(0, _STEPS)
        self.setMinimumWidth(60)
        self.setMaximumWidth(200)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Gap")
        self.setToolTip(_GAP)
        self.valueChanged.connect(self._slid)

    def follow(self) -> None:
        """Show the gap that counts."""
        found = self._rooms.map
        self.setEnabled(found is not None)
        if found is None or self.isSliderDown():
            return
        self._widest = found.plan.widest_gap
        gap = self._rooms.settings.gap
        gap = found.plan.default_gap if gap is None else gap
        self.blockSignals(True)
        self.setValue(round(gap / self._widest * _STEPS))
        self.blockSignals(False)

    def _slid(self, value: int) -> None:
        self._rooms.set(gap=float(round(value / _STEPS * self._widest)))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Forget what was chosen."""
        self._rooms.set(gap=None)
