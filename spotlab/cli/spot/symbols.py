"""`spotlab spot symbols`: symbols like query models, as a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.aligned import aligned
from spotlab.cli.finite import FINITE
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.spot_options import (
    page_among,
    pages_option,
    place_of,
    resumable,
    working_options,
)
from spotlab.errors import BadInput, NotSaved, SpotlabError

if TYPE_CHECKING:
    from spotlab.formats.truth.folder import PageEntry
    from spotlab.model import Truth
    from spotlab.progress import Progress
    from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings
    from spotlab.spotting.symbols.engine.query_model import QueryModel
    from spotlab.spotting.symbols.engine.search import SymbolSearch

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
    method: str,
    queries: tuple[str, ...],
    models: Path | None,
    json_file: str | None,
    **chosen: Any,
) -> None:
    """Spot symbols that look like query models: cropped from the pages, or images.

    A model that is cropped from one of the pages may find itself there, as in the paper. Several
    of one name are one query. Ctrl+C loses no page that is finished: the same command goes on.
    """
    from spotlab.spotting.page_entries import page_entries  # noqa: PLC0415 - takes a while
    from spotlab.spotting.symbols.engine.search import method_of, search_symbols  # noqa: PLC0415
    from spotlab.studies.symbols.symbol_queries import without_models  # noqa: PLC0415

    check_target(json_file)
    _check_out(out, json_file)
    method_of(method)
    settings = _settings(chosen)
    with resumable(), progress_bar() as progress:
        entries = page_entries(pages)
        asked = _models(entries, queries, models, chosen, settings, progress)
        search = search_symbols(
            entries,
            asked,
            method,
            settings,
            cache=chosen["cache"],
            jobs=chosen["jobs"],
            cluster=chosen["cluster"],
            most=chosen["most"],
            at_least=chosen["at_least"],
            progress=progress,
        )
        run = without_models(search.run, asked) if chosen["leave_out_model"] else search.run
        _write(run, out, progress)
    for page in search.left_out:
        click.echo(f"left out {page.page}: {page.problem}", err=True)
    if json_file:
        write_json(_as_json(search, run, asked, method), json_file)
    if json_file != "-":
        for line in [*_lines(search, run), f"wrote {out}"]:
            click.echo(line)


def _check_out(out: Path, json_file: str | None) -> None:
    """See that it is named as a run is, and no page, truth or JSON is written over by mistake."""
    from spotlab.formats.rows.atomic import is_stream  # noqa: PLC0415 - takes a while

    if json_file not in (None, "-") and Path(str(json_file)).absolute() == out.absolute():
        raise NotSaved(f"{out} cannot be written: it is to be the JSON, too")
    if out.suffix.lower() not in SUFFIXES and not is_stream(out):
        raise NotSaved(f"{out} cannot be written: a run's name ends in {' or '.join(SUFFIXES)}")
    check_target(str(out))


def _settings(chosen: Mapping[str, Any]) -> SymbolSettings:
    from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings, named_ink  # noqa: PLC0415

    return SymbolSettings(named_ink(chosen["ink"]), not chosen["plain"])


def _models(
    entries: Sequence[PageEntry],
    queries: Sequence[str],
    folder: Path | None,
    chosen: Mapping[str, Any],
    settings: SymbolSettings,
    progress: Progress,
) -> list[QueryModel]:
    """A model or several of each query, in the order given; those of the folder last."""
    from spotlab.imaging.header import IMAGE_SUFFIXES  # noqa: PLC0415 - takes a while
    from spotlab.studies.symbols import symbol_queries  # noqa: PLC0415

    labels = [text for text in queries if place_of(text) is None and not Path(text).is_file()]
    cropped: dict[str, list[QueryModel]] = {}
    if labels or not (queries or folder):
        for text in labels:
            if Path(text).suffix.lower() in IMAGE_SUFFIXES:
                raise BadInput(text, "there is no such image")
        truths = _truths(entries, chosen["truth"], progress)
        if not truths:
            raise SpotlabError(
                "there is no truth of these pages to crop models from; expected --truth, --models, "
                "or a --query that is an image or PAGE:x,y,width,height"
            )
        for model in symbol_queries.models_of(
            entries, labels or None, chosen["each"], chosen["seed"], settings,
            truths=truths, progress=progress,
        ):  # fmt: skip
            cropped.setdefault(model.name, []).append(model)
    found: list[QueryModel] = []
    for text in dict.fromkeys(queries or cropped):
        place = place_of(text)
        if text in cropped:
            found += cropped[text]
        elif place is None:
            found.append(symbol_queries.model_of_image(Path(text), settings))
        else:
            found.append(_model_at(entries, place[0], place[1], settings))
    return found + (symbol_queries.models_of_images(folder, settings) if folder else [])


def _truths(
    entries: Sequence[PageEntry], paths: Sequence[Path], progress: Progress
) -> dict[str, Truth]:
    """The truth of the pages by their names."""
    from spotlab.studies.areas.truth_files import match_pages, read_truths  # noqa: PLC0415
    from spotlab.studies.symbols.symbol_queries import truths_beside  # noqa: PLC0415

    if not paths:
        return truths_beside(entries)
    truth_set = read_truths(paths, progress=progress)
    matched = match_pages([entry.name for entry in entries], truth_set)
    return {page: truth_set.truths[name] for page, name in matched.items() if name is not None}


def _model_at(
    entries: Sequence[PageEntry],
    page: str,
    box: tuple[float, float, float, float],
    settings: SymbolSettings,
) -> QueryModel:
    from spotlab.studies.symbols.symbol_queries import model_at  # noqa: PLC0415

    name = page_among(page, [entry.name for entry in entries])
    for entry in entries:
        if entry.name == name:
            left, top, right, bottom = box
            text = f"{name}:{left:g},{top:g},{right - left:g},{bottom - top:g}"
            return model_at(entry, box, text, settings)
    raise SpotlabError(f"the page {page!r} of the query is not among the pages searched")


def _write(run: Any, out: Path, progress: Progress) -> None:
    from spotlab.formats.runs import write_csv, write_parquet  # noqa: PLC0415 - takes a while

    write = write_parquet if out.suffix.lower() == ".parquet" else write_csv
    write(run, out, progress)


def _counts(search: SymbolSearch, run: Any) -> dict[str, tuple[int, float | None]]:
    """Of each query, how many spots there are and the best score; None where there is none."""
    counts: dict[str, tuple[int, float | None]] = dict.fromkeys(search.labels, (0, None))
    for number, name in enumerate(run.queries):
        start, stop = run.starts[number : number + 2].tolist()
        counts[name] = (stop - start, float(run.score[start]))
    return counts


def _lines(search: SymbolSearch, run: Any) -> list[str]:
    """A table: how much was found for each query."""
    rows = [["query", "spots", "best score"]]
    for name, (spots, best) in _counts(search, run).items():
        rows.append([name, f"{spots:,}", "–" if best is None else f"{best:.4f}"])
    kept = f", {search.reused:,} finished before" if search.reused else ""
    pages = "1 page" if search.pages == 1 else f"{search.pages:,} pages"
    return [*aligned(rows), f"{pages}{kept}"]


def _as_json(
    search: SymbolSearch, run: Any, models: Sequence[QueryModel], method: str
) -> dict[str, Any]:
    return {
        "method": method,
        "pages": search.pages,
        "finished_before": search.reused,
        "left_out": search.left_out,
        "queries": [
            {
                "query": name,
                "spots": spots,
                "best_score": best,
                "models": [
                    {"page": getattr(model, "page", None), "size": list(model.ink.shape[::-1])}
                    for model in models
                    if model.name == name
                ],
            }
            for name, (spots, best) in _counts(search, run).items()
        ],
    }
