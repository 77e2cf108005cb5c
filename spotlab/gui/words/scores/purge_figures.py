"""What is left of a ranked list at a threshold: the figures, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from spotlab.measures.figure import Figure
from spotlab.model.ranked_list import RankedList
from spotlab.ranking.purge import PurgePoint

PURGE_FIGURES = {figure.name: figure for figure in (
    Figure("kept", "Kept", "count", 0,
           "How many items of the list score at least the threshold; the others are purged."),
    Figure("true", "Kept ✓", "count", 1, "How many of the kept items are relevant."),
    Figure("false", "Kept ✗", "count", -1, "How many of the kept items are not relevant."),
    Figure("unknown", "Kept, unknown", "count", 0,
           "How many of the kept items nobody has judged; they count neither as ✓ nor as ✗."),
    Figure("ties", "Ties at the cut", "count", 0,
           "How many kept items have the same score as the last one. A threshold keeps all of them "
           "or none. Undefined where nothing is kept."),
    Figure("precision", "Precision", "", 1,
           "P = ✓ / (✓ + ✗) of the kept items. Undefined where nothing known is kept."),
    Figure("recall", "Recall", "", 1,
           "R = kept ✓ / all relevant items of the collection, found or not. Undefined where "
           "none is known to be relevant."),
    Figure("f", "F", "", 1,
           "F = 2 P R / (P + R): high only where precision and recall both are. Undefined where "
           "one of them is."),
    Figure("removed", "✗ removed", "", 1,
           "Purged ✗ / all ✗ of the list: how much of what is wrong the threshold takes away. "
           "Undefined where the list has no ✗."),
    Figure("lost", "✓ lost", "", -1,
           "Purged ✓ / all ✓ of the list: what that costs. Undefined where the list has no ✓."),
)}  # fmt: skip

COUNTS = {"kept": "kept", "true": "✓", "false": "✗", "unknown": "?", "ties": "ties"}
SHARES = {"precision": "P", "recall": "R", "f": "F", "removed": "✗ out", "lost": "✓ lost"}


def purge_values(point: PurgePoint, ranked: RankedList) -> Mapping[str, float | None]:
    """The values of `PURGE_FIGURES`, None where they are undefined.

    Parameters
    ----------
    point : PurgePoint
        Of this list at a threshold.
    ranked : RankedList
    """
    return {
        "kept": point.kept,
        "true": point.true,
        "false": point.false,
        "unknown": point.unknown,
        "ties": ties_at(ranked, point.kept),
        "precision": point.precision,
        "recall": point.recall,
        "f": point.f,
        "removed": point.removed,
        "lost": point.lost_share,
    }


def ties_at(ranked: RankedList, kept: int) -> int | None:
    """How many other items share the score of the last that is kept; None where none is.

    Examples
    --------
    >>> ranked = RankedList("WS", np.arange(4), np.array([0.9, 0.7, 0.7, 0.2]))
    >>> ties_at(ranked, 3), ties_at(ranked, 1), ties_at(ranked, 0)
    (1, 0, None)
    """
    if not kept:
        return None
    rising, score = -ranked.score, -ranked.score[kept - 1]
    first, last = (np.searchsorted(rising, score, side=side) for side in ("left", "right"))
    return int(last - first) - 1
