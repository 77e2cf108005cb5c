"""`spotlab displacement`: how far systems' answers are from how subjects would rank."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from spotlab.cli.console import as_options, check_target, json_option, progress_bar, tell
from spotlab.cli.options import NumberRange
from spotlab.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spotlab.studies.words.displacement import DisplacementStudy

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("ideal", type=FILE)
@click.argument("answers", nargs=-1, required=True, type=FILE)
@click.option(
    "--missing",
    type=click.Choice(["optimist", "pessimist"]),
    default="optimist",
    show_default=True,
    help="Assumed rank of an item that an answer lacks: directly after the answer (optimist), or "
    "at the end of the collection (pessimist).",
)
@click.option(
    "--size",
    type=click.IntRange(min=1),
    help="Number of items in the collection, for --missing pessimist.  [default: the number of "
    "items named in the files]",
)
@click.option(
    "--quality",
    type=click.Choice(["rational", "exponential"]),
    default="rational",
    show_default=True,
    help="Quality that follows from a displacement w: 1 / (1 + w) ** p, or exp(−λ w).",
)
@click.option(
    "--steepness",
    type=NumberRange(min=0, min_open=True),
    default=1.0,
    show_default=True,
    help="Exponent p or λ of the quality.",
)
@click.option("--strict", is_flag=True, help="Refuse files in which any line cannot be read.")
@click.option("--skip-bad-lines", is_flag=True, hidden=True, expose_value=False)
@json_option
def displacement(
    ideal: Path,
    answers: tuple[Path, ...],
    missing: Literal["optimist", "pessimist"],
    size: int | None,
    quality: Literal["rational", "exponential"],
    steepness: float,
    strict: bool,
    json_file: str | None,
) -> None:
    """Compare answers with the rankings of subjects by weighted displacement; smaller is better.

    IDEAL is a CSV file [subject,]query,rank,item,relevance. ANSWERS are CSV files
    [system,]query,rank,item: one for all systems, or one per system.
    """
    from spotlab.api.arguments import refuse  # noqa: PLC0415
    from spotlab.formats.lists.rankings import read_answers, read_ideal  # noqa: PLC0415
    from spotlab.studies.words.displacement import as_json, measure_displacement  # noqa: PLC0415

    check_target(json_file)
    with progress_bar() as progress:
        read = [read_ideal(ideal, progress), *(read_answers(each, progress) for each in answers)]
    with as_options():
        left_out = refuse((line for each in read for line in each.bad_lines), strict)
    given = [ranking for each in read[1:] for ranking in each.rankings]
    try:
        study = measure_displacement(read[0].rankings, given, missing, size, steepness, quality)
    except ValueError as error:
        raise click.UsageError(f"{error}.", click.get_current_context()) from error
    remarks = [*left_out, *(remark for each in read for remark in each.remarks)]
    tell(json_file, lambda: as_json(study, remarks), lambda: [*remarks, *_lines(study)])


def _lines(study: DisplacementStudy) -> Iterator[str]:
    """The table: a row a system, a column a subject."""
    yield from study.remarks
    yield (
        f"weighted displacement, {study.missing}, {counted(study.size, 'item')}; smaller is better"
    )
    subjects = [subject.subject for subject in study.systems[0].subjects]
    width = max(len(system.system) for system in study.systems)
    widths = [max(len(name), 8) for name in ("quality", "mean", *subjects)]
    rows = [("", ["quality", "mean", *subjects])]
    for system in study.systems:
        numbers = [system.displacement, *(one.displacement for one in system.subjects)]
        rows.append((system.system, [f"{system.quality:.3f}", *(f"{n:,.3f}" for n in numbers)]))
    for name, cells in rows:
        yield " ".join(
            [name.ljust(width), *(c.rjust(w) for c, w in zip(cells, widths, strict=True))]
        )
