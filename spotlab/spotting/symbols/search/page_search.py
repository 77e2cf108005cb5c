"""Searches a single page; goes to other processes and machines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings
from spotlab.spotting.symbols.engine.learning_method import LearnedSymbols, LearningMethod
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures, QuerySpots
from spotlab.spotting.symbols.lessons.lessons import Lessons
from spotlab.spotting.symbols.methods import method_of
from spotlab.spotting.symbols.search.index import load_features
from spotlab.spotting.symbols.search.learning_file import prepare_page
from spotlab.spotting.symbols.search.spot_merging import spot_labels
from spotlab.spotting.symbols.search.spots_file import spotting_version, write_spots

Asked = list[QueryFeatures] | Lessons | LearnedSymbols


@dataclass(frozen=True, eq=False)
class Search:
    """What pages are searched for, and how; the same for all pages.

    Attributes
    ----------
    settings : SymbolSettings
    method : str
    labels : tuple of str
        What is searched.
    asked : tuple of Asked
        Query models, or what was learned.
    version : str
        The version that a worker elsewhere has to have, too.
    """

    settings: SymbolSettings
    method: str
    labels: tuple[str, ...]
    asked: tuple[Asked, ...]
    version: str


@dataclass(frozen=True, eq=False)
class PageSearch:
    """A page to search.

    Attributes
    ----------
    entry : PageEntry
    file : Path or BadInput
        The page's features; why it cannot be read.
    kept : Path
        Keeps the page's spots.
    asked : int
        The place in `Search.asked` of what it is searched with.
    """

    entry: PageEntry
    file: Path | BadInput
    kept: Path
    asked: int = 0


def search_page(work: PageSearch, search: Search) -> list[QuerySpots] | str:
    """Find the spots of each label on a page, and keep them.

    Parameters
    ----------
    work : PageSearch
    search : Search

    Returns
    -------
    list of QuerySpots, or str
        In the order of the labels; why the page cannot be read.

    Raises
    ------
    SpotlabError
        A worker of a cluster has another version.
    NotSaved
        The spots cannot be kept.
    """
    if search.version not in {"", spotting_version()}:
        raise SpotlabError(
            "a worker of the cluster has another spotlab, numpy or OpenCV and may find other things"
        )
    try:
        page = load_features(work.entry, search.settings, work.file)
    except BadInput as error:
        return error.problem
    spots = _spots_on(page, work, search)
    write_spots(spots, work.kept)
    return spots


def _spots_on(page: PageFeatures, work: PageSearch, search: Search) -> list[QuerySpots]:
    asked, method = search.asked[work.asked], method_of(search.method)
    if isinstance(asked, LearnedSymbols):
        if isinstance(method, LearningMethod) and isinstance(work.file, Path):
            prepare_page(page, method, work.file)
        found = asked.spot(page)
        return [found.get(label, QuerySpots.none()) for label in search.labels]
    assert isinstance(method, SpottingMethod)
    if isinstance(asked, Lessons):
        return [*asked.spot(method, page).values()]
    return [*spot_labels(method, page, asked).values()]
