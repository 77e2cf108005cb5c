"""Work saved by proposals, as a table and as JSON."""

from __future__ import annotations

from typing import Any

from spotlab.report.tables import UNDEFINED, Cell, Column, Table
from spotlab.studies.symbols.work_saved import PageWork, WorkSaved

_COLUMNS = (
    ("Page", "page"),
    ("Symbols", "symbols"),
    ("Accepted", "accepted"),
    ("Drawn", "drawn"),
    ("Rejected", "rejected"),
    ("Accepted (%)", "share"),
    ("Rejected per accepted", "false_per_accepted"),
)


def work_table(work: WorkSaved) -> Table:
    """Make a table with a row for each page, and one for all.

    Parameters
    ----------
    work : WorkSaved

    Examples
    --------
    >>> table = work_table(WorkSaved((PageWork("plan", symbols=4, accepted=3, drawn=1),)))
    >>> [cell.text for cell in table.rows[-1]]
    ['All', '4', '3', '1', '0', '75.0', '0.00']
    """
    columns = tuple(Column(title, name) for title, name in _COLUMNS)
    rows = [_row(each.page, each, WorkSaved((each,))) for each in work.pages]
    names = ("symbols", "accepted", "drawn", "rejected")
    total = {name: sum(getattr(each, name) for each in work.pages) for name in names}
    rows.append(_row("All", PageWork("All", **total), work))
    return Table("Proposals accepted instead of symbols drawn", columns, tuple(rows))


def as_json(work: WorkSaved, lessons: int) -> dict[str, Any]:
    """Make the JSON of the command: figures of all pages, then of each.

    Parameters
    ----------
    work : WorkSaved
    lessons : int
        Number of pages that were learned from.
    """
    return {"lessons": lessons, **work.as_json()}


def _row(title: str, counts: PageWork, figures: WorkSaved) -> tuple[Cell, ...]:
    numbers = (counts.symbols, counts.accepted, counts.drawn, counts.rejected)
    cells = [Cell(f"{each:,}", each) for each in numbers]
    share, false = figures.share, figures.false_per_accepted
    return (
        Cell(title),
        *cells,
        Cell(UNDEFINED) if share is None else Cell(f"{100 * share:.1f}", 100 * share),
        Cell(UNDEFINED) if false is None else Cell(f"{false:.2f}", false),
    )
