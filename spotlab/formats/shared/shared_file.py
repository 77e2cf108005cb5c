"""A file that several programs change at the same time without losing what another one wrote.

A `SharedFile` knows what it has read last, the base, and what its user made of it since. To write
is to lock the file, to read it again, to merge both sides' changes since the base, and to put the
result in the file's place, or to append to it; directly before, the file is looked at once more.
What could not be written stays to be written, and is kept in the user's state folder meanwhile, so
that neither a kill nor a full disk loses it. What is damaged is kept under another name.

Its functions that touch the disk may run in any thread.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar

from spotlab.errors import BadInput, NotSaved, SpotlabError, reason
from spotlab.files import is_folder, is_missing, read_file
from spotlab.formats.rows.files import (
    is_stream,
    keep_damaged,
    lock,
    sync_folder,
    unlock,
    write_atomically,
)
from spotlab.formats.shared.checked_json import UnsavedChanges
from spotlab.interruption import undisturbed
from spotlab.trust import own_file

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True)
class Conflict:
    """A value that both sides have changed.

    Attributes
    ----------
    keys : tuple
        Its key, after those of the mappings that it lies in.
    mine, theirs : object
        What the sides made of it; None where a side removed it.
    """

    keys: tuple[Any, ...]
    mine: Any
    theirs: Any


@dataclass(frozen=True)
class Merged(Generic[Value]):
    """Result of a merge.

    Attributes
    ----------
    value : object
    remarks : tuple of str
        What a person has to know: sentences without a full stop.
    """

    value: Value
    remarks: tuple[str, ...] = ()


_GONE: Any = object()


def merge_mappings(
    base: Mapping[Key, Any],
    mine: Mapping[Key, Any],
    theirs: Mapping[Key, Any],
    merge_value: Callable[[Any, Any, Any], Any] | None = None,
) -> tuple[dict[Key, Any], list[Conflict]]:
    """Merge two mappings that come from the same one.

    Parameters
    ----------
    base, mine, theirs : mapping
        What both sides began with, and what they made of it.
    merge_value : callable, optional
        Given base, mine and theirs of a value that both sides have; gives the merged one, or None
        where it cannot merge them.

    Returns
    -------
    merged : dict
        In my order; keys that only the other side has come before those that only I have.
    conflicts : list of Conflict

    Examples
    --------
    >>> base = {"a": 1, "b": {"x": 1}}
    >>> mine = {"a": 2, "b": {"x": 1, "y": 1}}
    >>> theirs = {"a": 3, "b": {"x": 2}, "c": 1}
    >>> merged, conflicts = merge_mappings(base, mine, theirs)
    >>> merged
    {'a': 2, 'b': {'x': 2, 'y': 1}, 'c': 1}
    >>> conflicts
    [Conflict(keys=('a',), mine=2, theirs=3)]
    """
    if mine == base:
        return dict(theirs), []
    if theirs == base:
        return dict(mine), []
    old = [key for key in mine if key in base or key in theirs]
    new = [key for key in mine if key not in base and key not in theirs]
    merged: dict[Key, Any] = {}
    conflicts: list[Conflict] = []
    for key in (*old, *(key for key in theirs if key not in mine), *new):
        values = tuple(side.get(key, _GONE) for side in (base, mine, theirs))
        value, inner = _merge_value(key, values, merge_value)
        if value is not _GONE:
            merged[key] = value
        conflicts += inner
    return merged, conflicts


def _merge_value(
    key: Hashable, values: tuple[Any, Any, Any], merge_value: Callable[[Any, Any, Any], Any] | None
) -> tuple[Any, list[Conflict]]:
    base, mine, theirs = values
    if mine is theirs or _same(mine, theirs) or _same(theirs, base):
        return mine, []
    if _same(mine, base):
        return theirs, []
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        began = base if isinstance(base, Mapping) else {}
        merged, inner = merge_mappings(began, mine, theirs, merge_value)
        return merged, [Conflict((key, *each.keys), each.mine, each.theirs) for each in inner]
    if merge_value is not None and mine is not _GONE and theirs is not _GONE:
        merged = merge_value(None if base is _GONE else base, mine, theirs)
        if merged is not None:
            return merged, []
    conflict = Conflict((key,), *(None if side is _GONE else side for side in (mine, theirs)))
    return theirs if mine is _GONE else mine, [conflict]


def _same(one: Any, other: Any) -> bool:
    if one is _GONE or other is _GONE:
        return one is other
    return bool(one == other) and type(one) is type(other)  # 1 is not True


def merge_lists(
    base: Sequence[Value], mine: Sequence[Value], theirs: Sequence[Value]
) -> list[Value]:
    """Merge two lists of different values that come from the same one.

    Parameters
    ----------
    base, mine, theirs : sequence
        What both sides began with, and what they made of it.

    Returns
    -------
    list
        What either side added and neither removed. Whoever changed the order decides about it, I
        if both did; what only the other side added follows what I have.

    Examples
    --------
    >>> merge_lists(["a", "b"], ["c", "a", "b"], ["b", "d"])
    ['c', 'b', 'd']
    >>> merge_lists(["a", "b"], ["a", "b", "c"], ["b", "a"])
    ['b', 'a', 'c']
    """
    if list(mine) == list(base):
        return list(theirs)
    if list(theirs) == list(base):
        return list(mine)
    kept = [value for value in mine if value in theirs or value not in base]
    added = [value for value in theirs if value not in mine and value not in base]
    common = [value for value in mine if value in base and value in theirs]
    if common == [value for value in base if value in mine and value in theirs]:
        ordered = iter([value for value in theirs if value in common])
        kept = [next(ordered) if value in common else value for value in kept]
    return [*kept, *added]


PATIENCE = 10.0  # seconds that another program may hold the file
SETTLED = 2_000_000_000  # ns after which another change gives another time on every file system
_TRIES = 50  # times that another program may write between reading and writing
_FLAGS = (
    os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
)
Stamp = tuple[int, int, int, int, int]


@dataclass(frozen=True)
class Read(Generic[Value]):
    """Content read from a file.

    Attributes
    ----------
    value : object
    problems : tuple of str
        What was left out, and why; the file is damaged if there are any.
    """

    value: Value
    problems: tuple[str, ...] = ()


class Form(Protocol[Value]):
    """Serialisation of values in a file, and merging of changes from two sides."""

    def empty(self) -> Value:
        """The value of a file that is not there."""

    def read(self, content: bytes, path: Path) -> Read[Value]:
        """Read what a file says; `BadInput` where it is a file of somebody else's."""

    def merge(self, base: Value, mine: Value, theirs: Value) -> Merged[Value]:
        """Merge what two sides made of a value."""

    def write(self, value: Value, content: bytes, old: Value) -> bytes:
        """The new content of a file that has this content, which says ``old``.

        What begins with the old content is appended to the file.
        """


