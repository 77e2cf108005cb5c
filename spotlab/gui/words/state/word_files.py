"""Writes the lists that are shown in the Words workspace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from spotlab.formats.lists.csv_list import write_csv
from spotlab.formats.lists.format import QueryLists
from spotlab.gui.words.state.words import Words
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
