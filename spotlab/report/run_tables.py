"""Tables of evaluated runs, and what stands out in them: the best values, and sure differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from spotlab.measures.confusion import row_shares
from spotlab.measures.cuts import By
from spotlab.measures.figures import figures_by_page
from spotlab.measures.measure import SumsFormula, known_figures, known_measures
from spotlab.measures.tide import TIDE_KINDS
from spotlab.report.figure_text import UNDEFINED, design_note, written
from spotlab.report.tables import Cell, Column, Table, are_comparable, figure_cell
from spotlab.studies.evaluate.cuts import FiguresAtCut, ListCut, best_thresholds
from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation

if TYPE_CHECKING:
    from spotlab.measures.confusion import Confusion
    from spotlab.measures.figures import RunFigures
    from spotlab.measures.intervals import Design, Difference, Interval
    from spotlab.measures.measure import Figure, MeasureSettings
    from spotlab.measures.tide import TideErrors


def runs_table(
    names: Sequence[str],
    runs: Sequence[RunFigures],
    intervals: Sequence[Mapping[str, Interval | None]],
) -> Table:
    """A row for each run: means over its queries, with intervals below."""
    columns = _columns_of_runs(runs, "mean")
    rows = []
    for name, run, of_run in zip(names, runs, intervals, strict=True):
        queries = run.tally.queries
        cells = []
        for column in columns:
            known = run.in_truth & ~np.isnan(run.columns[column.name])
            over = [queries[place] for place in np.flatnonzero(known).tolist()]
            cell = column.cell(run.mean[column.name], of_run.get(column.name))
            cells.append(mean_cell(cell, over, int(run.in_truth.sum())))
        rows.append((Cell(name), *cells))
    heads = (Column("Run", "run"), *columns)
    return Table("Runs: means over queries", heads, tuple(rows), has_ends=True)


def mean_cell(cell: Cell, over: Sequence[str], most: int) -> Cell:
    """The cell of a mean over these questions, with their number where it is not ``most``.

    Examples
    --------
    >>> mean_cell(Cell(".500", 0.5), ["sofa"], 2).part, mean_cell(Cell("–"), [], 2).part
    ('n = 1', '')
    """
    part = f"n = {len(over):,}" if over and len(over) != most else ""
    return replace(cell, over=frozenset(over), part=part)


def pooled_table(names: Sequence[str], runs: Sequence[RunFigures]) -> Table:
    """A row for each run: the figures of all queries' areas together."""
    columns = _columns_of_runs(runs, "pooled")
    rows = [
        (Cell(name), *(column.cell(run.pooled[column.name]) for column in columns))
        for name, run in zip(names, runs, strict=True)
    ]
    return Table("Runs: all areas together", (Column("Run", "run"), *columns), tuple(rows))


def _columns_of_runs(runs: Sequence[RunFigures], over: Literal["mean", "pooled"]) -> list[Column]:
    """Columns of figures over the truth's queries, which all runs share."""
    first = runs[0] if runs else None
    n = None if first is None else int(first.in_truth.sum())
    settings = None if first is None else first.settings
    return figure_columns(known_figures(), settings, over=over, n=n)


def queries_table(name: str, run: RunFigures) -> Table:
    """A row for each of the truth's queries; `outside_table` has the others."""
    columns = figure_columns(known_figures(), run.settings)
    rows = [
        (Cell(query), *(column.cell(float(run.columns[column.name][at])) for column in columns))
        for at, query in enumerate(run.tally.queries)
        if run.in_truth[at]
    ]
    return Table(f"{name}: every query", (Column("Query", "query"), *columns), tuple(rows))


def pages_table(name: str, run: RunFigures) -> Table:
    """A row for each page: the figures of the truth's queries there together."""
    known = figures_by_page(run)
    shown = [figure for figure in known_figures() if figure.name in known]
    columns = figure_columns(shown, run.settings, percent=False, over="pooled")
    rows = [
        (Cell(page), *(column.cell(float(known[column.name][at])) for column in columns))
        for at, page in enumerate(run.tally.pages)
    ]
    return Table(f"{name}: every page", (Column("Page", "page"), *columns), tuple(rows))


