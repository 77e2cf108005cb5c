"""What is measured of symbol spotting besides the paper's study, as parts of its report."""

from __future__ import annotations

from collections.abc import Sequence

from spotlab.report.study import StudySection
from spotlab.report.tables import UNDEFINED, Cell, Column, Table
from spotlab.studies.descriptor_invariance import Invariance, Moved

MOVED = {
    "median": ("moved", "Half of the contours moved no farther, in units of the radius"),
    "within": ("within (%)", "Share that moved no farther than the radius"),
    "nearest": ("nearest (%)", "Share whose nearest among all contours is the same, or its shape"),
}


def invariance_section(found: Invariance) -> StudySection:
    """How far descriptors move when symbols are turned, scaled, mirrored or drawn badly."""
    false = ", ".join(f"{name} {share:.1f}" for name, share in found.false.items())
    return StudySection(
        "Descriptors and what changes a symbol",
        [
            f"{found.drawings:,} drawings with {found.contours:,} contours are drawn anew for each "
            "change, as strokes on pixels, and described again. Left is the share of contours "
            "that the change itself neither opens nor closes; the others are of these. Of 100 "
            f"contours of another shape, within the radius of one are: {false}."
        ],
        {"invariance": invariance_table(found)},
        {},
    )


def invariance_table(found: Invariance) -> Table:
    """A row a change; for each descriptor how far, within its radius, and nearest."""
    names = list(found.false)
    columns = [Column("Change", "change"), Column("Left (%)", "left")]
    for name in names:
        columns += [
            Column(f"{name}: {title}", f"{name}_{key}", definition)
            for key, (title, definition) in MOVED.items()
        ]
    rows = []
    for first in found.rows[:: max(len(names), 1)]:
        place = (first.change, first.amount)
        same = [row for row in found.rows if (row.change, row.amount) == place]
        rows.append((Cell(" ".join(place)), _share(first.left), *_moved(same)))
    return Table("What a change does to descriptors", tuple(columns), tuple(rows))


def _moved(rows: Sequence[Moved]) -> list[Cell]:
    cells = []
    for row in rows:
        cells += [_number(row.median), _share(row.within), _share(row.nearest)]
    return cells


def _share(value: float | None) -> Cell:
    return Cell(UNDEFINED) if value is None else Cell(f"{100 * value:.1f}", 100 * value)


def _number(value: float | None) -> Cell:
    return Cell(UNDEFINED) if value is None else Cell(f"{value:.2f}", value)
