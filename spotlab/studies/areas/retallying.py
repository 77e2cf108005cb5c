"""Tallies a run again after its file was rewritten; what has not changed is not measured again.

What a query's spots add on a page depends on these spots, their order and the page's truth only.
So a list that is as before, although its scores or its ranks on other pages are not, keeps its
tally.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry import coverage
from spotlab.geometry.coverage import Engine
from spotlab.measures.page_tally import PageTally
from spotlab.measures.tally import Tally
from spotlab.model.region import Primitive
from spotlab.model.run import Run
from spotlab.model.truth import Truth
from spotlab.progress import Progress, silent, track
from spotlab.studies.areas.tallying import tally_page


def tally_rewritten(
    run: Run,
    before: Tally,
    truths: Mapping[str, Truth],
    pages_of_run: Mapping[str, str | None],
    *,
    primitive: Primitive | None = None,
    progress: Progress = silent,
) -> Tally:
    """Tally a run, given the tally of its earlier version.

    Parameters
    ----------
    run : Run
        As it is now.
    before : Tally
        Of the earlier version, against the same truth and with the same primitive.
    truths, pages_of_run, primitive
        See `tally`.
    progress : Progress
        Told of each page.

    Returns
    -------
    Tally
        As `tally` gives it, of N spots.
    """
    engine = coverage.choose_engine(len(run), progress)
    on_page = _spots_of_pages(run, truths, pages_of_run)
    parts = []
    for name, truth in track(list(truths.items()), progress, f"tallying {run.name}"):
        part, spots = before.parts.get(name), on_page[name]
        known = part is not None and part.region_id == tuple(each.id for each in truth.regions)
        if part is None or not known or part.ignored is not None:
            parts.append(tally_page(run, spots, truth, name, primitive, engine=engine))
        else:
            parts.append(_rewritten(run, spots, before.run, part, truth, primitive, engine))
    areas = {name: float(truth.page.area) for name, truth in truths.items()}
    return Tally.of(run, areas, parts)


def _rewritten(
    run: Run,
    spots: Ints,
    before: Run,
    part: PageTally,
    truth: Truth,
    primitive: Primitive | None,
    engine: Engine,
) -> PageTally:
    """A page's tally, of which the queries whose lists have changed are measured."""
    earlier, now = _lists(before, part.spot), _lists(run, spots)
    same = [name for name in now if name in earlier and now[name][1:] == earlier[name][1:]]
    old = np.concatenate([np.empty(0, np.int64), *(earlier[name][0] for name in same)])
    new = np.concatenate([np.empty(0, np.int64), *(now[name][0] for name in same)])
    changed = np.setdiff1d(spots, new)
    fresh = tally_page(run, changed, truth, part.page, primitive, engine=engine)
    return _merged(part, old, new, fresh)


def _merged(part: PageTally, old: Ints, new: Ints, fresh: PageTally) -> PageTally:
    """A part's spots ``old``, which are called ``new`` now, with all of another part."""
    at = np.searchsorted(part.spot, old)
    spot = np.concatenate([new, fresh.spot])
    order = np.argsort(spot, kind="stable")
    by_old = np.argsort(old)
    kept = np.isin(part.pair_spot, old)
    renamed = new[by_old][np.searchsorted(old[by_old], part.pair_spot[kept])]
    pair_spot = np.concatenate([renamed, fresh.pair_spot])
    pair_region = np.concatenate([part.pair_region[kept], fresh.pair_region])
    pairs = np.lexsort((pair_region, pair_spot))

    def joined(then: Floats, now: Floats) -> Floats:
        return np.concatenate([then[at], now])[order]

    def of_pairs(then: Floats, now: Floats) -> Floats:
        return np.concatenate([then[kept], now])[pairs]

    return PageTally(
        page=part.page,
        spot=spot[order],
        area=joined(part.area, fresh.area),
        gained_area=joined(part.gained_area, fresh.gained_area),
        gained_true_area=joined(part.gained_true_area, fresh.gained_true_area),
        region_id=part.region_id,
        region_label=part.region_label,
        region_area=part.region_area,
        truth_area=part.truth_area,
        pair_spot=pair_spot[pairs],
        pair_region=pair_region[pairs],
        pair_shared=of_pairs(part.pair_shared, fresh.pair_shared),
        pair_gained_area=of_pairs(part.pair_gained_area, fresh.pair_gained_area),
    )


def _spots_of_pages(
    run: Run, truths: Mapping[str, Truth], pages_of_run: Mapping[str, str | None]
) -> dict[str, Ints]:
    """Which spots of the run are on each page with truth, increasing."""
    number = {name: index for index, name in enumerate(truths)}
    resolved = (pages_of_run.get(name) for name in run.pages)
    page = np.array([-1 if name is None else number[name] for name in resolved], np.int64)[run.page]
    order = np.argsort(page, kind="stable")
    places = np.searchsorted(page[order], np.arange(len(truths) + 1))
    return {name: order[places[at] : places[at + 1]] for name, at in number.items()}


def _lists(run: Run, spots: Ints) -> dict[str, tuple[Ints, bytes, bytes]]:
    """The spots of each query in order of rank, as a run has them, and their outlines."""
    starts = np.flatnonzero(np.diff(run.query[spots], prepend=-1))
    outlines, found = run.outlines.take(spots), {}
    for first, end in pairwise([*starts.tolist(), len(spots)]):
        offsets = outlines.offsets[first : end + 1]
        corners = outlines.points[offsets[0] : offsets[-1]]
        name = run.queries[run.query[spots[first]]]
        found[name] = (spots[first:end], np.diff(offsets).tobytes(), corners.tobytes())
    return found
