"""All spots of a run as columns: where they are, what is wrong with them, what they lie on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.confusion import LabelAreas, regions_under
from spotlab.measures.errors import KINDS, Errors
from spotlab.measures.matching import iou_pairs
from spotlab.measures.tally import Tally

SPOT_COLUMNS = (
    "run", "query", "page", "rank", "score", "kind", "region", "label", "iou", "area", "own_share",
    "other_share", "no_truth_share",
)  # fmt: skip


def spot_columns(name: str, errors: Errors, areas: LabelAreas) -> dict[str, list[Any]]:
    """All spots of a run that were evaluated.

    Parameters
    ----------
    name : str
        Of the run.
    errors : Errors
        The kinds of its N spots.
    areas : LabelAreas
        What they lie on.

    Returns
    -------
    dict of str to list
        The columns of `SPOT_COLUMNS`, N rows in order of query and rank: kind of error; id, label
        and IoU of the region that the spot is judged by or, if it is false, lies on; its area in
        px²; the shares of it on truth of its query, of other labels, and on none. None where
        undefined.
    """
    tally, region = errors.tally, regions_under(errors)
    on_one = region >= 0
    ids: list[str | None] = np.array([*tally.region_id, None], np.object_)[region].tolist()
    labels = np.array([*tally.queries, ""], np.object_)  # -1 takes the last
    under = labels[np.append(tally.region_query, -1)[region]]
    label = [name if on else None for name, on in zip(under.tolist(), on_one.tolist(), strict=True)]
    columns = (
        [name] * len(tally),
        _names(tally.queries, tally.query),
        _names(tally.pages, tally.page),
        tally.rank.tolist(),
        _numbers(tally.score),
        _names([str(kind) for kind in KINDS], errors.kind),
        ids,
        label,
        _numbers(np.where(on_one, iou_with(tally, region), np.nan)),
        tally.area.tolist(),
        *(_numbers(shares) for shares in areas.shares.T),
    )
    return dict(zip(SPOT_COLUMNS, columns, strict=True))


def iou_with(tally: Tally, region: Ints) -> Floats:
    """(N,) each spot's IoU with this region; 0 where they do not overlap."""
    found = np.zeros(len(tally))
    at = tally.pair_region == region[tally.pair_spot]
    found[tally.pair_spot[at]] = iou_pairs(tally)[at]
    return found


def _names(names: Sequence[str], number: NDArray[Any]) -> list[str]:
    found: list[str] = np.array(names, np.object_)[number].tolist() if len(number) else []
    return found


def _numbers(values: Floats) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]
