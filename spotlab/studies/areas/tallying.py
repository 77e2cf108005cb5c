"""Tally a run against truth, page by page; what the tally is, `spotlab.measures.tally` says.

What of spots and of truth lies off the page is cut off before anything is measured: A(R) is that of
R ∩ page everywhere. The page's size is the one that its truth file gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.compute import each_done
from spotlab.geometry import coverage
from spotlab.geometry.clip import clip_to_page
from spotlab.geometry.coverage import Engine
from spotlab.geometry.outlines import Outlines
from spotlab.measures.ignored_area import KINDS, PageIgnored
from spotlab.measures.page_tally import PageTally
from spotlab.measures.tally import Tally
from spotlab.model.region import Ignore, Primitive
from spotlab.model.run import Run
from spotlab.model.truth import Truth
from spotlab.progress import Progress, silent
from spotlab.studies.areas.ignored_outlines import EVERY, IgnoredOutlines, ignored_areas
from spotlab.studies.areas.primitive_outlines import outlines_as

Ints = NDArray[np.int64]

NOBODY = -2  # the query of an ignored region whose label nobody searches
TOUCH = 1e-9  # shared area, as a part of the smaller one's, up to which two outlines only touch


@dataclass(frozen=True, eq=False)
class _Work:
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
    return _tallied(_work(run, spot, truth, name, primitive, engine))


def tally_outside(
    run: Run, part: PageTally, truth: Truth, primitive: Primitive | None = None
) -> tuple[PageTally, Outlines, Outlines]:
    """Tally what of a page lies outside its ignored area, as if nothing else were there.

    Parameters
    ----------
    run : Run
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
    spots, regions : Outlines
        What the spots and these regions have outside the area that is ignored for their queries.
    """
    kept = [region for region in truth.regions if region.id not in part.ignored_ids]
    counted = replace(truth, regions=tuple(replace(each, ignore=Ignore.NO) for each in kept))
    engine = coverage.choose_engine(len(part.spot))
    work = _work(run, part.spot, counted, part.page, primitive, engine)
    numbers = {query: index for index, query in enumerate(run.queries)}
    numbers |= dict(zip(work.region_label, work.region_query.tolist(), strict=True)) | {"": EVERY}
    assert part.ignored is not None
    concerned = [numbers.get(label, NOBODY) for label in part.ignored_labels]
    ignored = IgnoredOutlines(part.ignored.outlines, np.array(concerned, np.int64), engine)
    spots, regions = (
        ignored.cut_off(clip_to_page(outlines_as(outlines, primitive, work.size), work.size), query)
        for outlines, query in ((work.outlines, work.query), (work.regions, work.region_query))
    )
    rest = replace(work, outlines=spots, regions=regions, primitive=None)
    return _tallied(rest), spots, regions


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
        How many pages are worked on at the same time; 0 for one a processor.
    engine : Engine
        What computes areas.
    progress : Progress
        Told of each page.
    """
    if engine is Engine.AUTO:
        engine = coverage.choose_engine(len(run), progress)
    works = list(_works(run, truths, pages_of_run, primitive, engine))
    areas = {name: float(truth.page.area) for name, truth in truths.items()}
    # the fullest pages first, so that no worker is left with a long one at the end
    works.sort(key=lambda work: -len(work.spot))
    done = each_done(_tallied, works, jobs, None, progress, f"tallying {run.name}")
    return Tally.of(run, areas, [part for _, part in done])


def _works(
    run: Run,
    truths: Mapping[str, Truth],
    pages_of_run: Mapping[str, str | None],
    primitive: Primitive | None,
    engine: Engine,
) -> Iterator[_Work]:
    number = {name: index for index, name in enumerate(truths)}
    resolved = (pages_of_run.get(name) for name in run.pages)
    page = np.array([-1 if name is None else number[name] for name in resolved], np.int64)[run.page]
    order = np.argsort(page, kind="stable")
    places = np.searchsorted(page[order], np.arange(len(truths) + 1))
    for index, (name, truth) in enumerate(truths.items()):
        yield _work(run, order[places[index] : places[index + 1]], truth, name, primitive, engine)


def _work(
    run: Run, spot: Ints, truth: Truth, name: str, primitive: Primitive | None, engine: Engine
) -> _Work:
    spot = np.sort(np.asarray(spot, np.int64))
    regions = truth.regions
    number = {query: index for index, query in enumerate(run.queries)}
    for region in regions:
        number.setdefault(region.label, len(number))
    return _Work(
        page=name,
        size=(truth.page.width, truth.page.height),
        spot=spot,
        outlines=run.outlines.take(spot),
        query=run.query[spot].astype(np.int64),
        region_id=tuple(region.id for region in regions),
        region_label=tuple(region.label for region in regions),
        region_query=np.array([number[region.label] for region in regions], np.int64),
        region_ignore=np.array([KINDS.index(region.ignore) for region in regions], np.int8),
        regions=Outlines.of([region.array for region in regions]),
        primitive=primitive,
        engine=engine,
    )


def _tallied(work: _Work) -> PageTally:
    spots, regions = (
        clip_to_page(outlines_as(outlines, work.primitive, work.size), work.size)
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
        pair_gained_area=_new_of(pairs, new, len(regions)),
    )
    return part if counts.all() else _without_ignored(work, part, pairs, spots, regions)


def _without_ignored(
    work: _Work, whole: PageTally, pairs: Ints, spots: Outlines, regions: Outlines
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


def _truth_areas(work: _Work, regions: Outlines) -> dict[str, float]:
    """The area of the union of each label's regions."""
    labels = sorted({label for label in work.region_label if label})
    number = {label: index for index, label in enumerate(labels)}
    labelled = [place for place, label in enumerate(work.region_label) if label]
    group = [number[work.region_label[place]] for place in labelled]
    united = coverage.union_areas(regions.take(labelled), group, len(labels), work.engine)
    return dict(zip(labels, united.tolist(), strict=True))


def _new_of(pairs: Ints, new: coverage.NewCoverage, regions: int) -> NDArray[np.float64]:
    """What each pair newly covers; both lists are sorted alike."""
    found = np.zeros(len(pairs))
    key = pairs[:, 0] * regions + pairs[:, 1]
    known = new.pair_spot * regions + new.pair_region
    _, here, there = np.intersect1d(key, known, assume_unique=True, return_indices=True)
    found[here] = new.pair_new[there]
    return found
