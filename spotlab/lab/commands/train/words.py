"""`spotlab train words`: a network that describes words, from fonts and texts alone."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.console import as_options, progress_bar
from spotlab.cli.options import EXISTING_FILE, EXISTING_FOLDER
from spotlab.lab.commands.lab_options import say_trained, training_options


@click.command()
@click.option(
    "--fonts",
    type=EXISTING_FOLDER,
    required=True,
    help="Folder with fonts of handwriting (.ttf, .otf), also in folders below it.",
)
@click.option(
    "--words",
    type=EXISTING_FILE,
    required=True,
    help="List of words, one a line; words with other letters than the alphabet's are left out.",
)
@click.option(
    "--running",
    type=EXISTING_FILE,
    multiple=True,
    help="Running text, whose words are drawn as often as they occur; may be given several times.",
)
@click.option(
    "--alphabet",
    metavar="LETTERS",
    help="Small letters, digits and signs that the network tells apart. [default: a to z and "
    "digits, or the letters of the words if these are not Latin]",
)
@click.option(
    "--from",
    "start",
    type=EXISTING_FILE,
    help="Network (.onnx) that learns on, instead of one that knows nothing.",
)
@training_options(batch=64, least=2)
def words(
    fonts: Path,
    words: Path,
    running: tuple[Path, ...],
    alphabet: str | None,
    start: Path | None,
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
    from spotlab.lab.train.word_training import needed_alphabet, train_words  # noqa: PLC0415
    from spotlab.learning.runs import TrainingSettings, need_framework  # noqa: PLC0415
    from spotlab.learning.words.hands import alphabet_of, read_fonts, words_of  # noqa: PLC0415

    need_framework()
    out.parent.mkdir(parents=True, exist_ok=True)
    settings = TrainingSettings(minutes, steps, seed, batch, jobs)
    listed = read_file(words).decode("utf-8", "replace")
    text = "\n".join(read_file(file).decode("utf-8", "replace") for file in running)
    with as_options(), progress_bar() as progress:
        letters = alphabet_of(listed) if alphabet is None else needed_alphabet(alphabet)
        found = read_fonts(fonts, progress, letters)
        texts = words_of(listed, text, letters)
        made = train_words(found, texts, out, settings, progress, start, letters)
    say_trained(made, f"words by {len(found)} fonts")
