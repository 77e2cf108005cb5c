"""Tallies of runs against truth, page by page; `spotlab.measures.tally` says what a tally is.

A page's part needs its spots and its truth only, so that any process can make it. What of spots and
of truth lies off the page is cut off before anything is measured: A(R) is that of R ∩ page
everywhere. The page's size is the one that its truth file gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.compute import each_done, each_in_threads
from spotlab.geometry import coverage
from spotlab.geometry.coverage import Engine
from spotlab.geometry.polygon import Outlines
from spotlab.measures.area import ratio
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.tally import KINDS, PageIgnored, PageTally, Tally
from spotlab.model.region import Ignore, Primitive, Region
from spotlab.model.run import QueryModel, Run, Truth
from spotlab.progress import Progress, silent
from spotlab.studies.tally.outlines import EVERY, IgnoredOutlines, ignored_areas, measured_outlines
from spotlab.studies.tally.truth import TruthSet, changed_truths, pages_of_truths


@dataclass(frozen=True, eq=False)
class TallyWork:
    """One page's part, without the rest of the run, to be handed to another process."""

    page: str
    size: tuple[int, int]
    spot: Ints
    outlines: Outlines
    query: Ints
    region_id: tuple[str, ...]
    region_label: tuple[str, ...]
    region_query: Ints  # the place among the run's queries or, for other labels, after them
    region_ignore: NDArray[np.int8]  # the place of each region's `Ignore` in `KINDS`
    regions: Outlines
    primitive: Primitive | None
    engine: Engine


class RunSpots:
    """The spots of a run by page.

    Parameters
    ----------
    run : Run
    pages : iterable of str
        The names of all pages.
    pages_of_run : mapping of str to str or None
        Which of these each page of the run is; spots on pages that are none are left out.
    """

    def __init__(
        self, run: Run, pages: Iterable[str], pages_of_run: Mapping[str, str | None]
    ) -> None:
        self.run = run
        self._number = number = {name: index for index, name in enumerate(pages)}
        resolved = (pages_of_run.get(name) for name in run.pages)
        page_of = np.array([-1 if name is None else number[name] for name in resolved], np.int64)
        page = page_of[run.page]
        self._order = np.argsort(page, kind="stable")
        self._places = np.searchsorted(page[self._order], np.arange(len(number) + 1))

    @property
    def fullest_first(self) -> list[str]:
        """All pages, so that no worker is left with a long one at the end."""
        names = list(self._number)
        return [names[at] for at in np.argsort(-np.diff(self._places), kind="stable").tolist()]

    def of_page(self, name: str) -> Ints:
        """The spots of a page."""
        at = self._number[name]
        return self._order[self._places[at] : self._places[at + 1]]


@dataclass(frozen=True, eq=False)
class SomeSpots:
    """Spots of a run on one page, without the rest of the run.

    Attributes
    ----------
    spot : (S,) int
        Their numbers in the run, rising.
    outlines : Outlines
    query : (S,) int
        Places of their queries among the run's.
    """

    spot: Ints
    outlines: Outlines
    query: Ints

    @classmethod
    def of(cls, run: Run, spot: Ints) -> SomeSpots:
        """Some spots of a run, by their numbers in any order."""
        spot = np.sort(np.asarray(spot, np.int64))
        return cls(spot, run.outlines.take(spot), run.query[spot].astype(np.int64))


def work_of_spots(
    spots: SomeSpots,
    queries: Sequence[str],
    truth: Truth,
    name: str,
    primitive: Primitive | None,
    engine: Engine,
) -> TallyWork:
    """Gather what is tallied of a page.

    Parameters
    ----------
    spots : SomeSpots
        On the page.
    queries : sequence of str
        All of the run's.
    truth : Truth
        Of the page.
    name : str
        The page's, in the tally.
    primitive : Primitive, optional
        See `tally_page`.
    engine : Engine
        What computes areas.

    Examples
    --------
    >>> from pathlib import Path
    >>> from spotlab.model import Page
    >>> none = SomeSpots(np.empty(0, np.int64), Outlines.of([]), np.empty(0, np.int64))
    >>> truth = Truth(Page(Path("1.png"), 20, 30))
    >>> work_of_spots(none, (), truth, "1", None, Engine.REFERENCE).size
    (20, 30)
    """
    regions = truth.regions
    number = {query: index for index, query in enumerate(queries)}
    for region in regions:
        number.setdefault(region.label, len(number))
    return TallyWork(
        page=name,
        size=(truth.page.width, truth.page.height),
        spot=spots.spot,
        outlines=spots.outlines,
        query=spots.query,
        region_id=tuple(region.id for region in regions),
        region_label=tuple(region.label for region in regions),
        region_query=np.array([number[region.label] for region in regions], np.int64),
        region_ignore=np.array([KINDS.index(region.ignore) for region in regions], np.int8),
        regions=Outlines.of([region.array for region in regions]),
        primitive=primitive,
        engine=engine,
    )


