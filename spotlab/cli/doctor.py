"""`spotlab doctor`: what is missing or odd on this machine, for a report of what went wrong."""

from __future__ import annotations

import click

from spotlab.cli.console import json_option, progress_bar, tell


@click.command()
@json_option
def doctor(json_file: str | None) -> None:
    """Examine this installation and machine, and list what is missing or odd.

    Paste the lines into a report when something goes wrong; they name no file of yours. The exit
    code is 0 whatever is found.
    """
    from spotlab.diagnosis.examination import as_json, as_lines, examine  # noqa: PLC0415

    with progress_bar() as progress:
        findings = examine(progress)
    tell(json_file, lambda: as_json(findings), lambda: as_lines(findings))
