"""`spotlab validate`: looks through truth files the way a careful colleague would."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spotlab.cli.console import json_option, progress_bar, say, write_json
from spotlab.cli.options import strict_option
from spotlab.errors import SpotlabError

if TYPE_CHECKING:
    from spotlab.editing.validate import ValidatedPage
    from spotlab.formats.rows.reading import Finding


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@strict_option
@json_option
def validate(paths: tuple[Path, ...], strict: bool, json_file: str | None) -> None:
    """Check truth files, and all truth files in folders, for mistakes.

    The exit code is 2 if there are errors; warnings do not change it.
    """
    from spotlab.editing.unfinished import unfinished_remarks  # noqa: PLC0415 - takes half a second
    from spotlab.editing.validate import validate_files  # noqa: PLC0415
    from spotlab.formats.rows.reading import Consequence, Reading  # noqa: PLC0415

    reading = Reading(strict=strict)
    with progress_bar() as progress:
        pages = validate_files(paths, progress, reading=reading)
    left_out = reading.findings.of([Consequence.LEFT_OUT])
    remarks = reading.findings.of([Consequence.REMARK])
    unfinished = unfinished_remarks([*paths, *(page.entry.truth_path for page in pages)])
    if json_file:
        write_json(_as_json(pages, unfinished, (*left_out, *remarks)), json_file)
    say(*map(str, remarks), err=True)
    lines = [(True, text) for text in (*unfinished, *map(str, left_out))]
    lines += [line for page in pages for line in _lines(page)]
    errors = len(unfinished) + sum(page.errors for page in pages)
    errors += sum(finding.count for finding in left_out)
    if json_file != "-":
        for _, line in lines:
            say(line)
        warnings = sum(page.warnings for page in pages)
        readable = sum(page.regions is not None for page in pages)
        say(
            f"{_count(readable, 'page')} with truth, {_count(errors, 'error')}, "
            f"{_count(warnings, 'warning')}"
        )
    if errors:
        first = next(line for is_error, line in lines if is_error)
        raise SpotlabError(f"{_count(errors, 'error')}; the first: {first}")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


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


def _as_json(
    pages: Sequence[ValidatedPage], unfinished: Sequence[str], findings: Sequence[Finding]
) -> dict[str, object]:
    left_out = sum(finding.count for finding in findings if finding.kind == "left out")
    return {
        "errors": len(unfinished) + sum(page.errors for page in pages) + left_out,
        "unfinished": list(unfinished),
        "findings": [
            {
                "kind": str(finding.kind),
                "file": str(finding.path),
                "place": finding.place,
                "problem": finding.problem,
                "count": finding.count,
            }
            for finding in findings
        ],
        "warnings": sum(page.warnings for page in pages),
        "pages": [
            {
                "truth": str(page.entry.truth_path),
                "image": str(page.entry.image),
                "page": page.entry.name,
                "regions": page.regions,
                "unreadable": list(page.unreadable),
                "findings": [
                    {
                        "severity": finding.severity,
                        "kind": finding.kind,
                        "region": finding.region,
                        "message": finding.message,
                    }
                    for finding in page.findings
                ],
            }
            for page in pages
        ],
    }
