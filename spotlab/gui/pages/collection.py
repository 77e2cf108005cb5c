"""The pages that are listed, what is known of each, and the labels that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection as Many
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from spotlab.editing.journal import journal_path
from spotlab.editing.session import EditingSession
from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry, Summary, common_folder, common_root, expand
from spotlab.formats.collection.label_file import NAME as LABEL_FILE
from spotlab.formats.collection.label_file import CollectionFile, open_collection_file
from spotlab.formats.page.head import SummaryStore
from spotlab.formats.rows.files import clear_stale
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import KeptFile
from spotlab.libraries import late_imports
from spotlab.model import LabelSet, PageState, Truth
from spotlab.model.region import labels_of
from spotlab.progress import Progress, track
from spotlab.signal import Signal
from spotlab.trust import is_confined

with late_imports(__name__):
    from spotlab.studies.tally import subset


CHUNK = 250  # pages whose truth is looked into between two reports to the window
FIRST = 50  # pages of the first report, and of one that somebody waits for

Looked = list[tuple[PageEntry, Summary]]


class Collection:
    """A list of pages with their states, and a set of labels that is kept beside them.

    Attributes
    ----------
    entries : tuple of PageEntry
        The pages in their order.
    folder : Path or None
        All pages are in it or below; what the collection keeps lies in it.
    root : Path or None
        The opened folder: nothing outside of it is written.
    labels : LabelSet
        Labels with colours and digits, kept in the collection's folder.
    problems : dict of Path to str
        What is wrong with a truth file.
    """

    def __init__(self) -> None:
        self.entries: tuple[PageEntry, ...] = ()
        self.folder: Path | None = None
        self.root: Path | None = None
        self.labels = LabelSet()
        self.problems: dict[Path, str] = {}
        self.entries_changed = Signal[[]]()
        self.state_changed = Signal[[int]]()
        self.labels_changed = Signal[[]]()
        self.said = Signal[[str, bool]]()
        self.label_refused = Signal[[str]]()  # the set is locked and has no such label
        self._file: KeptFile[CollectionFile] | None = None  # labels and what else is kept
        self._summaries: dict[Path, Summary] = {}
        self._counts: Counter[str] = Counter()
        self._store = SummaryStore()
        self._asked: dict[int, None] = {}  # pages that are wanted, the last one first
        self._index: dict[Path, int] = {}
        self._looking = Task()

    def use(self, entries: Sequence[PageEntry]) -> None:
        """List these pages, then look into them in the background."""
        self.close()
        folder = self.folder = background.call(common_folder, entries)
        self.root = common_root(entries)
        self.labels = LabelSet()
        if folder is not None:
            self._file = KeptFile(open_collection_file(folder), self.said.emit)
            self._file.changed.connect(self._take_over)
            self._file.open()
            self.labels = self._file.value.labels
        self._summaries, self.problems = {}, {}
        self._counts = Counter()
        self._set_entries(tuple(entries))
        self.labels_changed.emit()
        self._look()

    def add(self, entries: Sequence[PageEntry]) -> None:
        """List these pages, some of which are new, and look into those."""
        self._set_entries(tuple(entries))
        self._look()

    def expand(self, index: int) -> int:
        """List all pages of this page's file now, if nobody has counted them yet.

        Returns
        -------
        int
            The page's place, or that of the first one of its file: while this one was counted,
            other files may have been.
        """
        entry = self.entries[index]
        if entry.frames is not None:
            return index
        first = entry.truth_path
        with suppress(SpotlabError):  # opening it will say what is wrong
            pages = background.call(expand, entry)
            first = pages[0].truth_path
            if entry in self.entries:  # else it has been counted meanwhile
                at = self.entries.index(entry)
                self._set_entries((*self.entries[:at], *pages, *self.entries[at + 1 :]))
        return self._index.get(first, index)

    def summary(self, index: int) -> Summary | None:
        """Return what is known of a page's truth.

        None while nobody has looked, which is done soon.
        """
        known = self._summaries.get(self.entries[index].truth_path)
        if known is None:
            self._asked.pop(index, None)
            self._asked[index] = None
        return known

    def state(self, index: int) -> PageState | None:
        """Tell how far a page's truth is; None where that is not known (yet)."""
        known = self.summary(index)
        return known.state if known else None

    def counts(self) -> Counter[str]:
        """Tell how many regions of the whole collection carry each label, as far as it is known."""
        return Counter({name: count for name, count in self._counts.items() if name and count})

    def tags(self) -> list[str]:
        """The tags of the pages, as far as they are known, in alphabetical order."""
        return sorted({tag for known in self._summaries.values() for tag in known.tags})

    def labels_beside_set(self) -> list[str]:
        """The labels that regions have though the label set has not, in alphabetical order."""
        return sorted(self.counts().keys() - {label.name for label in self.labels})

    def note(self, entry: PageEntry, truth: Truth) -> None:
        """A page's truth is now this."""
        labels = labels_of(truth.regions)
        unlabeled = len(truth.regions) - sum(labels.values())
        labels = {"": unlabeled, **labels} if unlabeled else labels
        self.know(entry, Summary(truth.state, labels, tags=truth.page.tags))

    def set_labels(self, labels: LabelSet) -> None:
        """Use these labels from now on; their file follows."""
        if labels != self.labels:
            self.labels = labels
            if self._file is not None:
                self._file.set(replace(self._file.value, labels=labels))
            self.labels_changed.emit()

    def take_labels(self, session: EditingSession) -> None:
        """See to it that every label of a page is among these, unless they are locked."""
        labels = self.labels
        for name in dict.fromkeys(region.label for region in session.document):
            if name and name not in labels and not labels.locked:
                colour = session.labels[name].colour if name in session.labels else ""
                labels = labels.with_label(name, colour)
        self.set_labels(labels.numbered_like(session.labels))
        session.labels = self.labels

    def kept(self, key: str) -> Any:
        """Return what else is kept for the collection under a key; None if nothing is."""
        return self._file.value.values.get(key) if self._file is not None else None

    def keep(self, key: str, value: Any) -> None:
        """Keep a JSON value for the collection, beside its labels."""
        if self._file is not None:
            now = self._file.value
            self._file.set(replace(now, values={**now.values, key: value}))

    def add_label(self, name: str, colour: str = "") -> bool:
        """Have a label in the set; False, and said so, if the set is locked and has no such one."""
        if not name or name in self.labels:
            return True
        if self.labels.locked:
            self.label_refused.emit(name)
            return False
        self.set_labels(self.labels.with_label(name, colour))
        return True

    def lock_labels(self, locked: bool) -> None:
        """Let nobody add, rename or delete labels, or everybody."""
        self.set_labels(replace(self.labels, locked=locked))
        state = "locked: no label is added, renamed or deleted" if locked else "unlocked"
        self.said.emit(f"The label set is {state}", False)

    def write_labels(self) -> bool:
        """Have all changes of the labels in their file; False if that failed."""
        return self._file is None or self._file.flush()

    def close(self) -> None:
        """Write the labels and follow their file no more."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _take_over(self) -> None:
        """Use the labels as another window has changed them."""
        assert self._file is not None
        if self._file.value.labels != self.labels:
            self.labels = self._file.value.labels
            self.labels_changed.emit()

    def stop_following(self) -> None:
        """Hear no more of what other windows do to the labels: this one is gone."""
        if self._file is not None:
            self._file.stop_following()

    def stop(self) -> None:
        """Look no further."""
        self._looking.cancel()

    def _set_entries(self, entries: tuple[PageEntry, ...]) -> None:
        self.entries = entries
        self._index = {entry.truth_path: index for index, entry in enumerate(entries)}
        self._asked = {}
        self.entries_changed.emit()

    def know(self, entry: PageEntry, known: Summary) -> None:
        """This is how far a page's truth is now."""
        index = self._index.get(entry.truth_path)
        if index is None or self._summaries.get(entry.truth_path) == known:
            return
        before = self._summaries.get(entry.truth_path)
        if before is not None:
            self._counts.subtract(before.labels)
        self._counts.update(known.labels)
        self._summaries[entry.truth_path] = known
        if known.error:
            self.problems[entry.truth_path] = known.error
        else:
            self.problems.pop(entry.truth_path, None)
        self.state_changed.emit(index)

    def _look(self) -> None:
        """Find the pages of files that hold several, then read all states, bit by bit."""
        self.stop()
        truths = tuple(entry.truth_path for entry in self.entries)
        background.run(_clear_stale, truths, self.folder, self.root)
        unknown = [entry for entry in self.entries if entry.frames is None]
        self._looking.start(_expand, tuple(unknown), done=self._expanded)

    def _expanded(self, found: dict[Path, tuple[PageEntry, ...]]) -> None:
        if found:
            entries: list[PageEntry] = []
            for entry in self.entries:
                more = found.get(entry.image) if entry.frames is None else None
                entries.extend(more or (entry,))
            self._set_entries(tuple(entries))
        self._look_into(0)

    def _look_into(self, start: int) -> None:
        """Look into the pages that are asked for, and else into the next ones from a place on."""
        chunk = self._unknown(self._take_asked())
        while not chunk and start < len(self.entries):
            end = start + (CHUNK if start else FIRST)
            chunk, start = self._unknown(self.entries[start:end]), end
        if chunk:
            self._looking.start(
                _summaries, self._store, chunk, done=lambda looked: self._looked(start, looked)
            )

    def _take_asked(self) -> list[PageEntry]:
        """Return what was asked for last; who still looks at the others will ask again."""
        asked = [self.entries[index] for index in reversed(self._asked)][:FIRST]
        self._asked = {}
        return asked

    def _unknown(self, entries: Sequence[PageEntry]) -> tuple[PageEntry, ...]:
        return tuple(entry for entry in entries if entry.truth_path not in self._summaries)

    def _looked(self, start: int, looked: Looked) -> None:
        for entry, known in looked:
            if entry.truth_path not in self._summaries:  # what was edited meanwhile is newer
                self.know(entry, known)
        self._look_into(start)


