"""Which label each spot lies on: what was taken for what.

A spot lies on the region that it is judged by (`errors.Errors.region`). A false spot lies on the
region of another label with which its IoU is highest, if that is .1 or more; else on no truth. This
is the assignment of detection confusion matrices, such as those of ultralytics and TIDE (Bolya et
al. 2020), with the kinds of `spotlab.measures.errors` deciding first.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from spotlab.arrays import Ints
from spotlab.measures.errors import (
    BACKGROUND,
    KINDS,
    ErrorKind,
    Errors,
    best_region,
    of_other_labels,
)
from spotlab.measures.iou import iou_pairs

_known: WeakKeyDictionary[Errors, Ints] = WeakKeyDictionary()


def regions_under(errors: Errors) -> Ints:
    """The region that each spot lies on.

    Parameters
    ----------
    errors : Errors
        Of N spots.

    Returns
    -------
    (N,) int
        Place in the tally; -1 for a spot on no truth.

    Notes
    -----
    A false spot is about a region of another label from an IoU of .1 on, as in Bolya et al. (2020).

    Examples
    --------
    >>> from spotlab.measures.errors import classify_errors
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.outlines import Outlines
    >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
    >>> regions_under(classify_errors(nothing)).tolist()
    []
    """
    tally = errors.tally
    iou, region = best_region(tally, iou_pairs(tally), of_other_labels(tally))
    near = (errors.kind == KINDS.index(ErrorKind.FALSE)) & (iou >= BACKGROUND)
    return np.where(near, region, errors.region)


def labels_under(errors: Errors) -> Ints:
    """The label that each spot lies on.

    Parameters
    ----------
    errors : Errors
        Of N spots and Q queries.

    Returns
    -------
    (N,) int
        Place in the tally's queries; Q for a region without a label, Q + 1 for no truth.

    Notes
    -----
    See `regions_under`, which follows Bolya et al. (2020).

    Examples
    --------
    >>> from spotlab.measures.errors import classify_errors
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.outlines import Outlines
    >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
    >>> labels_under(classify_errors(nothing)).tolist()
    []
    """
    errors = errors.whole or errors  # where lists end changes none of it
    known = _known.get(errors)
    if known is not None:
        return known
    tally, regions = errors.tally, regions_under(errors)
    queries = len(tally.queries)
    label = np.append(np.where(tally.region_query < 0, queries, tally.region_query), queries + 1)
    found: Ints = label[regions]  # -1 takes the last
    _known[errors] = found
    return found


def taken_for(errors: Errors, spot: int) -> str:
    """Name the other label that a spot lies on.

    Parameters
    ----------
    errors : Errors
        Of N spots.
    spot : int
        Place in the tally.

    Returns
    -------
    str
        Empty if it lies on no truth, or on that of its own query.
    """
    tally, label = errors.tally, int(labels_under(errors)[spot])
    if label == tally.query[spot] or label > len(tally.queries):
        return ""
    return tally.queries[label] if label < len(tally.queries) else "a region without label"


def queries_on(errors: Errors) -> Ints:
    """The query whose spot lies on each region under another label.

    Parameters
    ----------
    errors : Errors
        Of T regions.

    Returns
    -------
    (T,) int
        Place in the tally's queries, that of the spot with the highest IoU; -1 for no such spot.

    Notes
    -----
    See `regions_under`, which follows Bolya et al. (2020).

    Examples
    --------
    >>> from spotlab.measures.errors import classify_errors
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.outlines import Outlines
    >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
    >>> queries_on(classify_errors(nothing)).tolist()
    []
    """
    tally, regions = errors.tally, regions_under(errors)
    pairs = np.flatnonzero(
        (tally.pair_region == regions[tally.pair_spot]) & ~tally.own & errors.kept[tally.pair_spot]
    )
    pairs = pairs[np.argsort(iou_pairs(tally)[pairs], kind="stable")]  # the highest is last
    found = np.full(len(tally.region_area), -1, np.int64)
    found[tally.pair_region[pairs]] = tally.query[tally.pair_spot[pairs]]
    return found
