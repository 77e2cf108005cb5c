"""One page open for editing: its document and history, their journal, and the truth file.

Every step is in the journal before it is shown; the truth file is written whole at pauses. A save
has three parts, so that the slow one can run elsewhere while editing goes on::

    save = session.begin_save()      # a frozen value of what is to be written
    content = save.write()           # slow: may run in another thread
    session.finish_save(save, content)
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from spotlab.editing.document import Document, Edit, sign
from spotlab.editing.history import History, Step
from spotlab.editing.journal import Journal, JournalWriter, digest, has_journal, user_of
from spotlab.editing.journal_file import journal_paths
from spotlab.editing.recovery import LeftSteps, Recovery, parsed, write_copy
from spotlab.errors import NotSaved, reason
from spotlab.files import check_regular, exists, is_missing, read_file
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.truth import page_xml
from spotlab.model import LabelSet, Page, Truth

Stamp = tuple[int, int, int, int]  # of a file: changed at, size, number, device
TRIES = 5  # at a file that changes while it is read
SETTLED = 2_000_000_000  # ns after which another change gives another time on every file system


@dataclass(frozen=True)
class FileLook:
    """A check whether the truth file is still the one that a session knows."""

    path: Path
    state: str
    stamp: Stamp | None
    journal: Journal

    def run(self) -> FileState:
        """Look at the file; may run in another thread. It is read only if its status is another.

        Raises
        ------
        NotSaved
            The file is there but cannot be read.
        """
        self.journal.keep()
        used_by = user_of(self.path, self.journal.holds)
        left = not used_by and _has_steps(self.path, self.journal)
        now = time.time_ns()
        stamp = _stamp(self.path)
        if self.stamp == stamp:
            return FileState(False, b"", stamp, used_by, left)
        content = content_of(self.path)
        changed = digest(content) != self.state
        settled = now - stamp[0] > SETTLED
        known = stamp if settled and not changed else None
        return FileState(changed, content if changed else b"", known, used_by, left)


@dataclass(frozen=True)
class FileState:
    """The outcome of a look.

    Attributes
    ----------
    changed : bool
        Another program has written or removed the truth file.
    content : bytes
        What it has written; empty if it has removed the file, or changed nothing.
    stamp : tuple or None
        The file's status by which it is known; None if that is too fresh to tell it.
    used_by : str
        Who else has unsaved steps of this page, see `user_of`; empty if nobody has.
    left_by_another : bool
        There is a journal that nobody holds.
    """

    changed: bool
    content: bytes
    stamp: Stamp | None
    used_by: str
    left_by_another: bool


def is_in_state(path: Path, state: str) -> bool:
    """Tell whether a truth file has the content with this digest, up to the moment of the answer.

    Parameters
    ----------
    path : Path
    state : str
        See `spotlab.editing.journal.digest`.

    Raises
    ------
    NotSaved
        The file is there but cannot be read.
    """
    for _ in range(TRIES):
        before = _stamp(path)
        if digest(content_of(path)) != state:
            return False
        if _stamp(path) == before:
            return True
    return False


def content_of(path: Path) -> bytes:
    """The file's content; empty where there is none."""
    try:
        return read_file(path)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise NotSaved(f"{path} cannot be read: {reason(error)}") from error


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return 0, 0, 0, 0
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_dev


def _has_steps(path: Path, own: Journal) -> bool:
    """Tell whether there is a journal that could be taken over."""
    for place in journal_paths(path):
        with contextlib.suppress(OSError):
            status = check_regular(place)
            if status.st_size and not own.holds((status.st_dev, status.st_ino)):
                return True
    return False


class ChangedOnDisk(NotSaved):
    """Another program has written the truth file since it was read."""