def _clear_stale(
    truths: tuple[Path, ...], folder: Path | None, root: Path | None, _: Progress
) -> None:
    """Remove what killed programs left of writing the collection's files in the opened folder."""
    own = (folder / LABEL_FILE,) if folder else ()
    files = (*truths, *map(journal_path, truths), *own)
    clear_stale(path for path in files if root is None or is_confined(path.absolute(), root))


def _expand(
    entries: tuple[PageEntry, ...], progress: Progress
) -> dict[Path, tuple[PageEntry, ...]]:
    found = {}
    for entry in track(entries, progress, "Counting pages"):
        try:
            found[entry.image] = tuple(expand(entry))
        except SpotlabError:
            continue  # opening it will say what is wrong
    return found


def _summaries(store: SummaryStore, entries: tuple[PageEntry, ...], progress: Progress) -> Looked:
    doing = iter(track(entries, progress, "Reading states"))
    found = store.summaries([entry.truth_path for entry in entries], lambda: next(doing))
    return list(zip(entries, found, strict=True))


class ShownPages:
    """The filter of the page list, and the pages that pass it.

    Attributes
    ----------
    text : str
        What was typed as a filter.
    states : frozenset of PageState
        The states that were chosen; none of them lets all pass.
    names : tuple of str or None
        Of the pages that pass; None while all do.
    only : bool
        Whether figures are computed from these pages only.
    filter_changed, changed : Signal
        The filter is another; other pages pass, or ``only`` is switched.
    """

    def __init__(self, collection: Collection) -> None:
        self.text = ""
        self.states: frozenset[PageState] = frozenset()
        self.names: tuple[str, ...] | None = None
        self.only = False
        self.filter_changed = Signal[[]]()
        self.changed = Signal[[]]()
        self._collection = collection

    @property
    def pages(self) -> frozenset[str] | None:
        """The names of the pages that figures are of; None for all."""
        return frozenset(self.names) if self.only and self.names is not None else None

    def filter(self, text: str, states: Many[PageState] = ()) -> None:
        """Show only pages with this text and one of these states."""
        if (text, frozenset(states)) != (self.text, self.states):
            self.text, self.states = text, frozenset(states)
            self.filter_changed.emit()

    def show(self, names: Iterable[str] | None) -> None:
        """These pages pass; None if all do."""
        names = None if names is None else tuple(names)
        if names != self.names:
            self.names = names
            self.changed.emit()

    def set_only(self, only: bool) -> None:
        """Compute figures from the shown pages only, or from all."""
        if only != self.only:
            self.only = only
            self.changed.emit()

    def saved(self) -> dict[str, Path]:
        """The files of the collection's saved subsets by name."""
        folder = self.subset_folder
        return subset.saved_subsets(folder) if folder else {}

    @property
    def subset_folder(self) -> Path | None:
        """Tell where the collection's subsets are saved; None where no collection is open."""
        folder = self._collection.folder
        return folder / subset.FOLDER if folder else None

    def in_subset(self, name: str) -> frozenset[str]:
        """The names of pages in a saved subset; none where there is no such file."""
        folder = self.subset_folder
        if folder is not None:
            with suppress(SpotlabError, ValueError):  # while its name is typed it is none yet
                return frozenset(subset.read_subset(folder / f"{name}{subset.SUFFIX}"))
        return frozenset()
