"""What a run retrieves for queries that the truth does not have."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.measures.tally import Tally


@dataclass(frozen=True)
class OutsideQuery:
    """A query of a run that labels no truth region, so that all it retrieves is false.

    Attributes
    ----------
    name : str
        The query.
    spots : int
        Number of its spots on evaluated pages.
    area : float
        What they retrieve, in px², counted as `MeasureSettings.overlap` says.
    fall_out : float or None
        That area as a share of all pages, in [0, 1] for unions; None if the pages have no area.
    false_positives : int
        Number of its spots that are false: all of them.
    """

    name: str
    spots: int
    area: float
    fall_out: float | None
    false_positives: int


def outside_queries(
    tally: Tally,
    in_truth: NDArray[np.bool_],
    retrieved: Floats,
    fall_out: Floats,
    false_positives: Floats,
) -> tuple[OutsideQuery, ...]:
    """List the queries that a run searches and the truth does not have.

    Parameters
    ----------
    tally : Tally
        Of Q queries.
    in_truth : (Q,) bool
        Whether the truth has a region of the query.
    retrieved : (Q,) float
        Area in px² that the whole list of each query retrieves.
    fall_out : (Q,) float
        Fall-out of the whole lists, as shares; NaN where undefined.
    false_positives : (Q,) float
        Number of false positives of the whole lists.

    Returns
    -------
    tuple of OutsideQuery
        In the order of the tally's queries; empty if the truth has every query of the run.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> run = SimpleNamespace(queries=["bath"])
    >>> tally = SimpleNamespace(run=run, queries=["bath", "bed"], starts=np.array([0, 2, 2]))
    >>> columns = np.array([300.0, 0]), np.array([0.03, 0]), np.array([2.0, 0])
    >>> outside_queries(tally, np.array([False, True]), *columns)[0].area
    300.0
    """
    spots = np.diff(tally.starts)
    return tuple(
        OutsideQuery(
            tally.queries[query],
            int(spots[query]),
            float(retrieved[query]),
            None if math.isnan(fall_out[query]) else float(fall_out[query]),
            int(false_positives[query]),
        )
        for query in np.flatnonzero(~in_truth).tolist()
        if tally.queries[query] in tally.run.queries
    )
