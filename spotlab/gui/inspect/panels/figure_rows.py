"""Rows of the tables of figures: queries, their means, and runs."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from spotlab.errors import counted
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.uncertainty import Uncertainty
from spotlab.gui.inspect.symbol_marks import query_colours
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.rows import Note, Rows
from spotlab.gui.kit.settings import FIGURE_COLUMNS, Settings
from spotlab.gui.kit.table_view import ColumnMenu, FiguresView
from spotlab.gui.kit.text import line_sample
from spotlab.gui.kit.widgets import name_thresholds
from spotlab.measures.figures import RunFigures, figures_by_page
from spotlab.measures.measure import Figure, MeasureSettings, default_figures, known_figures
from spotlab.model import LabelSet
from spotlab.report.figure_text import (
    design_note,
    written,
    written_difference,
    written_interval,
    written_p,
)
from spotlab.report.run_tables import (
    only_columns,
    pages_table,
    queries_table,
    runs_table,
    with_best,
    with_stars,
)
from spotlab.report.tables import FORMATS, LATEX, Table, TableFormat
from spotlab.studies.tally.outlines import some

if TYPE_CHECKING:
    from spotlab.measures.intervals import Design, Difference, Interval, Over
    from spotlab.studies.evaluate.inspected_run import InspectedRun


class FigureRowColumns:
    """The columns of some tables, which show the same figures.

    Attributes
    ----------
    menu : ColumnMenu
        A switch for every figure.
    """

    def __init__(
        self,
        settings: Settings,
        views: Sequence[FiguresView],
        changed: Callable[[], object],
        measured: Callable[[], MeasureSettings],
        parent: QWidget,
    ) -> None:
        self._views, self._changed = views, changed
        default = [figure.name for figure in default_figures()]
        titles = {figure.name: figure.title for figure in known_figures()}
        self.menu = ColumnMenu(settings, FIGURE_COLUMNS, titles, default, parent)
        pairs = list(zip(self.menu.switches.values(), known_figures(), strict=True))
        self.menu.aboutToShow.connect(lambda: name_thresholds(pairs, measured()))
        self.menu.changed.connect(self._follow)
        self._show()

    def use_default(self, names: Sequence[str]) -> None:
        """Show these figures unless somebody has chosen others."""
        self.menu.use_default(names)
        self._show()

    @property
    def shown(self) -> tuple[Figure, ...]:
        """The figures that have a column, in order."""
        return tuple(figure for figure in known_figures() if figure.name in self.menu.chosen)

    def _follow(self) -> None:
        self._show()
        self._changed()

    def _show(self) -> None:
        for view in self._views:
            view.use_columns(self.menu.chosen)


Intervals = Mapping[str, "Interval | None"]
Differences = Mapping[str, "Difference | None"]
CERTAIN = 0.05  # the usual level, below which a difference is set in full colour


def query_rows(figures: RunFigures, labels: LabelSet) -> Rows:
    """A row for each of the truth's queries."""
    tally, own = figures.tally, np.flatnonzero(figures.in_truth)
    names = tuple(tally.queries[query] for query in own.tolist())
    symbols, spots = tally.symbols.sum(axis=1)[own], np.diff(tally.starts)[own]
    return Rows(
        names=names,
        keys=names,
        values=np.stack([figures.columns[figure.name][own] for figure in known_figures()], axis=1),
        colours=query_colours(labels, names),
        reasons=tuple(_reason(int(s), int(n)) for s, n in zip(symbols, spots, strict=True)),
        settings=figures.settings,
    )


