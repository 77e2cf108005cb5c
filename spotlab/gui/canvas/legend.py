"""Says in a corner of the canvas what the colours mean and how much of each there is."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QSlider, QWidget

from spotlab.gui import theme
from spotlab.gui.workbench import Workbench
from spotlab.imaging.area_overlay import Area, Sheet, paint_areas

_CORNER = 14  # from the canvas' corner, screen px
_SWATCH = 16
_GAP = 8
_LINE, _NARROW = 34, 0.7  # px of height; the share of it where lines stand below each other
_ACROSS = QBoxLayout.Direction.LeftToRight
WORDS = {Area.FOUND: "found", Area.FALSE: "false", Area.MISSED: "missed"}


class Legend(QWidget):
    """Three swatches with the areas of the open page, and a slider for their opacity."""

    def __init__(
        self, canvas: QWidget, workbench: Workbench, opacity: float,
        set_opacity: Callable[[float], None],
    ) -> None:  # fmt: skip
        super().__init__(canvas)
        self._canvas = canvas
        self._workbench = workbench
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, 100)
        self.slider.setValue(round(100 * opacity))
        self.slider.setFixedWidth(84)
        self.slider.setToolTip("Opacity of the areas")
        self.slider.setAccessibleName("Opacity of the areas")
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.valueChanged.connect(lambda value: set_opacity(value / 100))
        self._in_column = False
        self._box = QBoxLayout(_ACROSS, self)
        self._box.setContentsMargins(10, 0, 10, 4)
        self._box.addStretch(1)
        self._box.addWidget(self.slider)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip(
            "Areas on this page in px², exactly: in truth and run, only in the run, only in the "
            "truth. Each query counts by itself, also where another has been."
        )

    def texts(self) -> dict[Area, str]:
        """What is written beside each swatch."""
        areas = self._workbench.inspection.page_sums()
        return {
            area: f"{word} {areas[area]:,.0f}" if areas else word for area, word in WORDS.items()
        }

    def sizeHint(self) -> QSize:
        """Room for the words side by side."""
        words = sum(map(self._width, self.texts().values()))
        return QSize(round(words) + self.slider.width() + 2 * _GAP + 10, _LINE)

    def place(self) -> None:
        """Stay in the canvas' lower left corner, in a column where the canvas is narrow."""
        size, room = self.sizeHint(), self._canvas.width() - 2 * _CORNER
        self._in_column = size.width() > room
        down = QBoxLayout.Direction.TopToBottom if self._in_column else _ACROSS
        self._box.setDirection(down)
        if self._in_column:
            words = [self.slider.width() + _GAP, *map(self._width, self.texts().values())]
            lines = len(self.texts()) + 1
            size = QSize(min(room, round(max(words)) + _GAP), round(lines * _LINE * _NARROW))
        self.resize(size)
        self.move(_CORNER, self._canvas.height() - self.height() - _CORNER)
        self.update()

    def _width(self, text: str) -> float:
        return self.fontMetrics().horizontalAdvance(text) + _SWATCH + 2.6 * _GAP

    def paintEvent(self, event: QPaintEvent) -> None:
        """The swatches and the words."""
        colours = theme.colours(self.palette())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(colours.line))
            sheet = QColor(colours.window)
            sheet.setAlpha(240)
            painter.setBrush(sheet)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            x, y, line = _GAP * 1.5, 0.0, float(self.height())
            if self._in_column:
                line = _LINE * _NARROW
            for area, text in self.texts().items():
                place = QRectF(x, y + (line - _SWATCH) / 2, _SWATCH, _SWATCH)
                painter.drawImage(place, swatch(area, self.devicePixelRatioF()))
                beside = x + _SWATCH + _GAP * 0.8
                room = QRectF(beside, y, self.width() - beside, line)
                painter.setPen(QColor(colours.text))
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
                if self._in_column:
                    y += line
                else:
                    x += self._width(text)


@lru_cache(maxsize=16)
def swatch(area: Area, ratio: float) -> QImage:
    """A square of the area's colour and hatching, on paper."""
    side = round(_SWATCH * ratio)
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("#ffffff"))
    kinds = np.full((side, side), area, np.uint8)
    pixels = paint_areas(kinds, Sheet((1, 0, 0, 1, 0, 0), side, side, ratio))
    with QPainter(image) as painter:
        painter.drawImage(
            0, 0, QImage(pixels.data, side, side, QImage.Format.Format_ARGB32_Premultiplied)
        )
    return image
