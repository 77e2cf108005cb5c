"""A step of the whole collection: renaming, merging or deleting a label, writing words, and more.

A collection step is a value: which attribute of which region of which page becomes what, which
regions come in or go, and which entries go from the list of labels and come into it. It says so by
the regions' ids, so that

- its **inverse** is a step of the same kind, with before and after exchanged;
- carrying it out twice changes nothing: a region that has the new value already, that has got a
  third one since, or that is gone is left alone.

Everything else follows from these two. **Doing, cancelling, undoing, redoing and finishing after a
kill are one and the same**: write the step, or its inverse, to the disk as what is intended
(`spotlab.editing.unfinished`), carry it out page by page (`spotlab.editing.collection_step`),
write the list of labels, then remove the intention. Whatever kills the program in between, the next
start finds the intention and carries it out again, in the direction in which it was going, because
somebody had said yes to that. No collection is left mixed without a word.

**Undo.** Each page that is open in the window has the collection step in its history, with the
page's own part of the edits, also where that part is empty; a page that is opened later gets it as
its first step. So on every page the step stands in its place in time, and Ctrl+Z takes it back
everywhere exactly where it is the page's latest step. Own steps that a page has got since come
first on that page. On *other* pages they stay: there the step is taken out from under them, by the
inverse on the regions as they are now, and they are rewritten as if the step had never been done
(`CollectionStep.rewritten`), so that they can still be undone. Of several collection steps only the
last one is ever on top of a page, because all pages have all of them.

What is drawn or pasted after the step is no part of it, and stays as it is when it is undone. So
does a region that came in by the step and was changed since.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

from spotlab.editing.document import Document, Edit, inverses, size_of
from spotlab.editing.history import Step
from spotlab.editing.journal_file import has_journal, user_of
from spotlab.editing.session import EditingSession
from spotlab.errors import NotSaved, SpotlabError
from spotlab.files import exists, is_missing
from spotlab.formats.collection.folder import PageEntry, expand, summary
from spotlab.formats.truth import page_xml
from spotlab.model import Label, LabelSet, Page, Region, Truth
from spotlab.model.region import labels_of, new_id
from spotlab.progress import Progress, silent, track
from spotlab.trust import TruthPath, confined_truth

ATTRIBUTES = {"label": str, "uncertain": bool, "comment": str, "text": str}  # that may change


@dataclass(frozen=True)
class Change:
    """One attribute of a region becomes another."""

    region: str
    before: str | bool
    after: str | bool
    attribute: str = "label"

    def __post_init__(self) -> None:
        kind = ATTRIBUTES.get(self.attribute)
        if kind is None or not (isinstance(self.before, kind) and isinstance(self.after, kind)):
            raise ValueError(f"{self.after!r} is not a valid {self.attribute} of a region")

    def inverse(self) -> Change:
        """Return the change that takes this one back."""
        return Change(self.region, self.after, self.before, self.attribute)


@dataclass(frozen=True)
class Arrival:
    """A region comes in, on top of the others, or goes again."""

    value: Region
    goes: bool = False

    @property
    def region(self) -> str:
        """Its id."""
        return self.value.id

    def inverse(self) -> Arrival:
        """Return the change that takes this one back."""
        return Arrival(self.value, not self.goes)


@dataclass(frozen=True)
class Tagging:
    """A page gets tags and loses others."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    region = ""  # it is about none

    def inverse(self) -> Tagging:
        """Return the change that takes this one back."""
        return Tagging(self.removed, self.added)

    def of(self, page: Page) -> Page:
        """The page with its tags changed."""
        kept = (tag for tag in page.tags if tag not in self.removed)
        return replace(page, tags=(*kept, *self.added))


@dataclass(frozen=True)
class PlacedLabel:
    """A label and its place in the collection's list."""

    place: int
    label: Label


