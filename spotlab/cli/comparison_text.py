"""A comparison of two runs as lines for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spotlab.report.aligned import aligned

if TYPE_CHECKING:
    from spotlab.report.tables import Table
    from spotlab.studies.compare.comparison import RunComparison

MOST = 10  # changes that are printed; --json has all


def comparison_lines(compared: RunComparison) -> list[str]:
    """Means, areas, labels, and the biggest changes; how many there are of each kind."""
    from spotlab.report.comparison_tables import comparison_tables  # noqa: PLC0415 - imports numpy

    tables = comparison_tables(compared)
    lines = ["", f"A: {compared.first.name}, B: {compared.second.name}; changes are B minus A"]
    for name in ("comparison-means", "comparison-areas", "comparison-labels"):
        lines += ["", *_lines(tables[name])]
    counts = compared.changes.count()
    lines += ["", ", ".join(f"{kind.words}: {count:,}" for kind, count in counts.items())]
    for name in ("comparison-symbols", "comparison-false-spots"):
        table = tables[name]
        shown = min(MOST, len(table.rows))
        if shown:
            lines += ["", f"{table.title}, the {shown:,} biggest of {len(table.rows):,}"]
            lines += _lines(table, MOST)
    return lines


def _lines(table: Table, most: int | None = None) -> list[str]:
    heads = [column.title for column in table.columns]
    rows = [[f"{cell.text} {cell.note}".strip() for cell in row] for row in table.rows[:most]]
    return aligned([heads, *rows])
