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
from spotlab.gui.annotate.similar.examples import Example, Sought
from spotlab.gui.annotate.similar.proposal_list import ProposalAnswers, Rejection
from spotlab.gui.annotate.similar.proposal_pages import ProposalPages
from spotlab.model import Primitive, Region
from spotlab.spotting.symbols.proposals.candidate_classifier import Proposal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


class Proposals:
    """Proposals are no regions: only those that are accepted go into a page's truth.

    Attributes
    ----------
    pages : ProposalPages
        Which pages are searched, and when.
    list : ProposalList
        What is proposed on each page.
    changed, current_changed : Signal
        Anything is proposed, or said of it, that was not; another proposal is the current one.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.pages = ProposalPages(workbench)
        self.list = self.pages.list
        self.changed, self.current_changed = self.pages.changed, self.list.current_changed
        workbench.document_changed.connect(self._document_changed)
        workbench.label_renamed.connect(self.rename)

    @property
    def active(self) -> bool:
        """Tell whether somebody is answering."""
        return self.pages.sought is not None

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
        self._start(Sought(labels or (self.workbench.label,), first), everywhere)

    def find_all(self, everywhere: bool = False) -> None:
        """Find more of everything that is labelled anywhere in the collection."""
        self._start(Sought(None), everywhere)

    def find_drawn(self, strokes: Sequence[ArrayLike]) -> None:
        """Find what looks like strokes, drawn at the size that it has on the page."""
        rings = tuple(
            tuple((x, y) for x, y in polygon.as_points(each).tolist()) for each in strokes
        )
        label = self.workbench.label
        drawing = Example(label, True, None, strokes=rings)
        self._start(Sought((label,), examples=(drawing,)), self.active and self.pages.everywhere)

    def offer(self, title: str, found: Sequence[Proposal]) -> None:
        """Ask about free polygons that were found on the open page in another way."""
        self._start(Sought(given=title), found=found)

    def rename(self, old: str, new: str) -> None:
        """A label has another name in the whole collection."""
        self.answers.rename(old, new)
        self.list.rename(old, new)
        if self.pages.sought is not None:
            self.pages.sought = self.pages.sought.renamed(old, new)
            self.pages.learn()

    def _start(
        self, sought: Sought, everywhere: bool = False, found: Sequence[Proposal] = ()
    ) -> None:
        if self.workbench.document is None:
            return
        self.pages.end()
        self.answers.start()
        if self.pages.begin(sought, everywhere, found):
            self.workbench.selection.clear()
        else:
            what = f"the label “{sought.labels[0]}”" if sought.labels else "a label"
            self._say(f"No region has {what} yet: draw one first")

    # Which one

    @property
    def shown(self) -> tuple[Proposal, ...]:
        """Those of the open page that are to be answered, in their order."""
        return self.list.shown

    @property
    def current(self) -> Proposal | None:
        """The one that keys mean while no region is selected."""
        return self.list.current

    def at(self, x: float, y: float) -> Proposal | None:
        """The smallest proposal at a place of the open page, where they are shown."""
        return self.list.at(x, y) if self.workbench.draws else None

    def choose(self, proposal: Proposal) -> None:
        """Keys mean this one from now on, and no region."""
        self.workbench.selection.clear()
        self.list.choose(proposal)

    @property
    def untypical(self) -> Region | None:
        """Return the region of the page that looks least like the others of its label."""
        example = self.pages.untypical
        looks = (example.points, example.label) if example else None
        regions = self.workbench.document or ()
        return next((each for each in regions if (each.points, each.label) == looks), None)

    # Answers

    def accept(self, label: str | None = None) -> None:
        """It is one: it becomes a region, of its own label or of this one."""
        if self.current is None:
            self._nothing_left()
            return
        meant = self.current if label is None else replace(self.current, label=label)
        self._accept([meant], f"Accept {meant.label or 'proposal'}")

    def accept_digit(self, digit: str) -> None:
        """It is one of the label that has this key."""
        label = self.workbench.labels.by_digit(digit)
        if label is None:
            self._say(f"No label has the key {digit}")
        else:
            self.accept(label.name)

    def accept_likely(self) -> None:
        """All of the page that are likely become regions, in one step."""
        likely = self.list.likely
        if likely:
            self._accept(likely, f"Accept {counted(len(likely), 'likely proposal')}")
        else:
            self._say("No proposal of this page is likely enough to accept it unseen")

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
        self.answers.actions += 1
        self.answers.rejections.append(Rejection(chosen, entry, history.mark))
        self.list.remove(entry, [chosen])
        self.pages.going = self.pages.everywhere
        self.pages.learn()

    @property
    def undo_name(self) -> str:
        """The rejection that undo would take back; empty where a step of the page comes first."""
        history, rejections = self.workbench.history, self.answers.rejections
        if not self.active or not rejections or history is None:
            return ""
        last = rejections[-1]
        comes_last = last.entry == self.workbench.entry and last.mark is history.mark
        return f"Reject {last.proposal.label or 'proposal'}" if comes_last else ""

    def undo(self) -> bool:
        """Take the last rejection back; False where a step of the page has to be undone first."""
        name, entry = self.undo_name, self.workbench.entry
        if not name or entry is None:
            return False
        self.list.give_back(entry, [self.answers.rejections.pop().proposal])
        self.pages.learn()
        self._say(f"Undone: {name}")
        return True

    def _accept(self, proposals: Iterable[Proposal], name: str) -> None:
        workbench, document = self.workbench, self.workbench.document
        if document is None:
            return
        made = (
            drawn(each.outline, self._kind(each.outline), document.page, each.label)
            for each in proposals
        )
        regions = [region for region in made if region is not None]
        for region in regions:
            workbench.collection.add_label(region.label)
        workbench.editing.do(name, document.adding(*regions))

    def _kind(self, outline: Points) -> Primitive:
        """The kind of region that an outline becomes; given ones stay free polygons."""
        given = self.pages.sought is not None and self.pages.sought.given
        if given or not polygon.is_convex(outline):
            return Primitive.POLYGON
        return Primitive.BOX if is_box(outline) else Primitive.HULL

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
