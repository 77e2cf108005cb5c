"""`spotlab annotators`: area precision and recall where several annotators have drawn the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target, naming_option, read_runs, read_truth
from spotlab.cli.number_range import NumberRange
from spotlab.cli.progress_bar import progress_bar
from spotlab.report.aligned import aligned

if TYPE_CHECKING:
    from spotlab.progress import Progress
    from spotlab.report.tables import Table
    from spotlab.studies.areas.annotators import AnnotatorStudy
    from spotlab.studies.areas.truth_files import TruthSet

EXISTING = click.Path(exists=True, path_type=Path)


@click.command()
@click.option(
    "--annotator",
    "annotators",
    type=EXISTING,
    multiple=True,
    required=True,
    help="The truth of one annotator, a folder or a file; give one for each of them.",
)
@click.option(
    "--run",
    "runs",
    type=EXISTING,
    multiple=True,
    help="A run; may be given several times.  [default: none, only the annotators' agreement]",
)
@click.option(
    "--beta",
    type=NumberRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Of F: above 1 recall weighs more.",
)
@naming_option
@click.option("--words", is_flag=True, help="Of PAGE files, take the words as truth.")
@click.option("--texts", is_flag=True, help="The same, labelled by what is written there.")
@click.option("--skip-bad-lines", is_flag=True, help="Evaluate what can be read of a run.")
@click.option(
    "--jobs",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Processes to use; 0 for one a processor.",
)
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a report with tables to this folder.",
)
def annotators(
    annotators: tuple[Path, ...],
    runs: tuple[Path, ...],
    beta: float,
    skip_bad_lines: bool,
    jobs: int,
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Hold runs against several annotators at once, and the annotators against each other.

    A place is relevant with the share of annotators of its page who cover it. A page that an
    annotator has no truth file of has not been seen by this one and is judged by the others; one
    with a file without regions has been seen. Pages are the same if they are called alike.
    """
    from spotlab.studies.areas.annotator_truths import put_together  # noqa: PLC0415
    from spotlab.studies.areas.annotators import measure_annotators  # noqa: PLC0415
    from spotlab.studies.areas.annotators_json import as_json  # noqa: PLC0415

    check_target(json_file)
    with progress_bar() as progress:
        truths = _read(annotators, chosen, progress)
        together = put_together(truths.values())
        read = read_runs(
            runs, together, skip_bad_lines, progress, chosen["naming"], list(truths.values())
        )
        study = measure_annotators(truths, read, beta=beta, jobs=jobs, progress=progress)
    if json_file:
        write_json(as_json(study), json_file)
    if json_file != "-":
        click.echo("\n".join(_lines(study)))
    if out is not None:
        from spotlab.report.annotators import write_annotators  # noqa: PLC0415 - matplotlib

        click.echo(f"wrote {write_annotators(study, out)}", err=json_file == "-")


def _read(paths: Sequence[Path], chosen: dict[str, Any], progress: Progress) -> dict[str, TruthSet]:
    """Each annotator's truth by name: that of the folder or file, with those above if it must be.

    Raises
    ------
    UsageError
        A path is given twice.
    """
    resolved = [path.resolve() for path in paths]
    if len(set(resolved)) < len(resolved):
        raise click.UsageError("an annotator is given twice", click.get_current_context())
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
    bare = path if path.is_dir() else path.with_suffix("")
    return "/".join(bare.parts[-depth:] if depth < len(path.parts) else path.parts[1:])


def _lines(study: AnnotatorStudy) -> Iterator[str]:
    from spotlab.report.annotators_tables import agreement_table, figures_table  # noqa: PLC0415

    yield from study.remarks
    for run in study.runs:
        yield ""
        yield f"{run.name}: {len(run.figures.tally):,} of {len(run.run):,} spots evaluated"
        yield from (f"  {each.spots:,} on {each.page}: {each.reason}" for each in run.left_out)
        yield from aligned(_rows(figures_table(run.figures, run.name)))
    names = study.annotated.names
    if len(names) > 1:
        yield ""
        yield "annotators against each other: F of all areas, then each against all others"
        yield from aligned(_rows(agreement_table(study)))


def _rows(table: Table) -> list[list[str]]:
    """As text, with a head."""
    heads = ["", *(column.title for column in table.columns[1:])]
    return [heads, *([cell.text for cell in row] for row in table.rows)]
