"""Writes what `--json` asks for: to a file, whole or not at all, or to standard output."""

from __future__ import annotations

import json
from pathlib import Path

import click

json_option = click.option(
    "--json", "json_file", metavar="FILE", help="Write the result as JSON; - is standard output."
)


def write_json(value: object, file: str) -> None:
    """Write a value as JSON to the file, or to standard output if it is ``-``.

    Raises
    ------
    NotSaved
        The file could not be written; what was there before is untouched.
    ValueError
        The value holds NaN or infinity, which JSON has not: undefined is None.
    """
    from spotlab.formats.atomic import write_atomically  # noqa: PLC0415 - formats bring much along

    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if file == "-":
        click.echo(text, nl=False)
    else:
        write_atomically(Path(file), text.encode())
