"""A measure over rank where it is uncertain: median, and the bands of 50 and 95 %."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QLabel,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_items import mixed, readable
from spotlab.gui.kit.plots.readout import PointedPlot, ShareAxis
from spotlab.gui.kit.table_view import tabular
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.theme import Colours
from spotlab.gui.systems.subjects.subjects_state import Subjects
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.studies.uncertain.study import CategoryRelevance, UncertainStudy
from spotlab.studies.words.displacement import DisplacementStudy
from spotlab.uncertain_truth.answers import Band

MOST, HALF = 42, 84  # of 255: the wide band is paler
DOTS = 40  # cut-offs up to which each median has a dot
MARGIN = 0.07  # of an axis, beyond what it shows: a ring at its end is whole
MOVES = {
    Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -(10**9), Qt.Key.Key_End: 10**9,
}  # fmt: skip


class BandsPlot(PointedPlot):
    """A click chooses a cut-off, arrows the next one."""

    moved = Signal(int)  # so many cut-offs further

    def __init__(self, title: str) -> None:
        axes = {"left": ShareAxis("left", title), "bottom": ShareAxis("bottom", "Items returned")}
        super().__init__(axisItems=axes)
        self.title = title
        self.setAccessibleName(f"{title} over the number of items returned")
        self.setMinimumHeight(90)
        self.plotItem.layout.setContentsMargins(0, 6, 6, 0)
        self._axes = tuple(axes.values())
        self.cut_off: NDArray[np.int64] = np.zeros(0, np.int64)
        self.band: Band | None = None
        self._most, self._half = (
            pg.PlotCurveItem(antialias=True, pen=None, fillLevel="enclosed") for _ in range(2)
        )
        self._median = pg.PlotCurveItem(antialias=True)
        self._dots, self._ring, self._over = (
            pg.ScatterPlotItem(size=size, pen=None, brush=None, useCache=False)
            for size in (6, 13, 8)
        )
        for item in (
            self._most, self._half, self._median, self._dots, self._ring, self._over
        ):  # fmt: skip
            self.plotItem.addItem(item, ignoreBounds=True)
        self._chosen: int | None = None

    def set_titled(self, titled: bool) -> None:
        """Of plots above each other the last one's axis says what it is."""
        self._axes[1].titled = titled

    @property
    def titled(self) -> bool:
        """See `set_titled`."""
        return bool(self._axes[1].titled)

    def paint_in(self, colours: Colours, weight: float = 1.0) -> None:
        """Take the theme's colours."""
        self.setBackground(colours.base)
        font = QFont(QApplication.font())
        font.setPointSizeF(font.pointSizeF() * 0.85)
        for axis in self._axes:
            axis.paint_in(colours, font, weight)
        colour = readable(colours.accent, colours.base)
        self._median.setPen(pg.mkPen(colour, width=2 * weight))
        self._dots.setBrush(pg.mkBrush(colour))
        for item, alpha in ((self._most, MOST), (self._half, HALF)):
            shade = QColor(colour)
            shade.setAlpha(alpha)
            item.setBrush(pg.mkBrush(shade))
        self._ring.setPen(pg.mkPen(colours.text, width=2 * weight))
        self._over.setBrush(pg.mkBrush(colours.text))

    def show_band(self, cut_off: NDArray[np.int64], band: Band | None) -> None:
        """Draw this, as far as it is defined."""
        self.cut_off, self.band = cut_off, band
        known = self._known()
        x = cut_off[known].astype(float)
        for item, shares in ((self._most, "middle_95"), (self._half, "middle_50")):
            ends = None if band is None else getattr(band, shares)[known]
            drawn = ends is not None and len(x) > 1 and not np.isnan(ends).any()
            item.setVisible(drawn)
            if ends is not None and drawn:
                low, high = ends.T
                item.setData(np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]]))
        median = np.zeros(0) if band is None else band.median[known]
        self._median.setData(x, median)
        few = len(x) <= DOTS
        self._dots.setData(x if few else [], median if few else [])
        self.show_hover(None)
        self.show_chosen(None)
        self.reset_view()

    def show_chosen(self, at: int | None) -> None:
        """Ring a cut-off, by its place."""
        self._chosen = at
        self._ring.setData(*self._point(at))

    def show_hover(self, at: int | None) -> None:
        """Put a dot at what the pointer is at."""
        self._over.setData(*self._point(at))

    def reset_view(self) -> None:
        """Show all there is; recall may pass 1."""
        last = float(self.cut_off[-1]) if len(self.cut_off) else 1.0
        band, known = self.band, self._known()
        high = 1.0
        if band is not None and known.any():
            ends = (band.median[known], band.middle_95[known].ravel())
            high = max(high, float(np.nanmax(np.concatenate(ends))))
        across, up = MARGIN * max(last - 1, 1), MARGIN * high
        first = 1.0 if last > 1 else 0.5
        x, y = (first - across, max(last, 1.5) + across), (-up, high + up)
        self.box.setLimits(xMin=x[0], xMax=x[1], yMin=y[0], yMax=y[1], minXRange=2, minYRange=0.02)
        self.box.setRange(xRange=x, yRange=y, padding=0)

    def hit(self, position: QPointF) -> int | None:
        """The place of the nearest cut-off that is defined; None beside the plot."""
        known = np.flatnonzero(self._known())
        x, _ = self.place_at(position)
        inside = self.box.mapRectToScene(self.box.rect()).contains(
            self.mapToScene(position.toPoint())
        )
        if not len(known) or not inside:
            return None
        return int(known[np.abs(self.cut_off[known] - x).argmin()])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all again."""
        super().mouseDoubleClickEvent(event)
        self.reset_view()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move from cut-off to cut-off."""
        key = Qt.Key(event.key())
        if key in MOVES:
            self.moved.emit(MOVES[key])
        else:
            super().keyPressEvent(event)

    def _known(self) -> NDArray[np.bool_]:
        if self.band is None:
            return np.zeros(len(self.cut_off), bool)
        return ~np.isnan(self.band.median)

    def _point(self, at: int | None) -> tuple[list[float], list[float]]:
        if at is None or self.band is None or not self._known()[at]:
            return [], []
        return [float(self.cut_off[at])], [float(self.band.median[at])]