@dataclass(frozen=True)
class CollectionStep:
    """A change of the pages of a collection, and of its labels, in one step.

    Attributes
    ----------
    name : str
        What the menu shows, for instance "Rename sofa to couch".
    folder : Path
        The collection's, where its list of labels is.
    pages : mapping of Path to tuple of (Change, Arrival or Tagging)
        By truth file, as `page_key` names it.
    removed, added : tuple of PlacedLabel
        What goes from the list of labels, and what comes in.
    id : str
        The same for a step and its inverse.
    takes_back : bool
        This is the inverse of what somebody asked for.
    new : mapping of Path to Page
        The pages that had no truth file before, by the file that the step begins. One that holds
        nothing when the step is taken back goes again.
    root : Path, optional
        The opened folder: no file outside of it is written. By default ``folder``.

    Examples
    --------
    >>> pages = {Path("/a/one.xml"): (Change("r1", "sofa", "couch"),)}
    >>> step = CollectionStep("Rename sofa to couch", Path("/a"), pages)
    >>> step.inverse().pages[Path("/a/one.xml")][0].after
    'sofa'
    >>> step.inverse().inverse() == step
    True
    """

    name: str
    folder: Path
    pages: Mapping[Path, tuple[Change | Arrival | Tagging, ...]]
    removed: tuple[PlacedLabel, ...] = ()
    added: tuple[PlacedLabel, ...] = ()
    id: str = field(default_factory=new_id)
    takes_back: bool = False
    new: Mapping[Path, Page] = field(default_factory=dict)
    root: Path | None = field(default=None, compare=False)

    @property
    def regions(self) -> int:
        """Number of regions that change."""
        return sum(
            len({change.region for change in changes} - {""}) for changes in self.pages.values()
        )

    @cached_property
    def renamed(self) -> dict[str, str]:
        """New label of the regions of each label that goes; "" where they have none then."""
        others = {
            str(change.before): str(change.after)
            for changes in self.pages.values()
            for change in changes
            if isinstance(change, Change) and change.attribute == "label"
        }
        if len(self.removed) == len(self.added) == 1:
            others.setdefault(self.removed[0].label.name, self.added[0].label.name)
        return {entry.label.name: others.get(entry.label.name, "") for entry in self.removed}

    def inverse(self) -> CollectionStep:
        """The step that takes this one back."""
        pages = {
            path: tuple(change.inverse() for change in changes)
            for path, changes in self.pages.items()
        }
        return replace(
            self,
            pages=pages,
            removed=self.added,
            added=self.removed,
            takes_back=not self.takes_back,
        )

    def edits(self, path: Path, document: Document) -> list[Edit]:
        """Edits of a page as it is now; none where the step is done already."""
        by_region = self._by_region(path)
        regions = (document.get(id) for id in by_region)
        edits = document.replacing(
            *(_changed(region, by_region[region.id]) for region in regions if region)
        )
        arrivals = self._arrivals(path)
        going = [each.region for each in arrivals if each.goes]
        values = {each.region: each.value for each in arrivals}
        removed = document.removing(id for id in going if document.get(id) == values[id])
        coming = [each.value for each in arrivals if not each.goes and each.region not in document]
        first = len(document) - size_of(removed)
        places = tuple(range(first, first + len(coming)))
        edits += document.replacing(self._tagged(path, document.page))
        return [*edits, *removed, *([Edit((), tuple(coming), places)] if coming else [])]

    def labels_after(self, labels: LabelSet) -> LabelSet:
        """The list of labels, without what goes and with what comes, the rest as it is."""
        for entry in self.removed:
            labels = labels.without(entry.label.name)
        for entry in sorted(self.added, key=lambda entry: entry.place):
            labels = labels.with_entry(entry.label, entry.place)
        return labels

    def rewritten(
        self, path: Path, document: Document, part: Step, steps: Sequence[Step]
    ) -> list[Step]:
        """Steps of the page as they would be if this had been done before them.

        With the step's inverse: as if the step had never been done.

        Parameters
        ----------
        path : Path
            The truth file.
        document : Document
            The page without what the step has done to it.
        part : Step
            What the step, not its inverse, had done to the page.
        steps : sequence of Step
            What has been done since, the first one first.
        """
        by_region = self._by_region(path)
        without = _Without(
            {
                region.id: place
                for edit in part.edits
                for region, place in zip(edit.after, edit.places, strict=False)
                if region.id not in document
            }
        )

        def changed(regions: Sequence[Region]) -> tuple[Region, ...]:
            return tuple(_changed(region, by_region.get(region.id, ())) for region in regions)

        def rewrite(edit: Edit) -> Edit:
            if edit.page is not None:
                before, after = edit.page
                return Edit(page=(self._tagged(path, before), self._tagged(path, after)))
            return replace(edit, before=changed(edit.before), after=changed(edit.after))

        every = [without.edits(map(rewrite, step.edits)) for step in steps]
        return [
            step if edits == step.edits else replace(step, edits=edits)
            for step, edits in zip(steps, every, strict=True)
        ]

    def _tagged(self, path: Path, page: Page) -> Page:
        for change in self.pages.get(page_key(path), ()):
            page = change.of(page) if isinstance(change, Tagging) else page
        return page

    def _arrivals(self, path: Path) -> list[Arrival]:
        changes = self.pages.get(page_key(path), ())
        return [change for change in changes if isinstance(change, Arrival)]

    def _by_region(self, path: Path) -> dict[str, list[Change]]:
        by_region: dict[str, list[Change]] = {}
        for change in self.pages.get(page_key(path), ()):
            if isinstance(change, Change):
                by_region.setdefault(change.region, []).append(change)
        return by_region


