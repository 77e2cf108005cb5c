"""What speaks for and against spots: how they score, how they look, what else is there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Flags, Floats, Ints
from spotlab.spotting.symbols.lessons.appearance import Vectors
from spotlab.spotting.symbols.lessons.model_spots import ModelSpots, overlaps_of

SAME = 0.5  # intersection over union from which spots are at one place
WITHIN = 0.6  # share of a spot in another label's from which that one competes
NOWHERE = -1  # the region of a spot that is on none
_UNLIKE_SIZE = 1.0  # difference in the logarithm of areas, of a label without a known size

NAMES = (
    "score", "thin", "solid", "scale", "stretch", "nearest", "margin", "agreement", "second",
    "rival", "rival_margin", "size",
)  # fmt: skip
# what the evidence of three floor plans is on average, and how far it spreads; the weights that
# were fitted there, rounded, are the prior; a size says nothing until there are examples
CENTRE = np.array([0.45, 0.47, 0.36, 0.17, 0.12, 0.47, -0.03, 0.29, 0.22, 0.16, -0.14, 0.22])
SPREAD = np.array([0.21, 0.32, 0.43, 0.16, 0.16, 0.31, 0.44, 0.24, 0.28, 0.30, 0.37, 0.23])
PRIOR = np.array([0.7, 0.3, 0.6, -1.2, -0.6, 0.3, 0.8, 0.5, 0.8, -0.6, -0.9, 0.0, -1.3])


@dataclass(frozen=True, eq=False)
class KnownLooks:
    """How places look that a model was found at on the lessons.

    Attributes
    ----------
    right, wrong : (K, G) float32
        Of unit length: where it was right, and where it was wrong.
    region : (K,) int
        The region of each place where it was right.
    spot : (K,) int
        Number of each wrong spot among those that were learned from.
    """

    right: Vectors
    wrong: Vectors
    region: Ints
    spot: Ints


@dataclass(frozen=True, eq=False)
class Known:
    """What lessons say of labels and models.

    Attributes
    ----------
    looks : tuple of KnownLooks
        Of each model.
    models : (L,) int
        Number of models of each label.
    sizes : tuple of (K, 2) float
        Of each label: the areas of its regions in px², and their numbers.
    competes : (L, L) bool
        Labels of which one place can only have one; also a label with itself.
    """

    looks: tuple[KnownLooks, ...]
    models: Ints
    sizes: tuple[Floats, ...]
    competes: Flags


def flat_looks(spots: ModelSpots) -> Vectors:
    """Join lines and solid ink of the looks of spots, to unit length.

    Parameters
    ----------
    spots : ModelSpots

    Returns
    -------
    (N, G) float32
    """
    looks = spots.look.reshape(len(spots), spots.look.shape[1] * spots.look.shape[2])
    lengths = np.linalg.norm(looks, axis=1, keepdims=True)  # there may be no solid ink
    return np.asarray(looks / np.maximum(lengths, 1e-6), np.float32)


def place_spots(spots: ModelSpots) -> tuple[Ints, list[Ints]]:
    """Choose the best spot at each place of each label.

    Parameters
    ----------
    spots : ModelSpots

    Returns
    -------
    chosen : (C,) int
        By label, and then from the best merit down.
    together : list of (K,) int
        All spots of the label at each of the places, with the chosen one.
    """
    pairs = overlaps_of(spots.outlines, spots.outlines)
    same = (pairs.iou >= SAME) & (spots.label[pairs.first] == spots.label[pairs.second])
    near: list[list[int]] = [[] for _ in range(len(spots))]
    for one, other in zip(pairs.first[same].tolist(), pairs.second[same].tolist(), strict=True):
        near[one].append(other)
    taken = np.zeros(len(spots), np.bool_)
    chosen = []
    for number in np.lexsort([-spots.merit, spots.label]).tolist():
        if not taken[near[number]].any():
            chosen.append(number)
            taken[number] = True
    return np.array(chosen, np.int64), [
        np.array(near[number] or [number], np.int64) for number in chosen
    ]


def evidence_of(
    spots: ModelSpots, known: Known, regions: Ints | None = None, numbers: Ints | None = None
) -> tuple[Ints, Floats]:
    """Gather what speaks for and against the best spot at each place.

    Parameters
    ----------
    spots : ModelSpots
    known : Known
    regions : (N,) int, optional
        On a lesson itself: the region that each spot is on, or `NOWHERE`; what is known from it, or
        from the spot, is left out.
    numbers : (N,) int, optional
        Likewise: the numbers of these spots among all that were learned from.

    Returns
    -------
    chosen : (C,) int
        Numbers of the spots.
    evidence : (C, 12) float
        In the order of `NAMES`; not yet scaled.
    """
    chosen, together = place_spots(spots)
    merit, looks = spots.merit, flat_looks(spots)
    rivals = _rivals(spots, merit, known.competes)
    rows = []
    for number, group in zip(chosen.tolist(), together, strict=True):
        label, region, itself = int(spots.label[number]), NOWHERE, -1
        if regions is not None and numbers is not None:
            region, itself = int(regions[number]), int(numbers[number])
        others = known.looks[spots.model[number]]
        right = others.right[(others.region != region) | (region == NOWHERE)] @ looks[number]
        wrong = others.wrong[others.spot != itself] @ looks[number]
        nearest = max(float(right.max(initial=0.0)), 0.0)
        farther = max(float(wrong.max(initial=0.0)), 0.0)
        best = np.sort(
            [merit[group[spots.model[group] == one]].max() for one in np.unique(spots.model[group])]
        )[::-1]
        count = max(int(known.models[label]) - (region != NOWHERE), 1)
        sizes = known.sizes[label][known.sizes[label][:, 1] != region, 0]
        apart = np.abs(np.log(max(spots.area[number], 1.0) / np.maximum(sizes, 1.0)))
        rows.append(
            [
                spots.score[number],
                *spots.likeness[number],
                spots.scale[number],
                spots.stretch[number],
                nearest,
                nearest - farther,
                len(best) / count,
                best[1] if len(best) > 1 else 0.0,
                rivals[number],
                max(rivals[number] - merit[number], -0.5),
                apart.min(initial=_UNLIKE_SIZE),
            ]
        )
    return chosen, np.array(rows, np.float64).reshape(-1, len(NAMES))


def _rivals(spots: ModelSpots, merit: Floats, competes: Flags) -> Floats:
    """(N,) the best merit of another label's spots that cover a spot, or 0."""
    pairs = overlaps_of(spots.outlines, spots.outlines)
    one, other = spots.label[pairs.first], spots.label[pairs.second]
    there = (pairs.of_first >= WITHIN) & (one != other) & competes[one, other]
    rivals = np.zeros(len(spots))
    np.maximum.at(rivals, pairs.first[there], merit[pairs.second[there]])
    return rivals