class SubjectBands(QWidget):
    """A click chooses the item of a rank."""

    def __init__(self, subjects: Subjects, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.subjects = subjects
        self.plots = (BandsPlot("Precision"), BandsPlot("Recall"))
        self.plots[0].set_titled(False)
        self.readout = QLabel()
        self.readout.setToolTip("Median, and between which values the middle 50 % and 95 % are")
        self.readout.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for plot in self.plots:
            column.addWidget(plot, 1)
            plot.hovered.connect(self._hover)
            plot.clicked.connect(self._choose)
            plot.moved.connect(self._move)
        column.addWidget(self.readout)
        self._paint()

    def refresh(self) -> None:
        """Show the chosen answer and item."""
        answer = self.subjects.answer
        self.setVisible(answer is not None)
        if answer is not None:
            bands = answer.bands
            for plot, band in zip(self.plots, (bands.precision, bands.recall), strict=True):
                if plot.band is not band:
                    plot.show_band(bands.cut_off, band)
        at = self._chosen()
        for plot in self.plots:
            plot.show_chosen(at)
        self._read_out(at)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._paint()

    def _chosen(self) -> int | None:
        """The place of the first cut-off that has the chosen item."""
        answer = self.subjects.answer
        if answer is None or self.subjects.item not in answer.items:
            return None
        rank = answer.items.index(self.subjects.item) + 1
        cuts = answer.bands.cut_off
        found = int(cuts.searchsorted(rank))
        return found if found < len(cuts) else None

    def _read_out(self, at: int | None) -> None:
        answer = self.subjects.answer
        if answer is None or at is None:
            self.readout.setText("")
            return
        cut = int(answer.bands.cut_off[at])
        lines = [f"<b>{cut:,}</b> {html.escape(answer.items[cut - 1])}"]
        for title, band in (("P", answer.bands.precision), ("R", answer.bands.recall)):
            lines.append(f"{title} {band_text(band, at)}")
        self.readout.setText(rich("<br>".join(lines)))

    def _hover(self, at: int | None) -> None:
        for plot in self.plots:
            plot.show_hover(at)
        self._read_out(at if at is not None else self._chosen())

    def _choose(self, at: int | None) -> None:
        answer = self.subjects.answer
        if at is not None and answer is not None:
            self.subjects.choose_item(answer.items[int(answer.bands.cut_off[at]) - 1])

    def _move(self, step: int) -> None:
        answer = self.subjects.answer
        if answer is not None and len(answer.bands.cut_off):
            now, last = self._chosen(), len(answer.bands.cut_off) - 1
            start = now if now is not None else -1 if step > 0 else last + 1
            self._choose(min(max(start + step, 0), last))

    def _paint(self) -> None:
        for plot in self.plots:
            plot.paint_in(theme.colours(self.palette()))


def band_text(band: Band, at: int) -> str:
    """Median and both bands at a cut-off, as far as there are bands."""
    half, most = band.middle_50[at].tolist(), band.middle_95[at].tolist()
    if not np.isfinite(most).all():
        return written(float(band.median[at]))
    return (
        f"{written(float(band.median[at]))}, 50 % {written(half[0])}–{written(half[1])}, "
        f"95 % {written(most[0])}–{written(most[1])}"
    )


Index = QModelIndex | QPersistentModelIndex
SHARES = Qt.ItemDataRole.UserRole + 1  # p(ω|q), and the share assigned to just this category
HEADS = (
    ("Category", "Each belongs to all above it too"),
    ("p(ω|q)", "The share of the item's subjects that assigned it to this category or to one below "
     "it; the strong part to just this one. The root has 1"),
    ("|ω|", "How many items the category is expected to have: the sum of all items' shares"),
)  # fmt: skip
PALE = 0.45
WIDTH = 150


class CategoryTreeView(QTreeWidget):
    """Made anew for another tree, and filled in for another item."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Categories")
        self.setColumnCount(len(HEADS))
        self.setHeaderLabels([title for title, _ in HEADS])
        for column, (_, tip) in enumerate(HEADS):
            self.headerItem().setToolTip(column, rich(f"<p>{tip}</p>"))
        self.setIndentation(14)
        self.setUniformRowHeights(True)
        self._delegate = _ShareDelegate(self)
        self.setItemDelegateForColumn(1, self._delegate)
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.relevance: CategoryRelevance | None = None
        self.rows: list[QTreeWidgetItem] = []

    def show_tree(self, relevance: CategoryRelevance) -> None:
        """Make a row for each category."""
        if relevance is self.relevance:
            return
        self.relevance = relevance
        self.clear()
        self.rows = []
        tree = relevance.judgements.tree
        for at, name in enumerate(tree.categories):
            above = int(tree.parent[at])
            row = QTreeWidgetItem(self) if above < 0 else QTreeWidgetItem(self.rows[above])
            row.setText(0, name)
            row.setText(2, f"{relevance.size[at]:,.1f}")
            row.setTextAlignment(2, Qt.AlignmentFlag.AlignRight)
            row.setFont(2, tabular(self.font()))
            self.rows.append(row)
        self.expandAll()

    def show_item(self, item: str | None) -> None:
        """Fill in what the subjects say of an item."""
        relevance = self.relevance
        if relevance is None:
            return
        judgements = relevance.judgements
        at = judgements.number.get(item) if item is not None else None
        nothing = np.full(len(self.rows), np.nan)
        shares = nothing if at is None else relevance.probability[at]
        direct = nothing if at is None else relevance.direct[at]
        for row, share, own in zip(self.rows, shares.tolist(), direct.tolist(), strict=True):
            row.setData(1, SHARES, (share, own))
            said = UNDEFINED if math.isnan(own) else f"{written(own)} assigned it to just this"
            row.setToolTip(1, f"{written(share)}; {said}")


class _ShareDelegate(QStyledItemDelegate):
    """A bar from 0 to 1 and its number."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        share, own = index.data(SHARES) or (math.nan, math.nan)
        palette: QPalette = option.palette
        colours = theme.colours(palette)
        painter.save()
        painter.setFont(tabular(option.font))
        text = palette.color(QPalette.ColorRole.Text)
        painter.setPen(theme.quiet(palette) if math.isnan(share) or share == 0 else text)
        place = option.rect.adjusted(6, 0, -6, 0)
        width = painter.fontMetrics().horizontalAdvance("1.000") + 8
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, written(share))
        bar = QRectF(place.left() + width, place.center().y() - 4, place.width() - width, 9)
        painter.fillRect(bar, QColor(mixed(colours.line, colours.base, 0.6)))
        if not math.isnan(share):
            whole, just = QRectF(bar), QRectF(bar)
            whole.setWidth(bar.width() * share)
            just.setWidth(bar.width() * own)
            painter.fillRect(whole, QColor(mixed(colours.accent, colours.base, PALE)))
            painter.fillRect(just, QColor(colours.accent))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(WIDTH, 26)


