"""Says in a corner of the canvas what the colours mean and how much of each there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache, partial

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetrics,
    QFontMetricsF,
    QImage,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QSlider, QToolButton, QVBoxLayout, QWidget

from spotlab.gui.inspect.state.inspection import (
    OverlayChoice,
    OverlayKind,
    PageSums,
    RunOnPage,
    ShownSums,
)
from spotlab.gui.inspect.symbol_marks import draw_mark
from spotlab.gui.kit import theme
from spotlab.gui.kit import theme as icons
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.kit.settings import LEGEND_FOLDED
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.theme import Colours
from spotlab.gui.kit.widgets import in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.overlay import FILL_STYLES, FillStyles, OverlayRaster, paint_areas
from spotlab.report.pictures import EXPLAINED, MEANINGS, area_table, shown_kinds
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
        self.fold = set_up(QToolButton(legend, autoRaise=True), does=toggle)
        self.fold.setFocusPolicy(Qt.FocusPolicy.TabFocus)

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


def area_mark(kind: int, looks: FillStyles = FILL_STYLES) -> DrawMark:
    """Draws a square of the kind's colour and hatching."""
    return partial(_draw_swatch, kind, looks)


def _draw_swatch(kind: int, looks: FillStyles, painter: QPainter, place: QRectF) -> None:
    device = painter.device()
    painter.drawImage(place, swatch(kind, device.devicePixelRatioF() if device else 1.0, looks))


@lru_cache(maxsize=64)
def swatch(area: int, ratio: float, looks: FillStyles = FILL_STYLES) -> QImage:
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


_TIPS = {
    OverlayKind.AREAS: "Fill areas by their kinds: found, other label, false, missed",
    OverlayKind.SYMBOLS: "Mark each symbol as recognised, partly found or missed, and false spots",
    OverlayKind.BOTH: "Fill areas, and mark symbols",
}


