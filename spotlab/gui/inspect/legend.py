"""Says in a corner of the canvas what the colours mean and how much of each there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from spotlab.gui.inspect.legend_table import (
    GAP,
    LegendControls,
    LegendTable,
    area_legend,
    paint_sheet,
    paint_words,
    symbol_legend,
    word_width,
)
from spotlab.gui.inspect.overlay_switch import OverlaySwitch
from spotlab.gui.inspect.state.overlay_choice import OverlayChoice
from spotlab.gui.inspect.state.page_sums import PageSums, ShownSums
from spotlab.gui.inspect.state.run_on_page import RunOnPage
from spotlab.gui.kit import icons, theme
from spotlab.gui.kit.known_settings import LEGEND_FOLDED
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.pages.workbench import Workbench
from spotlab.report.pictures import EXPLAINED, MEANINGS, shown_kinds
from spotlab.studies.tally.page_view import PageSymbols, SymbolState

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
    """How the legend is laid out: tables side by side or one below another, or words in a line."""

    BESIDE = auto()
    BELOW = auto()
    LINE = auto()


class Legend(QWidget):
    """What is painted of the open page, with figures, and what shall be painted.

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
        row = QHBoxLayout()
        row.setSpacing(_GAP)
        row.addStretch(1)
        for control in self._controls:
            row.addWidget(control)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(_EDGE, 0, _EDGE - 4, 4)
        column.addStretch(1)
        column.addLayout(row)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._stop = self.sums.changed.connect(self.place)
        icons.repainted.changed.connect(self._paint_icons)

    def stop(self) -> None:
        """Hear of nothing any more."""
        self._stop()
        self.switch.stop()

    def texts(self) -> list[str]:
        """What is said of each kind and state, with its figures."""
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
        """Where the tables stand, from the corner of the first one."""
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
        """What the user chose; at first the page is more than the figures on a small canvas."""
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
