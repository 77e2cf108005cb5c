"""`spotlab reproduce words`: Hast's consensus ranking, Tables 1 to 5 and Fig. 3."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.progress_bar import progress_bar
from spotlab.errors import BadInput, SpotlabError
from spotlab.report.aligned import aligned

if TYPE_CHECKING:
    from spotlab.model.items import Items
    from spotlab.progress import Progress
    from spotlab.studies.words.digits_table import DigitStudy
    from spotlab.studies.words.keyword_study import KeywordStudy

WORDS = 4  # as in the paper
LETTERS = 5  # of a word, at least: short ones are parts of others
DRAWN = 200  # digits of each kind, as in the paper
LISTS = "ws,qe,cr,ml,ml_cr"


@click.command()
@click.option(
    "--pages",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    required=True,
    help="Images or folders of them, with PAGE XML that says what is written.",
)
@click.option(
    "--truth",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="What is written where, if not beside the pages.",
)
@click.option(
    "--word", "words_", multiple=True, help="A word to search; by default the four most frequent."
)
@click.option("--lists", default=LISTS, show_default=True, help="Ranked lists, with commas.")
@click.option(
    "--each",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Representative and difficult queries of each word.",
)
@click.option("--tau", type=float, default=0.7, show_default=True, help="Score of a hit.")
@click.option("--tight", type=float, default=0.8, show_default=True, help="Score of a sure hit.")
@click.option("--top", type=click.IntRange(min=1), default=12, show_default=True, help="n of CR.")
@click.option("--at-least", type=float, default=0.8, show_default=True, help="Score for CR's n.")
@click.option(
    "--digits",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Images of digits (.npz with images and labels), for Table 1.",
)
@click.option("--drawn-digits", is_flag=True, help="Table 1 on digits that are drawn for it.")
@click.option(
    "--jobs", type=click.IntRange(min=0), default=1, show_default=True, help="Processes; 0: all."
)
@click.option(
    "--cache", type=click.Path(file_okay=False, path_type=Path), help="Keeps what was seen."
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the report."
)
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
    cache: Path | None,
    out: Path | None,
    json_file: str | None,
) -> None:
    """Search words by their representative and their difficult instances.

    Hast (2020): instances of a word with the highest mean score among the others are
    representative, those with the lowest difficult. Each is searched with every list (WS, QE, CR,
    ML, ML-CR), which is judged by what is written.
    """
    from spotlab.ranking.fusion import Choices  # noqa: PLC0415 - takes a while
    from spotlab.report.keywords import as_json, write_keywords  # noqa: PLC0415
    from spotlab.spotting.page_entries import page_entries  # noqa: PLC0415
    from spotlab.spotting.words.index import build_index  # noqa: PLC0415
    from spotlab.studies.words.keyword_study import study_keywords  # noqa: PLC0415

    check_target(json_file)
    with progress_bar() as progress:
        entries = page_entries(pages)
        known = _known(
            truth or [entry.truth_path for entry in entries if entry.has_truth], progress
        )
        index = build_index(entries, cache=cache, jobs=jobs, progress=progress)
        found = study_keywords(
            index,
            known,
            words_ or _frequent(known),
            lists=[name.strip().lower().replace("-", "_") for name in lists.split(",")],
            per_kind=each,
            tau=tau,
            tight=tight,
            choices=Choices(top=top, at_least=at_least),
            progress=progress,
        )
        table = _digits(digits, drawn_digits, progress)
    if json_file:
        write_json(as_json(found, table), json_file)
    if json_file != "-":
        for line in _lines(found, table):
            click.echo(line)
    if out is not None:
        click.echo(f"wrote {write_keywords(found, table, out)}", err=json_file == "-")


def _known(paths: tuple[Path, ...] | list[Path], progress: Progress) -> Items:
    from spotlab.studies.words.word_truth import read_words  # noqa: PLC0415

    if not paths:
        raise SpotlabError(
            "what is written on the pages is not known: --truth names PAGE XML with words"
        )
    return read_words(paths, progress)


def _frequent(known: Items) -> list[str]:
    from spotlab.studies.words.word_truth import frequent_texts  # noqa: PLC0415

    return [text for text, _ in frequent_texts(known) if len(text) >= LETTERS][:WORDS]


def _digits(path: Path | None, drawn: bool, progress: Progress) -> DigitStudy | None:
    from spotlab.studies.words.digits import Digits, blurred_pixels, read_digits, study_digits  # noqa: PLC0415
    from spotlab.synthesis.digits import draw_digits  # noqa: PLC0415

    if path is None and not drawn:
        return None
    digits = read_digits(path) if path else Digits(*draw_digits(DRAWN, 0))
    try:
        return study_digits(blurred_pixels(digits.images), digits.labels, progress=progress)
    except ValueError as error:  # too few of a digit
        raise BadInput(path or Path("digits"), str(error)) from error


def _lines(found: KeywordStudy, digits: DigitStudy | None) -> list[str]:
    lines = [f"{found.pages:,} pages, {found.items:,} places that may be words"]
    for kind in ("representative", "difficult"):
        rows = [[f"{kind} queries", *(name.upper().replace("_", "-") for name in found.lists)]]
        for word in (*found.words, None):
            values = (found.mean(kind, name, word) for name in found.lists)
            rows.append([word or "mean", *map(_text, values)])
        lines += ["", *aligned(rows)]
    return lines if digits is None else [*lines, "", *digits.lines()]


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
