"""Options of the commands that train a network, and what they say at the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.console import say

if TYPE_CHECKING:
    from spotlab.learning.runs import Trained


def training_options(batch: int, least: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add how long is trained, by what seed, from how many pictures a step, and where to.

    Parameters
    ----------
    batch, least : int
        Pictures in a step: as a rule, and at least.
    """
    options = (
        click.option(
            "--minutes",
            type=click.FloatRange(min=0, min_open=True),
            default=60,
            show_default=True,
            help="Minutes to train.",
        ),
        click.option(
            "--steps",
            type=click.IntRange(min=0),
            default=0,
            help="Steps to train instead; with --jobs 1 the same seed then gives the same network.",
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of all chance."),
        click.option(
            "--batch",
            type=click.IntRange(min=least),
            default=batch,
            show_default=True,
            help="Pictures in a step.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(min=1),
            default=2,
            show_default=True,
            help="Processor cores: with more than one, pictures are drawn in a process of their "
            "own.",
        ),
        click.option(
            "--out",
            type=click.Path(dir_okay=False, path_type=Path),
            required=True,
            help="File for the network (.onnx).",
        ),
    )

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def say_trained(made: Trained, drawn: str) -> None:
    """Say what was trained.

    Parameters
    ----------
    made : Trained
    drawn : str
        What its pictures are.
    """
    end = "" if made.ended else "; cancelled: the same command continues it"
    seen = f"{made.steps:,} steps, {made.pictures:,} {drawn}, {made.minutes:.1f} min"
    say(f"wrote {made.file}: {seen}{end}")
