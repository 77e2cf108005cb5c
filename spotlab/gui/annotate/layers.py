"""Layers over the page while truth is drawn: first steps, hidden regions, reading order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QToolButton

from spotlab.errors import counted
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.tools.drawing import point_out
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tool import Layer, Pointer
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.kit import background, theme
from spotlab.gui.kit.settings import FIRST_STEPS, READING_ORDER
from spotlab.gui.kit.theme import DARK, LIGHT, is_dark
from spotlab.gui.kit.widgets import in_column, in_row
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace import Window
from spotlab.libraries import late_imports
from spotlab.model import Region
from spotlab.progress import Progress, silent
from spotlab.resources import LEFT_OUT, finished_page
from spotlab.signal import Signal

_CORNER = 14  # screen px from the canvas' corner


class HiddenLayer(Layer):
    """A button in the lower left corner while regions of the page are hidden."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._workbench = canvas.workbench
        self._visibility = visibility = canvas.workbench.state(RegionVisibility)
        self.button = QPushButton(canvas)
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.button.setToolTip("Show all regions; hidden ones are in the truth and in all figures")
        self.button.setAccessibleName("Show all regions")
        self.button.clicked.connect(visibility.show_all)
        self.button.hide()
        self._connections = [
            visibility.changed.connect(self.follow),
            canvas.workbench.document_changed.connect(lambda _: self.follow()),
        ]

    def follow(self) -> None:
        """Say how many are hidden now."""
        hidden = self._visibility.hidden_count() if self._workbench.draws else 0
        self.button.setVisible(hidden > 0)
        if hidden:
            self.button.setText(f"{counted(hidden, 'region')} hidden · Show All")
            self.place()

    def place(self) -> None:
        """Stay in the corner."""
        self.button.adjustSize()
        self.button.move(_CORNER, self._canvas.height() - self.button.height() - _CORNER)

    def stop(self) -> None:
        """Listen no longer."""
        for disconnect in self._connections:
            disconnect()


class PickingLayer(Layer):
    """Paints nothing; selects what a menu is about while regions may be drawn."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def point_out(self, pointer: Pointer) -> bool:
        """Select the smallest region or proposal there."""
        if not self._canvas.workbench.draws:
            return False
        point_out(self._canvas, pointer)
        return True


with late_imports(__name__):
    from spotlab.editing import operations
    from spotlab.formats.truth import page_xml
    from spotlab.geometry import rings

TITLES = (f"Draw around a {LEFT_OUT}", "Label it", "Find the others")
SAME = 0.5  # IoU of bounding boxes from which a region is the one that was left out
RING = 9  # screen px between a chair and the ring around it


class FirstSteps:
    """Progress on the unfinished page, judged by its regions alone.

    Attributes
    ----------
    changed : Signal
        Emitted when the regions of the page change, and when the steps begin or end.
    begun : Signal
        Emitted when the page with something to do is there.
    places : tuple of Region
        The regions that the page lacked at first; empty while there is nothing to do.
    done : tuple of bool
        By step.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.changed, self.begun = Signal[[]](), Signal[[]]()
        self.places: tuple[Region, ...] = ()
        self.done = (False,) * len(TITLES)
        self._workbench = workbench
        workbench.page_changed.connect(self._begin)
        workbench.history_moved.connect(self._look)
        self._begin()

    @property
    def active(self) -> bool:
        """Tell whether there is something to do on the open page."""
        return bool(self.places)

    @property
    def finished(self) -> bool:
        """Tell whether all steps are done."""
        return all(self.done)

    @property
    def step(self) -> int:
        """The number of the first step that is not done; of the last one if all are."""
        return len(TITLES) - 1 if self.finished else self.done.index(False)

    @property
    def around(self) -> tuple[float, float, float, float]:
        """Return what to look at while the steps are done: (left, top, right, bottom) in px."""
        left, top, right, bottom = operations.bounds_of(self.places)
        side = max(right - left, bottom - top)
        return left - side, top - side, right + side, bottom + side

    @property
    def too_wide(self) -> bool:
        """Tell whether a region was drawn around a place and takes much more than belongs there."""
        document = self._workbench.document
        regions = document.regions if document is not None else ()
        return any(
            _holds(region, place) and _overlap(place, region) < SAME
            for place in self.places
            for region in regions
        )

    @property
    def target(self) -> Region | None:
        """The region to draw first; None if one is drawn."""
        return self.places[0] if self.places and not self.done[0] else None

    def dismiss(self) -> None:
        """Never offer the steps again."""
        self._workbench.settings.set(FIRST_STEPS, False)
        self._end()

    def _begin(self) -> None:
        """Find out what the page lacks, if it is the unfinished one."""
        entry = self._workbench.entry
        self._end()
        if entry is not None and self._workbench.settings.get(FIRST_STEPS):
            take = partial(self._take, entry.truth_path)
            background.run(_left_out, entry.truth_path, done=take, failed=lambda _: None)

    def _take(self, truth_file: Path, places: tuple[Region, ...]) -> None:
        entry = self._workbench.entry
        if places and entry is not None and entry.truth_path == truth_file:
            self.places = places
            self.done = self._state()
            if self.finished:  # a copy from before there were steps
                self._end()
                return
            self.changed.emit()
            self.begun.emit()

    def _look(self) -> None:
        if not self.places:
            return
        self.done = self._state()
        if self.finished:  # the next page ends it, for good
            self._workbench.settings.set(FIRST_STEPS, False)
        self.changed.emit()

    def _state(self) -> tuple[bool, ...]:
        document = self._workbench.document
        regions = document.regions if document is not None else ()
        drawn = [_labels_at(place, regions) for place in self.places]
        labelled = [LEFT_OUT in labels for labels in drawn]
        return any(drawn), any(labelled), all(labelled)

    def _end(self) -> None:
        self.places = ()
        self.done = (False,) * len(TITLES)
        self.changed.emit()


