"""Loads what it takes to show a page, in threads: the session, a preview, all pixels."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from spotlab.editing.session import EditingSession
from spotlab.errors import BadInput, SpotlabError, counted
from spotlab.files import is_folder, is_missing
from spotlab.formats.collection.folder import PageEntry, scan, with_new_pages
from spotlab.formats.store import SIDE, PagePreview, find_preview
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import PathWatch
from spotlab.gui.kit.settings import INK, INK_SHARE, LAST_PAGES, PRIMITIVE, Settings
from spotlab.gui.pages.collection import Collection
from spotlab.imaging.ink import InkSettings, settings_as_values, settings_from_values
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.reading.pixels import (
    GrowingPage,
    is_thumbnail_fast,
    read_header,
    read_page,
    read_thumbnail,
)
from spotlab.imaging.reading.pyramid import Pixels, Pyramid
from spotlab.model import Page, Primitive
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.trust import confined_truth

KEPT = 200  # folders


class LastPages:
    """The page of each folder that was open when the folder was closed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def note(self, collection: Collection, index: int | None) -> None:
        """This page of a collection is open as it is closed."""
        if index is None or len(collection.entries) < 2 or collection.folder is None:
            return
        folder, entry = str(collection.folder), collection.entries[index]
        kept = {name: page for name, page in self._pages.items() if name != folder}
        image = entry.image.absolute()
        inside = image.is_relative_to(collection.folder)
        kept[folder] = (str(image.relative_to(collection.folder) if inside else image), entry.frame)
        self._settings.set(LAST_PAGES, dict(list(kept.items())[-KEPT:]))

    def of(self, collection: Collection) -> int:
        """The index of the page that was open last; 0 where it is not known or not listed.

        Of a file whose pages are not counted yet it is the first one.
        """
        match self._pages.get(str(collection.folder)):
            case (image, frame) if collection.folder is not None:
                path = collection.folder / image
                pages = enumerate(collection.entries)
                frames = {e.frame: index for index, e in pages if e.image.absolute() == path}
                return frames.get(frame, min(frames.values(), default=0))
        return 0

    @property
    def _pages(self) -> Mapping[str, tuple[str, int]]:
        return self._settings.get(LAST_PAGES)


PAUSE = 400  # ms in which further changes of a folder are waited for
SETTLED = 1.0  # s since an image was last written: until then it may still be copied
NAMED = 3  # so many new pages are named, of more there is a count

Listed = tuple[list[PageEntry], bool, frozenset[Path]]


