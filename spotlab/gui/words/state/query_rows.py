"""The queries as the panel lists them: those that are listed beside the pages, and opened lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.formats.lists.judgements import known_name
from spotlab.formats.lists.place_lines import Place, place_name
from spotlab.formats.lists.query_list import ListedQuery
from spotlab.gui.words.state.word_lists import WordSource
from spotlab.gui.words.state.word_naming import query_title
from spotlab.spotting.words.extraction.descriptor import TITLES


@dataclass(frozen=True)
class WordQueryRow:
    """One query.

    Attributes
    ----------
    title, detail, tip : str
    listed : ListedQuery or None
        None for lists that were opened.
    source : int or None
        Its place among the open queries; None where it was not searched since the start.
    named : bool
        Whether it is known what is written there.
    """

    title: str
    detail: str
    tip: str
    listed: ListedQuery | None = None
    source: int | None = None
    named: bool = True

    @property
    def drawn(self) -> ListedQuery | None:
        """What was listed where it is a box on a page; None for typed texts and opened lists."""
        return None if self.listed is None or self.listed.typed else self.listed


def query_rows(
    sources: Sequence[WordSource],
    listed: Sequence[ListedQuery],
    judged: Mapping[str, Mapping[Place, bool]],
) -> list[WordQueryRow]:
    """All queries: those that are listed, in their order, then lists that were opened.

    Parameters
    ----------
    sources : sequence of WordSource
        The open queries.
    listed : sequence of ListedQuery
    judged : mapping of str to (mapping of Place to bool)
        What is said of words, by query.
    """
    places = {source.place: number for number, source in enumerate(sources) if source.place}
    rows = []
    for query in listed:
        number = places.pop(place_name(query.place), None)
        source = None if number is None else sources[number]
        rows.append(_row_of(query, number, source, _judged(query.name, judged)))
    shown = {row.source for row in rows}
    for number, source in enumerate(sources):
        if number not in shown:
            found = f"{found_count(source):,} found"
            said = _judged(source.query, judged)
            truth = f", {source.relevant:,} in the truth" if source.relevant else ""
            where = _instance(source)
            tip = _joined_lines(f"{source.title}: {found}{truth}", where, _compared(source))
            detail = _joined(where, found, said)
            rows.append(WordQueryRow(source.title, detail, tip, None, number))
    return rows


def found_count(source: WordSource) -> int:
    """How many words of a query are hits; of lists that were opened, how many there are."""
    evidence = source.evidence
    if source.asked is None or evidence is None:
        return len(source.items)
    return int(np.count_nonzero(evidence.query >= source.tau))


def _row_of(
    query: ListedQuery, number: int | None, source: WordSource | None, judged: str
) -> WordQueryRow:
    page = query.place[0]
    title = query_title(query.text, page, 1 + len(query.examples))
    found = "not searched yet" if source is None else f"{found_count(source):,} found"
    where = f"{query.text or 'A word'}, on {page}"
    if query.typed:
        title = where = f"{query.text} · typed"
    lines = [where, _examples(query), _joined(found, judged)]
    if source is not None and source.relevant:
        lines.append(f"{source.relevant:,} in the truth")
    lines.append(_compared(source))
    if not query.typed:
        lines.append("F2 renames it" if query.text else "F2 names it: what is written there")
    return WordQueryRow(
        title, _joined(found, judged), _joined_lines(*lines), query, number, bool(query.text)
    )


def _examples(query: ListedQuery) -> str:
    """Where the further examples of a query are; empty where it has none."""
    pages = ", ".join(dict.fromkeys(place[0] for place in query.examples))
    return f"Further examples: {len(query.examples):,}, on {pages}" if pages else ""


def _judged(name: str, judged: Mapping[str, Mapping[Place, bool]]) -> str:
    """How many words are judged, by sign; empty where none is."""
    own = judged.get(known_name(name, judged), {})
    right = sum(own.values())
    signs = ((right, "✓"), (len(own) - right, "✗"))
    return " ".join(f"{count:,} {sign}" for count, sign in signs if count)


def _compared(source: WordSource | None) -> str:
    """What words were compared by; empty where nothing was searched."""
    if source is None or source.descriptor is None:
        return ""
    return f"Compared by {TITLES[source.descriptor].lower()}"


def _instance(source: WordSource) -> str:
    """Which instance of the word the query of an opened list is; empty where that is not known.

    Lists call queries "orders 3", which does not say where it is written.
    """
    own, items = source.example, source.items
    if source.imported is None or own is None or items.page[own] < 0:
        return ""
    left, top = items.boxes[own, :2].tolist()
    return f"on {items.page_name(own)} at {left:.0f}, {top:.0f}"


def _joined_lines(*lines: str) -> str:
    return "\n".join(filter(None, lines))


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))
