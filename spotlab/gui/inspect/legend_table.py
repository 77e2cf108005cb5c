"""The rows of the legend: a mark, what it means, and figures in columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetrics, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QSlider, QToolButton, QWidget

from spotlab.gui.inspect.symbol_marks import draw_mark
from spotlab.gui.kit import icons
from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.imaging.overlay import LOOKS, Looks, OverlayRaster, paint_areas
from spotlab.report.pictures import area_table, shown_kinds
from spotlab.studies.tally.page_view import AreaSums, PageSymbols, SymbolState

MARK = 16  # px, the side of a mark
GAP = 8  # px between a mark and its name; twice that between columns
ROW = 20  # px of height
SMALL = 0.86  # of the font in the head

DrawMark = Callable[[QPainter, QRectF], None]


@dataclass(frozen=True)
class LegendRow:
    """One kind.

    Attributes
    ----------
    mark : callable
        Draws its mark into a square.
    name : str
        In a word or two.
    cells : tuple of str
        Its figures.
    """

    mark: DrawMark
    name: str
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class LegendTable:
    """Rows below a head.

    Attributes
    ----------
    head : tuple of str
        Names of the columns of figures.
    rows : tuple of LegendRow
    current : bool
        Whether the figures are of what is shown now; others are written in grey.
    """

    head: tuple[str, ...]
    rows: tuple[LegendRow, ...]
    current: bool = True

    def size(self, font: QFont) -> QSizeF:
        """Room that the table needs, in px."""
        width = MARK + GAP + sum(self._widths(font)) + 2 * GAP * len(self.head)
        return QSizeF(width, ROW * (len(self.rows) + bool(self.head)))

    def paint(self, painter: QPainter, left: float, top: float, colours: Colours) -> None:
        """Paint it with its upper left corner there."""
        font = painter.font()
        widths = self._widths(font)
        quiet, text = QColor(colours.quiet), QColor(colours.text)
        rows: list[tuple[DrawMark | None, tuple[str, ...]]] = [
            (row.mark, (row.name, *row.cells)) for row in self.rows
        ]
        if self.head:
            rows.insert(0, (None, ("", *self.head)))
        for number, (mark, cells) in enumerate(rows):
            y, x = top + ROW * number, left + MARK + GAP
            if mark is not None:
                mark(painter, QRectF(left, y + (ROW - MARK) / 2, MARK, MARK))
            painter.setFont(_small(font) if mark is None else font)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True)):
                said = column == 0 or (self.current and mark is not None)
                painter.setPen(text if said else quiet)
                side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
                painter.drawText(
                    QRectF(x, y, width, ROW), Qt.AlignmentFlag.AlignVCenter | side, cell
                )
                x += width + 2 * GAP
        painter.setFont(font)

    def _widths(self, font: QFont) -> list[float]:
        plain, small = QFontMetricsF(font), QFontMetricsF(_small(font))
        widths = [max((plain.horizontalAdvance(row.name) for row in self.rows), default=0.0)]
        for column, name in enumerate(self.head):
            cells = [plain.horizontalAdvance(row.cells[column]) for row in self.rows]
            widths.append(max([small.horizontalAdvance(name), *cells]))
        return [float(np.ceil(width)) for width in widths]


class LegendControls:
    """The slider and the button of a legend.

    Parameters
    ----------
    legend : QWidget
    opacity : float
        Of the areas, from 0 to 1.
    set_opacity : callable
    toggle : callable
        Folds the figures away, or shows them again.
    """

    def __init__(
        self,
        legend: QWidget,
        opacity: float,
        set_opacity: Callable[[float], object],
        toggle: Callable[[], object],
    ) -> None:
        self.slider = QSlider(Qt.Orientation.Horizontal, legend)
        self.slider.setRange(0, 100)
        self.slider.setValue(round(100 * opacity))
        self.slider.setFixedWidth(84)
        self.slider.setToolTip("Opacity of the areas")
        self.slider.setAccessibleName("Opacity of the areas")
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.valueChanged.connect(lambda value: set_opacity(value / 100))
        self.fold = QToolButton(legend)
        self.fold.setAutoRaise(True)
        self.fold.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.fold.clicked.connect(toggle)

    def show_folded(self, folded: bool) -> None:
        """Say what the button does."""
        self.fold.setIcon(icons.icon("chevron-up" if folded else "chevron-down"))
        self.fold.setToolTip("Show the figures" if folded else "Show only the words")
        self.fold.setAccessibleName(self.fold.toolTip())


def paint_sheet(painter: QPainter, place: QRect, colours: Colours) -> None:
    """Paint what a legend stands on."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(colours.line))
    sheet = QColor(colours.window)
    sheet.setAlpha(240)
    painter.setBrush(sheet)
    painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def word_width(row: LegendRow, font: QFont) -> float:
    """Room in px for a mark and a name in a line of words."""
    return QFontMetrics(font).horizontalAdvance(row.name) + MARK + 2.6 * GAP