@dataclass(frozen=True)
class PagesOfFolders:
    """Pages and folders found at the paths to be opened.

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
    """Return what lies in the folders, whether an image is still being written, and which are
    gone.
    """
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
    """Tell whether a page is not there for certain; no answer is none."""
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


PREVIEW_SIDE = 1024
LOOK_EVERY = 80  # ms between two pictures of a page that is being decoded


@dataclass(frozen=True)
class LoadedPage:
    """The pixels of a page: its pyramid and its ink, or of a preview only the pyramid.

    Attributes
    ----------
    pyramid : Pyramid
        Of the page; of a smaller picture of it while ``preview``.
    ink : PageInk or None
        None while ``preview``.
    preview : bool
        The full page is still being read.
    complete : bool
        False while the lower part has not been decoded yet, and is white.
    """

    entry: PageEntry
    pyramid: Pyramid
    ink: PageInk | None
    preview: bool = False
    complete: bool = True


@dataclass(frozen=True)
class KeptPreview:
    """The small picture of a page that was kept when it was decoded before.

    Attributes
    ----------
    shown : LoadedPage or None
        None where there is none.
    missing : PagePreview or None
        Where one is to be kept for the next time.
    """

    shown: LoadedPage | None = None
    missing: PagePreview | None = None


class PageLoader:
    """Loads one page at a time: session, preview, all pixels. Late results are dropped.

    ``opened`` carries the session, ``shown`` the preview and then the page, ``failed`` a line that
    says why the session or the pixels are not to be had.
    """

    def __init__(self, progress: Callable[[int, int | None, str], object]) -> None:
        self._progress = progress
        self._jobs: list[background.Job] = []
        self._is_open = False
        self._kept: KeptPreview | None = None  # None while it is looked for
        self._entry: PageEntry | None = None  # whose pixels are being decoded
        self._growing = GrowingPage(PREVIEW_SIDE)
        self._timer = QTimer(interval=LOOK_EVERY)
        self._timer.timeout.connect(self._look)
        self.opened = Signal[[EditingSession]]()
        self.shown = Signal[[LoadedPage]]()
        self.failed = Signal[[str]]()

    def load(self, entry: PageEntry, session: EditingSession | None, ink: InkSettings) -> None:
        """Load the page; a session that is there already is kept."""
        self.cancel()

        def session_opened(opened: tuple[EditingSession, str]) -> None:
            session, problem = opened
            self._is_open = not problem
            self.opened.emit(session)
            if problem:
                self.failed.emit(problem)
            self._load_pixels(entry, ink)

        def preview_found(kept: KeptPreview) -> None:
            self._kept = kept
            self._load_pixels(entry, ink)

        self._run(open_session, entry, session, done=session_opened, failed=self._fail)
        self._run(
            find_kept_preview,
            entry,
            done=preview_found,
            failed=lambda _: preview_found(KeptPreview()),
        )

    def cancel(self) -> None:
        """Want nothing more of the page that is being loaded."""
        for job in self._jobs:
            job.cancel()
        self._jobs = []
        self._timer.stop()
        self._is_open, self._kept = False, None

    def _run(
        self,
        function: Callable[..., Any],
        *args: Any,
        done: Callable[[Any], object],
        failed: Callable[[Exception], object],
    ) -> None:
        self._jobs.append(
            background.run(
                function, *args, done=done, failed=failed, progress=self._progress, urgent=True
            )
        )

    def _load_pixels(self, entry: PageEntry, ink: InkSettings) -> None:
        """Show what was kept, and decode the page; not before both are known."""
        if self._kept is None or not self._is_open:
            return
        self._entry, self._growing = entry, GrowingPage(PREVIEW_SIDE)
        if self._kept.shown:
            self.shown.emit(self._kept.shown)
        else:
            self._timer.start()
            self._run(load_preview, entry, done=self._show_preview, failed=lambda _: None)
        self._run(load_page, entry, ink, self._growing, done=self._show_page, failed=self._fail)

    def _show_preview(self, loaded: LoadedPage | None) -> None:
        if loaded and self._timer.isActive():  # the full page may be quicker
            self._timer.stop()
            self.shown.emit(loaded)

    def _look(self) -> None:
        """Show what has been decoded so far, until there is a picture of the whole page."""
        pixels = self._growing.look()
        if pixels is not None and self._entry is not None:
            self.shown.emit(LoadedPage(self._entry, Pyramid(pixels), None, True, False))

    def _show_page(self, loaded: LoadedPage) -> None:
        self._timer.stop()
        self.shown.emit(loaded)
        if self._kept and self._kept.missing:
            small = loaded.pyramid.reduced(SIDE)  # kept also where the page is left by then
            background.run(keep_preview, self._kept.missing, small, failed=lambda _: None)

    def _fail(self, error: Exception) -> None:
        self._timer.stop()
        known = isinstance(error, SpotlabError)
        self.failed.emit(str(error) if known else f"{type(error).__name__}: {error}")


def open_session(
    entry: PageEntry, session: EditingSession | None, _: Progress
) -> tuple[EditingSession, str]:
    """The session of a page, and what is wrong with its image if it cannot be shown.

    Raises
    ------
    BadInput
        The truth file makes no sense, or there is neither image nor truth.
    """
    page: Page | None = None
    problem = ""
    try:
        header = read_header(entry.image, entry.frame)
        page = Page(entry.image, header.width, header.height, entry.frame, header.frames)
    except BadInput as error:
        if is_missing(entry.truth_path):
            raise
        problem = str(error)
    if session is None:
        session = EditingSession.open(entry.truth_path, page)
        session.refused = why_outside(entry.truth_path, entry.root)
        session.prepare()
    return session, problem


def why_outside(path: Path, root: Path | None) -> str:
    """Say where a truth file leads that is not in the opened folder; empty if it is in there."""
    if root is None:
        return ""
    try:
        confined_truth(path.absolute(), root)
    except BadInput:
        target = os.path.realpath(path)
        return f"{path} was not saved: it leads out of the opened folder, to {target}"
    return ""


def find_kept_preview(entry: PageEntry, _: Progress) -> KeptPreview:
    """The small picture of a large page, if it was decoded before."""
    place = find_preview(entry.image, entry.frame)
    pixels = None if place is None else place.read()
    if pixels is None:
        return KeptPreview(missing=place)
    return KeptPreview(LoadedPage(entry, Pyramid(pixels), None, True))


def load_preview(entry: PageEntry, _: Progress) -> LoadedPage | None:
    """A small picture of the page; None where that would take as long as the page itself."""
    if not is_thumbnail_fast(entry.image, entry.frame):
        return None  # decoding twice at a time would take twice the memory
    return LoadedPage(
        entry, Pyramid(read_thumbnail(entry.image, entry.frame, PREVIEW_SIDE)), None, True
    )


def keep_preview(place: PagePreview, pixels: Pixels, _: Progress) -> None:
    """Keep a small picture of a page for the next time; without that, all goes on as before."""
    place.write(pixels)


def load_page(
    entry: PageEntry, settings: InkSettings, growing: GrowingPage, progress: Progress
) -> LoadedPage:
    """All pixels of the page."""
    pixels = read_page(entry.image, entry.frame, progress, growing)
    return LoadedPage(entry, Pyramid(pixels), PageInk(pixels, settings))


VIEWS = ("raw", "binarised", "components")


class InkState:
    """The open page's ink and the user's choices about it, which outlive the program.

    ``changed`` is emitted when the ink, its view or a choice is another one, also when the
    components of the page have become known.
    """

    def __init__(self, settings: Settings) -> None:
        self._store = settings
        self.settings = settings.get(INK)
        self._collection: Collection | None = None
        self.view = "raw"
        self.share = settings.get(INK_SHARE)
        self.primitive = settings.get(PRIMITIVE)
        self.page: PageInk | None = None
        self.changed = Signal[[]]()
        self._task = Task(urgent=True)

    def use_collection(self, collection: Collection) -> None:
        """Take the settings that are kept with a collection, and keep them there from now on.

        Without any, the threshold is the one chosen last; nothing is removed from the ink.
        """
        self._collection = collection
        kept, plain = collection.kept("ink"), InkSettings()
        chosen = (
            settings_from_values(kept)
            if kept is not None
            else replace(
                self.settings,
                rulings=plain.rulings,
                specks=plain.specks,
                smallest=plain.smallest,
                colour=plain.colour,
                tolerance=plain.tolerance,
                tone=plain.tone,
            )
        )
        if chosen != self.settings:
            self.settings = chosen
            self.changed.emit()

    def use(self, page: PageInk | None) -> None:
        """Work on this page's ink and find its components in the background."""
        self._task.cancel()
        if page is self.page:
            return
        self.page = page
        self.changed.emit()
        if page and not page.is_labelled:
            self._task.start(_label, page, done=lambda _: self.changed.emit())

    def set_settings(self, **values: Any) -> None:
        """Change how ink is told from paper, for instance ``method="wolf"`` or ``offset=-10``."""
        settings = replace(self.settings, **values)
        if settings == self.settings:
            return
        self.settings = settings
        self._store.set(INK, settings)
        if self._collection is not None:
            self._collection.keep("ink", settings_as_values(settings))
        if self.page:
            self.use(PageInk(self.page.pixels, settings))
        else:
            self.changed.emit()

    def set_view(self, view: str) -> None:
        """Show the page "raw", "binarised" or its "components" in colours."""
        if view not in VIEWS:
            raise ValueError(f"there is no view {view!r}; there are {', '.join(VIEWS)}")
        self.view = view
        self.changed.emit()

    def set_share(self, share: float) -> None:
        """Take a component if more than this share of its pixels lies inside the stroke."""
        self.share = min(max(share, 0.0), 0.99)
        self._store.set(INK_SHARE, self.share)
        self.changed.emit()

    def set_primitive(self, primitive: Primitive) -> None:
        """Give what is sketched this kind of outline."""
        self.primitive = primitive
        self._store.set(PRIMITIVE, primitive)
        self.changed.emit()


def _label(page: PageInk, progress: Progress) -> None:
    page.label(progress)
