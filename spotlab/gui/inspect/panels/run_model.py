"""The open runs, and the queries of the current one, as models for lists."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import QStyleOptionViewItem

from spotlab.errors import counted, shortened
from spotlab.gui.inspect.panels.error_model import ModelTips
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import CurveView
from spotlab.gui.inspect.symbol_marks import query_colours
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.rows import ROW_ROLE, Index, RowColumn, RowDelegate, RowModel, RowPainter
from spotlab.gui.kit.text import HEIGHT, WIDTH, line_sample, rich, short_title
from spotlab.measures.figures import RunFigures
from spotlab.measures.measure import Figure, known_figures
from spotlab.report.figure_text import short_count, written
from spotlab.studies.evaluate.inspected_run import InspectedRun, pages_so_far

ALL = "All queries"


@dataclass(frozen=True)
class RunQueryRow:
    """A query with what there is of it at the cut; ``name`` None stands for all of them."""

    name: str | None
    symbols: int
    spots: int
    kept: int
    figure: float | None
    colour: str = ""
    in_run: bool = True

    @property
    def title(self) -> str:
        """Return what the list shows."""
        if self.name is None:
            return ALL
        return self.name if self.symbols else f"{self.name} · not in the truth"


class RunModel(RowModel[InspectedRun]):
    """Rows are the open runs; a row can be checked to show its run in the plots."""

    def __init__(self, inspection: Inspection, parent: QObject | None = None) -> None:
        checked = {int(Qt.ItemDataRole.CheckStateRole): _check_state}
        super().__init__([RowColumn("Run", lambda run: run.name, self._tip, more=checked)], parent)
        self.inspection = inspection
        self.models = ModelTips(inspection)
        self.figure: Figure = self._f()
        inspection.view_changed.connect(self._follow_view)
        self.reread()

    def _f(self) -> Figure:
        """F by area or at the IoU, as precision and recall are looked at."""
        name = self.inspection.view.figure("f")
        return next(figure for figure in known_figures() if figure.name == name)

    def _follow_view(self) -> None:
        if self.figure.name in {view.figure("f") for view in CurveView}:
            self.figure = self._f()
            self.reread()

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows can be checked."""
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Show a run in the plots, or do not."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self.inspection.runs.show(index.row(), Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def value(self, run: InspectedRun) -> str:
        """The run's mean figure, at its cut if there is a figure there."""
        there = self.inspection.at_cut(run)
        if there is None or run.figures is None:
            return "…"
        name = self.figure.name
        if name not in there.columns:
            value: float | None = mean_of(run.figures, name)
        else:
            value = there.of(None)[name]
        return written(value, self.figure.unit, mean=self.figure.over == "mean")

    def title(self, run: InspectedRun) -> str:
        """Return what the figure is, and whether it is one of whole lists although they are cut."""
        there = self.inspection.at_cut(run)
        of_cut = there is None or there.whole or self.figure.name in there.columns
        title = in_a_line(self.figure.titled(self.inspection.runs.settings, unit=True))
        named = f"mean {title}" if self.figure.over == "mean" else f"{title}, pooled"
        return named if of_cut else f"{named}, whole lists"

    def spots(self, run: InspectedRun) -> str:
        """Tell how many spots there are, and how many of them are kept.

        While they are read, of what.
        """
        there, count = self.inspection.at_cut(run), len(run.run)
        kept = "" if there is None or there.whole else f"{there.kept:,} of "
        return pages_so_far(run) or f"{kept}{counted(count, 'spot')}"

    def reread(self) -> None:
        """Ask for the runs again."""
        self.show_rows(tuple(self.inspection.runs), same=True)
        self.models.follow()

    def _tip(self, run: InspectedRun) -> str:
        source = f"<br>{html.escape(str(run.run.source))}" if run.run.source else ""
        parts = (
            f"<b>{html.escape(run.name)}</b>{source}",
            f"{self.spots(run)}{self._cut_note(run)}, "
            f"{counted(len(run.run.queries), 'query')}, "
            f"{counted(len(run.run.pages), 'page')}",
            f"{self.title(run)} of all queries{self._cut_note(run)}: {self.value(run)}",
            *self.models.of(run),
            *_reading_tips(run),
            *_provenance_tip(run),
            "Tick the box to show the run in the plots; click the row to show it on the page.",
        )
        return rich("".join(f"<p>{part}</p>" for part in parts))

    def _cut_note(self, run: InspectedRun) -> str:
        there = self.inspection.at_cut(run)
        return "" if there is None or there.whole else " at the cut"


