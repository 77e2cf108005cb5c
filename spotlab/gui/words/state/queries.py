"""The open queries: which there are, their rows, and the file that keeps them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.kept_lines import (
    QUERIES,
    ListedQuery,
    Place,
    known_name,
    place_name,
    same_query,
    tidy,
    typed_place,
)
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.gui.kit.files import ON_DISK, KeptFile
from spotlab.gui.words.state.word_search import WordSource, query_title
from spotlab.model import Items
from spotlab.ranking.list_scale import ListScale
from spotlab.signal import Signal
from spotlab.spotting.words.extraction.descriptor import TITLES
from spotlab.spotting.words.word_index import WordQuery

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

_SHORT = {
    "α-query expansion": "α-QE",
    "Borda count": "Borda",
    "Reciprocal rank": "RR",
    "Database augmentation": "DBA",
    "k-reciprocal neighbours": "k-recip.",
}


def word_line(items: Items, item: int) -> str:
    """Text, page and place of a word, as far as they are known.

    Examples
    --------
    >>> items = Items(("270",), [0], [[10, 20, 40, 32.5]], ("orders",))
    >>> word_line(items, 0)
    'orders · 270 at 10, 20'
    >>> word_line(Items.named(["FT923-11593"]), 0)
    'FT923-11593'
    """
    text, page = items.text(item), items.page_name(item)
    left, top = items.boxes[item, :2]
    where = f"{page} at {left:.0f}, {top:.0f}" if page else items.name(item)
    return f"{text} · {where}" if text else where


def short_title(title: str) -> str:
    """A title where there is little room: its usual abbreviation, or what ends it in brackets.

    Examples
    --------
    >>> short_title("Consensus ranking (CR)"), short_title("Borda count"), short_title("Diffusion")
    ('CR', 'Borda', 'Diffusion')
    """
    if title.endswith(")"):
        return title.rpartition("(")[2].removesuffix(")")
    return _SHORT.get(title, title)


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
        """Return what was listed where it is a box on a page.

        None for typed texts and opened lists.
        """
        return None if self.listed is None or self.listed.typed else self.listed


def query_rows(
    sources: Sequence[WordSource],
    listed: Sequence[ListedQuery],
    judged: Mapping[str, Mapping[Place, bool]],
    pending: Collection[WordQuery],
    count: Callable[[WordSource], int],
) -> list[WordQueryRow]:
    """All queries: those that are listed, in their order, then lists that were opened.

    Parameters
    ----------
    sources : sequence of WordSource
        The open queries.
    listed : sequence of ListedQuery
    judged : mapping of str to (mapping of Place to bool)
        What is said of words, by query.
    pending : collection of WordQuery
        Those that are being searched.
    count : callable
        Tells how many words of a query are found.
    """
    searched_now = set(map(asked_place, pending))
    places = {source.place: number for number, source in enumerate(sources) if source.place}
    rows = []
    for query in listed:
        number = places.pop(place_name(query.place), None)
        source = None if number is None else sources[number]
        unknown = "searching…" if query.place in searched_now else "not searched yet"
        found = unknown if source is None else f"{count(source):,} found"
        rows.append(_row_of(query, number, source, found, _judged(query.name, judged)))
    shown = {row.source for row in rows}
    for number, source in enumerate(sources):
        if number not in shown:
            listed_only = source.asked is None or source.evidence is None
            found = f"{len(source.items):,} listed" if listed_only else f"{count(source):,} found"
            said = _judged(source.query, judged)
            truth = f", {source.relevant:,} in the truth" if source.relevant else ""
            where = _instance(source)
            tip = _joined_lines(f"{source.title}: {found}{truth}", where, _compared(source))
            detail = _joined(where, found, said)
            rows.append(WordQueryRow(source.title, detail, tip, None, number))
    return rows


def _row_of(
    query: ListedQuery, number: int | None, source: WordSource | None, found: str, judged: str
) -> WordQueryRow:
    page = query.place[0]
    title = query_title(query.text, page, 1 + len(query.examples))
    where = f"{query.text or 'A word'}, on {page}"
    if query.typed:
        title = f"{query.text} · typed"
        where = f"{query.text} · typed as “{query.searched}”" if query.is_named else title
    lines = [where, _examples(query), _joined(found, judged)]
    if source is not None and source.relevant:
        lines.append(f"{source.relevant:,} in the truth")
    lines.append(_compared(source))
    lines.append("F2 renames it" if query.is_named else "F2 names it: what is written there")
    return WordQueryRow(
        title, _joined(found, judged), _joined_lines(*lines), query, number, bool(query.text)
    )


def _examples(query: ListedQuery) -> str:
    """Tell where the further examples of a query are; empty where it has none."""
    pages = ", ".join(dict.fromkeys(place[0] for place in query.examples))
    return f"Further examples: {len(query.examples):,}, on {pages}" if pages else ""


def _judged(name: str, judged: Mapping[str, Mapping[Place, bool]]) -> str:
    """Tell how many words are judged, by sign; empty where none is."""
    own = judged.get(known_name(name, judged), {})
    right = sum(own.values())
    signs = ((right, "✓"), (len(own) - right, "✗"))
    return " ".join(f"{count:,} {sign}" for count, sign in signs if count)


def _compared(source: WordSource | None) -> str:
    """Return what words were compared by; empty where nothing was searched."""
    if source is None or source.descriptor is None:
        return ""
    return f"Compared by {TITLES[source.descriptor].lower()}"


def _instance(source: WordSource) -> str:
    """Tell which instance of the word the query of an opened list is.

    Empty where that is not known.

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


