"""`spotlab spot propose`: how much work proposals save, with lessons from labelled pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import ProposalSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, tell
from spotlab.cli.options import EXISTING, FILE, INK, csv_safe_option, given, options
from spotlab.report.tables import Cell, Column, Table, as_csv, as_text, figure_cell
from spotlab.representation import utf8

if TYPE_CHECKING:
    from spotlab.studies.symbols.work_saved import PageWork, WorkSaved

COLUMNS = (
    ("Page", "page"),
    ("Symbols", "symbols"),
    ("Accepted", "accepted"),
    ("Drawn", "drawn"),
    ("Rejected", "rejected"),
    ("Accepted (%)", "share"),
    ("Rejected per accepted", "false_per_accepted"),
)


@click.command()
@options(
    ProposalSettings, INK | {"pages": "--pages"}, types={"pages": EXISTING, "lessons": EXISTING}
)
@click.option("--csv", "csv_file", type=FILE, help="File for the table, one row per page.")
@csv_safe_option
@json_option
def propose(
    pages: tuple[Path, ...], csv_file: Path | None, json_file: str | None, **chosen: Any
) -> None:
    """Measure how much work proposals save when the truth of pages is made.

    A person is simulated who accepts a proposal that overlaps a region of its label by half or more
    (IoU), rejects any other, and draws what is not proposed. Proposals are judged by all labelled
    regions of --lessons, and learn from each answer. Pages do not learn from each other.
    """
    from spotlab.api.hull_of_stroke import spot_propose  # noqa: PLC0415 - takes a while
    from spotlab.formats.rows.files import write_atomically  # noqa: PLC0415

    check_target(json_file)
    check_target(str(csv_file) if csv_file else None)
    with as_options(), progress_bar() as progress:
        result = spot_propose(pages, progress=progress, **given(chosen))
    if csv_file is not None:
        write_atomically(csv_file, utf8(as_csv(work_table(result.work))))
    wrote = [] if csv_file is None else [f"wrote {csv_file}"]
    tell(json_file, result.as_dict, lambda: [*as_text(work_table(result.work)), *wrote])


def work_table(work: WorkSaved) -> Table:
    """Make a table with a row for each page, and one for all.

    Parameters
    ----------
    work : WorkSaved

    Examples
    --------
    >>> from spotlab.studies.symbols.work_saved import PageWork, WorkSaved
    >>> table = work_table(WorkSaved((PageWork("plan", symbols=4, accepted=3, drawn=1),)))
    >>> [cell.text for cell in table.rows[-1]]
    ['All', '4', '3', '1', '0', '75.0', '0.00']
    """
    from spotlab.studies.symbols.work_saved import PageWork, WorkSaved  # noqa: PLC0415

    columns = tuple(Column(title, name) for title, name in COLUMNS)
    rows = [_row(each.page, each, WorkSaved((each,))) for each in work.pages]
    names = ("symbols", "accepted", "drawn", "rejected")
    total = {name: sum(getattr(each, name) for each in work.pages) for name in names}
    rows.append(_row("All", PageWork("All", **total), work))
    return Table("Proposals accepted instead of symbols drawn", columns, tuple(rows))


def _row(title: str, counts: PageWork, figures: WorkSaved) -> tuple[Cell, ...]:
    numbers = (counts.symbols, counts.accepted, counts.drawn, counts.rejected)
    share = None if figures.share is None else 100 * figures.share
    return (
        Cell(title),
        *(figure_cell(each, "count") for each in numbers),
        figure_cell(share, spec=".1f"),
        figure_cell(figures.false_per_accepted, spec=".2f"),
    )
