"""Spots symbols on all pages of a collection: page by page, on this machine or on a cluster."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import spotlab
from spotlab.compute import each_done
from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.store import code_digest, key_of, keyed_file, read_arrays, write_arrays
from spotlab.geometry.polygon import Outlines, has_form, pair_boxes
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.spotting.page_entries import (
    UnreadablePage,
    page_entries,
    readable_pages,
    with_absolute_path,
)
from spotlab.spotting.symbols.engine.method import (
    LearnedSymbols,
    LearningMethod,
    SpottingMethod,
    SymbolMethod,
    SymbolSettings,
    features_of_model,
)
from spotlab.spotting.symbols.engine.page_features import (
    PageFeatures,
    QueryFeatures,
    QuerySpots,
    SymbolModel,
)
from spotlab.spotting.symbols.lessons.lessons import LIKELY, Lessons
from spotlab.spotting.symbols.methods import method_of
from spotlab.spotting.symbols.search.index import (
    default_cache,
    extraction_version,
    load_features,
    page_files,
    prepare_page,
)

_MAGIC = b"spotlab spots 1\n"


@cache
def spotting_version() -> str:
    """Digest that changes with everything that decides which spots are found on a page."""
    own = Path(__file__).parents[1]
    return key_of(spotlab.__version__, code_digest(sorted(own.rglob("*.py"))), extraction_version())


def models_key(models: Sequence[SymbolModel], method: str) -> str:
    """Digest of a search: of these models in this order, by this method.

    Parameters
    ----------
    models : sequence of SymbolModel
    method : str
        Its name.

    Examples
    --------
    >>> bar = SymbolModel("bar", np.ones((3, 9), bool), np.array([(0, 0), (9, 0), (9, 3)]))
    >>> models_key([bar], "a") == models_key([bar], "b")
    False
    """
    digest = hashlib.sha256()
    for model in models:
        for part in (
            model.name.encode("utf-8", "surrogatepass"),
            repr(model.ink.shape).encode(),
            np.packbits(model.ink).tobytes(),
            np.asarray(model.outline, np.float64).tobytes(),
        ):
            digest.update(f"{len(part)} ".encode() + part)
    return key_of(digest.hexdigest(), method, spotting_version())


def write_spots(spots: Sequence[QuerySpots], path: Path) -> None:
    """Write the spots of each label; where that fails, leave what was there.

    Parameters
    ----------
    spots : sequence of QuerySpots
        One for each label, with scores of shape (N,).
    path : Path

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_spots([QuerySpots.none()], Path(folder, "page.spots"))
    ...     print([len(spots) for spots in read_spots(Path(folder, "page.spots"), labels=1)])
    [0]
    """
    together = QuerySpots.concatenated(spots)
    arrays = {
        "counts": np.array([len(part) for part in spots], np.int64),
        "points": together.outlines.points,
        "offsets": together.outlines.offsets,
        "scores": together.scores,
    }
    write_arrays(arrays, path, _MAGIC)


def read_spots(path: Path, labels: int) -> list[QuerySpots] | None:
    """Read the spots of each label.

    Parameters
    ----------
    path : Path
    labels : int
        Number of labels that the file has to have.

    Returns
    -------
    list of QuerySpots or None
        With scores of shape (N,); None where there is no file, or it is damaged.

    Examples
    --------
    >>> read_spots(Path("missing.spots"), labels=3) is None
    True
    """
    arrays = read_arrays(path, _MAGIC)
    if arrays is None or arrays.keys() != {"counts", "points", "offsets", "scores"}:
        return None
    outlines, scores = Outlines(arrays["points"], arrays["offsets"]), arrays["scores"]
    counts = arrays["counts"]
    if not outlines.is_sound() or not has_form(counts, np.int64, None):
        return None
    if not has_form(scores, np.float64, None) or not (counts >= 0).all():
        return None
    ends = np.cumsum(counts)
    if len(ends) != labels or len(outlines) != len(scores) or ends[-1:].sum() != len(scores):
        return None
    parts = np.split(np.arange(len(scores)), ends[:-1])
    return [QuerySpots(outlines.take(part), scores[part]) for part in parts]


SAME = 0.5  # intersection over union of two bounding boxes from which they are one place


def spot_labels(
    method: SpottingMethod, page: PageFeatures, queries: Iterable[QueryFeatures]
) -> dict[str, QuerySpots]:
    """Find the spots of each label on a page.

    Parameters
    ----------
    method : SpottingMethod
    page : PageFeatures
    queries : iterable of QueryFeatures
        Queries of one name are several models of one label.

    Returns
    -------
    dict of str to QuerySpots
        Labels in the order in which they come first; scores of shape (N,), falling.
    """
    spots: dict[str, list[QuerySpots]] = {}
    for query in queries:
        spots.setdefault(query.name, []).append(method.spot(page, query))
    return {label: merge_spots(lists) for label, lists in spots.items()}


def merge_spots(lists: Sequence[QuerySpots], same: float = SAME) -> QuerySpots:
    """Merge lists of spots; of several at one place the best stays.

    From the best score down, a spot is kept unless it lies on one that is. Equal scores keep their
    order; a single list is left as it is.

    Parameters
    ----------
    lists : sequence of QuerySpots
        Scores of shape (N,) each.
    same : float
        Intersection over union of two bounding boxes, in [0, 1], from which they are one place.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> def spot(left, score):
    ...     square = [(left, 0), (left + 10, 0), (left + 10, 10), (left, 10)]
    ...     return QuerySpots(Outlines.of([square]), np.array([score]))
    >>> merge_spots([spot(0, 0.5), spot(1, 0.75), spot(30, 0.25)]).scores.tolist()
    [0.75, 0.25]
    """
    if len(lists) == 1:
        return lists[0]
    spots = QuerySpots.concatenated(lists)
    order = np.argsort(-spots.scores, kind="stable")
    outlines = spots.outlines.take(order)
    pairs = pair_boxes(outlines.bounds, outlines.bounds)
    overlap = (pairs.iou >= same) & (pairs.first < pairs.second)
    is_kept = np.ones(len(order), np.bool_)
    for better, worse in zip(
        pairs.first[overlap].tolist(), pairs.second[overlap].tolist(), strict=True
    ):
        if is_kept[better]:
            is_kept[worse] = False
    kept = np.flatnonzero(is_kept)
    return QuerySpots(outlines.take(kept), spots.scores[order[kept]])


Asked = list[QueryFeatures] | Lessons | LearnedSymbols


@dataclass(frozen=True, eq=False)
class Search:
    """Targets and settings of a search, the same for all pages.

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


