"""Says in a corner of the canvas what the colours mean and how much of each there is."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QWidget

from spotlab.gui import theme
from spotlab.gui.workbench import Workbench
from spotlab.imaging.area_overlay import Area, Sheet, paint_areas

_CORNER = 14  # from the canvas' corner, screen px
_SWATCH = 16
_GAP = 8
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
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 10, 0)
        layout.addStretch(1)
        layout.addWidget(self.slider)
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
        """Room for the words."""
        metrics = self.fontMetrics()
        words = sum(
            metrics.horizontalAdvance(text) + _SWATCH + 2.6 * _GAP for text in self.texts().values()
        )
        return QSize(round(words) + self.slider.width() + 2 * _GAP + 10, 34)

    def place(self) -> None:
        """Stay in the canvas' lower left corner."""
        self.resize(self.sizeHint())
        self.move(_CORNER, self._canvas.height() - self.height() - _CORNER)
        self.update()

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
            x, middle = _GAP * 1.5, self.height() / 2
            for area, text in self.texts().items():
                place = QRectF(x, middle - _SWATCH / 2, _SWATCH, _SWATCH)
                painter.drawImage(place, swatch(area, self.devicePixelRatioF()))
                x += _SWATCH + _GAP * 0.8
                width = self.fontMetrics().horizontalAdvance(text)
                painter.setPen(QColor(colours.text))
                painter.drawText(
                    QRectF(x, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, text
                )
                x += width + _GAP * 1.8


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
