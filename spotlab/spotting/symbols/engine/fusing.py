"""What all models of a label find on a page, in one list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from spotlab.geometry.box_pairs import pair_boxes
from spotlab.geometry.outlines import Outlines
from spotlab.spotting.symbols.engine.method import Method
from spotlab.spotting.symbols.engine.page_features import Found, Query, Seen

SAME = 0.5  # intersection over union of two bounding boxes from which they are one place


def spotted(method: Method, page: Seen, queries: Iterable[Query]) -> dict[str, Found]:
    """What a method finds on a page of each label, in the order in which these come first.

    Queries of one name are several models of one label.
    """
    found: dict[str, list[Found]] = {}
    for query in queries:
        found.setdefault(query.name, []).append(method.spot(page, query))
    return {label: fused(several) for label, several in found.items()}


def fused(several: Sequence[Found], same: float = SAME) -> Found:
    """The best of each place, best first.

    From the best score down, a spot is kept unless it lies on one that is. Equal scores keep their
    order; one list is left as it is.

    Examples
    --------
    >>> def found(left, score):
    ...     square = [(left, 0), (left + 10, 0), (left + 10, 10), (left, 10)]
    ...     return Found(Outlines.of([square]), np.array([score]))
    >>> fused([found(0, 0.5), found(1, 0.75), found(30, 0.25)]).scores.tolist()
    [0.75, 0.25]
    """
    if len(several) == 1:
        return several[0]
    outlines = Outlines.of([each.outlines[place] for each in several for place in range(len(each))])
    scores = np.concatenate([np.empty(0), *(each.scores for each in several)])
    order = np.argsort(-scores, kind="stable")
    outlines = outlines.take(order)
    pairs = pair_boxes(outlines.bounds, outlines.bounds)
    meeting = (pairs.iou >= same) & (pairs.first < pairs.second)
    is_kept = np.ones(len(order), np.bool_)
    for better, worse in zip(
        pairs.first[meeting].tolist(), pairs.second[meeting].tolist(), strict=True
    ):
        if is_kept[better]:
            is_kept[worse] = False
    kept = np.flatnonzero(is_kept)
    return Found(outlines.take(kept), scores[order[kept]])