class RunQueryModel(RowModel[RunQueryRow]):
    """All queries, then each whose name holds what is typed."""

    def __init__(self, inspection: Inspection, parent: QObject | None = None) -> None:
        super().__init__([RowColumn("Query", lambda row: row.title, _query_tip)], parent)
        self.inspection = inspection
        self._wanted = ""
        self._all: list[RunQueryRow] = []
        self.reread()

    @property
    def all_queries(self) -> RunQueryRow | None:
        """The row of all of them together, whether it is shown or not."""
        return self._all[0] if self._all else None

    def row_of(self, name: str | None) -> int | None:
        """The row of a query; None where it is not shown."""
        return next((at for at, row in enumerate(self.shown) if row.name == name), None)

    def set_wanted(self, text: str) -> None:
        """Show queries with this in their names."""
        self._wanted = text.casefold()
        self._filter()

    def reread(self) -> None:
        """Ask for queries and figures again."""
        self._all = self._read()
        self._filter()

    def _filter(self) -> None:
        rows = [
            row
            for row in self._all
            if not self._wanted or (row.name is not None and self._wanted in row.name.casefold())
        ]
        same = [row.name for row in rows] == [row.name for row in self.shown]
        self.show_rows(rows, same=same)

    def _read(self) -> list[RunQueryRow]:
        current = self.inspection.runs.current
        if current is None or current.tally is None or current.figures is None:
            return []
        tally = current.tally
        colours = query_colours(self.inspection.collection.labels, tally.queries)
        symbols = tally.symbols.sum(axis=1).tolist()
        spots = np.diff(tally.starts).tolist()
        there = self.inspection.at_cut(current)
        assert there is not None  # its figures are there
        f = self.inspection.view.figure("f")
        columns = symbols, spots, there.counts.tolist(), there.columns[f].tolist()
        rows = [
            RunQueryRow(name, truth, count, kept, value, colour, count > 0)
            for name, colour, truth, count, kept, value in zip(
                tally.queries, colours, *columns, strict=True
            )
        ]
        rows.sort(key=lambda row: not row.symbols)  # those that the truth lacks stand last
        return [RunQueryRow(None, sum(symbols), sum(spots), there.kept, there.mean[f]), *rows]


def in_a_line(title: str) -> str:
    """A title as it is written after other words.

    Examples
    --------
    >>> in_a_line("Recognition rate"), in_a_line("F"), in_a_line("AP@.5"), in_a_line("IoU")
    ('recognition rate', 'F', 'AP@.5', 'IoU')
    """
    first = title.split(" ", maxsplit=1)[0]
    is_word = first[1:].islower()
    return title[0].lower() + title[1:] if is_word else title


def mean_of(figures: RunFigures, name: str) -> float:
    """One mean over the truth's queries, without computing the others; NaN where undefined."""
    column = figures.columns[name][figures.in_truth]
    defined = column[~np.isnan(column)]
    return float(defined.mean()) if len(defined) else np.nan


def _provenance_tip(run: InspectedRun) -> list[str]:
    """Return what made the run, a line for each entry."""
    entries = sorted(run.run.provenance.items())
    lines = [f"{html.escape(key)}: {html.escape(shortened(value))}" for key, value in entries]
    return ["<br>".join(["<i>Made by</i>", *lines])] if lines else []


def _reading_tips(run: InspectedRun) -> list[str]:
    if not run.changes:
        return []
    last, times = run.changes[-1], len(run.changes)
    again = f"Read again {'once' if times == 1 else f'{times:,} times'}"
    when = f"last at {last.time.astimezone():%H:%M:%S}"
    return [f"{again}, {when}: {html.escape(last.words)}"]


def _check_state(run: InspectedRun) -> Qt.CheckState:
    return Qt.CheckState.Checked if run.shown else Qt.CheckState.Unchecked


def _query_tip(row: RunQueryRow) -> str:
    lacks_truth = (
        "" if row.symbols
        else "<p>No truth region has this label: everything it retrieves is false, and it is in no "
        "mean.</p>"
    )  # fmt: skip
    lacks_spots = "" if row.in_run else "<p>The run has no spot for it.</p>"
    mean = "mean of all queries" if row.name is None else "of this query"
    kept, cut = (f"{row.kept:,} of ", ", at the cut") if row.kept < row.spots else ("", "")
    return rich(
        f"<p><b>{html.escape(row.title)}</b></p><p>{counted(row.symbols, 'symbol')} in the truth, "
        f"{kept}{counted(row.spots, 'spot')}, F {written(row.figure)} ({mean}{cut})</p>"
        f"{lacks_truth}{lacks_spots}"
    )


BOX = 16
LEFT = 12
RIGHT = 10
NAME = 120  # px that the name of a query keeps
COUNT = 40
WARNING = "#E69F00"
NO_COLOUR = "#808080"

_Align = Qt.AlignmentFlag


