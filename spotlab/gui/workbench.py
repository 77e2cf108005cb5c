"""The state that all parts of the window share: the pages, the open one, what is selected.

Panels and tools read it, call its methods and listen to its signals; it knows none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from numpy.typing import ArrayLike

from spotlab.editing.document import Document, Edit
from spotlab.editing.history import History
from spotlab.editing.operations import drawn
from spotlab.editing.selection import Selection
from spotlab.editing.session import EditingSession
from spotlab.errors import SpotlabError
from spotlab.formats.folder import PageEntry, scan
from spotlab.gui.autosave import Autosave
from spotlab.gui.collection import Collection
from spotlab.gui.ink_state import InkState
from spotlab.gui.loading import LoadedPage, PageLoader
from spotlab.gui.settings import Settings
from spotlab.model import LabelSet, Primitive, Region
from spotlab.signal import Signal


class Workbench:
    """What the window works on.

    ``said`` carries a line for the status bar and whether it is serious; ``trouble`` a banner: its
    kind ("recovered", "changed", "unsaved", "unreadable", or "solved" when the last one is over)
    and its text.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.collection = Collection()
        self.selection = Selection()
        self.ink = InkState(self.settings)
        self.autosave = Autosave(self)
        self.index: int | None = None
        self._entry: PageEntry | None = None
        self.session: EditingSession | None = None
        self.pixels: LoadedPage | None = None
        self.problem = ""  # why the page's image cannot be shown
        self.label = ""
        self.tool = "sketch"
        self._sessions: dict[Path, EditingSession] = {}
        self._disconnect: list[Callable[[], None]] = []

        self.entries_changed = self.collection.entries_changed
        self.state_changed = self.collection.state_changed
        self.labels_changed = self.collection.labels_changed
        self.said = self.collection.said
        self.selection_changed = self.selection.changed
        self.ink_changed = self.ink.changed
        self.page_changed = Signal[[]]()
        self.pixels_changed = Signal[[]]()
        self.document_changed = Signal[[tuple[Edit, ...]]]()
        self.history_moved = Signal[[]]()
        self.label_changed = Signal[[]]()
        self.tool_changed = Signal[[]]()
        self.saved = Signal[[]]()
        self.trouble = Signal[[str, str]]()
        self.progressed = Signal[[int, int | None, str]]()
        self.finished = Signal[[]]()
        self.labels_changed.connect(self._hand_labels_over)
        self.entries_changed.connect(self._find_entry)
        self._loader = PageLoader(self.progressed.emit)
        self._loader.opened.connect(self._opened)
        self._loader.shown.connect(self._shown)
        self._loader.failed.connect(self._failed)

    @property
    def entries(self) -> tuple[PageEntry, ...]:
        """The pages in their order."""
        return self.collection.entries

    @property
    def entry(self) -> PageEntry | None:
        """The open page's entry."""
        return None if self.index is None else self.entries[self.index]

    @property
    def document(self) -> Document | None:
        """The open page's document."""
        return self.session.document if self.session else None

    @property
    def history(self) -> History | None:
        """The open page's steps."""
        return self.session.history if self.session else None

    @property
    def labels(self) -> LabelSet:
        """The collection's labels."""
        return self.collection.labels

    @property
    def selected(self) -> list[Region]:
        """The selected regions, in the order in which they were selected."""
        return self.selection.regions(self.document) if self.document else []

    @property
    def sessions(self) -> tuple[EditingSession, ...]:
        """The sessions of all pages that were open since the start."""
        return tuple(self._sessions.values())

    def open_paths(self, paths: Sequence[Path]) -> bool:
        """List what lies there and open its first page; False, and said why, if nothing does."""
        try:
            entries = scan(paths)
            if not entries:
                raise SpotlabError(f"No pages in {', '.join(path.name for path in paths)}")
            if not self.close():
                return False
            self.collection.use(entries)
        except SpotlabError as error:
            self.said.emit(str(error), True)
            return False
        self.open_page(0)
        return True

    def open_page(self, index: int) -> None:
        """Open a page; the one before is saved, its steps can still be undone later."""
        if not 0 <= index < len(self.entries):
            return
        self.autosave.now()
        self._leave()
        self.collection.expand(index)
        self.index = index
        entry = self._entry = self.entries[index]
        self.page_changed.emit()
        self._loader.load(entry, self._sessions.get(entry.truth_path), self.ink.settings)

    def step_page(self, step: int) -> None:
        """Open the page that is this many further in the list."""
        if self.index is not None:
            self.open_page(self.index + step)

    def reload(self) -> None:
        """Read the open page's truth file again and forget what is not in it."""
        entry = self.entry
        if entry is None or self.index is None:
            return
        session = self._sessions.pop(entry.truth_path, None)
        if session:
            self.autosave.forget(session)
            session.discard()
            session.close()
        self.session = None
        self.trouble.emit("solved", "")
        self.open_page(self.index)

    def close(self) -> bool:
        """Save and let go of everything; False if something could not be saved: then all stays."""
        if not self.autosave.finish():
            return False
        self.collection.stop()
        self.collection.write_labels()
        self._leave()
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()
        self.index = None
        self.trouble.emit("solved", "")
        self.page_changed.emit()
        return True

    def check_disk(self) -> None:
        """See whether another program has changed the open truth file; called on coming back."""
        session = self.session
        try:
            if session is None or self.autosave.busy or not session.changed_on_disk():
                return
        except SpotlabError as error:
            self.said.emit(str(error), True)
            return
        if session.dirty:
            text = f"{session.path.name} was changed by another program"
            self.autosave.tell(session, text, "changed")
        else:
            self.reload()
            self.said.emit(f"{session.path.name} was changed by another program: read again", False)

    def do(self, name: str, edits: Sequence[Edit], *, merge: bool = False) -> bool:
        """Take a step in the open document; False, and said why, if that is not possible."""
        if self.history is None:
            return False
        try:
            self.history.do(name, edits, merge=merge)
        except SpotlabError as error:
            self.said.emit(str(error), True)
            return False
        return True

    def undo(self) -> None:
        """Take the open page's last step back."""
        if self.history:
            name = self.history.undo()
            self.said.emit(f"Undone: {name}" if name else "Nothing to undo on this page", False)

    def redo(self) -> None:
        """Take the open page's last undone step again."""
        if self.history:
            name = self.history.redo()
            self.said.emit(f"Done again: {name}" if name else "Nothing to redo on this page", False)

    def save(self, *, overwrite: bool = False) -> None:
        """Write the open page's truth file now."""
        self.autosave.now(overwrite=overwrite)

    def add_region(self, points: ArrayLike, primitive: Primitive) -> Region | None:
        """Insert a region with the current label and select it; None if it would have no area."""
        document = self.document
        if document is None:
            return None
        region = drawn(points, primitive, document.page, self.label)
        if region is None:
            self.said.emit("That outline has no area: nothing was drawn", False)
            return None
        if not self.do(f"Draw {self.label or 'region'}", document.adding(region)):
            return None
        self.selection.set([region.id])
        return region

    def replace_regions(self, name: str, regions: Iterable[Region], *, merge: bool = False) -> bool:
        """Put these in place of the regions with the same ids, as one step."""
        document = self.document
        return document is not None and self.do(name, document.replacing(*regions), merge=merge)

    def remove_selected(self) -> None:
        """Take the selected regions away."""
        document, count = self.document, len(self.selected)
        if document is not None and count:
            name = "Delete region" if count == 1 else f"Delete {count} regions"
            self.do(name, document.removing([region.id for region in self.selected]))

    def apply_label(self, name: str) -> None:
        """Give the selected regions this label, and those drawn next; a new one is made."""
        name = " ".join(name.split())
        self.collection.set_labels(self.labels.with_label(name))
        self.label = name
        self.label_changed.emit()
        regions = [replace(region, label=name) for region in self.selected]
        if regions:
            self.replace_regions(f"Label {name}" if name else "Remove label", regions)

    def toggle_uncertain(self) -> None:
        """Flag the selected regions as uncertain, or none of them if all are."""
        regions = self.selected
        flag = not all(region.uncertain for region in regions)
        self.replace_regions(
            "Flag uncertain" if flag else "Clear uncertain flag",
            [replace(region, uncertain=flag) for region in regions],
        )

    def set_comment(self, comment: str) -> None:
        """Give the selected regions this comment."""
        self.replace_regions(
            "Comment", [replace(region, comment=comment) for region in self.selected]
        )

    def set_checked(self, checked: bool) -> None:
        """Say that the open page's truth is complete, or not."""
        document = self.document
        if document is not None:
            page = replace(document.page, checked=checked)
            self.do("Mark checked" if checked else "Mark unchecked", document.replacing(page))

    def set_tool(self, name: str) -> None:
        """Use another tool."""
        if name != self.tool:
            self.tool = name
            self.tool_changed.emit()

    def _find_entry(self) -> None:
        """The list is another one: the open page may stand elsewhere in it."""
        if self.index is not None and self._entry in self.entries:
            self.index = self.entries.index(self._entry)

    def _leave(self) -> None:
        """Nothing is open any more; late results of the page before are dropped."""
        self._loader.cancel()
        for disconnect in self._disconnect:
            disconnect()
        self._disconnect = []
        self.session = None
        self.pixels = None
        self.problem = ""
        self.ink.use(None)
        self.selection.clear()
        self.finished.emit()

    def _opened(self, session: EditingSession) -> None:
        entry = self.entry
        assert entry is not None  # the loader drops what was asked for before the page was left
        self.session = session
        self._sessions[entry.truth_path] = session
        self._disconnect = [
            session.document.changed.connect(self._document_changed),
            session.history.moved.connect(self.history_moved.emit),
        ]
        self._take_labels(session)
        self.collection.note(entry, session.document.truth)
        self.page_changed.emit()
        self.history_moved.emit()
        if session.recovered:
            self.trouble.emit("recovered", session.recovered)
            session.recovered = ""
            self.autosave.soon()

    def _shown(self, loaded: LoadedPage) -> None:
        self.pixels = loaded
        self.pixels_changed.emit()
        if not loaded.preview:
            self.finished.emit()
            self.ink.use(loaded.ink)

    def _failed(self, problem: str) -> None:
        """The image, or even the truth file, cannot be read."""
        self.finished.emit()
        self.problem = problem
        self.pixels = None
        self.trouble.emit("unreadable", problem)
        self.pixels_changed.emit()

    def _document_changed(self, edits: tuple[Edit, ...]) -> None:
        assert self.document is not None and self.entry is not None
        self.selection.prune(self.document)
        self.collection.note(self.entry, self.document.truth)
        self.document_changed.emit(edits)
        self.autosave.soon()

    def _take_labels(self, session: EditingSession) -> None:
        labels = self.labels
        for region in session.document:
            if region.label and region.label not in labels:
                known = region.label in session.labels
                colour = session.labels[region.label].colour if known else ""
                labels = labels.with_label(region.label, colour)
        self.collection.set_labels(labels)
        session.labels = self.labels

    def _hand_labels_over(self) -> None:
        for session in self._sessions.values():
            session.labels = self.labels
