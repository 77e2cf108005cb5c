"""Files and folders as the window needs them: asked for, watched, kept up to date, written."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from PySide6.QtCore import QCoreApplication, QStandardPaths, QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from spotlab.errors import SpotlabError
from spotlab.files import exists
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.gui.kit import background
from spotlab.gui.kit.background import raise_unexpected
from spotlab.gui.kit.panel import OnScreen
from spotlab.progress import Progress
from spotlab.resources import is_own_folder
from spotlab.signal import Signal


def is_there(path: Path) -> bool:
    """Ask the file system whether there is anything at a path; the window is drawn meanwhile.

    False where it does not answer.
    """
    try:
        return background.call(exists, path)
    except background.NoAnswer:
        return False


class KnownPaths:
    """Remembers which paths were there when they were looked at last; a thread looks.

    ``changed`` is emitted when the answer for a path is another one. A path that has not been
    looked at, or of which the file system says nothing yet, counts as there.
    """

    def __init__(self) -> None:
        self.changed = Signal[[]]()
        self._missing: frozenset[Path] = frozenset()
        self._job: background.Job | None = None
        self._waiting: tuple[Path, ...] | None = None

    def is_there(self, path: Path) -> bool:
        """Return whether the path was there when it was looked at last."""
        return path not in self._missing

    def look(self, paths: Iterable[Path]) -> None:
        """Look at these paths, and forget all others."""
        wanted = tuple(paths)
        if self._job is not None:
            self._waiting = wanted  # a file system that hangs takes one thread, not one each time
        else:
            self._job = background.run(_missing, wanted, done=self._note, awaited=False)

    def _note(self, missing: frozenset[Path]) -> None:
        self._job = None
        if missing != self._missing:
            self._missing = missing
            self.changed.emit()
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            self.look(waiting)


def _missing(paths: tuple[Path, ...], _: Progress) -> frozenset[Path]:
    return frozenset(path for path in paths if not exists(path))


EVERY = 1_000  # ms between two looks
SLOWER = 10  # times as long as a look took, at least
SETTLED = 2.0  # seconds after which another change gives another time on every file system

Stamp = tuple[int, int, int, bool] | None  # time, size, number, settled; None of what is not there


class PathWatch:
    """Looks at paths again and again.

    Parameters
    ----------
    changed : callable
        Called when a path has appeared, changed or gone. What has changed just now is told of
        once more when it has settled: it may have changed twice within the file system's clock.
    """

    def __init__(self, changed: Callable[[], object]) -> None:
        self._changed = changed
        self._paths: frozenset[Path] = frozenset()
        self._stamps: dict[Path, Stamp] = {}
        self._job: background.Job | None = None
        self._timer = QTimer(singleShot=True, interval=EVERY)
        self._timer.timeout.connect(self._look)

    def follow(self, paths: Iterable[Path]) -> None:
        """Watch these paths and no others."""
        paths = frozenset(paths)
        if paths == self._paths:
            return
        self._paths = paths
        self._stamps = {path: stamp for path, stamp in self._stamps.items() if path in paths}
        self._timer.stop()
        if self._job is None and paths:
            self._look()

    def _look(self) -> None:
        self._job = background.run(
            _stamps, self._paths, done=self._compare, urgent=True, awaited=False
        )

    def _compare(self, looked: tuple[dict[Path, Stamp], float]) -> None:
        self._job = None
        stamps, took = looked
        before = self._stamps
        self._stamps = {path: stamp for path, stamp in stamps.items() if path in self._paths}
        if self._paths:
            self._timer.start(max(EVERY, round(1000 * SLOWER * took)))
        if any(path in before and before[path] != stamp for path, stamp in self._stamps.items()):
            self._changed()


def _stamps(paths: frozenset[Path], progress: Progress) -> tuple[dict[Path, Stamp], float]:
    begin = time.monotonic()
    stamps: dict[Path, Stamp] = {}
    for path in paths:
        progress(len(stamps), len(paths), "")
        stamps[path] = _stamp(path)
    return stamps, time.monotonic() - begin


def _stamp(path: Path) -> Stamp:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    settled = time.time() - status.st_mtime > SETTLED
    return status.st_mtime_ns, status.st_size, status.st_ino, settled


RETRY = 2_000  # ms until a write that failed is tried again; twice as long after each failure
LONGEST_RETRY = 300_000  # ms
LOOK = 1_000  # ms between two looks at what other programs have written
PATIENCE = 30.0  # seconds that closing waits for a write
AT_ONCE = 0.02  # seconds that a change waits for the disk, so that it is safe when it is shown
ON_DISK = 0.5  # the same for single answers, of which none shall be given twice

Value = TypeVar("Value")
Say = Callable[[str, bool], object]


class KeptFile(Generic[Value]):
    """The value of a shared file, for the window's thread.

    Parameters
    ----------
    file : SharedFile
    say : callable
        Told a line of text, and whether it is serious.
    waits : float
        Seconds that a change waits at most until it is on the disk, so that what is shown is safe.

    Attributes
    ----------
    value : object
    changed : Signal
        Other programs have changed the value.
    """

    def __init__(self, file: SharedFile[Value], say: Say, *, waits: float = AT_ONCE) -> None:
        self.file = file
        self.value = file.value
        self.changed = Signal[[]]()
        self._say = say
        self._waits = waits
        self._job: background.Job | None = None  # writes
        self._looking: background.Job | None = None
        self._problem = ""
        self._pause = RETRY
        self._timer = QTimer(singleShot=True)
        self._timer.timeout.connect(self.save)
        self._is_open = True

    @property
    def problem(self) -> str:
        """Why the last change is not in the file; empty if it is, or is being written."""
        return self._problem

    def open(self) -> None:
        """Read the file, and follow it from now on; says what is wrong with it."""
        self._touch(self.file.take_over)
        self.value = self.file.value
        if self.file.is_pending:
            self.save()
        _watched.add(self)
        _look_soon()

    def set(self, value: Value) -> None:
        """Change the value; it is written at once in a thread."""
        if value == self.value:
            return
        before, self.value = self.value, value
        self.file.set(value, before)
        self.save()
        if self._waits and self._job is not None:
            self._job.wait(self._waits)
            if self.file.is_pending and self._job.has_ended and not self._problem:
                self.save()  # the write under way had just come to its end
                self._job.wait(self._waits)

    def save(self) -> None:
        """Write what is not written yet, in a thread."""
        self._timer.stop()
        is_writing = self._job is not None and not self._job.has_ended
        if self.file.is_pending and not is_writing:
            self._job = background.run(
                _write, self.file, done=self._written, failed=self._failed, urgent=True
            )

    def flush(self) -> bool:
        """Write everything before this returns; False if something could not be written."""
        if QCoreApplication.instance() is None:  # no thread can be heard of
            self._touch(self.file.write)
            return not self.file.is_pending
        self.save()
        background.wait_for(lambda: not _is_under_way(self._job), PATIENCE)
        return not self.file.is_pending

    def stop_following(self) -> None:
        """Hear no more of what others write."""
        self._is_open = False
        _watched.discard(self)
        self._timer.stop()
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    def close(self) -> bool:
        """Write everything and follow the file no more; False if it could not be written."""
        self.stop_following()
        self.flush()
        self._timer.stop()
        return not self.file.is_pending

    def look(self) -> None:
        """See in a thread what others have written."""
        if not _is_under_way(self._looking) and not _is_under_way(self._job):
            self._looking = background.run(
                _look,
                self.file,
                done=self._looked,
                failed=self._not_read,
                urgent=True,
                awaited=False,
            )

    def _looked(self, remarks: tuple[str, ...]) -> None:
        self._looking = None
        self._tell(remarks)
        if self.file.is_pending and not self._timer.isActive():
            self.save()

    def _written(self, remarks: tuple[str, ...]) -> None:
        self._end()
        self._timer.stop()
        self._pause = RETRY
        if self._problem:
            self._problem = ""
            self._say(f"{self.file.path} is saved now", False)
        self._tell(remarks)
        self.save()  # what was changed meanwhile

    def _end(self) -> None:
        """Forget the job that has ended, unless another one writes already."""
        if self._job is not None and self._job.finished:
            self._job = None

    def _failed(self, error: Exception) -> None:
        self._end()
        self._say_once(error)
        self._tell(())
        if self._is_open:
            self._timer.start(self._pause)
            self._pause = min(2 * self._pause, LONGEST_RETRY)
        raise_unexpected(error)

    def _not_read(self, error: Exception) -> None:
        self._looking = None
        if not self._problem:
            self._say_once(error)
        raise_unexpected(error)

    def _touch(self, work: Callable[[], tuple[str, ...]]) -> None:
        try:
            remarks = background.call(work)
        except SpotlabError as error:
            self._say_once(error)
            remarks = ()
        self._tell(remarks)

    def _say_once(self, error: Exception) -> None:
        text = str(error)
        if self.file.is_pending and self.file.is_safe:
            text += ". It is kept in your state folder, and tried again"
        if text != self._problem:
            self._problem = text
            self._say(text, True)

    def _tell(self, remarks: tuple[str, ...]) -> None:
        for remark in remarks:
            self._say(remark, True)
        value = self.file.value
        if value is not self.value:
            is_other, self.value = value != self.value, value
            if is_other:
                self.changed.emit()


def _is_under_way(job: background.Job | None) -> bool:
    """Tell whether a job has still to be heard of; one that was cancelled calls nobody back."""
    return job is not None and not job.finished


_watched: WeakSet[KeptFile[Any]] = WeakSet()
_timers: list[QTimer] = []


def flush_all() -> list[str]:
    """Write all files that are followed; gives why, where a change is nowhere on a disk."""
    kept_files = tuple(_watched)
    for kept in kept_files:
        kept.flush()
    return [kept.problem for kept in kept_files if not kept.file.is_safe]


def _look_soon() -> None:
    """Look at all files that are followed every second, from now on.

    Before there is an application no timer can be started: the next file that is opened starts it.
    """
    if not _timers and QCoreApplication.instance() is not None:
        timer = QTimer(interval=LOOK)
        timer.timeout.connect(_look_at_all)
        _timers.append(timer)
        timer.start()


def _look_at_all() -> None:
    for kept in tuple(_watched):
        kept.look()


def _write(file: SharedFile[Value], _: Progress) -> tuple[str, ...]:
    return file.write()


def _look(file: SharedFile[Value], _: Progress) -> tuple[str, ...]:
    return file.look()


Mode = QFileDialog.FileMode

_saved_in: list[
    Path
] = []  # the folders saved to since the program started, the last one at the end


def start_folder(folder: Path | None, saves: bool = False) -> Path:
    """Choose the folder in which a dialog opens.

    Parameters
    ----------
    folder : Path or None
        That of the work at hand, such as the open collection.
    saves : bool
        Whether something is to be saved: the folder that was saved to last comes first then.

    Returns
    -------
    Path
        The user's documents where there is no such folder, or where it is one of spotlab's own,
        such as the copy of the sample collection: nobody finds again what is saved there.
    """
    if saves and _saved_in and is_there(_saved_in[-1]):
        return _saved_in[-1]
    if folder is not None and not is_own_folder(folder):
        return folder
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(documents) if documents and is_there(Path(documents)) else Path.home()


def note_saved(path: Path) -> None:
    """Let the next dialog that saves open in the folder of this file."""
    if not is_own_folder(path.parent):
        _saved_in[:] = [path.parent]


class FileDialog(QFileDialog):
    """Asks for files or a folder, and is gone when it is answered.

    Parameters
    ----------
    parent : QWidget
    title : str
    folder : Path or None
        Of the work at hand; see `start_folder`.
    mode : QFileDialog.FileMode
        What is chosen. ``AnyFile`` asks where to save.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        folder: Path | None,
        mode: QFileDialog.FileMode = Mode.AnyFile,
    ) -> None:
        saves = mode is Mode.AnyFile
        super().__init__(parent, title, str(start_folder(folder, saves)))
        OnScreen(self)
        self.setFileMode(mode)
        if saves:
            self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            self.accepted.connect(self._note)
        self._suffixes: dict[str, str] = {}
        self.finished.connect(self._end)

    @property
    def paths(self) -> list[Path]:
        """Return what is chosen."""
        return [Path(name) for name in self.selectedFiles()]

    @property
    def path(self) -> Path:
        """The one path that is chosen, with the suffix of the chosen kind if it has none of any."""
        path = self.paths[0]
        if self._suffixes and path.suffix.lower() not in self._suffixes.values():
            path = path.with_name(f"{path.name}{self._suffixes[self.selectedNameFilter()]}")
        return path

    def offer_kinds(self, suffixes: Iterable[str]) -> None:
        """Offer kinds of files by their suffixes, such as ``.png``."""
        self._suffixes = {f"{suffix[1:].upper()} (*{suffix})": suffix for suffix in suffixes}
        self.setNameFilters(list(self._suffixes))

    def save_to_folder(self, label: str) -> None:
        """Let the name be that of a folder, whose other files stay."""
        self.setOption(QFileDialog.Option.DontConfirmOverwrite)
        self.setLabelText(QFileDialog.DialogLabel.FileName, label)

    def ask(
        self, use: Callable[[Path], object], filters: Sequence[str] = (), suggested: str = ""
    ) -> FileDialog:
        """Open it, and use the path that is chosen, as `ask_all` does."""
        return self.ask_all(lambda _: use(self.path), filters, suggested)

    def ask_all(
        self, use: Callable[[list[Path]], object], filters: Sequence[str] = (), suggested: str = ""
    ) -> FileDialog:
        """Open it, and use the paths that are chosen.

        Parameters
        ----------
        use : callable
            Called with the paths, unless the dialog is cancelled.
        filters : sequence of str
            Kinds of files, such as "Tables (*.csv)".
        suggested : str
            Name that stands there.
        """
        if filters:
            self.setNameFilters(list(filters))
        if suggested:
            self.selectFile(suggested)
        self.accepted.connect(lambda: use(self.paths))
        self.open()
        return self

    def _note(self) -> None:
        note_saved(self.paths[0])

    def _end(self, _: int) -> None:
        self.deleteLater()


def write_file(path: Path, content: bytes, say: Say) -> None:
    """Write the file at once or not at all."""
    try:
        write_atomically(path, content)
    except SpotlabError as error:
        say(str(error), True)
    else:
        say(f"Wrote {path}", False)