class _Without:
    """Follows a page's edits, and gives them as if some of its regions had never come in.

    What is about these regions is left out; the others stand at lower places.

    Parameters
    ----------
    places : mapping of str to int
        Where the regions are before the first edit, by id.
    """

    def __init__(self, places: Mapping[str, int]) -> None:
        self._ids = frozenset(places)
        self._places = sorted(places.values())

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """The next edits."""
        kept = map(self._edit, edits)
        return tuple(edit for edit in kept if edit.size or edit.page is not None)

    def _edit(self, edit: Edit) -> Edit:
        if not edit.places:
            pairs = zip(edit.before, edit.after, strict=True)
            kept = [(old, new) for old, new in pairs if old.id not in self._ids]
            return replace(
                edit, before=tuple(old for old, _ in kept), after=tuple(new for _, new in kept)
            )
        rows = list(zip(edit.before or edit.after, edit.places, strict=True))
        if edit.after:
            moved = [(region, self._insert(region, place)) for region, place in rows]
        else:  # the last one first, so that the places of the others stay
            moved = [(region, self._remove(region, place)) for region, place in rows[::-1]][::-1]
        others = [(region, at) for region, at in moved if region.id not in self._ids]
        regions, places = tuple(region for region, _ in others), tuple(at for _, at in others)
        return Edit((), regions, places) if edit.after else Edit(regions, (), places)

    def _insert(self, region: Region, index: int) -> int:
        at = bisect_left(self._places, index)
        own = [index] if region.id in self._ids else []
        self._places[at:] = own + [place + 1 for place in self._places[at:]]
        return index - at

    def _remove(self, region: Region, index: int) -> int:
        at = bisect_left(self._places, index)
        own = region.id in self._ids
        self._places[at:] = [place - 1 for place in self._places[at + own :]]
        return index - at


def page_key(path: Path) -> Path:
    """Names a truth file, however its folder was reached."""
    return _real(path.parent) / path.name


@lru_cache(1000)  # thousands of pages lie in few folders
def _real(folder: Path) -> Path:
    return Path(os.path.realpath(folder))


def parts_of(steps: Sequence[CollectionStep], path: Path, document: Document) -> list[Step]:
    """Steps of a page that stand for collection steps which were done before the page was read."""
    copy = Document(document.truth)
    parts = []
    for step in reversed(steps):
        back = step.inverse().edits(path, copy)
        copy.apply(back)
        parts.append(Step(step.name, inverses(back), step.id))
    return parts[::-1]


