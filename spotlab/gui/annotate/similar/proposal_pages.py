"""Choice of the pages searched for proposals, and timing of each search and page change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.annotate.similar.proposal_list import ProposalAnswers, ProposalList
from spotlab.gui.annotate.similar.proposal_search import Example, SearchResult
from spotlab.gui.annotate.similar.search_scheduler import (
    SearchScheduler,
    examples_of,
    open_truths,
    pages_with,
)
from spotlab.signal import Signal
from spotlab.spotting.symbols.proposals.candidate_classifier import Proposal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

PAUSE = 60  # ms after an answer until the page is searched again: the next may follow at once
AHEAD_PAUSE = 1500  # ms without answers until further pages are searched again
AHEAD = 3  # of them
UNTAUGHT = "there is no example left to search for: draw one, or press Esc"
OF_DRAWINGS = 0.25  # nothing is as like a drawing as two symbols of a page are like each other


class ProposalPages:
    """Searches the open page, and all others if wanted; what is answered is told to it.

    Attributes
    ----------
    active : bool
        Whether somebody is answering.
    everywhere : bool
        Whether all pages are searched, and one goes on from page to page.
    problem : str
        Why the open page cannot be searched.
    given : bool
        The proposals were found in another way: only the open page has them, nothing is searched.
    untypical : Example or None
        The region of the open page that looks least like the others of its label.
    first : frozenset of str
        Ids of the regions that were selected when the search began.
    going : bool
        Whether the next page opens as soon as this one is done.
    may_go : callable
        Whether another page may be opened now.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.active = False
        self.everywhere = False
        self.given = False
        self.problem = ""
        self.may_go: Callable[[], bool] = lambda: True
        self.changed = Signal[[]]()
        self.current_changed = Signal[[]]()
        self.counts_changed = workbench.pending.changed
        workbench.pending.count = self.count
        self.list = ProposalList(self.current_changed.emit)
        self.answers = ProposalAnswers()
        self.rounds = SearchScheduler(workbench, self.examples)
        self.busy_changed = self.rounds.busy_changed
        self.worth = 0.5  # the score from which the spotter would show proposals
        self.untypical: Example | None = None
        self._wanted_score: float | None = None
        self.first: frozenset[str] = frozenset()
        self._unlearned = False  # since the page was opened, or proposing began
        self._stale: set[PageEntry] = set()
        self._unreadable: list[str] = []
        self.going = False
        self._opening: PageEntry | None = None
        self._soon = QTimer(singleShot=True, interval=PAUSE)
        self._soon.timeout.connect(self._look)
        self._later = QTimer(singleShot=True, interval=AHEAD_PAUSE)
        self._later.timeout.connect(self._look_ahead)
        self._after_step = QTimer(singleShot=True, interval=0)
        self._after_step.timeout.connect(self.go_on)
        self.rounds.looked.connect(self._looked)
        self.rounds.failed.connect(self._failed)
        self.rounds.swept.connect(self._swept)
        self.rounds.lessons.learned.connect(self.learn)
        workbench.page_changed.connect(self._page_changed)
        # a step that removes what is selected has to end on its own page
        workbench.selection_changed.connect(self._after_step.start)
        workbench.collection_changed.connect(self.forget)

    @property
    def busy(self) -> bool:
        """Tell whether other pages are being searched."""
        return self.rounds.sweeping

    @property
    def looking(self) -> bool:
        """Tell whether the open page is being searched, or will be at once."""
        return self.active and (self.rounds.looking or self._soon.isActive())

    @property
    def minimum(self) -> float:
        """The score from which proposals are shown."""
        return self.worth if self._wanted_score is None else self._wanted_score

    def set_minimum(self, score: float | None) -> None:
        """Show proposals from this score on; None: from where they are worth showing."""
        self._wanted_score = score
        self.list.set_least(self.minimum)
        self._tell()

    def set_everywhere(self, everywhere: bool) -> None:
        """Search all pages, or only the one that is open."""
        if everywhere == self.everywhere or not self.active or self.given:
            return
        self.everywhere = self.going = everywhere
        if everywhere:
            self._sweep()
        else:
            self.rounds.cancel_sweep()
        self._tell()

    def count(self, index: int) -> int:
        """Tell how many proposals a page has, as far as it was searched."""
        return self.list.count(self.workbench.entries[index]) if self.active else 0

    @property
    def counted(self) -> tuple[int, int]:
        """Tell how many proposals there are on how many pages, as far as they were searched."""
        counts = [self.list.count(entry) for entry in self.list.pages]
        return sum(counts), sum(count > 0 for count in counts)

    def cancel(self) -> None:
        """Search no further pages; what was found stays."""
        self.rounds.cancel_sweep()
        self.changed.emit()

    def end(self) -> None:
        """No more proposals; what was learned stays for the next time."""
        if self.active:
            self.active = self.going = self.given = False
            self.untypical = None
            self._soon.stop()
            self._later.stop()
            self.rounds.cancel()
            self.list.clear()
            self._stale = set()
            self._tell()

    def forget(self) -> None:
        """Other pages are open: nothing is known of them."""
        self.end()
        self.answers = ProposalAnswers()
        self.rounds.forget()

    def seek(
        self,
        labels: tuple[str, ...] | None,
        first: frozenset[str],
        drawing: tuple[Example, ...],
    ) -> bool:
        """Look for a drawing or for labels (None: for all); False if there is no example."""
        rounds, workbench = self.rounds, self.workbench
        self.first = first
        rounds.labels, rounds.gathered, rounds.drawn = labels, drawing, bool(drawing)
        known = [each for each in self.examples() if each.good]
        teaching = [each for each in known if labels is None or each.label in labels]
        searched = [label.name for label in workbench.labels] if labels is None else labels
        rounds.wanted = {} if drawing else pages_with(workbench, searched, known)
        return bool(teaching or drawing or rounds.wanted)

    def begin(self, everywhere: bool) -> None:
        """Search from here on."""
        self._unreadable, self._wanted_score, self.problem = [], None, ""
        self.active, self.everywhere, self.going = True, everywhere, everywhere
        self.list.use(self.workbench.entry)
        self._unlearned = True
        self._look()
        if everywhere:
            self._sweep()
        self._tell()

    def begin_given(self, found: Sequence[Proposal]) -> None:
        """Show these on the open page; answers teach nothing."""
        entry = self.workbench.entry
        if entry is None:
            return
        self.problem, self._wanted_score, self.worth = "", None, 0.0
        self.active, self.given, self.everywhere, self.going = True, True, False, False
        self.list.set_least(self.minimum)
        self.list.use(entry)
        truth = self.workbench.document
        taken = [region.array for region in truth] if truth else []
        self.list.put(entry, found)
        for outline in taken:
            self.list.remove(entry, self.list.on(outline))
        self._tell()

    def learn(self) -> None:
        """Something else is known: search the open page again soon, the next ones later."""
        if self.given:
            self._tell()
        elif self.active:
            self._stale = set(self.list.pages)
            self._soon.start()
            self._later.start()
            self._tell()

    def examples(self) -> tuple[Example, ...]:
        """Return what the spotter learns from: labelled regions, and what was rejected."""
        first = self.first | self.answers.accepted
        truths = open_truths(self.workbench)
        good = examples_of(truths, self.rounds.labels, first, self.workbench.entry)
        return (*good, *self.answers.rejected)

    def _tell(self) -> None:
        self.changed.emit()
        self.counts_changed.emit()

    # Searching

    def _look(self) -> None:
        """Search the open page."""
        self._soon.stop()
        entry = self.workbench.entry
        if self.active and entry is not None and self.workbench.document is not None:
            self.rounds.look(entry)
            self.changed.emit()

    def _look_ahead(self) -> None:
        """Bring the next pages up to date, if nothing else is to be done."""
        if self.active and self.everywhere and not self.rounds.sweeping:
            self.rounds.sweep([each for each in self._others() if each in self._stale][:AHEAD])

    def _sweep(self) -> None:
        """Search all pages that were not, the next one first."""
        known = set(self.list.pages) - self._stale
        self.rounds.sweep([each for each in self._others() if each not in known])

    def _others(self) -> list[PageEntry]:
        entries, here = self.workbench.entries, self.workbench.index or 0
        return [each for each in (*entries[here + 1 :], *entries[:here]) if not each.missing]

    def _looked(self, outcome: SearchResult) -> None:
        if not self.active:
            return
        self._stale.discard(outcome.entry)
        self.worth = outcome.worth * (OF_DRAWINGS if self.rounds.drawn else 1)
        self.list.set_least(self.minimum)
        self.list.put(outcome.entry, outcome.proposals)
        if outcome.entry == self.workbench.entry:
            self.problem = "" if outcome.taught else UNTAUGHT
            self.untypical = outcome.untypical
            self._learn_others()
        self._tell()
        self.go_on()

    def _learn_others(self) -> None:
        """Learn from the other pages, now that the open one has its first proposals."""
        if self._unlearned and not self.rounds.drawn:
            self._unlearned = False
            self.rounds.learn()

    def _failed(self, entry: PageEntry, problem: str) -> None:
        if entry == self.workbench.entry:
            self.problem = problem
            self.workbench.said.emit(problem, True)
            self._learn_others()
        else:
            self._unreadable.append(entry.name)
        self._tell()
        self.go_on()

    def _swept(self) -> None:
        if self._unreadable:
            names = ", ".join(self._unreadable)
            self.workbench.said.emit(f"Not searched, as they cannot be read: {names}", True)
            self._unreadable = []
        self.changed.emit()
        self.go_on()

    # Going on

    def _page_changed(self) -> None:
        """Another page is open, or none: whoever opened it wants to see it."""
        workbench = self.workbench
        if not self.active:
            return
        if workbench.index is None:
            self.forget()
            return
        if self.given:
            self.end()
            return
        if workbench.entry != self._opening:
            self.going, self._opening = False, None
        self.problem, self.untypical = "", None
        self.list.use(workbench.entry if workbench.document is not None else None)
        self._unlearned = True
        self._look()
        self._tell()

    def go_on(self) -> None:
        """Open the next page with proposals if there is nothing to be answered here any more."""
        ready = self.active and self.everywhere and self.going and not self.looking
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
        if not self.rounds.sweeping:
            self.going = False
            accepted, rejected = self.answers.counts
            text = f"Proposing has ended: {accepted} accepted, {rejected} rejected"
            self.workbench.said.emit(text, False)
