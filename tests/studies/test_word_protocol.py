"""The protocol of words: every instance searches the others, itself left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from spotlab.model.ranked_list import Items
from spotlab.spotting.words.index import build_index
from tests.formats.written_pages import written_words
from tests.studies.word_protocol import evaluate_search, evaluate_words, queried


def _words(texts: tuple[str, ...]) -> Items:
    count = len(texts)
    boxes = np.array([[50 * at, 0, 50 * at + 40, 20] for at in range(count)])
    return Items(("a",), np.zeros(count, np.int64), boxes, texts)


def test_only_words_with_enough_instances_and_letters_are_searched() -> None:
    words = _words(("own", "to", "Own,", "to", "to", "letters"))
    assert queried(words, 2).tolist() == [0, 1, 2, 3, 4]
    assert queried(words, 2, 3).tolist() == [0, 2]
    assert queried(words, 1, 4).tolist() == [5]


def test_mean_average_precision_by_hand() -> None:
    words = _words(("own", "own", "to"))
    angles = np.radians([0, 60, 25])
    features = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    # both find "to" first, and the other one second
    figures = evaluate_words(words, features, ("ws",), least=2)
    assert figures.queries == 2
    assert figures.mean["ws"] == pytest.approx(0.5)
    assert evaluate_words(words, features, ("ws",), least=3).mean["ws"] is None


def test_words_are_found_without_given_boxes(tmp_path: Path) -> None:
    pages, boxes, texts, page = [], [], [], []
    for number in range(2):
        pixels, there, written = written_words(number)
        pages.append(tmp_path / f"{number}.png")
        Image.fromarray(pixels).save(pages[-1])
        boxes.append(there + np.array([-6, -6, 8, 12]))
        texts += written
        page += [number] * len(written)
    words = Items(("0", "1"), np.array(page), np.concatenate(boxes), tuple(texts))
    index = build_index(pages, cache=tmp_path / "cache")
    figures = evaluate_search(index, words, ("ws", "cr"), least=3, every=4)
    assert figures.queries == -(-len(queried(words, 3, 4)) // 4)
    assert figures.recall == 1.0
    assert figures.mean["ws"] is not None
    assert figures.mean["ws"] > 0.8
    nothing = evaluate_search(index, words, ("ws",), least=999)
    assert (nothing.queries, nothing.mean["ws"], nothing.recall) == (0, None, None)
