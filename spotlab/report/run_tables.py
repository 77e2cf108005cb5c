"""Tables of evaluated runs, and what stands out in them: the best values, and sure differences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from spotlab.errors import counted
from spotlab.measures.cuts import By
from spotlab.measures.figures import figures_by_page
from spotlab.measures.measure import SumsFormula, known_figures, known_measures
from spotlab.report.figure_text import UNDEFINED, design_note
from spotlab.report.tables import Cell, Column, Table, are_comparable, figure_cell
from spotlab.studies.evaluate.cuts import FiguresAtCut, ListCut, best_thresholds
from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation

if TYPE_CHECKING:
    from spotlab.measures.figures import RunFigures
    from spotlab.measures.intervals import Design, Difference, Interval
    from spotlab.measures.measure import Figure, MeasureSettings


def runs_table(
    names: Sequence[str],
    runs: Sequence[RunFigures],
    intervals: Sequence[Mapping[str, Interval | None]],
) -> Table:
    """A row for each run: the means over its queries, or the pooled figure, with intervals below.

    `Figure.over` says which of the two it is.
    """
    columns = _columns_of_runs(runs, "mean")
    rows = []
    for name, run, of_run in zip(names, runs, intervals, strict=True):
        queries = run.tally.queries
        cells = []
        for column in columns:
            cell = column.cell(run.overall[column.name])
            if column.over == "mean":
                cell = column.cell(run.overall[column.name], of_run.get(column.name))
                known = run.in_truth & ~np.isnan(run.columns[column.name])
                over = [queries[place] for place in np.flatnonzero(known).tolist()]
                cell = mean_cell(cell, over, int(run.in_truth.sum()))
            cells.append(cell)
        rows.append((Cell(name), *cells))
    heads = (Column("Run", "run"), *columns)
    title = f"Runs: means over {_queries_of(runs)}"
    return Table(title, heads, tuple(rows), pooled_note(columns, runs), has_ends=True)


def pooled_note(columns: Sequence[Column], runs: Sequence[RunFigures]) -> str:
    """A note on the figures of a table of means that are none; empty where there are none."""
    pooled = [column for column in columns if column.over == "pooled"]
    if not pooled or not runs:
        return ""
    symbols = int(runs[0].pooled_sums.symbols)
    return f"Pooled: of all {counted(symbols, 'symbol')} of the truth together, not a mean."


def _queries_of(runs: Sequence[RunFigures]) -> str:
    """The number of queries of the truth, which all runs share."""
    return counted(int(runs[0].in_truth.sum()), "query") if runs else "queries"


LETTERED = 3  # runs whose pairs need letters
MAIN = (
    "f", "area_precision", "area_recall", "iou_precision", "recognition_rate", "false_positives",
)  # fmt: skip


def main_table(evaluation: Evaluation) -> Table:
    """The main figures of all runs, and compact letters where several runs are tested."""
    runs = evaluation.runs
    table = only_columns(
        runs_table(
            [run.name for run in runs],
            [run.figures for run in runs],
            [run.intervals_of(evaluation.design) for run in runs],
        ),
        {*MAIN, evaluation.primary},
    )
    return with_letters(table, evaluation)


def with_letters(table: Table, evaluation: Evaluation) -> Table:
    """The table of all runs with compact letters in a second column; as it is without any.

    Runs are in the order of the evaluation.
    """
    letters, design = evaluation.letters, evaluation.design
    if len(letters) < LETTERED or design is None:
        return table
    head = Column(f"Letters: {design.title}", "letters", "Runs that share one do not differ.")
    rows = tuple(
        (row[0], Cell(each), *row[1:]) for row, each in zip(table.rows, letters, strict=True)
    )
    note = (
        f"Letters: runs that share one do not differ significantly in {design.title} (p ≥ .05 by "
        "the paired randomisation test, corrected by Holm)."
    )
    columns = (table.columns[0], head, *table.columns[1:])
    return replace(table, columns=columns, rows=rows, note=_joined(table.note, note))


def mean_cell(cell: Cell, over: Sequence[object], most: int) -> Cell:
    """The cell of a mean over these questions, with their number where it is not ``most``.

    Examples
    --------
    >>> mean_cell(Cell(".500", 0.5), ["sofa"], 2).part, mean_cell(Cell("–"), [], 2).part
    ('n = 1', '')
    """
    part = f"n = {len(over):,}" if over and len(over) != most else ""
    return replace(cell, over=frozenset(map(str, over)), part=part)


def pooled_table(names: Sequence[str], runs: Sequence[RunFigures]) -> Table:
    """A row for each run: the figures of all queries' areas together."""
    columns = _columns_of_runs(runs, "pooled")
    rows = [
        (Cell(name), *(column.cell(run.pooled[column.name]) for column in columns))
        for name, run in zip(names, runs, strict=True)
    ]
    title = f"Runs: all areas and symbols of {_queries_of(runs)} together"
    return Table(title, (Column("Run", "run"), *columns), tuple(rows))


def _columns_of_runs(runs: Sequence[RunFigures], over: Literal["mean", "pooled"]) -> list[Column]:
    """Columns of figures over the truth's queries, which all runs share."""
    first = runs[0] if runs else None
    n = None if first is None else int(first.in_truth.sum())
    settings = None if first is None else first.settings
    return figure_columns(known_figures(), settings, over=over, n=n)


