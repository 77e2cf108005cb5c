"""`spotlab synthesise runs`: spotting runs with known faults, made from truth."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.console import progress_bar, say
from spotlab.cli.options import csv_safe_option
from spotlab.errors import counted

NAMES = ("sloppy", "picky", "drifting")  # a test holds them against the perturbations themselves


@click.command()
@click.option(
    "--truth",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    required=True,
    help="Truth: a folder or a file; may be given several times.",
)
@click.option(
    "--character",
    type=click.Choice(NAMES),
    multiple=True,
    default=NAMES,
    show_default=True,
    help="Type of error that the simulated system makes; may be given several times.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    help="Seed of the random number generator.  [default: 0]",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the runs.",
)
@csv_safe_option
def runs(truth: tuple[Path, ...], character: tuple[str, ...], seed: int, out: Path) -> None:
    """Make runs with known errors from truth: imprecise outlines, missed regions, or drift."""
    from spotlab.formats.runs.csv_run import write_csv  # noqa: PLC0415 - takes half a second
    from spotlab.lab.draw.perturbation import CHARACTERS, perturb  # noqa: PLC0415
    from spotlab.studies.tally.truth import read_truths  # noqa: PLC0415

    with progress_bar() as progress:
        truths = read_truths(truth, progress=progress).truths
    out.mkdir(parents=True, exist_ok=True)
    for name in character:
        run = perturb(truths, CHARACTERS[name], seed)
        write_csv(run, out / f"{name}.csv")
        say(
            f"wrote {counted(len(run), 'spot')} to {out / name}.csv: {CHARACTERS[name].description}"
        )
