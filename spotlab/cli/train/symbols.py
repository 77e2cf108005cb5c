"""`spotlab train symbols`: a network that describes symbols, from drawings that nobody has made."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar


@click.command()
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=60,
    show_default=True,
    help="Minutes to train.",
)
@click.option(
    "--steps",
    type=click.IntRange(min=0),
    default=0,
    help="Steps to train instead; with --jobs 1 the same seed then gives the same network.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all chance.")
@click.option(
    "--batch",
    type=click.IntRange(min=16),
    default=240,
    show_default=True,
    help="Pictures in a step.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="Processor cores: with more than one, symbols are drawn in a process of their own.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File for the network (.onnx).",
)
def symbols(minutes: float, steps: int, seed: int, batch: int, jobs: int, out: Path) -> None:
    """Train a network to describe symbols of any kind, on symbols that it invents.

    It needs PyTorch: pip install spotlab[learn]. Ctrl+C keeps what was reached. A run that was
    cancelled or killed is continued by the same command.
    """
    from spotlab.learning.framework import need_framework  # noqa: PLC0415 - takes a while
    from spotlab.learning.runs import TrainingSettings  # noqa: PLC0415
    from spotlab.learning.symbols.training import train_symbols  # noqa: PLC0415

    need_framework()
    out.parent.mkdir(parents=True, exist_ok=True)
    settings = TrainingSettings(minutes, steps, seed, batch, jobs)
    with as_options(), progress_bar() as progress:
        made = train_symbols(out, settings, progress)
    end = "" if made.ended else "; cancelled: the same command continues it"
    seen = f"{made.steps:,} steps, {made.pictures:,} pictures, {made.minutes:.1f} min"
    click.echo(f"wrote {out}: {seen}{end}")
