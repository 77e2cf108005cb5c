"""Says in a corner of the canvas what the colours of a comparison mean, and how much there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from spotlab.gui.inspect.compare.on_page import ComparedOnPage
from spotlab.gui.inspect.state.comparison import Comparison
from spotlab.gui.kit import theme
from spotlab.imaging.area_overlay import OverlayRaster
from spotlab.imaging.comparison_overlay import (
    FALSE_KINDS,
    TRUTH_KINDS,
    ComparedKind,
    paint_compared,
)

_CORNER = 14  # from the canvas' corner, screen px
_MARK = 16
_GAP = 8
_ROW = 21  # px of height
_PART = 0.6  # of the canvas' height that it may cover


class ComparisonLegend(QWidget):
    """The kinds of truth and of false area in px² with their shares; a slider for the opacity."""

    def __init__(
        self, canvas: QWidget, comparison: Comparison, on_page: ComparedOnPage,
        set_opacity: Callable[[float], object],
    ) -> None:  # fmt: skip
        super().__init__(canvas)
        self._canvas = canvas
        self._comparison = comparison
        self._on_page = on_page
        self._wanted = False
        self._rows: list[tuple[ComparedKind, str, str, str]] = []
        self._full = True
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, 100)
        self.slider.setValue(80)
        self.slider.setFixedWidth(84)
        self.slider.setToolTip("Opacity of the areas")
        self.slider.setAccessibleName("Opacity of the areas")
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.valueChanged.connect(lambda value: set_opacity(value / 100))

    def texts(self) -> dict[ComparedKind, str]:
        """What is said of each kind."""
        return {kind: " · ".join(filter(None, cells)) for kind, *cells in self._read()}

    def follow(self, shown: bool) -> None:
        """Show it while differences are on the canvas."""
        self._wanted = shown
        self.place()

    def place(self) -> None:
        """Stay in the canvas' lower left corner; in a small canvas it has no figures."""
        self._rows = self._read()
        for self._full in (True, False):
            size = self.sizeHint()
            fits = (
                size.width() <= self._canvas.width() - 2 * _CORNER
                and size.height() <= _PART * self._canvas.height()
            )
            if fits:
                break
        self.setToolTip(self._explained())
        self.setVisible(self._wanted and fits)
        self.resize(self.sizeHint())
        self.move(_CORNER, self._canvas.height() - self.height() - _CORNER)
        self.slider.move(self.width() - self.slider.width() - 10, self.height() - 24)
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the rows, and for the slider below them."""
        widths = self._widths()
        width = sum(widths) + 2 * _GAP * len(widths) + _MARK
        return QSize(max(round(width), 110), _ROW * len(self._rows) + 34)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The marks, the words, and the figures."""
        colours = theme.colours(self.palette())
        widths = self._widths()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(colours.line))
            sheet = QColor(colours.window)
            sheet.setAlpha(240)
            painter.setBrush(sheet)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            for number, (kind, *cells) in enumerate(self._rows):
                y = 6 + _ROW * number
                mark = swatch(kind, self.devicePixelRatioF())
                painter.drawImage(QRectF(_GAP, y + (_ROW - _MARK) / 2, _MARK, _MARK), mark)
                x = 2 * _GAP + _MARK
                painter.setPen(QColor(colours.text))
                for column, (cell, width) in enumerate(zip(cells, widths, strict=False)):
                    side = _side(column) | Qt.AlignmentFlag.AlignVCenter
                    painter.drawText(QRectF(x, y, width, _ROW), side, cell)
                    x += width + 2 * _GAP

    def _read(self) -> list[tuple[ComparedKind, str, str, str]]:
        sums = self._on_page.sums()
        rows = []
        for kinds in (TRUTH_KINDS, FALSE_KINDS):
            whole = sum(sums[kind] for kind in kinds) if sums is not None else 0.0
            for kind in kinds:
                area = "…" if sums is None else f"{sums[kind]:,.0f} px²"
                share = "–" if sums is None or whole <= 0 else f"{sums[kind] / whole:.1%}"
                rows.append((kind, kind.words, area, share))
        return rows

    def _widths(self) -> list[float]:
        metrics = self.fontMetrics()
        shown = 3 if self._full else 1
        return [
            float(
                max((metrics.horizontalAdvance(str(row[1 + at])) for row in self._rows), default=0)
            )
            for at in range(shown)
        ]

    def _explained(self) -> str:
        first, second = self._comparison.first, self._comparison.second
        names = f"A is {first.name}, B is {second.name}. " if first and second else ""
        said: Sequence[str] = list(self.texts().values())
        return (
            f"<p>{'<br>'.join(said)}</p><p>{names}Areas on this page in px², exactly: of the truth, "
            "and of the false area. Shares are of all truth and of all false area. Each query "
            "counts by itself, even where they overlap.</p>"
        )


def _side(column: int) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight


@lru_cache(maxsize=32)
def swatch(kind: ComparedKind, ratio: float) -> QImage:
    """A square of the kind's colour and hatching, on paper."""
    side = round(_MARK * ratio)
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("#ffffff"))
    kinds = np.full((side, side), kind, np.uint8)
    pixels = paint_compared(kinds, OverlayRaster((1, 0, 0, 1, 0, 0), side, side, ratio))
    with QPainter(image) as painter:
        painter.drawImage(
            0, 0, QImage(pixels.data, side, side, QImage.Format.Format_ARGB32_Premultiplied)
        )
    return image
