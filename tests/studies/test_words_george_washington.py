"""Real pages: words of George Washington's letters are found, with and without given boxes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.imaging.reading.pixels import read_page
from spotlab.spotting.words.extraction.candidates import word_candidates
from spotlab.spotting.words.extraction.descriptor import describe_with_changes, prepare_channels
from spotlab.spotting.words.extraction.layout import find_layout, word_ink
from spotlab.spotting.words.feature_space import Projection
from spotlab.studies.words.word_truth import match_words, read_words
from tests.studies.word_protocol import evaluate_words, queried

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "gw20_words"
PAGES = ("270", "271", "272")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"no pages in {DATA}"),
]


def test_words_of_three_pages() -> None:
    truth = read_words([DATA])
    places = [truth.pages.index(name) for name in PAGES]
    truth = truth.take(np.flatnonzero(np.isin(truth.page, places)))
    rows, moves, found = [], [], []
    for place in places:
        ink = word_ink(read_page(DATA / "images" / f"{truth.pages[place]}.jpg"))
        channels = prepare_channels(ink)
        assert 0.7 < channels.slant < 1
        boxes = truth.boxes[truth.page == place]
        described, changes = describe_with_changes(channels, boxes)
        rows.append(described)
        moves.append(changes)
        found.append(word_candidates(find_layout(ink)).boxes)
    raw = np.concatenate(rows)
    plain = Projection.fit(raw).apply(raw)
    learned = Projection.fit(raw, np.concatenate(moves)).apply(raw)
    figures = evaluate_words(truth, learned, ("ws", "cr", "database_augmentation"))
    nearest, consensus, augmented = figures.mean.values()
    assert nearest is not None
    assert consensus is not None
    assert augmented is not None
    assert nearest > 0.73
    assert consensus > nearest + 0.02
    assert augmented > nearest + 0.02
    principal = evaluate_words(truth, plain, ("ws",)).mean["ws"]
    assert principal is not None
    assert nearest > principal + 0.03
    boxes = np.concatenate(found)
    page = np.repeat(places, [len(each) for each in found])
    reached = match_words(type(truth)(truth.pages, page, boxes), truth)
    assert np.isin(queried(truth, 1, 4), reached).mean() > 0.9
