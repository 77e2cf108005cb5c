"""Agreement of two annotators region by region: which regions match, and Cohen's κ of the labels.

Each region takes part in one pair at most; pairs are formed in the order of their intersection over
union (IoU), whatever the labels are. κ (Cohen 1960) is over all pairs and all regions without a
partner, and "unmatched" is a category of its own. What neither has drawn cannot be counted, so κ is
low, or below 0, where all regions have one label or the two share hardly any. Nassar et al. (2019)
measure the agreement of object annotations by Krippendorff's α.

References
----------
J. Cohen, A coefficient of agreement for nominal scales, 1960.
J. Nassar, V. Pavon-Harr, M. Bosch, I. McCulloh, Assessing data quality of annotations with
Krippendorff alpha for applications in computer vision, 2019.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures.area import ratio

UNMATCHED = None  # the label that the other annotator gives to a region without a partner
KAPPA = (
    "Cohen's κ over matched regions and regions without a partner; unmatched is a category of its "
    "own. 1 is full agreement, 0 what chance gives."
)
Pair = tuple[Hashable, Hashable]


def match_regions(pairs: Ints, iou: Floats, first: int, threshold: float = 0.5) -> Ints:
    """Match regions of two annotators, those with the highest IoU first.

    Parameters
    ----------
    pairs : (K, 2) int
        Positions of overlapping regions, among the first annotator's and the second's.
    iou : (K,) float
        Intersection over union of each pair, in [0, 1].
    first : int
        Number of regions of the first annotator.
    threshold : float
        IoU in (0, 1] that a match has to reach.

    Returns
    -------
    (first,) int
        The second annotator's region of each; -1 for a region without a partner. Of pairs with
        equal IoU the earlier regions match.

    Examples
    --------
    >>> match_regions(np.array([[0, 0], [1, 0]]), np.array([0.6, 0.9]), 2)
    array([-1,  0])
    """
    matched = np.full(first, -1, np.int64)
    able = np.flatnonzero(iou >= min(threshold, 1 - 1e-10))
    taken: set[int] = set()
    for at in able[np.lexsort((pairs[able, 1], pairs[able, 0], -iou[able]))].tolist():
        one, other = pairs[at].tolist()
        if matched[one] < 0 and other not in taken:
            matched[one] = other
            taken.add(other)
    return matched


def cohen_kappa(items: Iterable[Pair]) -> float:
    """Compute Cohen's κ of two raters.

    Parameters
    ----------
    items : iterable of (first, second)
        The categories that the two give to each item.

    Returns
    -------
    float
        In [-1, 1]; NaN without items, and where both give one and the same category to all items,
        as chance alone would explain that.

    Notes
    -----
    (p_o − p_e) / (1 − p_e), with the observed share of equal categories p_o and the share p_e that
    is expected of independent raters (Cohen 1960, eq. 1).

    Examples
    --------
    Three alike of four, with "a" twice and three times: p_e = (2·3 + 2·1)/16 = 0.5.

    >>> cohen_kappa([("a", "a"), ("a", "a"), ("b", "b"), ("b", "a")])
    0.5
    """
    table = Counter(items)
    count = sum(table.values())
    rows: Counter[Hashable] = Counter()
    columns: Counter[Hashable] = Counter()
    for (one, other), number in table.items():
        rows[one] += number
        columns[other] += number
    alike = sum(number for (one, other), number in table.items() if one == other)
    chance = sum(number * columns[label] for label, number in rows.items())
    return float(ratio(alike * count - chance, count * count - chance))
