"""Re-rankings on graphs beside their definitions, written out with descriptors, sets and loops."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.ranking.fusion import (
    Choices,
    Evidence,
    FeatureScores,
    MatrixScores,
    find_neighbours,
    fusions,
    pair_scores,
)
from tests.ranking.fusion_cases import LOOSE, features, loose, mask, of_matrix

KNOWN = fusions()


def asked(count: int, seed: int) -> tuple[np.ndarray, np.ndarray, Evidence]:
    rows = features(count + 1, seed)
    query, items = rows[0], rows[1:]
    known = Evidence(
        items @ query, FeatureScores(items), np.zeros((0, count)), np.ones(count, bool)
    )
    return query, items, known


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("power", [0, 1, 3])
def test_query_expansion_by_descriptors(seed, power):
    query, items, known = asked(30, seed)
    best = np.argsort(-known.query)[:5]
    weights = np.maximum(known.query[best], 0) ** power
    expected = items @ unit(query + weights @ items[best])
    found = KNOWN["alpha_qe"].fuse(known, loose(expansion_power=power))
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_augmentation_by_descriptors(seed):
    query, items, known = asked(30, seed)
    bad = 4
    expected = []
    for item in range(30):
        scores = items @ items[item]
        near = [other for other in np.argsort(-scores) if other != item][:6]
        near = [other for other in near if other != bad and scores[other] > 0]
        mean = items[item] + sum(scores[other] ** 3 * items[other] for other in near)
        expected.append(unit(mean) @ query)
    choices = Choices(irrelevant=mask(30, bad), more={"augmentation_neighbours": 6})
    found = KNOWN["database_augmentation"].fuse(known, choices)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("reach", [0.0, 0.5, 0.99])
def test_diffusion_by_the_dense_system(seed, reach):
    _, items, known = asked(40, seed)
    scores = items @ items.T
    np.fill_diagonal(scores, -9)
    near = np.argsort(-scores, axis=1)[:, :6]
    edges = np.zeros((40, 40))
    for one in range(40):
        for other in range(40):
            if other in near[one] and one in near[other]:
                edges[one, other] = max(scores[one, other], 0) ** 3
    degree = edges.sum(axis=1)
    scale = np.diag(1 / np.sqrt(np.where(degree > 0, degree, 1)))
    source = np.zeros(40)
    best = np.argsort(-known.query)[:5]
    source[best] = np.maximum(known.query[best], 0) ** 3
    spread = np.linalg.solve(np.eye(40) - reach * scale @ edges @ scale, source)
    found = KNOWN["diffusion"].fuse(known, loose(diffusion_neighbours=6, diffusion_reach=reach))
    np.testing.assert_allclose(found, spread / spread.max() + 1e-6 * known.query, atol=1e-7)


def test_diffusion_by_hand():
    # 0 – 1 joined, 2 apart; from item 0 with reach r: f0 = 1 + r f1, f1 = r f0
    known = of_matrix([0.9, 0.2, 0.5], [[1, 0.8, 0], [0.8, 1, 0], [0, 0, 1]])
    found = KNOWN["diffusion"].fuse(known, Choices(more={"diffusion_reach": 0.5}))
    np.testing.assert_allclose(found, [1, 0.5, 0], atol=2e-6)
    assert found[2] == pytest.approx(0.5e-6, rel=1e-9)  # not reached: ordered by the query


def test_feedback_moves_where_diffusion_starts():
    known = of_matrix([0.9, 0.2, 0.5], [[1, 0.8, 0], [0.8, 1, 0], [0, 0, 1]])
    judged = Choices(relevant=mask(3, 2), irrelevant=mask(3, 0))
    assert np.argmax(KNOWN["diffusion"].fuse(known, judged)) == 2


def reciprocal(items: np.ndarray, query: np.ndarray, k1: int, k2: int, direct: float) -> np.ndarray:
    """Zhong et al. 2017 with sets and loops; the query is no item's neighbour."""
    count = len(items)
    distance = 1 - items @ items.T
    order = [[one, *(o for o in np.argsort(distance[one]) if o != one)] for one in range(count)]

    def mutual(one: int, size: int) -> set[int]:
        return {other for other in order[one][: size + 1] if one in order[other][: size + 1]}

    def expanded(members: set[int]) -> set[int]:
        joined = set(members)
        for member in members:
            half = mutual(member, round(k1 / 2))
            if len(half & members) > 2 / 3 * len(half):
                joined |= half
        return joined

    encoded = np.zeros((count, count))
    for one in range(count):
        for other in expanded(mutual(one, k1)):
            encoded[one, other] = np.exp(-distance[one, other])
    encoded /= encoded.sum(axis=1, keepdims=True)
    encoded = np.array([np.mean([encoded[other] for other in order[one][:k2]], axis=0) for one in range(count)])  # fmt: skip  # noqa: E501
    apart = 1 - items @ query
    near = np.argsort(apart)[:k1]
    own = {int(o) for o in near if apart[o] <= distance[o, order[o][k1]]}
    vector = np.zeros(count)
    for other in expanded(own):
        vector[other] = np.exp(-apart[other])
    vector /= vector.sum() + 1
    vector = np.mean([vector, *(encoded[other] for other in near[: k2 - 1])], axis=0)
    shared = np.minimum(vector, encoded).sum(axis=1)
    return (1 - direct) * shared / (2 - shared) + direct * (1 - apart)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("k1", "k2", "direct"), [(8, 4, 0.3), (6, 1, 0.0), (11, 3, 1.0)])
