"""Seconds a page for seeing a page of writing, and for describing very many boxes on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from spotlab.spotting.words.extraction.descriptor import describe, prepare_channels
from spotlab.spotting.words.extraction.layout import word_ink
from spotlab.spotting.words.extraction.page_words import WordSettings, extract_words
from tests.formats.written_pages import written_page


def _large_page() -> np.ndarray:
    """About as large and as full as a page of George Washington's letters."""
    return np.tile(written_page(), (3, 2))[:3300, :2050].copy()


def test_see_a_page(benchmark: Any) -> None:
    page = _large_page()
    words = benchmark(extract_words, page, WordSettings())
    benchmark.extra_info["candidates"] = len(words)
    assert len(words) > 200


def test_describe_20000_boxes(benchmark: Any) -> None:
    page = _large_page()
    channels = prepare_channels(word_ink(page))
    random = np.random.default_rng(0)
    corner = random.uniform(0, (1700, 3100), (20_000, 2))
    boxes = np.concatenate([corner, corner + random.uniform(30, (350, 120), (20_000, 2))], axis=1)
    rows = benchmark(describe, channels, boxes)
    assert len(rows) == 20_000
