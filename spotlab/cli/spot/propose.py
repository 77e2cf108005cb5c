"""`spotlab spot propose`: how much work proposals save, with lessons from labelled pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.console import say
from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.ink_options import chosen_ink, ink_options
from spotlab.cli.job_options import job_options
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.spot.symbols import INKS
from spotlab.report.aligned import aligned
from spotlab.representation import utf8

if TYPE_CHECKING:
    from spotlab.studies.symbols.work_saved import WorkSaved


@click.command()
@click.option(
    "--pages",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    required=True,
    help="Pages with truth: folder, image with its truth beside it, or truth file; may be given "
    "several times.",
)
@click.option(
    "--lessons",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Labelled pages to learn from, given like --pages; may be given several times. A page is "
    "never a lesson for a page of its own name.  [default: none]",
)
@click.option(
    "--ink",
    type=click.Choice(INKS),
    default=INKS[0],
    show_default=True,
    help="Binarisation method.",
)
@ink_options
@job_options
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the features of pages.  [default: in the user's cache folder]",
)
@click.option(
    "--csv",
    "csv_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the table, one row per page.",
)
@csv_safe_option
@json_option
def propose(
    pages: tuple[Path, ...],
    lessons: tuple[Path, ...],
    ink: str,
    jobs: int,
    cluster: str | None,
    cache: Path | None,
    csv_file: Path | None,
    json_file: str | None,
    **chosen: Any,
) -> None:
    """Measure how much work proposals save when the truth of pages is made.

    A person is simulated who accepts a proposal that overlaps a region of its label by half or more
    (IoU), rejects any other, and draws what is not proposed. Proposals are judged by all labelled
    regions of --lessons, and learn from each answer. Pages do not learn from each other.
    """
    from spotlab.formats.rows.files import write_atomically  # noqa: PLC0415 - takes a while
    from spotlab.report.symbol_work import as_json, work_table  # noqa: PLC0415
    from spotlab.report.tables import as_csv  # noqa: PLC0415
    from spotlab.spotting.symbols.engine.feature_extraction import (  # noqa: PLC0415
        SymbolSettings,
        named_ink_settings,
    )
    from spotlab.studies.symbols.proposal_work import measure_proposal_work  # noqa: PLC0415
    from spotlab.studies.tally.truth import read_truths  # noqa: PLC0415

    check_target(json_file)
    check_target(str(csv_file) if csv_file else None)
    made_of = chosen_ink(ink, pages, chosen)
    used = named_ink_settings(made_of) if isinstance(made_of, str) else made_of
    with as_options(), progress_bar() as progress:
        asked = read_truths(pages, progress=progress).truths
        known = read_truths(lessons, progress=progress).truths if lessons else {}
        work = measure_proposal_work(
            list(asked.values()),
            list(known.values()),
            SymbolSettings(used),
            cache=cache,
            jobs=jobs,
            cluster=cluster,
            progress=progress,
        )
    if csv_file is not None:
        write_atomically(csv_file, utf8(as_csv(work_table(work))))
    if json_file:
        write_json(as_json(work, len(known)), json_file)
    if json_file != "-":
        say(*_lines(work))
        if csv_file is not None:
            say(f"wrote {csv_file}")


def _lines(work: WorkSaved) -> list[str]:
    from spotlab.report.symbol_work import work_table  # noqa: PLC0415

    table = work_table(work)
    rows = [[column.title for column in table.columns]]
    rows += [[cell.text for cell in row] for row in table.rows]
    return aligned(rows)
