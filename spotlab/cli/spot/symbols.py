"""`spotlab spot symbols`: symbols like query models, as a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.console import say
from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.finite import FINITE
from spotlab.cli.ink_options import chosen_ink, ink_options
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.spot_options import pages_option, resumable, working_options
from spotlab.errors import NotSaved, counted
from spotlab.report.aligned import aligned

if TYPE_CHECKING:
    from spotlab.api.symbols import SymbolSpotting

INKS = ("even", "otsu", "sauvola", "wolf")  # a test holds them against the model
BEST = "e"  # another does so with this
SUFFIXES = (".csv", ".parquet")


@click.command()
@pages_option
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File for the run, .csv or .parquet.",
)
@click.option(
    "--method",
    default=BEST,
    show_default=True,
    help="Spotting method: a to d as in the paper, e by spotlab, f learned from all labelled "
    "regions, or the name of an installed extension's.",
)
@click.option(
    "--query",
    "queries",
    multiple=True,
    help="Query: a label, PAGE:x,y,width,height in px, or an image of a symbol; may be given "
    "several times.  [default: every label of the truth, unless --models is given]",
)
@click.option(
    "--models",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with an image for each query; the file name is the name of the query.",
)
@click.option(
    "--lessons",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Labelled page, or folder of labelled pages, with every symbol labelled: all its regions "
    "are query models together, and scores are probabilities calibrated there. Method f learns "
    "from them.  [default for method f: all labelled pages, each left out of its own lessons]",
)
@click.option(
    "--truth",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Truth with the symbols from which models are cropped.  [default: beside the pages]",
)
@click.option(
    "--each",
    type=click.IntRange(min=1),
    help="Number of query models per label; not for method f.  [default: 1; with --lessons 20]",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Seed for choosing the models of a label at random.  [default: models of typical size]",
)
@click.option(
    "--leave-out-model",
    is_flag=True,
    help="Leave out the spot that is the query model itself. Without this, `evaluate` ignores the "
    "model and its spot.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    help="Keep at most this many spots per query.  [default: all]",
)
@click.option(
    "--at-least",
    type=FINITE,
    help="Smallest score of a spot to keep.  [default: 0.4 for method e, 0.3 for method f and "
    "with --lessons, none for the others]",
)
@click.option(
    "--ink",
    type=click.Choice(INKS),
    default=INKS[0],
    show_default=True,
    help="Binarisation method.",
)
@ink_options
@click.option("--plain", is_flag=True, help="Do not repair broken strokes and walls.")
@working_options
@json_option
@csv_safe_option
def symbols(
    pages: tuple[Path, ...],
    out: Path,
    queries: tuple[str, ...],
    lessons: tuple[Path, ...],
    truth: tuple[Path, ...],
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
    from spotlab.api.symbols import spot_symbols  # noqa: PLC0415 - takes a while

    check_target(json_file)
    _check_out(out, json_file)
    ink = chosen_ink(chosen.pop("ink"), pages, chosen)
    with as_options(wording=_in_options), resumable(), progress_bar() as progress:
        result = spot_symbols(
            pages,
            queries or None,
            lessons=lessons or None,
            truth=truth or None,
            models_per_label=chosen.pop("each"),
            leave_out_models=chosen.pop("leave_out_model"),
            max_spots=chosen.pop("most"),
            min_score=chosen.pop("at_least"),
            mend=not chosen.pop("plain"),
            ink=ink,
            progress=progress,
            **chosen,
        )
        result.write(out, progress=progress)
    for remark in result.remarks:
        say(remark, err=True)
    for page in result.search.left_out:
        say(f"left out {page.page}: {page.problem}", err=True)
    if json_file:
        write_json(result.as_dict(), json_file)
    if json_file != "-":
        say(*_lines(result), f"wrote {out}")


def _in_options(text: str) -> str:
    return text.replace("--models-per-label", "--each")


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