Heads = Sequence[tuple[str, str]]
MEANS: Heads = (
    ("System", "The mean over its queries, at the cut-off at which systems are compared"),
    ("Precision", "The expected mean precision and its middle 95 %"),
    ("Recall", "The mean of the expected recalls k/|ω|; it can pass 1, as |ω| is an expectation"),
    ("Queries", "How many it answers long enough"),
)
BETWEEN: Heads = (
    ("a, b", "System a beside system b, over the queries that both answer long enough"),
    ("P(a > b)", "The probability that a's mean precision is higher; items that both return "
     "are relevant to both or to neither"),
    ("P(a < b)", "The probability that b's is higher; what lacks to 1 is that both are equal"),
    ("Difference", "a's expected mean precision less b's, and its middle 95 %"),
)  # fmt: skip
DISPLACEMENT = (
    "Weighted displacement Σ s |k − π|: how far the system's answer is from the order in which the "
    "subject would rank; smaller is better (Santini, eq. 17)"
)


class SubjectTable(QTableWidget):
    """Rows of text; the first column takes what room is left."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(26)
        self.setShowGrid(False)
        self.setFont(tabular(self.font()))
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)

    def show_rows(self, heads: Heads, rows: Sequence[Sequence[str]]) -> None:
        """Show these."""
        self.setColumnCount(len(heads))
        self.setRowCount(len(rows))
        for column, (title, tip) in enumerate(heads):
            head = QTableWidgetItem(title)
            head.setToolTip(rich(f"<p>{tip}</p>"))
            left = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
            head.setTextAlignment(left | Qt.AlignmentFlag.AlignVCenter)
            self.setHorizontalHeaderItem(column, head)
            for row, values in enumerate(rows):
                cell = QTableWidgetItem(values[column])
                cell.setToolTip(values[column] if column == 0 else "")
                cell.setTextAlignment(left | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, cell)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        if heads:
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)


def mean_rows(study: UncertainStudy) -> list[tuple[str, ...]]:
    """Each system's mean precision and recall."""
    rows: list[tuple[str, ...]] = []
    for each in study.means:
        precision = UNDEFINED
        if each.precision is not None:
            precision = f"{written(each.precision.mean)} {_interval(each.precision.band(0.95))}"
        rows.append((each.system, precision, written(each.recall), f"{each.queries:,}"))
    return rows


