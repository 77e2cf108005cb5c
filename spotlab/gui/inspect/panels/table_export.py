"""Copies the visible table of figures, or writes it to a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Literal

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication

from spotlab.errors import counted
from spotlab.formats.rows.csv_rows import safe_cell, safe_csv
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.uncertainty import Uncertainty
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.table_view import FiguresView
from spotlab.measures.measure import Figure
from spotlab.report.run_tables import (
    only_columns,
    pages_table,
    queries_table,
    runs_table,
    with_best,
    with_stars,
)
from spotlab.report.tables import Table, as_latex
from spotlab.representation import utf8

RowsAre = Literal["queries", "pages", "runs"]


class TableExport:
    """What other programs get of a panel's table: unrounded, with its summary."""

    def __init__(
        self,
        inspection: Inspection,
        uncertainty: Uncertainty,
        visible: Callable[[], FiguresView],
        rows_are: Callable[[], RowsAre],
        figures: Callable[[], Sequence[Figure]],
    ) -> None:
        self._inspection = inspection
        self._uncertainty = uncertainty
        self._visible = visible
        self._rows_are = rows_are
        self._figures = figures  # that are in sight

    def copy(self) -> None:
        """Put the selected rows, or all, on the clipboard."""
        table = self._visible().copied_table()
        data = QMimeData()
        data.setText("\n".join("\t".join(map(safe_cell, row)) for row in table) + "\n")
        data.setData("text/csv", utf8(safe_csv(_as_csv(table))))
        QApplication.clipboard().setMimeData(data)
        count = len(table) - 1
        collection = self._inspection.collection
        collection.said.emit(f"Copied {counted(count, 'row')}", False)

    def ask(self, kind: export_figures.ExportFormat, *_: object) -> None:
        """Write the table to the file that the user chooses."""
        collection, current = self._inspection.collection, self._inspection.runs.current
        if current is not None:
            names: dict[RowsAre, str] = {
                "runs": "runs", "pages": f"{current.name}-pages", "queries": current.name
            }  # fmt: skip
            name = names[self._rows_are()]
            export_figures.ask(
                self._visible(), kind, name, lambda: self.text(kind),
                collection.folder, collection.said.emit,
            )  # fmt: skip

    def text(self, kind: export_figures.ExportFormat) -> str:
        """The table as it is written to a file of this kind."""
        if kind is export_figures.LATEX:
            return as_latex(self._table())
        head, *rows = self._visible().whole_table(with_ends=self._rows_are() != "pages")
        if kind is export_figures.JSON:
            named = [
                {"name": name} | {key: float(value) if value else None
                                  for key, value in zip(head[1:], values, strict=True)}
                for name, *values in rows
            ]  # fmt: skip
            return json.dumps(named, ensure_ascii=False, indent=2) + "\n"
        return _as_csv([head, *rows])

    def _table(self) -> Table:
        """The columns in sight: every figure has no room on a page."""
        return only_columns(self._whole(), [figure.name for figure in self._figures()])

    def _whole(self) -> Table:
        current, runs = self._inspection.runs.current, self._inspection.runs
        assert current is not None  # nothing is exported before
        if current.figures is not None and self._rows_are() == "queries":
            return queries_table(current.name, current.figures)
        if current.figures is not None and self._rows_are() == "pages":
            return pages_table(current.name, current.figures)
        known = self._uncertainty.known
        ready = [(at, run.name, run.figures, known.intervals.get(at, {}))
                 for at, run in enumerate(runs) if run.figures is not None]  # fmt: skip
        places, names, figures, intervals = zip(*ready, strict=True) if ready else ((),) * 4
        table = with_best(runs_table(names, figures, intervals))
        differences, tests = known.corrected(self._figures())
        if not tests:
            return table
        note = (
            f"Stars: differs from {current.name} by the paired test over "
            f"{self._uncertainty.over}, p corrected by Holm for {tests:,} comparisons"
        )
        return with_stars(table, lambda row, name: differences.get(places[row], {}).get(name), note)


def _as_csv(table: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    return text.getvalue()
