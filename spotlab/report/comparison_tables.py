"""The tables of a comparison of two runs: figures, labels, pages, areas and changes."""

from __future__ import annotations

import math

from spotlab.imaging.overlay import FALSE_KINDS, TRUTH_KINDS
from spotlab.measures.area import ratio
from spotlab.measures.comparison import FIGURES, ChangedFigures, MeanChange
from spotlab.measures.cuts import CutRun
from spotlab.measures.intervals import Interval
from spotlab.report.figure_text import UNDEFINED, written, written_area, written_interval, written_p
from spotlab.report.tables import Cell, Column, Table
from spotlab.studies.compare.comparison import CHANGES, ChangeKind, ChangeList, RunComparison

TITLES = {"f": "F", "area_precision": "Precision", "area_recall": "Recall"}
DELTAS = {"f": "ΔF", "area_precision": "ΔP", "area_recall": "ΔR"}
_KINDS = (*TRUTH_KINDS, *FALSE_KINDS)


def comparison_tables(compared: RunComparison) -> dict[str, Table]:
    """All tables by the name of their files."""
    return {
        "comparison-means": means_table(compared),
        "comparison-areas": areas_table(compared),
        "comparison-labels": changed_table("Labels", "label", compared.figures.labels),
        "comparison-pages": pages_table(compared),
        "comparison-symbols": changes_table(
            compared.changes, "Symbols gained and lost", (ChangeKind.GAINED, ChangeKind.LOST)
        ),
        "comparison-false-spots": changes_table(
            compared.changes, "False spots gained and lost",
            (ChangeKind.FALSE_GAINED, ChangeKind.FALSE_LOST),
        ),
    }  # fmt: skip


def means_table(compared: RunComparison) -> Table:
    """Mean figures of both runs over the queries that have them in both."""
    columns = (
        Column("Figure", "figure"),
        Column(f"A: {compared.first.name}", "first"),
        Column(f"B: {compared.second.name}", "second"),
        Column("B − A", "change", "In brackets the 95 % bootstrap interval over queries."),
        Column("p", "p", "Of the paired randomisation test."),
        Column("Queries", "queries", "That have the figure in both runs."),
    )
    rows = [_mean_row(name, compared.figures.mean[name]) for name in FIGURES]
    return Table("Means over queries", columns, tuple(rows))


def areas_table(compared: RunComparison) -> Table:
    """The area of each kind on all pages, each query by itself."""
    columns = (
        Column("Area", "area"),
        Column("px²", "px2", "On all pages; each query counts by itself."),
        Column("Share", "share", "Of the truth, or of the false area."),
    )
    areas, rows = compared.areas, []
    for kinds in (TRUTH_KINDS, FALSE_KINDS):
        whole = sum(areas.get(kind, 0.0) for kind in kinds)
        for kind in kinds:
            area = areas.get(kind, 0.0)
            share = area / whole if whole > 0 else None
            text = UNDEFINED if share is None else f"{100 * share:.1f} %"
            rows.append((Cell(kind.words), Cell(f"{area:,.0f}", area), Cell(text, share)))
    return Table("Areas", columns, tuple(rows))


def changed_table(title: str, name: str, changed: ChangedFigures) -> Table:
    """A row for each label or page: F of both runs, and how F, precision and recall change."""
    columns = (
        Column(title.removesuffix("s"), name),
        Column("F of A", "f_first"),
        Column("F of B", "f_second"),
        *(
            Column(DELTAS[figure], f"{figure}_change", f"{TITLES[figure]} of B minus that of A.")
            for figure in FIGURES
        ),
    )
    rows = []
    for row, label in enumerate(changed.names):
        cells = [Cell(label)]
        cells += [_share(float(of_run["f"][row])) for of_run in (changed.before, changed.after)]
        cells += [_change(changed, figure, row) for figure in FIGURES]
        rows.append(tuple(cells))
    return Table(title, columns, tuple(rows))


def pages_table(compared: RunComparison) -> Table:
    """A row for each page, with the areas of each kind."""
    table = changed_table("Pages", "page", compared.figures.pages)
    areas = (Column(f"{kind.words.capitalize()} (px²)", kind.name.lower()) for kind in _KINDS)
    rows = []
    for row in table.rows:
        sums = compared.pages[row[0].text].sums()
        rows.append((*row, *(Cell(f"{sums[kind]:,.0f}", sums[kind]) for kind in _KINDS)))
    return Table(table.title, (*table.columns, *areas), tuple(rows))


def changes_table(changes: ChangeList, title: str, kinds: tuple[ChangeKind, ...]) -> Table:
    """A row for each change of these kinds, the biggest first."""
    symbols = ChangeKind.GAINED in kinds
    columns = [
        Column("Change", "change"),
        Column("Label", "label"),
        Column("Page", "page"),
        Column("Area", "area", "Changed area in px²."),
    ]
    if symbols:
        columns += [
            Column("Region", "region"),
            Column("Covered by A", "covered_first", "Share of the symbol's area."),
            Column("Covered by B", "covered_second", "Share of the symbol's area."),
            Column("IoU of A", "iou_first"),
            Column("IoU of B", "iou_second"),
        ]
    columns += [Column("Rank in A", "rank_first"), Column("Rank in B", "rank_second")]
    rows = [
        _change_row(changes, at, symbols)
        for at in range(len(changes))
        if CHANGES[int(changes.kind[at])] in kinds
    ]
    return Table(title, tuple(columns), tuple(rows))


def _change_row(changes: ChangeList, at: int, symbols: bool) -> tuple[Cell, ...]:
    area, region = float(changes.area[at]), int(changes.region[at])
    runs = (changes.first, changes.second)
    cells = [
        Cell(CHANGES[int(changes.kind[at])].words),
        Cell(changes.query[at]),
        Cell(changes.page_name(at)),
        Cell(written_area(area), area),
    ]
    if symbols:
        whole = runs[0].tally.region_area[region]
        cells.append(Cell(changes.region_id(at) or ""))
        cells += [_share(float(ratio(run.symbols.covered[region], whole))) for run in runs]
        cells += [_share(float(run.symbols.iou[region])) for run in runs]
    spots = (changes.first_spot[at], changes.second_spot[at])
    cells += [_rank(run, int(spot)) for run, spot in zip(runs, spots, strict=True)]
    return tuple(cells)


def _mean_row(name: str, change: MeanChange) -> tuple[Cell, ...]:
    found, value = change.difference, change.value
    interval = "" if found is None else written_interval(Interval(found.low, found.high), "change")
    return (
        Cell(TITLES[name]),
        Cell(written(change.before), change.before),
        Cell(written(change.after), change.after),
        Cell(written(value, "change"), value, interval),
        Cell(UNDEFINED) if found is None else Cell(written_p(found.p).removeprefix("p "), found.p),
        Cell(f"{change.queries:,}", change.queries),
    )


def _change(changed: ChangedFigures, figure: str, row: int) -> Cell:
    value, ends = float(changed.change(figure)[row]), changed.interval(figure, row)
    note = "" if ends is None else written_interval(Interval(*ends), "change")
    return Cell(written(value, "change"), None if math.isnan(value) else value, note)


def _share(value: float) -> Cell:
    return Cell(written(value), None if math.isnan(value) else value)


def _rank(run: CutRun, spot: int) -> Cell:
    if spot < 0:
        return Cell(UNDEFINED)
    rank = int(run.tally.rank[spot])
    return Cell(f"{rank:,}", rank)
