"""The tables of systems compared without truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from spotlab.consensus.comparison import SystemFigures, SystemIntervals
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.report.tables import Cell, Column, Table, figure_cell
from spotlab.studies.systems.comparison import SystemComparison
from spotlab.studies.systems.method_results import GroupComparison, MethodResult

RANK = "1 is the highest F; the same F shares a rank."
TRUE = "Ordinary precision and recall; recall counts what no system found."
OWN_GROUP = "Figure computed from the systems of this group only."
PARTS = ("precision", "recall", "f")


ERROR = "Mean absolute difference from the figure with truth."
NEAR = ("kendall", "spearman", "precision_error", "recall_error", "f_error")  # of `Nearness`
NEARNESS = (
    Column(
        "Kendall's τ",
        "kendall_tau",
        "Kendall rank correlation of F without truth with F with truth; 1 means the same order.",
    ),
    Column(
        "Spearman's ρ",
        "spearman_rho",
        "Spearman rank correlation of F without truth with F with truth.",
    ),
    Column("Error of precision", "precision_error", ERROR),
    Column("Error of recall", "recall_error", ERROR),
    Column("Error of F", "f_error", ERROR),
)


def result_table(
    comparison: SystemComparison, result: MethodResult, truth: SystemFigures | None = None
) -> Table:
    """A row for each system with the figures of a method, and with those that truth gives."""
    title, meaning = f"Systems, {result.title}", (result.definition, TRUE)
    return _table(title, comparison.systems, result.figures, result.intervals, truth, meaning)


def with_top(table: Table, result: MethodResult) -> Table:
    """Add a row for ⊤, where a method tells its figures."""
    if result.top is None:
        return table
    top = [Cell("⊤, all items"), Cell(UNDEFINED), *map(figure_cell, result.top)]
    blank = [Cell("")] * (len(table.columns) - len(top))
    return replace(table, rows=(*table.rows, (*top, *blank)))


def group_table(comparison: SystemComparison, group: GroupComparison) -> Table:
    """The systems of a group, judged by each other."""
    names = [comparison.systems[place] for place in group.systems.tolist()]
    return _table(group.name, names, group.result.figures, None, group.truth, (OWN_GROUP,) * 2)


def _table(
    title: str,
    names: Sequence[str],
    figures: SystemFigures,
    intervals: SystemIntervals | None,
    truth: SystemFigures | None,
    meaning: tuple[str, str],
) -> Table:
    columns = [Column("System", "system"), *_columns("", meaning[0])]
    if truth is not None:
        columns += _columns("with truth: ", meaning[1], "true_")
    rows = [
        (
            Cell(names[place]),
            _rank(figures, place),
            *(_between(figures, intervals, part, place) for part in PARTS),
            *(() if truth is None else _figures(truth, place)),
        )
        for place in order_of(figures)
    ]
    return Table(title, tuple(columns), tuple(rows))


def methods_table(
    comparison: SystemComparison, results: Sequence[MethodResult], title: str
) -> Table:
    """A row for each method, with how near it is to the truth where that is known."""
    columns = [
        Column("Method", "method"),
        Column("Relevant items", "expected_relevant", "Expected number of relevant items: ΣP(δ)."),
    ]
    if comparison.truth is not None:
        columns += NEARNESS
    rows = []
    for each in results:
        relevant, near = each.expected_relevant, each.nearness
        row = [Cell(each.title, name=each.name), figure_cell(relevant, spec=",.1f")]
        if comparison.truth is not None:
            row += [figure_cell(None if near is None else getattr(near, name)) for name in NEAR]
        rows.append(tuple(row))
    return Table(title, tuple(columns), tuple(rows))


def side_by_side(comparison: SystemComparison, results: Sequence[MethodResult]) -> Table:
    """Every system's rank and F by every method."""
    columns = [Column("System", "system")]
    for each in results:
        columns += [
            Column(f"{each.title}: rank", f"{each.name}_rank", each.definition),
            Column("F", f"{each.name}_f", each.definition),
        ]
    truth = comparison.truth
    if truth is not None:
        columns += [Column("With truth: rank", "true_rank", RANK), Column("F", "true_f")]
    rows = []
    for place in order_of(comparison.leading.figures):
        cells = [Cell(comparison.systems[place])]
        for each in results:
            figures = each.figures
            cells += [_rank(figures, place), _between(figures, each.intervals, "f", place)]
        if truth is not None:
            cells += [_rank(truth, place), figure_cell(truth.f[place])]
        rows.append(tuple(cells))
    return Table("Methods side by side", tuple(columns), tuple(rows))


