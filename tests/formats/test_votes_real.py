"""Votes of real systems: what was measured of them before has to come out again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.consensus.comparison import kendall
from spotlab.consensus.precision import (
    Weights,
    consensus_of,
    figures_with_truth,
    gram_of,
    uniform_weights,
    vote_share_weights,
)
from spotlab.formats.votes import VoteTable, read_votes, write_votes
from spotlab.formats.votes.format import Method

DATA = Path(__file__).resolve().parents[3] / "shared/data"
KANT, TREC, CROWDS = (DATA / name for name in ("kant_ocr_systems", "trec_robust03", "crowd_labels"))

needs_kant = pytest.mark.skipif(not KANT.is_dir(), reason=f"{KANT} is not there")
needs_trec = pytest.mark.skipif(not TREC.is_dir(), reason=f"{TREC} is not there")
needs_crowds = pytest.mark.skipif(not CROWDS.is_dir(), reason=f"{CROWDS} is not there")


def beside_truth(table: VoteTable, weights: Weights) -> tuple[float, float, float]:
    """Kendall's τ of F with that by truth, and the mean errors of precision and recall."""
    assert table.truth is not None
    found = consensus_of(gram_of(table.votes), weights)
    precision, recall, f = figures_with_truth(table.votes, table.truth)
    tau = kendall(found.f, f)
    assert tau is not None
    errors = [np.abs(found.precision - precision).mean(), np.abs(found.recall - recall).mean()]
    return round(tau, 2), round(float(errors[0]), 2), round(float(errors[1]), 2)


@needs_kant
@pytest.mark.parametrize("method", ["bag_of_words", "alignment"])
def test_systems_that_read_kant(method: Method) -> None:
    table = read_votes(KANT, method=method)
    assert table.systems == (
        "OCRO-fraktur", "OCRO-frakturjze", "TESS-Fraktur--Latin", "TESS-Fraktur", "TESS-frk--deu",
        "TESS-frk", "TESS-gt4histocr",
    )  # fmt: skip
    assert set(table.pages) == {"INPUT_0017", "INPUT_0020"}
    assert not table.bad_lines
    assert beside_truth(table, uniform_weights(7)) == (0.62, 0.07, 0.12)
    tau, precision, recall = beside_truth(table, vote_share_weights(7))
    assert (tau, recall) == (0.62, 0.06)
    assert precision <= 0.06
    assert table.truth is not None
    f = figures_with_truth(table.votes, table.truth)[2]
    assert table.systems[int(f.argmax())] == "TESS-gt4histocr"


@needs_trec
@pytest.mark.parametrize(
    ("depth", "items", "figures"),
    [(20, 5176, (0.39, 0.10, 0.04)), (100, 23722, (0.24, 0.30, 0.12))],
)
def test_runs_of_trec(depth: int, items: int, figures: tuple[float, float, float]) -> None:
    table = read_votes(TREC, depth=depth)
    assert (len(table.systems), len(table)) == (17, items)
    assert beside_truth(table, uniform_weights(17)) == figures


@needs_crowds
def test_a_crowd_and_its_truth(tmp_path: Path) -> None:
    folder = CROWDS / "d_jn-product"
    table = read_votes([folder / "answer.csv", folder / "truth.csv"])
    assert (len(table), len(table.systems)) == (8315, 176)
    assert table.votes.counts_known.sum() == len((folder / "answer.csv").read_text().split()) - 1
    assert table.truth is not None
    assert not np.isnan(table.truth).any()
    write_votes(table, tmp_path / "wide.csv")
    again = read_votes(tmp_path / "wide.csv")
    assert (again.items, again.systems) == (table.items, table.systems)
    np.testing.assert_array_equal(again.votes.dense(), table.votes.dense())
    np.testing.assert_array_equal(again.truth, table.truth)


@needs_crowds
def test_answers_that_are_categories_need_to_know_which_is_a_yes() -> None:
    folder = CROWDS / "s4_Dog_data"
    table = read_votes([folder / "answer.csv", folder / "truth.csv"], yes=["2", "3"])
    assert (len(table), len(table.systems), len(table.bad_lines)) == (807, 109, 0)
    assert not table.votes.complete
    plain = read_votes(folder / "answer.csv")
    assert "a word that the option yes names" in plain.bad_lines[0].problem