def outside_table(name: str, run: RunFigures) -> Table | None:
    """A row for each query of a run that the truth does not have; None where there is none."""
    columns = (
        Column("Query", "query"),
        Column("Spots", "spots", "Number of spots on evaluated pages."),
        Column(
            "False area (px²)", "false_area", "Area that the spots retrieve; all of it is false."
        ),
        Column("Fall-out", "fall_out", "Retrieved area as a share of the area of all pages."),
        Column("False positives", "false_positives", "Number of false spots: all of them."),
    )
    rows = tuple(
        (
            Cell(each.name),
            figure_cell(each.spots, "count"),
            figure_cell(each.area, "px²"),
            figure_cell(each.fall_out),
            figure_cell(each.false_positives, "count"),
        )
        for each in run.outside
    )
    title = f"{name}: queries without truth, left out of the means"
    return Table(title, columns, rows) if rows else None


def models_table(left_out: RunFigures, counted: RunFigures) -> Table:
    """The mean figures with the models left out, and with the models counted.

    Parameters
    ----------
    left_out, counted : RunFigures
        Of the same run.
    """
    columns = (
        Column("Figure", "figure"),
        Column("models left out", "left_out"),
        Column("models counted", "counted"),
    )
    rows = [
        (
            Cell(figure.title),
            *(
                figure_cell(figures.mean[figure.name], figure.unit, mean=True)
                for figures in (left_out, counted)
            ),
        )
        for figure in known_figures()
    ]
    return Table("Query models", columns, tuple(rows))


def figure_columns(
    figures: Sequence[Figure],
    settings: MeasureSettings | None = None,
    *,
    percent: bool = True,
    over: Literal["", "mean", "pooled"] = "",
    n: int | None = None,
) -> list[Column]:
    """The columns of figures.

    Parameters
    ----------
    figures : sequence of Figure
    settings : MeasureSettings, optional
        Have the thresholds.
    percent : bool
        Whether titles name that unit.
    over, n
        See `Column`.

    Examples
    --------
    >>> from spotlab.measures.measure import MeasureSettings
    >>> shown = [each for each in known_figures() if each.name == "recognition_rate"]
    >>> rate = figure_columns(shown, MeasureSettings(), over="mean", n=12)[0]
    >>> rate.title, rate.unit, rate.digits, rate.threshold, rate.over, rate.n, rate.better
    ('Recognition rate (%)', '%', 1, 0.75, 'mean', 12, 1)
    """
    return [
        Column(
            f"{each.title} (%)" if percent and each.unit == "%" else each.title,
            each.name,
            each.definition,
            each.unit,
            getattr(settings, each.threshold) if settings and each.threshold else None,
            over,
            n,
            each.better,
        )
        for each in figures
    ]


LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
MEANING = "* p < .05, ** p < .01, *** p < .001"
BEST_NOTE = "Bold: the best of a column, as printed."

Pairs = Mapping[tuple[str, str], Mapping[str, "Difference | None"]]


def with_best(table: Table) -> Table:
    """The table of runs with the best of each column marked; all of them where several are.

    Values count as equal where they are printed alike. Nothing is best where all are equal, in a
    column of a figure that is neither better high nor low, or of means over different queries.

    Examples
    --------
    >>> from spotlab.report.tables import Column
    >>> rows = ((Cell("a"), Cell(".50", 0.5)), (Cell("b"), Cell(".70", 0.7)))
    >>> marked = with_best(Table("", (Column("Run", "run"), Column("F", "f", better=1)), rows))
    >>> [row[1].best for row in marked.rows]
    [False, True]
    """
    best = [
        _best_text([row[place] for row in table.rows], column.better)
        for place, column in enumerate(table.columns)
    ]
    rows = tuple(
        tuple(
            replace(cell, best=cell.value is not None and cell.text == text)
            for cell, text in zip(row, best, strict=True)
        )
        for row in table.rows
    )
    note = BEST_NOTE if any(cell.best for row in rows for cell in row) else ""
    return replace(table, rows=rows, note=_joined(_joined(table.note, note), uneven_note(table)))


def uneven_note(table: Table) -> str:
    """A note on means over different queries; empty where there are none."""
    columns = zip(*table.rows, strict=True)
    if all(are_comparable(column) for column in columns):
        return ""
    return (
        "n: over how many queries a mean is taken, where not over all; of means over different "
        "queries none is marked as the best."
    )


