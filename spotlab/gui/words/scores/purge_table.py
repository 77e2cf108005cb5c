"""Effect of the threshold on each list, one line per list, with all lists visible."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from PySide6.QtCore import QItemSelection, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from spotlab.errors import counted
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.rows import Index, RowColumn, RowModel
from spotlab.gui.kit.table_view import row_table, tabular
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import in_column
from spotlab.measures.measure import Figure
from spotlab.model.ranked_list import RankedList
from spotlab.ranking.purge import Purge, PurgePoint
from spotlab.report.figure_text import UNDEFINED, hint, written

PURGE_FIGURES = {figure.name: figure for figure in (
    Figure("kept", "Kept", "count", 0,
           "How many items of the list score at least the threshold; the others are purged."),
    Figure("true", "Kept ✓", "count", 1, "How many of the kept items are relevant."),
    Figure("false", "Kept ✗", "count", -1, "How many of the kept items are not relevant."),
    Figure("unknown", "Kept, unknown", "count", 0,
           "How many of the kept items nobody has judged; they count neither as ✓ nor as ✗."),
    Figure("ties", "Ties at the cut", "count", 0,
           "How many kept items have the same score as the last one. A threshold keeps all of them "
           "or none. Undefined where nothing is kept."),
    Figure("precision", "Precision", "", 1,
           "P = ✓ / (✓ + ✗) of the kept items. Undefined where nothing known is kept."),
    Figure("recall", "Recall", "", 1,
           "R = kept ✓ / all relevant items of the collection, found or not. Undefined where "
           "none is known to be relevant."),
    Figure("f", "F", "", 1,
           "F = 2 P R / (P + R): high only where precision and recall both are. Undefined where "
           "one of them is."),
    Figure("removed", "✗ removed", "", 1,
           "Purged ✗ / all ✗ of the list: how much of what is wrong the threshold takes away. "
           "Undefined where the list has no ✗."),
    Figure("lost", "✓ lost", "", -1,
           "Purged ✓ / all ✓ of the list: what that costs. Undefined where the list has no ✓."),
)}  # fmt: skip
OF_BOTH = ("precision", "recall", "f")  # say nothing where only relevant items are judged


def purge_values(purge: Purge, threshold: float, ranked: RankedList) -> Mapping[str, float | None]:
    """The values of `PURGE_FIGURES`, None where they are undefined.

    Where only relevant items are judged, and others are not, precision, recall and F are undefined:
    they would be 1 whatever the list is worth.

    Parameters
    ----------
    purge : Purge
    threshold : float
    ranked : RankedList

    Examples
    --------
    >>> ranked = RankedList("WS", np.arange(3), np.array([0.9, 0.8, 0.7]))
    >>> purge = Purge.of(ranked, np.array([1, 1, -1]), 2)
    >>> values = purge_values(purge, 0.85, ranked)
    >>> values["kept"], values["precision"], values["recall"], values["lost"]
    (1, None, None, 0.5)
    """
    point: PurgePoint = purge.at(threshold)
    values: dict[str, float | None] = {
        "kept": point.kept,
        "true": point.true,
        "false": point.false,
        "unknown": point.unknown,
        "ties": ties_at(ranked, point.kept),
        "precision": point.precision,
        "recall": point.recall,
        "f": point.f,
        "removed": point.removed,
        "lost": point.lost_share,
    }
    if purge.one_sided:
        values.update(dict.fromkeys(OF_BOTH))
    return values


def ties_at(ranked: RankedList, kept: int) -> int | None:
    """Tell how many other items share the score of the last that is kept; None where none is.

    Examples
    --------
    >>> ranked = RankedList("WS", np.arange(4), np.array([0.9, 0.7, 0.7, 0.2]))
    >>> ties_at(ranked, 3), ties_at(ranked, 1), ties_at(ranked, 0)
    (1, 0, None)
    """
    if not kept:
        return None
    score = ranked.score[kept - 1]  # from the end, so that nothing is copied
    first, last = (
        len(ranked) - np.searchsorted(ranked.score[::-1], score, side=side)
        for side in ("right", "left")
    )
    return int(last - first) - 1


def judged_note(purges: list[Purge]) -> str:
    """Of how many words the figures are, where not all of them are judged; else nothing.

    Examples
    --------
    >>> ranked = RankedList("WS", np.arange(3), np.array([0.9, 0.8, 0.7]))
    >>> judged_note([Purge.of(ranked, np.array([1, 1, -1]), 2)])
    'Of 2 judged words of 3. No ✗ is judged: P, R and F are not known.'
    >>> judged_note([Purge.of(ranked, np.array([1, 0, -1]), 1)])
    'Of 2 judged words of 3.'
    >>> judged_note([Purge.of(ranked, np.array([1, 0, 0]), 1)])
    ''
    """
    partly = [purge for purge in purges if purge.judged < purge.judgeable]
    if not partly:
        return ""
    widest = max(partly, key=len)
    if not widest.judged:
        return "No word is judged: G judges the chosen word right, R wrong."
    note = f"Of {counted(widest.judged, 'judged word')} of {widest.judgeable:,}."
    if widest.one_sided:
        note += " No ✗ is judged: P, R and F are not known."
    return note


AP = Figure(
    "average_precision", "Average precision", "", 1,
    "AP = Σ P@n · r(n) / R over the ranks n of relevant items; R is the number of all relevant "
    "items (Hast, eq. 3). The threshold does not change it.",
)  # fmt: skip
FIGURES = {"average_precision": AP, **PURGE_FIGURES}
HEADS = {
    "kept": "kept", "true": "✓", "false": "✗", "unknown": "?", "average_precision": "AP",
    "precision": "P", "recall": "R", "f": "F", "lost": "lost", "removed": "out",
}  # fmt: skip
NAMES = tuple(HEADS)
COUNTS = ("kept", "true", "false", "unknown")
ALWAYS = ("kept", "precision", "recall", "f", "lost")
# the others come in this order as far as there is room
THEN = ("average_precision", "true", "false", "removed", "unknown")
ROW, HEAD, AROUND = 21, 25, 2  # px
NAME, FIGURE = 60, 46  # px, at least
SWATCH = 10  # px
_Role = Qt.ItemDataRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SELECTED = QStyle.StateFlag.State_Selected
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, eq=False)
class PurgeRow:
    """Effect of the threshold on one list.

    Attributes
    ----------
    name, title, definition, colour : str
    values : mapping of str to float or None
        Of `FIGURES`.
    partly : bool
        Whether not all of its words are judged: its figures are dimmed.
    """

    name: str
    title: str
    definition: str
    colour: str
    values: Mapping[str, float | None] = field(default_factory=dict)
    partly: bool = False


class _Cells(QStyledItemDelegate):
    """Paints figures itself: all of them change with every step of a drag."""

    def __init__(self, model: RowModel[PurgeRow], swatch: Callable[[PurgeRow], QIcon]) -> None:
        super().__init__(model)
        self._model, self._swatch = model, swatch
        self._key, self._inks = -1, (QColor(), QColor())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A figure, or the name of a list beside its colour; the chosen row has another ground."""
        place, column, row = option.rect, index.column(), self._model.shown[index.row()]
        if _SELECTED in option.state:
            painter.fillRect(place, option.palette.brush(QPalette.ColorRole.Midlight))
        name = NAMES[column - 1]
        quiet = column and row.partly and name not in COUNTS
        painter.setPen(self._pens(option.palette)[bool(quiet)])
        if column:
            painter.drawText(place.adjusted(0, 0, -4, 0), _RIGHT, _written(name, row))
            return
        self._swatch(row).paint(painter, place.left() + 2, place.top(), SWATCH, ROW)
        inside = place.adjusted(SWATCH + 8, 0, 0, 0)
        title = option.fontMetrics.elidedText(
            row.title, Qt.TextElideMode.ElideRight, inside.width()
        )
        painter.drawText(inside, _LEFT, title)

    def _pens(self, palette: QPalette) -> tuple[QColor, QColor]:
        """Of what is known, and of what is dimmed."""
        if palette.cacheKey() != self._key:
            text = palette.color(QPalette.ColorRole.Text)
            self._key, self._inks = palette.cacheKey(), (text, theme.quiet(palette))
        return self._inks


