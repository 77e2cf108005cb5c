"""`spotlab synthesise floorplans`, `manuscript`, `runs`, `votes`: what is drawn has known truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.cli.console import progress_bar, say
from spotlab.cli.options import EXISTING_PATH, FILE, FOLDER, csv_safe_option
from spotlab.errors import counted
from spotlab.lab.commands.lab_options import draw_pages, number_option, page_options
from spotlab.lab.draw.manuscript import options as manuscript_options
from spotlab.lab.draw.manuscript.options import ManuscriptOptions
from spotlab.lab.draw.plans import options as plan_options
from spotlab.lab.draw.plans.options import FloorPlanOptions

PLAN_MANNERS = {
    "neat": FloorPlanOptions(),
    "clean": plan_options.CLEAN,
    "worn": plan_options.WORN,
    "paper": plan_options.PAPER,
}
MANUSCRIPT_MANNERS = {
    "neat": ManuscriptOptions(),
    "clean": manuscript_options.CLEAN,
    "worn": manuscript_options.WORN,
}


@click.command()
@page_options(
    FloorPlanOptions,
    PLAN_MANNERS,
    "a good scan (neat), a perfect scan (clean), an old scan (worn), or the scans of a published "
    "study (paper)",
)
def floorplans(pages: int, seed: int, out: Path, jobs: int, manner: str, **chosen: Any) -> None:
    """Draw floor plans with the exact truth of their furniture."""
    from spotlab.lab.draw.floorplans import write_collection  # noqa: PLC0415 - takes a second

    draw_pages(write_collection, "symbol", PLAN_MANNERS[manner], pages, seed, out, jobs, chosen)


@click.command()
@page_options(
    ManuscriptOptions,
    MANUSCRIPT_MANNERS,
    "a good scan (neat), ink on plain white (clean), or an old sheet (worn)",
)
def manuscript(pages: int, seed: int, out: Path, jobs: int, manner: str, **chosen: Any) -> None:
    """Draw pages of simulated handwriting with the exact truth of their words."""
    from spotlab.lab.draw.manuscript.pages import write_collection  # noqa: PLC0415 - takes a second

    start = MANUSCRIPT_MANNERS[manner]
    draw_pages(write_collection, "word", start, pages, seed, out, jobs, chosen)


NAMES = ("sloppy", "picky", "drifting")  # a test holds them against the perturbations themselves


@click.command()
@click.option(
    "--truth",
    type=EXISTING_PATH,
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
@click.option("--out", type=FOLDER, required=True, help="Folder for the runs.")
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


ENGINES = ("two", "three")


@click.command()
@click.option(
    "--engines",
    type=click.Choice(ENGINES),
    default="two",
    show_default=True,
    help="Simulated OCR engines: a good and a biased one with 12 pipelines each (two), or three "
    "with 8 pipelines each (three).",
)
@number_option("--tokens", "Length of the simulated text, in tokens.", 800, least=1)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    help="Seed of the random number generator.  [default: 0]",
)
@click.option("--out", type=FILE, required=True, help="CSV file for the votes.")
def votes(engines: str, tokens: int, seed: int, out: Path) -> None:
    """Simulate the votes of text pipelines, with the truth.

    The pipelines of the biased engine share its errors and so confirm each other, as Lamiroy & Sun
    observed in their Fig. 3.
    """
    from spotlab.formats.votes.csv_votes import write_votes  # noqa: PLC0415 - takes a second
    from spotlab.lab.draw.contest import (  # noqa: PLC0415
        THREE_ENGINES,
        TWO_ENGINES,
        simulate_contest,
        votes_of_contest,
    )

    contest = simulate_contest(TWO_ENGINES if engines == "two" else THREE_ENGINES, tokens, seed)
    table = votes_of_contest(contest)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_votes(table, out)
    say(
        f"wrote {counted(len(table), 'item')} with the votes of "
        f"{counted(len(table.systems), 'system')} to {out}"
    )