def queries_table(name: str, run: RunFigures) -> Table:
    """A row for each of the truth's queries, and below the one value of all of them.

    `outside_table` has the queries that the truth does not have.
    """
    columns = figure_columns(known_figures(), run.settings)
    rows = [
        (Cell(query), *(column.cell(float(run.columns[column.name][at])) for column in columns))
        for at, query in enumerate(run.tally.queries)
        if run.in_truth[at]
    ]
    n = len(rows)
    means = [
        replace(mean_cell(column.cell(run.mean[column.name], mean=True),
                          range(run.defined[column.name]), n), over=None)
        for column in columns
    ]  # fmt: skip
    pooled = [column.cell(run.pooled[column.name]) for column in columns]
    foot = (Cell(f"mean of {n:,}"), *means), (Cell("pooled"), *pooled)
    title = f"{name}: each of {counted(n, 'query')}"
    return Table(title, (Column("Query", "query"), *columns), tuple(rows), foot=foot)


def pages_table(name: str, run: RunFigures) -> Table:
    """A row for each page: the figures of the truth's queries there together."""
    known = figures_by_page(run)
    shown = [figure for figure in known_figures() if figure.name in known]
    columns = figure_columns(shown, run.settings, over="pooled")
    rows = [
        (Cell(page), *(column.cell(float(known[column.name][at])) for column in columns))
        for at, page in enumerate(run.tally.pages)
    ]
    title = f"{name}: each of {counted(len(rows), 'page')}, {_queries_of([run])} together"
    return Table(title, (Column("Page", "page"), *columns), tuple(rows))


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


def models_table(left_out: RunFigures, with_models: RunFigures) -> Table:
    """The mean figures with the models left out, and with the models counted.

    Parameters
    ----------
    left_out, with_models : RunFigures
        Of the same run.
    """
    columns = (
        Column("Figure", "figure"),
        Column("models left out", "left_out"),
        Column("models counted", "counted"),
    )
    rows = [
        (
            Cell(column.title),
            *(column.cell(each.overall[column.name]) for each in (left_out, with_models)),
        )
        for column in _columns_of_runs([left_out], "mean")
    ]
    return Table(f"Query models: means over {_queries_of([left_out])}", columns, tuple(rows))


def figure_columns(
    figures: Sequence[Figure],
    settings: MeasureSettings | None = None,
    *,
    over: Literal["", "mean", "pooled"] = "",
    n: int | None = None,
    plain: bool = False,
) -> list[Column]:
    """The columns of figures; their heads name threshold, β, unit and what is pooled among means.

    Parameters
    ----------
    figures : sequence of Figure
    settings : MeasureSettings, optional
        Have the thresholds.
    over, n
        See `Column`. Of means, those that `Figure.over` says are pooled.
    plain : bool
        Whether they are means even so.

    Examples
    --------
    >>> from spotlab.measures.measure import MeasureSettings
    >>> shown = [each for each in known_figures() if each.name == "recognition_rate"]
    >>> rate = figure_columns(shown, MeasureSettings(), over="mean", n=12)[0]
    >>> rate.title
    'Recognition rate (75 % of the area), in %, pooled'
    >>> rate.unit, rate.digits, rate.threshold, rate.over, rate.n, rate.better
    ('%', 1, 0.75, 'pooled', None, 1)
    """
    columns = []
    for each in figures:
        pooled = over == "mean" and each.over == "pooled" and not plain
        title = each.titled(settings, unit=True)
        threshold = getattr(settings, each.threshold) if settings and each.threshold else None
        columns.append(
            Column(
                f"{title}, pooled"
                if pooled
                else title + ", mean" * (plain and each.over != "mean"),
                each.name,
                each.definition,
                each.unit,
                threshold,
                "pooled" if pooled else over,
                None if pooled else n,
                each.better,
            )
        )
    return columns


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


def only_columns(table: Table, names: Collection[str]) -> Table:
    """The table with the column of names and these others, in its order."""
    kept = [0, *(place for place, column in enumerate(table.columns)
                 if place and column.name in names)]  # fmt: skip
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
        foot=tuple(tuple(row[place] for place in kept) for row in table.foot),
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
        queries, truth = run.figures.tally.queries, run.figures.in_truth
        cells = []
        for column in columns:
            values = found.pooled if column.over == "pooled" else found.mean
            cell = column.cell(values[column.name])
            if column.over == "mean":
                known = np.flatnonzero(truth & ~np.isnan(found.columns[column.name]))
                over = [queries[place] for place in known.tolist()]
                cell = mean_cell(cell, over, int(truth.sum()))
            cells.append(cell)
        where = Cell(cut.text, cut.value)
        rows.append((Cell(run.name), where, figure_cell(found.kept_of_truth, "count"), *cells))
    of_runs = [run.figures for run in evaluation.runs]
    title = f"Runs cut at {rule}: means over {_queries_of(of_runs)}"
    return Table(title, tuple(heads), tuple(rows), pooled_note(columns, of_runs))


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
    return Table(
        f"Best F over {_queries_of([run.figures for run in runs])}",
        heads,
        tuple(rows),
        BEST_F_NOTE if rows else "",
        has_ends=True,
    )
