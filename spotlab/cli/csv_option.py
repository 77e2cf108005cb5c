"""How names are written in CSV files."""

from __future__ import annotations

import click


def _use(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from spotlab.formats.rows.csv_rows import safe_cells  # noqa: PLC0415

        context.with_resource(safe_cells())


csv_safe_option = click.option(
    "--csv-safe",
    is_flag=True,
    expose_value=False,
    callback=_use,
    help="In CSV files, write an apostrophe before names that begin with = + - or @, which a "
    "spreadsheet would run as formulas. By default, names are written unchanged. Numbers are "
    "always written unchanged.",
)
