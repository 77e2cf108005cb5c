"""Scores of words with each other: overlapping items, likely pairs, one common scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.boxes import pair_boxes
from spotlab.geometry.outlines import concatenate_ranges
from spotlab.model.ranked_list import Items
from spotlab.ranking.calibration import ScoreCalibration, sample_scores
from spotlab.ranking.item_scores import FeatureScores, ItemScores
from spotlab.representation import short_repr

MIN_SHARE = 0.25  # of the smaller box; items that share less are neighbours in a line


@dataclass(frozen=True, eq=False)
class ItemOverlaps:
    """For each of N items, those that lie on it.

    Attributes
    ----------
    starts : (N + 1,) int
        Where each item's others begin and end.
    other : (P,) int32
    share : (P,) float32
        Of the smaller box's area; `MIN_SHARE` or more.
    """

    starts: NDArray[np.int64]
    other: NDArray[np.int32]
    share: NDArray[np.float32]

    __repr__ = short_repr

    @classmethod
    def of(cls, items: Items) -> ItemOverlaps:
        """Find the overlaps of items.

        Parameters
        ----------
        items : Items
            In order of their pages.
        """
        counts = np.zeros(len(items), np.int64)
        others, shares = [], []
        bounds = np.searchsorted(items.page, np.arange(len(items.pages) + 1))
        for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            pairs = pair_boxes(items.boxes[start:stop], items.boxes[start:stop])
            share = pairs.share_of_smaller
            kept = (share >= MIN_SHARE) & (pairs.first != pairs.second)
            counts[start:stop] = np.bincount(pairs.first[kept], minlength=stop - start)
            others.append((start + pairs.second[kept]).astype(np.int32))
            shares.append(share[kept].astype(np.float32))
        return cls(
            np.concatenate([[0], np.cumsum(counts)]),
            np.concatenate(others) if others else np.empty(0, np.int32),
            np.concatenate(shares) if shares else np.empty(0, np.float32),
        )

    def best(
        self, places: NDArray[np.int64], scores: NDArray[np.float64], overlap: float
    ) -> NDArray[np.int64]:
        """Find, for each of some items, the best one that it lies on and that is kept.

        From the best score down, an item is kept unless it lies on one that is; one that is kept
        has itself. Equal scores keep their order.

        Parameters
        ----------
        places : (K,) int
            Of the items, rising.
        scores : (K,) float
        overlap : float
            Share of the smaller box from which two items lie on each other, `MIN_SHARE` or more;
            above 1 none do.

        Returns
        -------
        (K,) int
            Positions among the K.

        Examples
        --------
        >>> items = Items(("page",), [0, 0, 0], [[0, 0, 9, 9], [1, 0, 9, 9], [20, 0, 29, 9]])
        >>> scores = np.array([0.5, 0.9, 0.7])
        >>> ItemOverlaps.of(items).best(np.arange(3), scores, overlap=0.5).tolist()
        [1, 1, 2]
        """
        count = len(places)
        rank = np.empty(count, np.int64)
        rank[np.argsort(-scores, kind="stable")] = np.arange(count)
        better, worse = self._pairs(places, overlap)
        in_order = rank[better] < rank[worse]
        better, worse = better[in_order], worse[in_order]
        open_ones = np.ones(count, np.bool_)
        kept = np.zeros(count, np.bool_)
        live = np.arange(len(better))
        while open_ones.any():
            # who has no better open neighbour is kept, whatever becomes of the others
            blocked = np.zeros(count, np.bool_)
            blocked[worse[live]] = True
            kept |= open_ones & ~blocked
            open_ones &= blocked
            open_ones[worse[live[kept[better[live]]]]] = False
            live = live[open_ones[better[live]] & open_ones[worse[live]]]
        owner = np.arange(count)
        decisive = np.flatnonzero(kept[better])
        decisive = decisive[np.argsort(-rank[better[decisive]], kind="stable")]
        owner[worse[decisive]] = better[decisive]  # the best comes last and stays
        return owner

    def _pairs(
        self, places: NDArray[np.int64], overlap: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Pairs of positions among some items that lie on each other, both ways."""
        counts = self.starts[places + 1] - self.starts[places]
        first = np.repeat(np.arange(len(places)), counts)
        entry = concatenate_ranges(self.starts[places], counts)
        entry_kept = self.share[entry] >= overlap
        first, entry = first[entry_kept], entry[entry_kept]
        position = np.full(len(self.starts) - 1, -1, np.int64)
        position[places] = np.arange(len(places))
        second = position[self.other[entry]]
        both = second >= 0
        return first[both], second[both]


