"""The state that all parts of the window share: the pages, the open one, what is selected.

Panels and tools read it, call its methods and listen to its signals; it knows none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from spotlab.editing.document import Document, Edit
from spotlab.editing.history import History
from spotlab.editing.selection import Selection
from spotlab.editing.session import EditingSession
from spotlab.errors import Cancelled, SpotlabError
from spotlab.formats.collection.folder import PageEntry, Summary, is_shortened
from spotlab.gui.kit import background
from spotlab.gui.kit.background import NoAnswer, Task
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.collection import Collection, ShownPages
from spotlab.gui.pages.collection_steps import CollectionSteps
from spotlab.gui.pages.disk import Autosave, DiskWatch
from spotlab.gui.pages.loading import (
    InkState,
    LastPages,
    LoadedPage,
    OpenFolders,
    PageLoader,
    find_pages,
)
from spotlab.gui.pages.offers import Author, Offers, Pending, States, outside_offer
from spotlab.gui.pages.page_editing import PageEditing
from spotlab.model import LabelSet, Region, Truth
from spotlab.signal import Signal

State = TypeVar("State")


class ToolChoice:
    """The tool in use, and those that were chosen last in other workspaces.

    Attributes
    ----------
    current : str
        Its name.
    changed : Signal
    """

    def __init__(self, selection: Selection) -> None:
        self.current = ""
        self.changed = Signal[[]]()
        self._chosen_in: dict[str, str] = {}
        self._lender = ""  # the tool that comes back when nothing is selected any more
        self._selection = selection
        selection.changed.connect(self._give_back)

    def choose(self, name: str) -> None:
        """Use another tool."""
        self._lender = ""
        if name != self.current:
            self.current = name
            self.changed.emit()

    def borrow(self, name: str) -> None:
        """Use another tool on the selection; the present one returns when nothing is selected."""
        lender = self.current
        if name != lender and len(self._selection):
            self.choose(name)
            self._lender = lender

    def enter(self, before: str, workspace: str, default: str) -> None:
        """Go on with the tool that was chosen last in a workspace, or with its default."""
        self._chosen_in[before] = self.current
        self.choose(self._chosen_in.get(workspace, default))

    def _give_back(self) -> None:
        if self._lender and not len(self._selection):
            self.choose(self._lender)


class Workbench:
    """Pages, selection and state that the window works on.

    ``said`` carries a line for the status bar; a serious one goes to the banner and stays there
    until it is closed or, by ``retried``, what failed is tried again. ``trouble`` is a banner: its
    kind ("recovered", "changed", "unsaved", "unreadable", "remark", "in use", "unfinished" step,
    "solved" if saving works again, "free" if no other window edits the page) and its text.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.author = Author(self.settings)
        self.collection = Collection()
        self.shown = ShownPages(self.collection)
        self.selection = Selection()
        self.ink = InkState(self.settings)
        self.editing = PageEditing(
            self.collection, self.selection, lambda: self.collection_steps, self.author
        )
        self.autosave = Autosave(self)
        self.folders = OpenFolders(self.collection, LastPages(self.settings), self._images_in_use)
        self.disk = DiskWatch(self, lambda: self.collection_steps.changing)
        self.index: int | None = None
        self._entry: PageEntry | None = None
        self.pixels: LoadedPage | None = None
        self.problem = ""  # why the page's image cannot be shown
        self.workspace = ""
        self.draws = True  # whether the regions of the open page are what this workspace changes
        self._sessions: dict[Path, EditingSession] = {}
        self._disconnect: list[Callable[[], None]] = []
        pages = self.collection
        self.entries_changed, self.labels_changed = pages.entries_changed, pages.labels_changed
        self.state_changed, self.said = pages.state_changed, pages.said
        self.refused, self.selection_changed = self.editing.refused, self.selection.changed
        self.label_changed, self.ink_changed = self.editing.label_changed, self.ink.changed
        self.collection_changed = Signal[[]]()  # other pages, not only more of them
        # the user begins to do something; the open page is left: what is drawn has to be there now
        self.acted, self.leaving = Signal[[]](), Signal[[]]()
        self.page_changed, self.pixels_changed = Signal[[]](), Signal[[]]()
        self.document_changed = Signal[[Sequence[Edit]]]()
        self.history_moved, self.saved = Signal[[]](), Signal[[]]()
        self.tools = ToolChoice(self.selection)
        self.set_tool, self.borrow_tool = self.tools.choose, self.tools.borrow
        self.tool_changed, self.workspace_changed = self.tools.changed, Signal[[]]()
        self.pending = Pending()
        self.offers = Offers()  # to carry out what somebody else's spotlab left
        self.label_renamed = Signal[[str, str]]()  # in the whole collection: old, new
        self.truth_edited = Signal[[]]()  # by a step over all pages
        self.truth_written = Signal[[Mapping[str, Truth]]]()  # of pages that are not open, by name
        self.trouble = Signal[[str, str]]()
        self.progressed = Signal[[int, int | None, str]]()
        self.finished, self.retried = Signal[[]](), Signal[[str]]()
        self.labels_changed.connect(self._hand_labels_over)
        self.entries_changed.connect(self._find_entry)
        self._loader = PageLoader(self.progressed.emit)
        self._loader.opened.connect(self._opened)
        self._loader.shown.connect(self._shown)
        self._loader.failed.connect(self._failed)
        self.opening = Task(self, urgent=True)
        self.collection_steps: CollectionSteps = CollectionSteps(self)
        self.states = States(self)

    @property
    def session(self) -> EditingSession | None:
        """The open page's session."""
        return self.editing.session

    @property
    def document(self) -> Document | None:
        """The open page's document."""
        return self.editing.document

    @property
    def history(self) -> History | None:
        """The open page's steps."""
        return self.editing.history

    @property
    def selected(self) -> tuple[Region, ...]:
        """The selected regions, in the order in which they were selected."""
        return self.editing.selected

    @property
    def labels(self) -> LabelSet:
        """The collection's labels."""
        return self.collection.labels

    @property
    def label(self) -> str:
        """The label of what is drawn next."""
        return self.editing.label

    @property
    def entries(self) -> tuple[PageEntry, ...]:
        """The pages in their order."""
        return self.collection.entries

    @property
    def entry(self) -> PageEntry | None:
        """The open page's entry."""
        return None if self.index is None else self.entries[self.index]

    @property
    def tool(self) -> str:
        """The name of the tool in use."""
        return self.tools.current

    @property
    def sessions(self) -> tuple[EditingSession, ...]:
        """The sessions of all pages that were open since the start."""
        return tuple(self._sessions.values())

    def state(self, kind: Callable[[Workbench], State]) -> State:
        """Return what a workspace knows; it is made when it is asked for first.

        Parameters
        ----------
        kind : type
            The class of the state, made with the workbench as its only argument.
        """
        return self.states.of(kind)

    def open_paths(self, paths: Sequence[Path]) -> bool:
        """Open what lies there, at the page that was open last; False, and said why, if none is."""
        try:
            found = self.opening.call(find_pages, tuple(paths))
            if not self.close():
                return False
            self.collection.use(found.entries)
            self.ink.use_collection(self.collection)
            self.collection_changed.emit()
            self.collection_steps.resume()
        except Cancelled:
            return False
        except SpotlabError as error:
            self.said.emit(str(error), True)
            return False
        self.open_page(self.folders.follow(found.folders))
        return True

    def open_page(self, index: int) -> None:
        """Open a page; the one before is saved, its steps can still be undone later."""
        if not 0 <= index < len(self.entries):
            return
        if self.collection_steps.changing:
            self.collection_steps.defer(index)
            return
        self.leaving.emit()
        self.autosave.now()
        self._leave()
        index = self.collection.expand(index)
        self.index = index
        entry = self._entry = self.entries[index]
        self.page_changed.emit()
        self._loader.load(entry, self._sessions.get(entry.truth_path), self.ink.settings)

    def reload(self) -> None:
        """Read the open page's truth file again and forget what is not in it."""
        entry = self.entry
        if entry is None or self.index is None or self.collection_steps.changing:
            return
        session = self._sessions.pop(entry.truth_path, None)
        if session:
            self.autosave.forget(session)
            with suppress(NoAnswer):
                background.call(_discard, session)
        self.editing.session = None
        self.trouble.emit("solved", "")
        self.open_page(self.index)

    def close(self) -> bool:
        """Save and let go of everything; False if something could not be saved: then all stays."""
        self.collection_steps.finish()
        self.leaving.emit()
        if not self.autosave.finish():
            return False
        self.folders.leave(self.index)
        self.offers.clear()
        self.collection.stop()
        self.collection.write_labels()
        self.collection_steps.close()
        self._leave()
        with suppress(NoAnswer):  # the files are let go of later, or when the program ends
            background.call(_close_all, self.sessions)
        self._sessions.clear()
        self.index = None
        self.trouble.emit("solved", "")
        self.page_changed.emit()
        return True

    def save(self, *, overwrite: bool = False) -> None:
        """Write the open page's truth file now."""
        self.autosave.now(overwrite=overwrite, asked=True)

    def stop_loading(self) -> bool:
        """Give up the page that is being opened; False if there is none."""
        loading = self.index is not None and self.session is None and not self.problem
        if loading:
            self._loader.cancel()
        return loading

    def set_workspace(self, name: str, default_tool: str, draws: bool) -> None:
        """Work in another workspace, with the tool that was chosen there last.

        Parameters
        ----------
        name : str
        default_tool : str
            The tool where none was chosen there yet; "" for none.
        draws : bool
            Whether the regions of the open page may be drawn and changed there.
        """
        if name == self.workspace:
            return
        before, self.workspace, self.draws = self.workspace, name, draws
        self.workspace_changed.emit()
        self.tools.enter(before, name, default_tool)

    def _images_in_use(self) -> set[Path]:
        """The images of the open page and of pages that are not saved."""
        unsaved = {session.path for session in self.sessions if session.dirty}
        return {
            entry.image
            for entry in self.entries
            if entry == self._entry or entry.truth_path in unsaved
        }

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
        self.editing.session = None
        self.disk.follow()
        self.pixels, self.problem = None, ""
        self.ink.use(None)
        self.selection.clear()
        self.finished.emit()

    def _opened(self, session: EditingSession) -> None:
        entry = self.entry
        assert entry is not None  # the loader drops what was asked for before the page was left
        self.editing.session = session
        if self._sessions.get(entry.truth_path) is not session:
            self._sessions[entry.truth_path] = session
            self.collection_steps.adopt(session)
            if session.refused:
                self.offers.ask(outside_offer(session, self.autosave.soon))
        self._disconnect = [
            session.document.changed.connect(self._document_changed),
            session.history.moved.connect(self.history_moved.emit),
        ]
        self.collection.take_labels(session)
        self.collection.know(entry, _summary(session.document))
        self.page_changed.emit()
        self.history_moved.emit()
        if is_shortened(entry):
            name = entry.truth_path.name
            self.said.emit(f"The image's name is too long for its truth file: it is {name}", False)
        if text := ". ".join(filter(None, (session.recovered, session.remark))):
            self.trouble.emit("recovered" if session.recovered else "remark", text)
        if session.recovered:
            session.recovered = ""
            self.autosave.soon()
        self.autosave.tell_again(session)
        self.disk.follow()

    def _shown(self, loaded: LoadedPage) -> None:
        self.pixels = loaded
        self.pixels_changed.emit()
        if not loaded.preview:
            self.finished.emit()
            self.ink.use(loaded.ink)

    def _failed(self, problem: str) -> None:
        """The image, or even the truth file, cannot be read."""
        self.finished.emit()
        self.problem, self.pixels = problem, None
        self.trouble.emit("unreadable", problem)
        self.pixels_changed.emit()

    def _document_changed(self, edits: Sequence[Edit]) -> None:
        assert self.document is not None and self.entry is not None
        if any(edit.places for edit in edits):
            self.selection.prune(self.document)
        self.collection.know(self.entry, _summary(self.document))
        self.document_changed.emit(edits)
        self.autosave.soon()

    def _hand_labels_over(self) -> None:
        for session in self._sessions.values():
            session.labels = self.labels


def _close_all(sessions: Sequence[EditingSession]) -> None:
    for session in sessions:
        session.close()


def _discard(session: EditingSession) -> None:
    session.discard()
    session.close()


def _summary(document: Document) -> Summary:
    return Summary(document.state, document.labels, tags=document.page.tags)


class PageUndo:
    """The open page's steps, as Undo and Redo mean them."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    @property
    def may_undo(self) -> bool:
        """Tell whether there is a step to take back."""
        return self.undo_name is not None

    @property
    def may_redo(self) -> bool:
        """Tell whether there is an undone step to take again."""
        return self.redo_name is not None

    @property
    def undo_name(self) -> str | None:
        """Return what the next step back is called."""
        history = self._workbench.history
        return history.undo_name if history else None

    @property
    def redo_name(self) -> str | None:
        """Return what the next step forward is called."""
        history = self._workbench.history
        return history.redo_name if history else None

    def undo(self) -> None:
        """Take the last step back."""
        self._workbench.editing.undo()

    def redo(self) -> None:
        """Take the last undone step again."""
        self._workbench.editing.redo()