class PurgeTable(QWidget):
    """Shows `PurgeRow`; a click chooses the list whose suggestions are marked."""

    list_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._swatches: dict[str, QIcon] = {}
        columns = [RowColumn("", self._title, tip=_tip, icon=self._swatch)]
        columns += [self._column(name, title) for name, title in HEADS.items()]
        self.model: RowModel[PurgeRow] = RowModel(columns, self)
        self.view: QTableView = row_table(
            self.model, "What the threshold leaves", [NAME] + [FIGURE] * len(HEADS), self
        )
        self.view.setItemDelegate(_Cells(self.model, self._swatch))
        self.view.verticalHeader().setMinimumSectionSize(ROW)
        self.view.verticalHeader().setDefaultSectionSize(ROW)
        self.view.setIconSize(QSize(SWATCH, SWATCH))
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        header = self.view.horizontalHeader()
        header.setMinimumSectionSize(30)
        header.setFixedHeight(HEAD)
        header.setFont(tabular(header.font(), 0.9))
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.view.selectionModel().selectionChanged.connect(self._choose)
        self._choosing = False
        in_column(self.view, of=self, margins=(8, AROUND, 4, AROUND))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)

    def show_rows(self, rows: Sequence[PurgeRow], chosen: str) -> None:
        """Show these; ``chosen`` is the name of the list whose suggestions are marked."""
        same = [row.name for row in rows] == [row.name for row in self.model.shown]
        self.model.show_rows(tuple(rows), same=same)
        if not same:
            self.updateGeometry()
            self._share_room()
        at = next((at for at, row in enumerate(rows) if row.name == chosen), None)
        if at is not None and at != self.view.currentIndex().row():
            self._choosing = True
            self.view.selectRow(at)
            self._choosing = False

    def texts(self, row: int) -> dict[str, str]:
        """Return what a line says, whether there is room for all of it or not."""
        return {name: _written(name, self.model.shown[row]) for name in HEADS}

    def columns(self) -> list[str]:
        """The figures that there is room for."""
        names = enumerate(HEADS, start=1)
        return [name for at, name in names if not self.view.isColumnHidden(at)]

    def sizeHint(self) -> QSize:
        """As high as all lines are."""
        return QSize(320, HEAD + ROW * len(self.model.shown) + 2 + 2 * AROUND)

    def minimumSizeHint(self) -> QSize:
        """All lines of five lists; more are scrolled where there is no room."""
        return QSize(200, min(self.sizeHint().height(), HEAD + 5 * ROW + 6))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is room for more figures, or for fewer."""
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """Show the whole names of the lists, then as many figures as there is room for."""
        room = self.width() - 14
        metrics = self.view.fontMetrics()
        widest = max((metrics.horizontalAdvance(row.title) for row in self.model.shown), default=0)
        most = max(NAME, room - FIGURE * len(ALWAYS))
        names = min(max(NAME, widest + SWATCH + 16), most)
        more = max(0, (room - names - FIGURE * len(ALWAYS)) // FIGURE)
        shown = {*ALWAYS, *THEN[:more]}
        wide = max(FIGURE, min(64, (room - names) // len(shown)))
        for at, name in enumerate(HEADS, start=1):
            self.view.setColumnHidden(at, name not in shown)
            self.view.setColumnWidth(at, wide)
        self.view.setColumnWidth(0, room - wide * len(shown))

    def _column(self, name: str, title: str) -> RowColumn[PurgeRow]:
        figure = FIGURES[name]
        more: dict[int, Callable[[PurgeRow], QColor | None]] = {
            _Role.ForegroundRole: partial(self._ink, name)
        }
        return RowColumn(
            title, partial(_written, name), tip=lambda row: rich(f"{_tip(row)}{hint(figure)}"),
            right=True, head_tip=rich(hint(figure)), more=more,
        )  # fmt: skip

    def _ink(self, name: str, row: PurgeRow) -> QColor | None:
        return theme.quiet(self.palette()) if row.partly and name not in COUNTS else None

    def _title(self, row: PurgeRow) -> str:
        return row.title

    def _swatch(self, row: PurgeRow) -> QIcon:
        colour = readable(row.colour, theme.colours(self.palette()).base)
        if colour not in self._swatches:
            picture = QPixmap(SWATCH, SWATCH)
            picture.fill(QColor(colour))
            self._swatches[colour] = QIcon(picture)
        return self._swatches[colour]

    def _choose(self, selected: QItemSelection, _: QItemSelection) -> None:
        rows = [index.row() for index in selected.indexes()]
        if rows and not self._choosing:
            self.list_wanted.emit(self.model.shown[rows[0]].name)


def _written(name: str, row: PurgeRow) -> str:
    value = row.values.get(name)
    return UNDEFINED if value is None else written(value, FIGURES[name].unit)


def _tip(row: PurgeRow) -> str:
    return rich(
        f"<p><b>{html.escape(row.title)}</b>: {html.escape(row.definition)}</p>"
        "<p>Click to mark the thresholds that this list suggests.</p>"
    )