def summary_rows(figures: RunFigures, intervals: Intervals | None) -> Rows:
    """The mean over the truth's queries with its intervals, their areas together, and the others.

    What the run searches and the truth does not have is in the last row, if there is any.
    """
    count = int(figures.in_truth.sum())
    notes = {}
    for figure in known_figures():
        interval = intervals.get(figure.name) if intervals and figure.over == "mean" else None
        defined = figures.defined.get(figure.name, 0)
        queries = counted(count, "query")
        over = f"Mean over the {defined:,} of the truth's {queries} where it is defined."
        tip = f"{over} In brackets its 95 % interval." if interval else over
        note = Note(written_interval(interval, figure.unit), tip, True)
        notes[0, figure.name] = note if figure.over == "mean" else _pooled_note(figures, figure)
        notes[1, figure.name] = Note(
            "", "Areas of all queries summed, so that large symbols weigh more"
        )
    names: tuple[str, ...] = (f"Mean of {counted(count, 'query')}", "All areas together")
    keys: tuple[object, ...] = (None, "pooled areas")
    values = [_in_order(figures.overall), _in_order(figures.pooled)]
    ends = {
        (0, figure.name): (each.low, each.high)
        for figure in known_figures()
        if figure.over == "mean" and (each := (intervals or {}).get(figure.name))
    }
    reasons = [
        "it is defined for no query",
        "it is defined only as a mean over queries, or nothing was retrieved",
    ]
    if figures.outside:
        names, keys = (*names, f"Not in the truth: {len(figures.outside):,}"), (*keys, "outside")
        values.append(_in_order(_outside_figures(figures)))
        reasons.append("the truth does not have these queries")
        tip = f"{_outside_tip(figures)} They are left out of means."
        notes |= {(2, figure.name): Note("", tip) for figure in known_figures()}
    return Rows(
        names=names,
        keys=keys,
        values=np.array(values),
        means=frozenset({0}),
        notes=notes,
        reasons=tuple(reasons),
        ends=ends,
        settings=figures.settings,
    )


def _pooled_note(figures: RunFigures, figure: Figure) -> Note:
    """A note on the one value of a run that is no mean."""
    symbols = counted(int(figures.pooled_sums.symbols), "symbol")
    mean = written(figures.mean[figure.name], figure.unit, mean=True)
    return Note(
        "pooled", f"Of all {symbols} of the truth together. The mean over queries is {mean}."
    )


def page_rows(figures: RunFigures) -> Rows:
    """A row for each page: the truth's queries there together."""
    columns, pages = figures_by_page(figures), figures.tally.pages
    unknown = np.full(len(pages), np.nan)
    reason = "a ranking over all pages has it, or it would be a division by zero"
    return Rows(
        names=pages,
        keys=pages,
        values=np.stack([columns.get(each.name, unknown) for each in known_figures()], axis=1),
        reasons=(reason,) * len(pages),
        settings=figures.settings,
    )


def page_summary_rows(figures: RunFigures) -> Rows:
    """The areas of all pages together."""
    return Rows(
        names=("All areas together",),
        keys=("pooled areas",),
        values=np.array([_in_order(figures.pooled)]),
        reasons=("it is defined only as a mean over queries, or nothing was retrieved",),
        settings=figures.settings,
    )


def _outside_figures(figures: RunFigures) -> dict[str, float | None]:
    """Return what can be said of queries that the truth does not have, all of them together."""
    area = sum(each.area for each in figures.outside)
    evaluated = dict(zip(figures.tally.queries, figures.tally.evaluated_area, strict=True))
    whole = float(sum(evaluated[each.name] for each in figures.outside))
    return {
        "fall_out": area / whole if whole > 0 else None,
        "false_positives": float(sum(each.false_positives for each in figures.outside)),
    }


def _outside_tip(figures: RunFigures) -> str:
    spots = sum(each.spots for each in figures.outside)
    area = sum(each.area for each in figures.outside)
    named = html.escape(some(each.name for each in figures.outside))
    return (
        f"Queries of the run that no region is labelled with: {named}; {spots:,} spots retrieve "
        f"{area:,.0f} px², all of it false."
    )