class _Changed(Exception):
    """Another program has written the file between reading and writing."""


class SharedFile(Generic[Value]):
    """A value in a file that others may change, too.

    Parameters
    ----------
    path : Path
    form : Form
        How the value stands in the file.
    makes_folder : bool
        Whether the file's folder is made if it is not there.
    beside_data : bool
        Whether the file lies in a folder that may be a stranger's: a link in its place that leads
        out of the folder is then not written to.

    Attributes
    ----------
    path : Path
    """

    def __init__(
        self,
        path: Path,
        form: Form[Value],
        *,
        makes_folder: bool = False,
        beside_data: bool = False,
    ) -> None:
        self.path = path
        self._beside_data = beside_data
        self._form = form
        self._makes_folder = makes_folder
        self._disk = Lock()  # held while the file is read or written
        self._memory = Lock()  # held for a moment
        self._base = self._value = form.empty()
        self._is_pending = False
        self._stamp: Stamp | None = None  # of the file that says the base; None: not known
        self._unsaved = UnsavedChanges(path)
        self._is_damaged = False
        self._told: set[str] = set()

    @property
    def value(self) -> Value:
        """Return what counts here: what was read, and all changes since."""
        return self._value

    @property
    def is_pending(self) -> bool:
        """Tell whether the file lacks a change."""
        return self._is_pending

    @property
    def is_safe(self) -> bool:
        """Tell whether no change would be lost by a kill: it is in the file or in the state
        folder.
        """
        return not self._is_pending or self._unsaved.holds(self._value)

    def set(self, value: Value, since: Value) -> None:
        """Change the value; `write` brings it to the file.

        Parameters
        ----------
        value : object
            The new value.
        since : object
            The one that it was made from, which another thread may have replaced meanwhile.
        """
        with self._memory:
            is_newest = self._value is since
            self._value = value if is_newest else self._form.merge(since, value, self._value).value
            self._is_pending = self._value != self._base

    def look(self) -> tuple[str, ...]:
        """Read the file if it has changed, and merge what it says into the value.

        Returns
        -------
        tuple of str
            What a person has to know.

        Raises
        ------
        BadInput
            It cannot be read, or is a file of somebody else's; the value stays.
        """
        with self._disk:
            stamp = _stamp(self.path)
            if stamp == self._stamp if stamp is not None else not is_folder(self.path.parent):
                return ()  # a folder that is away comes back
            try:
                content = read_file(self.path) if stamp is not None else b""
            except FileNotFoundError:
                content = b""
            except OSError as error:
                raise BadInput(self.path, f"cannot be read: {reason(error)}") from error
            remarks = self._take(content)
            settled = stamp is not None and time.time_ns() - stamp[0] > SETTLED
            self._stamp = stamp if settled else None
            return remarks

    def take_over(self) -> tuple[str, ...]:
        """Look at the file, and have what a killed program could not write.

        Returns
        -------
        tuple of str
            What a person has to know.

        Raises
        ------
        BadInput
            See `look`.
        """
        remarks = self.look()
        with self._disk:
            for before, after in self._unsaved.take_over():
                try:
                    base, mine = (self._form.read(each, self.path) for each in (before, after))
                except SpotlabError:
                    continue  # of another version
                with self._memory:
                    merged = self._form.merge(base.value, mine.value, self._value)
                    self._value = merged.value
                    self._is_pending = self._value != self._base
                remarks += merged.remarks
        return remarks

    def write(self) -> tuple[str, ...]:
        """Bring all changes to the file, with those that others have made there.

        Returns
        -------
        tuple of str
            What a person has to know.

        Raises
        ------
        NotSaved
            They could not be written; they stay to be written.
        BadInput
            There is a file of somebody else's, which is left as it is.
        """
        remarks: tuple[str, ...] = ()
        with self._disk:
            while self._is_pending:  # it may be changed while it is being written
                try:
                    remarks += self._write_patiently()
                except SpotlabError:
                    self._keep_unsaved()
                    raise
            self._unsaved.remove()
        return remarks

    def _keep_unsaved(self) -> None:
        with self._memory:
            base, value = self._base, self._value
        empty = self._form.empty()
        before, after = (self._form.write(each, b"", empty) for each in (base, value))
        self._unsaved.keep(before, after, value)

    def _write_patiently(self) -> tuple[str, ...]:
        if self._beside_data:
            own_file(self.path)
        if is_stream(self.path):
            value = self._value
            write_atomically(self.path, self._form.write(value, b"", self._form.empty()))
            self._written(value, value)
            return ()
        remarks: list[str] = []
        for _ in range(_TRIES):
            try:
                self._write_once(remarks)
                return tuple(remarks)
            except _Changed:
                continue
        raise NotSaved(f"{self.path} was not saved: another program writes it all the time")

    @undisturbed
    def _write_once(self, remarks: list[str]) -> None:
        target = Path(os.path.realpath(self.path))
        with _locked(target, self.path, self._makes_folder) as (handle, is_new):
            try:
                content = _read_all(handle, self.path)
                seen = os.fstat(handle)
                remarks += self._take(content)
                with self._memory:
                    theirs, mine = self._base, self._value
                if mine != theirs or not content:
                    new = self._content(target, content, mine, theirs)
                    self._put(target, handle, content, new, seen)
            except (SpotlabError, _Changed):
                if is_new:
                    _remove_empty(target, handle)
                raise
            self._written(mine, mine)

    def _content(self, target: Path, content: bytes, mine: Value, theirs: Value) -> bytes:
        """Return what the file is to hold instead of this content.

        What is damaged is kept elsewhere.
        """
        if not self._is_damaged:
            return self._form.write(mine, content, theirs)
        if not keep_damaged(target):
            problem = "it is damaged, and no copy of it can be kept"
            raise NotSaved(f"{self.path} was not saved: {problem}")
        return self._form.write(mine, b"", self._form.empty())

    def _put(
        self, target: Path, handle: int, content: bytes, new: bytes, seen: os.stat_result
    ) -> None:
        """Append to the locked file, or replace it."""

        def check() -> None:
            with suppress(OSError):
                now = os.stat(target)
                both = ((each.st_ino, each.st_size, each.st_mtime_ns) for each in (now, seen))
                if next(both) == next(both):
                    return
            raise _Changed

        if not content or not new.startswith(content):
            write_atomically(self.path, new, check)
            return
        check()
        try:
            rest = new[len(content) :]
            if os.write(handle, rest) < len(rest):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(handle)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(handle, len(content))  # it is locked: nobody has written since
            raise NotSaved(f"{self.path} was not saved: {reason(error)}") from error

    def _take(self, content: bytes) -> tuple[str, ...]:
        """Merge what the file says now into the value, and have it as the base."""
        form, base = self._form, self._base
        if content:
            read = form.read(content, self.path)
            # what a damaged file lacks, nobody has removed
            theirs = form.merge(form.empty(), read.value, base).value if read.problems else None
        else:
            read, theirs = Read(form.empty()), None
        self._is_damaged = bool(read.problems)
        with self._memory:
            if theirs is None:
                theirs = read.value
            # nor has anybody removed what was in a file that is gone or empty
            began = base if content else form.empty()
            merged = form.merge(began, self._value, theirs)
            self._base = read.value
            self._value = merged.value
            self._is_pending = merged.value != read.value
        new = [each for each in (*read.problems, *merged.remarks) if each not in self._told]
        self._told.update(read.problems)
        return tuple(new)

    def _written(self, written: Value, base: Value) -> None:
        with self._memory:
            self._base = base
            self._is_pending = self._value is not written and self._value != base
        self._stamp = None


