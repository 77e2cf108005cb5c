"""Tags of pages: a menu that gives them to several pages at once, or takes them away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from spotlab.editing.collection_step import CollectionStep, Tagging, page_key
from spotlab.errors import SpotlabError, counted
from spotlab.files import is_missing
from spotlab.formats.collection.folder import PageEntry, expand, summary
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.reading.pixels import read_header
from spotlab.model import Page
from spotlab.progress import Progress, track

OFFERED = 30  # tags in the menu


@dataclass
class _Found:
    """The pages that change, those that get a truth file by it, and those that cannot."""

    pages: dict[Path, tuple[Tagging, ...]] = field(default_factory=dict)
    new: dict[Path, Page] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def _survey(
    entries: Sequence[PageEntry], opened: dict[Path, tuple[str, ...]], tag: str, gives: bool,
    progress: Progress,
) -> _Found:  # fmt: skip
    """Find which pages change if a tag is given to all of these, or taken from them."""
    found = _Found()
    for entry in track(entries, progress, "Reading tags"):
        try:
            page = expand(entry)[0]
            known = summary(page.truth_path)
            tags = opened.get(page_key(page.truth_path), known.tags)
            if known.error:
                found.problems.append(known.error)
            elif (tag in tags) != gives:
                change = Tagging(added=(tag,)) if gives else Tagging(removed=(tag,))
                found.pages[page_key(page.truth_path)] = (change,)
                if is_missing(page.truth_path):
                    header = read_header(page.image, page.frame)
                    size = header.width, header.height
                    blank = Page(page.image, *size, page.frame, header.frames)
                    found.new[page_key(page.truth_path)] = blank
        except SpotlabError as error:
            found.problems.append(str(error))
    return found


class PageTags:
    """Gives tags to pages and takes them away, as one step over all of them.

    Parameters
    ----------
    workbench : Workbench
    parent : QWidget
        Of the dialog.
    """

    def __init__(self, workbench: Workbench, parent: QWidget) -> None:
        self._workbench = workbench
        self._parent = parent
        self._task = Task(workbench, urgent=True)

    def set(self, pages: Sequence[int], tag: str, gives: bool) -> None:
        """Give pages a tag, or take it from them.

        Parameters
        ----------
        pages : sequence of int
            Their places in the collection.
        tag : str
        gives : bool
        """
        tag = " ".join(tag.split())
        folder = self._workbench.collection.folder
        if not tag or not pages or folder is None:
            return
        entries = tuple(self._workbench.entries[page] for page in pages)
        opened = {
            page_key(session.path): session.document.page.tags
            for session in self._workbench.sessions
        }
        done = partial(self._begin, tag, gives, folder)
        self._task.start(_survey, entries, opened, tag, gives, done=done)

    def _begin(self, tag: str, gives: bool, folder: Path, found: _Found) -> None:
        workbench = self._workbench
        for problem in found.problems[:1]:
            more = len(found.problems) - 1
            rest = f", and {counted(more, 'page')} more" if more else ""
            workbench.said.emit(f"Left out: {problem}{rest}", True)
        if found.pages:
            name = f"Tag {tag}" if gives else f"Remove tag {tag}"
            root = workbench.collection.root
            step = CollectionStep(name, folder, found.pages, new=found.new, root=root)
            workbench.collection_steps.offer(None, step)

    def ask(self, pages: Sequence[int]) -> None:
        """Ask for a new tag for these pages."""
        dialog = QInputDialog(self._parent)
        OnScreen(dialog)
        dialog.setWindowTitle(f"Tag {counted(len(pages), 'page')}")
        dialog.setLabelText("A word such as difficult, or key:value such as hand:B")
        dialog.setComboBoxItems(["", *self._workbench.collection.tags()])
        dialog.setComboBoxEditable(True)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(lambda text: self.set(pages, text, True))
        dialog.open()

    def fill(self, menu: QMenu, pages: Sequence[int]) -> None:
        """Put the tags of the collection into a menu, ticked where all of these pages have them."""
        summaries = [self._workbench.collection.summary(page) for page in pages]
        own = [known.tags if known is not None else () for known in summaries]
        for tag in self._workbench.collection.tags()[:OFFERED]:
            count = sum(tag in tags for tags in own)
            some = f"  ({count} of {len(pages)})" if 0 < count < len(pages) else ""
            action = menu.addAction(f"{tag}{some}".replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(count == len(pages))
            action.triggered.connect(partial(self.set, pages, tag, count < len(pages)))
        menu.addSeparator()
        menu.addAction("New Tag…", lambda: self.ask(pages))
