"""Small indices of words made of numbers, for tests of searching."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from spotlab.formats.collection.folder import PageEntry
from spotlab.model.ranked_list import Items
from spotlab.ranking.purge import ScoreCalibration
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.word_index import ItemOverlaps, WordIndex


def index_of(items: Items, features: Any, *, given: bool = False) -> WordIndex:
    """An index whose items look like these rows, which are made 1 long."""
    rows = np.array(features, np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    entries = tuple(
        PageEntry(Path(f"{name}.png"), 0, 1, Path(f"{name}.xml"), False) for name in items.pages
    )
    unused: Any = None
    overlaps = ItemOverlaps.of(items)
    return WordIndex(
        items, rows, unused, overlaps, ScoreCalibration.none(), WordSettings(), entries, given
    )


def random_index(
    pages: int,
    words: int,
    *,
    dimensions: int = 16,
    kinds: int = 30,
    seed: int = 0,
    noise: float = 0.5,
) -> WordIndex:
    """Words of some kinds on lines of 5, each with two smaller candidates on it."""
    random = np.random.default_rng(seed)
    kind = random.normal(size=(kinds, dimensions))
    page, boxes, rows, texts = [], [], [], []
    for number in range(pages):
        for word in range(words):
            left, top = 100 * (word % 5), 50 * (word // 5)
            which = int(random.integers(kinds))
            for cut in (0, 8, 16):
                page.append(number)
                boxes.append((left + cut, top, left + 90 - random.integers(8), top + 40))
                error = noise + 0.02 * cut
                rows.append(kind[which] + error * random.normal(size=dimensions))
                texts.append(f"word {which}")
    names = tuple(f"page_{number}" for number in range(pages))
    return index_of(Items(names, np.array(page), np.array(boxes), tuple(texts)), rows)