TAU = 0.7


class OpenQueries:
    """Open queries, and access to the current one.

    `Words` opens and closes them, and emits ``changed``.

    Attributes
    ----------
    sources : tuple of WordSource
    index : int
        The current query's place among them.
    """

    def __init__(self) -> None:
        self.sources: tuple[WordSource, ...] = ()
        self.index = 0
        self.changed = Signal[[]]()

    @property
    def current(self) -> WordSource | None:
        """The current query."""
        return self.sources[self.index] if self.sources else None

    @property
    def items(self) -> Items | None:
        """Everything that the lists of the current query may hold."""
        return self.current.items if self.current else None

    @property
    def title(self) -> str:
        """Return what was searched."""
        return self.current.title if self.current else ""

    @property
    def query(self) -> str:
        """The name of what was searched, as commands and files have it."""
        return self.current.query if self.current else ""

    @property
    def tau(self) -> float:
        """The score at which the search counts an item as a hit."""
        return self.current.tau if self.current else TAU

    @property
    def scale(self) -> ListScale:
        """Scale of the current query's lists."""
        return self.current.scale if self.current else ListScale.SCORE

    def add(self, sources: Sequence[WordSource]) -> WordSource | None:
        """Add queries, and make the first of them current.

        A query that is open already is replaced where it stands.

        Returns
        -------
        WordSource or None
            The current query as it was before, if it is the same one searched again.
        """
        before = self.current
        by_name = {_name(source): source for source in (*self.sources, *sources)}
        self.sources = tuple(by_name.values())
        self.index = list(by_name).index(_name(sources[0]))
        return before if _is_repeated(before, sources[0]) else None

    def replace(self, before: WordSource, source: WordSource) -> None:
        """Put a query in the place of another one."""
        self.sources = tuple(source if each is before else each for each in self.sources)

    def remove(self, index: int) -> None:
        """Close a query."""
        self.sources = (*self.sources[:index], *self.sources[index + 1 :])

    def clear(self, *, searched_only: bool = False) -> None:
        """Close all queries; or only those that were searched, not lists of files."""
        kept = tuple(each for each in self.sources if each.imported is not None)
        self.sources, self.index = kept if searched_only else (), 0

    def between(self, items: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """(K, K) the scores of items with each other; None where they are not known."""
        evidence = self.current.evidence if self.current else None
        if evidence is None or evidence.between is None:
            return None
        among = evidence.between.among(np.asarray(items, np.int64))
        return among.rows(np.arange(len(among)))

    def scored(self, items: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of some items that have scores; nothing is known of what is in no list."""
        evidence = self.current.evidence if self.current else None
        return items[items < (len(evidence) if evidence else 0)]

    def on_page(self, name: str) -> NDArray[np.int64]:
        """The items on a page."""
        items = self.items
        if items is None or name not in items.pages:
            return np.zeros(0, np.int64)
        return np.flatnonzero(items.page == items.pages.index(name))


def _is_repeated(before: WordSource | None, source: WordSource) -> bool:
    """Tell whether a query is the one before, searched once more."""
    return before is not None and before.asked is not None and _name(before) == _name(source)


def _name(source: WordSource) -> tuple[str, str]:
    """Return what tells a query from the others: its place, which stays when it gets another
    name.
    """
    return ("", source.place) if source.place else (source.query, "")


NAME = "queries.csv"


class KeptQueries:
    """The queries of the open collection, the one searched first first.

    If the file cannot be written, a message says so, and it is tried again. What another window
    searches is listed, too.

    Attributes
    ----------
    listed : tuple of ListedQuery
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._file: KeptFile[Mapping[Place, ListedQuery]] | None = None
        self.listed: tuple[ListedQuery, ...] = ()
        self.changed = Signal[[]]()
        workbench.collection_changed.connect(self._read)
        self._read()

    @property
    def path(self) -> Path | None:
        """Tell where the file is, or will be; None without a collection."""
        folder = self._workbench.collection.folder
        return None if folder is None else folder / NAME

    def known(self, query: WordQuery) -> ListedQuery | None:
        """The query that is drawn around the same word, however exactly, or typed the same."""
        place = asked_place(query)
        return None if place is None else same_query(place, self.listed)

    def complete(self, query: WordQuery) -> WordQuery:
        """A query as it was searched before, where a box is drawn around the same word again.

        Its first box counts, so that what is found, and judged, is the same; so do its further
        examples.
        """
        known = self.known(query)
        if known is None or query.box is None:
            return query
        _, left, top, right, bottom = known.place
        box = (left, top, right, bottom)
        if box != query.box:
            text = "Searched before: the box drawn first counts. Remove the query to draw another"
            self._workbench.said.emit(text, False)
        examples = [(place[0], place[1:]) for place in known.examples]
        more = dict.fromkeys((*examples, *query.more))
        more.pop((query.page, box), None)
        return replace(query, box=box, text=query.text or known.text, more=tuple(more))

    def keep(self, query: WordQuery) -> ListedQuery | None:
        """List a query, or know it again; None if it is neither drawn nor typed."""
        place = asked_place(query)
        if place is None:
            return None
        known = same_query(place, self.listed)
        text, examples = tidy(query.text), tuple((tidy(page), *box) for page, box in query.more)
        kept = ListedQuery(text, place, examples)
        if known is not None:
            named = known.text if known.typed else text or known.text
            kept = replace(kept, text=named, place=known.place)
        if kept != known:
            self._put(kept)
        return kept

    def rename(self, query: ListedQuery, text: str) -> ListedQuery:
        """Say what is written there; "": nobody knows."""
        named = replace(query, text=tidy(text) or (query.searched if query.typed else ""))
        if named != query:
            self._put(named)
        return named

    def forget_examples(self, query: ListedQuery) -> ListedQuery:
        """Keep the first box of a query only."""
        alone = replace(query, examples=())
        if alone != query:
            self._put(alone)
        return alone

    def remove(self, query: ListedQuery) -> None:
        """List a query no more."""
        self._set(tuple(each for each in self.listed if each.place != query.place))

    def _put(self, query: ListedQuery) -> None:
        by_place = {each.place: each for each in self.listed} | {query.place: query}
        self._set(tuple(by_place.values()))

    def _set(self, listed: tuple[ListedQuery, ...]) -> None:
        self.listed = listed
        if self._file is not None:
            self._file.set({query.place: query for query in listed})
        self.changed.emit()

    def _read(self) -> None:
        """Another collection is open: its queries come back."""
        if self._file is not None:
            self._file.close()
        self._file, self.listed = None, ()
        path = self.path
        if path is not None:
            file = SharedFile(path, QUERIES, beside_data=True)
            self._file = KeptFile(file, self._workbench.said.emit, waits=ON_DISK)
            self._file.changed.connect(self._take_over)
            self._file.open()
        self._take_over()

    def _take_over(self) -> None:
        """List what another window has searched."""
        if self._file is not None:
            self.listed = tuple(self._file.value.values())
        self.changed.emit()


def asked_place(query: WordQuery) -> Place | None:
    """The page and the box of a query, or what was typed; None where it is neither."""
    if query.typed:
        return typed_place(query.text)
    return None if query.box is None else (tidy(query.page), *query.box)
