"""Find similar: what the spotter proposes while the truth is drawn, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from spotlab.arrays import Points
from spotlab.editing.document import Edit
from spotlab.editing.operations import drawn
from spotlab.errors import counted
from spotlab.geometry import polygon
from spotlab.geometry.primitives import is_box
from spotlab.gui.annotate.similar.proposal_list import ProposalAnswers
from spotlab.gui.annotate.similar.proposal_pages import ProposalPages
from spotlab.gui.annotate.similar.proposal_search import Example
from spotlab.model import Primitive, Region
from spotlab.spotting.symbols.proposals.candidate_classifier import Proposal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


class Proposals:
    """Proposals are no regions: only those that are accepted go into a page's truth.

    Attributes
    ----------
    title : str
        What is looked for, for people.
    pages : ProposalPages
        Which pages are searched, and when.
    list : ProposalList
        What is proposed on each page.
    changed, current_changed : Signal
        Anything is proposed, or said of it, that was not; another proposal is the current one.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.title = ""
        self.pages = ProposalPages(workbench)
        self.list = self.pages.list
        self.changed, self.current_changed = self.pages.changed, self.pages.current_changed
        workbench.document_changed.connect(self._document_changed)
        workbench.label_renamed.connect(self.rename)

    @property
    def active(self) -> bool:
        """Tell whether somebody is answering."""
        return self.pages.active

    @property
    def answers(self) -> ProposalAnswers:
        """Return what was accepted and rejected."""
        return self.pages.answers

    # What is looked for

    def find(self, everywhere: bool = False) -> None:
        """Find more of what is selected, or else of the label that is chosen."""
        selected = self.workbench.selected
        labels = tuple(dict.fromkeys(region.label for region in selected))
        if not selected and not self.workbench.label:
            self._say("Select a region, or choose a label, to find similar regions")
            return
        first = frozenset(region.id for region in selected)
        self._start(labels or (self.workbench.label,), everywhere, first)

    def find_all(self, everywhere: bool = False) -> None:
        """Find more of everything that is labelled anywhere in the collection."""
        self._start(None, everywhere)

    def find_drawn(self, strokes: Sequence[ArrayLike]) -> None:
        """Find what looks like strokes, drawn at the size that it has on the page."""
        rings = [polygon.as_points(each).tolist() for each in strokes]
        label = self.workbench.label
        points = tuple(tuple((x, y) for x, y in ring) for ring in rings)
        drawing = Example(label, True, None, strokes=points)
        self._start((label,), self.active and self.pages.everywhere, drawing=(drawing,))

    def offer(self, title: str, found: Sequence[Proposal]) -> None:
        """Ask about free polygons that were found on the open page in another way."""
        self.pages.end()
        self.title = title
        self.answers.start()
        self.workbench.selection.clear()
        self.pages.begin_given(found)

    def rename(self, old: str, new: str) -> None:
        """A label has another name in the whole collection."""
        self.answers.rename(old, new)
        self.list.rename(old, new)
        self.pages.rounds.rename(old, new)
        if self.active and not self.pages.given:
            self.title = _titled(self.pages.rounds.labels, self.pages.rounds.drawn)
            self.pages.learn()

    def _start(
        self,
        labels: tuple[str, ...] | None,
        everywhere: bool,
        first: frozenset[str] = frozenset(),
        drawing: tuple[Example, ...] = (),
    ) -> None:
        workbench = self.workbench
        if workbench.document is None:
            return
        self.pages.end()
        if not self.pages.seek(labels, first, drawing):
            what = f"the label “{labels[0]}”" if labels else "a label"
            self._say(f"No region has {what} yet: draw one first")
            return
        self.title = _titled(labels, bool(drawing))
        self.answers.start()
        workbench.selection.clear()
        self.pages.begin(everywhere)

    # Which one

    @property
    def shown(self) -> tuple[Proposal, ...]:
        """Those of the open page that are to be answered, in their order."""
        return self.list.shown if self.active else ()

    @property
    def current(self) -> Proposal | None:
        """The one that keys mean while no region is selected."""
        return self.list.current if self.active else None

    def at(self, x: float, y: float) -> Proposal | None:
        """The smallest proposal at a place of the open page, where they are shown."""
        there = self.active and self.workbench.draws
        return self.list.at(x, y) if there else None

    def choose(self, proposal: Proposal) -> None:
        """Keys mean this one from now on, and no region."""
        self.workbench.selection.clear()
        self.list.choose(proposal)
        self.changed.emit()

    def step(self, by: int) -> None:
        """Go to the proposal that comes next, or before."""
        self.list.step(by)
        self.changed.emit()

    @property
    def untypical(self) -> Region | None:
        """Return the region of the page that looks least like the others of its label."""
        example = self.pages.untypical if self.active else None
        if example is None:
            return None
        return next(
            (
                region
                for region in self.workbench.document or ()
                if (region.points, region.label) == (example.points, example.label)
            ),
            None,
        )

    def select_untypical(self) -> Region | None:
        """Select that region, so that it can be looked at, changed or deleted."""
        region = self.untypical
        if region is not None:
            self.workbench.selection.set([region.id])
        return region

    # Answers

    def accept(self) -> None:
        """It is one: it becomes a region."""
        if self.current is None:
            self._nothing_left()
        else:
            self.accept_as(self.current.label)

    def accept_as(self, label: str) -> None:
        """The current one becomes a region of this label."""
        if self.current is not None:
            meant = replace(self.current, label=label)
            self._accept([meant], f"Accept {label or 'proposal'}")

    def accept_digit(self, digit: str) -> None:
        """It is one of the label that has this key."""
        label = self.workbench.labels.by_digit(digit)
        if label is None:
            self._say(f"No label has the key {digit}")
        else:
            self.accept_as(label.name)

    @property
    def likely(self) -> tuple[Proposal, ...]:
        """Those of the open page of which 9 of 10 are expected to be right."""
        return self.list.likely if self.active else ()

    def accept_likely(self) -> None:
        """All of the page that are likely become regions, in one step."""
        likely = self.likely
        if likely:
            what = "1 likely proposal" if len(likely) == 1 else f"{len(likely)} likely proposals"
            self._accept(likely, f"Accept {what}")
        else:
            self._say("No proposal of this page is likely enough to accept it unseen")

    def set_reading_order(self, reading: bool) -> None:
        """Go through proposals in reading order, or the best first."""
        self.list.set_reading(reading)
        self.changed.emit()

    def accept_all(self) -> None:
        """All that are shown on the page become regions, in one step."""
        if len(self.shown) > 1:
            self._accept(self.shown, f"Accept {counted(len(self.shown), 'proposal')}")
        else:
            self.accept()

    def reject(self) -> None:
        """It is none, and is not proposed again."""
        chosen, entry = self.current, self.workbench.entry
        history = self.workbench.history
        if chosen is None or entry is None or history is None:
            self._nothing_left()
            return
        self.answers.reject(chosen, entry, history.mark)
        self.list.remove(entry, [chosen])
        self.pages.going = self.pages.everywhere
        self.pages.learn()

    @property
    def undo_name(self) -> str:
        """The rejection that undo would take back; empty where a step of the page comes first."""
        history, last = self.workbench.history, self.answers.last_rejection
        if not self.active or last is None or history is None:
            return ""
        comes_last = last.entry == self.workbench.entry and last.mark is history.mark
        return f"Reject {last.proposal.label or 'proposal'}" if comes_last else ""

    def undo(self) -> bool:
        """Take the last rejection back; False where a step of the page has to be undone first."""
        name, entry = self.undo_name, self.workbench.entry
        if not name or entry is None:
            return False
        self.list.give_back(entry, [self.answers.take_back()])
        self.pages.learn()
        self._say(f"Undone: {name}")
        return True

    def _accept(self, proposals: Iterable[Proposal], name: str) -> None:
        workbench, document = self.workbench, self.workbench.document
        if document is None:
            return
        regions = []
        for each in proposals:
            kind = Primitive.POLYGON if self.pages.given else _kind(each.outline)
            region = drawn(each.outline, kind, document.page, each.label)
            regions += [region] if region else []
        for region in regions:
            workbench.collection.add_label(region.label)
        workbench.editing.do(name, document.adding(*regions))

    def _nothing_left(self) -> None:
        if self.pages.everywhere:
            self.pages.going = True
            self.pages.go_on()
        elif self.pages.looking:
            self._say("This page is still being searched · Esc ends proposing")
        else:
            self._say("No proposals left on this page · Esc ends proposing")

    def _say(self, text: str) -> None:
        self.workbench.said.emit(text, False)

    def _document_changed(self, edits: Sequence[Edit]) -> None:
        """A region where something was proposed answers it; without the region it is open again."""
        entry = self.workbench.entry
        assert entry is not None  # it is the open page's document
        answered = False
        self.answers.actions += bool(edits)
        self.answers.made += sum(len(edit.after) - len(edit.before) for edit in edits)
        if not self.active and not self.answers.any:
            edits = ()
        for edit in edits:
            if not edit.places:
                continue
            for region in edit.after if self.active else ():
                there = self.list.on(region.array)
                self.answers.cover(region, there)
                self.list.remove(entry, there)
                answered = answered or bool(there)
            for region in edit.before:
                again = self.answers.uncover(region.id)
                if self.active:
                    self.list.give_back(entry, again)
        self.pages.going = answered and self.pages.everywhere
        self.pages.learn()


def _kind(outline: Points) -> Primitive:
    """The kind of region that an outline becomes."""
    if is_box(outline):
        return Primitive.BOX
    return Primitive.HULL if polygon.is_convex(outline) else Primitive.POLYGON


def _titled(labels: tuple[str, ...] | None, drawing: bool) -> str:
    """Return what the bar calls what is looked for.

    Examples
    --------
    >>> _titled(("sofa",), False), _titled(None, False), _titled(("",), True)
    ('sofa', 'Everything', 'Drawing')
    """
    if labels is None:
        return "Everything"
    if drawing:
        return labels[0] or "Drawing"
    named = [label or "unlabeled" for label in labels]
    return ", ".join(named) if len(named) <= 3 else f"{len(named)} labels"
