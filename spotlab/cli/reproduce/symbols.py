"""`spotlab reproduce symbols`: the evaluation of Rusiñol & Lladós (§5), its tables and figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.spot.symbols import INKS
from spotlab.cli.spot_options import CLUSTER, resumable
from spotlab.report.aligned import aligned

if TYPE_CHECKING:
    from spotlab.progress import Progress
    from spotlab.studies.areas.truth_files import TruthSet
    from spotlab.studies.symbols.symbol_study import SymbolStudy

COUNT, SEED = 42, 102  # a test holds them against the study's own
METHODS = "a,b,c,d,e"


@click.command()
@click.option(
    "--pages",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Images or folders of them, with truth.  [default: floor plans that are drawn for it]",
)
@click.option(
    "--truth",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="The truth of --pages, if it is not beside them.",
)
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=COUNT,
    show_default=True,
    help="How many floor plans are drawn.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=SEED,
    show_default=True,
    help="The same draws the same floor plans, and the same classes.",
)
@click.option(
    "--each",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="So many models of a class.",
)
@click.option(
    "--ink", type=click.Choice(INKS), default=INKS[0], show_default=True, help="What counts as ink."
)
@click.option("--methods", default=METHODS, show_default=True, help="Which, with commas.")
@click.option(
    "--draws",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Of classes, for scalability.",
)
@click.option(
    "--further/--no-further",
    default=None,
    help="Add to the report what changes do to descriptors, what damage does to recall, and how "
    "much work proposals save.  [default: if floor plans are drawn]",
)
@click.option(
    "--jobs", type=click.IntRange(min=0), default=0, help="Processes.  [default: one a processor]"
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help=CLUSTER,
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keeps what was drawn, seen and spotted.  [default: in the user's cache]",
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the report."
)
@csv_safe_option
@json_option
def symbols(
    pages: tuple[Path, ...],
    truth: tuple[Path, ...],
    count: int,
    seed: int,
    each: int,
    ink: str,
    methods: str,
    draws: int,
    further: bool | None,
    jobs: int,
    cluster: str | None,
    cache: Path | None,
    out: Path | None,
    json_file: str | None,
) -> None:
    """Evaluate symbol spotting as its paper does, on a collection of that size.

    Rusiñol & Lladós (2010), §5: 42 floor plans with about 344 symbols of 38 classes are drawn, or
    pages with truth are given. Each class is searched by a model that is cropped from a page, with
    the paper's four methods and with the one of spotlab's own. What was finished stays in the
    cache, so that a study that was interrupted goes on.
    """
    from spotlab.report.symbol_further import further_sections  # noqa: PLC0415 - takes a second
    from spotlab.report.symbols import as_json, write_symbols  # noqa: PLC0415
    from spotlab.spotting.symbols.engine.feature_extraction import (  # noqa: PLC0415
        SymbolSettings,
        named_ink_settings,
    )
    from spotlab.spotting.symbols.search.index import default_cache  # noqa: PLC0415
    from spotlab.studies.symbols.symbol_collection import drawn_pages  # noqa: PLC0415
    from spotlab.studies.symbols.symbol_study import study_symbols  # noqa: PLC0415

    if truth and not pages:  # drawn ones have their own, and may have the names of others
        problem = "--truth is that of --pages, which are not given"
        raise click.UsageError(problem, click.get_current_context())
    check_target(json_file)
    kept, settings = cache or default_cache(), SymbolSettings(named_ink_settings(ink))
    with resumable(), progress_bar() as progress:
        if further is None:
            further = not pages
        if not pages:
            pages = tuple(drawn_pages(kept, count, seed, jobs=jobs, progress=progress))
        found = study_symbols(
            pages,
            _truth(truth or pages, progress),
            [name.strip() for name in methods.split(",")],
            settings=settings,
            per_label=each,
            seed=seed,
            draws=draws,
            cache=kept,
            jobs=jobs,
            cluster=cluster,
            progress=progress,
        )
        sections = []
        if further and out is not None:
            sections = further_sections(
                pages,
                found.evaluation.truths,
                found.methods,
                settings=settings,
                cache=kept,
                jobs=jobs,
                progress=progress,
            )
    if json_file:
        write_json(as_json(found), json_file)
    if json_file != "-":
        for line in _lines(found):
            click.echo(line)
    if out is not None:
        click.echo(f"wrote {write_symbols(found, out, sections)}", err=json_file == "-")


def _truth(paths: tuple[Path, ...], progress: Progress) -> TruthSet:
    from spotlab.studies.areas.truth_files import read_truths  # noqa: PLC0415

    return read_truths(paths, progress=progress)


def _lines(found: SymbolStudy) -> list[str]:
    numbers = found.collection
    lines = [
        f"{_counted(numbers['pages'], 'page')}, {_counted(numbers['symbols'], 'symbol')} of "
        f"{_counted(numbers['classes'], 'class', 'classes')}",
        "",
    ]
    for heads in (_QUALITY, _DEVIATIONS):
        rows = [["method", *heads.values()]]
        for method in found.methods:
            rows.append([method, *(_text(found.figures[name][method]) for name in heads)])
        lines += [*aligned(rows), ""]
    verdicts = {True: "holds", False: "does not hold", None: "undefined"}
    for about, claims in (("", found.claims), ("Method e: ", found.own_claims)):
        lines += [f"{verdicts[each.holds]:14} {about}{each.statement.text}" for each in claims]
    return lines


_QUALITY = {
    "average_precision_hits": "AveP (%)",
    "f": "F (%)",
    "recognition_rate": "recognised (%)",
    "false_positives": "AveFP",
    "generality": "AveG (%)",
    "recognition_others": "no models (%)",
    "best_f": "best F(r) (%)",
    "iou_precision": "AP at IoU (%)",
}
_DEVIATIONS = {
    "recall_mean": "std R mean",
    "recall_maximum": "max",
    "precision_mean": "std P mean",
    "precision_maximum": "max",
    "f_mean": "std F mean",
    "f_maximum": "max",
}


def _counted(number: float, one: str, several: str = "") -> str:
    return f"{number:,.0f} {one if number == 1 else several or one + 's'}"


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
