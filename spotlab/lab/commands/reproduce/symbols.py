"""`spotlab reproduce symbols`: the evaluation of Rusiñol & Lladós (§5), its tables and figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from spotlab.cli.console import check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import (
    EXISTING_PATH,
    FOLDER,
    csv_safe_option,
    job_options,
    resumable,
    symbol_ink_option,
)
from spotlab.lab.commands.lab_options import number_option
from spotlab.report.figure_text import aligned

if TYPE_CHECKING:
    from spotlab.lab.reproduce.symbols.symbol_study import SymbolStudy
    from spotlab.progress import Progress
    from spotlab.studies.tally.truth import TruthSet

COUNT, SEED = 42, 102  # a test holds them against the study's own
METHODS = "a,b,c,d,e"


@click.command()
@click.option(
    "--pages",
    type=EXISTING_PATH,
    multiple=True,
    help="Image, or folder of images, with truth.  [default: synthetic floor plans]",
)
@click.option(
    "--truth",
    type=EXISTING_PATH,
    multiple=True,
    help="Truth of --pages, if it is not beside the images.",
)
@number_option("--count", "Number of synthetic floor plans.", COUNT, least=1)
@number_option(
    "--seed",
    "Seed of the random number generator; the same seed gives the same floor plans and classes.",
    SEED,
)
@number_option("--each", "Number of query models per class.", 1, least=1)
@symbol_ink_option
@click.option("--methods", default=METHODS, show_default=True, help="Methods, separated by commas.")
@number_option(
    "--draws", "Number of random draws of classes for the scalability study.", 100, least=1
)
@click.option(
    "--further/--no-further",
    default=None,
    help="Add to the report: invariance of descriptors, and recall on damaged pages.  [default: "
    "added for synthetic floor plans]",
)
@job_options
@click.option(
    "--cache",
    type=FOLDER,
    help="Folder for drawn pages, features and spots.  [default: in the user's cache folder]",
)
@click.option("--out", type=FOLDER, help="Folder for the report.")
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
    """Repeat the paper's evaluation of symbol spotting on a collection of the same size.

    Rusiñol & Lladós (2010), §5: 42 synthetic floor plans with about 344 symbols of 38
    classes, or your own pages with truth. Each class is searched with a model cropped from a page,
    by the paper's four methods and by spotlab's own. Finished results stay in the cache: run an
    interrupted study again to continue it.
    """
    from spotlab.lab.reproduce.symbols.symbol_report import as_json, write_symbols  # noqa: PLC0415
    from spotlab.lab.reproduce.symbols.symbol_study import (  # noqa: PLC0415
        drawn_pages,
        further_sections,
        study_symbols,
    )
    from spotlab.spotting.symbols.engine.method import SymbolSettings, named_ink_settings  # noqa: PLC0415
    from spotlab.spotting.symbols.search.index import default_cache  # noqa: PLC0415

    if truth and not pages:  # drawn ones have their own, and may have the names of others
        problem = "--truth needs --pages, which is missing"
        raise click.UsageError(problem, click.get_current_context())
    check_target(json_file)
    kept, settings = cache or default_cache(), SymbolSettings(named_ink_settings(ink))
    with resumable(), progress_bar() as progress:
        if further is None:
            further = not pages
        if not pages:
            pages = tuple(drawn_pages(kept, count, seed, jobs=jobs, progress=progress))
        study = study_symbols(
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
                study.methods, jobs=jobs, cluster=cluster, progress=progress
            )
    tell(json_file, lambda: as_json(study), lambda: _lines(study))
    if out is not None:
        say(f"wrote {write_symbols(study, out, sections)}", err=json_file == "-")


def _truth(paths: tuple[Path, ...], progress: Progress) -> TruthSet:
    from spotlab.studies.tally.truth import read_truths  # noqa: PLC0415

    return read_truths(paths, progress=progress)


def _lines(study: SymbolStudy) -> list[str]:
    from spotlab.lab.reproduce.symbols.symbol_published import explain_failure  # noqa: PLC0415

    numbers = study.collection
    lines = [
        f"{_counted(numbers['pages'], 'page')}, {_counted(numbers['symbols'], 'symbol')} of "
        f"{_counted(numbers['classes'], 'class', 'classes')}",
        "",
    ]
    for heads in (_QUALITY, _DEVIATIONS):
        rows = [["method", *heads.values()]]
        for method in study.methods:
            rows.append([method, *(_text(study.figures[name][method]) for name in heads)])
        lines += [*aligned(rows), ""]
    verdicts = {True: "holds", False: "does not hold", None: "undefined"}
    for about, claims in (("", study.claims), ("Method e: ", study.own_claims)):
        for claim in claims:
            lines.append(f"{verdicts[claim.holds]:14} {about}{claim.statement.text}")
            why = explain_failure(claim)
            lines += [f"{'':14}   {why}"] if why else []
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
