"""Writes the lists that are shown in the Words workspace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from spotlab.formats.lists.csv_list import write_csv
from spotlab.formats.lists.format import QueryLists
from spotlab.gui.words.state.words import Words
from spotlab.spotting.words.word_index import WordQuery, join_examples
from spotlab.studies.words.word_spotting import further_columns
from spotlab.studies.words.word_truth import on_searched_pages, with_missed


def shown_lists(words: Words) -> QueryLists | None:
    """The lists as they are shown, with what is known of the items; None where there are none.

    The instances of the word that no list has are items, too. Queries and lists have the names that
    commands give them, not their titles in the window.
    """
    source = words.queries.current
    if source is None or not words.ranking.lists:
        return None
    ranked = tuple(replace(each.ranked, name=each.name_in_files) for each in words.ranking.lists)
    said, known = words.judgements, words.searching.known
    further = further_columns(source.readings, source.descriptor, len(source.items))
    lists = QueryLists(
        source.query, source.items, ranked, said.relevance, said.relevant, source.example, further
    )
    text = source.asked.text if source.asked else ""
    if not text or known is None or known.words is None:
        return lists
    return with_missed(lists, text, on_searched_pages(known.words, known.index.items.pages))


def save_lists(words: Words, path: Path) -> None:
    """Write the lists that are shown as CSV.

    Raises
    ------
    NotSaved
        The file could not be written; an old one is untouched.
    """
    lists = shown_lists(words)
    if lists is not None:
        write_csv([lists], path)


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
