"""`spotlab displacement`: how far systems' answers are from how subjects would rank."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import DisplacementSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, tell
from spotlab.cli.options import EXISTING_FILE, given, options
from spotlab.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spotlab.studies.words.displacement import DisplacementStudy


@click.command()
@click.argument("ideal", type=EXISTING_FILE)
@click.argument("answers", nargs=-1, required=True, type=EXISTING_FILE)
@options(DisplacementSettings)
@json_option
def displacement(
    ideal: Path, answers: tuple[Path, ...], json_file: str | None, **chosen: Any
) -> None:
    """Compare answers with the rankings of subjects by weighted displacement; smaller is better.

    IDEAL is a CSV file [subject,]query,rank,item,relevance. ANSWERS are CSV files
    [system,]query,rank,item: one for all systems, or one per system.
    """
    from spotlab.api.uncertain import displacement as measure  # noqa: PLC0415 - takes a while

    check_target(json_file)
    with as_options(wording="{}.".format), progress_bar() as progress:
        result = measure(ideal, answers, progress=progress, **given(chosen))
    tell(json_file, result.as_dict, lambda: [*result.read_remarks, *_lines(result.study)])


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
