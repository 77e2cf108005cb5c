"""`spotlab reproduce words`: Hast's consensus ranking, Tables 1 to 5 and Fig. 3."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spotlab.cli.console import check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import EXISTING_FILE, EXISTING_PATH, FOLDER, csv_safe_option, job_options
from spotlab.errors import BadInput, SpotlabError
from spotlab.lab.commands.lab_options import number_option
from spotlab.report.figure_text import aligned

if TYPE_CHECKING:
    from spotlab.lab.reproduce.words.digits import DigitStudy
    from spotlab.lab.reproduce.words.keyword_study import KeywordStudy
    from spotlab.model.ranked_list import Items
    from spotlab.progress import Progress

WORDS = 4  # as in the paper
LETTERS = (5, 3, 1)  # of a word, at least, if there are such: short ones are parts of others
DRAWN = 200  # digits of each kind, as in the paper
LISTS = "ws,qe,cr,ml,ml_cr"


@click.command()
@click.option(
    "--pages",
    type=EXISTING_PATH,
    multiple=True,
    required=True,
    help="Image, or folder of images, with transcriptions in PAGE XML.",
)
@click.option(
    "--truth",
    type=EXISTING_PATH,
    multiple=True,
    help="PAGE XML with transcribed words, if it is not beside the images.",
)
@click.option(
    "--word",
    "words_",
    multiple=True,
    help="Word to search; may be given several times.  [default: the four most frequent of those "
    "that are written often enough]",
)
@click.option(
    "--lists", default=LISTS, show_default=True, help="Ranked lists to make, separated by commas."
)
@number_option(
    "--each",
    "Number of representative queries, and of difficult ones, per word; fewer where no word "
    "is written often enough.",
    3,
    least=1,
)
@click.option("--tau", type=float, default=0.7, show_default=True, help="Smallest score of a hit.")
@click.option(
    "--tight", type=float, default=0.8, show_default=True, help="Smallest score of a certain hit."
)
@number_option("--top", "Largest number n of items that re-score a list in CR.", 12, least=1)
@click.option(
    "--at-least",
    type=float,
    default=0.8,
    show_default=True,
    help="Smallest score of an item that re-scores a list in CR.",
)
@click.option(
    "--digits",
    type=EXISTING_FILE,
    help="File (.npz) with images and labels of digits, for Table 1.",
)
@click.option("--drawn-digits", is_flag=True, help="Make Table 1 with synthetic digits.")
@job_options
@click.option(
    "--cache",
    type=FOLDER,
    help="Folder for the features of pages.  [default: in the user's cache folder]",
)
@click.option("--out", type=FOLDER, help="Folder for the report.")
@csv_safe_option
@json_option
def words(
    pages: tuple[Path, ...],
    truth: tuple[Path, ...],
    words_: tuple[str, ...],
    lists: str,
    each: int,
    tau: float,
    tight: float,
    top: int,
    at_least: float,
    digits: Path | None,
    drawn_digits: bool,
    jobs: int,
    cluster: str | None,
    cache: Path | None,
    out: Path | None,
    json_file: str | None,
) -> None:
    """Search words by representative and by difficult instances of them.

    Hast (2020): instances of a word with the highest mean score against the others are
    representative; those with the lowest are difficult. Each is a query for every ranked list (WS,
    QE, CR, ML, ML-CR). Lists are evaluated against the transcriptions.
    """
    from spotlab.imaging.reading.pixels import WordCrops  # noqa: PLC0415 - takes a while
    from spotlab.lab.reproduce.words.keyword_report import as_json, write_keywords  # noqa: PLC0415
    from spotlab.lab.reproduce.words.keyword_study import study_keywords  # noqa: PLC0415
    from spotlab.ranking.fusion import Choices  # noqa: PLC0415
    from spotlab.spotting.page_entries import page_entries  # noqa: PLC0415
    from spotlab.spotting.words.index import build_index  # noqa: PLC0415
    from spotlab.studies.words.word_truth import on_searched_pages  # noqa: PLC0415

    check_target(json_file)
    with progress_bar() as progress:
        entries = page_entries(pages)
        known = _known(
            truth or [entry.truth_path for entry in entries if entry.has_truth], progress
        )
        index = build_index(entries, cache=cache, jobs=jobs, cluster=cluster, progress=progress)
        searched = words_
        if not words_:
            searched, each = frequent_enough(on_searched_pages(known, index.items.pages), each)
        study = study_keywords(
            index,
            known,
            searched,
            lists=[name.strip().lower().replace("-", "_") for name in lists.split(",")],
            per_kind=each,
            tau=tau,
            tight=tight,
            choices=Choices(top=top, at_least=at_least),
            progress=progress,
        )
        table = _digits(digits, drawn_digits, progress)
    tell(json_file, lambda: as_json(study, table), lambda: _lines(study, table))
    if out is not None:
        crops = WordCrops({entry.name: (entry.image, entry.frame) for entry in index.images})
        page = write_keywords(study, table, out, crops.crop)
        say(f"wrote {page}", err=json_file == "-")


def _known(paths: tuple[Path, ...] | list[Path], progress: Progress) -> Items:
    from spotlab.studies.words.word_truth import read_words  # noqa: PLC0415

    if not paths:
        raise SpotlabError(
            "there are no transcriptions of the pages; give PAGE XML with words by --truth"
        )
    return read_words(paths, progress)


def frequent_enough(known: Items, per_kind: int) -> tuple[tuple[str, ...], int]:
    """Choose the words that are searched, and how many of each are queries of a kind.

    Long words are preferred to short ones, and as many queries as are wanted to fewer.

    Parameters
    ----------
    known : Items
        The words of the pages; those that only lines say are no queries where others
        are enough.
    per_kind : int
        Queries of each kind that are wanted.

    Raises
    ------
    SpotlabError
        No word is written twice.

    Examples
    --------
    >>> from spotlab.model.ranked_list import Items
    >>> texts = ("the", "the", "company", "Company", "a")
    >>> words = Items(("a",), [0] * 5, [[0, 0, 4, 9]] * 5, texts)
    >>> frequent_enough(words, 3)
    (('company',), 1)
    >>> frequent_enough(replace(words, line=[0] * 5), 3)  # only their line is known
    (('company',), 1)
    """
    from spotlab.studies.words.word_truth import frequent_texts  # noqa: PLC0415

    for words in (known.exact, known):
        often = frequent_texts(words)
        for count in range(per_kind, 0, -1):
            for letters in LETTERS:
                enough = [text for text, n in often if n >= 2 * count and len(text) >= letters]
                if enough:
                    return tuple(enough[:WORDS]), count
    raise SpotlabError("no word is written twice on these pages; give more pages")


def _digits(path: Path | None, drawn: bool, progress: Progress) -> DigitStudy | None:
    from spotlab.lab.draw.digits import draw_digits  # noqa: PLC0415
    from spotlab.lab.reproduce.words.digits import (  # noqa: PLC0415
        Digits,
        blurred_pixels,
        read_digits,
        study_digits,
        sweep_blurs,
    )

    if path is None and not drawn:
        return None
    digits = read_digits(path) if path else Digits(*draw_digits(DRAWN, 0))
    try:
        study = study_digits(blurred_pixels(digits.images), digits.labels, progress=progress)
        return replace(study, sweep=sweep_blurs(digits))
    except ValueError as error:  # too few of a digit
        raise BadInput(path or Path("digits"), str(error)) from error


def _lines(study: KeywordStudy, digits: DigitStudy | None) -> list[str]:
    lines = [f"{study.pages:,} pages, {study.items:,} candidate words"]
    for kind in ("representative", "difficult"):
        rows = [[f"{kind} queries", *(name.upper().replace("_", "-") for name in study.lists)]]
        for word in (*study.words, None):
            values = (study.mean(kind, name, word) for name in study.lists)
            rows.append([word or "mean", *map(_text, values)])
        lines += ["", *aligned(rows)]
    return lines if digits is None else [*lines, "", *digits.lines()]


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
