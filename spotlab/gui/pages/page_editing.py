"""Edits of the open page by the user: steps in its history and functions that create them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Protocol

from numpy.typing import ArrayLike

from spotlab.editing.collection_step import Arrival, Change, CollectionStep, Tagging, page_key
from spotlab.editing.document import Document, Edit
from spotlab.editing.history import History
from spotlab.editing.operations import drawn, toggle_ignore
from spotlab.editing.region_index import twin_of
from spotlab.editing.selection import Selection
from spotlab.editing.session import EditingSession
from spotlab.editing.unfinished import Interrupted, adopt_unfinished, content_of, one_line, step_in
from spotlab.errors import BadInput, SpotlabError, counted
from spotlab.formats.collection.folder import PageEntry, expand
from spotlab.gui.pages.collection import Collection
from spotlab.gui.pages.offers import Author, Offer, Question, count_text, pages_text
from spotlab.model import Attributes, Ignore, LabelSet, Primitive, Region
from spotlab.model.region import with_values
from spotlab.progress import Progress
from spotlab.signal import Signal

SHOWN = 200  # pages that the details list; of more there is a count


@dataclass(frozen=True)
class FoundStep:
    """An unfinished step as it was found.

    Attributes
    ----------
    interrupted : Interrupted
    content : bytes
        Of its file.
    step : CollectionStep
        Of a foreign file only what concerns pages that the collection lists.
    left_out : int
        How many pages of a foreign file the collection does not list.
    """

    interrupted: Interrupted
    content: bytes
    step: CollectionStep
    left_out: int = 0

    def adopt(self, _: Progress) -> None:
        """Note that the user has agreed to the step as it stands in the file."""
        adopt_unfinished(self.interrupted, self.content)


def read_step(
    interrupted: Interrupted, entries: Sequence[PageEntry], _progress: Progress
) -> FoundStep:
    """Read an unfinished step.

    Raises
    ------
    BadInput
        It is no such step, names a file outside of the opened folder, or, if it is foreign, none of
        the opened pages.
    """
    content = content_of(interrupted)
    step = step_in(content, interrupted)
    if interrupted.own:
        return FoundStep(interrupted, content, step)
    wanted = step.pages.keys() | step.new.keys()
    listed = _listed(entries, wanted)
    pages = {path: changes for path, changes in step.pages.items() if path in listed}
    if wanted and not pages:
        raise BadInput(interrupted.path, "none of its pages is listed here")
    new = {
        path: replace(page, image=listed[path].image, frame=listed[path].frame)
        for path, page in step.new.items()
        if path in pages
    }
    kept = replace(step, pages=pages, new=new)
    return FoundStep(interrupted, content, kept, len(wanted - pages.keys()))


def foreign_offer(found: FoundStep, accept: Callable[[FoundStep], object]) -> Offer:
    """Ask whether somebody else's step is to be finished."""
    step = found.step
    way = "undoing “{}”" if step.takes_back else "“{}”"
    text = (
        f"This folder holds a step that another computer or user began and did not finish: "
        f"{way.format(step.name)} on {count_text(step)}."
    )
    more = f"It stands in {found.interrupted.path}. Finishing it changes only the pages listed."
    if found.left_out:
        more += f" {pages_text(found.left_out)} of the step are not in this collection."
    question = Question(text, more, tuple(_details(step)), "Finish")
    return Offer(question, partial(accept, found), lambda: None)


def _listed(entries: Sequence[PageEntry], wanted: set[Path]) -> dict[Path, PageEntry]:
    """The pages of a collection by truth file; files are expanded only if a page is missing."""
    known = {page_key(entry.truth_path): entry for entry in entries}
    if wanted <= known.keys():
        return known
    for entry in entries:
        if entry.frames is None:
            try:
                pages = expand(entry)
            except SpotlabError:
                continue  # it has no pages that could be changed
            known |= {page_key(page.truth_path): page for page in pages}
    return known


def _details(step: CollectionStep) -> Iterator[str]:
    """Say what would change, a line for the list of labels and one for each page."""
    names = [[one_line(each.label.name) for each in entries] for entries in
             (step.removed, step.added)]  # fmt: skip
    for verb, labels in zip(("removed", "added"), names, strict=True):
        if labels:
            yield f"Labels {verb}: {', '.join(labels)}"
    for path, changes in islice(step.pages.items(), SHOWN):
        begun = "a truth file is begun" if path in step.new else ""
        what = "; ".join(filter(None, (begun, *_changes(changes))))
        yield f"{path}: {what or 'no change'}"
    if len(step.pages) > SHOWN:
        yield f"… and {pages_text(len(step.pages) - SHOWN)} more"


def _changes(changes: Sequence[Change | Arrival | Tagging]) -> Iterator[str]:
    for change in changes:
        if isinstance(change, Tagging):
            tags = [*(f"+{tag}" for tag in change.added), *(f"−{tag}" for tag in change.removed)]
            yield f"tags {', '.join(map(one_line, tags))}"
    counts = Counter(_change(each) for each in changes if not isinstance(each, Tagging))
    for what, count in counts.items():
        yield f"{what} ({counted(count, 'region')})"


