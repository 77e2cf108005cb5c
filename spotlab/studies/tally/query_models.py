"""Query models: regions that queries were taken from, and that evaluation leaves out.

A spotter that gets its query from the pages that it searches finds the query itself. The region
that a model was taken from is therefore an ignored symbol for that query, see
`spotlab.measures.tally`: it is not to be found, and a spot on it is neither right nor false. Where
two runs are compared, the models of either are ignored for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Literal

import numpy as np

from spotlab.arrays import Floats
from spotlab.geometry import coverage
from spotlab.geometry.outlines import Outlines
from spotlab.measures.area import ratio
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.tally import Tally
from spotlab.model.queries import QueryModel
from spotlab.model.region import Ignore, Primitive, Region
from spotlab.model.run import Run
from spotlab.model.truth import Truth
from spotlab.studies.tally.tallying import tally_page
from spotlab.studies.tally.truth import TruthSet, changed_truths

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