def between_rows(study: UncertainStudy) -> list[tuple[str, ...]]:
    """Each two systems."""
    rows: list[tuple[str, ...]] = []
    for each in study.comparisons:
        name, found = f"{each.a}, {each.b}", each.comparison
        if found is None:
            rows.append((name, UNDEFINED, UNDEFINED, UNDEFINED))
            continue
        difference = f"{_signed(found.mean)} {_interval(found.interval)}"
        rows.append((name, written(found.superiority), written(found.inferiority), difference))
    return rows


def displacement_rows(study: DisplacementStudy) -> tuple[Heads, list[tuple[str, ...]]]:
    """The mean of each system, then a row for each subject; the best system first."""
    heads = [("Subject", DISPLACEMENT)]
    heads += [
        (each.system, f"{DISPLACEMENT}. Mean quality {written(each.quality)}")
        for each in study.systems
    ]
    own = [
        {each.subject: each.displacement for each in system.subjects} for system in study.systems
    ]
    subjects = dict.fromkeys(name for each in own for name in each)
    rows: list[tuple[str, ...]] = [
        ("mean", *(_displaced(system.displacement) for system in study.systems))
    ]
    rows += [(name, *(_displaced(each.get(name)) for each in own)) for name in subjects]
    return heads, rows


def _displaced(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:,.2f}"


def _interval(ends: tuple[float, float]) -> str:
    return f"[{_signed(ends[0])}, {_signed(ends[1])}]"


def _signed(value: float) -> str:
    return f"−{written(-value)}" if value < 0 else written(value)
