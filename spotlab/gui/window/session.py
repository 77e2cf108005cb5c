"""Session state, from which the next start restores the same files, page and position.

It is written while one works, so that nothing is lost where the program is killed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from PySide6.QtCore import QTimer
from shiboken6 import isValid

from spotlab.errors import BadInput, Cancelled, SpotlabError, counted
from spotlab.files import exists
from spotlab.formats.rows.files import keep_damaged
from spotlab.formats.rows.json_values import to_builtins
from spotlab.gui.kit import background
from spotlab.gui.kit.files import is_there
from spotlab.gui.kit.settings import OPEN_WITH, REOPEN, Settings
from spotlab.gui.window.panels import LateWorkspaces
from spotlab.gui.workspace import (
    Filter,
    PathTexts,
    Place,
    View,
    Window,
    as_unicode,
    fitted,
    from_unicode,
    read_view,
    write_view,
)
from spotlab.model import PageState
from spotlab.progress import Progress, silent
from spotlab.signal import observe

KEPT = 50  # collections


class CollectionViews:
    """Keeps what each workspace had open, by the paths of the collection.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def keep(self, pages: Sequence[str], workspaces: Mapping[str, Any]) -> None:
        """Remember what each workspace has open in a collection; nothing for no pages."""
        known = self._settings.get(OPEN_WITH)
        opened = {name: values for name, values in workspaces.items() if values}
        key = _key(pages)
        if pages and opened != known.get(key, {}):
            kept = {each: values for each, values in known.items() if each != key}
            if opened:
                kept[key] = opened
            self._settings.set(OPEN_WITH, dict(list(kept.items())[-KEPT:]))

    def of(self, pages: Sequence[str]) -> Mapping[str, Any]:
        """Return what each workspace had open in a collection, by the names of the workspaces."""
        return self._settings.get(OPEN_WITH).get(_key(pages), {})


def _key(pages: Sequence[str]) -> str:
    return "\n".join(pages)


FILE = "session.spotlab"  # beside the settings
MARK = "opening.spotlab"  # beside it, until the window has stood for a while with what is open
STANDS = 3000  # ms
PAUSE = 300  # ms from a change until it is written
ROUNDED = 3  # digits after the point, of places