@dataclass(frozen=True, eq=False)
class PageLessons:
    """Knowledge that a method has learned, from all labelled pages and with some pages left out.

    Attributes
    ----------
    labels : tuple of str
        Those that are searched.
    learned : tuple of LearnedSymbols
        What was learned from different pages.
    of_page : mapping of str to int
        By page name, which of them a page is searched with: one that has not learned from it. The
        other pages are searched with the first.
    """

    labels: tuple[str, ...]
    learned: tuple[LearnedSymbols, ...]
    of_page: Mapping[str, int]

    def number_of(self, page: str) -> int:
        """Tell which of the learned a page is searched with.

        Parameters
        ----------
        page : str
            Its name.

        Examples
        --------
        >>> lessons = PageLessons(("bed",), (), {"plan_2": 1})
        >>> lessons.number_of("plan_1"), lessons.number_of("plan_2")
        (0, 1)
        """
        return self.of_page.get(page, 0)

    def digest_of(self, page: str) -> str:
        """Digest of all that decides what is found on a page, for the names of files.

        Parameters
        ----------
        page : str
            Its name.

        Examples
        --------
        >>> from spotlab.spotting.symbols.engine.method import NothingLearned
        >>> PageLessons(("bed",), (NothingLearned(),), {}).digest_of("plan_1")
        ''
        """
        return self.learned[self.number_of(page)].digest


BEST_METHOD = "e"  # the method that finds most
PLACES, DIGITS = 1, 6  # after the point, of px and of scores


@dataclass(frozen=True, eq=False)
class SymbolSearch:
    """The run of a search, and what became of the pages.

    Attributes
    ----------
    run : Run
    labels : tuple of str
        All labels that were searched, also those without spots.
    pages : int
        Number of pages searched.
    left_out : tuple of UnreadablePage
        Pages that could not be read.
    reused : int
        Number of pages that an earlier search had finished.
    """

    run: Run
    labels: tuple[str, ...]
    pages: int
    left_out: tuple[UnreadablePage, ...]
    reused: int

    __repr__ = short_repr