def _changed(region: Region, changes: Sequence[Change]) -> Region:
    values = {
        change.attribute: change.after
        for change in changes
        if getattr(region, change.attribute) == change.before
    }
    return replace(region, **values) if values else region  # type: ignore[arg-type]


def rename_label(
    labels: LabelSet, old: str, new: str, folder: Path, carrying: Mapping[Path, Sequence[str]]
) -> CollectionStep:
    """The step that gives a label another name, or joins it with the one that has it.

    Parameters
    ----------
    labels : LabelSet
        The collection's labels.
    old, new : str
        The label set need not have ``old`` if it has ``new``.
    folder : Path
        The collection's.
    carrying : mapping of Path to sequence of str
        The ids of the regions with the old label, by truth file.
    """
    merges = new in labels
    places = [place for place, label in enumerate(labels) if label.name == old]
    renamed = [(PlacedLabel(at, labels[old]), PlacedLabel(at, replace(labels[old], name=new)))
               for at in places]  # fmt: skip
    return CollectionStep(
        f"Merge {old} into {new}" if merges else f"Rename {old} to {new}",
        folder,
        _relabelled(carrying, old, new),
        tuple(before for before, _ in renamed),
        () if merges else tuple(after for _, after in renamed),
    )


def delete_labels(
    labels: LabelSet, names: Sequence[str], folder: Path, carrying: Mapping[Path, Sequence[str]]
) -> CollectionStep:
    """The step that removes labels from the list; regions with the first of them are unlabeled.

    Parameters are those of `rename_label`.
    """
    entries = [PlacedLabel(at, label) for at, label in enumerate(labels) if label.name in names]
    name = f"Delete label {names[0]}" if len(names) == 1 else f"Delete {len(names)} labels"
    return CollectionStep(name, folder, _relabelled(carrying, names[0], ""), tuple(entries))


def _relabelled(
    carrying: Mapping[Path, Sequence[str]], old: str, new: str
) -> dict[Path, tuple[Change, ...]]:
    return {
        page_key(path): tuple(Change(id, old, new) for id in ids)
        for path, ids in carrying.items()
        if ids
    }


THREADS = 4  # writing a page is mostly waiting until it is on the disk


