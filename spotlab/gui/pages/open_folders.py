"""The open folders: images that appear in them are listed, and where they are left is kept."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QTimer

from spotlab.errors import BadInput, SpotlabError, counted
from spotlab.files import is_folder, is_missing
from spotlab.formats.collection.folder import PageEntry, scan, with_new_pages
from spotlab.gui.kit.path_watch import PathWatch
from spotlab.gui.kit.task import Task
from spotlab.gui.pages.collection import Collection
from spotlab.gui.pages.last_pages import LastPages
from spotlab.progress import Progress

PAUSE = 400  # ms in which further changes of a folder are waited for
SETTLED = 1.0  # s since an image was last written: until then it may still be copied
NAMED = 3  # so many new pages are named, of more there is a count

Listed = tuple[list[PageEntry], bool, frozenset[Path]]


@dataclass(frozen=True)
class PagesOfFolders:
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

    Pages that are no longer there leave the list, but for the open one and those that are not
    saved. Where a folder has lost all of its pages, they stay: its drive may have gone.
    """

    def __init__(
        self, collection: Collection, places: LastPages, in_use: Callable[[], Container[Path]]
    ) -> None:
        self._collection = collection
        self._in_use = in_use  # images of pages that stay
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
        entries, unfinished, gone = listed
        known, in_use = self._collection.entries, self._in_use()
        left = [each for each in known if each.image not in gone or each.image in in_use]
        images = {each.image for each in left}
        merged = with_new_pages(left, entries)
        if len(merged) != len(known) or len(left) != len(known):
            self._collection.add(merged)
        new = [entry.name for entry in entries if entry.image not in images]
        if new:
            self._collection.said.emit(_sentence(new), False)
        self._watch_all()
        if unfinished:
            self._timer.start()

    def _watch_all(self) -> None:
        """Watch the folders, and those in them where pages lie."""
        if self._folders:
            inner = {entry.image.parent for entry in self._collection.entries}
            self._watch.follow({*self._folders, *inner})


def find_pages(paths: tuple[Path, ...], progress: Progress) -> PagesOfFolders:
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
    return PagesOfFolders(tuple(entries), tuple(path for path in paths if is_folder(path)))


def _list(folders: tuple[Path, ...], known: frozenset[Path], progress: Progress) -> Listed:
    """What lies in the folders, whether an image is still being written, and which are gone."""
    there = [folder for folder in folders if is_folder(folder)]
    try:
        entries = scan(there, progress)
    except BadInput:  # it went away just now
        entries = []
    now = time.time()
    growing = {
        entry.image
        for entry in entries
        if entry.image not in known and _age(entry.image, now) < SETTLED
    }
    gone: set[Path] = set()
    listed_images = {entry.image for entry in entries}
    for folder in there:
        own = {image for image in known if image.is_relative_to(folder)}
        missing = {image for image in own - listed_images if _is_gone(image)}
        gone |= missing if missing != own else set()
    listed = [entry for entry in entries if entry.image not in growing]
    return listed, bool(growing), frozenset(gone)


def _is_gone(image: Path) -> bool:
    """Whether a page is not there for certain; no answer is none."""
    with suppress(OSError, SpotlabError):
        return is_missing(image)
    return False


def _age(image: Path, now: float) -> float:
    try:
        return abs(now - os.stat(image).st_mtime)
    except OSError:
        return SETTLED  # not there: opening it says so


def _sentence(names: list[str]) -> str:
    pages = counted(len(names), "new page")
    return f"{pages}: {', '.join(names)}" if len(names) <= NAMED else f"{pages} in the folder"
