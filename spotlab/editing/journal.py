"""An append-only file that holds every step since the last save, whatever happens to the program.

`journal_lines` says what stands in it, `journal_file` where it lies. How safe a step is:

- It has been handed to the system before it is shown, so that it outlives the program. Where the
  place beside the truth file refuses, the user's state folder takes the whole journal.
- It is on the disk, power cuts included, at most `SYNC_AFTER` seconds and one ``fsync`` later; that
  is done in a thread, so that no stroke waits for the disk.
- While there are steps, a thread looks every `LOOK_AFTER` seconds whether the file still has its
  name and is whole, and writes it anew if another program has taken it away.
- Before a truth file is replaced, the journal with all its steps is on the disk; the journal goes
  when the new truth file is on the disk, and its name in the folder.

A step is in the journal before it is shown wherever the disk answers at once. Where it does not, as
on a network drive that is slow or has gone, the step is shown while `JournalWriter` still writes
it in a thread: a kill in that moment loses it.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from pathlib import Path

from spotlab.editing.history import Kind, Step
from spotlab.editing.journal_file import (
    Identity,
    InUse,
    JournalFile,
    has_journal,
    journal_path,
    journal_paths,
    user_of,
)
from spotlab.editing.journal_lines import (
    Recorded,
    RecordedStep,
    digest,
    header_line,
    own_lease,
    parse_journal,
    saving_line,
    signing_key,
    step_line,
)
from spotlab.errors import NotSaved, reason
from spotlab.files import read_file
from spotlab.model import Page

__all__ = [
    "InUse", "Journal", "Recorded", "digest", "has_journal", "journal_path", "read_journal",
    "user_of",
]  # fmt: skip

PATIENCE = 0.05  # seconds that a question may wait for what is being written
SYNC_AFTER = 0.5  # seconds from a step until it begins to be made durable
LOOK_AFTER = 0.25  # seconds between two looks at the file while there are steps


class Journal:
    """Writes a page's steps; the file exists only while there are some that no save holds.

    What can be written nowhere is kept and written before the next record; ``trouble`` says why,
    and is empty otherwise. ``busy_since`` is since when the disk is at work, by `time.monotonic`;
    None while it is not. Safe to be called from several threads.
    """

    def __init__(self, truth_path: Path) -> None:
        self.truth_path = truth_path
        self.trouble = ""
        self.busy_since: float | None = None
        self.count = 0  # steps since `begin`
        beside, in_state_folder = journal_paths(truth_path)
        name = truth_path.name
        self._places = [
            JournalFile(beside, name),
            JournalFile(in_state_folder, name, own_folder=True),
        ]
        self._begun: tuple[Page, bytes] | None = None
        self._prepared: tuple[Page, bytes, bytearray] | None = None
        self._key = signing_key()
        self._content = bytearray()  # of the whole journal: another place may have to take it
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None

    @property
    def path(self) -> Path | None:
        """The file with the steps; None while there are none, or they could be written nowhere."""
        if not self._lock.acquire(timeout=PATIENCE):
            return None  # they are being written, to a disk that takes its time
        try:
            whole = [place for place in self._places if place.is_open and self._holds(place)]
            return whole[0].path if whole and self._content else None
        finally:
            self._lock.release()

    def begin(self, page: Page, source: bytes) -> None:
        """Start over on the truth file with this content; the old journal goes."""
        with self._lock, self._on_disk():
            for place in self._places:
                place.remove()
            self._reset()
            self._begun = (page, source)

    def prepare_begun(self) -> None:
        """Do for the journal that was begun what the first step would wait for; see `prepare`."""
        if self._begun:
            self.prepare(*self._begun)

    def prepare(self, page: Page, source: bytes) -> None:
        """Make beforehand, in any thread, the first line of a journal on a page.

        Parameters
        ----------
        page : Page
        source : bytes
            The content of the truth file.
        """
        self._prepared = page, source, header_line(page, source, self._key, own_lease())

    def record(self, kind: Kind, step: Step, is_shown: bool = False) -> None:
        """Append a step and hand it to the system, so that it outlives this process.

        Parameters
        ----------
        kind : str
        step : Step
        is_shown : bool
            The step cannot be refused any more: another place takes it where one is in use.

        Raises
        ------
        InUse
            Another window is editing the page.
        """
        with self._lock:
            line = step_line(RecordedStep(self.count + 1, kind, step), self._key)
            before = len(self._content)
            if self._begun:
                self._content += self._header(*self._begun)
            self._content += line
            try:
                self._write(may_refuse=not before and not is_shown)
            except InUse:
                del self._content[before:]
                raise
            self._begun = None
            self.count += 1

    def announce(self, state: str, steps: int) -> None:
        """Append that the truth file is about to become this; on the disk before this returns."""
        with self._lock:
            if self._content:
                self._content += saving_line(state, steps, self._key)
                self._write()
        self.sync()

    def resume(self, path: Path, recorded: Recorded) -> None:
        """Go on appending to the journal that is there."""
        with self._lock:
            place = self._place(path)
            place.resume(len(recorded.content))
            self._prefer(place)
            self._content = bytearray(recorded.content)
            self._begun = None
            self.count = recorded.total
            self._write_lease(place, recorded)
            _keep_up(self)
            self._drop_superseded()

    def rewrite(self, page: Page, source: bytes, steps: Sequence[tuple[Kind, Step]]) -> None:
        """Begin a new journal with these steps."""
        with self._lock:
            self._begun = (page, source)
            self.count = len(steps)
            if steps:
                numbered = [RecordedStep(n, *step) for n, step in enumerate(steps, 1)]
                header = header_line(page, source, self._key, own_lease())
                lines = (step_line(each, self._key) for each in numbered)
                self._content = bytearray(b"".join([header, *lines]))
                self._begun = None
                self._write()
            if not self.trouble:
                self._drop_superseded()

    def supersede(self, paths: Set[Path]) -> None:
        """Remove the journals in these places as soon as their steps are elsewhere."""
        for place in self._places:
            if place.path in paths:
                place.supersede()

    def drop(self, path: Path) -> None:
        """Remove the journal that lies in this place: its steps are recorded here by now."""
        self.supersede({path})
        with self._lock:
            self._drop_superseded()

    def avoid(self, path: Path) -> None:
        """Leave what lies there alone and write elsewhere."""
        self._place(path).blocked = True

    def holds(self, identity: Identity) -> bool:
        """Tell whether this is one of the files that the journal is being written to."""
        return any(place.identity == identity for place in self._places)

    @property
    def is_empty(self) -> bool:
        """True if there are no steps."""
        return not self._content

    def keep(self) -> None:
        """See that the steps are still on the disk, and show other machines that this one is alive.

        What another program has taken away is written anew; ``trouble`` says if that fails.
        """
        places = [place for place in self._places if place.is_open and self._holds(place)]
        if places and all(place.is_intact and not place.is_due for place in places):
            return  # without the lock, for which a stroke would have to wait
        with self._lock:
            if self._content:
                self._write()
                for place in self._places:
                    if place.is_due and self._holds(place):
                        with self._on_disk():
                            place.renew()

    def sync(self) -> None:
        """Have all steps on the disk, power cuts included."""
        with self._lock:  # which nobody holds while the disk works
            self._timer = None
            syncs = [place.durable() for place in self._places if self._holds(place)]
        for sync in syncs:
            sync()

    def release(self) -> None:
        """Close the file and leave it where it is."""
        with self._lock:
            for place in self._places:
                place.release()
            self._reset()

    def _drop_superseded(self) -> None:
        superseded = [place for place in self._places if place.is_superseded]
        if superseded and self._content:
            self.sync()  # what goes may be the only one that a power cut would leave
        for place in superseded:
            place.remove()

    def _write_lease(self, place: JournalFile, recorded: Recorded) -> None:
        """Say who goes on with the journal; where there is no room for it, nothing else changes."""
        lease = own_lease()
        if recorded.lease and (recorded.lease.boot, recorded.lease.process) == (
            lease.boot,
            lease.process,
        ):
            return
        before = len(self._content)
        state, steps = recorded.saves[-1] if recorded.saves else (recorded.base or "", 0)
        self._content += saving_line(state, steps, self._key, lease)
        try:
            place.write(self._content)
        except (OSError, NotSaved):
            del self._content[before:]

    def _header(self, page: Page, source: bytes) -> bytearray:
        if self._prepared is not None:
            of, content, line = self._prepared
            if content is source and of == page:
                return line
        return header_line(page, source, self._key, own_lease())

    def _reset(self) -> None:
        self._begun = None
        self._content = bytearray()
        self.count = 0
        self.trouble = ""

    def _write(self, may_refuse: bool = False) -> None:
        """Write what is missing in the place that was used last, or else all in another one.

        Raises
        ------
        InUse
            It is the first step, and another window is editing the page. Later the steps have to
            go somewhere: then the other place takes them.
        """
        refused = ""
        for place in tuple(self._places):
            try:
                with self._on_disk():
                    wrote = place.write(self._content)
            except (OSError, NotSaved, InUse) as error:
                if may_refuse and isinstance(error, InUse):
                    raise
                why = reason(error) if isinstance(error, OSError) else str(error)
                refused = refused or f"{place.path} cannot be written: {why}"
                continue
            self._prefer(place)
            self.trouble = ""
            if wrote:
                self._sync_soon()
            break
        else:
            self.trouble = refused
        _keep_up(self)

    @contextlib.contextmanager
    def _on_disk(self) -> Iterator[None]:
        self.busy_since = time.monotonic()
        try:
            yield
        finally:
            self.busy_since = None

    def _sync_soon(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(SYNC_AFTER, self.sync)
            self._timer.daemon = True
            self._timer.start()

    def _holds(self, place: JournalFile) -> bool:
        return place.size == len(self._content)

    def _place(self, path: Path) -> JournalFile:
        return next(place for place in self._places if place.path == path)

    def _prefer(self, place: JournalFile) -> None:
        self._places.sort(key=lambda other: other is not place)


def read_journal(path: Path) -> Recorded:
    """Read a journal.

    Raises
    ------
    OSError
        It cannot be read: it is missing, a folder, …
    """
    return parse_journal(read_file(path))


class _Upkeep:
    """The journals with steps, and the thread that looks after them."""

    def __init__(self) -> None:
        self.journals = weakref.WeakSet[Journal]()
        self.lock = threading.Lock()
        self.thread: threading.Thread | None = None


_upkeep = _Upkeep()


def _keep_up(journal: Journal) -> None:
    """Have a thread look after a journal for as long as it has steps."""
    with _upkeep.lock:
        _upkeep.journals.add(journal)
        if _upkeep.thread is None or not _upkeep.thread.is_alive():
            _upkeep.thread = threading.Thread(target=_look_after_all, daemon=True, name="journals")
            _upkeep.thread.start()


def _look_after_all() -> None:
    while True:
        time.sleep(LOOK_AFTER)
        _look_after(list(_upkeep.journals))  # which are held no longer than that
        with _upkeep.lock:
            if not _upkeep.journals:
                _upkeep.thread = None
                return


def _look_after(journals: Sequence[Journal]) -> None:
    for journal in journals:
        journal.keep()
    with _upkeep.lock:
        for journal in journals:
            if journal.is_empty:
                _upkeep.journals.discard(journal)


def _forget_all() -> None:
    """A process that was forked writes none of the journals of the other one."""
    _upkeep.__init__()  # type: ignore[misc]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


SHOWN_AFTER = 0.03  # seconds that the disk may take before a step is shown without it
SLOW = 2.0  # seconds after which the user is told that steps are not in the journal yet
_TURN = 0.005  # seconds between two looks at what the disk does


class _Task:
    """Something that is done to the journal in its turn."""

    def __init__(self, function: Callable[[], object], late: Callable[[], object]) -> None:
        self.function = function
        self.late = late  # instead, once nobody can hear any more that the function was refused
        self.ended = threading.Event()
        self.is_late = False  # nobody waits for its end any more
        self.error: Exception | None = None


class JournalWriter:
    """Writes to a journal in the order in which it is asked, in a thread.

    Attributes
    ----------
    count : int
        Number of steps since the journal was begun, those included that are being written.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()  # held for a moment
        self._tasks: deque[_Task] = deque()  # the first is under way
        self._late_error = ""  # of a step that is shown already
        self.count = journal.count

    @property
    def trouble(self) -> str:
        """Why steps are not in the journal at the moment; empty if they are."""
        since = self._journal.busy_since
        if since is not None and time.monotonic() - since > SLOW:
            return f"{self._journal.truth_path}: the disk is slow, the last steps are not safe yet"
        return self._late_error or self._journal.trouble

    def record(self, kind: Kind, step: Step) -> None:
        """Append a step, and wait until it is handed to the system if the disk answers at once.

        Raises
        ------
        InUse
            Another window is editing the page.
        """
        record = partial(self._journal.record, kind, step)
        task = self._add(record, partial(record, is_shown=True), steps=1)
        while not task.ended.wait(_TURN):
            since = self._journal.busy_since
            if since is not None and time.monotonic() - since > SHOWN_AFTER:
                with self._lock:
                    if not task.ended.is_set():
                        task.is_late = True
                        return
        if task.error is not None:
            with self._lock:
                self.count -= 1
            raise task.error

    def announce(self, state: str, steps: int) -> None:
        """Append that the truth file is about to become this; see `Journal.announce`."""
        self._wait(partial(self._journal.announce, state, steps))

    def prepare(self, page: Page, source: bytes) -> None:
        """Do beforehand what the first step on this content would wait for."""
        self._journal.prepare(page, source)

    def begin_after(self, steps: int, page: Page, source: bytes) -> None:
        """Start over if the truth file with this content has all steps; waits for the disk.

        Parameters
        ----------
        steps : int
            How many steps the truth file has.
        page : Page
        source : bytes
            The content of the truth file.
        """

        def begin() -> None:
            if self._journal.count == steps:
                self._journal.begin(page, source)
                self._late_error = ""
                with self._lock:
                    self.count -= steps

        self._wait(begin)

    @contextlib.contextmanager
    def alone(self) -> Iterator[Journal]:
        """Wait until all is written, and give the journal itself, for anything else."""
        self._wait(lambda: None)
        try:
            yield self._journal
        finally:
            self._wait(lambda: None)
            self.count = self._journal.count

    def _wait(self, function: Callable[[], object]) -> None:
        task = self._add(function, function)
        task.ended.wait()
        if task.error is not None:
            raise task.error

    def _add(
        self, function: Callable[[], object], late: Callable[[], object], steps: int = 0
    ) -> _Task:
        task = _Task(function, late)
        with self._lock:
            self.count += steps
            self._tasks.append(task)
            if len(self._tasks) == 1:
                threading.Thread(target=self._work, name="journal", daemon=True).start()
        return task

    def _work(self) -> None:
        while True:
            self._run(self._tasks[0])
            with self._lock:
                self._tasks.popleft()
                if not self._tasks:
                    return

    def _run(self, task: _Task) -> None:
        try:
            task.function()
        except Exception as error:
            with self._lock:
                task.error = error
                if not task.is_late:
                    task.ended.set()
                    return
            try:
                task.late()
            except Exception as late_error:
                self._late_error = str(late_error)
        task.ended.set()
