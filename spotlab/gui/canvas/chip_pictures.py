"""The pictures of labels: each on its colour, drawn once."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap

from spotlab.gui.canvas.region_style import faint, text_colour

PADDING = 5.0  # screen px
_MOST = 1000  # pictures that are kept


class ChipPictures:
    """A picture for each text and colour."""

    def __init__(self) -> None:
        self._chips: dict[tuple[str, int, float], QPixmap] = {}

    def of(self, text: str, colour: QColor, font: QFont, ratio: float) -> QPixmap:
        """The picture of a label in a colour, with so many device px a screen px."""
        key = (text, colour.rgb(), ratio)
        if key not in self._chips:
            if len(self._chips) > _MOST:
                self._chips.clear()
            self._chips[key] = _drawn(text, colour, font, ratio)
        return self._chips[key]


def font_of(painter: QPainter) -> QFont:
    """The font of labels."""
    font = QFont(painter.font())
    font.setPixelSize(11)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def _drawn(text: str, colour: QColor, font: QFont, ratio: float) -> QPixmap:
    """A label on its colour."""
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(text) + 2 * PADDING
    height = metrics.height() + 2
    chip = QPixmap(math.ceil(width * ratio), math.ceil(height * ratio))
    chip.setDevicePixelRatio(ratio)
    chip.fill(Qt.GlobalColor.transparent)
    with QPainter(chip) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRectF(0.5, 0.5, width - 1, height - 1)
        painter.setPen(QColor(255, 255, 255, 170))
        painter.setBrush(faint(colour, 235))
        painter.drawRoundedRect(place, 4, 4)
        painter.setFont(font)
        painter.setPen(text_colour(colour))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
    return chip
