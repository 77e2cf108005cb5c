"""Boxes that another program found are described as the words of the index are."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from spotlab.model import Items
from spotlab.resources import LETTERS, sample_collection
from spotlab.spotting.words.box_scores import BoxScores
from spotlab.spotting.words.index import build_index, read_words


def test_scores_of_given_boxes_are_those_of_the_same_words_and_unknown_where_there_is_no_page(
    tmp_path: Path,
) -> None:
    index = build_index([sample_collection(LETTERS) / "letter_001.jpg"], cache=tmp_path)
    own = index.items.boxes[:4]
    [file] = tmp_path.rglob("*.words")
    kept = read_words(file)
    assert kept is not None
    moved = kept.seen[:4] + 0.25  # no box of the index: it is described anew
    boxes = np.concatenate([own, moved, [[0, 0, 9, 9]]])
    items = Items(("letter_001.jpg", "gone"), [0] * 8 + [1], boxes)
    described = BoxScores.of(index, [items])
    assert described.known(items) == 8
    rows = described.among(items).rows(np.arange(9))
    expected = index.scale.apply(index.features[:4] @ index.features[:4].T)
    np.testing.assert_allclose(rows[:4, :4], expected, atol=1e-6)
    assert (np.diag(rows[:4, 4:8]) > 0.97).all()  # a quarter of a pixel away
    assert np.isnan(rows[8]).all() and np.isnan(rows[:, 8]).all()
