"""Says in a corner of the canvas what the colours mean and how much of each there is."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QWidget

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.second_run import SecondRun
from spotlab.gui.kit import theme
from spotlab.imaging.area_overlay import AreaKind, OverlayRaster, paint_areas

_CORNER = 14  # from the canvas' corner, screen px
_SWATCH = 16
_GAP = 8
_LINE = 34  # px of height
_LOWEST = 4 * _LINE  # px of height of a canvas that it stands on
WORDS = {AreaKind.FOUND: "found", AreaKind.FALSE: "false", AreaKind.MISSED: "missed"}


class Legend(QWidget):
    """Three swatches with the areas of the open page, and a slider for their opacity."""

    def __init__(
        self, canvas: QWidget, inspection: Inspection | SecondRun, opacity: float,
        set_opacity: Callable[[float], None],
    ) -> None:  # fmt: skip
        super().__init__(canvas)
        self._canvas = canvas
        self._inspection = inspection
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, 100)
        self.slider.setValue(round(100 * opacity))
        self.slider.setFixedWidth(84)
        self.slider.setToolTip("Opacity of the areas")
        self.slider.setAccessibleName("Opacity of the areas")
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.valueChanged.connect(lambda value: set_opacity(value / 100))
        self._wanted = False
        self._words: dict[AreaKind, str] = {}
        self._box = QHBoxLayout(self)
        self._box.setContentsMargins(10, 0, 10, 4)
        self._box.addStretch(1)
        self._box.addWidget(self.slider)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def texts(self) -> dict[AreaKind, str]:
        """What is written beside each swatch."""
        areas = self._inspection.page.sums()
        return {
            area: f"{word} {areas[area]:,.0f}" if areas else word for area, word in WORDS.items()
        }

    def sizeHint(self) -> QSize:
        """Room for the words side by side."""
        words = sum(map(self._width, self._words.values()))
        slider = 0 if self.slider.isHidden() else self.slider.width() + 10
        return QSize(round(words) + slider + 2 * _GAP, _LINE)

    def follow(self, shown: bool) -> None:
        """Show it while there are areas on the canvas."""
        self._wanted = shown
        self.place()

    def place(self) -> None:
        """Stay in the canvas' lower left corner, in one line: in a small canvas it says less."""
        said = self.texts()
        room = self._canvas.width() - 2 * _CORNER
        fits = False
        for words, slider in ((said, True), (WORDS, True), (WORDS, False)):
            self._words = words
            self.slider.setVisible(slider)
            fits = self.sizeHint().width() <= room
            if fits:
                break
        areas = "; ".join(said.values())
        self.setToolTip(
            f"<p>{areas}</p><p>Areas on this page in px², exactly: in both truth and run, only in "
            "the run, only in the truth. Each query counts by itself, even where they overlap.</p>"
        )
        self.setVisible(self._wanted and fits and self._canvas.height() >= _LOWEST)
        self.resize(self.sizeHint())
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
            x, height = _GAP * 1.5, self.height()
            for area, text in self._words.items():
                place = QRectF(x, (height - _SWATCH) / 2, _SWATCH, _SWATCH)
                painter.drawImage(place, swatch(area, self.devicePixelRatioF()))
                beside = x + _SWATCH + _GAP * 0.8
                room = QRectF(beside, 0, self.width() - beside, height)
                painter.setPen(QColor(colours.text))
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
                x += self._width(text)


@lru_cache(maxsize=16)
def swatch(area: AreaKind, ratio: float) -> QImage:
    """A square of the area's colour and hatching, on paper."""
    side = round(_SWATCH * ratio)
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("#ffffff"))
    kinds = np.full((side, side), area, np.uint8)
    pixels = paint_areas(kinds, OverlayRaster((1, 0, 0, 1, 0, 0), side, side, ratio))
    with QPainter(image) as painter:
        painter.drawImage(
            0, 0, QImage(pixels.data, side, side, QImage.Format.Format_ARGB32_Premultiplied)
        )
    return image
