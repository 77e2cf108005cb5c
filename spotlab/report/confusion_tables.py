"""Tables of what was taken for what, and of what average precision would gain, for reports."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from spotlab.measures.confusion import row_shares
from spotlab.measures.tide import TIDE_KINDS
from spotlab.report.figure_text import written
from spotlab.report.tables import UNDEFINED, Cell, Column, Table

if TYPE_CHECKING:
    from spotlab.measures.confusion import Confusion
    from spotlab.measures.tide import TideErrors

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
    """What the spots of a run lie on, by ``"spots"`` or ``"area"``.

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
            *(_cell(float(counted[row, at]), float(shares[row, at])) for at in columns.tolist()),
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
                Cell(f"{count:,}", float(count)),
                Cell(written(gain), gain),
            )
        )
    before = written(tide.mean())
    return Table(f"{name}: ΔAP of each kind of error (AP {before})", columns, tuple(rows))


def _cell(value: float, share: float) -> Cell:
    note = "" if math.isnan(share) or value == 0 else f"{100 * share:.0f} %"
    return Cell(f"{value:,.0f}" if value else UNDEFINED, value, note)
