"""`spotlab parts write`: truth and runs as Parquet parts."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.console import progress_bar, say
from spotlab.cli.options import EXISTING_PATH, job_options
from spotlab.errors import SpotlabError, counted
from spotlab.interruption import noting
from spotlab.lab.commands.lab_options import number_option


@click.command()
@click.option(
    "--truth",
    type=EXISTING_PATH,
    multiple=True,
    required=True,
    help="Truth: a folder or a file; may be given several times.",
)
@click.option(
    "--run",
    "runs",
    type=EXISTING_PATH,
    multiple=True,
    help="Run: a file, or a folder with runs; may be given several times.",
)
@number_option("--part-pages", "Number of pages in each part.", 500, least=1)
@click.option(
    "--out",
    required=True,
    metavar="FOLDER",
    help="Folder, or address of a folder in object storage such as s3://bucket/parts.",
)
@job_options
def write(
    truth: tuple[Path, ...],
    runs: tuple[Path, ...],
    part_pages: int,
    out: str,
    jobs: int,
    cluster: str | None,
) -> None:
    """Write truth and runs as Parquet parts, for `spotlab parts evaluate`.

    The folder gets a folder `truth`, and a folder `runs/NAME` for each run. Parts of the same name
    hold the same pages. Folders of PAGE files are read by the workers, a part at a time; other
    truth is read as a whole first.
    """
    from spotlab.api import read_run as run_sources  # noqa: PLC0415 - takes a while
    from spotlab.formats.rows.part_folder import PartFolder  # noqa: PLC0415
    from spotlab.lab.parts.partition import write_page_parts, write_parts  # noqa: PLC0415
    from spotlab.studies.tally.truth import read_truths  # noqa: PLC0415

    folder = PartFolder.of(out)
    note = noting("finished parts of the truth are kept; run the same command again to continue")
    with note, progress_bar() as progress:
        of_pages = write_page_parts(
            truth, folder / "truth", part_pages, jobs=jobs, cluster=cluster, progress=progress
        )
        truth_set = of_pages or read_truths(truth, progress=progress)
        read = run_sources.read_runs(runs, truth_set, progress=progress) if runs else []
        named = {each.run.name: each.run for each in read}
        if len(named) < len(read):
            raise SpotlabError("two runs have the same name; write them into different folders")
        parts = write_parts(
            truth_set, named, folder, part_pages, progress, with_truth=of_pages is None
        )
    for name, run in named.items():
        if run.models:
            say(f"{name}: parts do not say where queries were taken from; these regions will count")
    say(f"wrote {counted(len(truth_set.truths), 'page')} as {counted(parts, 'part')} to {out}")
