"""Several examples of a word as one query: further boxes, and words that were judged right."""

from __future__ import annotations

import numpy as np

from spotlab.gui.words.state.words import Words
from spotlab.spotting.words.word_index import WordQuery, join_examples


def search_drawn(words: Words, query: WordQuery, *, add: bool = False) -> None:
    """Search a drawn box, or with it what the current query has searched."""
    source = words.queries.current
    if add and source is not None and source.asked is not None and source.asked.box is not None:
        query = join_examples([source.asked, query], source.asked.label)
    words.searching.search(query)


def judged_examples(words: Words) -> WordQuery | None:
    """The current query with all its ✓ words as examples; None where there is no further one.

    Of a typed query the ✓ words alone.
    """
    source = words.queries.current
    if source is None or source.asked is None:
        return None
    items, asked = source.items, source.asked
    right = np.flatnonzero(words.judgements.judged[: len(items)] == 1)
    examples = [] if asked.box is None else [asked]
    used = {(example.page, example.box) for example in source.used}
    for item in right[items.page[right] >= 0].tolist():
        left, top, right_, bottom = items.boxes[item].tolist()
        place = (items.page_name(item), (left, top, right_, bottom))
        if place not in used and item not in source.examples:
            examples.append(WordQuery(*place, text=asked.text if asked.typed else ""))
    return join_examples(examples, asked.label) if len(examples) > bool(asked.box) else None