@dataclass
class Survey:
    """Labels of the pages of a collection.

    Attributes
    ----------
    carrying : dict of Path to list of str
        The ids of the regions with the label that was looked for, by truth file.
    used : set of str
        All labels that some region has.
    problems : dict of Path to str
        Pages that cannot be read or changed, and why.
    """

    carrying: dict[Path, list[str]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    problems: dict[Path, str] = field(default_factory=dict)

    def take(self, path: Path, regions: Iterable[Region], label: str) -> None:
        """The page holds these; what was known of it before is forgotten."""
        regions = list(regions)
        self.used.update(labels_of(regions))
        self.carrying[path] = [region.id for region in regions if label and region.label == label]


def survey_pages(entries: Sequence[PageEntry], label: str, progress: Progress = silent) -> Survey:
    """Look into each page's truth file, and into the journal that a killed program left.

    Parameters
    ----------
    entries : sequence of PageEntry
        Files whose pages nobody has counted yet are counted.
    label : str
        Whose regions are wanted; "" only asks which labels there are.
    """
    found = Survey()
    for entry in track(entries, progress, "Looking through the pages"):
        try:
            pages = expand(entry)
        except SpotlabError as error:
            if entry.has_truth:
                found.problems[entry.truth_path] = _why(entry.image, error)
            continue
        for page in pages:
            _look(page.truth_path, label, found)
    return found


def _look(path: Path, label: str, found: Survey) -> None:
    known = summary(path)
    if known.error:
        found.problems[path] = _why(path, known.error)
        return
    found.used.update(name for name in known.labels if name)
    user = user_of(path)
    left = not user and has_journal(path)
    if label not in known.labels and not left:
        return
    try:
        if left:
            session = EditingSession.open(path)
            found.take(path, session.document, label)
            session.close()
        elif label:
            found.take(path, page_xml.read(path).regions, label)
    except SpotlabError as error:
        found.problems[path] = _why(path, error)
        return
    if found.carrying.get(path):
        problem = _obstacle(path, user)
        if problem:
            found.problems[path] = problem
            del found.carrying[path]


def obstacles(paths: Sequence[Path], progress: Progress = silent) -> dict[Path, str]:
    """Find the truth files that cannot be changed now, as far as a glance can tell, and why."""
    doing = track(paths, progress, "Looking for pages in use")
    found = {path: _obstacle(path, user_of(path)) for path in doing}
    return {path: why for path, why in found.items() if why}


def _obstacle(path: Path, user: str) -> str:
    if user:
        return f"{path.name} is being edited in {user}"
    if exists(path) and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return f"{path.name} cannot be written: there is no permission"
    return ""


def _why(path: Path, problem: SpotlabError | str) -> str:
    """Name a problem without the folder, which is the collection's."""
    return str(problem).replace(f"{path.parent}{os.sep}", "")


@dataclass
class Changed:
    """The outcome of a step.

    Attributes
    ----------
    truths : dict of Path to Truth
        The pages that were changed, as they are now.
    problems : dict of Path to str
        Those that could not be, and why.
    untouched : list of Path
        Those that were not reached before it was stopped.
    """

    truths: dict[Path, Truth] = field(default_factory=dict)
    problems: dict[Path, str] = field(default_factory=dict)
    untouched: list[Path] = field(default_factory=list)


def change_pages(
    step: CollectionStep,
    paths: Sequence[Path],
    labels: LabelSet,
    goes_on: Callable[[], bool] = lambda: True,
    progress: Progress = silent,
) -> Changed:
    """Carry the step out on pages that nobody has open; each file is written whole or not at all.

    Parameters
    ----------
    step : CollectionStep
        Its intention has to be on the disk, see `spotlab.editing.unfinished`.
    paths : sequence of Path
        Truth files; one that is gone needs no change.
    labels : LabelSet
        The collection's, for the colours of labels that a file did not have.
    goes_on : callable
        Asked before each page; False stops.
    """
    done = Changed()

    def change(path: Path) -> None:
        if not goes_on():
            done.untouched.append(path)
            return
        try:
            truth = _change(step, confined_truth(path, step.root or step.folder), labels)
        except SpotlabError as error:
            done.problems[path] = _why(path, error)
        else:
            if truth:
                done.truths[path] = truth

    pool = ThreadPoolExecutor(THREADS)
    try:
        for place, _ in enumerate(pool.map(change, paths), 1):
            progress(place, len(paths), step.name)
    finally:
        pool.shutdown(cancel_futures=True)
    return done


def _change(step: CollectionStep, path: TruthPath, labels: LabelSet) -> Truth | None:
    """The page's truth where it had to be written, else None."""
    page = step.new.get(page_key(path))
    if is_missing(path) and (page is None or step.takes_back):
        return None
    session = EditingSession.open(path, page if is_missing(path) else None)
    try:
        edits = step.edits(path, session.document)
        session.history.do(step.name, edits)
        if not session.dirty:
            return None
        session.labels = _labels_of_file(step, session, labels)
        try:
            session.save()
        except NotSaved:
            if edits and session.recovered:
                session.history.undo()  # what a killed program left stays in the journal
            elif edits:
                session.discard()
            raise
        if step.takes_back and page is not None and not len(session.document):
            session.withdraw()  # the step had begun it
        return session.document.truth
    finally:
        session.close()


def _labels_of_file(step: CollectionStep, session: EditingSession, labels: LabelSet) -> LabelSet:
    """The file's own colours and digits; the collection's for labels that are new to it."""
    own = step.labels_after(session.labels)
    for name in labels_of(session.document):
        if name not in own and name in labels:
            own = own.with_entry(labels[name], len(own))
    return own