class _OpeningMark:
    """A file that is there while what is being opened may still end the program.

    Attributes
    ----------
    is_distrusted : bool
        Whether the last start left it: what was open then may end this start, too.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.is_distrusted = is_there(path)
        self._standing = QTimer(singleShot=True, interval=STANDS)
        self._standing.timeout.connect(self._remove_beside)
        self.wait = self._standing.start

    def touch(self) -> None:
        """Set the mark."""
        with suppress(background.NoAnswer, OSError):
            background.call(self._path.touch)

    def remove_now(self) -> None:
        """Remove the mark where the window still waits for that."""
        if self._standing.isActive():
            self._standing.stop()
            with suppress(background.NoAnswer):
                background.call(self._remove)

    def _remove_beside(self) -> None:
        background.run(self._remove, failed=lambda _: None)

    def _remove(self, _: Progress = silent) -> None:
        """The window has not ended with what is open: the next start may open it again."""
        self.is_distrusted = False
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


class Session:
    """Keeps what is open and where one looks, in a file of the user's and in files to hand on.

    Parameters
    ----------
    window : Window
        With all its workspaces.
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._spaces = spaces = window.part(LateWorkspaces)
        self._parts = {
            space.name: space.kept for space in spaces.by_name.values() if space.kept is not None
        }
        self.path = window.workbench.settings.path.with_name(FILE)
        self.opened: tuple[Path, ...] = ()
        self._known = CollectionViews(window.workbench.settings)
        self._pageless: Mapping[str, Any] = {}  # what the last start had open without pages
        self._is_opening = False  # a view that says itself what is open
        self._newest: View | None = None
        self._written: View | None = None
        self._place: tuple[str, Place] | None = None  # a page, and where it is to be looked at
        self._timer = QTimer(singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self._keep_beside)
        self._mark = _OpeningMark(self.path.with_name(MARK))
        self._lock = Lock()
        workbench = window.workbench
        workbench.page_changed.connect(self._look)
        workbench.pixels_changed.connect(self._look)
        observe(self._soon)
        window.canvas.view_changed.connect(self._soon)

    def note(self, paths: Sequence[Path]) -> None:
        """This collection is open now."""
        self.opened = tuple(path.absolute() for path in paths)
        self._mark.wait()
        self._place = None
        self._soon()

    def view(self, texts: PathTexts) -> View:
        """Return what is open and where one looks."""
        workbench = self._window.workbench
        shown, entry = workbench.shown, workbench.entry
        return View(
            pages=tuple(texts.text(path) for path in self.opened),
            workspace=workbench.workspace,
            page=as_unicode(entry.name) if entry else "",
            place=self._looked_at(),
            filter=Filter(shown.text, tuple(sorted(shown.states)), shown.only),
            workspaces={
                name: to_builtins(part().take(self._window, texts))
                for name, part in self._parts.items()
                if self._spaces.is_made(name)  # else there is nothing
            },
        )

    def file_away(self) -> None:
        """Remember what is open with these pages; other pages, or none, will be open."""
        if self.opened and self._window.workbench.index is not None:
            view = self.view(PathTexts())
            self._known.keep(view.pages, view.workspaces)

    def come_back(self) -> None:
        """Open again what was open with these pages; what is open otherwise stays."""
        if self._is_opening:
            return
        texts = PathTexts()
        pages = [texts.text(path) for path in self.opened]
        known = {**self._pageless, **self._known.of(pages)}
        now, self._pageless = self.view(texts).workspaces, {}
        wanted = {name: values for name, values in known.items() if values != now.get(name)}
        kept, problems = self._checked(wanted, every=False)
        self._tell(self._window.workbench.settings.path, problems)
        if kept and self._mark.is_distrusted:
            text = "The last start ended while it opened what was open with these pages: it stays"
            self._window.workbench.said.emit(f"{text} closed.", True)
        elif kept:
            self._mark.touch()
            self._mark.wait()
            self._give(kept, texts)

    def keep(self) -> None:
        """Write now what the next start goes on with, if it is anything else."""
        self._timer.stop()
        self.file_away()
        self._mark.remove_now()
        if self._is_new():
            with suppress(background.NoAnswer):
                background.call(self._write)

    def _keep_beside(self) -> None:
        """The same in a thread, as disks may be slow."""
        if self._is_new():
            background.run(self._write, urgent=True)  # not after what is computed

    def _is_new(self) -> bool:
        """Tell whether what is open and where one looks is not what is written."""
        if self.opened and self._window.workbench.index is None:
            return False  # pages are being opened
        before, view = self._newest, self.view(PathTexts())
        if before is None and self._is_empty(view):
            return False
        self._newest = view
        return view != before

    def _is_empty(self, view: View) -> bool:
        """Tell whether nothing is open, neither pages nor what needs none, such as votes."""
        return not view.pages and not any(
            part().opens(view.workspaces[name])
            for name, part in self._parts.items()
            if view.workspaces.get(name)
        )

    def _write(self, _: Progress = silent) -> None:
        """Write what is newest by now, whichever thread comes first."""
        with self._lock:
            view = self._newest
            if view is None or view == self._written:
                return
            try:
                if self._is_empty(view):
                    self.path.unlink(missing_ok=True)
                else:
                    self.path.parent.mkdir(parents=True, exist_ok=True)
                    write_view(self.path, view)
                self._written = view
            except (OSError, SpotlabError):
                pass  # the next start begins anew

    def reopen(self) -> None:
        """Go on where the last start ended; say so where that is not there any more.

        What ended the window while the last start opened it is not opened unasked.
        """
        workbench = self._window.workbench
        self._read_last()
        if not workbench.settings.get(REOPEN) or not is_there(self.path):
            return
        if self._mark.is_distrusted:
            problem = "The last start ended while it opened the pages of before: they stay closed."
            workbench.said.emit(f"{problem} File → Open Recent opens them anyway.", True)
            return
        self._mark.touch()
        if not self.open(self.path) or not self.opened:
            self._mark.wait()

    def _read_last(self) -> View | None:
        """Return what the last start had open, which is remembered also if this one opens other
        pages.
        """
        try:
            view, _ = background.call(read_view, self.path)
        except (SpotlabError, background.NoAnswer):
            return None
        self._known.keep(view.pages, view.workspaces)
        return view

    def go_on(self, paths: Sequence[Path]) -> bool:
        """Open these pages where the last start ended; False where other pages were open."""
        texts = PathTexts()
        view = self._read_last()
        if view is None:
            return False
        if not view.pages:
            self._pageless = view.workspaces
        wanted = tuple(texts.text(path.absolute()) for path in paths)
        return view.pages == wanted and self.open(self.path)

    def save(self, path: Path) -> None:
        """Write a file to hand on.

        Raises
        ------
        NotSaved
            It cannot be written.
        """
        write_view(path, self.view(PathTexts(path.parent)))

    def open(self, path: Path) -> bool:
        """Open the view in a file; False, and said why, if it cannot be opened."""
        try:
            view, problems = background.call(read_view, path)
            texts = PathTexts(path.parent)
            pages = [texts.path(page) for page in view.pages]
            missing = self._window.workbench.opening.call(_missing, pages)
            if missing or self._is_empty(view):
                named = missing[0] if missing else path
                raise SpotlabError(f"{named}: the pages that were open are not there any more")
            return self._open(view, pages, texts, path, problems)
        except Cancelled:
            return False
        except BadInput as error:
            self._keep_damaged(path)
            self._window.workbench.said.emit(str(error), True)
            return False
        except SpotlabError as error:
            self._window.workbench.said.emit(str(error), True)
            return False

    def _keep_damaged(self, path: Path) -> None:
        """Keep a copy of the user's own file, which is written over soon."""
        if path == self.path:
            with suppress(OSError, SpotlabError):
                background.call(keep_damaged, path)

    def _open(
        self, view: View, pages: Sequence[Path], texts: PathTexts, path: Path, problems: list[str]
    ) -> bool:
        window = self._window
        kept, wrong = self._checked(view.workspaces, every=True)  # before anything is opened
        problems = [*problems, *wrong]
        if problems:
            self._keep_damaged(path)
        self._tell(path, problems)
        self._is_opening = True
        try:
            if pages and not window.open_paths(pages):
                return False
        finally:
            self._is_opening = False
        self._newest = self._newest or view
        shown = window.workbench.shown
        shown.set_only(view.filter.only)
        shown.filter(view.filter.text, _states(view.filter.states))
        self._give(kept, texts)
        self._open_page(view)
        if window.has_workspace(view.workspace):
            window.enter(view.workspace)
        return True

    def _checked(
        self, workspaces: Mapping[str, Any], *, every: bool
    ) -> tuple[dict[str, Any], list[str]]:
        """Return what each workspace is to look at, and what is wrong with it.

        ``every``: those that are made and of which nothing is known look at nothing.
        """
        kept: dict[str, Any] = {}
        problems: list[str] = []
        for name, part in self._parts.items():
            values = workspaces.get(name)
            if values or (every and self._spaces.is_made(name)):
                kind = part().kind
                value, wrong = fitted(values or {}, kind, f"workspaces.{name}")
                kept[name] = kind() if value is None else value
                problems += wrong
        return kept, problems

    def _tell(self, path: Path, problems: Sequence[str]) -> None:
        if problems:
            more = f", and {counted(len(problems) - 1, 'other value')}" if problems[1:] else ""
            text = f"{path}: {problems[0]}; it is left out{more}"
            self._window.workbench.said.emit(text, True)

    def _give(self, kept: Mapping[str, Any], texts: PathTexts) -> None:
        for name, values in kept.items():
            self._parts[name]().give(self._window, values, texts)

    def _open_page(self, view: View) -> None:
        workbench, page = self._window.workbench, from_unicode(view.page)
        for index, entry in enumerate(workbench.entries):
            if entry.frames is None and page.startswith(entry.name):
                workbench.collection.expand(index)  # its pages have had no names yet
                break
        names = [entry.name for entry in workbench.entries]
        if page in names:
            self._place = (page, view.place) if view.place else None
            if names.index(page) != workbench.index:
                workbench.open_page(names.index(page))

    def _looked_at(self) -> Place | None:
        entry, shown = self._window.workbench.entry, self._window.canvas.view
        if self._place and entry and self._place[0] == entry.name:
            return self._place[1]  # until it can be shown
        if shown.fitted:
            return None
        numbers = (*shown.centre, shown.scale, shown.angle)
        return Place(*(round(number, ROUNDED) for number in numbers))

    def _look(self) -> None:
        """Look where one has looked, as soon as the page is there."""
        workbench = self._window.workbench
        if self._place is None or workbench.entry is None or workbench.document is None:
            return
        page, place = self._place
        if workbench.entry.name == page and workbench.pixels is not None:
            self._place = None
            self._window.canvas.look_at(place.x, place.y, place.scale, place.angle)

    def _soon(self) -> None:
        """Write in a moment what is open, if anything that has happened has changed it."""
        if not self._timer.isActive() and isValid(self._window.frame):
            self._timer.start()


def _missing(pages: Sequence[Path], progress: Progress) -> list[Path]:
    names = ", ".join(page.name for page in pages[:3])
    progress(0, None, f"Looking for {names}")
    return [page for page in pages if not exists(page)]


def _states(names: Sequence[str]) -> list[PageState]:
    known: dict[str, Any] = {str(state): state for state in PageState}
    return [known[name] for name in names if name in known]