NOBODY = -2  # the query of an ignored region whose label nobody searches
TOUCH = 1e-9  # shared area, as a part of the smaller one's, up to which two outlines only touch


def tally_page(
    run: Run,
    spot: Ints,
    truth: Truth,
    name: str,
    primitive: Primitive | None = None,
    *,
    engine: Engine = Engine.AUTO,
) -> PageTally:
    """Tally one page.

    Parameters
    ----------
    run : Run
    spot : (n,) int
        Which spots of the run are on the page.
    truth : Truth
        The page's.
    name : str
        The page's.
    primitive : Primitive, optional
        Into what truth and spots are turned before, see `outlines_as`; as drawn if not given.
    engine : Engine
        What computes areas.

    Returns
    -------
    PageTally
        Pairs that share no more than 1e-9 of the smaller one's area touch and are left out.
    """
    if engine is Engine.AUTO:
        engine = coverage.choose_engine(len(spot))
    spots = SomeSpots.of(run, spot)
    return tally_work(work_of_spots(spots, run.queries, truth, name, primitive, engine))


def tally_outside(
    spots: SomeSpots,
    queries: Sequence[str],
    part: PageTally,
    truth: Truth,
    primitive: Primitive | None = None,
) -> tuple[PageTally, Outlines, Outlines]:
    """Tally what of a page lies outside its ignored area, as if nothing else were there.

    Parameters
    ----------
    spots : SomeSpots
        On the page.
    queries : sequence of str
        All of the run's.
    part : PageTally
        Of the page; some of its regions are ignored.
    truth : Truth
        The page's.
    primitive : Primitive, optional
        See `tally_page`.

    Returns
    -------
    part : PageTally
        Of the regions that count; none is ignored.
    outlines, regions : Outlines
        What the spots and these regions have outside the area that is ignored for their queries.
    """
    kept = [region for region in truth.regions if region.id not in part.ignored_ids]
    counted = replace(truth, regions=tuple(replace(each, ignore=Ignore.NO) for each in kept))
    engine = coverage.choose_engine(len(part.spot))
    work = work_of_spots(spots, queries, counted, part.page, primitive, engine)
    numbers = {query: index for index, query in enumerate(queries)}
    numbers |= dict(zip(work.region_label, work.region_query.tolist(), strict=True)) | {"": EVERY}
    assert part.ignored is not None
    concerned = [numbers.get(label, NOBODY) for label in part.ignored_labels]
    ignored = IgnoredOutlines(part.ignored.outlines, np.array(concerned, np.int64), engine)
    outlines, regions = (
        ignored.cut_off(measured_outlines(outlines, primitive, work.size), query)
        for outlines, query in ((work.outlines, work.query), (work.regions, work.region_query))
    )
    rest = replace(work, outlines=outlines, regions=regions, primitive=None)
    return tally_work(rest), outlines, regions


def tally(
    run: Run,
    truths: Mapping[str, Truth],
    pages_of_run: Mapping[str, str | None],
    *,
    primitive: Primitive | None = None,
    jobs: int = 1,
    engine: Engine = Engine.AUTO,
    progress: Progress = silent,
) -> Tally:
    """Tally a run against the truth of all pages.

    Parameters
    ----------
    run : Run
    truths : mapping of str to Truth
        By page name; all of them are evaluated, also those on which nothing was found.
    pages_of_run : mapping of str to str or None
        Which of these each page of the run is; spots on pages that are none are left out.
    primitive : Primitive, optional
        See `tally_page`.
    jobs : int
        Threads that work on pages, 0 for one a processor: nothing has to start, and nothing is
        sent, as areas are computed without Python's lock.
    engine : Engine
        What computes areas.
    progress : Progress
        Told of each page.
    """
    [tallied] = tally_runs(
        [run], truths, [pages_of_run],
        primitive=primitive, jobs=jobs, engine=engine, progress=progress,
    )  # fmt: skip
    return tallied