def run_rows(
    runs: Sequence[InspectedRun],
    intervals: Callable[[int], Intervals],
    differences: Mapping[int, Differences] | None,
    current: str,
    design: Design | None = None,
) -> Rows:
    """A row for each run: its means, and under them intervals or differences.

    Parameters
    ----------
    runs : sequence of InspectedRun
    intervals : callable
        Gives those of a run by its place, as far as they are known.
    differences : mapping, optional
        By place of the run, as far as they are known. With ``differences`` these are shown.
    current : str
        Name of the run that the others are compared with.
    design : Design, optional
        What is tested.
    """
    notes: dict[tuple[int, str], Note] = {}
    for row in range(len(runs)):
        for figure in known_figures():
            known = runs[row].figures
            if differences is None and figure.over == "pooled":
                note = _pooled_note(known, figure) if known else Note("")
            elif differences is None:
                interval = intervals(row).get(figure.name)
                tip = f"In brackets the 95 % interval over {design.over}." if design else ""
                note = Note(written_interval(interval, figure.unit), tip if interval else "", True)
            else:
                found = differences.get(row, {}).get(figure.name)
                note = _compared(found, figure.unit, current, design)
            notes[row, figure.name] = note
    behind = theme.colours(QApplication.palette()).base
    pooled = {figure.name for figure in known_figures() if figure.over == "pooled"}
    nothing = [np.nan] * len(known_figures())
    return Rows(
        names=tuple(run.name for run in runs),
        keys=tuple(range(len(runs))),
        values=np.array(
            [_in_order(run.figures.overall) if run.figures else nothing for run in runs]
        ).reshape(-1, len(known_figures())),
        swatches=tuple(line_sample(readable(run.colour, behind), run.dash) for run in runs),
        means=frozenset(range(len(runs))),
        notes=notes,
        reasons=tuple(
            "it is defined for none of its queries" if run.figures else "it is still being computed"
            for run in runs
        ),
        ends={
            (row, name): (each.low, each.high)
            for row in range(len(runs))
            for name, each in intervals(row).items()
            if each and name not in pooled
        },
        settings=next((run.figures.settings for run in runs if run.figures), None),
    )


def _compared(
    difference: Difference | None, unit: str, current: str, design: Design | None
) -> Note:
    if difference is None or design is None:
        return Note("")
    tip = (
        f"Difference from {html.escape(current)}, paired over {design.over}, with its 95 % "
        "interval; [–] where there are too few, or all are alike. "
    )
    if difference.p_holm is None or difference.p is None:
        return Note(written_difference(difference, unit), tip)
    tip += (
        "p is the probability of a difference this large if the runs were alike, corrected by "
        f"Holm's method for {counted(design.tests, 'pair')} of runs; by itself it is "
        f"{written_p(difference.p)}."
    )
    return Note(written_difference(difference, unit), tip, difference.p_holm < CERTAIN)


def _in_order(values: Mapping[str, float | None]) -> list[float]:
    found = [values.get(figure.name) for figure in known_figures()]
    return [np.nan if value is None else float(value) for value in found]


def _reason(symbols: int, spots: int) -> str:
    if not symbols and not spots:
        return "no truth region has this label, and the run has no spot for it"
    if not symbols:
        return "no truth region has this label"
    if not spots:
        return "the run has no spot for it"
    return "it would be a division by zero"


RowsAre = Literal["queries", "pages", "runs"]


