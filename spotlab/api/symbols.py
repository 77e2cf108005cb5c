"""Symbols spotted on pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spotlab.api.arguments import PathLike, Paths, check_choice, paths_of
from spotlab.api.query_models import (
    SymbolQueries,
    learned_lessons,
    learned_pages,
    query_models,
)
from spotlab.api.runs import SpottingRun
from spotlab.api.summary import Summary, html_of, text_of
from spotlab.api.truth import GroundTruth
from spotlab.errors import counted
from spotlab.formats.runs import ReadRun
from spotlab.imaging.ink import InkSettings, ink_text
from spotlab.progress import Progress, silent
from spotlab.report.figure_text import written
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings, named_ink_settings
from spotlab.spotting.symbols.engine.query_model import SymbolModel
from spotlab.spotting.symbols.methods import method_of
from spotlab.spotting.symbols.search import symbol_search as engine
from spotlab.spotting.symbols.search.symbol_search import BEST_METHOD, SymbolSearch
from spotlab.studies.run_provenance import symbol_provenance
from spotlab.studies.symbols.page_learning import LearnedPages, learning_method_of
from spotlab.studies.symbols.symbol_lessons import MODELS, LearnedLessons
from spotlab.studies.symbols.symbol_queries import with_models, without_models

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
        What a person should know about the models.
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
        """What was searched, in the layout of ``spotlab spot symbols --json``."""
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
    def summary(self) -> Summary:
        """How much was found of each query."""
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
        return Summary(title, ("query", "spots", "best score"), rows, notes)

    __repr__ = text_of
    _repr_html_ = html_of


def spot_symbols(
    pages: Paths,
    queries: SymbolQueries | None = None,
    *,
    models: PathLike | None = None,
    lessons: Paths | None = None,
    truth: GroundTruth | Paths | None = None,
    method: str = BEST_METHOD,
    models_per_label: int | None = None,
    seed: int | None = None,
    leave_out_models: bool = False,
    max_spots: int | None = None,
    min_score: float | None = None,
    ink: str | InkSettings = "even",
    mend: bool = True,
    cache: PathLike | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> SymbolSpotting:
    """Spot symbols that look like query models.

    Finished pages are kept in the cache: a search that was interrupted goes on from there.

    Parameters
    ----------
    pages : path or sequence of path
        Images, or folders of them.
    queries : str, path, (page, (x, y, width, height)), mapping, or several of these, optional
        A label, whose model is cropped from the pages; PAGE:x,y,width,height or a pair (px); an
        image file of a symbol; or a mapping of names to these or to (H, W) uint8 arrays. By default
        every label of the truth. For method "f" images and places are further examples.
    models : path, optional
        Folder with an image for each query, which is called like the file.
    lessons : path or sequence of path, optional
        Labelled pages, images or folders, that need not be among the pages. All of their regions
        are models together, and scores are probabilities that are calibrated on these pages, so
        that every symbol there has to be labelled. ``queries`` may then only be labels. Method "f"
        learns from them; by default from all labelled pages among those searched, where each is
        left out of what it is searched with.
    truth : GroundTruth, path or sequence of path, optional
        Where symbols are, from which models are cropped; by default what lies beside the pages.
    method : str
        "a" to "d", the paper's; "e", alignment; "f", learned from all labelled regions; or the name
        of an entry point's.
    models_per_label : int, optional
        How many models of a label are cropped, at most; 1 by default, 20 with lessons. Not for
        method "f", which learns from all.
    seed : int, optional
        Draws the models of a label; by default those of the median size are taken.
    leave_out_models : bool
        Leave out the spots that are the models themselves; without that, the run says where the
        models are, and `evaluate` ignores them.
    max_spots : int, optional
        Keep at most this many spots per query.
    min_score : float, optional
        Leave out spots with a lower score; by default the method's own threshold, or a probability
        of 0.3 with lessons.
    ink : "even", "otsu", "sauvola", "wolf" or InkSettings
        How ink is told from paper, and what is removed from it.
    mend : bool
        Bridge broken strokes and take walls away.
    cache : path, optional
        Folder that keeps what is finished; in the user's cache by default.
    jobs : int
        Number of worker processes; 0 means one per CPU core.
    cluster : str, optional
        Address of a Dask scheduler whose workers do it instead.
    progress : callable
        Told how far it is.

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
    if isinstance(ink, str):
        check_choice(ink, "ink", INKS)
    method_of(method)
    own_ink = named_ink_settings(ink) if isinstance(ink, str) else ink
    settings = SymbolSettings(own_ink, mend)
    entries = page_entries(paths_of(pages, "pages"))
    folder = None if cache is None else Path(cache)
    learned: LearnedLessons | LearnedPages | None = None
    asked: Sequence[SymbolModel]
    if learning_method_of(method) is not None:
        learned, asked = learned_pages(
            entries, lessons, queries, models, truth, method, models_per_label, seed, settings,
            folder, jobs, cluster, progress,
        )  # fmt: skip
    elif lessons is None:
        asked = query_models(
            entries, queries, models, truth, models_per_label or 1, seed, settings, progress
        )
    else:
        learned = learned_lessons(
            lessons, queries, models, truth, method, models_per_label, seed, settings, folder,
            progress,
        )  # fmt: skip
        asked = learned.models
    search = engine.search_symbols(
        entries,
        asked,
        method,
        settings,
        cache=folder,
        jobs=jobs,
        cluster=cluster,
        max_spots=max_spots,
        min_score=min_score,
        lessons=learned.lessons if learned else None,
        progress=progress,
    )
    run = with_models(search.run, asked)
    if leave_out_models:
        run = without_models(run, asked)
    made_with: dict[str, object] = {}
    if isinstance(learned, LearnedPages):
        made_with = dict(learned.provenance)
    else:
        made_with = {"models_per_label": models_per_label or (1 if learned is None else MODELS)}
        if lessons:
            made_with["lessons"] = [path.name for path in paths_of(lessons, "lessons")]
    made = symbol_provenance(
        method_of(method).name,
        asked,
        entries,
        learned.lessons.labels if isinstance(learned, LearnedPages) else (),
        ink=ink if isinstance(ink, str) else ink_text(ink),
        mend=mend,
        seed=seed,
        leave_out_models=leave_out_models,
        max_spots=max_spots,
        min_score=min_score,
        **made_with,
    )
    read = ReadRun(replace(run, provenance=made))
    remarks = learned.remarks if learned else ()
    return SymbolSpotting(
        search, SpottingRun(read), tuple(asked), method_of(method).name, remarks,
        learned if isinstance(learned, LearnedPages) else None,
    )  # fmt: skip