class OverlaySwitch(QWidget):
    """Shows and changes what the canvas paints.

    Attributes
    ----------
    buttons : dict of OverlayKind to QToolButton
    """

    def __init__(self, overlay: OverlayChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._overlay = overlay
        group = QButtonGroup(self)
        row = in_row(of=self, margins=0, spacing=2)
        self.buttons: dict[OverlayKind, QToolButton] = {}
        for value in OverlayKind:
            button = self.buttons[value] = set_up(
                QToolButton(), text=value.value.capitalize(), tip=_TIPS[value], checkable=True
            )
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            group.addButton(button)
            row.addWidget(button)
        group.buttonClicked.connect(self._choose)
        overlay.changed.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Show what is chosen."""
        self.buttons[self._overlay.value].setChecked(True)

    def _choose(self, clicked: QToolButton) -> None:
        self._overlay.choose(
            next(value for value, button in self.buttons.items() if button is clicked)
        )


_CORNER = 14  # from the canvas' corner, screen px
_EDGE = 10  # px around what it says
_GAP = 6  # px between tables, and between controls
_LINE = 34  # px of height of a line of words, or of the slider
_LOWEST = 4 * _LINE  # px of height of a canvas that it stands on
_PART = 0.6  # of the canvas' height that a table may cover
SYMBOL_MEANINGS = {
    SymbolState.RECOGNISED: "at least the set share of its area is found",
    SymbolState.PARTLY: "some of its area is found, but less than the set share",
    SymbolState.MISSED: "nothing of it is found",
    SymbolState.FALSE: "it overlaps no recognised symbol of its query",
}
ROOMY = (800, 600)  # px of a canvas that shows all figures at first


class LegendForm(Enum):
    """Layout of the legend: tables side by side, tables one below another, or words in a line."""

    BESIDE = auto()
    BELOW = auto()
    LINE = auto()


class Legend(QWidget):
    """Legend of the overlay on the open page, with figures and controls for its content.

    Attributes
    ----------
    switch : OverlaySwitch
        Areas, symbols or both.
    slider : QSlider
        The opacity of areas.
    fold : QToolButton
        Leaves only the words, in one line, or shows the figures again.
    sums : PageSums
    """

    def __init__(
        self, canvas: QWidget, workbench: Workbench, page: RunOnPage, opacity: float,
        set_opacity: Callable[[float], None],
    ) -> None:  # fmt: skip
        super().__init__(canvas)
        self._canvas = canvas
        self._settings = workbench.settings
        self._page = page
        self._overlay = workbench.state(OverlayChoice)
        self.sums = PageSums(page, workbench)
        self.switch = OverlaySwitch(self._overlay, self)
        controls = LegendControls(self, opacity, set_opacity, self._fold)
        self.slider, self.fold, self._show_folded = (
            controls.slider,
            controls.fold,
            controls.show_folded,
        )
        self._controls = (self.switch, self.slider, self.fold)
        self._wanted = False
        self._tables: Sequence[LegendTable] = ()
        self._form = LegendForm.LINE
        row = in_row(spacing=_GAP)
        row.addStretch(1)
        for control in self._controls:
            row.addWidget(control)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(_EDGE, 0, _EDGE - 4, 4)
        column.addStretch(1)
        column.addLayout(row)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.sums.changed.connect(self.place)
        icons.repainted.changed.connect(self._paint_icons)

    def texts(self) -> list[str]:
        """Return what is said of each kind and state, with its figures."""
        rows = (row for table in self._full_tables() for row in table.rows)
        return [" · ".join((row.name, *row.cells)) for row in rows]

    def sizeHint(self) -> QSize:
        """Room for the words side by side, or for the tables above the controls."""
        shown = [each.sizeHint().width() for each in self._controls if not each.isHidden()]
        controls = sum(shown) + _GAP * len(shown)
        if self._form is LegendForm.LINE:
            rows = (row for table in self._tables for row in table.rows)
            words = sum(word_width(row, self.font()) for row in rows)
            return QSize(round(words) + controls + 2 * GAP, _LINE)
        places = self._places()
        width = max([controls, *(place.right() for place in places)])
        height = max(place.bottom() for place in places)
        return QSize(round(width) + 2 * _EDGE, round(height) + (_LINE if shown else 6) + 6)

    def follow(self, shown: bool) -> None:
        """Show it while there is something on the canvas."""
        self._wanted = shown
        self.place()

    def place(self) -> None:
        """Stay in the canvas' lower left corner: in a small canvas it says less."""
        if not self._wanted:
            self.hide()
            return
        full, words = self._full_tables(), self._tables_of(None, None)
        self.slider.setEnabled(self._overlay.value.has_areas)
        fits = False
        every = self._controls
        forms: list[tuple[Sequence[LegendTable], LegendForm, Sequence[QWidget]]] = [
            (full, LegendForm.BESIDE, every),
            (full, LegendForm.BELOW, every),
            (words, LegendForm.LINE, every),
            (words, LegendForm.LINE, (self.switch, self.fold)),
            (words, LegendForm.BESIDE, every),
            (words, LegendForm.LINE, (self.fold,)),
            (words, LegendForm.LINE, ()),
            (words, LegendForm.BELOW, ()),
        ]
        for tables, form, controls in forms[2 if self._is_folded() else 0 :]:
            self._tables, self._form = tables, form
            for control in every:
                control.setVisible(control in controls)
            size = self.sizeHint()
            tall = form is not LegendForm.LINE and size.height() > _PART * self._canvas.height()
            fits = size.width() <= self._canvas.width() - 2 * _CORNER and not tall
            if fits:
                break
        self._paint_icons()
        self.setToolTip(self._explained())
        self.setVisible(fits and self._canvas.height() >= _LOWEST)
        self.resize(self.sizeHint())
        self._column.activate()  # now: the words are painted beside the controls
        self.move(_CORNER, self._canvas.height() - self.height() - _CORNER)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The marks, the words and the figures."""
        colours = theme.colours(self.palette())
        with QPainter(self) as painter:
            paint_sheet(painter, self.rect(), colours)
            if self._form is LegendForm.LINE:
                rows = (row for table in self._tables for row in table.rows)
                line = QRectF(GAP * 1.5, 0, self.width(), self.height())
                paint_words(painter, rows, line, colours)
                return
            for table, place in zip(self._tables, self._places(), strict=True):
                table.paint(painter, _EDGE + place.left(), 6 + place.top(), colours)

    def _places(self) -> list[QRectF]:
        """Tell where the tables stand, from the corner of the first one."""
        places, at = [], QPointF(0, 0)
        for table in self._tables:
            place = QRectF(at, table.size(self.font()))
            places.append(place)
            if self._form is LegendForm.BESIDE:
                at = QPointF(place.right() + 3 * GAP, 0)
            else:
                at = QPointF(0, place.bottom() + _GAP)
        return places

    def _full_tables(self) -> Sequence[LegendTable]:
        overlay = self._overlay.value
        sums = self.sums.get() if overlay.has_areas else None
        return self._tables_of(sums, self._page.symbols() if overlay.has_symbols else None)

    def _tables_of(
        self, sums: ShownSums | None, symbols: PageSymbols | None
    ) -> Sequence[LegendTable]:
        overlay = self._overlay.value
        tables = []
        if overlay.has_areas:
            areas, current = sums or (None, True)
            tables.append(area_legend(areas, current, self._has_ignored()))
        if overlay.has_symbols:
            tables.append(symbol_legend(symbols))
        return tables

    def _has_ignored(self) -> bool:
        sums = self.sums.get().sums
        return sums is not None and sums.has_ignored

    def _is_folded(self) -> bool:
        """Return what the user chose.

        At first the page is more than the figures on a small canvas.
        """
        chosen, canvas = self._settings.get(LEGEND_FOLDED), self._canvas
        small = canvas.width() < ROOMY[0] or canvas.height() < ROOMY[1]
        return small if chosen is None else chosen

    def _fold(self) -> None:
        self._settings.set(LEGEND_FOLDED, not self._is_folded())
        self.place()

    def _paint_icons(self) -> None:
        self._show_folded(self._is_folded())

    def _explained(self) -> str:
        overlay = self._overlay.value
        meanings = [
            *(MEANINGS[kind] for kind in shown_kinds(self._has_ignored()) if overlay.has_areas),
            *(SYMBOL_MEANINGS[state] for state in SymbolState if overlay.has_symbols),
        ]
        lines = "".join(
            f"<p><b>{text}</b><br>{meaning}</p>"
            for text, meaning in zip(self.texts(), meanings, strict=True)
        )
        return rich(lines + (f"<p>{EXPLAINED}</p>" if overlay.has_areas else ""))
