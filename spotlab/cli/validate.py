"""`spotlab validate`: looks through truth files the way a careful colleague would."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import ValidationSettings
from spotlab.cli.console import as_options, json_option, progress_bar, say, write_json
from spotlab.cli.options import EXISTING_PATH, given, options
from spotlab.errors import SpotlabError, counted

if TYPE_CHECKING:
    from spotlab.editing.validate import ValidatedPage


@click.command()
@click.argument("paths", nargs=-1, required=True, type=EXISTING_PATH)
@options(ValidationSettings)
@json_option
def validate(paths: tuple[Path, ...], json_file: str | None, **chosen: Any) -> None:
    """Check truth files, and all truth files in folders, for mistakes.

    The exit code is 2 if there are errors; warnings do not change it.
    """
    from spotlab.api.hull_of_stroke import validate as check_truth  # noqa: PLC0415 - half a second
    from spotlab.formats.rows.reading import Consequence  # noqa: PLC0415

    with as_options(), progress_bar() as progress:
        result = check_truth(paths, progress=progress, **given(chosen))
    if json_file:
        write_json(result.as_dict(), json_file)
    remarks = [each for each in result.findings if each.kind is Consequence.REMARK]
    left_out = [each for each in result.findings if each.kind is Consequence.LEFT_OUT]
    say(*map(str, remarks), err=True)
    lines = [(True, text) for text in (*result.unfinished, *map(str, left_out))]
    lines += [line for page in result.pages for line in _lines(page)]
    errors = counted(result.errors, "error")
    if json_file != "-":
        say(*(line for _, line in lines))
        pages, warnings = result.readable, result.warnings
        say(f"{counted(pages, 'page')} with truth, {errors}, {counted(warnings, 'warning')}")
    if result.errors:
        first = next(line for is_error, line in lines if is_error)
        raise SpotlabError(f"{errors}; the first: {first}")


def _lines(page: ValidatedPage) -> list[tuple[bool, str]]:
    """Tell whether it is an error, and the line, of all that was found on a page."""
    lines = [(True, text) for text in page.unreadable]
    lines += [
        (
            finding.severity == "error",
            f"{page.entry.truth_path}: {finding.severity}: {finding.message}",
        )
        for finding in page.findings
    ]
    return lines