def paint_words(
    painter: QPainter, rows: Iterable[LegendRow], place: QRectF, colours: Colours
) -> None:
    """Paint marks and names in a line."""
    x = place.left()
    for row in rows:
        row.mark(painter, QRectF(x, place.center().y() - MARK / 2, MARK, MARK))
        painter.setPen(QColor(colours.text))
        beside = QRectF(x + MARK + 0.8 * GAP, place.top(), place.right(), place.height())
        painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, row.name)
        x += word_width(row, painter.font())


def area_legend(sums: AreaSums | None, current: bool, ignored: bool = False) -> LegendTable:
    """The kinds of areas with their figures.

    Parameters
    ----------
    sums : AreaSums or None
        None: the kinds are named without figures.
    current : bool
        Whether the figures are of what is shown now.
    ignored : bool
        Name ignored area without figures, too.
    """
    if sums is None:
        kinds = shown_kinds(ignored)
        return LegendTable((), tuple(LegendRow(area_mark(kind), kind.words) for kind in kinds))
    table = area_table(sums)
    rows = (LegendRow(area_mark(row.kind), row.kind.words, row.cells) for row in table.rows)
    return LegendTable(table.head, tuple(rows), current)


def symbol_legend(symbols: PageSymbols | None) -> LegendTable:
    """The states of symbols with their numbers.

    Parameters
    ----------
    symbols : PageSymbols or None
        None: the states are named without figures.
    """
    if symbols is None:
        rows = (LegendRow(symbol_mark(state), state.value) for state in SymbolState)
        return LegendTable((), tuple(rows))
    rows = (
        LegendRow(
            symbol_mark(state),
            f"{state.value}s" if state is SymbolState.FALSE else state.value,
            (f"{symbols.count(state):,}", _share(symbols, state)),
        )
        for state in SymbolState
    )
    return LegendTable(("symbols", "share"), tuple(rows))


def _share(symbols: PageSymbols, state: SymbolState) -> str:
    share = symbols.share(state)
    if share is None:
        return "–"
    return f"{100 * share:.1f} %" + (" of spots" if state is SymbolState.FALSE else "")


def symbol_mark(state: SymbolState) -> DrawMark:
    """Draws the mark that symbols of a state have on the page."""
    return partial(_draw_symbol, state)


def _draw_symbol(state: SymbolState, painter: QPainter, place: QRectF) -> None:
    draw_mark(painter, state, place)


def area_mark(kind: int, looks: Looks = LOOKS) -> DrawMark:
    """Draws a square of the kind's colour and hatching."""
    return partial(_draw_swatch, kind, looks)


def _draw_swatch(kind: int, looks: Looks, painter: QPainter, place: QRectF) -> None:
    device = painter.device()
    painter.drawImage(place, swatch(kind, device.devicePixelRatioF() if device else 1.0, looks))


@lru_cache(maxsize=64)
def swatch(area: int, ratio: float, looks: Looks = LOOKS) -> QImage:
    """A square of the area's colour and hatching, on paper."""
    side = round(MARK * ratio)
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("#ffffff"))
    kinds = np.full((side, side), area, np.uint8)
    pixels = paint_areas(kinds, OverlayRaster((1, 0, 0, 1, 0, 0), side, side, ratio), looks=looks)
    with QPainter(image) as painter:
        painter.drawImage(0, 0, image_of(pixels))
    return image


def _small(font: QFont) -> QFont:
    small = QFont(font)
    small.setPixelSize(max(9, round(QFontInfo(font).pixelSize() * SMALL)))
    return small
