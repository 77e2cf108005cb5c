"""`spotlab spot symbols`: symbols like query models, as a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.finite import FINITE
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.spot_options import pages_option, resumable, working_options
from spotlab.errors import NotSaved
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
    help="The run: a .csv file, or a .parquet one.",
)
@click.option(
    "--method",
    default=BEST,
    show_default=True,
    help="a to d, the paper's; e, ours; or the name of an entry point's.",
)
@click.option(
    "--query",
    "queries",
    multiple=True,
    help="A label, PAGE:x,y,width,height in px, or an image of a symbol; may be given several "
    "times.  [default: every label of the truth, without --models]",
)
@click.option(
    "--models",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with an image for each query, which is called like the file.",
)
@click.option(
    "--truth",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Where symbols are, from which models are cropped.  [default: beside the pages]",
)
@click.option(
    "--each",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="So many models of a label.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Draw models of a label.  [default: those of the most usual size]",
)
@click.option(
    "--leave-out-model",
    is_flag=True,
    help="Leave out the spot that is the model itself; its symbol counts as missed then.",
)
@click.option("--most", type=click.IntRange(min=1), help="So many spots a query.  [default: all]")
@click.option(
    "--at-least",
    type=FINITE,
    help="Leave out spots with a lower score.  [default: the method's: e 0.4, others all]",
)
@click.option(
    "--ink", type=click.Choice(INKS), default=INKS[0], show_default=True, help="What counts as ink."
)
@click.option("--plain", is_flag=True, help="Leave broken strokes and walls as they are.")
@working_options
@json_option
def symbols(
    pages: tuple[Path, ...],
    out: Path,
    queries: tuple[str, ...],
    truth: tuple[Path, ...],
    json_file: str | None,
    **chosen: Any,
) -> None:
    """Spot symbols that look like query models: cropped from the pages, or images.

    A model that is cropped from one of the pages may find itself there, as in the paper. Several
    of one name are one query. Ctrl+C loses no page that is finished: the same command goes on.
    """
    from spotlab.api.symbols import spot_symbols  # noqa: PLC0415 - takes a while

    check_target(json_file)
    _check_out(out, json_file)
    with as_options(), resumable(), progress_bar() as progress:
        found = spot_symbols(
            pages,
            queries or None,
            truth=truth or None,
            models_per_label=chosen.pop("each"),
            leave_out_models=chosen.pop("leave_out_model"),
            max_spots=chosen.pop("most"),
            min_score=chosen.pop("at_least"),
            mend=not chosen.pop("plain"),
            progress=progress,
            **chosen,
        )
        found.write(out, progress=progress)
    for page in found.search.left_out:
        click.echo(f"left out {page.page}: {page.problem}", err=True)
    if json_file:
        write_json(found.as_dict(), json_file)
    if json_file != "-":
        for line in [*_lines(found), f"wrote {out}"]:
            click.echo(line)


def _check_out(out: Path, json_file: str | None) -> None:
    """See that it is named as a run is, and no page, truth or JSON is written over by mistake."""
    from spotlab.formats.rows.atomic import is_stream  # noqa: PLC0415 - takes a while

    if json_file not in (None, "-") and Path(str(json_file)).absolute() == out.absolute():
        raise NotSaved(f"{out} cannot be written: it is to be the JSON, too")
    if out.suffix.lower() not in SUFFIXES and not is_stream(out):
        raise NotSaved(f"{out} cannot be written: a run's name ends in {' or '.join(SUFFIXES)}")
    check_target(str(out))


def _lines(found: SymbolSpotting) -> list[str]:
    """A table: how much was found for each query."""
    rows = [["query", "spots", "best score"]]
    for name, (spots, best) in found.counts.items():
        rows.append([name, f"{spots:,}", "–" if best is None else f"{best:.4f}"])
    search = found.search
    kept = f", {search.reused:,} finished before" if search.reused else ""
    pages = "1 page" if search.pages == 1 else f"{search.pages:,} pages"
    return [*aligned(rows), f"{pages}{kept}"]
