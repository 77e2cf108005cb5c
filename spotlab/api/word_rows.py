"""Rows of the words that were spotted, for tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from spotlab.studies.words.word_spotting import SpottedWord

COLUMNS = (
    "query", "list", "rank", "page", "x", "y", "width", "height", "score", "text", "relevant", "own"
)  # fmt: skip


def word_rows(word: SpottedWord) -> dict[str, list[Any]]:
    """The words of all lists of a query, list after list.

    Parameters
    ----------
    word : SpottedWord

    Returns
    -------
    dict of str to list
        Columns of the same length; "relevant" is NaN for a word that nobody has judged.
    """
    items = word.items
    order = [place for ranked in word.lists for place in ranked.item.tolist()]
    boxes = items.boxes[order].reshape(-1, 4)
    relevance = {1: 1.0, 0: 0.0}
    return {
        "query": [word.name] * len(order),
        "list": [ranked.name for ranked in word.lists for _ in range(len(ranked))],
        "rank": [rank for ranked in word.lists for rank in range(1, len(ranked) + 1)],
        "page": [items.page_name(place) for place in order],
        "x": boxes[:, 0].tolist(),
        "y": boxes[:, 1].tolist(),
        "width": (boxes[:, 2] - boxes[:, 0]).tolist(),
        "height": (boxes[:, 3] - boxes[:, 1]).tolist(),
        "score": [score for ranked in word.lists for score in ranked.score.tolist()],
        "text": [items.text(place) for place in order],
        "relevant": [relevance.get(value, np.nan) for value in word.relevance[order].tolist()],
        "own": [int(place == word.search.own) for place in order],
    }