def fit_scale(features: NDArray[np.float32], overlaps: ItemOverlaps) -> ScoreCalibration:
    """Fit the scale of a collection, without truth: by how similar its words are by chance.

    Parameters
    ----------
    features : (N, D) float32
        Rows of length 1.
    overlaps : ItemOverlaps
        Which of them lie on each other, and so are no neighbours.

    Returns
    -------
    ScoreCalibration
        Leaves cosines as they are where words are too few, or all alike.

    Examples
    --------
    >>> from spotlab.model.ranked_list import Items
    >>> items = Items(("page",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]])
    >>> fit_scale(np.eye(2, dtype=np.float32), ItemOverlaps.of(items)).apply(np.array([0.5]))
    array([0.5])
    """

    def elsewhere(items: NDArray[np.int64]) -> NDArray[np.bool_]:
        apart = np.ones((len(items), len(features)), np.bool_)
        for row, item in enumerate(items.tolist()):
            apart[row, overlaps.other[overlaps.starts[item] : overlaps.starts[item + 1]]] = False
        return apart

    background, neighbours = sample_scores(FeatureScores(features), elsewhere=elsewhere)
    try:
        return ScoreCalibration.fit_background(background, neighbours)
    except ValueError:
        return ScoreCalibration.none()


@dataclass(frozen=True, eq=False)
class CalibratedScores:
    """Cosines of descriptors on a common scale, computed when they are asked for.

    Attributes
    ----------
    features : (N, D) float32
        Rows of length 1.
    scale : ScoreCalibration
    """

    features: NDArray[np.float32]
    scale: ScoreCalibration

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.features)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """Compute the scores of some items with all.

        Parameters
        ----------
        items : (K,) int

        Returns
        -------
        (K, N) float
        """
        raw = self.features[items] @ self.features.T
        return self.scale.apply(raw)

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """Restrict the scores to some items.

        Parameters
        ----------
        items : (K,) int

        Returns
        -------
        ItemScores
            Of shape (K, K).
        """
        return CalibratedScores(self.features[items], self.scale)


_ROWS = 4_000  # items that are compared; more only take longer
_NEAREST = 3
_SURE = 0.8  # share of mutual neighbours, from the most similar on, that are taken
_SEED = 20260102


def likely_pairs(
    features: NDArray[np.float32], page: NDArray[np.int64], boxes: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find mutual nearest neighbours at different places.

    Each of two items is among the three that resemble the other most, not counting those that lie
    on it. Of these pairs the more similar four fifths are taken.

    Parameters
    ----------
    features : (N, k) float32
        Rows of length 1, or 0 where there is no ink. Of more than 4,000 some are drawn, always the
        same.
    page : (N,) int
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    one, other : (P,) int

    Examples
    --------
    >>> features = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
    >>> likely_pairs(features, np.zeros(3, int), np.array([[0, 0, 9, 9], [20, 0, 29, 9],
    ...              [40, 0, 49, 9]], float))
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    drawn = np.arange(len(features))
    if len(drawn) > _ROWS:
        drawn = np.sort(np.random.default_rng(_SEED).choice(drawn, _ROWS, replace=False))
    near, score = _nearest(features[drawn], page[drawn], boxes[drawn])
    own = np.arange(len(drawn))[:, None]
    mutual = (near[near] == own[:, :, None]).any(axis=2) & (own < near) & np.isfinite(score)
    one, column = np.nonzero(mutual)
    other, alike = near[one, column], score[one, column]
    sure = np.argsort(-alike, kind="stable")[: int(np.ceil(_SURE * len(alike)))]
    sure.sort()
    return drawn[one[sure]], drawn[other[sure]]


def _nearest(
    features: NDArray[np.float32], page: NDArray[np.int64], boxes: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """(N, 3) the nearest others elsewhere and their scores, -inf where there is none."""
    count = min(_NEAREST, max(len(features) - 1, 0))
    near = np.zeros((len(features), count), np.int64)
    score = np.full((len(features), count), -np.inf, np.float32)
    for number in np.unique(page).tolist() if count else ():
        here = np.flatnonzero(page == number)
        rows = features[here] @ features.T
        lying = pair_boxes(boxes[here], boxes[here])
        rows[lying.first, here[lying.second]] = -np.inf
        rows[np.arange(len(here)), here] = -np.inf
        best = np.argpartition(rows, -count, axis=1)[:, -count:]
        near[here], score[here] = best, np.take_along_axis(rows, best, axis=1)
    return near, score
