"""How large symbols of each label are, on pages that are drawn at different scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.spotting.symbols.proposals.appearance import PLACED, figures_count
from spotlab.spotting.symbols.proposals.lesson import Lesson

_LEAST = 0.15  # spread of a label's sizes on one page, as a natural logarithm
_LEAST_BETWEEN = 0.3  # spread of the pages' scales
_SURE = 0.5  # score from which a candidate tells of the page's scale
_FEW = 3  # candidates that tell of it, at least
_MOST = 16.0  # squared deviation that counts


def sizes_on_page(rows: NDArray[np.float32]) -> Floats:
    """Read the sizes of described regions.

    Parameters
    ----------
    rows : (N, D) float32
        See `describe_appearance`.

    Returns
    -------
    (N,) float
        Natural logarithms, in units of the page's size.

    Examples
    --------
    >>> sizes_on_page(np.zeros((2, 500), np.float32)).tolist()
    [0.0, 0.0]
    """
    return rows[:, PLACED.index("size on page") - figures_count()].astype(np.float64)


@dataclass(frozen=True, eq=False)
class SymbolSizes:
    """Sizes of each label's regions; `measure_sizes` makes it.

    Attributes
    ----------
    means : (L,) float
        Natural logarithms, in units of the page's size, on a page of usual scale.
    spreads : (L,) float
        Standard deviations on one page.
    between : float
        Standard deviation of the pages' scales.
    """

    means: Floats
    spreads: Floats
    between: float

    def misfits(self, sizes: Floats, scores: Floats) -> Floats:
        """Compute how unusual sizes are for each label.

        Where at least three candidates are likely, they tell the page's scale.

        Parameters
        ----------
        sizes : (N,) float
            Of a page's candidates.
        scores : (N, L) float
            About 1 for regions of a label, about 0 for others.

        Returns
        -------
        (N, L) float
            Squared deviation in standard deviations, at most 16.

        Examples
        --------
        >>> model = SymbolSizes(np.array([-3.0]), np.array([0.5]), 0.0)
        >>> model.misfits(np.array([-3.0, -4.0]), np.zeros((2, 1))).ravel().tolist()
        [0.0, 4.0]
        """
        label = scores.argmax(1)
        sure = np.flatnonzero(scores.max(1, initial=0) >= _SURE)
        scale, unsure = 0.0, self.between
        if len(sure) >= _FEW:
            reach = 2 * self.between
            scale = float(np.median(sizes[sure] - self.means[label[sure]]).clip(-reach, reach))
            unsure = self.between / np.sqrt(len(sure))
        apart = sizes[:, None] - scale - self.means
        return np.asarray((apart**2 / (self.spreads**2 + unsure**2)).clip(max=_MOST))


def measure_sizes(lessons: Sequence[Lesson], labels: Sequence[str]) -> SymbolSizes:
    """Measure how large the regions of each label are, apart from the scale of their pages.

    Parameters
    ----------
    lessons : sequence of Lesson
    labels : sequence of str
        Each with at least one region.

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
    >>> square = Outlines.of([[(0, 0), (9, 0), (9, 9), (0, 9)]])
    >>> one, rows = np.ones(1), np.full((1, 500), -3, np.float32)
    >>> lesson = Lesson("page", square.bounds, rows, ("bed",), one, one, square, ("bed",))
    >>> round(float(np.exp(measure_sizes([lesson], ["bed"]).means[0])), 2)
    0.05
    """
    place = {label: number for number, label in enumerate(labels)}
    sizes, own, pages = [], [], []
    for page, lesson in enumerate(lessons):
        for size, name in zip(sizes_on_page(lesson.rows), lesson.names, strict=False):
            if name in place:
                sizes.append(size)
                own.append(place[name])
                pages.append(page)
    size, label, page_of = np.array(sizes), np.array(own), np.array(pages)
    scales = np.zeros(len(lessons))
    means = np.zeros(len(labels))
    for _ in range(4):
        left = size - scales[page_of]
        means = np.array([left[label == number].mean() for number in range(len(labels))])
        apart = size - means[label]
        scales = np.array(
            [np.median(apart[page_of == page]) if (page_of == page).any() else 0.0
             for page in range(len(lessons))]
        )  # fmt: skip
    left = size - scales[page_of] - means[label]
    spreads = [np.sqrt((left[label == number] ** 2).mean()) for number in range(len(labels))]
    between = float(np.sqrt(scales.var() + _LEAST_BETWEEN**2))
    return SymbolSizes(means, np.hypot(spreads, _LEAST), between)