def _left_out(truth_file: Path, _: Progress = silent) -> tuple[Region, ...]:
    """The regions that a page lacked at first; none unless it is the unfinished one."""
    complete = finished_page(truth_file)
    regions = page_xml.read(complete).regions if complete else ()
    return tuple(region for region in regions if region.label == LEFT_OUT)


def _labels_at(place: Region, regions: Sequence[Region]) -> set[str]:
    """The labels of the regions that lie where one was left out."""
    return {region.label for region in regions if _overlap(place, region) >= SAME}


def _overlap(first: Region, second: Region) -> float:
    """Intersection over union of the bounding boxes."""
    return float(rings.box_ious([first.bounds], [second.bounds])[0, 0])


def _holds(region: Region, place: Region) -> bool:
    """Tell whether all of a place lies within the bounding box of a region."""
    a, b = region.bounds, place.bounds
    return a[0] <= b[0] and a[1] <= b[1] and b[2] <= a[2] and b[3] <= a[3]


class FirstStepsStrip(QFrame):
    """Names the three steps over the page, ticks what is done, and says how to do the next one."""

    def __init__(self, window: Window) -> None:
        super().__init__()
        self._window = window
        self.steps = window.workbench.state(FirstSteps)
        self._proposals = window.workbench.state(Proposals)
        self.setProperty("role", "strip")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.marks = tuple(QLabel() for _ in TITLES)
        self.titles = tuple(QLabel(title) for title in TITLES)
        self.how = QLabel(wordWrap=True)
        self.close_button = QToolButton()
        self.close_button.setToolTip("Do not show these steps again")
        self.close_button.setAccessibleName("Dismiss the first steps")
        self.close_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.close_button.clicked.connect(self.steps.dismiss)
        row = in_row(spacing=6)
        for mark, title in zip(self.marks, self.titles, strict=True):
            row.addWidget(mark)
            row.addWidget(title)
            row.addSpacing(12)
        row.addStretch()
        row.addWidget(self.close_button)
        in_column(row, self.how, of=self, margins=(12, 5, 6, 6), spacing=2)
        workbench = window.workbench
        self.steps.changed.connect(self._follow)
        self.steps.begun.connect(self._show_place)
        self._proposals.changed.connect(self._follow)
        workbench.workspace_changed.connect(self._follow)
        workbench.labels_changed.connect(self._follow)
        theme.repainted.changed.connect(self._follow)
        self._follow()

    def _follow(self, *_: object) -> None:
        steps = self.steps
        shown = steps.active and self._window.workbench.draws
        self.setVisible(shown)
        if not shown:
            return
        colours = DARK if is_dark(self.palette()) else LIGHT
        for number, (mark, title) in enumerate(zip(self.marks, self.titles, strict=True)):
            done = steps.done[number]
            current = number == steps.step and not done
            name = "check-circle" if done else f"numeric-{number + 1}-circle-outline"
            colour = "#009E73" if done else colours.accent if current else colours.quiet
            mark.setPixmap(theme.pixmap(name, 18, colour))
            font = title.font()
            font.setBold(current)
            title.setFont(font)
            title.setAccessibleName(f"{title.text()}, {'done' if done else 'to do'}")
        self.how.setText(self._how())
        # the bar of proposals has buttons for what is to be done
        self.how.setVisible(steps.finished or not self._proposals.active)
        self.close_button.setIcon(theme.icon("close"))

    def _show_place(self) -> None:
        """Bring what is to be drawn near, unless the user has chosen what to look at."""
        canvas = self._window.canvas
        if canvas.view.fitted and self._window.workbench.draws:
            canvas.gliding.zoom(self.steps.around)

    def _how(self) -> str:
        """Tell how the current step is done, with the keys as they are now."""
        if self.steps.finished:
            ends = "Esc ends proposing. " if self._proposals.active else ""
            after, inspect = self._key("page.next"), self._key("workspace.inspect")
            return (
                f"The page is complete. {ends}{after} opens the next one, {inspect} shows what "
                "spotters found on these pages"
            )
        if self.steps.step == 0 and self.steps.too_wide:
            return f"That took more than the {LEFT_OUT}: press Ctrl+Z, and draw closer around it"
        if self.steps.step == 0:
            return f"Hold the left mouse button, and draw a rough line around the marked {LEFT_OUT}"
        if self.steps.step == 1:
            labels = self._window.workbench.labels
            digit = labels[LEFT_OUT].digit if LEFT_OUT in labels else ""
            typed = f"type “{LEFT_OUT}” and press Enter"
            key = f"Press {digit}, its digit in the list of labels, or {typed}"
            return key if digit else typed.capitalize()
        key = self._key("proposals.page")
        return f"Press {key}, and accept what is proposed: Enter takes one, Shift+Enter takes all"

    def _key(self, action: str) -> str:
        found = self._window.frame.findChild(QAction, action)
        return found.shortcut().toString() if found is not None else ""


