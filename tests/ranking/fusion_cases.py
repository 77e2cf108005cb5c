"""Evidence for tests of fusions: drawn descriptors in clusters, as words are."""

from __future__ import annotations

import numpy as np

from spotlab.ranking.fusion import Choices, Evidence, FeatureScores, MatrixScores

LOOSE = -2.0  # a threshold below every cosine


def features(count: int, seed: int = 0, kinds: int = 4, size: int = 12) -> np.ndarray:
    random = np.random.default_rng(seed)
    centres = random.normal(size=(kinds, size))
    rows = centres[random.integers(0, kinds, count)] + 0.6 * random.normal(size=(count, size))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def evidence(count: int, seed: int = 0, lists: int = 3) -> Evidence:
    """One query, and lists that lack some items each."""
    random = np.random.default_rng(seed + 1000)
    rows = features(count + 1, seed)
    query = rows[1:] @ rows[0]
    several = query + 0.2 * random.normal(size=(lists, count))
    several[random.random(several.shape) < 0.3] = np.nan
    return Evidence(query, FeatureScores(rows[1:]), several, random.random(count) < 0.6)


def permuted(known: Evidence, order: np.ndarray) -> Evidence:
    assert known.between is not None
    between = known.between.among(order)
    return Evidence(known.query[order], between, known.lists[:, order], known.first_hits[order])


def of_matrix(query: list[float], matrix: list[list[float]], lists: object = None) -> Evidence:
    count = len(query)
    several = np.zeros((0, count)) if lists is None else np.array(lists, dtype=float)
    return Evidence(
        np.array(query, dtype=float), MatrixScores(np.array(matrix, dtype=float)), several,
        np.ones(count, dtype=bool),
    )  # fmt: skip


def mask(count: int, *items: int) -> np.ndarray:
    chosen = np.zeros(count, dtype=bool)
    chosen[list(items)] = True
    return chosen


def loose(**more: float) -> Choices:
    return Choices(top=5, at_least=LOOSE, more=more)
