"""A comparison of two runs as tables, and pictures of the pages that change most."""

from __future__ import annotations

from dataclasses import dataclass

from spotlab.extras import problem_of
from spotlab.imaging.overlay import (
    COMPARED_STYLES,
    FALSE_KINDS,
    FIRST_COLOUR,
    SECOND_COLOUR,
    TRUTH_KINDS,
    TRUTH_LINE,
    ComparedAreas,
    ComparedKind,
    OverlayRaster,
    Pixels,
    compared_kinds,
    paint_areas,
    paint_outlines,
)
from spotlab.measures.area import ratio
from spotlab.measures.comparison import FIGURES, ChangedFigures, MeanChange
from spotlab.measures.cuts import CutRun
from spotlab.measures.intervals import Interval
from spotlab.model import Page
from spotlab.report.figure_text import UNDEFINED, written, written_area
from spotlab.report.images import painted_page
from spotlab.report.tables import Cell, Column, Table, figure_cell
from spotlab.studies.compare.comparison import (
    CHANGES,
    ChangeKind,
    ChangeList,
    RunComparison,
    compared_areas,
    painted_areas,
)
from spotlab.studies.evaluate.evaluation import Evaluation

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
        Column("B − A", "change", "In brackets the 95 % interval over queries."),
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
            rows.append((Cell(kind.words), figure_cell(area, "px²"), Cell(text, share)))
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
        cells += [
            figure_cell(float(of_run["f"][row])) for of_run in (changed.before, changed.after)
        ]
        cells += [_change(changed, figure, row) for figure in FIGURES]
        rows.append(tuple(cells))
    return Table(f"{title} (n = {len(rows):,})", columns, tuple(rows))


def pages_table(compared: RunComparison) -> Table:
    """A row for each page, with the areas of each kind."""
    table = changed_table("Pages", "page", compared.figures.pages)
    areas = (Column(f"{kind.words.capitalize()} (px²)", kind.name.lower()) for kind in _KINDS)
    rows = []
    for row in table.rows:
        sums = compared.pages[row[0].text].sums()
        rows.append((*row, *(figure_cell(sums[kind], "px²") for kind in _KINDS)))
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
        cells += [figure_cell(float(ratio(run.symbols.covered[region], whole))) for run in runs]
        cells += [figure_cell(float(run.symbols.iou[region])) for run in runs]
    spots = (changes.first_spot[at], changes.second_spot[at])
    cells += [_rank(run, int(spot)) for run, spot in zip(runs, spots, strict=True)]
    return tuple(cells)


def _mean_row(name: str, change: MeanChange) -> tuple[Cell, ...]:
    found, value = change.difference, change.value
    interval = None if found is None else found.interval
    return (
        Cell(TITLES[name]),
        figure_cell(change.before),
        figure_cell(change.after),
        figure_cell(value, "change", interval),
        figure_cell(change.queries, "count"),
    )


def _change(changed: ChangedFigures, figure: str, row: int) -> Cell:
    value, ends = float(changed.change(figure)[row]), changed.interval(figure, row)
    return figure_cell(value, "change", None if ends is None else Interval(*ends))


def _rank(run: CutRun, spot: int) -> Cell:
    return figure_cell(int(run.tally.rank[spot]) if spot >= 0 else None, "count")


MOST = 6


@dataclass(frozen=True)
class ComparedPicture:
    """A page of two runs.

    Attributes
    ----------
    page, caption : str
        Its name; how F changes.
    webp : bytes
    areas : tuple of (str, str)
        The kinds in words, and their areas as they are painted.
    """

    page: str
    caption: str
    webp: bytes
    areas: tuple[tuple[str, str], ...]


def most_changed_pages(
    evaluation: Evaluation, compared: RunComparison, most: int = MOST
) -> list[ComparedPicture]:
    """The pages with most truth that only one of the runs found, the most changed first."""
    if problem_of("cv2"):
        return []
    changed = compared.figures.pages.change("f")
    number = {name: at for at, name in enumerate(compared.figures.pages.names)}
    pages = sorted(compared.pages.values(), key=lambda page: -page.changed)
    pictures = []
    for page in (page for page in pages[:most] if page.changed > 0):
        truth = compared.truths[page.page]
        areas = compared_areas(
            compared.first, compared.second, page.page, truth, None, evaluation.primitive
        )
        change = written(float(changed[number[page.page]]), "change")
        pictures.append(
            ComparedPicture(page.page, f"ΔF {change}", _picture(truth.page, areas), _figures(areas))
        )
    return pictures


def _figures(areas: ComparedAreas) -> tuple[tuple[str, str], ...]:
    painted: dict[ComparedKind, float] = painted_areas(areas)
    kinds = (*TRUTH_KINDS, *FALSE_KINDS)
    return tuple((kind.words, f"{painted[kind]:,.0f} px²") for kind in kinds)


def _picture(page: Page, areas: ComparedAreas) -> bytes:
    def paint(sheet: OverlayRaster) -> Pixels:
        painted = paint_areas(compared_kinds(areas, sheet), sheet, 0.85, COMPARED_STYLES)
        paint_outlines(painted, areas.first, sheet, FIRST_COLOUR, 1)
        paint_outlines(painted, areas.second, sheet, SECOND_COLOUR, 1)
        paint_outlines(painted, areas.truth, sheet, TRUTH_LINE, 1)
        return painted

    return painted_page(page, paint)
