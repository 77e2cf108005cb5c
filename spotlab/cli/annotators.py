"""`spotlab annotators`: area precision and recall where several annotators have drawn the truth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import AnnotatorSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import EXISTING, FOLDER, csv_safe_option, given, options
from spotlab.report.tables import as_text

if TYPE_CHECKING:
    from spotlab.api.compare_runs import AnnotatorsResult


@click.command()
@options(
    AnnotatorSettings,
    {"annotators": "--annotator", "runs": "--run"},
    types={"annotators": EXISTING, "runs": EXISTING},
)
@csv_safe_option
@json_option
@click.option("--out", type=FOLDER, help="Folder for a report with tables.")
def annotators(
    annotators: tuple[Path, ...], json_file: str | None, out: Path | None, **chosen: Any
) -> None:
    """Evaluate runs against several annotators, and the annotators against each other.

    The relevance of a pixel is the share of the page's annotators whose regions cover it. A page
    without a truth file counts as not seen by that annotator, and only the others judge it. A page
    with an empty truth file counts as seen. Pages are matched by name.
    """
    from spotlab.api.compare_runs import annotators as compare  # noqa: PLC0415 - takes a second

    check_target(json_file)
    with as_options("evaluates the rest"), progress_bar() as progress:
        result = compare(annotators, progress=progress, **given(chosen))
    tell(json_file, result.as_dict, lambda: [*_lines(result), *_decisions(result)])
    if out is not None:
        say(f"wrote {result.write_report(out)}", err=json_file == "-")


def _decisions(result: AnnotatorsResult) -> Iterator[str]:
    """A line with all verdicts, one for each person, and how near each annotator is to them."""
    from spotlab.report.studies.annotators import region_table  # noqa: PLC0415

    if result.decisions is None:
        return
    yield ""
    yield result.decisions.summary
    yield from (f"  by {name}: {count:,}" for name, count in result.decisions.authors.items())
    if result.compared:
        yield ""
        yield "each annotator (first) and what is decided (second)"
        yield from as_text(region_table(result.compared), "")


def _lines(result: AnnotatorsResult) -> Iterator[str]:
    from spotlab.report.studies.annotators import agreement_table, figures_table, region_table  # noqa: PLC0415

    study, regions = result.study, result.regions
    yield from study.remarks
    for run in study.runs:
        yield ""
        yield f"{run.name}: {len(run.figures.tally):,} of {len(run.run):,} spots evaluated"
        yield from (
            f"  {skipped.spots:,} on {skipped.page}: {skipped.reason}" for skipped in run.left_out
        )
        yield from as_text(figures_table(run.figures, run.name), "")
    if regions.each_two:
        yield ""
        yield "agreement by region: matched from an IoU of 0.5 on, outlines alike from 0.9 on"
        yield from as_text(region_table(regions.each_two), "")
    names = study.annotated.names
    if len(names) > 1:
        yield ""
        yield (
            "agreement of the annotators: F over all areas, per pair, then each against all others"
        )
        yield from as_text(agreement_table(study), "")
