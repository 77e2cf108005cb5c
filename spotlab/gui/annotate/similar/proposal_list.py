"""The proposals of all pages that were searched, those that are shown, and the current one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spotlab.arrays import Points
from spotlab.editing.history import Step
from spotlab.formats.collection.folder import PageEntry
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines, pair_boxes, reading_order
from spotlab.gui.annotate.similar.examples import Example, Ring
from spotlab.model import Region
from spotlab.signal import Signal
from spotlab.spotting.symbols.proposals.candidate_classifier import Proposal
from spotlab.spotting.symbols.proposals.region_learner import likely_share

SAME = 0.5  # intersection over union from which two outlines are about the same thing


class ProposalList:
    """Keeps proposals by page, and shows those of one page from a score on.

    Parameters
    ----------
    changed : Signal
        Emitted when others are wanted than before.

    Attributes
    ----------
    here : PageEntry or None
        The page whose proposals are shown.
    shown : tuple of Proposal
        Best first, or in reading order.
    reading : bool
        They are in reading order.
    current : Proposal or None
        One of them.
    current_changed : Signal
    """

    def __init__(self, changed: Signal[[]]) -> None:
        self._changed, self.current_changed = changed, Signal[[]]()
        self._found: dict[PageEntry, tuple[Proposal, ...]] = {}
        self._worth = 0.5  # the score from which the spotter would show proposals
        self._wanted: float | None = None
        self.reading = False
        self.here: PageEntry | None = None
        self.shown: tuple[Proposal, ...] = ()
        self.current: Proposal | None = None

    @property
    def pages(self) -> tuple[PageEntry, ...]:
        """Those that were searched."""
        return tuple(self._found)

    def count(self, entry: PageEntry) -> int:
        """Tell how many a page has."""
        return sum(each.score >= self.minimum for each in self._found.get(entry, ()))

    @property
    def counted(self) -> tuple[int, int]:
        """Tell how many proposals there are on how many pages, as far as they were searched."""
        counts = [self.count(entry) for entry in self._found]
        return sum(counts), sum(count > 0 for count in counts)

    @property
    def minimum(self) -> float:
        """The score from which proposals are shown."""
        return self._worth if self._wanted is None else self._wanted

    @property
    def likely(self) -> tuple[Proposal, ...]:
        """The best of those shown, of which 9 of 10 are expected to be right."""
        least = likely_share([each.score for each in self.shown])
        return tuple(each for each in self.shown if each.score >= least)

    def clear(self) -> None:
        """Forget all."""
        self._found = {}
        self._show()

    def use(self, here: PageEntry | None) -> None:
        """Show this page's."""
        self.here = here
        self._show()

    def set_minimum(self, score: float | None) -> None:
        """Show proposals from this score on; None: from where they are worth showing."""
        self._wanted = score
        self._show()
        self._changed.emit()

    def set_reading(self, reading: bool) -> None:
        """Show them in reading order, or the best first."""
        self.reading = reading
        self._show()
        self._changed.emit()

    def put(
        self, entry: PageEntry, proposals: Sequence[Proposal], worth: float | None = None
    ) -> None:
        """A page has these now; they are worth showing from a score on."""
        self._found[entry] = tuple(sorted(proposals, key=lambda each: -each.score))
        self._worth = self._worth if worth is None else worth
        self._show()

    def remove(self, entry: PageEntry, gone: Sequence[Proposal]) -> None:
        """These are no proposals any more; the one that comes next is current then."""
        left = tuple(each for each in self._found.get(entry, ()) if each not in gone)
        self._found[entry] = left
        if entry != self.here or self.current is None or self.current not in gone:
            self._show()
            return
        at = self.shown.index(self.current)
        after = [each for each in (*self.shown[at:], *self.shown[:at]) if each not in gone]
        self.current = after[0] if after else None
        self._show()
        self.current_changed.emit()

    def give_back(self, entry: PageEntry, proposals: Sequence[Proposal]) -> None:
        """These are to be answered again, the first of them now."""
        self.put(entry, (*self._found.get(entry, ()), *proposals))
        if entry == self.here and proposals and proposals[0] in self.shown:
            self.choose(proposals[0])

    def rename(self, old: str, new: str) -> None:
        """A label has another name."""
        self._found = {
            entry: tuple(renamed(each, old, new) for each in found)
            for entry, found in self._found.items()
        }
        if self.current is not None:
            self.current = renamed(self.current, old, new)
        self._show()

    def choose(self, proposal: Proposal | None) -> None:
        """This is the current one."""
        if proposal is not self.current:
            self.current = proposal
            self.current_changed.emit()

    def step(self, by: int) -> None:
        """Go to the one that comes next, or before."""
        if self.current is not None:
            at = self.shown.index(self.current) + by
            self.choose(self.shown[at % len(self.shown)])

    def at(self, x: float, y: float) -> Proposal | None:
        """The smallest one at a place of the page; None where there is none."""
        found = [each for each in self.shown if polygon.contains(each.outline, x, y)]
        return min(found, key=lambda each: polygon.area(each.outline), default=None)

    def on(self, outline: Points) -> list[Proposal]:
        """Those of the shown page that are about the same thing as an outline, best first."""
        return same_places(self._here(), outline)

    def _here(self) -> tuple[Proposal, ...]:
        return self._found.get(self.here, ()) if self.here else ()

    def _show(self) -> None:
        """Say what is shown; the current one may have got another score, outline or label."""
        self.shown = self._ordered([each for each in self._here() if each.score >= self.minimum])
        before = self.current
        if before in self.shown:
            return
        again: list[Proposal] = []
        if before is not None:
            alike = [each for each in self.shown if each.label == before.label]
            again = same_places(alike, before.outline)
        self.current = next(iter((*again, *self.shown)), None)
        if not again and self.current is not before:
            self.current_changed.emit()

    def _ordered(self, proposals: list[Proposal]) -> tuple[Proposal, ...]:
        if not (self.reading and proposals):
            return tuple(proposals)
        boxes = Outlines.of([each.outline for each in proposals]).bounds
        return tuple(proposals[number] for number in reading_order(boxes).tolist())