class RunDelegate(RowDelegate):
    """Colour and check box are one; the run that the canvas shows is marked."""

    ROW = 46

    def __init__(self, model: RunModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._took_click = False

    def took_click(self) -> bool:
        """Tell whether the last click was on a box, and so not on the row; asking forgets it."""
        took, self._took_click = self._took_click, False
        return took

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        run: InspectedRun = index.data(ROW_ROLE)
        current = index.row() == self._model.inspection.runs.current_index
        row = RowPainter(painter, option, left=LEFT + BOX + 10, right=RIGHT, above=6, below=6)
        row.background(current)
        behind = row.palette.color(QPalette.ColorRole.Base).name()
        colour = readable(run.colour or NO_COLOUR, behind)
        paint_box(painter, box_place(row.rect), colour, run.shown, row.palette)
        upper, lower = row.upper, row.lower
        upper.right(self._model.value(run))
        lower.right(short_title(self._model.title(run)), quiet=True)
        if run.has_problems:
            lower.icon(theme.pixmap("alert", 14, WARNING), 14)
        lower.pixmap(line_sample(colour, run.dash), WIDTH, HEIGHT)
        lower.text(f"{self._model.spots(run)}{reading_note(run)}", quiet=True)
        upper.text(run.name, bold=current, elide=Qt.TextElideMode.ElideMiddle)

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """A click on the box shows the run in the plots or hides it."""
        if not isinstance(event, QMouseEvent) or event.button() is not Qt.MouseButton.LeftButton:
            return False
        if not box_place(option.rect).adjusted(-6, -8, 6, 8).contains(event.position()):
            return False
        if event.type() == QEvent.Type.MouseButtonRelease:
            run: InspectedRun = index.data(ROW_ROLE)
            state = Qt.CheckState.Unchecked if run.shown else Qt.CheckState.Checked
            self._took_click = True
            model.setData(index, state, Qt.ItemDataRole.CheckStateRole)
        return True


class RunQueryDelegate(RowDelegate):
    """Colour of the label, name, symbols, spots, F."""

    ROW = 27

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.widths = {"symbols": COUNT, "spots": COUNT, "f": COUNT}

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        query: RunQueryRow = index.data(ROW_ROLE)
        row = RowPainter(painter, option, left=LEFT, right=RIGHT)
        row.background(row.selected)
        if query.colour:  # "All queries" has none, but a long name
            row.swatch(query.colour)
        columns, right = query_columns(row.rect, self.widths), _Align.AlignRight
        figures = {"symbols": query.symbols, "spots": query.kept}
        for name, count in figures.items():
            if name in columns:
                place = columns[name]
                row.write(place, short_count(count), right | _Align.AlignVCenter, quiet=True)
        row.write(columns["f"], written(query.figure), right | _Align.AlignVCenter)
        row.room.setRight(min(place.left() for place in columns.values()) - 3)
        elide = Qt.TextElideMode.ElideMiddle  # many names begin alike
        if query.name is None:
            elide = Qt.TextElideMode.ElideRight
        quiet = not (query.symbols and query.in_run)
        row.text(query.title, bold=row.selected, quiet=quiet, elide=elide)


def reading_note(run: InspectedRun) -> str:
    """Tell how many spots came and went when the file was read last.

    Empty if it was not read again.
    """
    if not run.changes:
        return ""
    last = run.changes[-1].whole
    return f" · +{last.added:,} −{last.removed:,}"


def query_columns(rect: QRect, widths: Mapping[str, int]) -> dict[str, QRect]:
    """Return where a row's figures stand, and the heads over them.

    Counts give way to the names of queries where there is little width.
    """
    right = rect.right() - RIGHT
    places: dict[str, QRect] = {}
    for name in ("f", "symbols", "spots"):
        if places and right - widths[name] - rect.left() < NAME:
            break
        places[name] = QRect(right - widths[name], rect.top(), widths[name], rect.height())
        right -= widths[name]
    return places


def box_place(rect: QRect) -> QRectF:
    """Tell where a run's box is."""
    return QRectF(rect.left() + LEFT, rect.center().y() - BOX / 2, BOX, BOX)


def paint_box(
    painter: QPainter, place: QRectF, colour: str, checked: bool, palette: QPalette
) -> None:
    """A check box in the run's colour."""
    painter.setPen(QPen(QColor(colour), 1.6))
    painter.setBrush(QColor(colour) if checked else palette.color(QPalette.ColorRole.Base))
    painter.drawRoundedRect(place, 4, 4)
    if checked:
        light = QColor(colour).lightness() > 110
        painter.setPen(QPen(QColor("#101316" if light else "#ffffff"), 1.8))
        left, top = place.left(), place.top()
        painter.drawPolyline(
            [QPointF(left + 3.8, top + 8.4), QPointF(left + 6.8, top + 11.4),
             QPointF(left + 12.4, top + 4.8)]
        )  # fmt: skip
