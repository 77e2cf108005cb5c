"""Writes what `--json` asks for: to a file, whole or not at all, or to standard output."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.representation import utf8, visible

json_option = click.option(
    "--json",
    "json_file",
    metavar="FILE",
    help="File for the result as JSON; - means standard output.",
)


def write_json(value: object, file: str) -> None:
    """Write a value as JSON to the file, or to standard output if it is ``-``.

    Raises
    ------
    NotSaved
        The file could not be written; what was there before is untouched.
    """
    from spotlab.formats.rows.files import write_atomically  # noqa: PLC0415 - formats bring much along
    from spotlab.formats.rows.json_values import json_text  # noqa: PLC0415

    # the same to whoever reads it as JSON; the file may be a terminal, too
    text = visible(json_text(value), kept="\n") + "\n"
    if file == "-":
        click.echo(text, nl=False)
    else:
        write_atomically(Path(file), utf8(text))