class FirstStepsLayer(Layer):
    """A ring around the region that is to be drawn first."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._steps = canvas.workbench.state(FirstSteps)
        self._disconnect = self._steps.changed.connect(canvas.layer_changed)

    @property
    def shown(self) -> bool:
        """Tell whether there is a region to draw, and nothing is being drawn."""
        draws = self._canvas.workbench.draws and self._canvas.pointing.gesture is None
        return draws and self._steps.target is not None

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint the ring, in the colour of the theme with a light edge."""
        target = self._steps.target
        if target is None:
            return
        low, high = view.box_to_view(*target.bounds)
        ring = QRectF(QPointF(*low), QPointF(*high)).adjusted(-RING, -RING, RING, RING)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for colour, width in (("#ffffff", 5), (LIGHT.accent, 2.5)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawEllipse(ring)
        painter.restore()

    def stop(self) -> None:
        """Listen no longer."""
        self._disconnect()


COLOUR, PAPER = QColor("#7c3aed"), QColor("#ffffff")
_HEAD = 7.0  # screen px of an arrow's head
_APART = 26.0  # screen px between two regions from which on an arrow has room
_PADDING = 4.0


class OrderLayer(Layer):
    """Lies over the regions while the reading order is to be seen."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._workbench = canvas.workbench
        self._leave = canvas.workbench.settings.changed.connect(lambda *_: canvas.layer_changed())

    @property
    def shown(self) -> bool:
        """Only where the truth is drawn, and on request."""
        workbench = self._workbench
        document = workbench.document
        wanted = workbench.draws and workbench.settings.get(READING_ORDER)
        return bool(wanted and document is not None and document.page.order is not None)

    def stop(self) -> None:
        """Listen no longer."""
        self._leave()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint arrows between the regions, and the number of each."""
        document = self._workbench.document
        order = document.page.order if document is not None else None
        if document is None or order is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        left, top, right, bottom = view.visible()
        seen = QRectF(left, top, right - left, bottom - top)
        for first, second in order.steps():
            one, other = document.get(first), document.get(second)
            if one is not None and other is not None:
                line = QLineF(_middle(one), _middle(other))
                around = QRectF(line.p1(), line.p2()).normalized().adjusted(-1, -1, 1, 1)
                if around.intersects(seen):
                    self._paint_arrow(painter, view, line)
        for id, number in order.numbers().items():
            region = document.get(id)
            if region is not None and seen.contains(_middle(region)):
                self._paint_number(painter, view, region, number)
        painter.restore()

    def _paint_arrow(self, painter: QPainter, view: ViewTransform, line: QLineF) -> None:
        ends = [QPointF(*view.to_view(point.x(), point.y())) for point in (line.p1(), line.p2())]
        shown = QLineF(*ends)
        length = shown.length()
        if length < _APART:
            return
        for width, colour in ((3.5, PAPER), (1.5, COLOUR)):  # to be seen on any ink
            painter.setPen(QPen(colour, width))
            painter.drawLine(shown)
        tip = shown.pointAt(0.5 + _HEAD / 2 / length)
        angle = math.radians(-shown.angle())
        sides = [
            QPointF(
                tip.x() - _HEAD * math.cos(angle + turn), tip.y() - _HEAD * math.sin(angle + turn)
            )
            for turn in (-0.5, 0.5)
        ]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(COLOUR)
        painter.drawPolygon(QPolygonF([tip, *sides]))

    def _paint_number(
        self, painter: QPainter, view: ViewTransform, region: Region, number: str
    ) -> None:
        place = _middle(region)
        text = painter.fontMetrics().boundingRect(number)
        height = text.height() + _PADDING / 2
        width = max(text.width() + 2 * _PADDING, height)
        badge = QRectF(0, 0, width, height)
        badge.moveCenter(QPointF(*view.to_view(place.x(), place.y())))
        painter.setPen(QPen(PAPER, 1))
        painter.setBrush(COLOUR)
        painter.drawRoundedRect(badge, height / 2, height / 2)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, number)


def _middle(region: Region) -> QPointF:
    left, top, right, bottom = region.bounds
    return QPointF((left + right) / 2, (top + bottom) / 2)
