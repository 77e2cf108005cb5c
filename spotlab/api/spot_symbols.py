"""Symbols spotted on pages, like models that are cropped from pages or images of symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spotlab.api.arguments import (
    ResultSummary,
    html_of,
    is_path,
    path_of,
    paths_of,
    pixels_of,
    text_of,
)
from spotlab.api.hull_of_stroke import ink_of
from spotlab.api.job import checked, job, unusable
from spotlab.api.read_run import SpottingRun
from spotlab.api.read_truth import GroundTruth
from spotlab.api.settings import SymbolSpottingSettings
from spotlab.errors import BadArgument, BadInput, SpotlabError, counted
from spotlab.files import PathLike, Paths, is_file
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.collection.page_names import pages_among
from spotlab.formats.rows.reading import Consequence, Reading
from spotlab.formats.runs import ReadRun
from spotlab.imaging.ink import ink_text
from spotlab.imaging.outlines import hull, runs_from_mask
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.model import Truth
from spotlab.model.run import place_of
from spotlab.progress import Progress, silent
from spotlab.report.figure_text import written
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.symbols.engine.method import SymbolSettings, page_ink
from spotlab.spotting.symbols.engine.page_features import SymbolModel, crop_model
from spotlab.spotting.symbols.methods import method_of
from spotlab.spotting.symbols.search import symbol_search as engine
from spotlab.spotting.symbols.search.symbol_search import SymbolSearch
from spotlab.studies.provenance import symbol_provenance
from spotlab.studies.symbols import symbol_queries
from spotlab.studies.symbols.page_learning import LearnedPages, learn_from_truth, learning_method_of
from spotlab.studies.symbols.symbol_queries import (
    MODELS,
    LearnedLessons,
    learn_from_pages,
    with_models,
    without_models,
)
from spotlab.studies.tally.truth import match_pages, read_truths

if TYPE_CHECKING:
    from pandas import DataFrame

INKS = ("even", "otsu", "sauvola", "wolf")


@dataclass(frozen=True, eq=False, repr=False)
class SymbolSpotting:
    """Symbols that were spotted; `spot_symbols` makes it.

    Attributes
    ----------
    search : SymbolSearch
        What was found, and what became of the pages.
    run : SpottingRun
        The spots; without those that are the models themselves, if that was asked for.
    models : tuple of SymbolModel
        What was searched for.
    method : str
    remarks : tuple of str
        What a person should know about the truth and the models.
    learned : LearnedPages or None
        What a method that learns has learned from.
    """

    search: SymbolSearch
    run: SpottingRun
    models: tuple[SymbolModel, ...]
    method: str
    remarks: tuple[str, ...] = ()
    learned: LearnedPages | None = None

    @property
    def counts(self) -> dict[str, tuple[int, float | None]]:
        """For each query, how many spots there are and the best score; None where there is none."""
        run = self.run.run
        counts: dict[str, tuple[int, float | None]] = dict.fromkeys(self.search.labels, (0, None))
        for number, name in enumerate(run.queries):
            start, stop = run.starts[number : number + 2].tolist()
            counts[name] = (stop - start, float(run.score[start]))
        return counts

    def frame(self) -> DataFrame:
        """A row for each spot; see `SpottingRun.frame`."""
        return self.run.frame()

    @checked
    def write(self, path: PathLike, *, progress: Progress = silent) -> Path:
        """Write the run; see `SpottingRun.write`.

        Parameters
        ----------
        path : path
            Parquet where it ends in .parquet, else CSV.
        progress : callable
            Told how far it is.

        Raises
        ------
        NotSaved
            The path cannot be written.
        """
        return self.run.write(path, progress=progress)

    def as_dict(self) -> dict[str, Any]:
        """Return what was searched, in the layout of ``spotlab spot symbols --json``."""
        search = self.search
        return {
            "method": self.method,
            "pages": search.pages,
            "finished_before": search.reused,
            "left_out": [{"page": each.page, "problem": each.problem} for each in search.left_out],
            **({"lessons": self.learned.as_dict()} if self.learned else {}),
            "queries": [
                {
                    "query": name,
                    "spots": spots,
                    "best_score": best,
                    "models": [
                        {"page": getattr(model, "page", None), "size": list(model.ink.shape[::-1])}
                        for model in self.models
                        if model.name == name
                    ],
                }
                for name, (spots, best) in self.counts.items()
            ],
        }

    @property
    def summary(self) -> ResultSummary:
        """Tell how much was found of each query."""
        rows = tuple(
            (name, f"{number:,}", written(best)) for name, (number, best) in self.counts.items()
        )
        search = self.search
        title = (
            f"Method {self.method}: {counted(len(self.run), 'spot')} on "
            f"{counted(search.pages, 'page')}"
        )
        notes = tuple(f"left out {each.page}: {each.problem}" for each in search.left_out)
        notes = (*self.remarks, *notes)
        return ResultSummary(title, ("query", "spots", "best score"), rows, notes)

    __repr__ = text_of
    _repr_html_ = html_of


@job(SymbolSpottingSettings)
def spot_symbols(chosen: SymbolSpottingSettings) -> SymbolSpotting:
    """Spot symbols that look like query models.

    Finished pages are kept in the cache: a search that was interrupted goes on from there.

    Parameters
    ----------
    chosen : SymbolSpottingSettings
        The parameters are its attributes.

    Returns
    -------
    SymbolSpotting
        Without spots where nothing looks like a query.

    Raises
    ------
    SpotlabError
        There is no such method or label, no page can be read, or the cache is not writable.

    References
    ----------
    M. Rusiñol and J. Lladós, "A performance evaluation protocol for symbol spotting systems in
    terms of recognition and location indices", IJDAR 12(2), 2009, §5, for methods a to d.

    Examples
    --------
    >>> import tempfile
    >>> from spotlab.resources import sample_collection
    >>> page = sample_collection() / "plan_001.png"
    >>> with tempfile.TemporaryDirectory() as cache:
    ...     found = spot_symbols(page, "toilet", method="b", cache=cache)
    >>> list(found.counts)
    ['toilet']
    """
    method_of(chosen.method)
    own_ink = ink_of(chosen, paths_of(chosen.pages, "pages"))
    settings = SymbolSettings(own_ink, chosen.mend)
    entries = page_entries(paths_of(chosen.pages, "pages"))
    learned: LearnedLessons | LearnedPages | None = None
    asked: Sequence[SymbolModel]
    told: list[str] = []
    if learning_method_of(chosen.method) is not None:
        learned, asked = _learned_pages(entries, chosen, settings, told)
    elif chosen.lessons is None:
        asked = _query_models(entries, chosen, settings, told)
    else:
        learned = _learned_lessons(chosen.lessons, chosen, settings, told)
        asked = learned.models
    search = engine.search_symbols(
        entries,
        asked,
        chosen.method,
        settings,
        cache=path_of(chosen.cache),
        jobs=chosen.jobs,
        cluster=chosen.cluster,
        max_spots=chosen.max_spots,
        min_score=chosen.min_score,
        lessons=learned.lessons if learned else None,
        progress=chosen.progress,
    )
    run = with_models(search.run, asked)
    if chosen.leave_out_models:
        run = without_models(run, asked)
    made_with: dict[str, object] = {}
    if isinstance(learned, LearnedPages):
        made_with = dict(learned.provenance)
    else:
        made_with = {
            "models_per_label": chosen.models_per_label or (1 if learned is None else MODELS)
        }
        if chosen.lessons:
            made_with["lessons"] = [path.name for path in paths_of(chosen.lessons, "lessons")]
    made = symbol_provenance(
        method_of(chosen.method).name,
        asked,
        entries,
        learned.lessons.labels if isinstance(learned, LearnedPages) else (),
        ink="even" if own_ink is None else ink_text(own_ink),
        mend=chosen.mend,
        seed=chosen.seed,
        leave_out_models=chosen.leave_out_models,
        max_spots=chosen.max_spots,
        min_score=chosen.min_score,
        **made_with,
    )
    read = ReadRun(replace(run, provenance=made))
    remarks = (*told, *(learned.remarks if learned else ()))
    return SymbolSpotting(
        search, SpottingRun(read), tuple(asked), method_of(chosen.method).name, remarks,
        learned if isinstance(learned, LearnedPages) else None,
    )  # fmt: skip


EXPECTED = (
    "a label, PAGE:x,y,width,height, (page, (x, y, width, height)), an image of a symbol, or "
    "several of these, or a mapping of names to images"
)


def _query_models(
    entries: Sequence[PageEntry],
    chosen: SymbolSpottingSettings,
    settings: SymbolSettings,
    told: list[str],
) -> list[SymbolModel]:
    """A model or several of each query, in the order given; those of the folder last."""
    wanted = _named(chosen.queries)
    labels = _labels(wanted)
    cropped_models: dict[str, list[SymbolModel]] = {}
    if labels or not (wanted or chosen.models):
        truths = _truths(entries, chosen, told)
        if not truths:
            raise BadArgument(
                "there is no truth of these pages to crop models from; expected `truth`, `models`, "
                "or a `query` that is an image or PAGE:x,y,width,height"
            )
        each = chosen.models_per_label or 1
        for model in symbol_queries.crop_models(
            entries, labels or None, each, chosen.seed, settings,
            truths=truths, progress=chosen.progress,
        ):  # fmt: skip
            cropped_models.setdefault(model.name, []).append(model)
    found: list[SymbolModel] = []
    for name, source in wanted.items() if wanted else [(name, name) for name in cropped_models]:
        if name in cropped_models:
            found += cropped_models[name]
        else:
            found.append(_model(name, source, entries, settings))
    return found + _models_in_folder(chosen, settings)


def _learned_lessons(
    lessons: Paths, chosen: SymbolSpottingSettings, settings: SymbolSettings, told: list[str]
) -> LearnedLessons:
    """Learn from labelled pages what to search for, and how."""
    for name in ("models", "seed"):
        if getattr(chosen, name) is not None:
            raise BadArgument(
                f"`{name}` cannot be used with `lessons`, whose regions are the models"
            )
    wanted = _named(chosen.queries)
    for name, source in wanted.items():
        if not _is_label(source):
            raise BadArgument(f"the query {name!r} is no label; with `lessons` only labels can be")
    entries = page_entries(paths_of(lessons, "lessons"))
    return learn_from_pages(
        entries, _truths(entries, chosen, told), list(wanted) or None, chosen.method,
        chosen.models_per_label, settings, path_of(chosen.cache), chosen.progress,
    )  # fmt: skip


def _learned_pages(
    entries: Sequence[PageEntry],
    chosen: SymbolSpottingSettings,
    settings: SymbolSettings,
    told: list[str],
) -> tuple[LearnedPages, list[SymbolModel]]:
    """Learn from labelled pages, for a method that does; the models are further examples."""
    for name in ("models_per_label", "seed"):
        if getattr(chosen, name) is not None:
            raise BadArgument(
                f"`{name}` cannot be used: method {chosen.method} learns from all regions"
            )
    wanted = _named(chosen.queries)
    labels = _labels(wanted)
    models = [
        _model(name, source, entries, settings)
        for name, source in wanted.items()
        if name not in labels
    ]
    models += _models_in_folder(chosen, settings)
    lessons = paths_of(chosen.lessons, "lessons")
    known = entries if chosen.lessons is None else page_entries(lessons)
    learned = learn_from_truth(
        known, _truths(known, chosen, told), entries, chosen.method,
        models=models,
        labels=[*labels, *(model.name for model in models)] if wanted else None,
        settings=settings, cache=path_of(chosen.cache), jobs=chosen.jobs, cluster=chosen.cluster,
        progress=chosen.progress,
    )  # fmt: skip
    return learned, models


def _models_in_folder(
    chosen: SymbolSpottingSettings, settings: SymbolSettings
) -> list[SymbolModel]:
    if not chosen.models:
        return []
    return symbol_queries.models_of_images(Path(chosen.models), settings)


def _labels(wanted: Mapping[str, Any]) -> list[str]:
    """The queries that are labels.

    Raises
    ------
    BadInput
        One is the name of an image that is not there.
    """
    labels = [name for name, source in wanted.items() if _is_label(source)]
    for text in labels:
        if Path(text).suffix.lower() in IMAGE_SUFFIXES:
            raise BadInput(text, "there is no such image")
    return labels


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
    pixels = np.asarray(pixels_of(source))
    if pixels.ndim not in (2, 3) or pixels.dtype != np.uint8:
        raise unusable(source, "queries", f"{EXPECTED}, (H, W) or (H, W, 3) uint8")
    ink = page_ink(pixels, settings)
    if not ink.any():
        raise BadArgument(f"the image of {name!r} has no ink; expected a dark symbol on light")
    return crop_model(name, ink, hull(runs_from_mask(ink)))


def _truths(
    entries: Sequence[PageEntry], chosen: SymbolSpottingSettings, told: list[str]
) -> dict[str, Truth]:
    """The truth of the pages by their names; remarks on the files join those that are told."""
    if isinstance(chosen.truth, GroundTruth):
        truth_set = chosen.truth.truth_set
    elif not (paths := paths_of(chosen.truth, "truth")):
        reading = Reading(strict=chosen.strict)
        truths = symbol_queries.truths_beside(entries, reading)
        kinds = Consequence.LEFT_OUT, Consequence.REMARK
        told += map(str, reading.findings.of(kinds))
        return truths
    else:
        truth_set = read_truths(paths, strict=chosen.strict, progress=chosen.progress)
    told += truth_set.remarks
    matched = match_pages([entry.name for entry in entries], truth_set)
    return {page: truth_set.truths[name] for page, name in matched.items() if name is not None}


def _model_at(
    entries: Sequence[PageEntry],
    page: str,
    box: tuple[float, float, float, float],
    settings: SymbolSettings,
) -> SymbolModel:
    name = pages_among([page], [entry.name for entry in entries])[0]
    for entry in entries:
        if entry.name == name:
            left, top, right, bottom = box
            text = f"{name}:{left:g},{top:g},{right - left:g},{bottom - top:g}"
            return symbol_queries.model_in_box(entry, box, text, settings)
    raise SpotlabError(f"the page {page!r} of the query is not among the pages searched")
