"""Keeps the queries that were searched in a file beside the pages, so that they come back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.formats.lists.place_lines import Place, tidy
from spotlab.formats.lists.query_list import QUERIES, ListedQuery, same_query, typed_place
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.gui.kit.kept_file import ON_DISK, KeptFile
from spotlab.signal import Signal
from spotlab.spotting.words.word_index import WordQuery

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

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
        """Where the file is, or will be; None without a collection."""
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
            kept = replace(kept, text=text or known.text, place=known.place)
        if kept != known:
            self._put(kept)
        return kept

    def rename(self, query: ListedQuery, text: str) -> ListedQuery:
        """Say what is written there; "": nobody knows."""
        named = replace(query, text=tidy(text))
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
