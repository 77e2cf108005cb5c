"""The tally of some spots only: nothing is measured again, and the truth stays whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spotlab.arrays import Ints
from spotlab.geometry.outlines import concatenate_ranges
from spotlab.measures.tally import Tally


def tally_of_spots(tally: Tally, places: Ints) -> Tally:
    """The tally as if the run had only these spots.

    Parameters
    ----------
    tally : Tally
        No region of it is ignored.
    places : (n,) int
        Places of spots in the tally, increasing.

    Returns
    -------
    Tally
        Of n spots and all regions. The cost depends on these spots and their pairs, not on N.

    Raises
    ------
    ValueError
        Some region is ignored.

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
    >>> from spotlab.model.run import Run
    >>> nothing = Tally.of(Run.ordered("nothing", [], [], Outlines.of([])), {}, [], ["bed"])
    >>> len(tally_of_spots(nothing, np.zeros(0, np.int64))), nothing.queries
    (0, ('bed',))
    """
    if tally.ignored is not None:
        raise ValueError("some region is ignored")
    first = np.searchsorted(tally.pair_spot, places)
    counts = np.searchsorted(tally.pair_spot, places, side="right") - first
    pairs = concatenate_ranges(first, counts)
    query = tally.query[places]
    return replace(
        tally,
        starts=np.searchsorted(query, np.arange(len(tally.queries) + 1)),
        spot=tally.spot[places],
        query=query,
        page=tally.page[places],
        score=tally.score[places],
        area=tally.area[places],
        gained_area=tally.gained_area[places],
        gained_true_area=tally.gained_true_area[places],
        pair_spot=np.repeat(np.arange(len(places)), counts),
        pair_region=tally.pair_region[pairs],
        pair_shared=tally.pair_shared[pairs],
        pair_gained_area=tally.pair_gained_area[pairs],
    )
