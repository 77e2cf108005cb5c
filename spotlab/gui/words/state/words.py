"""The state of the Words workspace: the lists of a query, what is chosen in them, what is judged.

Panels read it, call its methods and listen to its signals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from weakref import WeakKeyDictionary

import msgspec
import numpy as np
from numpy.typing import NDArray

from spotlab.editing.collection_step import CollectionStep
from spotlab.editing.history import Step
from spotlab.formats.lists.csv_list import write_csv
from spotlab.formats.lists.format import QueryLists
from spotlab.formats.lists.kept_lines import ListedQuery, match_places, place_name, place_of
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.hand_adapting import HandAdapting
from spotlab.gui.words.state.imported_lists import ImportedLists
from spotlab.gui.words.state.queries import KeptQueries, OpenQueries
from spotlab.gui.words.state.ranking import AllQueries, JudgementKeeper, WordJudgements, WordRanking
from spotlab.gui.words.state.transcription import Transcription, WordWriting
from spotlab.gui.words.state.word_search import (
    WordSearching,
    WordSource,
    hit_count,
    nowhere_text,
    query_title,
    score_text,
)
from spotlab.gui.workspace import KeptView, PathTexts, Window
from spotlab.imaging.ink import remove_background
from spotlab.imaging.reading.pixels import WordCrops
from spotlab.signal import Signal
from spotlab.spotting.words.search import join_examples
from spotlab.spotting.words.word_index import WordQuery
from spotlab.studies.words.word_spotting import further_columns
from spotlab.studies.words.word_truth import on_searched_pages, with_missed


class Words:
    """Opens and closes queries, and knows what is chosen in the lists of the current one.

    Attributes
    ----------
    queries : OpenQueries
    query_list : KeptQueries
        Those that are listed beside the pages, open or not.
    judgements : WordJudgements
    ranking : WordRanking
        The lists of the current query.
    all : AllQueries
        The lists of all open queries.
    searching : WordSearching
    adapting : HandAdapting
    writing : WordWriting
    transcription : Transcription
    imported : ImportedLists
        Lists of files.
    threshold : float
        Below it lists are purged.
    found_changed : Signal
        Emitted when another number of words of the current query is found.
    item : int or None
        The chosen one of ``queries.items``.
    crops : WordCrops
    only_ink : bool
        Whether words are shown without the background of their pages.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.queries = OpenQueries()
        self.query_list = KeptQueries(workbench)
        self.judgements = WordJudgements(self.queries, JudgementKeeper(workbench))
        self.ranking = WordRanking(self.queries, self.judgements)
        self.threshold = 0.7
        self.item: int | None = None
        self.crops = WordCrops({})
        self.only_ink = False
        self._found: WeakKeyDictionary[WordSource, int] = WeakKeyDictionary()
        self._new: tuple[WordSource, ...] = ()  # what was just searched
        self.found_changed = Signal[[]]()
        self.threshold_changed = Signal[[]]()
        self.item_changed = Signal[[]]()
        self.searching = WordSearching(workbench)
        self.searching.complete = self.query_list.complete
        self.searching.found.connect(self._keep_found)
        self.adapting = HandAdapting(
            workbench, self.searching, self.query_list, self.judgements.keeper
        )
        self.searching.renewed.connect(self._search_again)
        self.writing = WordWriting(workbench, self.judgements.keeper, self.queries, self.searching)
        self.transcription = Transcription(
            workbench, self.searching, self.queries, self.query_list, self.judgements
        )
        self.transcription.retold.connect(self._follow_truth)
        self.imported = ImportedLists(workbench, self.queries, self.searching)
        self.all = AllQueries(
            self.queries, self.judgements, self.ranking, lambda: self.imported.unanswered
        )
        self.imported.opened.connect(self.add_sources)
        self.imported.renewed.connect(self._renew)
        self.ranking.changed.connect(self._count)
        self.threshold_changed.connect(self._count)
        workbench.collection_changed.connect(self._leave_pages)
        workbench.collection.entries_changed.connect(self._find_files)
        self._find_files()

    def add_sources(self, sources: Sequence[WordSource]) -> None:
        """Open queries and show the first; one that is open already is replaced."""
        if sources:
            self._show_current(self.queries.add(sources))

    def _keep_found(self, sources: Sequence[WordSource]) -> None:
        """List what was searched; a word drawn, or a text typed, once more is the same query."""
        self._new = tuple(map(self._kept, sources))
        self.add_sources(self._new)
        known = self.searching.known
        learned = None if known is None else known.index.learned
        typed = (each.asked.text for each in sources if each.asked and each.asked.typed)
        told = "" if learned is None else learned.network.alphabet.merging("".join(typed))
        if told:
            self.workbench.said.emit(told.capitalize(), False)

    def found(self, source: WordSource) -> int:
        """Count the words of a query that are found.

        These are what its list keeps, of several the likely best; of a query whose lists were not
        shown yet, its hits.
        """
        return self._found.get(source, hit_count(source))

    def _count(self) -> None:
        """The lists of the current query are others, or keep other words; say if that is none."""
        source, best = self.queries.current, self.ranking.best
        if source is None or best is None:
            return
        count = best.kept(self.threshold)
        is_other = count != self.found(source)
        self._found[source] = count
        if is_other:
            self.found_changed.emit()
        if source in self._new:
            new, self._new = self._new, ()
            hits = {
                each: best.kept(each.tau) if each is source else hit_count(each) for each in new
            }
            nowhere = [each.asked.text for each in new if each.asked and not hits[each]]
            if nowhere:
                self.workbench.said.emit(nowhere_text(nowhere, self.searching.tau), False)

    def _kept(self, source: WordSource) -> WordSource:
        kept = self.query_list.keep(source.asked) if source.asked else None
        if kept is None:
            return source
        title = f"{kept.text} · typed" if kept.typed else source.title
        return replace(source, title=title, query=kept.name, place=place_name(kept.place))

    def search_kept(self, query: ListedQuery) -> None:
        """Search a query that is listed, or show it where it was searched already."""
        places = [source.place for source in self.queries.sources]
        name = place_name(query.place)
        if name in places:
            self.choose_source(places.index(name))
        elif query.typed:
            self.searching.search(WordQuery(text=query.searched, typed=True))
        else:
            page, left, top, right, bottom = query.place
            self.searching.search(WordQuery(page, (left, top, right, bottom), query.text))

    def _search_again(self) -> None:
        """Words are described in another way: search the current query anew."""
        source = self.queries.current
        if source is not None and source.asked is not None:
            self.searching.search(source.asked)

    def rename(self, query: ListedQuery, text: str) -> None:
        """Say what is written at a query's place; its judgements keep to it."""
        before, named = query.name, self.query_list.rename(query, text)
        if named == query:
            return
        shared = any(each.name == before for each in self.query_list.listed)
        self.judgements.keeper.rename(before, named.name, keep=shared)
        place = place_name(query.place)
        source = next((each for each in self.queries.sources if each.place == place), None)
        if source is None or source.asked is None:
            return
        asked = source.asked if query.typed else replace(source.asked, text=named.text)
        title = f"{named.text} · typed"
        if not query.typed:
            title = query_title(named.text, asked.page, len(asked.places))
        self.queries.replace(source, replace(source, title=title, query=named.name, asked=asked))
        self.queries.changed.emit()
        if not query.typed:
            self.searching.search(asked)

    def forget_examples(self, query: ListedQuery) -> None:
        """Search a query by its first box only from now on."""
        alone = self.query_list.forget_examples(query)
        page, left, top, right, bottom = alone.place
        self.searching.search(WordQuery(page, (left, top, right, bottom), alone.text))

    def remove_query(self, query: ListedQuery) -> None:
        """List a query no more; its judgements stay."""
        places = [source.place for source in self.queries.sources]
        name = place_name(query.place)
        if name in places:
            self.close_source(places.index(name))
        else:
            self.query_list.remove(query)

    def choose_source(self, index: int) -> None:
        """Show another query."""
        self.queries.index = index
        self._show_current(None)

    def close_source(self, index: int) -> None:
        """Close a query, and list it no more; its judgements stay."""
        queries = self.queries
        place = queries.sources[index].place
        for listed in self.query_list.listed:
            if place_name(listed.place) == place:
                self.query_list.remove(listed)
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

    def _follow_truth(self) -> None:
        """The truth says other things of the open queries."""
        source = self.queries.current
        if source is not None:
            self.judgements.retell(source)
            self.queries.changed.emit()

    def _leave_pages(self) -> None:
        """Other pages are open: what was searched is closed, lists of files stay."""
        if not self.imported.sources:
            self.forget()
            return
        self.queries.clear(searched_only=True)
        self._show_current(None)

    def _renew(self, sources: Sequence[WordSource]) -> None:
        """More is known of open queries."""
        index, before = self.queries.index, self.queries.current
        self.queries.add(sources)  # they stand where they stood
        self.queries.index = index
        source = self.queries.current
        if source is not None and source in sources:
            self.judgements.read(source)
            if before is not None and before.scale is not source.scale:
                self.ranking.set_hit_score(source, before)
                self.set_threshold(source.tau)
            self.queries.changed.emit()
            self.ranking.start()

    def _show_current(self, before: WordSource | None) -> None:
        """Show the current query; ``before`` is what it was, if it was searched again."""
        source = self.queries.current
        assert source is not None  # one is shown
        chosen, self.item = self.item, None  # the number of another item now
        self.judgements.read(source)
        self.ranking.clear()
        if chosen is not None:
            self.item_changed.emit()
        self.ranking.set_hit_score(source, before)
        if before is None:
            self.judgements.clear_steps()
            self.set_threshold(source.tau)
        else:
            self._keep_choices(source, before, chosen)
        self.queries.changed.emit()
        self.ranking.start()

    def _keep_choices(self, source: WordSource, before: WordSource, chosen: int | None) -> None:
        """The query was searched again: keep what was chosen where its items still exist."""
        places = [place_of(before.items, item) for item in range(len(before.items))]
        now = match_places(places, source.items).tolist()
        self.judgements.renumber_steps(now)
        item = -1 if chosen is None else now[chosen]
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

    def crop_at_once(self, item: int) -> NDArray[np.uint8] | None:
        """The same if the item's page has been read; else None."""
        items = self.queries.items
        if items is None or not 0 <= item < len(items):
            return None
        return self.crops.crop_at_once(items, item)

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
                score = score_text(float(shown.ranked.score[rank]), self.queries.scale)
                parts.append(f"{shown.title} {rank + 1}{score and f' ({score})'}")
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
            self.crops = self._crops_of(files)

    def show_only_ink(self, only_ink: bool) -> None:
        """Have pictures of words without the background of their pages, or as they are."""
        self.only_ink = only_ink
        self.crops = self._crops_of(self.crops.files)

    def _crops_of(self, files: Mapping[str, tuple[Path, int]]) -> WordCrops:
        if self.only_ink:
            return WordCrops(files, self.searching.turn_of, remove_background)
        return WordCrops(files, self.searching.turn_of)


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


class KeptWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """Files of lists and of relevance judgements.

    Attributes
    ----------
    files : tuple of tuple of str
        Those that were opened together, in the order in which they were opened.
    """

    files: tuple[tuple[str, ...], ...] = ()


def take(window: Window, texts: PathTexts) -> KeptWords:
    """Return what is kept."""
    files = window.workbench.state(Words).imported.files
    kept = KeptWords(tuple(tuple(map(texts.text, paths)) for paths in files))
    return kept


def give(window: Window, kept: KeptWords, texts: PathTexts) -> None:
    """Open these files again, and no lists of others, if there are any."""
    words = window.workbench.state(Words)
    files: list[tuple[Path, ...]] = [tuple(map(texts.path, paths)) for paths in kept.files]
    if not files or tuple(files) == words.imported.files:
        return
    for index, source in reversed(list(enumerate(words.queries.sources))):
        if source.imported is not None:
            words.close_source(index)
    for paths in files:
        words.imported.open(paths)


KEPT = KeptView(KeptWords, take, give)


JUDGEMENT = "Judgement"


class JudgementUndo:
    """The judgements of words; words that were written since the last one come first."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._words = workbench.state(Words)
        self._written: dict[str, object] = {}  # the last judgement before each step
        self._words.writing.offered.connect(self._note)

    @property
    def may_undo(self) -> bool:
        """Tell whether there is a judgement, or a step, to take back."""
        return self._writes_back or self._words.judgements.may_undo

    @property
    def may_redo(self) -> bool:
        """Tell whether a judgement, or a step, was taken back."""
        return self._writes_again or self._words.judgements.may_redo

    @property
    def undo_name(self) -> str | None:
        """Return what the next step back is called."""
        history = self._workbench.history
        return history.undo_name if history and self._writes_back else JUDGEMENT

    @property
    def redo_name(self) -> str | None:
        """Return what the next step forward is called."""
        history = self._workbench.history
        return history.redo_name if history and self._writes_again else JUDGEMENT

    def undo(self) -> None:
        """Take the last judgement, or the step, back."""
        if self._writes_back:
            self._workbench.collection_steps.undo()
        else:
            self._words.judgements.undo()

    def redo(self) -> None:
        """Judge, or write, again as before."""
        if self._writes_again:
            self._workbench.collection_steps.redo()
        else:
            self._words.judgements.redo()

    @property
    def _writes_back(self) -> bool:
        history = self._workbench.history
        return history is not None and self._is_now(history.mark)

    @property
    def _writes_again(self) -> bool:
        history = self._workbench.history
        again = history is not None and self._is_now(history.undone)
        return again and not self._words.judgements.may_redo

    def _is_now(self, step: Step | None) -> bool:
        """Tell whether a step of the page wrote words, and nothing was judged since."""
        if step is None or step.of not in self._written:
            return False
        last = self._words.judgements.last
        return last is None or last is self._written[step.of]

    def _note(self, step: CollectionStep) -> None:
        self._written[step.id] = self._words.judgements.last