def with_stars(
    table: Table, difference_of: Callable[[int, str], Difference | None], note: str
) -> Table:
    """The table of runs with stars at values that differ significantly from a reference.

    Parameters
    ----------
    table : Table
    difference_of : callable
        Gives the difference of a row to the reference, by the figure's name; None for none. Its
        corrected p counts.
    note : str
        Says what the reference is.
    """
    rows, starred = [], False
    for number, row in enumerate(table.rows):
        cells = []
        for cell, column in zip(row, table.columns, strict=True):
            difference = difference_of(number, column.name) if cell.value is not None else None
            stars = stars_of(difference.p_holm) if difference else ""
            starred = starred or bool(stars)
            cells.append(replace(cell, stars=stars))
        rows.append(tuple(cells))
    said = f"{note}: {MEANING}." if starred else f"{note}: none with p < .05."
    return replace(table, rows=tuple(rows), note=_joined(table.note, said))


def with_best_and_stars(table: Table, pairs: Pairs, design: Design | None) -> Table:
    """The table of runs with the best marked, and stars where the primary figure differs from it.

    Parameters
    ----------
    table : Table
        Its rows are named like the runs.
    pairs : mapping of (str, str) to mapping of str to Difference or None
        For each two runs by name: by figure.
    design : Design or None
        What is tested.
    """
    marked = with_best(table)
    if not pairs:
        return marked
    names = [row[0].text for row in marked.rows]
    best = {}
    for place, column in enumerate(marked.columns):
        values = [(row[place].value, name) for row, name in zip(marked.rows, names, strict=True)
                  if row[place].best]  # fmt: skip
        if values:  # of those that are printed alike, the best one in fact
            sign = column.better
            best[column.name] = max(values, key=lambda each: sign * (each[0] or 0.0))[1]

    def to_best(row: int, figure: str) -> Difference | None:
        name, reference = names[row], best.get(figure)
        if reference is None:
            return None
        found = pairs.get((name, reference)) or pairs.get((reference, name)) or {}
        return found.get(figure)

    said = "Stars: differs from the best of the column by the paired randomisation test"
    return with_stars(_joined_note(marked, design_note(design)), to_best, said)


def stars_of(p: float | None) -> str:
    """Stars for a significance; none where it is 0.05 or more, or unknown.

    Examples
    --------
    >>> stars_of(0.0004), stars_of(0.03), stars_of(0.05), stars_of(None)
    ('***', '*', '', '')
    """
    return "" if p is None else next((stars for level, stars in LEVELS if p < level), "")


def only_columns(table: Table, names: Sequence[str]) -> Table:
    """The table with the column of names and these others, in its order."""
    kept = [0, *(place for place, column in enumerate(table.columns)
                 if place and column.name in names)]  # fmt: skip
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )


def _joined_note(table: Table, note: str) -> Table:
    return replace(table, note=_joined(table.note, note))


def _best_text(cells: Sequence[Cell], better: int) -> str | None:
    """Return what the best of a column is printed as."""
    known = [cell for cell in cells if cell.value is not None]
    if not better or not known or len({cell.text for cell in cells}) < 2:
        return None
    if not are_comparable(cells):
        return None
    return max(known, key=lambda cell: better * (cell.value or 0.0)).text


def _joined(first: str, second: str, between: str = " ") -> str:
    return between.join(part for part in (first, second) if part)


BY: tuple[By, ...] = ("score", "rank")


def cut_table(evaluation: Evaluation) -> Table | None:
    """A row for each run: where the rule cuts it, and its means there; None without a rule."""
    rule = evaluation.cut
    if rule is None:
        return None
    figures = [each.figure for each in known_measures() if isinstance(each.formula, SumsFormula)]
    columns = figure_columns(figures, evaluation.settings, over="mean")
    heads = [
        Column("Run", "run"),
        Column("Cut", "cut", "The rank or score where the lists of all queries end."),
        Column("Spots", "kept", "Number of spots that the truth's queries keep."),
        *columns,
    ]
    rows = []
    for run in evaluation.runs:
        cut = rule.cut_of(run.figures)
        if cut is None:
            rows.append((Cell(run.name), *[Cell(UNDEFINED)] * (len(heads) - 1)))
            continue
        found = FiguresAtCut(run.figures, cut.counts(run.tally))
        cells = [column.cell(found.mean[column.name]) for column in columns]
        where = Cell(cut.text, cut.value)
        rows.append((Cell(run.name), where, figure_cell(found.kept_of_truth, "count"), *cells))
    return Table(f"Runs cut at {rule}: means over queries", tuple(heads), tuple(rows))


