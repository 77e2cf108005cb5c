"""The pages that are searched for proposals: which, when, and the page that one goes on to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.annotate.similar.examples import (
    Example,
    Sought,
    examples_of,
    open_truths,
    pages_with,
)
from spotlab.gui.annotate.similar.proposal_list import ProposalAnswers, ProposalList
from spotlab.gui.annotate.similar.proposal_search import (
    Request,
    SearchResult,
    Seen,
    learn_pages,
    look,
)
from spotlab.gui.kit.background import Task, raise_unexpected
from spotlab.model import PageState
from spotlab.spotting.symbols.engine.method import SymbolSettings, ink_for_symbols
from spotlab.spotting.symbols.proposals.candidate_classifier import BESIDE, Proposal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

PAUSE = 60  # ms after an answer until the page is searched again: the next may follow at once
AHEAD_PAUSE = 1500  # ms without answers until further pages are searched again
AHEAD = 3  # of them
KEPT = 1 + BESIDE  # pages that are kept as they are seen: the open one, and those that come next
UNTAUGHT = "there is no example left to search for: draw one, or press Esc"
OF_DRAWINGS = 0.25  # nothing is as like a drawing as two symbols of a page are like each other


class ProposalPages:
    """Searches the open page, and all others if wanted; what is answered is told to it.

    Attributes
    ----------
    sought : Sought or None
        None while nobody is answering.
    everywhere : bool
        Whether all pages are searched, and one goes on from page to page.
    going : bool
        Whether the next page opens as soon as this one is done.
    problem : str
        Why the open page cannot be searched.
    untypical : Example or None
        The region of the open page that looks least like the others of its label.
    may_go : callable
        Whether another page may be opened now.
    cache : Path or None
        Folder of the pages' features; by default the user's cache.
    changed, busy_changed : Signal
        Anything is proposed, searched or answered; other pages begin or cease to be searched.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.sought: Sought | None = None
        self.everywhere = self.going = False
        self.problem = ""
        self.untypical: Example | None = None
        self.may_go: Callable[[], bool] = lambda: True
        self.cache: Path | None = None
        self.changed = workbench.pending.changed
        workbench.pending.count = self.count
        self.list = ProposalList(self.changed)
        self.answers = ProposalAnswers()
        self._seen = Seen(SymbolSettings())
        self._here, self._ahead, self._lessons = Task(urgent=True), Task(), Task(workbench)
        self.busy_changed = self._ahead.busy_changed
        self._queue: list[PageEntry] = []  # pages that are searched, one after the other
        self._done = 0  # of them
        self._unlearned = False  # since the page was opened, or proposing began
        self._stale: set[PageEntry] = set()
        self._unreadable: list[str] = []
        self._opening: PageEntry | None = None
        self._soon = QTimer(singleShot=True, interval=PAUSE)
        self._soon.timeout.connect(self._look)
        self._later = QTimer(singleShot=True, interval=AHEAD_PAUSE)
        self._later.timeout.connect(self._look_ahead)
        self._after_step = QTimer(singleShot=True, interval=0)
        self._after_step.timeout.connect(self.go_on)
        workbench.page_changed.connect(self._page_changed)
        # a step that removes what is selected has to end on its own page
        workbench.selection_changed.connect(self._after_step.start)
        workbench.collection_changed.connect(self.forget)

    @property
    def busy(self) -> bool:
        """Tell whether other pages are being searched."""
        return bool(self._queue)

    @property
    def looking(self) -> bool:
        """Tell whether the open page is being searched, or will be at once."""
        return self._here.busy or self._soon.isActive()

    def set_everywhere(self, everywhere: bool) -> None:
        """Search all pages, or only the one that is open."""
        if everywhere == self.everywhere or self.sought is None or self.sought.given:
            return
        self.everywhere = self.going = everywhere
        if everywhere:
            self._search_others()
        else:
            self.cancel()
        self.changed.emit()

    def count(self, index: int) -> int:
        """Tell how many proposals a page has, as far as it was searched."""
        return self.list.count(self.workbench.entries[index])

    def cancel(self) -> None:
        """Search no further pages; what was found stays."""
        if self._queue:
            self._queue = []
            self._ahead.cancel()
            self.workbench.finished.emit()
            self.changed.emit()

    def end(self) -> None:
        """No more proposals; what was learned stays for the next time."""
        if self.sought is not None:
            self.sought, self.untypical = None, None
            self.going = False
            self._stale = set()
            self._soon.stop()
            self._later.stop()
            self._here.cancel()
            self._lessons.cancel()
            self.cancel()
            self.list.clear()
            self.changed.emit()

    def forget(self) -> None:
        """Other pages are open: nothing is known of them."""
        self.end()
        self.answers = ProposalAnswers()
        self._seen = Seen(SymbolSettings())

    def begin(
        self, sought: Sought, everywhere: bool = False, found: Sequence[Proposal] = ()
    ) -> bool:
        """Search from here on, or ask about what was found; False if there is no example."""
        workbench, entry = self.workbench, self.workbench.entry
        assert entry is not None  # somebody looks at it
        if not sought.given and not sought.drawn:
            labels, known = sought.labels, [each for each in self._examples(sought) if each.good]
            names = [label.name for label in workbench.labels] if labels is None else labels
            wanted = pages_with(workbench, names, known)
            if not wanted and not any(labels is None or each.label in labels for each in known):
                return False
            sought = replace(sought, wanted=wanted)
        self.sought = sought
        self.everywhere = self.going = everywhere
        self.problem, self._unreadable, self._unlearned = "", [], True
        self.list.use(entry)
        self.list.set_minimum(None)
        if sought.given:
            self.list.put(entry, found, worth=0.0)
            for region in workbench.document or ():
                self.list.remove(entry, self.list.on(region.array))
        else:
            self._look()
        if everywhere:
            self._search_others()
        self.changed.emit()
        return True

    def learn(self) -> None:
        """Something else is known: search the open page again soon, the next ones later."""
        if self.sought is not None:
            if not self.sought.given:
                self._stale = set(self.list.pages)
                self._soon.start()
                self._later.start()
            self.changed.emit()

    # Searching

    def _examples(self, sought: Sought) -> tuple[Example, ...]:
        """Return what the spotter learns from: labelled regions, and what was rejected."""
        first = sought.first | self.answers.accepted
        good = examples_of(open_truths(self.workbench), sought.labels, first, self.workbench.entry)
        rejected = (each.example for each in self.answers.rejections)
        return (*good, *rejected, *sought.examples)

    def _seen_now(self) -> Seen:
        """Return what was seen with the settings as they are now, of no more pages than needed."""
        settings = SymbolSettings(ink_for_symbols(self.workbench.ink.settings))
        if (settings, self.cache) != (self._seen.settings, self._seen.cache):
            self._seen = Seen(settings, self.cache)
        entries, here = self.workbench.entries, self.workbench.index or 0
        place = {entry: (at - here) % len(entries) for at, entry in enumerate(entries)}
        pages = self._seen.pages
        for entry in sorted(pages, key=lambda entry: place.get(entry, len(entries)))[KEPT:]:
            del pages[entry]
        return self._seen

    def _request(self, entry: PageEntry) -> Request:
        sought, truths = self.sought or Sought(), open_truths(self.workbench)
        return Request(entry, sought, self._examples(sought), truths, self._seen_now())

    def _look(self) -> None:
        """Search the open page; a search of it that is under way is given up."""
        self._soon.stop()
        entry = self.workbench.entry
        if self.sought and entry is not None and self.workbench.document is not None:
            failed = partial(self._failed, entry)
            self._here.start(look, self._request(entry), done=self._looked, failed=failed)
            self.changed.emit()

    def _look_ahead(self) -> None:
        """Bring the next pages up to date, if nothing else is to be done."""
        if self.sought and self.everywhere and not self.busy:
            self._search([each for each in self._others() if each in self._stale][:AHEAD])

    def _search_others(self) -> None:
        """Search all pages that were not, the next one first."""
        known = set(self.list.pages) - self._stale
        self._search([each for each in self._others() if each not in known])

    def _others(self) -> list[PageEntry]:
        entries, here = self.workbench.entries, self.workbench.index or 0
        return [each for each in (*entries[here + 1 :], *entries[:here]) if not each.missing]

    def _search(self, entries: list[PageEntry]) -> None:
        """Search these pages, and no others than the open one."""
        self._ahead.cancel()
        self._queue, self._done = entries, 0
        self._search_next()

    def _search_next(self) -> None:
        """Search the first page of the queue; it stays there until it is searched."""
        queue = self._queue
        if not queue:
            self._searched()
            return

        def go_on() -> None:
            if self._queue is queue:  # nobody has asked for other pages meanwhile
                queue.pop(0)
                self._done += 1
                self._search_next()

        def done(result: SearchResult) -> None:
            self._looked(result)
            go_on()

        def failed(error: Exception) -> None:
            try:
                self._failed(entry, error)
            finally:
                go_on()

        entry = queue[0]
        self._ahead.start(look, self._request(entry), done=done, failed=failed)
        total = self._done + len(queue)
        self.workbench.progressed.emit(self._done, total, f"Searching {entry.name}")

    def _searched(self) -> None:
        """All pages are searched that were to be."""
        self.workbench.finished.emit()
        if self._unreadable:
            names = ", ".join(self._unreadable)
            self.workbench.said.emit(f"Not searched, as they cannot be read: {names}", True)
            self._unreadable = []
        self.changed.emit()
        self.go_on()

    def _looked(self, result: SearchResult) -> None:
        if self.sought is None:
            return
        if result.gathered and self.sought.wanted:
            examples = (*self.sought.examples, *result.gathered)
            self.sought = replace(self.sought, wanted={}, examples=examples)
        self._stale.discard(result.entry)
        worth = result.worth * (OF_DRAWINGS if self.sought.drawn else 1)
        self.list.put(result.entry, result.proposals, worth=worth)
        if result.entry == self.workbench.entry:
            self.problem = "" if result.taught else UNTAUGHT
            self.untypical = result.untypical
            self._learn_others()
        self.changed.emit()
        self.go_on()

    def _failed(self, entry: PageEntry, error: Exception) -> None:
        """Whatever it was, nobody goes on waiting for this page."""
        expected = isinstance(error, SpotlabError)
        problem = str(error) if expected else f"the search failed: {error}"
        if entry == self.workbench.entry:
            self.problem = problem
            self.workbench.said.emit(problem, True)
            self._learn_others()
        else:
            self._unreadable.append(entry.name)
        self.changed.emit()
        self.go_on()
        raise_unexpected(error)

    def _learn_others(self) -> None:
        """Learn from the other pages, now that the open one has its first proposals."""
        if not self._unlearned or (self.sought and self.sought.drawn):
            return
        self._unlearned = False
        collection, seen = self.workbench.collection, self._seen_now()
        states = {
            entry: known.state
            for number, entry in enumerate(collection.entries)
            if not entry.missing and entry != self.workbench.entry
            if (known := collection.summary(number)) is not None and any(known.labels)
        }
        # those that are checked are complete, or all while none is
        checked = PageState.CHECKED in states.values()
        pages = {at: state is PageState.CHECKED or not checked for at, state in states.items()}
        if pages or seen.lessons:
            truths = open_truths(self.workbench)
            self._lessons.start(
                learn_pages, pages, truths, seen, done=lambda anew: self.learn() if anew else None
            )

    # Going on

    def _page_changed(self) -> None:
        """Another page is open, or none: whoever opened it wants to see it."""
        workbench = self.workbench
        if self.sought is None:
            return
        if workbench.index is None:
            self.forget()
            return
        if self.sought.given:
            self.end()
            return
        if workbench.entry != self._opening:
            self.going, self._opening = False, None
        self.problem, self.untypical = "", None
        self.list.use(workbench.entry if workbench.document is not None else None)
        self._unlearned = True
        self._look()
        self.changed.emit()

    def go_on(self) -> None:
        """Open the next page with proposals if there is nothing to be answered here any more."""
        ready = self.sought and self.everywhere and self.going and not self.looking
        workbench = self.workbench
        if not ready or self.list.shown or len(workbench.selection) or not self.may_go():
            return
        if workbench.document is None or not workbench.draws:
            return
        for entry in self._others():
            if self.list.count(entry):
                self._opening = entry
                workbench.open_page(workbench.entries.index(entry))
                return
        if not self.busy:
            self.going = False
            accepted, rejected = self.answers.counts
            text = f"Proposing has ended: {accepted} accepted, {rejected} rejected"
            self.workbench.said.emit(text, False)
