"""The state of the Words workspace: the lists of a query, what is chosen in them, what is judged.

Panels read it, call its methods and listen to its signals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.place_lines import place_of
from spotlab.gui.pages.word_crops import WordCrops
from spotlab.gui.words.state.all_queries import AllQueries
from spotlab.gui.words.state.imported_lists import ImportedLists
from spotlab.gui.words.state.judgement_keeper import JudgementKeeper
from spotlab.gui.words.state.judgements import Judgements
from spotlab.gui.words.state.open_queries import OpenQueries
from spotlab.gui.words.state.ranking import Ranking
from spotlab.gui.words.state.word_lists import WordSource
from spotlab.gui.words.state.word_search import WordSearching
from spotlab.signal import Signal
from spotlab.spotting.words.query import WordQuery

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


class Words:
    """Opens and closes queries, and knows what is chosen in the lists of the current one.

    Attributes
    ----------
    queries : OpenQueries
    judgements : Judgements
    ranking : Ranking
        The lists of the current query.
    all : AllQueries
        The lists of all open queries.
    searching : WordSearching
    imported : ImportedLists
        Lists of files.
    threshold : float
        Below it lists are purged.
    item : int or None
        The chosen one of ``queries.items``.
    crops : WordCrops
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.queries = OpenQueries()
        self.judgements = Judgements(self.queries, JudgementKeeper(workbench))
        self.ranking = Ranking(self.queries, self.judgements)
        self.all = AllQueries(self.queries, self.judgements, self.ranking)
        self.threshold = 0.7
        self.item: int | None = None
        self.crops = WordCrops({})
        self.threshold_changed = Signal[[]]()
        self.item_changed = Signal[[]]()
        self.searching = WordSearching(workbench)
        self.searching.found.connect(lambda source: self.add_sources([source]))
        self.imported = ImportedLists(workbench, self.queries, self.searching)
        self.imported.opened.connect(self.add_sources)
        self.imported.renewed.connect(self._renew)
        workbench.collection_changed.connect(self._leave_pages)
        workbench.collection.entries_changed.connect(self._find_files)

    def add_sources(self, sources: Sequence[WordSource]) -> None:
        """Open queries and show the first; one that is open already is replaced."""
        if sources:
            self._show_current(self.queries.add(sources))

    def choose_source(self, index: int) -> None:
        """Show another query."""
        self.queries.index = index
        self._show_current(None)

    def close_source(self, index: int) -> None:
        """Close a query."""
        queries = self.queries
        queries.remove(index)
        if not queries.sources:
            self.forget()
        elif index == queries.index:
            self.choose_source(min(index, len(queries.sources) - 1))
        else:
            queries.index -= index < queries.index
            queries.changed.emit()

    def forget(self) -> None:
        """Close all queries."""
        self.judgements.clear_steps()
        self.choose_item(None)
        self.ranking.cancel()
        self.queries.clear()
        self.ranking.clear()
        self.judgements.clear()
        self.queries.changed.emit()
        self.ranking.changed.emit()

    def _leave_pages(self) -> None:
        """Other pages are open: what was searched is closed, lists of files stay."""
        if not self.imported.sources:
            self.forget()
            return
        self.queries.clear(searched_only=True)
        self._show_current(None)

    def _renew(self, sources: Sequence[WordSource]) -> None:
        """More is known of open queries."""
        index = self.queries.index
        self.queries.add(sources)  # they stand where they stood
        self.queries.index = index
        source = self.queries.current
        if source is not None and source in sources:
            self.judgements.read(source)
            self.queries.changed.emit()
            self.ranking.start()

    def _show_current(self, before: WordSource | None) -> None:
        """Show the current query; ``before`` is what it was, if it was searched again."""
        source = self.queries.current
        assert source is not None  # one is shown
        self.judgements.read(source)
        self.ranking.clear()
        self.ranking.set_hit_score(source, before)
        if before is None:
            self.judgements.clear_steps()
            self.choose_item(None)
            self.set_threshold(source.tau)
        else:
            self._keep_choices(source, before)
        self.queries.changed.emit()
        self.ranking.start()

    def _keep_choices(self, source: WordSource, before: WordSource) -> None:
        """The query was searched again: keep what was chosen where its items still exist."""
        places = {place_of(source.items, item): item for item in range(len(source.items))}
        now = [places.get(place_of(before.items, item), -1) for item in range(len(before.items))]
        self.judgements.renumber_steps(now)
        item = -1 if self.item is None else now[self.item]
        self.item = None  # the number of another item now
        self.item_changed.emit()
        self.choose_item(None if item < 0 else item)
        if self.threshold == before.tau:
            self.set_threshold(source.tau)

    def choose_item(self, item: int | None) -> None:
        """Choose a word."""
        if item != self.item:
            self.item = item
            self.item_changed.emit()

    def set_threshold(self, threshold: float) -> None:
        """Purge what scores less."""
        if threshold != self.threshold:
            self.threshold = threshold
            self.threshold_changed.emit()

    def crop(self, item: int) -> NDArray[np.uint8] | None:
        """(h, w) grey, the picture of an item; for threads. None where there is none."""
        items = self.queries.items
        if items is None or not 0 <= item < len(items):
            return None
        return self.crops.crop(items, item)

    def kept(self) -> NDArray[np.bool_]:
        """(N,) which items some list keeps at the threshold; all where there is no list."""
        kept = np.zeros(len(self.judgements.relevance), np.bool_)
        lists = self.ranking.lists
        for shown in lists:
            kept[shown.ranked.item[: shown.kept(self.threshold)]] = True
        return kept if lists else ~kept

    def item_at(self, x: float, y: float) -> int | None:
        """The smallest item at a place of the open page, in px; None if there is none."""
        entry, items = self.workbench.entry, self.queries.items
        if entry is None or items is None:
            return None
        here = self.queries.on_page(entry.name)
        left, top, right, bottom = items.boxes[here].T
        here = here[(left <= x) & (x < right) & (top <= y) & (y < bottom)]
        if not len(here):
            return None
        width, height = (items.boxes[here, 2:] - items.boxes[here, :2]).T
        return int(here[np.argmin(width * height)])

    def described(self, item: int) -> str:
        """An item in a line: its text, whether it is relevant, its place in each list."""
        items = self.queries.items
        assert items is not None  # the item is one of them
        sign = {1: "✓", 0: "✗", -1: "?"}[int(self.judgements.relevance[item])]
        parts = [f"{sign} {items.text(item) or 'text not known'}"]
        for shown in self.ranking.lists:
            place = np.flatnonzero(shown.ranked.item == item)
            if len(place):
                rank = int(place[0])
                parts.append(f"{shown.title} {rank + 1} ({shown.ranked.score[rank]:.3f})")
        return " · ".join(parts)

    def search_item(self, item: int) -> None:
        """Search the word of an item."""
        items = self.queries.items
        if items is not None and items.page[item] >= 0:
            left, top, right, bottom = items.boxes[item].tolist()
            box = (left, top, right, bottom)
            self.searching.search(WordQuery(items.page_name(item), box, items.text(item) or ""))

    def _find_files(self) -> None:
        files = {entry.name: (entry.image, entry.frame) for entry in self.workbench.entries}
        if files != self.crops.files:
            self.crops = WordCrops(files)