def renamed(proposal: Proposal, old: str, new: str) -> Proposal:
    """The proposal with its label's new name."""
    return replace(proposal, label=new) if proposal.label == old else proposal


def same_places(proposals: Sequence[Proposal], outline: Points) -> list[Proposal]:
    """Those that are about the same thing as an outline, most alike first."""
    if not len(proposals):
        return []
    boxes = Outlines.of([each.outline for each in proposals]).bounds
    pairs = pair_boxes(boxes, Outlines.of([outline]).bounds)
    same = np.flatnonzero(pairs.iou >= SAME)
    order = np.argsort(-pairs.iou[same], kind="stable")
    return [proposals[number] for number in pairs.first[same][order].tolist()]


@dataclass(frozen=True, eq=False)
class Rejection:
    """A proposal that was rejected.

    Attributes
    ----------
    proposal : Proposal
    entry : PageEntry
        Its page.
    mark : Step or None
        The page's last step then: undo takes back whatever came later.
    """

    proposal: Proposal
    entry: PageEntry
    mark: Step | None

    @property
    def example(self) -> Example:
        """Return what it teaches."""
        points = tuple((float(x), float(y)) for x, y in self.proposal.outline)
        return Example(self.proposal.label, False, self.entry, points)


class ProposalAnswers:
    """All answers since the collection was opened; the counts are since the last `start`.

    Attributes
    ----------
    accepted : frozenset of str
        Regions that proposals became, by their ids, and that are still there.
    actions, made : int
        Steps and rejections, and the regions that came of them, on all pages.
    rejections : list of Rejection
        The last one can be taken back.
    """

    def __init__(self) -> None:
        self.accepted: frozenset[str] = frozenset()
        self.actions = self.made = 0
        self._as_proposed: dict[str, Ring] = {}
        self._before: frozenset[str] = frozenset()
        self._covered: dict[str, tuple[Proposal, ...]] = {}
        self.rejections: list[Rejection] = []
        self._rejected_before = 0

    @property
    def counts(self) -> tuple[int, int]:
        """Tell how many were accepted and rejected."""
        rejected = max(0, len(self.rejections) - self._rejected_before)
        return len(self.accepted - self._before), rejected

    def start(self) -> None:
        """Count from here on."""
        self._before = self.accepted
        self._rejected_before = len(self.rejections)

    def cover(self, region: Region, proposals: list[Proposal]) -> None:
        """A region lies where these were proposed: that accepts one with its label."""
        self._covered[region.id] = tuple(proposals)
        if any(each.label == region.label for each in proposals):
            self.accepted |= {region.id}
            self._as_proposed.setdefault(region.id, region.points)

    def of_page(self, regions: Iterable[Region]) -> tuple[int, int]:
        """Tell how many of a page's regions were proposed, and how many of these are unchanged."""
        own = [region for region in regions if region.id in self.accepted]
        kept = [region for region in own if self._as_proposed.get(region.id) == region.points]
        return len(own), len(kept)

    def uncover(self, region: str) -> tuple[Proposal, ...]:
        """The region is gone; gives what is open again."""
        self.accepted -= {region}
        return self._covered.pop(region, ())

    def rename(self, old: str, new: str) -> None:
        """A label has another name."""
        self.rejections = [
            replace(each, proposal=renamed(each.proposal, old, new)) for each in self.rejections
        ]
        self._covered = {
            region: tuple(renamed(each, old, new) for each in proposals)
            for region, proposals in self._covered.items()
        }
