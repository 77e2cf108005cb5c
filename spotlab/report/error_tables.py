"""Confusions of labels, and the cost of each kind of error, as tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from spotlab.measures.confusion import row_shares
from spotlab.measures.tide import TIDE_KINDS
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.report.tables import Cell, Column, Table, figure_cell

if TYPE_CHECKING:
    from spotlab.measures.confusion import Confusion
    from spotlab.measures.tide import TideErrors

PAIRS = 20  # confusions that are printed
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


def confusion_pairs(name: str, confusion: Confusion, by: str, most: int = PAIRS) -> Table | None:
    """The largest confusions of a query with another label, for print; None where not known.

    Parameters
    ----------
    name : str
        Of the run.
    confusion : Confusion
    by : {"spots", "area"}
    most : int
        Number of rows, at most.
    """
    counted_as = confusion.table(by)
    if counted_as is None:
        return None
    shares = row_shares(counted_as)
    found = list(zip(*(places.tolist() for places in confusion.confused(by)), strict=True))
    unit = "Spots" if by == "spots" else "Area (px²)"
    columns = (
        Column("Query", "query"),
        Column("Taken for", "label"),
        Column(unit, by, unit="count" if by == "spots" else "px²"),
        Column("Of the query (%)", "share", unit="%"),
    )
    rows = tuple(
        (
            Cell(confusion.rows[row]),
            Cell(confusion.columns[at]),
            figure_cell(float(counted_as[row, at]), spec=",.0f"),
            figure_cell(100 * float(shares[row, at]), "%"),
        )
        for row, at in found[:most]
    )
    chosen = f"the {most:,} largest of {len(found):,}" if len(found) > most else f"{len(found):,}"
    return Table(f"{name}: {chosen} confusions, by {by}", columns, rows)


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
