"""Says in a corner of the canvas what the colours of a comparison mean, and how much there is."""

from __future__ import annotations

import html
from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from spotlab.gui.inspect.compare.on_page import ComparedOnPage
from spotlab.gui.inspect.legend_table import (
    ROW,
    LegendControls,
    LegendRow,
    LegendTable,
    area_mark,
    paint_sheet,
    paint_words,
    word_width,
)
from spotlab.gui.inspect.state.comparison import ComparisonState
from spotlab.gui.kit import theme
from spotlab.gui.kit.known_settings import LEGEND_FOLDED
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.kit.settings import Settings
from spotlab.imaging.overlay import COMPARED_LOOKS, FALSE_KINDS, TRUTH_KINDS, ComparedKind
from spotlab.studies.tally.page_view import SUM_OVER_QUERIES

_CORNER = 14  # from the canvas' corner, screen px
_EDGE = 10  # px around what it says
_SLIDER = 26  # px of height
_FOLD = 20  # px, the side of the button
_MUCH = 0.12  # of the canvas, from which it begins folded
_PART = 0.6  # of the canvas' height that it may cover
SAME = 1e-6  # share up to which a sum over queries is the area as painted


class ComparisonLegend(QWidget):
    """The kinds of truth and of false area in px² with their shares; a slider for the opacity."""

    def __init__(
        self, canvas: QWidget, comparison: ComparisonState, on_page: ComparedOnPage,
        settings: Settings, opacity: float, set_opacity: Callable[[float], object],
    ) -> None:  # fmt: skip
        super().__init__(canvas)
        self._canvas = canvas
        self._comparison = comparison
        self._on_page = on_page
        self._settings = settings
        self._wanted = False
        self._table = LegendTable((), ())
        self._in_lines = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        controls = LegendControls(self, opacity, set_opacity, self._fold)
        self.slider, self.fold, self._show_folded = (
            controls.slider,
            controls.fold,
            controls.show_folded,
        )
        self.fold.setFixedSize(_FOLD, _FOLD)

    def texts(self) -> dict[ComparedKind, str]:
        """What is said of each kind."""
        rows = self._full_table().rows
        kinds = (*TRUTH_KINDS, *FALSE_KINDS)
        return {
            kind: " · ".join((row.name, *row.cells)) for kind, row in zip(kinds, rows, strict=True)
        }

    def follow(self, shown: bool) -> None:
        """Show it while differences are on the canvas."""
        self._wanted = shown
        self.place()

    def place(self) -> None:
        """Stay in the canvas' lower left corner; in a small canvas it has no figures."""
        if not self._wanted:
            self.hide()
            return
        full = self._full_table()
        words = LegendTable((), tuple(LegendRow(row.mark, row.name) for row in full.rows))
        folded = self._is_folded(full)
        fits = False
        for self._table, self._in_lines in ((full, False), (words, True))[folded:]:
            size = self.sizeHint()
            fits = (
                size.width() <= self._canvas.width() - 2 * _CORNER
                and size.height() <= _PART * self._canvas.height()
            )
            if fits:
                break
        self.setToolTip(self._explained())
        self.setVisible(fits)
        self.resize(self.sizeHint())
        self.move(_CORNER, self._canvas.height() - self.height() - _CORNER)
        self.slider.setVisible(not self._in_lines)
        left = self.width() - _FOLD - 4
        self.slider.move(left - self.slider.width() - 4, self.height() - _SLIDER)
        self.fold.move(left, 4 if self._in_lines else self.height() - _FOLD - 4)
        self._show_folded(bool(folded))
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the rows with the slider below them, or for lines of words."""
        if self._in_lines:
            lines = self._lines()
            wide = max(sum(map(self._width, line)) for line in lines)
            return QSize(round(wide) + 2 * _EDGE + _FOLD, len(lines) * ROW + 8)
        size = self._table.size(self.font())
        width = max(round(size.width()), self.slider.width() + _FOLD)
        return QSize(width + 2 * _EDGE, round(size.height()) + _SLIDER + 8)

    def _lines(self) -> list[list[LegendRow]]:
        """The rows side by side, truth first, in as many lines as the canvas needs."""
        room = self._canvas.width() - 2 * (_CORNER + _EDGE) - _FOLD
        lines: list[list[LegendRow]] = []
        for rows in (self._table.rows[: len(TRUTH_KINDS)], self._table.rows[len(TRUTH_KINDS) :]):
            lines.append([])
            for row in rows:
                if lines[-1] and sum(map(self._width, [*lines[-1], row])) > room:
                    lines.append([])
                lines[-1].append(row)
        return lines

    def _width(self, row: LegendRow) -> float:
        return word_width(row, self.font())

    def _fold(self) -> None:
        self._settings.set(LEGEND_FOLDED, not self._is_folded(self._full_table()))
        self.place()

    def _is_folded(self, full: LegendTable) -> bool:
        """As the user has chosen; else where the figures would cover much of the canvas."""
        chosen, size = self._settings.get(LEGEND_FOLDED), full.size(self.font())
        covers = size.width() * size.height() > _MUCH * self._canvas.width() * self._canvas.height()
        return bool(covers if chosen is None else chosen)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The marks, the words, and the figures."""
        colours = theme.colours(self.palette())
        with QPainter(self) as painter:
            paint_sheet(painter, self.rect(), colours)
            if not self._in_lines:
                self._table.paint(painter, _EDGE, 6, colours)
                return
            for number, line in enumerate(self._lines()):
                place = QRectF(_EDGE, 4 + ROW * number, self.width(), ROW)
                paint_words(painter, line, place, colours)

    def _full_table(self) -> LegendTable:
        """Figures of what is shown now; without them where they are not known yet."""
        painted, summed = self._on_page.painted(), self._on_page.sums()
        kinds = (*TRUTH_KINDS, *FALSE_KINDS)
        if painted is None:
            return LegendTable((), tuple(_row(kind) for kind in kinds))
        several = summed is not None and any(
            abs(summed[kind] - painted[kind]) > SAME * max(summed[kind], painted[kind])
            for kind in kinds
        )
        rows = []
        for of_kind in (TRUTH_KINDS, FALSE_KINDS):
            whole = sum(painted[kind] for kind in of_kind)
            for kind in of_kind:
                share = f"{100 * painted[kind] / whole:.1f} %" if whole > 0 else "–"
                cells = [f"{painted[kind]:,.0f} px²", share]
                if several and summed is not None:
                    cells.append(f"{summed[kind]:,.0f} px²")
                rows.append(_row(kind, *cells))
        head = ("as painted", "share", *([SUM_OVER_QUERIES] if several else []))
        return LegendTable(head, tuple(rows))

    def _explained(self) -> str:
        first, second = self._comparison.first, self._comparison.second
        names = ""
        if first and second:
            names = html.escape(f"A is {first.name}, B is {second.name}. ")
        lines = "<br>".join(map(html.escape, self.texts().values()))
        return rich(
            f"<p>{lines}</p><p>{names}Areas on this page as they are painted, each place once, "
            "exactly and in px²; shares are of all truth, and of all false area. A sum over "
            "queries counts a place once for each query that retrieves it or has it as truth.</p>"
        )


def _row(kind: ComparedKind, *cells: str) -> LegendRow:
    return LegendRow(area_mark(kind, COMPARED_LOOKS), kind.words, cells)
