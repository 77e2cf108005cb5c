"""`spotlab train symbols`: a network that describes symbols, from drawings that nobody has made."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.console import as_options, progress_bar
from spotlab.lab.commands.lab_options import say_trained, training_options


@click.command()
@training_options(batch=240, least=16)
def symbols(minutes: float, steps: int, seed: int, batch: int, jobs: int, out: Path) -> None:
    """Train a network to describe symbols of any kind, on symbols that it invents.

    It needs PyTorch: pip install spotlab[learn]. Ctrl+C keeps what was reached. A run that was
    cancelled or killed is continued by the same command.
    """
    from spotlab.lab.train.symbols.training import train_symbols  # noqa: PLC0415
    from spotlab.learning.runs import TrainingSettings, need_framework  # noqa: PLC0415

    need_framework()
    out.parent.mkdir(parents=True, exist_ok=True)
    settings = TrainingSettings(minutes, steps, seed, batch, jobs)
    with as_options(), progress_bar() as progress:
        made = train_symbols(out, settings, progress)
    say_trained(made, "pictures")