def _change(change: Change | Arrival) -> str:
    if isinstance(change, Arrival):
        verb = "removed" if change.goes else "added"
        return f"{one_line(change.value.label) or 'unlabeled'} {verb}"
    before, after = (one_line(str(value)) for value in (change.before, change.after))
    return f"{change.attribute} “{before}” becomes “{after}”"


def unchecked_by(document: Document, edits: Sequence[Edit]) -> Sequence[Edit]:
    """Return what else a step does to a page that is marked as checked: the mark goes with the
    step.

    Remarks leave it, for outlines and labels are what was checked.
    """
    if not document.page.checked or not any(map(_changes_truth, edits)):
        return ()
    return document.replacing(replace(document.page, checked=False))


def _changes_truth(edit: Edit) -> bool:
    comments = [region.comment for region in edit.after]
    if edit.places or not edit.size:
        return bool(edit.places)
    return with_values(edit.before, {"comment": comments}) != list(edit.after)


def with_defaults(edits: Sequence[Edit], labels: LabelSet) -> Sequence[Edit]:
    """The edits of a step, in which regions get the default attributes of their labels.

    These are regions that are drawn, and those that get another label.
    """
    every = (spec for specs in (labels.attributes, *(each.attributes for each in labels))
             for spec in specs)  # fmt: skip
    if all(spec.default is None for spec in every):
        return edits
    given: dict[str, Attributes] = {}  # to regions, so far
    found = []
    for edit in edits:
        before = {region.id: region for region in edit.before}
        after = []
        for region in edit.after:
            old = before.get(region.id)
            kept = old is not None and old.attributes == region.attributes
            now = given.get(region.id, region.attributes) if kept else region.attributes
            if old.label != region.label if old is not None else not region.history:
                now = labels.with_defaults(now, region.label)
            after.append(now)
        started = [given.get(region.id, region.attributes) for region in edit.before]
        given |= {region.id: now for region, now in zip(edit.after, after, strict=True)}
        found.append(replace(
            edit,
            before=tuple(with_values(edit.before, {"attributes": started})),
            after=tuple(with_values(edit.after, {"attributes": after})),
        ))  # fmt: skip
    return found


class StepsOfPages(Protocol):
    """The steps over all pages, which Undo and Redo reach where they are the latest."""

    def undo(self) -> bool:
        """Take the latest step back everywhere; False if it was one of the open page alone."""

    def redo(self) -> bool:
        """Take the undone step again everywhere; False if it was one of the open page alone."""