def test_reciprocal_by_sets(seed, k1, k2, direct):
    query, items, known = asked(50, seed)
    more = {"reciprocal_neighbours": k1, "reciprocal_smoothing": k2, "reciprocal_direct": direct}
    found = KNOWN["k_reciprocal"].fuse(known, Choices(more=more))
    np.testing.assert_allclose(found, reciprocal(items, query, k1, k2, direct), atol=1e-9)


def test_reciprocal_heeds_feedback():
    _, _, known = asked(50, 1)
    order = np.argsort(-known.query)
    plain = KNOWN["k_reciprocal"].fuse(known, Choices())
    bad = KNOWN["k_reciprocal"].fuse(known, Choices(irrelevant=mask(50, order[0])))
    good = KNOWN["k_reciprocal"].fuse(known, Choices(relevant=mask(50, order[-1])))
    assert bad[order[0]] < plain[order[0]]
    assert good[order[-1]] > plain[order[-1]]


def test_neighbours_by_sorting():
    items = features(300, 3)
    scores = items @ items.T
    np.fill_diagonal(scores, -9)
    for between in (FeatureScores(items), MatrixScores(items @ items.T)):
        found = find_neighbours(between, 7)
        np.testing.assert_array_equal(found.item, np.argsort(-scores, axis=1)[:, :7])
        assert find_neighbours(between, 40).item.shape == (300, 40)


def test_unknown_scores_make_no_neighbours():
    matrix = np.full((4, 4), np.nan)
    matrix[0, 1] = matrix[1, 0] = 0.5
    near = find_neighbours(MatrixScores(matrix), 3)
    assert np.isfinite(near.score).sum() == 2
    for name in ("diffusion", "k_reciprocal", "database_augmentation"):
        known = of_matrix([0.9, 0.8, 0.7, 0.6], matrix.tolist())
        assert np.isfinite(KNOWN[name].fuse(known, loose())).all(), name


def test_scores_of_pairs():
    items = features(200, 2)
    random = np.random.default_rng(0)
    one, other = random.integers(0, 200, (2, 500))
    expected = (items[one] * items[other]).sum(axis=1)
    np.testing.assert_allclose(pair_scores(FeatureScores(items), one, other), expected)


def test_what_does_not_depend_on_the_query_is_made_once():
    class Counting(FeatureScores):
        asked = 0

        def rows(self, items: np.ndarray) -> np.ndarray:
            Counting.asked += len(items)
            return super().rows(items)

    rows = features(100)
    between = Counting(rows)
    known = Evidence(rows @ rows[0], between, np.zeros((0, 100)), np.ones(100, bool))
    for name in ("diffusion", "k_reciprocal", "database_augmentation"):
        KNOWN[name].fuse(known, Choices())
    before = Counting.asked
    for name in ("diffusion", "k_reciprocal", "database_augmentation"):
        KNOWN[name].fuse(known, Choices(top=3, at_least=LOOSE))
    assert Counting.asked == before
    KNOWN["cr"].fuse(known, Choices(top=3, at_least=LOOSE))
    assert Counting.asked == before + 3  # only the rows of the re-scoring items


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("diffusion", {"diffusion_reach": 1.0}),
        ("diffusion", {"diffusion_neighbours": 0}),
        ("k_reciprocal", {"reciprocal_direct": 1.5}),
        ("database_augmentation", {"augmentation_power": -1}),
    ],
)
def test_settings_out_of_range_are_refused(name, more):
    with pytest.raises(ValueError, match=next(iter(more))):
        KNOWN[name].fuse(asked(9, 0)[2], Choices(more=more))
