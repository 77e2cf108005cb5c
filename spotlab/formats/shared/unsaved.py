"""Keeps changes that could not be written to a file in the user's state folder until they are.

Each program keeps its own under a name of its own and holds a lock on it: one that nobody holds was
left by a kill, and the next program that opens the file takes it over.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import secrets
from pathlib import Path

from platformdirs import user_state_path

from spotlab.files import exists, read_file
from spotlab.formats.rows.files import lock, unlock

_SUFFIX = ".json"


class UnsavedChanges:
    """Changes that a program could not write to one file.

    Parameters
    ----------
    path : Path
        The file that lacks the changes.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: Path | None = None
        self._handle: int | None = None
        self._value: object = None
        self._taken: list[tuple[Path, int]] = []  # of killed programs, held by this one

    def holds(self, value: object) -> bool:
        """Tell whether this value was kept last."""
        return self._file is not None and (self._value is value or self._value == value)

    def keep(self, before: bytes, after: bytes, of: object) -> None:
        """Keep a change instead of what was kept before, if that is possible.

        Parameters
        ----------
        before, after : bytes
            Content of the file without and with the change.
        of : object
            The value that ``after`` says; see `holds`.
        """
        texts = [base64.b64encode(each).decode() for each in (before, after)]
        path = os.fsencode(os.path.realpath(self._path))
        kept = {"path": os.fsdecode(path), "before": texts[0], "after": texts[1]}
        content = json.dumps(kept).encode()
        file = self._file or _folder() / f"{_digest(self._path)}-{secrets.token_hex(6)}{_SUFFIX}"
        temporary = file.with_suffix(".tmp")
        handle = None
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            lock(handle)
            with os.fdopen(os.dup(handle), "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(handle)
            os.replace(temporary, file)
        except OSError:
            if handle is not None:
                os.close(handle)
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            return
        if self._handle is not None:
            os.close(self._handle)
        self._file, self._handle, self._value = file, handle, of
        self._remove_taken()

    def remove(self) -> None:
        """Keep nothing any more: all is written."""
        self._remove_taken()
        if self._file is not None and self._handle is not None:
            _remove(self._file, self._handle)
        self._file = self._handle = self._value = None

    def take_over(self) -> list[tuple[bytes, bytes]]:
        """Return what killed programs have kept, before and after.

        It stays until `keep` or `remove`.
        """
        found = []
        with contextlib.suppress(OSError):
            for file in sorted(_folder().glob(f"{_digest(self._path)}-*{_SUFFIX}")):
                if file == self._file or any(file == other for other, _ in self._taken):
                    continue
                handle = _hold(file)
                if handle is None:
                    continue
                self._taken.append((file, handle))
                with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                    kept = json.loads(read_file(file))
                    both = (base64.b64decode(kept[name]) for name in ("before", "after"))
                    found.append((next(both), next(both)))
        return found

    def _remove_taken(self) -> None:
        for file, handle in self._taken:
            _remove(file, handle)
        self._taken = []


def _folder() -> Path:
    return user_state_path("spotlab") / "unsaved"


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]


def _hold(file: Path) -> int | None:
    """The open file, if no other program holds it."""
    try:
        handle = os.open(file, os.O_RDWR)
    except OSError:
        return None
    if lock(handle) and exists(file):
        return handle
    os.close(handle)
    return None


def _remove(file: Path, handle: int) -> None:
    """Remove a file that this program holds."""
    if os.name != "nt":  # there it can only be removed when it is closed
        with contextlib.suppress(OSError):
            os.unlink(file)
    unlock(handle)
    os.close(handle)
    with contextlib.suppress(OSError):
        os.unlink(file)
