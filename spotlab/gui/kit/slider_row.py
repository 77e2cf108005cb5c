"""A number that is slid or typed, with its name and what it means."""

from __future__ import annotations

import html

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QLabel, QSlider

from spotlab.gui.kit.plain_text import rich

FIELD, SLIDER = 76, 60  # px, at least


class SliderRow(QObject):
    """Adds itself as a row to a grid; says when the user wants another number.

    The slider goes from ``low`` to ``high`` in steps; what is typed may lie beyond, in ``widest``.
    """

    wanted = Signal(float)

    def __init__(
        self,
        grid: QGridLayout,
        title: str,
        tip: str,
        low: float,
        high: float,
        step: float = 1.0,
        widest: tuple[float, float] | None = None,
    ) -> None:
        super().__init__(grid)
        self._low, self._step = low, step
        self._following = False
        self.label = QLabel(title)
        self.label.setProperty("role", "quiet")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, round((high - low) / step))
        self.slider.setPageStep(max(1, self.slider.maximum() // 10))
        self.slider.setMinimumWidth(SLIDER)
        self.slider.setAccessibleName(title)
        self.field = QDoubleSpinBox()
        self.field.setDecimals(0 if step >= 1 else len(f"{step:g}".partition(".")[2]))
        self.field.setRange(*(widest or (low, high)))
        self.field.setSingleStep(step)
        self.field.setKeyboardTracking(False)
        self.field.setMinimumWidth(FIELD)
        self.field.setAccessibleName(f"{title} as a number")
        row = grid.rowCount()
        for column, widget in enumerate((self.label, self.slider, self.field)):
            widget.setToolTip(rich(f"<p><b>{html.escape(title)}</b></p><p>{tip}</p>"))
            grid.addWidget(widget, row, column)
        self.slider.valueChanged.connect(self._slid)
        self.field.valueChanged.connect(self._typed)

    @property
    def value(self) -> float:
        """The number that stands there."""
        return self.field.value()

    def show_value(self, value: float) -> None:
        """Show it; nobody is asked for anything."""
        self._following = True
        self.field.setValue(value)
        place = min(max((value - self._low) / self._step, 0.0), float(self.slider.maximum()))
        self.slider.setValue(round(place))
        self._following = False

    def set_visible(self, visible: bool) -> None:
        """Show or hide the whole row."""
        for widget in (self.label, self.slider, self.field):
            widget.setVisible(visible)

    def _slid(self, step: int) -> None:
        if not self._following:
            self._want(round(self._low + step * self._step, 9))

    def _typed(self, value: float) -> None:
        if not self._following:
            self._want(value)

    def _want(self, value: float) -> None:
        self.show_value(value)
        self.wanted.emit(value)
