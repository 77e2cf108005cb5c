"""`spotlab spot symbols`: symbols like query models, as a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import SymbolSpottingSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import FILE, INK, csv_safe_option, given, options, pages_option, resumable
from spotlab.errors import NotSaved, counted
from spotlab.report.figure_text import aligned

if TYPE_CHECKING:
    from spotlab.api.spot_symbols import SymbolSpotting

SUFFIXES = (".csv", ".parquet")


@click.command()
@pages_option
@click.option("--out", type=FILE, required=True, help="File for the run, .csv or .parquet.")
@click.option(
    "--query",
    "queries",
    multiple=True,
    help="Query: a label, PAGE:x,y,width,height in px, or an image of a symbol; may be given "
    "several times.  [default: every label of the truth, unless --models is given]",
)
@options(SymbolSpottingSettings, INK)
@json_option
@csv_safe_option
def symbols(
    pages: tuple[Path, ...],
    out: Path,
    queries: tuple[str, ...],
    json_file: str | None,
    **chosen: Any,
) -> None:
    """Spot symbols that look like query models, which are cropped from the pages or images.

    A model cropped from one of the pages can be spotted there itself, as in the paper; the file
    OUT.models says where the models are, and `evaluate` leaves them out. Several models of one
    name are one query. With --lessons, all labelled regions of some pages are used together, also
    to tell which spots are likely. Method f learns from all labelled regions; query models that are
    images or boxes are further examples. After Ctrl+C, run the same command again to continue:
    finished pages are kept.
    """
    from spotlab.api.spot_symbols import spot_symbols  # noqa: PLC0415 - takes a while

    check_target(json_file)
    _check_out(out, json_file)
    with as_options(), resumable(), progress_bar() as progress:
        result = spot_symbols(pages, queries or None, progress=progress, **given(chosen))
        result.write(out, progress=progress)
    for remark in result.remarks:
        say(remark, err=True)
    for page in result.search.left_out:
        say(f"left out {page.page}: {page.problem}", err=True)
    tell(json_file, result.as_dict, lambda: [*_lines(result), f"wrote {out}"])


def _check_out(out: Path, json_file: str | None) -> None:
    """See that it is named as a run is, and no page, truth or JSON is written over by mistake."""
    from spotlab.formats.rows.files import is_stream  # noqa: PLC0415 - takes a while

    if json_file not in (None, "-") and Path(str(json_file)).absolute() == out.absolute():
        raise NotSaved(f"{out} cannot be written: --json names the same file")
    if out.suffix.lower() not in SUFFIXES and not is_stream(out):
        raise NotSaved(
            f"{out} cannot be written: the name of a run must end in {' or '.join(SUFFIXES)}"
        )
    check_target(str(out))


def _lines(result: SymbolSpotting) -> list[str]:
    """A table: how much was found for each query."""
    rows = [["query", "spots", "best score"]]
    for name, (spots, best) in result.counts.items():
        rows.append([name, f"{spots:,}", "–" if best is None else f"{best:.4f}"])
    search = result.search
    kept = f", {search.reused:,} reused from an earlier call" if search.reused else ""
    pages = counted(search.pages, "page")
    return [*aligned(rows), f"{pages}{kept}"]