class PageEditing:
    """The verbs of editing the open page.

    Attributes
    ----------
    session : EditingSession or None
        Of the open page.
    label : str
        Of what is drawn next.
    refused : Signal of str
        What was done on the page, and why it came to nothing.

    What was drawn last is selected until it gets its label or something else is begun. After its
    label it is no longer selected; until the next press it is still at hand, so that another label
    corrects this one.
    """

    def __init__(
        self,
        collection: Collection,
        selection: Selection,
        steps: Callable[[], StepsOfPages],
        author: Author,
    ) -> None:
        self._author = author
        self._collection = collection
        self._selection = selection
        self._steps = steps
        self.session: EditingSession | None = None
        self.label = ""
        self.said = collection.said
        self.refused = Signal[[str]]()
        self.label_changed = Signal[[]]()
        self._drawn: tuple[str, ...] = ()  # what was drawn last
        self._labelled: tuple[str, ...] = ()  # the same, once it has its label
        selection.changed.connect(self._selected_another)

    @property
    def document(self) -> Document | None:
        """The open page's document."""
        return self.session.document if self.session else None

    @property
    def history(self) -> History | None:
        """The open page's steps."""
        return self.session.history if self.session else None

    @property
    def selected(self) -> tuple[Region, ...]:
        """The selected regions, in the order in which they were selected."""
        return self._selection.regions(self.document) if self.document else ()

    @property
    def at_hand(self) -> tuple[str, ...]:
        """Return what labels apply to: the selection, or else what was drawn and labelled last."""
        if self._selection.ids or self.document is None:
            return self._selection.ids
        return tuple(id for id in self._labelled if id in self.document)

    def select_at_hand(self) -> None:
        """Select what was drawn and labelled last, if nothing is selected."""
        self._selection.set(self.at_hand)

    def select_drawn(self, ids: Iterable[str]) -> None:
        """Select what has just been drawn."""
        self._selection.set(ids)
        self._drawn = self._selection.ids

    def begin_drawing(self) -> None:
        """Select nothing: what comes next, and its label, is about no region that is there."""
        self._selection.clear()
        self.forget_labelled()

    def select_again(self, ids: Iterable[str]) -> None:
        """Select what was selected before, as far as it is still there."""
        if self.document is not None:
            self._selection.set(id for id in ids if id in self.document)

    def forget_labelled(self) -> None:
        """Forget what was labelled last."""
        self._labelled = ()

    def _selected_another(self) -> None:
        self._drawn = ()
        if len(self._selection):
            self.forget_labelled()

    def do(self, name: str, edits: Sequence[Edit], *, merge: bool = False) -> bool:
        """Take a step in the open document; False, and said why, if that is not possible."""
        if self.session is None or self.history is None:
            return False
        self.session.author = self._author.name
        edits = with_defaults(edits, self._collection.labels)
        unchecking = unchecked_by(self.history.document, edits)
        try:
            self.history.do(name, (*edits, *unchecking), merge=merge)
        except SpotlabError as error:
            self.said.emit(str(error), True)
            return False
        if unchecking:
            self.said.emit("The page was changed, so it is no longer marked as checked", False)
        return True

    def undo(self) -> None:
        """Take the open page's last step back; on all pages, if it was one of the collection."""
        self.forget_labelled()
        if self.history and not self._steps().undo():
            name = self.history.undo()
            self.said.emit(f"Undone: {name}" if name else "Nothing to undo on this page", False)

    def redo(self) -> None:
        """Take the open page's last undone step again."""
        self.forget_labelled()
        if self.history and not self._steps().redo():
            name = self.history.redo()
            self.said.emit(f"Done again: {name}" if name else "Nothing to redo on this page", False)

    def refuse(self, why: str) -> None:
        """Say, where the pointer is, too, why what was done came to nothing, or what is odd."""
        self.said.emit(why, False)
        self.refused.emit(why)

    def draw_nothing(self, why: str) -> None:
        """Refuse what was drawn; a key that follows means no region that was selected before."""
        self.begin_drawing()
        self.refuse(why)

    def add_region(self, points: ArrayLike, primitive: Primitive) -> Region | None:
        """Insert a region with the current label and select it.

        None, and nothing selected, if it would have no area or cannot be kept.
        """
        document = self.document
        if document is None:
            return None
        region = drawn(points, primitive, document.page, self.label)
        if region is None:
            self.draw_nothing("The outline has no area: nothing was drawn")
            return None
        if not self.do(f"Draw {self.label or 'region'}", document.adding(region)):
            self.begin_drawing()
            return None
        self._selection.set([region.id])
        return region

    def draw(self, points: ArrayLike, primitive: Primitive) -> None:
        """Add what a hand has drawn; it is selected until it has its label."""
        region = self.add_region(points, primitive)
        if region is not None:
            self.select_drawn([region.id])
            self._remark_twins([region.id])

    def replace_regions(self, name: str, regions: Iterable[Region], *, merge: bool = False) -> bool:
        """Put these in place of the regions with the same ids, as one step."""
        document = self.document
        return document is not None and self.do(name, document.replacing(*regions), merge=merge)

    def remove_selected(self) -> None:
        """Take the selected regions away."""
        document, regions = self.document, self.selected
        if document is not None and regions:
            count = len(regions)
            name = "Delete region" if count == 1 else f"Delete {count} regions"
            self.do(name, document.removing(self._selection))

    def apply_label(self, name: str) -> None:
        """Give the regions at hand this label, and those drawn next; a new one is made.

        The selection ends if it is what was drawn last. Nothing happens where the label set is
        locked and has no such label.
        """
        name = " ".join(name.split())
        if not self._collection.add_label(name):
            return
        self.label = name
        self.label_changed.emit()
        title = f"Label {name}" if name else "Remove label"
        ids = self.at_hand
        drawn = ids in (self._drawn, self._labelled)
        if self.set_values(title, ids, "label", name) and ids and drawn:
            self._selection.clear()
            self._labelled = ids
            self._remark_twins(ids)

    def _remark_twins(self, ids: Sequence[str]) -> None:
        """Say it if one of these regions lies where another of its label is already."""
        document = self.document
        for region in document.regions_of(ids) if document is not None else ():
            if document is not None and (twin := twin_of(region, document)) is not None:
                what = f"“{twin.label}”" if twin.label else "unlabelled region"
                self.refuse(f"There is another {what} at the same place: Ctrl+Z removes this one")
                return

    def set_values(self, name: str, ids: Iterable[str], field: str, value: object) -> bool:
        """Give these regions a value, which has to be valid, as one step; False if it failed."""
        document = self.document
        return document is not None and self.do(name, document.setting(ids, field, value))

    def toggle_uncertain(self) -> None:
        """Flag the selected regions as uncertain, or none of them if all are."""
        regions = self.selected
        flag = not all(region.uncertain for region in regions)
        name = "Flag uncertain" if flag else "Clear uncertain flag"
        self.set_values(name, self._selection, "uncertain", flag)

    def toggle_ignore(self, ignore: Ignore) -> None:
        """Leave the selected regions out of evaluation in this way, or count them if all are so."""
        regions = toggle_ignore(self.selected, ignore)
        is_set = any(region.ignored for region in regions)
        self.replace_regions(f"Ignore as {ignore}" if is_set else "Count again", regions)

    def set_comment(self, comment: str) -> None:
        """Give the selected regions this comment."""
        self.set_values("Comment", self._selection, "comment", comment)

    def set_checked(self, checked: bool) -> None:
        """Say that the open page's truth is complete, or not."""
        document = self.document
        if document is not None:
            page = replace(document.page, checked=checked)
            self.do("Mark checked" if checked else "Mark unchecked", document.replacing(page))
