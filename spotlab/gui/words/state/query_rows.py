"""The queries as the panel lists them: those that are listed beside the pages, and opened lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spotlab.formats.lists.drawn_places import place_name
from spotlab.formats.lists.judgements import known_name
from spotlab.formats.lists.place_lines import Place
from spotlab.formats.lists.query_list import ListedQuery
from spotlab.gui.words.state.word_lists import WordSource


@dataclass(frozen=True)
class QueryRow:
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


def query_rows(
    sources: Sequence[WordSource],
    listed: Sequence[ListedQuery],
    judged: Mapping[str, Mapping[Place, bool]],
) -> list[QueryRow]:
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
            found = f"{len(source.items):,} found"
            said = _judged(source.query, judged)
            truth = f", {source.relevant:,} in the truth" if source.relevant else ""
            tip = f"{source.title}: {found}{truth}"
            rows.append(QueryRow(source.title, _joined(found, said), tip, None, number))
    return rows


def _row_of(
    query: ListedQuery, number: int | None, source: WordSource | None, judged: str
) -> QueryRow:
    page = query.place[0]
    title = query.text or f"a word on {page}"
    found = "not searched yet" if source is None else f"{len(source.items):,} found"
    lines = [f"{title}, on {page}", _joined(found, judged)]
    if source is not None and source.relevant:
        lines.append(f"{source.relevant:,} in the truth")
    lines.append("F2 names it: what is written there" if not query.text else "F2 renames it")
    return QueryRow(
        title, _joined(found, judged), "\n".join(lines), query, number, bool(query.text)
    )


def _judged(name: str, judged: Mapping[str, Mapping[Place, bool]]) -> str:
    """How many words are judged, by sign; empty where none is."""
    own = judged.get(known_name(name, judged), {})
    right = sum(own.values())
    signs = ((right, "✓"), (len(own) - right, "✗"))
    return " ".join(f"{count:,} {sign}" for count, sign in signs if count)


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))