@contextmanager
def _locked(target: Path, path: Path, makes_folder: bool) -> Iterator[tuple[int, bool]]:
    """Hold the file, which is made if it is not there; gives its handle and whether it was made."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            is_new = is_missing(target)
            if not is_new and not os.access(target, os.W_OK):
                raise PermissionError(errno.EACCES, "Permission denied")
            if is_new and makes_folder:
                target.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(target, _FLAGS, 0o666)
        except OSError as error:
            raise NotSaved(f"{path} was not saved: {reason(error)}") from error
        try:
            if lock(handle):
                if _is_at(handle, target):
                    if is_new:
                        sync_folder(target.parent)
                    yield handle, is_new
                    return
            elif time.monotonic() > end:
                raise NotSaved(f"{path} was not saved: another program keeps it locked")
        finally:
            unlock(handle)
            os.close(handle)
        time.sleep(0.002)


def _is_at(handle: int, target: Path) -> bool:
    """Tell whether the open file is still the one of this name."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(target))
    except OSError:
        return False


def _read_all(handle: int, path: Path) -> bytes:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        with os.fdopen(os.dup(handle), "rb") as file:
            return file.read()
    except OSError as error:
        raise NotSaved(f"{path} was not saved: it cannot be read: {reason(error)}") from error


def _remove_empty(target: Path, handle: int) -> None:
    """Remove the file that was made to be locked, where nothing could be written to it."""
    with suppress(OSError):
        if not os.fstat(handle).st_size and _is_at(handle, target):
            os.unlink(target)


def _stamp(path: Path) -> Stamp | None:
    try:
        return _identity(os.stat(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error


def _identity(status: os.stat_result) -> Stamp:
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev)
