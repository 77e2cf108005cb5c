"""`spotlab train words`: a network that describes words, from fonts and texts alone."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option(
    "--fonts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder with fonts of handwriting (.ttf, .otf), also in folders below it.",
)
@click.option(
    "--words", type=_FILE, required=True, help="List of words, one a line; a to z are used."
)
@click.option(
    "--running",
    type=_FILE,
    multiple=True,
    help="Running text, whose words are drawn as often as they occur; may be given several times.",
)
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
    type=click.IntRange(min=2),
    default=64,
    show_default=True,
    help="Words in a step.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="Processor cores: with more than one, words are drawn in a process of their own.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File for the network (.onnx).",
)
def words(
    fonts: Path,
    words: Path,
    running: tuple[Path, ...],
    minutes: float,
    steps: int,
    seed: int,
    batch: int,
    jobs: int,
    out: Path,
) -> None:
    """Train a network to describe words in any hand, on words that fonts draw.

    It needs PyTorch: pip install spotlab[learn]. Ctrl+C keeps what was reached. A run that was
    cancelled or killed is continued by the same command.
    """
    from spotlab.files import read_file  # noqa: PLC0415 - takes a while
    from spotlab.learning.framework import need_framework  # noqa: PLC0415
    from spotlab.learning.runs import TrainingSettings  # noqa: PLC0415
    from spotlab.learning.words.fonts import read_fonts  # noqa: PLC0415
    from spotlab.learning.words.texts import words_of  # noqa: PLC0415
    from spotlab.learning.words.training import train_words  # noqa: PLC0415

    need_framework()
    out.parent.mkdir(parents=True, exist_ok=True)
    settings = TrainingSettings(minutes, steps, seed, batch, jobs)
    listed = read_file(words).decode("utf-8", "replace")
    text = "\n".join(read_file(file).decode("utf-8", "replace") for file in running)
    with as_options(), progress_bar() as progress:
        found = read_fonts(fonts, progress)
        made = train_words(found, words_of(listed, text), out, settings, progress)
    end = "" if made.ended else "; cancelled: the same command continues it"
    click.echo(
        f"wrote {out}: {made.steps:,} steps, {made.pictures:,} words by {len(found)} fonts, "
        f"{made.minutes:.1f} min{end}"
    )
