"""`spotlab annotators`: area precision and recall where several annotators have drawn the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.console import say
from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.job_options import jobs_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target, naming_option, read_runs, read_truth
from spotlab.cli.number_range import NumberRange
from spotlab.cli.progress_bar import progress_bar
from spotlab.files import is_folder
from spotlab.report.aligned import aligned

if TYPE_CHECKING:
    from spotlab.cli.adjudication_text import DecisionText
    from spotlab.progress import Progress
    from spotlab.report.tables import Table
    from spotlab.studies.annotators.agreement import AnnotatorStudy
    from spotlab.studies.annotators.differences import PairwiseAgreement
    from spotlab.studies.tally.truth import TruthSet

EXISTING = click.Path(exists=True, path_type=Path)


@click.command()
@click.option(
    "--annotator",
    "annotators",
    type=EXISTING,
    multiple=True,
    required=True,
    help="Folder or file with the truth of one annotator; repeat the option for each annotator.",
)
@click.option(
    "--run",
    "runs",
    type=EXISTING,
    multiple=True,
    help="Run to evaluate; may be given several times.  [default: none, only the annotators' "
    "agreement is measured]",
)
@click.option(
    "--beta",
    type=NumberRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Weight of recall relative to precision in the F measure; above 1 favours recall.",
)
@click.option(
    "--decided",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with what somebody has decided between two of the annotators in the window; its "
    "decisions are counted, and each annotator is compared with the truth in it.  [default: none]",
)
@naming_option
@click.option(
    "--words", is_flag=True, help="Use the words of PAGE files as truth, instead of the regions."
)
@click.option(
    "--texts",
    is_flag=True,
    help="Use the words of PAGE files as truth, labelled by their transcription.",
)
@click.option(
    "--skip-bad-lines",
    is_flag=True,
    help="Skip lines of a run that cannot be read, and evaluate the rest.",
)
@jobs_option
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for a report with tables.",
)
def annotators(
    annotators: tuple[Path, ...],
    runs: tuple[Path, ...],
    beta: float,
    decided: Path | None,
    skip_bad_lines: bool,
    jobs: int,
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Evaluate runs against several annotators, and the annotators against each other.

    The relevance of a pixel is the share of the page's annotators whose regions cover it. A page
    without a truth file counts as not seen by that annotator, and only the others judge it. A page
    with an empty truth file counts as seen. Pages are matched by name.
    """
    from spotlab.cli.adjudication_text import report_decisions  # noqa: PLC0415
    from spotlab.studies.annotators.agreement import (  # noqa: PLC0415
        as_json,
        measure_annotators,
        put_together,
    )
    from spotlab.studies.annotators.differences import compare_pairs  # noqa: PLC0415

    check_target(json_file)
    with progress_bar() as progress:
        truths = _read(annotators, chosen, progress)
        together = put_together(truths.values())
        read = read_runs(
            runs, together, skip_bad_lines, progress, chosen["naming"], list(truths.values())
        )
        study = measure_annotators(truths, read, beta=beta, jobs=jobs, progress=progress)
        regions = compare_pairs(study.annotated, progress)
        report = None
        if decided is not None:
            third = read_truth([decided], chosen, progress)
            report = report_decisions(decided, annotators, truths, third, progress)
    if json_file:
        value = as_json(study)
        value["agreement"]["regions"] = regions.as_json()
        if report is not None:
            value["decisions"] = report.as_json()
        write_json(value, json_file)
    if json_file != "-":
        say(*_lines(study, regions), *_decisions(report))
    if out is not None:
        from spotlab.report.annotators import write_annotators  # noqa: PLC0415 - matplotlib

        against = report.compared if report is not None else None
        page = write_annotators(study, out, regions=regions, against=against)
        say(f"wrote {page}", err=json_file == "-")


def _read(paths: Sequence[Path], chosen: dict[str, Any], progress: Progress) -> dict[str, TruthSet]:
    """Each annotator's truth by name: that of the folder or file, with those above if it must be.

    Raises
    ------
    UsageError
        A path is given twice.
    """
    resolved = [path.resolve() for path in paths]
    if len(set(resolved)) < len(resolved):
        raise click.UsageError("--annotator has the same path twice", click.get_current_context())
    depth = 1
    while len({_name(path, depth) for path in resolved}) < len(resolved):
        depth += 1
    return {
        _name(path, depth): read_truth([given], chosen, progress)
        for given, path in zip(paths, resolved, strict=True)
    }


def _name(path: Path, depth: int) -> str:
    """The last parts of a path, without an ending; all of it where it has no more parts.

    Examples
    --------
    >>> _name(Path("/data/anna/words.json"), 2)
    'anna/words'
    """
    bare = path if is_folder(path) else path.with_suffix("")
    return "/".join(bare.parts[-depth:] if depth < len(path.parts) else path.parts[1:])


def _decisions(report: DecisionText | None) -> Iterator[str]:
    from spotlab.report.annotators_tables import region_table  # noqa: PLC0415

    if report is not None:
        yield from report.lines()
        if report.compared:
            yield ""
            yield "each annotator (first) and what is decided (second)"
            yield from aligned(_rows(region_table(report.compared)))


def _lines(study: AnnotatorStudy, regions: PairwiseAgreement) -> Iterator[str]:
    from spotlab.report.annotators_tables import (  # noqa: PLC0415
        agreement_table,
        figures_table,
        region_table,
    )

    yield from study.remarks
    for run in study.runs:
        yield ""
        yield f"{run.name}: {len(run.figures.tally):,} of {len(run.run):,} spots evaluated"
        yield from (
            f"  {skipped.spots:,} on {skipped.page}: {skipped.reason}" for skipped in run.left_out
        )
        yield from aligned(_rows(figures_table(run.figures, run.name)))
    if regions.each_two:
        yield ""
        yield "agreement by region: matched from an IoU of 0.5 on, outlines alike from 0.9 on"
        yield from aligned(_rows(region_table(regions.each_two)))
    names = study.annotated.names
    if len(names) > 1:
        yield ""
        yield (
            "agreement of the annotators: F over all areas, per pair, then each against all others"
        )
        yield from aligned(_rows(agreement_table(study)))


def _rows(table: Table) -> list[list[str]]:
    """As text, with a head."""
    heads = ["", *(column.title for column in table.columns[1:])]
    return [heads, *([cell.text for cell in row] for row in table.rows)]
