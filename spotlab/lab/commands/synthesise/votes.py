"""`spotlab synthesise votes`: a contest of text pipelines on engines that err in their own ways."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.console import say
from spotlab.errors import counted

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
@click.option(
    "--tokens",
    type=click.IntRange(min=1),
    default=800,
    show_default=True,
    help="Length of the simulated text, in tokens.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    help="Seed of the random number generator.  [default: 0]",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="CSV file for the votes.",
)
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