def better_table(comparison: SystemComparison) -> Table | None:
    """Tell how likely each system's F is above each other's; None where that is not known."""
    chance = comparison.superiority
    if chance is None:
        return None
    order = order_of(comparison.recommended.figures)
    names = comparison.systems
    columns = [Column("Better than", "system")]
    columns += [Column(names[place], names[place]) for place in order]
    rows = []
    for place in order:
        cells = [Cell(names[place])]
        for other in order:
            value = float(chance[place, other])
            cells.append(Cell("") if place == other else figure_cell(value))
        rows.append(tuple(cells))
    return Table("Chance that the system of the row has the higher F", tuple(columns), tuple(rows))


def disputed_table(comparison: SystemComparison) -> Table:
    """The items on which the systems disagree most."""
    table, disputed = comparison.table, comparison.disputed
    columns = [Column("Item", "item")]
    columns += [Column("Page", "page")] if table.pages else []
    columns += [Column("Text", "text")] if table.texts else []
    columns += [
        Column("Share", "share", "Share of the known votes that are for the item."),
        Column("Votes", "votes", "Number of known votes."),
    ]
    columns += [Column("Truth", "truth", "1 relevant, 0 not.")] if table.truth is not None else []
    columns += [Column("For it", "for"), Column("Votes against", "against")]
    rows = []
    for place, item in enumerate(disputed.items.tolist()):
        votes = disputed.votes[place]
        cells = [Cell(table.items[item])]
        cells += [Cell(table.pages[item])] if table.pages else []
        cells += [Cell(table.texts[item])] if table.texts else []
        known = int(disputed.known[place])
        cells += [figure_cell(float(disputed.share[place])), figure_cell(known, "count")]
        if table.truth is not None:
            cells.append(figure_cell(float(table.truth[item]), spec=".0f"))
        cells.append(Cell(_voters(comparison.systems, votes >= 0.5)))
        cells.append(Cell(_voters(comparison.systems, votes < 0.5)))
        rows.append(tuple(cells))
    return Table("Items on which the systems disagree most", tuple(columns), tuple(rows))


def order_of(figures: SystemFigures) -> list[int]:
    """The systems by rank, those without one last."""
    order = np.argsort(np.nan_to_num(figures.rank, nan=np.inf), kind="stable")
    return [int(place) for place in order]


def _columns(prefix: str, definition: str, name: str = "") -> list[Column]:
    heads = [Column(f"{prefix}rank".capitalize(), f"{name}rank", RANK)]
    for title, part in (("Precision", "precision"), ("Recall", "recall"), ("F", "f")):
        heads.append(Column(title, f"{name}{part}", definition))
    return heads


def _figures(figures: SystemFigures, place: int) -> tuple[Cell, ...]:
    return (_rank(figures, place), *(figure_cell(getattr(figures, part)[place]) for part in PARTS))


def _between(
    figures: SystemFigures, intervals: SystemIntervals | None, part: str, place: int
) -> Cell:
    """A figure, its interval below."""
    cell = figure_cell(float(getattr(figures, part)[place]))
    if intervals is None:
        return cell
    low, high = getattr(intervals, part)[place].tolist()
    return replace(cell, note="" if np.isnan(low) else f"[{written(low)}, {written(high)}]")


def _rank(figures: SystemFigures, place: int) -> Cell:
    return figure_cell(float(figures.rank[place]), spec=".0f")


def _voters(systems: Sequence[str], chosen: Sequence[bool], most: int = 5) -> str:
    names = [name for name, is_so in zip(systems, chosen, strict=True) if is_so]
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest:,} more" if rest > 0 else "")