def search_symbols(
    pages: Sequence[Path | PageEntry],
    models: Sequence[SymbolModel],
    method: str = BEST_METHOD,
    settings: SymbolSettings | None = None,
    *,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    max_spots: int | None = None,
    min_score: float | None = None,
    lessons: Lessons | PageLessons | None = None,
    progress: Progress = silent,
) -> SymbolSearch:
    """Search all pages for all models.

    The spots of a page are kept in a file as soon as they are found, so that a search that was
    cancelled or killed goes on with the pages that it had not finished. The same pages, models and
    settings make the same run, wherever and in whatever order the pages are searched.

    Parameters
    ----------
    pages : sequence of Path or PageEntry
        Images, folders of images, or pages of files.
    models : sequence of SymbolModel
        Models of one name are of one label: at each place the best spot of them counts.
    method : str
        Name of one of `spotlab.spotting.symbols.methods.methods`.
    settings : SymbolSettings, optional
        How features are extracted from pages and models.
    cache : Path, optional
        Folder for the files; by default the user's cache.
    jobs, cluster
        As in `spotlab.compute.executor`.
    max_spots : int, optional
        Keep at most this many spots per query, the best; all by default.
    min_score : float, optional
        Leave out spots with a lower score, from 0 to 1; by default the method's `min_score`, or
        `LIKELY` with lessons for query models.
    lessons : Lessons or PageLessons, optional
        What was learned from pages that are labelled, for a method that compares pages with models,
        or for one that learns: its labels are searched instead, and scores are probabilities.
    progress : Progress
        Called after each page.

    Raises
    ------
    SpotlabError
        There is no such method, no model or no page; a worker has ended before its time.
    BadInput
        No page can be read, or two have the same name.
    NotSaved
        The folder for the files is not writable.
    Cancelled
        From ``progress``; the pages finished so far are kept.
    """
    settings = settings or SymbolSettings()
    chosen = method_of(method)
    if isinstance(chosen, LearningMethod) != isinstance(lessons, PageLessons):
        raise SpotlabError(
            f"method {method!r} was given lessons of another kind of method, or none"
        )
    if not models and lessons is None:
        raise SpotlabError("there is nothing to search for: no query model")
    labels = lessons.labels if lessons else tuple(dict.fromkeys(model.name for model in models))
    entries = page_entries(pages)
    job = _Job(entries, models, chosen, settings, cache or default_cache(), labels, lessons)
    outcomes, reused = job.finished(jobs, cluster, progress)
    problems = [outcome if isinstance(outcome, str) else "" for outcome in outcomes]
    _, left_out = readable_pages(entries, problems)
    spots = [
        (entry.name, outcome)
        for entry, outcome in zip(entries, outcomes, strict=True)
        if not isinstance(outcome, str)
    ]
    default = LIKELY if isinstance(lessons, Lessons) else chosen.min_score
    least = default if min_score is None else min_score
    run = run_of(f"symbols_{method}", labels, spots, max_spots, least)
    return SymbolSearch(run, labels, len(spots), left_out, reused)


