"""`spotlab reproduce annotate`: actions per region where a collection's truth is made again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from spotlab.cli.console import as_options, check_target, json_option, progress_bar, tell
from spotlab.cli.options import EXISTING_PATH, FOLDER, symbol_ink_option
from spotlab.errors import SpotlabError
from spotlab.lab.commands.lab_options import number_option
from spotlab.report.figure_text import aligned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spotlab.lab.reproduce.annotate import AnnotatedPage, LabelWork
    from spotlab.model import Truth

UNDEFINED = "–"
COLUMNS = ("regions", "accepted", "corrected", "renamed", "rejected", "drawn", "actions")


@click.command()
@click.argument(
    "pages", metavar="PAGES…", nargs=-1, required=True,
    type=EXISTING_PATH
)  # fmt: skip
@click.option(
    "--order",
    type=click.Choice(["name", "random"]),
    default="name",
    show_default=True,
    help="Order in which the pages are made.",
)
@number_option("--seed", "Seed of the random order and of inexact strokes.", 0)
@number_option("--limit", "Number of pages.  [default: all]", least=1)
@click.option(
    "--label",
    "labels",
    multiple=True,
    help="Label whose regions are made; may be given several times.  [default: all]",
)
@symbol_ink_option
@click.option(
    "--cache",
    type=FOLDER,
    help="Folder for the features of pages.  [default: in the user's cache folder]",
)
@json_option
def annotate(
    pages: tuple[Path, ...],
    order: str,
    seed: int,
    limit: int | None,
    labels: tuple[str, ...],
    ink: str,
    cache: Path | None,
    json_file: str | None,
) -> None:
    """Make the truth of PAGES again with proposals, and count the actions per region.

    PAGES are folders, images with their truth beside them, or truth files. A person is simulated
    who makes page after page: accepts all proposals and rejects the wrong ones, or answers one by
    one if that is less; corrects outlines that overlap the truth by less than .75 (IoU); and draws
    what is missing by strokes that are a little off. What is known of a page teaches the next.

    Actions: 1 to open a page, 1 for each answer or for accepting all, 2 for a proposal that is
    picked out, 2 for a correction, 2 for a stroke with its label, 1 to type a new label.
    """
    from spotlab.lab.reproduce.annotate import annotate_again, as_json  # noqa: PLC0415 - slow
    from spotlab.spotting.symbols.engine.method import SymbolSettings, named_ink_settings  # noqa: PLC0415
    from spotlab.studies.symbols.work_saved import page_features  # noqa: PLC0415
    from spotlab.studies.tally.truth import read_truths  # noqa: PLC0415

    check_target(json_file)
    with as_options(), progress_bar() as progress:
        settings = SymbolSettings(named_ink_settings(ink))
        truths = [
            _only(truth, labels) for truth in read_truths(pages, progress=progress).truths.values()
        ]
        truths = [truth for truth in truths if any(region.label for region in truth.regions)]
        if not truths:
            raise SpotlabError("the pages have no labelled region to make again")
        if order == "random":
            chosen = np.random.default_rng(seed).permutation(len(truths)).tolist()
            truths = [truths[number] for number in chosen]
        done = annotate_again(
            truths[:limit], lambda truth: page_features(truth, settings, cache), seed, progress
        )
    tell(json_file, lambda: as_json(done), lambda: _lines(done))


def _only(truth: Truth, labels: Sequence[str]) -> Truth:
    if not labels:
        return truth
    regions = tuple(region for region in truth.regions if region.label in labels)
    return replace(truth, regions=regions)


def _lines(pages: Sequence[AnnotatedPage]) -> Iterator[str]:
    from spotlab.lab.reproduce.annotate import LabelWork, by_label  # noqa: PLC0415

    table = [["", *COLUMNS, "actions per region"]]
    table += [_row(page.page, page.all) for page in pages]
    table.append(_row("All", sum((page.all for page in pages), LabelWork())))
    table += [_row(label, work) for label, work in sorted(by_label(pages).items()) if label]
    yield from aligned(table)


def _row(title: str, work: LabelWork) -> list[str]:
    ratio = UNDEFINED if work.per_region is None else f"{work.per_region:.2f}"
    return [title, *(f"{getattr(work, name):,}" for name in COLUMNS), ratio]
