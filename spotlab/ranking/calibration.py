"""A common scale for the scores of different descriptors, on which a threshold keeps its meaning.

With blurred pixels two random digits reach a cosine of .8, with gradients that is rare. On the
common scale two random items have the score `RANDOM`; an item with `HIT` or more counts as found;
an item with `TIGHT` or more is so surely the same that one may search with it; an item compared
with itself has `IDENTICAL`. `RANDOM` was chosen so that scores of raw pixels, for which Hast (2020)
gives the thresholds .7 and .8, stay nearly as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.ranking.item_scores import ItemScores

RANDOM, HIT, TIGHT, IDENTICAL = 0.4, 0.7, 0.8, 1.0
SCALE = (RANDOM, HIT, TIGHT, IDENTICAL)

# Shares of random pairs, and of items by their nearest neighbour, that reach a hit and a tight one;
# chosen on pages of George Washington, where then about a half and a sixth of the items are false
BACKGROUND_SHARES = (0.005, 0.0013)
NEIGHBOUR_SHARES = (0.9, 0.5)
FEWEST = 10


@dataclass(frozen=True, eq=False)
class ScoreCalibration:
    """An increasing, piecewise linear map from raw scores to the common scale.

    Attributes
    ----------
    raw, score : (k,) float
        The knots of the map, k ≥ 2, both increasing. Beyond its ends the map continues with the
        slope of its first or last part, so that different scores stay different.
    source : str
        What it was fitted to: "none", "background" or "neighbours".

    Raises
    ------
    ValueError
        The map does not increase, or has fewer than two knots.
    """

    raw: NDArray[np.float64]
    score: NDArray[np.float64]
    source: str = "none"

    def __post_init__(self) -> None:
        for name in ("raw", "score"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        if self.raw.ndim != 1 or self.raw.shape != self.score.shape or len(self.raw) < 2:
            raise ValueError("a calibration needs two points or more, with a raw score and a score")
        if not all((np.diff(side) > 0).all() for side in (self.raw, self.score)):
            raise ValueError(f"a calibration has to rise, unlike {self.raw.tolist()}")

    @classmethod
    def none(cls) -> ScoreCalibration:
        """The calibration that leaves scores unchanged."""
        return cls(np.array([0.0, 1.0]), np.array([0.0, 1.0]))

    @classmethod
    def fit_background(
        cls, background: ArrayLike, neighbours: ArrayLike | None = None, identical: float = 1.0
    ) -> ScoreCalibration:
        """Fit without truth.

        Parameters
        ----------
        background : (M,) float
            Raw scores between random items of the collection; see `sample_scores`.
        neighbours : (L,) float, optional
            Raw scores of random items with their nearest other item.
        identical : float
            The raw score of an item with itself.

        Returns
        -------
        ScoreCalibration
            Through (median of the background, `RANDOM`), (hit, `HIT`), (tight, `TIGHT`) and
            (``identical``, `IDENTICAL`). One in 200 random pairs is a hit, and one in 770 is tight.
            With ``neighbours`` each knot is halfway between that score and the one that 9 in 10
            items (for a hit) or half of them (for a tight one) reach with their nearest neighbour.

        Raises
        ------
        ValueError
            There are fewer than 10 scores, or they do not tell items apart, as when most items have
            an identical one.

        Notes
        -----
        The share of random pairs alone makes lists too short if much is relevant to each query;
        neighbours alone come closer and closer as a collection grows.

        Examples
        --------
        >>> pairs, nearest = np.linspace(0, 0.6, 1001), np.linspace(0.5, 0.9, 101)
        >>> ScoreCalibration.fit_background(pairs, nearest).raw.round(3)
        array([0.3  , 0.568, 0.65 , 1.   ])
        """
        pairs = _finite(background)
        if len(pairs) < FEWEST:
            raise ValueError(f"{len(pairs)} pairs of items are too few to calibrate scores")
        bends = np.quantile(pairs, [1 - share for share in BACKGROUND_SHARES])
        source = "background"
        if neighbours is not None:
            nearest = _finite(neighbours)
            if len(nearest) < FEWEST:
                raise ValueError(f"{len(nearest)} items are too few to calibrate scores")
            reached = np.quantile(nearest, [1 - share for share in NEIGHBOUR_SHARES])
            bends, source = (bends + reached) / 2, "neighbours"
        return cls(np.array([np.median(pairs), *bends, identical]), np.array(SCALE), source)

    def apply(self, raw: ArrayLike) -> NDArray[np.float64]:
        """Map raw scores to the common scale.

        Parameters
        ----------
        raw : array_like of float
            Raw scores.

        Returns
        -------
        ndarray of float
            Of the shape of ``raw``; NaN stays NaN.

        Examples
        --------
        >>> ScoreCalibration([0.2, 0.6], [0.4, 0.8]).apply([0.0, 0.5, 1.0]).round(9)
        array([0.2, 0.7, 1.2])
        """
        return _along(self.raw, self.score, raw)

    def invert(self, score: ArrayLike) -> NDArray[np.float64]:
        """Map scores of the common scale back to raw scores.

        Parameters
        ----------
        score : array_like of float
            Scores on the common scale.

        Returns
        -------
        ndarray of float
            Of the shape of ``score``; NaN stays NaN.
        """
        return _along(self.score, self.raw, score)

    def as_dict(self) -> dict[str, Any]:
        """The calibration as values for JSON, with the keys "source", "raw" and "score"."""
        return {"source": self.source, "raw": self.raw.tolist(), "score": self.score.tolist()}


def sample_scores(
    between: ItemScores,
    *,
    count: int = 500,
    pairs: int = 400,
    elsewhere: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None = None,
    seed: int = 0,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw the scores of random items of a collection, to calibrate by.

    Parameters
    ----------
    between : ItemScores
        Scores of N items with each other.
    count : int
        Number of items to draw, without repetition; all if there are no more.
    pairs : int
        Number of random other items with which each is compared for the background.
    elsewhere : callable, optional
        For K items, a (K, N) bool array: which items are at another place and may be neighbours.
        Candidates that overlap have to be left out, or each would be the other's neighbour. The
        item itself is always left out.
    seed : int
        Seed of the random numbers.

    Returns
    -------
    background : (M,) float
        Raw scores between random items; undefined ones are left out.
    neighbours : (L,) float
        Raw scores with the nearest other item, of the items that have one.

    Examples
    --------
    >>> from spotlab.ranking.item_scores import FeatureScores
    >>> background, neighbours = sample_scores(FeatureScores(np.eye(30)))
    >>> len(neighbours), float(background.max())
    (30, 0.0)
    """
    random = np.random.default_rng(seed)
    drawn = random.permutation(len(between))[:count]
    background, neighbours = [np.zeros(0)], [np.zeros(0)]
    for part in np.array_split(drawn, max(1, len(drawn) // 50)):
        scores = np.array(between.rows(part), dtype=np.float64)
        if elsewhere is not None:
            scores[~elsewhere(part)] = np.nan
        scores[np.arange(len(part)), part] = np.nan
        others = (
            random.integers(0, len(between), (len(part), pairs)) if len(part) else part[:, None]
        )
        background.append(np.take_along_axis(scores, others, axis=1).ravel())
        neighbours.append(np.where(np.isnan(scores), -np.inf, scores).max(axis=1, initial=-np.inf))
    return _finite(np.concatenate(background)), _finite(np.concatenate(neighbours))


def _finite(values: ArrayLike) -> NDArray[np.float64]:
    flat = np.asarray(values, dtype=np.float64).reshape(-1)
    return flat[np.isfinite(flat)]


def _along(
    start: NDArray[np.float64], end: NDArray[np.float64], values: ArrayLike
) -> NDArray[np.float64]:
    given = np.asarray(values, dtype=np.float64)
    slope = (end[1] - end[0]) / (start[1] - start[0]), (end[-1] - end[-2]) / (start[-1] - start[-2])
    reach = 8 * (start[-1] - start[0])
    # numpy goes from point to point in one pass, but not beyond: so there are points far outside
    low, high = start[0] - reach, start[-1] + reach
    points = [low, *start, high], [end[0] - reach * slope[0], *end, end[-1] + reach * slope[1]]
    along: NDArray[np.float64] = np.asarray(np.interp(given, *points))
    for beyond, knot, place, rise in (
        (given < low, start[0], end[0], slope[0]),
        (given > high, start[-1], end[-1], slope[1]),
    ):
        if beyond.any():
            along[beyond] = place + (given[beyond] - knot) * rise
    return along
