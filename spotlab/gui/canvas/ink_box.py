"""Sliders for how the page is shown, how ink is told from paper, and what a stroke takes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSlider,
    QWidget,
)

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.ink_cleaning import CleaningControls, quiet_line, removed_text
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import fitted
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import STRETCH, Choice, Flow, Option, in_column, in_row
from spotlab.imaging.ink import InkMethod, InkSettings, InkTone
from spotlab.model import Primitive

CORNER = 14  # px from the canvas' corner
WIDTH = 330  # px, where the canvas has them
PAUSE = 200  # ms of stillness until the page is binarised again
HINT = "Point at an option to read what it does."
TONES = {
    InkTone.AUTO: "Automatic",
    InkTone.DARK: "Dark ink on light paper",
    InkTone.LIGHT: "Light ink on dark paper",
}
VIEWS = {"raw": "Scanned", "binarised": "Binarised", "components": "Components"}


class InkBox(QFrame):
    """Floats over the canvas, at first in its upper right corner; moved by its title.

    Escape closes it. A change of the ink shows the binarised page until the panel is closed.
    """

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.workbench = workbench = canvas.workbench
        self._canvas = canvas
        self._row = 0
        self._moved: QPoint | None = None  # by the user, to where
        self._held: QPoint | None = None  # where the title was pressed
        self._view_before: str | None = None
        self._hints: dict[QObject, str] = {}
        self._figures: dict[QSlider, Callable[[int], object]] = {}
        self.setProperty("role", "popup")
        self.setAutoFillBackground(True)
        self._grid = QGridLayout()
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self.brightness = self._slider(
            "Brightness", -100, 100, "Changes the display only, not the ink"
        )
        self.contrast = self._slider("Contrast", -100, 100, "Changes the display only, not the ink")
        self.method = Choice(Option(method, method.capitalize()) for method in InkMethod)
        self.method.setToolTip(
            "Even finds one threshold for the page as if it were evenly lit, for photographs. Otsu "
            "finds one for the page as it is. Sauvola and Wolf find one for each pixel, from the "
            "window around it, for stained pages"
        )
        self._add("Threshold", self.method)
        self.tone: Choice[InkTone] = Choice(Option(tone, title) for tone, title in TONES.items())
        self.tone.setToolTip(
            "Light ink is on dark paper, as on blueprints and CAD screens. Automatic takes for ink "
            "what there is less of around each place"
        )
        self._add("Invert", self.tone)
        self.offset = self._slider(
            "Offset", -80, 80, "Grey levels added to the threshold; higher values include paler ink"
        )
        self.window_size = self._slider(
            "Window",
            5,
            151,
            "Side length of the window of Sauvola and Wolf, in px",
            lambda side: f"{side} px",
        )
        self.k = self._slider(
            "k",
            0,
            60,
            "Sensitivity k: how strongly the contrast in the window lowers the threshold",
            lambda hundredths: f"{hundredths / 100:.2f}",
        )
        self.cleaning = CleaningControls(canvas, self._slider, self._add, self._apply)
        self.share = self._slider(
            "Share",
            0,
            99,
            "Share of a component's pixels that must lie inside a stroke for the stroke to "
            "include it",
            lambda percent: f"{percent} %",
        )
        self.primitive: Choice[Primitive] = Choice(
            Option(primitive, primitive.capitalize())
            for primitive in Primitive
            if primitive is not Primitive.POLYGON and primitive.has_area  # else drawn by hand
        )
        self.primitive.setToolTip("Type of outline for sketched regions")
        self._add("Outline", self.primitive)
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self._apply)
        for slider in (self.offset, self.window_size, self.k, *self.cleaning.sliders):
            slider.valueChanged.connect(lambda _: self._timer.start())
        for choice in (self.method, self.tone):
            choice.chosen.connect(lambda _: self._apply())
        self.primitive.chosen.connect(workbench.ink.set_primitive)
        self.share.valueChanged.connect(lambda value: workbench.ink.set_share(value / 100))
        for slider in (self.brightness, self.contrast):
            slider.valueChanged.connect(
                lambda _: canvas.set_light(
                    self.brightness.value() / 100, 4 ** (self.contrast.value() / 100)
                )
            )
        workbench.ink_changed.connect(self._follow)
        self._follow()
        canvas.installEventFilter(self)
        canvas.covered_changed.connect(self.place)
        self.hide()

    def reset(self) -> None:
        """Restore the default settings."""
        self._timer.stop()
        for slider in (self.brightness, self.contrast):
            slider.setValue(0)
        self.share.setValue(50)
        self.workbench.ink.set_settings(**vars(InkSettings()))

    def place(self) -> None:
        """Stay in the corner, below what lies over the canvas; scrolled where that is low."""
        canvas, inside = self._canvas, self._inside
        inside.ensurePolished()
        around = self._area.frameSize() - self._area.maximumViewportSize()
        room = canvas.rect().adjusted(CORNER, CORNER + round(canvas.view.covered), -CORNER, -CORNER)
        wanted = QSize(min(WIDTH, room.width()), inside.sizeHint().height() + around.height() + 2)
        corner = self._moved or QPoint(canvas.width(), 0)
        self.setGeometry(fitted(QRect(corner, wanted), room))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the canvas, its keys and a click that picks a colour; explain a row."""
        if watched is self._canvas:
            if event.type() == QEvent.Type.Resize:
                self.place()
            elif self.isVisible() and self._takes(event):
                return True
        elif watched is self._title:
            return isinstance(event, QMouseEvent) and self._dragged(event)
        elif event.type() in {QEvent.Type.Enter, QEvent.Type.FocusIn}:
            self.hint.setText(self._hints.get(watched, HINT))
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Escape is meant for the panel, not for the window."""
        if event.type() == QEvent.Type.ShortcutOverride and _is_escape(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes."""
        if event.key() == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """The page is shown as it was before."""
        super().hideEvent(event)
        self.cleaning.stop_picking()
        before, self._view_before = self._view_before, None
        if before is not None and self.workbench.ink.view == "binarised":
            self.workbench.ink.set_view(before)

    def showEvent(self, event: QShowEvent) -> None:
        """It is not placed while it is hidden."""
        super().showEvent(event)
        self.place()
        self.method.setFocus(Qt.FocusReason.PopupFocusReason)

    def _takes(self, event: QEvent) -> bool:
        """Tell whether an event of the canvas is meant for the panel."""
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            left = event.button() == Qt.MouseButton.LeftButton
            return left and self.cleaning.pick_at(event.position())
        if not _is_escape(event) or self._canvas.pointing.gesture is not None:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            self._escape()
        return True

    def _escape(self) -> None:
        if not self.cleaning.stop_picking():
            self._canvas.setFocus(Qt.FocusReason.PopupFocusReason)
            self.hide()

    def _dragged(self, event: QMouseEvent) -> bool:
        """Move with the title."""
        place = event.globalPosition().toPoint()
        if event.type() == QEvent.Type.MouseButtonPress:
            self._held = place - self.pos()
        elif event.type() == QEvent.Type.MouseMove and self._held is not None:
            self._moved = place - self._held
            self.place()
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._held, self._moved = None, self._moved and self.pos()
        else:
            return False
        return True

    def _slider(
        self, name: str, low: int, high: int, tip: str, written: Callable[[int], str] = str
    ) -> QSlider:
        slider = set_up(QSlider(Qt.Orientation.Horizontal), tip=tip)
        slider.setRange(low, high)
        value = QLabel()
        value.setMinimumWidth(44)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

        def show(number: int) -> None:
            value.setText(written(number))

        slider.valueChanged.connect(show)
        show(slider.value())
        self._figures[slider] = show
        self._add(name, slider, value)
        return slider

    def _add(self, name: str, widget: QWidget, value: QWidget | None = None) -> None:
        label = set_up(QLabel(name), tip=rich(widget.toolTip()), role="quiet")
        widget.setAccessibleName(name)
        for part in (label, widget, *widget.findChildren(QWidget)):
            self._hints[part] = f"{name}: {widget.toolTip()}."
            part.installEventFilter(self)
        self._grid.addWidget(label, self._row, 0)
        self._grid.addWidget(widget, self._row, 1, 1, 1 if value else 2)
        if value:
            self._grid.addWidget(value, self._row, 2)
        self._row += 1

    def _lay_out(self) -> None:
        views, buttons = Flow(4, 4), [QPushButton(title) for title in VIEWS.values()]
        self.views = QButtonGroup(self)
        self._view_buttons = dict(zip(VIEWS, buttons, strict=True))
        for view, button in self._view_buttons.items():
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, view=view: self.workbench.ink.set_view(view))
            self.views.addButton(button)
            views.addWidget(button)
        self._title = set_up(QLabel("Ink"), tip="Drag to move the panel", role="heading")
        self._title.setCursor(Qt.CursorShape.SizeAllCursor)
        self._title.installEventFilter(self)
        self.removed, self.hint = quiet_line(), quiet_line()
        self.hint.setText(HINT)
        self.hint.setMinimumHeight(3 * self.hint.fontMetrics().lineSpacing())
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        reset = QPushButton("Reset")
        reset.setToolTip("Restore the default settings")
        reset.clicked.connect(lambda _: self.reset())
        close = set_up(QPushButton("Close"), tip="Close the panel (Esc)", does=self.hide)
        foot = in_row(STRETCH, reset, close)
        self._inside, self._area = QWidget(), QScrollArea(widgetResizable=True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        in_column(
            self._title,
            views,
            self._grid,
            self.removed,
            self.hint,
            foot,
            of=self._inside,
            margins=(14, 12, 14, 12),
            spacing=10,
        )
        self._area.setWidget(self._inside)
        in_column(self._area, of=self, margins=1)

    def _follow(self) -> None:
        ink = self.workbench.ink
        values = {
            self.offset: ink.settings.offset,
            self.window_size: ink.settings.window,
            self.k: ink.settings.k * 100,
            self.share: ink.share * 100,
            **self.cleaning.show(ink.settings),
        }
        waits = self._timer.isActive()  # what is chosen is not set yet, and must not be lost
        for slider, value in values.items():
            if not (slider.isSliderDown() or (waits and slider is not self.share)):
                with QSignalBlocker(slider):
                    slider.setValue(round(value))
                self._figures[slider](slider.value())
        self.method.show_value(ink.settings.method)
        self.tone.show_value(ink.settings.tone)
        self.primitive.show_value(ink.primitive)
        cleaned = ink.page.cleaned if ink.page is not None else None
        self.removed.setText(removed_text(cleaned, ink.settings))
        self.removed.setVisible(ink.page is not None and ink.settings.cleans)
        local = ink.settings.method not in {InkMethod.EVEN, InkMethod.OTSU}
        self.offset.setEnabled(not local)
        self.window_size.setEnabled(local)
        self.k.setEnabled(local)
        self._view_buttons[ink.view].setChecked(True)

    def _apply(self) -> None:
        self._timer.stop()
        self.workbench.ink.set_settings(
            method=self.method.value,
            tone=self.tone.value,
            offset=self.offset.value(),
            window=self.window_size.value() | 1,
            k=max(self.k.value(), 1) / 100,
            **self.cleaning.values,
        )
        if self.isVisible() and self.workbench.ink.page and self.workbench.ink.view == "raw":
            self._view_before = "raw"
            self.workbench.ink.set_view("binarised")


def _is_escape(event: QEvent) -> bool:
    keys = {QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress}
    return (
        event.type() in keys and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
    )