BEST_F_NOTE = (
    "F, precision and recall are of the pages on which the threshold was chosen, and so somewhat "
    "too high. F on other pages: a tenth of the pages at a time is cut at the threshold that is "
    "the best for all others. The interval has F on as many other pages with a probability of 95 %."
)


def best_f_table(runs: Sequence[RunEvaluation], kinds: Sequence[By] = BY) -> Table:
    """Rows for each run: where F is highest, by area and at the IoU, in the mean and pooled.

    Parameters
    ----------
    runs : sequence of RunEvaluation
    kinds : sequence of {"score", "rank"}
        What lists are cut by.
    """
    heads = (
        Column("Run", "run"),
        Column("F of", "of", "Areas, or numbers of spots that are right from this IoU on."),
        Column("Over", "over", "The mean over queries, or all queries together (pooled)."),
        Column("Best cut", "by", "The threshold with the highest F, the same for all queries."),
        Column("Threshold", "threshold"),
        Column("F", "f"),
        Column("Precision", "precision", "There, in the mean or pooled."),
        Column("Recall", "recall", "There, in the mean or pooled."),
        Column("F on other pages", "held_out", BEST_F_NOTE),
    )
    rows = []
    for run in runs:
        iou = f"IoU {run.figures.settings.iou:g}".replace(" 0.", " .")
        for of, over, by, found in best_thresholds(run.figures, kinds):
            names = [Cell(each) for each in (run.name, iou if of == "iou" else of, over, by)]
            threshold = Cell(ListCut(by, found.threshold).text, found.threshold)
            values = [figure_cell(each) for each in (found.f, found.precision, found.recall)]
            others = found.held_out
            on_others = (
                Cell(UNDEFINED)
                if others is None
                else figure_cell(others.f, interval=others.interval)
            )
            rows.append((*names, threshold, *values, on_others))
    return Table("Best F", heads, tuple(rows), BEST_F_NOTE if rows else "", has_ends=True)


DEFINITION = (
    "A row for each query and one for what was missed, a column for each label of the truth. Each "
    "spot counts for the label of the region that it is judged by; a false spot for the label with "
    "which its IoU is highest, if that is .1 or more. By area, each place that a query retrieves "
    "counts once: for its own label, else for another one, else for no truth."
)
TIDE_NOTE = (
    "ΔAP: what the mean average precision would gain if this kind of error were mended, in [0, 1]. "
    "Kinds and definition: Bolya et al. (2020), TIDE, as the package tidecv computes them."
)


def confusion_table(name: str, confusion: Confusion, by: str) -> Table | None:
    """Return what the spots of a run lie on, by ``"spots"`` or ``"area"``.

    The note of a cell is its share of the row. None where the areas are not known.
    """
    counted = confusion.table(by)
    if counted is None:
        return None
    rows, columns = confusion.shown
    shares = row_shares(counted)
    heads = [Column("Query", "query")]
    heads += [Column(confusion.columns[at], confusion.columns[at]) for at in columns.tolist()]
    cells = tuple(
        (
            Cell(confusion.rows[row]),
            *(
                _share_cell(float(counted[row, at]), float(shares[row, at]))
                for at in columns.tolist()
            ),
        )
        for row in rows.tolist()
    )
    unit = "spots" if by == "spots" else "area in px²"
    return Table(f"{name}: what was taken for what, by {unit}", tuple(heads), cells)


def tide_table(name: str, tide: TideErrors) -> Table:
    """The errors of TIDE: their number, and what average precision would gain without them."""
    columns = (
        Column("Error", "error"),
        Column("TIDE", "tide", "The name that TIDE uses."),
        Column("Number", "count", "Number of spots or regions of this kind."),
        Column("ΔAP", "gain", TIDE_NOTE),
    )
    rows = []
    for kind in TIDE_KINDS:
        count, gain = int(tide.count(kind).sum()), tide.gain(kind)
        rows.append(
            (
                Cell(kind.words),
                Cell(kind.short),
                figure_cell(float(count), "count"),
                figure_cell(gain),
            )
        )
    before = written(tide.mean())
    return Table(f"{name}: ΔAP of each kind of error (AP {before})", columns, tuple(rows))


def _share_cell(value: float, share: float) -> Cell:
    note = "" if math.isnan(share) or value == 0 else f"{100 * share:.0f} %"
    return Cell(f"{value:,.0f}" if value else UNDEFINED, value, note)