@dataclass(frozen=True, eq=False)
class _Job:
    """All pages, what is searched there, and the folder that keeps the spots."""

    entries: Sequence[PageEntry]
    models: Sequence[SymbolModel]
    method: SymbolMethod
    settings: SymbolSettings
    folder: Path
    labels: tuple[str, ...]
    lessons: Lessons | PageLessons | None = None

    def finished(
        self, jobs: int, cluster: str | None, progress: Progress
    ) -> tuple[list[list[QuerySpots] | str], int]:
        """Each page's spots, or why it cannot be read; how many pages were finished before."""
        files = page_files(self.entries, self.settings, self.folder)
        asked = models_key(self.models, self.method.name)
        keys = [
            key_of(asked, *self._lessons_key(entry), file.stem) if isinstance(file, Path) else ""
            for entry, file in zip(self.entries, files, strict=True)
        ]
        kept = [keyed_file(self.folder, key, ".spots") for key in keys]
        known = [
            read_spots(file, len(self.labels)) if key else None
            for file, key in zip(kept, keys, strict=True)
        ]
        outcomes: dict[int, list[QuerySpots] | str] = {
            number: spots for number, spots in enumerate(known) if spots is not None
        }
        reused = len(outcomes)
        missing = [number for number in range(len(files)) if number not in outcomes]

        def tell(done: int, _total: int | None, doing: str) -> None:
            progress(reused + done, len(files), doing)

        works = [
            self._work(self.entries[number], files[number], kept[number]) for number in missing
        ]
        common = (self._search(cluster),) if works else ()
        for place, outcome in each_done(
            search_page, works, jobs, cluster, tell, "spotting symbols", common=common
        ):
            outcomes[missing[place]] = outcome
        return [outcomes[number] for number in range(len(files))], reused

    def _lessons_key(self, entry: PageEntry) -> tuple[str, ...]:
        if self.lessons is None:
            return ()
        if isinstance(self.lessons, Lessons):
            return (self.lessons.digest,)
        return (*self.labels, self.lessons.digest_of(entry.name))

    def _work(self, entry: PageEntry, file: Path | BadInput, kept: Path) -> PageSearch:
        lessons = self.lessons
        asked = lessons.number_of(entry.name) if isinstance(lessons, PageLessons) else 0
        return PageSearch(with_absolute_path(entry), file, kept, asked)

    def _search(self, cluster: str | None) -> Search:
        version = "" if cluster is None else spotting_version()
        return Search(self.settings, self.method.name, self.labels, self._asked(), version)

    def _asked(self) -> tuple[Asked, ...]:
        """Return what pages are searched with."""
        if isinstance(self.lessons, PageLessons):
            return tuple(self.lessons.learned)
        if self.lessons is not None:
            return (self.lessons,)
        assert isinstance(self.method, SpottingMethod)
        mend = self.settings.mend
        return ([features_of_model(model, [self.method], mend) for model in self.models],)


def run_of(
    name: str,
    labels: Sequence[str],
    pages: Sequence[tuple[str, Sequence[QuerySpots]]],
    max_spots: int | None = None,
    min_score: float = 0.0,
) -> Run:
    """Make a run of the spots of pages.

    Parameters
    ----------
    name : str
        Of the run.
    labels : sequence of str
    pages : sequence of (str, sequence of QuerySpots)
        Each page's name, and the spots of each label there, with scores of shape (N,).
    max_spots : int, optional
        Keep at most this many spots per label, the best; of equals those of the first page.
    min_score : float
        Spots with a lower score, from 0 to 1, are left out.

    Returns
    -------
    Run
        Outlines are rounded to tenths of a px, scores to six digits.

    Examples
    --------
    >>> ring = [(0, 0), (9, 0), (9, 9)]
    >>> spots = QuerySpots(Outlines.of([ring, ring]), np.array([0.9, 0.3]))
    >>> run_of("mine", ["bed"], [("page", [spots])], min_score=0.5).score.tolist()
    [0.9]
    """
    parts = [
        (label, page, _above(spots, min_score))
        for page, lists in pages
        for label, spots in zip(labels, lists, strict=True)
    ]
    together = QuerySpots.concatenated([spots for _, _, spots in parts])
    # files stay small, and the same on machines whose last digits differ
    outlines = Outlines(np.round(together.outlines.points, PLACES), together.outlines.offsets)
    queries = [label for label, _, spots in parts for _ in range(len(spots))]
    on_pages = [page for _, page, spots in parts for _ in range(len(spots))]
    score = np.round(together.scores, DIGITS)
    if max_spots is not None:
        kept = _best(queries, score, max_spots)
        outlines = outlines.take(kept)
        queries, on_pages = [queries[n] for n in kept], [on_pages[n] for n in kept]
        score = score[kept]
    return Run.ordered(name, queries, on_pages, outlines, score=score, labels=queries)


def _above(spots: QuerySpots, min_score: float) -> QuerySpots:
    kept = int(np.count_nonzero(spots.scores >= min_score))  # scores fall
    return QuerySpots(spots.outlines.take(np.arange(kept)), spots.scores[:kept])


def _best(queries: Sequence[str], score: NDArray[np.float64], max_spots: int) -> list[int]:
    """The numbers of each query's best spots, rising; of equals the first."""
    left = dict.fromkeys(queries, max_spots)
    kept = []
    for number in np.argsort(-score, kind="stable").tolist():
        if left[queries[number]] > 0:
            left[queries[number]] -= 1
            kept.append(number)
    return sorted(kept)