@dataclass(frozen=True)
class Save:
    """The content of one save, and its file."""

    truth: Truth
    path: Path
    expected: str | None  # the digest of the file that may be replaced; None: whatever is there
    mark: Step | None
    steps: int
    journal: JournalWriter
    as_read: bytes  # what the file held, if the page is as it was read; else empty
    refused: str = ""  # why the file must not be written; empty if it may be

    def write(self) -> bytes:
        """Write the truth file; gives its content.

        Raises
        ------
        ChangedOnDisk
            The file is not the one that was read.
        NotSaved
            The system refused; the old file is untouched.
        """
        if self.refused:
            raise NotSaved(self.refused)
        self._check()  # serialising is in vain if another program was here
        content = self.as_read or page_xml.serialise(self.truth, datetime.now(UTC))
        self.journal.announce(digest(content), self.steps)
        write_atomically(self.path, content, self._check)
        self.journal.prepare(self.truth.page, content)
        self.journal.begin_after(self.steps, self.truth.page, content)
        return content

    def _check(self) -> None:
        if self.expected is not None and not is_in_state(self.path, self.expected):
            raise ChangedOnDisk(_changed_text(self.path, not exists(self.path)))


class EditingSession:
    """One page open for editing.

    Attributes
    ----------
    path : Path
        The truth file; it need not exist yet.
    document, history
        What is edited, and its steps.
    recovered : str
        What was taken over from a journal that a killed program left; empty if nothing was.
    used_by : str
        Who else was editing the page when it was opened, see `user_of`; empty if nobody was.
    left : LeftSteps or None
        Steps in a journal that this user has not written; nothing is done with them unasked.
    remark : str
        What a person has to know of the page's image; empty if nothing.
    refused : str
        Why the truth file must not be written: it lies outside of the opened folder, and nobody has
        allowed that; empty if it may be.
    labels : LabelSet
        Colours and digits that go into the truth file.
    author : str
        Who edits; goes into the history of each region that a step draws or changes. Nothing is
        added while it is empty.
    """

    def __init__(self, truth: Truth, path: Path, on_disk: bytes) -> None:
        self.path = path
        self.labels = truth.labels
        self.recovered = ""
        self.used_by = ""
        self.left: LeftSteps | None = None
        self.remark = ""
        self.refused = ""
        self.author = ""
        self._state = digest(on_disk)
        self._as_read = truth if on_disk else None
        self._stamp: Stamp | None = None
        self._journal = Journal(path)
        self._journal.begin(truth.page, on_disk)
        self.document = Document(truth)
        self._writer = JournalWriter(self._journal)
        self.history = History(self.document, self._writer, self._signed)

    @classmethod
    def open(cls, path: Path, page: Page | None = None) -> EditingSession:
        """Open a page's truth file, or start one, and take over what a journal holds.

        Parameters
        ----------
        path : Path
            The truth file.
        page : Page, optional
            What the image says; needed where there is no truth file yet.

        Raises
        ------
        BadInput
            The truth file makes no sense; it and any journal stay as they are.
        """
        on_disk = b"" if is_missing(path) else read_bytes(path)
        session = cls(parsed(on_disk, path, page), path, on_disk)
        session.used_by = user_of(path)
        if on_disk and page:
            session.remark = _other_size(page, page_xml.parse(on_disk, path).page)
        if has_journal(path) and not session.used_by:
            recovery = Recovery(path, on_disk, session.document, session.history, session._journal)
            with session._writer.alone():
                session.recovered = recovery.take_over()
            if recovery.foreign is not None:
                session.left = LeftSteps.of(path, recovery.foreign, digest(on_disk))
        return session

    @property
    def dirty(self) -> bool:
        """True if the truth file lacks something."""
        return self.history.dirty

    @property
    def trouble(self) -> str:
        """Why steps are not in the journal at the moment; empty if they are."""
        return self._writer.trouble

    @property
    def journal(self) -> Path | None:
        """The file that has all steps that the truth file lacks; None if there is none."""
        return self._journal.path

    def changed_text(self, removed: bool) -> str:
        """Say that another program has changed or removed the truth file."""
        return _changed_text(self.path, removed)

    def look(self) -> FileLook:
        """Prepare a check whether another program has changed the truth file."""
        return FileLook(self.path, self._state, self._stamp, self._journal)

    def note(self, look: FileLook, seen: FileState) -> bool:
        """Remember what a look has found; False if the file was written here meanwhile."""
        if look.state != self._state:
            return False
        self._stamp = seen.stamp
        return True

    def reread(self, content: bytes) -> None:
        """Take over what another program wrote: one step, which undo takes back, and is saved.

        Parameters
        ----------
        content : bytes
            Of the truth file.

        Raises
        ------
        BadInput
            It makes no sense; nothing has changed.
        NotSaved
            There are steps that are not saved.
        """
        if self.dirty:
            raise NotSaved(f"{self.path} was not read again: it has unsaved steps")
        truth = parsed(content, self.path, self.document.page)
        self.labels = truth.labels
        self._state, self._stamp = digest(content), None
        self._as_read = truth
        edits = self.document.difference(truth)
        self.document.rebase(truth)
        with self._writer.alone() as journal:
            journal.begin(truth.page, content)
        self.history.take_over("Read changes by another program", edits)

    def take(self, left: LeftSteps) -> str:
        """Apply steps that another user's journal holds; see `LeftSteps.take`."""
        with self._writer.alone() as journal:
            return left.take(self.document, self.history, journal, self._state)

    def prepare(self) -> None:
        """Do beforehand, in any thread, what the first step would wait for."""
        self._journal.prepare_begun()

    def begin_save(self, *, overwrite: bool = False) -> Save:
        """Prepare a save of the page as it is now; ``overwrite`` replaces whatever lies there."""
        return Save(
            self._truth(),
            self.path,
            None if overwrite else self._state,
            self.history.mark,
            self._writer.count,
            self._writer,
            self._bytes_as_read(),
            self.refused,
        )

    def finish_save(self, save: Save, content: bytes) -> None:
        """Take note that the file has been written; steps taken meanwhile stay in the journal."""
        self._state, self._stamp = digest(content), None
        self.history.mark_saved(save.mark)

    def save(self, *, overwrite: bool = False) -> None:
        """Write the truth file now.

        Raises
        ------
        NotSaved
            See `Save.write`; the document stays dirty and its steps stay in the journal.
        """
        save = self.begin_save(overwrite=overwrite)
        self.finish_save(save, save.write())

    def withdraw(self) -> bool:
        """Remove the truth file of a page without regions, as if none had been begun.

        False, and nothing is done, where the page has regions or unsaved steps, another program has
        written the file, or it cannot be removed.
        """
        if self.dirty or len(self.document) or not is_in_state(self.path, self._state):
            return False
        try:
            self.path.unlink(missing_ok=True)
        except OSError:
            return False
        self._state, self._stamp, self._as_read = digest(b""), None, None
        with self._writer.alone() as journal:
            journal.begin(self.document.page, b"")
        return True

    def save_copy(self, path: Path) -> None:
        """Write the truth as it is now somewhere else; the document stays as dirty as it was."""
        page_xml.write(self._truth(), path)

    def save_copy_in(self, folder: Path) -> Path:
        """Write the truth as it is now into a folder, under a name that is free there."""
        content = page_xml.serialise(self._truth(), datetime.now(UTC))
        return write_copy(folder / self.path.name, "copy", content)

    def discard(self) -> None:
        """Give up what no save holds; the session cannot be used after this."""
        with self._writer.alone() as journal:
            journal.begin(self.document.page, b"")

    def close(self) -> None:
        """Let go of the journal; it stays on the disk if there is something in it."""
        with self._writer.alone() as journal:
            journal.release()

    def _signed(self, edits: Sequence[Edit]) -> Sequence[Edit]:
        return sign(edits, self.author, datetime.now(UTC)) if self.author else edits

    def _bytes_as_read(self) -> bytes:
        """Content of the file when it was read, if the page is as it was then; else empty."""
        then, now = self._as_read, self.document.truth
        same = then is not None and (then.page, then.regions) == (now.page, now.regions)
        return then.source if then is not None and same else b""

    def _truth(self) -> Truth:
        """The document's value with the labels that it uses."""
        used = self.document.labels
        labels = LabelSet(tuple(label for label in self.labels if label.name in used))
        return replace(self.document.truth, labels=labels)


def _changed_text(path: Path, removed: bool) -> str:
    done = "removed" if removed else "changed"
    return f"{path} has been {done} by another program; not overwritten"


def _other_size(page: Page, drawn: Page) -> str:
    if (page.width, page.height) == (drawn.width, drawn.height):
        return ""
    return (
        f"The image {page.image.name} is {page.width} × {page.height} px, but its truth was drawn "
        f"on {drawn.width} × {drawn.height} px: regions may be misplaced"
    )