class TableExport:
    """Table of a panel for other programs: unrounded, with its summary."""

    def __init__(
        self,
        inspection: Inspection,
        uncertainty: Uncertainty,
        visible: Callable[[], FiguresView],
        rows_are: Callable[[], RowsAre],
        figures: Callable[[], Sequence[Figure]],
    ) -> None:
        self.inspection = inspection
        self._uncertainty = uncertainty
        self._visible = visible
        self._rows_are = rows_are
        self._figures = figures  # that are in sight

    def copy(self) -> None:
        """Put the selected rows, or all, on the clipboard."""
        count = self._visible().copy()
        self.inspection.collection.said.emit(f"Copied {counted(count, 'row')}", False)

    def ask(self, kind: TableFormat, *_: object) -> None:
        """Write the table to the file that the user chooses."""
        collection, current = self.inspection.collection, self.inspection.runs.current
        if current is not None:
            names: dict[RowsAre, str] = {
                "runs": "runs", "pages": f"{current.name}-pages", "queries": current.name
            }  # fmt: skip
            name = names[self._rows_are()]
            export_figures.ask(
                self._visible(), kind, name, lambda: self.text(kind),
                collection.folder, collection.said.emit,
            )  # fmt: skip

    def ask_ranks(self) -> None:
        """Offer the critical-difference plot for print."""
        collection, offer = self.inspection.collection, self._uncertainty.plot()
        view = self._visible()
        export_figures.ask_plot(view, offer, collection.folder, collection.said.emit)

    def text(self, kind: TableFormat) -> str:
        """The table as it is written to a file of this kind."""
        if kind is LATEX:
            return kind.make(self._table())
        return kind.make(self._visible().whole_table(with_ends=self._rows_are() != "pages"))

    def _table(self) -> Table:
        """The columns in sight: every figure has no room on a page."""
        return only_columns(self._whole(), [figure.name for figure in self._figures()])

    def _whole(self) -> Table:
        current, runs = self.inspection.runs.current, self.inspection.runs
        assert current is not None  # nothing is exported before
        if current.figures is not None and self._rows_are() == "queries":
            return queries_table(current.name, current.figures)
        if current.figures is not None and self._rows_are() == "pages":
            return pages_table(current.name, current.figures)
        known = self._uncertainty.known
        ready = [(at, run.name, run.figures, known.intervals(at))
                 for at, run in enumerate(runs) if run.figures is not None]  # fmt: skip
        places, names, figures, intervals = zip(*ready, strict=True) if ready else ((),) * 4
        table = with_best(runs_table(names, figures, intervals))
        differences = known.differences(runs.current_index)
        if not differences:
            return table
        table = replace(table, note=f"{table.note} {design_note(known.design)}".strip())
        note = f"Stars: differs from {current.name}"
        return with_stars(table, lambda row, name: differences.get(places[row], {}).get(name), note)


class FiguresMenu(QMenu):
    """The menu of the figures' panel."""

    def __init__(
        self,
        export: TableExport,
        columns: FigureRowColumns,
        uncertainty: Uncertainty,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.addAction("Copy", export.copy)
        for kind in FORMATS:
            action = self.addAction(f"Export {kind.title}…")
            action.triggered.connect(partial(export.ask, kind))
        self.addAction("Save Critical-Difference Plot…", export.ask_ranks)
        self.addSeparator()
        self.addMenu(columns.menu)
        runs = export.inspection.runs
        tested = self.addMenu("Tested Figure")
        tested.setToolTip("The figure in which runs are tested for differences")
        offer(
            tested,
            [(figure.title, figure.name) for figure in known_figures() if figure.better],
            lambda: runs.primary,
            uncertainty.test,
        )
        named = [figure for figure in known_figures() if figure.better]
        pairs = list(zip(tested.actions(), named, strict=True))
        tested.aboutToShow.connect(lambda: name_thresholds(pairs, runs.settings))
        units: list[tuple[str, Over | None]] = [
            ("What There Is Enough Of", None), ("Queries", "queries"), ("Pages", "pages")
        ]  # fmt: skip
        offer(self.addMenu("Intervals over"), units, lambda: runs.over, uncertainty.draw_over)


Chosen = TypeVar("Chosen")


def offer(
    menu: QMenu,
    offers: Sequence[tuple[str, Chosen]],
    current: Callable[[], Chosen],
    choose: Callable[[Chosen], None],
) -> None:
    """Fill a menu with values of which one is chosen."""
    actions = [(menu.addAction(title), value) for title, value in offers]
    for action, value in actions:
        action.setCheckable(True)
        action.triggered.connect(lambda _=False, value=value: choose(value))

    def check() -> None:
        for action, value in actions:
            action.setChecked(value == current())

    menu.aboutToShow.connect(check)
