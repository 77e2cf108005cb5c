"""Keeps a file that other windows change, too: writes at once in a thread, and takes over the rest.

A change is written as soon as it is made. What fails is tried again: after a pause that grows, at
the next change, and when the window is closed. What other programs write is merged within a second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from PySide6.QtCore import QCoreApplication, QTimer

from spotlab.errors import SpotlabError
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.gui.kit import background
from spotlab.gui.kit.task import raise_unexpected
from spotlab.progress import Progress
from spotlab.signal import Signal

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
