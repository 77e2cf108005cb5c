"""`spotlab demo`: the sample collection in the window, or as pictures."""

from __future__ import annotations

import os
from pathlib import Path

import click

from spotlab.cli.console import say
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.window import open_window, require_qt
from spotlab.resources import own_sample, sample_collection


@click.command()
@click.option(
    "--headless",
    is_flag=True,
    help="Write pictures of all workspaces and a report, without showing a window.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("spotlab-pictures"),
    show_default=True,
    help="Folder for the pictures and the report.",
)
def demo(headless: bool, out: Path) -> None:
    """Open your copy of the sample collection."""
    if not headless:
        open_window([own_sample()], demo=True)
        return
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    require_qt(display=False)
    from spotlab.gui.window.headless import render_pictures  # noqa: PLC0415

    out.mkdir(parents=True, exist_ok=True)
    for picture in render_pictures(out):
        say(f"wrote {picture}")
    say(f"wrote {_report(out)}")


def _report(out: Path) -> Path:
    """The evaluation of the sample's runs."""
    from spotlab.formats.runs import read_run  # noqa: PLC0415 - takes a second
    from spotlab.report.write import write_report  # noqa: PLC0415
    from spotlab.studies.evaluate.evaluate import evaluate  # noqa: PLC0415
    from spotlab.studies.tally.truth import read_truths  # noqa: PLC0415

    sample = sample_collection()
    runs = [read_run(path) for path in sorted((sample / "runs").glob("*.csv"))]
    with progress_bar() as progress:
        evaluation = evaluate(read_truths([sample]), runs, progress=progress)
        return write_report(evaluation, out / "report", progress)
