"""Searches a single page; goes to other processes and machines."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.truth.folder import PageEntry
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings
from spotlab.spotting.symbols.engine.learning_method import LearnedSymbols, LearningMethod
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.engine.page_features import QueryFeatures, QuerySpots
from spotlab.spotting.symbols.lessons.lessons import Lessons
from spotlab.spotting.symbols.methods import method_of
from spotlab.spotting.symbols.search.index import load_features
from spotlab.spotting.symbols.search.learning_file import prepare_page
from spotlab.spotting.symbols.search.spot_merging import spot_labels
from spotlab.spotting.symbols.search.spots_file import spotting_version

Asked = list[QueryFeatures] | Lessons | LearnedSymbols


@dataclass(frozen=True, eq=False)
class PageSearch:
    """A page to search.

    Attributes
    ----------
    entry : PageEntry
    settings : SymbolSettings
    file : Path or BadInput
        The page's features; why it cannot be read.
    method : str
    labels : tuple of str
        What is searched.
    asked : bytes
        Query models, or what was learned; pickled, so that a process unpacks it, and caches what
        methods make of it, once.
    version : str
        The version that a worker elsewhere has to have, too.
    """

    entry: PageEntry
    settings: SymbolSettings
    file: Path | BadInput
    method: str
    labels: tuple[str, ...]
    asked: bytes
    version: str


def search_page(work: PageSearch) -> list[QuerySpots] | str:
    """Find the spots of each label on a page.

    Parameters
    ----------
    work : PageSearch

    Returns
    -------
    list of QuerySpots, or str
        In the order of the labels; why the page cannot be read.

    Raises
    ------
    SpotlabError
        A worker of a cluster has another version.
    """
    if work.version not in {"", spotting_version()}:
        raise SpotlabError(
            "a worker of the cluster has another spotlab, numpy or OpenCV and may find other things"
        )
    try:
        page = load_features(work.entry, work.settings, work.file)
    except BadInput as error:
        return error.problem
    asked, method = _unpacked(work.asked), method_of(work.method)
    if isinstance(asked, LearnedSymbols):
        if isinstance(method, LearningMethod) and isinstance(work.file, Path):
            prepare_page(page, method, work.file)
        found = asked.spot(page)
        return [found.get(label, QuerySpots.none()) for label in work.labels]
    assert isinstance(method, SpottingMethod)
    if isinstance(asked, Lessons):
        return [*asked.spot(method, page).values()]
    return [*spot_labels(method, page, asked).values()]


@lru_cache(maxsize=1)
def _unpacked(asked: bytes) -> Asked:
    unpacked: Asked = pickle.loads(asked)
    return unpacked
