"""The truth of one page and the spots of two runs on it, as they are painted and compared."""

from __future__ import annotations

import numpy as np

from spotlab.geometry.clip import clip_to_page
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.comparison_overlay import ComparedAreas
from spotlab.measures.cut_run import CutRun
from spotlab.measures.tally import Ints
from spotlab.model.region import Primitive
from spotlab.model.truth import Truth
from spotlab.studies.areas.primitive_outlines import outlines_as


def compared_areas(
    first: CutRun,
    second: CutRun,
    page: str,
    truth: Truth,
    query: str | None = None,
    primitive: Primitive | None = None,
) -> ComparedAreas:
    """What two runs keep on a page, and the truth there.

    Parameters
    ----------
    first, second : CutRun
        The runs before and after.
    page : str
        The page's name; a run that is not tallied on it has no spots there.
    truth : Truth
        The page's.
    query : str, optional
        Look at this query only; by default at all queries of both runs.
    primitive : Primitive, optional
        What all outlines are turned into before.
    """
    queries = sorted({*first.tally.queries, *second.tally.queries})
    number = {name: at for at, name in enumerate(queries) if query in (None, name)}
    size = truth.page.width, truth.page.height

    def on_page(outlines: Outlines) -> Outlines:
        return clip_to_page(outlines_as(outlines, primitive, size), size)

    regions = [region for region in truth.regions if region.label in number]
    drawn, numbers = [], []
    for run in (first, second):
        spot = kept_spots(run, page)
        common = np.array([number.get(name, -1) for name in run.tally.queries], np.int64)
        spot = spot[common[run.tally.query[spot]] >= 0]
        drawn.append(on_page(run.tally.run.outlines.take(run.tally.spot[spot])))
        numbers.append(common[run.tally.query[spot]])
    return ComparedAreas(
        on_page(Outlines.of([region.array for region in regions])),
        *drawn,
        np.array([number[region.label] for region in regions], np.int64),
        *numbers,
    )


def kept_spots(run: CutRun, page: str) -> Ints:
    """The spots of a run that are kept on a page.

    Parameters
    ----------
    run : CutRun
        The run and its cut.
    page : str
        The page's name.

    Returns
    -------
    (n,) int
        Their places in the tally, rising; empty where the page is not tallied.
    """
    part = run.tally.parts.get(page)
    if part is None:
        return np.zeros(0, np.int64)
    spot = np.searchsorted(run.tally.spot, part.spot)
    return np.asarray(spot[run.kept[spot]], np.int64)
