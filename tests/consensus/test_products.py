"""Products in pieces are the products, whatever the shape of the table."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from spotlab.consensus.accuracy import multiply, multiply_transposed
from spotlab.consensus.agreement import measure_agreement
from spotlab.consensus.votes import Votes


@pytest.mark.parametrize("rows", [0, 1, 299, 300, 301, 5_000])
@pytest.mark.parametrize("wide", [(), (1,), (7,), (700,)])
def test_pieces_add_up(rows: int, wide: tuple[int, ...]) -> None:
    random = np.random.default_rng(rows)
    table = random.random((rows, 30))
    right, left = random.random((30, *wide)), random.random((rows, *wide))
    np.testing.assert_allclose(multiply(table, right), table @ right, rtol=1e-12)
    np.testing.assert_allclose(multiply_transposed(table, left), table.T @ left, rtol=1e-12)
    thin = sparse.csr_array(table)
    np.testing.assert_allclose(multiply_transposed(thin, left), table.T @ left, rtol=1e-12)


def test_agreement_counted_in_bits_is_that_of_pairs() -> None:
    """Unknown votes among yes and no: every pair of systems over the items that both know."""
    random = np.random.default_rng(3)
    rows = random.choice([0.0, 1.0, np.nan], (3_000, 6), p=[0.5, 0.3, 0.2])
    rows[:, 1] = np.where(random.random(3_000) < 0.7, rows[:, 0], rows[:, 1])
    found = measure_agreement(Votes.of(rows, list("abcdef")))
    for one in range(6):
        for other in range(6):
            there = ~np.isnan(rows[:, [one, other]]).any(axis=1)
            x, y = rows[there, one], rows[there, other]
            assert found.both[one, other] == there.sum()
            assert found.phi[one, other] == pytest.approx(np.corrcoef(x, y)[0, 1])
            assert found.jaccard[one, other] == (x * y).sum() / np.maximum(x, y).sum()
