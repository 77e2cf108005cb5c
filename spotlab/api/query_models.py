"""What to search for among symbols: models cropped from pages, or images of symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spotlab.api.arguments import PathLike, Paths, is_path, paths_of, unusable
from spotlab.api.truth import GroundTruth
from spotlab.errors import BadArgument, BadInput, SpotlabError
from spotlab.files import is_file
from spotlab.formats.collection.folder import PageEntry
from spotlab.imaging.outlines import hull
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.imaging.runs import runs_from_mask
from spotlab.model import Truth
from spotlab.model.queries import Place, page_among, place_of
from spotlab.progress import Progress, silent
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings, page_ink
from spotlab.spotting.symbols.engine.query_model import SymbolModel, crop_model
from spotlab.studies.symbols import symbol_queries
from spotlab.studies.symbols.page_learning import LearnedPages, learn_from_truth
from spotlab.studies.symbols.symbol_lessons import LearnedLessons, learn_from_pages
from spotlab.studies.tally.truth import match_pages, read_truths

Image: TypeAlias = "NDArray[np.uint8]"
SymbolQuery: TypeAlias = "PathLike | Place | SymbolModel | Image"
SymbolQueries: TypeAlias = "SymbolQuery | Iterable[SymbolQuery] | Mapping[str, SymbolQuery]"

EXPECTED = (
    "a label, PAGE:x,y,width,height, (page, (x, y, width, height)), an image of a symbol, or "
    "several of these, or a mapping of names to images"
)


def query_models(
    entries: Sequence[PageEntry],
    queries: SymbolQueries | None,
    folder: PathLike | None,
    truth: GroundTruth | Paths | None,
    each: int,
    seed: int | None,
    settings: SymbolSettings,
    progress: Progress = silent,
) -> list[SymbolModel]:
    """A model or several of each query, in the order given; those of the folder last.

    Parameters
    ----------
    entries : sequence of PageEntry
        The pages that are searched.
    queries : str, path, (page, box), array, mapping, or several of these
        As `spot_symbols` takes them; None for every label, unless there is a folder.
    folder : path or None
        With an image for each query.
    truth : GroundTruth, path, sequence of path or None
        Where symbols are; None for what lies beside the pages.
    each : int
        How many models of a label, at most.
    seed : int or None
        Draws models of a label; None for those of the median size.
    settings : SymbolSettings
        What counts as ink.
    progress : callable
        Told how far it is.

    Raises
    ------
    SpotlabError
        A query is nothing that can be searched for.
    """
    wanted = _named(queries)
    labels = [name for name, source in wanted.items() if _is_label(source)]
    cropped_models: dict[str, list[SymbolModel]] = {}
    if labels or not (wanted or folder):
        for text in labels:
            if Path(text).suffix.lower() in IMAGE_SUFFIXES:
                raise BadInput(text, "there is no such image")
        truths = _truths(entries, truth, progress)
        if not truths:
            raise BadArgument(
                "there is no truth of these pages to crop models from; expected `truth`, `models`, "
                "or a `query` that is an image or PAGE:x,y,width,height"
            )
        for model in symbol_queries.crop_models(
            entries, labels or None, each, seed, settings, truths=truths, progress=progress
        ):
            cropped_models.setdefault(model.name, []).append(model)
    found: list[SymbolModel] = []
    for name, source in wanted.items() if wanted else [(name, name) for name in cropped_models]:
        if name in cropped_models:
            found += cropped_models[name]
        else:
            found.append(_model(name, source, entries, settings))
    if folder:
        found += symbol_queries.models_of_images(Path(folder), settings)
    return found


def learned_lessons(
    pages: Paths,
    queries: SymbolQueries | None,
    folder: PathLike | None,
    truth: GroundTruth | Paths | None,
    method: str,
    each: int | None,
    seed: int | None,
    settings: SymbolSettings,
    cache: Path | None,
    progress: Progress = silent,
) -> LearnedLessons:
    """Learn from labelled pages what to search for, and how.

    Parameters
    ----------
    pages : path or sequence of path
        Labelled pages.
    queries
        Labels; None for every label of these pages.
    folder, seed
        None: neither images nor chance choose the models.
    truth
        As in `query_models`.
    method : str
    each : int or None
        How many models of a label, at most.
    settings : SymbolSettings
    cache : path or None
        Folder for the files.
    progress : callable
        Told how far it is.

    Raises
    ------
    BadArgument
        A query is no label, or something else chooses the models, too.
    SpotlabError
        The pages have no truth or no region of a label.
    """
    if folder is not None or seed is not None:
        name = "models" if folder is not None else "seed"
        raise BadArgument(f"`{name}` cannot be used with `lessons`, whose regions are the models")
    wanted = _named(queries)
    for name, source in wanted.items():
        if not _is_label(source):
            raise BadArgument(f"the query {name!r} is no label; with `lessons` only labels can be")
    entries = page_entries(paths_of(pages, "lessons"))
    truths = _truths(entries, truth, progress)
    return learn_from_pages(
        entries, truths, list(wanted) or None, method, each, settings, cache, progress
    )


def learned_pages(
    entries: Sequence[PageEntry],
    pages: Paths | None,
    queries: SymbolQueries | None,
    folder: PathLike | None,
    truth: GroundTruth | Paths | None,
    method: str,
    each: int | None,
    seed: int | None,
    settings: SymbolSettings,
    cache: Path | None,
    jobs: int,
    cluster: str | None,
    progress: Progress = silent,
) -> tuple[LearnedPages, list[SymbolModel]]:
    """Learn from labelled pages, for a method that does.

    Parameters
    ----------
    entries : sequence of PageEntry
        The pages that are searched.
    pages : path, sequence of path or None
        Labelled pages; None for those among the pages that are searched.
    queries
        As in `query_models`; what is no label is a further example.
    folder : path or None
        With an image for each further example.
    truth
        As in `query_models`.
    method : str
    each, seed
        None: such a method learns from all regions.
    settings : SymbolSettings
    cache : path or None
        Folder for the files.
    jobs, cluster
        As in `spotlab.compute.executor`.
    progress : callable
        Told how far it is.

    Returns
    -------
    learned : LearnedPages
    models : list of SymbolModel
        The further examples.

    Raises
    ------
    BadArgument
        ``each`` or ``seed`` is given.
    SpotlabError
        There is nothing to learn from.
    """
    for name, value in (("models_per_label", each), ("seed", seed)):
        if value is not None:
            raise BadArgument(f"`{name}` cannot be used: method {method} learns from all regions")
    wanted = _named(queries)
    labels = [name for name, source in wanted.items() if _is_label(source)]
    for text in labels:
        if Path(text).suffix.lower() in IMAGE_SUFFIXES:
            raise BadInput(text, "there is no such image")
    models = [
        _model(name, source, entries, settings)
        for name, source in wanted.items()
        if name not in labels
    ]
    if folder:
        models += symbol_queries.models_of_images(Path(folder), settings)
    known = entries if pages is None else page_entries(paths_of(pages, "lessons"))
    learned = learn_from_truth(
        known, _truths(known, truth, progress), entries, method,
        models=models,
        labels=[*labels, *(model.name for model in models)] if wanted else None,
        settings=settings, cache=cache, jobs=jobs, cluster=cluster, progress=progress,
    )  # fmt: skip
    return learned, models


def _named(queries: Any) -> dict[str, Any]:
    """Each query by what to call it."""
    if queries is None:
        return {}
    if isinstance(queries, Mapping):
        return {str(name): source for name, source in queries.items()}
    single = is_path(queries) or place_of(queries) is not None or isinstance(queries, SymbolModel)
    if not single and (isinstance(queries, np.ndarray) or not isinstance(queries, Iterable)):
        raise unusable(queries, "queries", EXPECTED)
    return {_name(query): query for query in ([queries] if single else queries)}


def _name(query: Any) -> str:
    if isinstance(query, SymbolModel):
        return query.name
    if isinstance(query, str):
        return query
    if is_path(query):
        return str(Path(query))
    place = place_of(query)
    if place is None:
        raise unusable(query, "queries", EXPECTED)
    page, (left, top, right, bottom) = place
    return f"{page}:{left:g},{top:g},{right - left:g},{bottom - top:g}"


def _is_label(source: Any) -> bool:
    return isinstance(source, str) and place_of(source) is None and not is_file(Path(source))


def _model(
    name: str, source: Any, entries: Sequence[PageEntry], settings: SymbolSettings
) -> SymbolModel:
    """The model of a query that is no label."""
    if isinstance(source, SymbolModel):
        return source
    place = place_of(source)
    if place is not None:
        model: SymbolModel = _model_at(entries, place[0], place[1], settings)
        return model if name == _name(source) else replace(model, name=name)
    if is_path(source):
        model = symbol_queries.model_of_image(Path(source), settings)
        return model if name == str(source) else replace(model, name=name)
    pixels = np.asarray(source)
    if pixels.ndim not in (2, 3) or pixels.dtype != np.uint8:
        raise unusable(source, "queries", f"{EXPECTED}, (H, W) or (H, W, 3) uint8")
    ink = page_ink(pixels, settings)
    if not ink.any():
        raise BadArgument(f"the image of {name!r} has no ink; expected a dark symbol on light")
    return crop_model(name, ink, hull(runs_from_mask(ink)))


def _truths(entries: Sequence[PageEntry], truth: Any, progress: Progress) -> dict[str, Truth]:
    """The truth of the pages by their names."""
    if truth is None or (not isinstance(truth, GroundTruth) and not paths_of(truth, "truth")):
        return symbol_queries.truths_beside(entries)
    if isinstance(truth, GroundTruth):
        truth_set = truth.truth_set
    else:
        truth_set = read_truths(paths_of(truth, "truth"), progress=progress)
    matched = match_pages([entry.name for entry in entries], truth_set)
    return {page: truth_set.truths[name] for page, name in matched.items() if name is not None}


def _model_at(
    entries: Sequence[PageEntry],
    page: str,
    box: tuple[float, float, float, float],
    settings: SymbolSettings,
) -> SymbolModel:
    name = page_among(page, [entry.name for entry in entries])
    for entry in entries:
        if entry.name == name:
            left, top, right, bottom = box
            text = f"{name}:{left:g},{top:g},{right - left:g},{bottom - top:g}"
            return symbol_queries.model_in_box(entry, box, text, settings)
    raise SpotlabError(f"the page {page!r} of the query is not among the pages searched")