def tally_runs(
    runs: Sequence[Run],
    truths: Mapping[str, Truth],
    pages_of_runs: Sequence[Mapping[str, str | None]],
    *,
    primitive: Primitive | None = None,
    jobs: int = 1,
    engine: Engine = Engine.AUTO,
    progress: Progress = silent,
) -> list[Tally]:
    """Tally several runs, whose pages are handed out together.

    Parameters
    ----------
    runs : sequence of Run
    truths : mapping of str to Truth
    pages_of_runs : sequence of mapping of str to str or None
        For each run as in `tally`.
    primitive, jobs, engine, progress
        As in `tally`.
    """
    spots = [RunSpots(run, truths, of_run) for run, of_run in zip(runs, pages_of_runs, strict=True)]
    engines = [chosen_engine(run, engine, progress) for run in runs]
    pages = [
        (of_run, name, truths, primitive, chosen)
        for of_run, chosen in zip(spots, engines, strict=True)
        for name in of_run.fullest_first
    ]
    if jobs == 1:
        done = each_done(_page_tallied, pages, 1, None, progress, tallying(runs))
    else:
        done = each_in_threads(_page_tallied, pages, progress, tallying(runs), jobs)
    parts: list[list[PageTally]] = [[] for _ in runs]
    for number, part in done:
        parts[number // len(truths)].append(part)
    areas = {name: float(page.area) for name, page in pages_of_truths(truths).items()}
    return [Tally.of(run, areas, of_run) for run, of_run in zip(runs, parts, strict=True)]


def chosen_engine(run: Run, engine: Engine, progress: Progress) -> Engine:
    """Choose what computes the areas of a run.

    Parameters
    ----------
    run : Run
    engine : Engine
        By its size, if that is left open.
    progress : Progress
        Told if something has to be compiled.
    """
    return coverage.choose_engine(len(run), progress) if engine is Engine.AUTO else engine


def tallying(runs: Sequence[Run]) -> str:
    """Describe the progress while runs are tallied.

    Parameters
    ----------
    runs : sequence of Run
    """
    return f"tallying {', '.join(run.name for run in runs[:3])}" + (" …" if len(runs) > 3 else "")


def _page_tallied(
    page: tuple[RunSpots, str, Mapping[str, Truth], Primitive | None, Engine],
) -> PageTally:
    spots, name, truths, primitive, engine = page
    spot = spots.of_page(name)
    return tally_page(spots.run, spot, truths[name], name, primitive, engine=engine)


def tally_work(work: TallyWork) -> PageTally:
    """Tally what was gathered of a page.

    Parameters
    ----------
    work : TallyWork
    """
    spots, regions = (
        measured_outlines(outlines, work.primitive, work.size)
        for outlines in (work.outlines, work.regions)
    )
    engine = work.engine
    area, region_area = coverage.areas(spots, engine), coverage.areas(regions, engine)
    counts = work.region_ignore == 0
    # the first numbers are queries, so that no spot is of a query below them
    own_query = np.where(counts, work.region_query, -1)
    new = coverage.new_coverage(spots, work.query, regions, own_query, engine)
    pairs = coverage.overlapping_bounds(spots, regions)
    shared = coverage.shared_areas(spots, regions, pairs, engine)
    kept = shared > TOUCH * np.minimum(area[pairs[:, 0]], region_area[pairs[:, 1]])
    pairs, shared = pairs[kept], shared[kept]
    part = PageTally(
        page=work.page,
        spot=work.spot,
        area=area,
        gained_area=new.new_area,
        gained_true_area=new.new_relevant,
        region_id=work.region_id,
        region_label=work.region_label,
        region_area=region_area,
        truth_area=_truth_areas(work, regions),
        pair_spot=work.spot[pairs[:, 0]],
        pair_region=pairs[:, 1],
        pair_shared=shared,
        pair_gained_area=_pair_gains(pairs, new, len(regions)),
    )
    return part if counts.all() else _without_ignored(work, part, pairs, spots, regions)


def _pair_gains(pairs: Ints, new: coverage.NewCoverage, regions: int) -> Floats:
    """(K,) the area in px² that each pair newly covers; 0 for a pair of different groups."""
    found = np.zeros(len(pairs))
    key = pairs[:, 0] * regions + pairs[:, 1]
    known = new.pair_spot * regions + new.pair_region
    _, here, there = np.intersect1d(key, known, assume_unique=True, return_indices=True)
    found[here] = new.pair_new[there]
    return found


def _without_ignored(
    work: TallyWork, whole: PageTally, pairs: Ints, spots: Outlines, regions: Outlines
) -> PageTally:
    """The tally of a page without the area of its ignored regions."""
    kept, off = np.flatnonzero(work.region_ignore == 0), np.flatnonzero(work.region_ignore)
    has_label = np.array([bool(label) for label in work.region_label])
    concerned = np.where(has_label, work.region_query, EVERY)[off]
    ignored = IgnoredOutlines(regions.take(off), concerned, work.engine)
    counted, query = regions.take(kept), work.region_query[kept]
    spot_area = ignored.outside(spots, work.query, whole.area)
    region_area = np.zeros(len(regions))
    region_area[kept] = ignored.outside(counted, query, whole.region_area[kept])
    gained, gained_true = ignored.new_coverage(spots, work.query, counted, query)
    truth, _ = ignored.new_coverage(counted, query, Outlines.of([]), np.zeros(0, np.int64))
    truth_area: dict[str, float] = {}
    for place, area in zip(kept.tolist(), truth.tolist(), strict=True):
        if label := work.region_label[place]:
            counts = area if region_area[place] > 0 else 0.0  # not what rounding leaves
            truth_area[label] = truth_area.get(label, 0.0) + counts
    return replace(
        whole,
        gained_area=np.where(spot_area > 0, gained, 0.0),
        gained_true_area=np.where(spot_area > 0, gained_true, 0.0),
        truth_area=truth_area,
        ignored=PageIgnored(
            kind=work.region_ignore,
            outlines=ignored.outlines,
            spot_area=spot_area,
            region_area=region_area,
            pair_shared=ignored.outside(
                spots.take(pairs[:, 0]),
                work.query[pairs[:, 0]],
                whole.pair_shared,
                within=regions.take(pairs[:, 1]),
            ),
            area=ignored_areas(
                ignored, {work.region_label[place]: int(work.region_query[place]) for place in off}
            ),
        ),
    )


def _truth_areas(work: TallyWork, regions: Outlines) -> dict[str, float]:
    """The area of the union of each label's regions."""
    labels = sorted({label for label in work.region_label if label})
    number = {label: index for index, label in enumerate(labels)}
    labelled = [place for place, label in enumerate(work.region_label) if label]
    group = [number[work.region_label[place]] for place in labelled]
    united = coverage.union_areas(regions.take(labelled), group, len(labels), work.engine)
    return dict(zip(labels, united.tolist(), strict=True))


ModelHandling = Literal["ignore", "count"]
SAME = 0.5  # intersection over union from which a region is the one that a model was taken from


def truth_without_models(truth: Truth, models: Sequence[QueryModel]) -> Truth:
    """The truth of a page in which the regions that models were taken from are ignored.

    Parameters
    ----------
    truth : Truth
        The page's.
    models : sequence of QueryModel
        Those that were taken from this page.

    Returns
    -------
    Truth
        The region of a model is the one of its query's label with the highest IoU with it, if that
        is .5 or more. Where there is none, the outline of the model itself is ignored.

    Examples
    --------
    >>> from pathlib import Path
    >>> from spotlab.model import Page
    >>> ring = ((0, 0), (10, 0), (10, 10), (0, 10))
    >>> truth = Truth(Page(Path("plan.png"), 99, 99), (Region(ring, "bed", "r1"),))
    >>> models = [QueryModel("bed", "plan", ((0, 1), (10, 1), (10, 10), (0, 10)))]
    >>> [(region.id, region.ignored) for region in truth_without_models(truth, models).regions]
    [('r1', True)]
    """
    if not models:
        return truth
    regions = list(truth.regions)
    for number, model in enumerate(models, 1):
        places = [at for at, region in enumerate(regions) if region.label == model.query]
        iou = _iou(model, [regions[at] for at in places])
        if places and iou.max() >= SAME:
            at = places[int(iou.argmax())]
            region = regions[at]
            regions[at] = region if region.ignored else replace(region, ignore=Ignore.SYMBOL)
        else:
            taken = {region.id for region in regions}
            id = next(name for name in _names(number) if name not in taken)
            regions.append(Region(model.points, model.query, id, ignore=Ignore.SYMBOL))
    return replace(truth, regions=tuple(regions))


def without_uncertain(truth_set: TruthSet) -> TruthSet:
    """The truth in which every region that is marked as uncertain is an ignored symbol.

    Parameters
    ----------
    truth_set : TruthSet
        Regions that are ignored already stay as they are.
    """
    return replace(truth_set, truths=changed_truths(truth_set.truths, _without_uncertain))


def _without_uncertain(truth: Truth) -> Truth:
    if not any(region.uncertain for region in truth.regions):
        return truth
    regions = (
        replace(region, ignore=Ignore.SYMBOL) if region.uncertain and not region.ignored else region
        for region in truth.regions
    )
    return replace(truth, regions=tuple(regions))


def models_by_page(
    run: Run, pages_of_run: Mapping[str, str | None]
) -> dict[str, tuple[QueryModel, ...]]:
    """The models of a run by the page of the truth that they were taken from.

    Parameters
    ----------
    run : Run
    pages_of_run : mapping of str to str or None
        The page of the truth that each page of the run, or of a model, is.
    """
    found: dict[str, tuple[QueryModel, ...]] = {}
    for model in run.models:
        page = pages_of_run.get(model.page)
        if page is not None and len(model.points) >= 3:
            found[page] = (*found.get(page, ()), model)
    return found


def tally_without_models(
    counted: Tally,
    truths: Mapping[str, Truth],
    models: Mapping[str, Sequence[QueryModel]],
    primitive: Primitive | None = None,
) -> Tally:
    """The tally of a run that leaves the models of its queries out.

    Parameters
    ----------
    counted : Tally
        That of the run, with its models counted.
    truths : mapping of str to Truth
        By page name.
    models : mapping of str to sequence of QueryModel
        Of each page that models were taken from; only these pages are tallied again.
    primitive : Primitive, optional
        As in ``counted``.
    """
    changed = {
        page: tally_page(
            counted.run,
            counted.parts[page].spot,
            truth_without_models(truths[page], of_page),
            page,
            primitive,
        )
        for page, of_page in models.items()
        if page in counted.parts
    }
    if not changed:
        return counted
    areas = dict(zip(counted.pages, counted.page_area.tolist(), strict=True))
    parts = {**counted.parts, **changed}
    return Tally.of(counted.run, areas, parts.values(), counted.queries)


def _names(number: int) -> Iterator[str]:
    """Ids for a region of a model: the same for all runs that have it."""
    yield f"model_{number}"
    yield from (f"model_{number}_{again}" for again in count(2))


def _iou(model: QueryModel, regions: Sequence[Region]) -> Floats:
    outlines = Outlines.of([model.points, *(region.array for region in regions)])
    areas = coverage.areas(outlines)
    pairs = np.array([(0, at) for at in range(1, len(outlines))], np.int64).reshape(-1, 2)
    shared = coverage.shared_areas(outlines, outlines, pairs)
    return np.nan_to_num(ratio(shared, areas[0] + areas[1:] - shared))


Models = Mapping[str, tuple[QueryModel, ...]]  # by page


def common_models(first: Models, second: Models) -> dict[str, tuple[QueryModel, ...]]:
    """The models of two runs by page, each once.

    Parameters
    ----------
    first, second : mapping of str to tuple of QueryModel
        By page; empty for a run whose models count.

    Examples
    --------
    >>> ring = ((0, 0), (9, 0), (9, 9))
    >>> bed, sofa = QueryModel("bed", "plan", ring), QueryModel("sofa", "plan", ring)
    >>> found = common_models({"plan": (bed,)}, {"plan": (sofa, bed)})
    >>> [model.query for model in found["plan"]]
    ['bed', 'sofa']
    """
    return {
        page: tuple(dict.fromkeys((*first.get(page, ()), *second.get(page, ()))))
        for page in dict.fromkeys((*first, *second))
    }


def figures_without(
    figures: RunFigures,
    own: Models,
    common: Models,
    truths: Mapping[str, Truth],
    primitive: Primitive | None = None,
) -> RunFigures:
    """The figures of a run that leaves out these models and not only its own.

    Parameters
    ----------
    figures : RunFigures
        Without the run's own models.
    own, common : mapping of str to tuple of QueryModel
        The run's own models, and those to leave out, by page.
    truths : mapping of str to Truth
        Of the pages that models are on.
    primitive : Primitive, optional
        What all outlines are turned into before.

    Returns
    -------
    RunFigures
        The same figures where no other models are left out; only pages with others are tallied
        again.
    """
    others = {page: models for page, models in common.items() if models != own.get(page, ())}
    if not others:
        return figures
    tally = tally_without_models(figures.tally, truths, others, primitive)
    return compute_figures(tally, figures.settings)


def common_truths(truths: Mapping[str, Truth], models: Models) -> dict[str, Truth]:
    """The truth of each page with these models ignored.

    Parameters
    ----------
    truths : mapping of str to Truth
    models : mapping of str to sequence of QueryModel
    """
    empty: Sequence[QueryModel] = ()
    return {
        page: truth_without_models(truth, models.get(page, empty)) for page, truth in truths.items()
    }
