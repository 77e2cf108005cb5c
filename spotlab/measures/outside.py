"""What a run retrieves for queries that the truth does not have."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.measures.tally import Floats, Tally


@dataclass(frozen=True)
class OutsideQuery:
    """A query of a run that no truth region is labelled with: all that it retrieves is false.

    Attributes
    ----------
    name : str
    spots : int
        How many of its spots lie on pages that are evaluated.
    area : float
        What they retrieve in px², counted as `Settings.overlap` says.
    fall_out : float or None
        That area as a share of all pages; None where there is none.
    false_positives : int
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
    """The queries that a run searches and the truth does not have.

    Parameters
    ----------
    tally : Tally
    in_truth : (Q,) bool
        Whether the truth has a region of a query.
    retrieved, fall_out, false_positives : (Q,) float
        Of each query's whole list; fall-out is NaN where undefined.
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
