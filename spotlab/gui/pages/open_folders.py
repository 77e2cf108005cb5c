"""The open folders: images that appear in them are listed, and where they are left is kept."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QTimer

from spotlab.errors import BadInput, SpotlabError
from spotlab.files import is_folder
from spotlab.formats.truth.folder import PageEntry, scan
from spotlab.formats.truth.page_list import with_new_pages
from spotlab.gui.kit.path_watch import PathWatch
from spotlab.gui.kit.task import Task
from spotlab.gui.pages.collection import Collection
from spotlab.gui.pages.last_pages import LastPages
from spotlab.progress import Progress

PAUSE = 400  # ms in which further changes of a folder are waited for
SETTLED = 1.0  # s since an image was last written: until then it may still be copied
NAMED = 3  # so many new pages are named, of more there is a count

Listed = tuple[list[PageEntry], bool]


@dataclass(frozen=True)
class FoundPages:
    """What lies in the places that are to be opened.

    Attributes
    ----------
    entries : tuple of PageEntry
    folders : tuple of Path
        Those of the places that are folders.
    """

    entries: tuple[PageEntry, ...]
    folders: tuple[Path, ...]


class OpenFolders:
    """Lists the folders of a collection again when something in them changes.

    Pages that are no longer there, or whose folder is not, stay in the list: opening one says what
    is wrong.
    """

    def __init__(self, collection: Collection, places: LastPages) -> None:
        self._collection = collection
        self._places = places
        self._folders: tuple[Path, ...] = ()
        self._watch = PathWatch(self.look_soon)
        self._timer = QTimer(singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self.look)
        self._task = Task()

    def follow(self, folders: Sequence[Path]) -> int:
        """Watch these folders; gives the page that was open there last."""
        self._folders = tuple(folders)
        self._watch_all()
        return self._places.of(self._collection)

    def leave(self, index: int | None) -> None:
        """Watch nothing; this page was open last."""
        self._places.note(self._collection, index)
        self._timer.stop()
        self._task.cancel()
        self._folders = ()
        self._watch.follow(())

    def look_soon(self) -> None:
        """List the folders again, once for several changes."""
        if self._folders:
            self._timer.start()

    def look(self) -> None:
        """List the folders again now."""
        known = frozenset(entry.image for entry in self._collection.entries)
        if self._task.busy:
            self._timer.start()
        elif self._folders:
            self._task.start(_list, self._folders, known, done=self._listed)

    def _listed(self, listed: Listed) -> None:
        entries, unfinished = listed
        known = self._collection.entries
        merged = with_new_pages(known, entries)
        if len(merged) > len(known):
            self._collection.add(merged)
            new = [entry.name for entry in entries if entry not in known]
            self._collection.said.emit(_sentence(len(merged) - len(known), new), False)
        self._watch_all()
        if unfinished:
            self._timer.start()

    def _watch_all(self) -> None:
        """Watch the folders, and those in them where pages lie."""
        if self._folders:
            inner = {entry.image.parent for entry in self._collection.entries}
            self._watch.follow({*self._folders, *inner})


def find_pages(paths: tuple[Path, ...], progress: Progress) -> FoundPages:
    """Find the pages in folders and files that are to be opened.

    Raises
    ------
    SpotlabError
        There are none.
    """
    names = ", ".join(path.name for path in paths)
    progress(0, None, f"Opening {names}")
    entries = scan(paths, progress)
    if not entries:
        raise SpotlabError(f"No pages in {names}")
    return FoundPages(tuple(entries), tuple(path for path in paths if is_folder(path)))


def _list(folders: tuple[Path, ...], known: frozenset[Path], progress: Progress) -> Listed:
    """What lies in the folders, and whether an image among it is still being written."""
    try:
        entries = scan([folder for folder in folders if is_folder(folder)], progress)
    except BadInput:  # it went away just now
        entries = []
    now = time.time()
    growing = {
        entry.image
        for entry in entries
        if entry.image not in known and _age(entry.image, now) < SETTLED
    }
    return [entry for entry in entries if entry.image not in growing], bool(growing)


def _age(image: Path, now: float) -> float:
    try:
        return abs(now - os.stat(image).st_mtime)
    except OSError:
        return SETTLED  # not there: opening it says so


def _sentence(count: int, names: list[str]) -> str:
    pages = "1 new page" if count == 1 else f"{count:,} new pages"
    return f"{pages}: {', '.join(names)}" if len(names) <= NAMED else f"{pages} in the folder"
