"""Text files that only ever grow by whole lines, each on the disk before the next is written."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from spotlab.errors import NotSaved, reason
from spotlab.files import is_missing
from spotlab.formats.rows.atomic import write_atomically


class AppendOnlyFile:
    """A file that is open for more lines; close it, or use it in ``with``.

    Whoever inherits calls `_make`, reads what is there, and then `_open`.
    """

    what: ClassVar[str] = "line"  # what a line is called when it could not be saved

    def __init__(self, path: Path | str, header: bytes) -> None:
        self.path = Path(path)
        self._header = header

    def _make(self) -> None:
        """Make the file if it is not there; NotSaved if that fails."""
        if is_missing(self.path) or not self.path.stat().st_size:
            write_atomically(self.path, self._header)

    def _open(self, whole: int, ended: bool) -> None:
        """Open the file and cut off what a crash left of a last line.

        Parameters
        ----------
        whole : int
            So many bytes are whole lines.
        ended : bool
            Whether the last of them has an end.

        Raises
        ------
        NotSaved
            It cannot be written.
        """
        try:
            self._handle = os.open(self.path, os.O_RDWR | os.O_APPEND)
            if os.fstat(self._handle).st_size > whole:
                os.ftruncate(self._handle, whole)
            if not whole:
                self._write(self._header)
            elif not ended:
                self._write(b"\n")
        except OSError as error:
            raise NotSaved(f"{self.path} cannot be written: {reason(error)}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; nothing is left to write."""
        os.close(self._handle)

    def _write(self, line: bytes) -> None:
        """Have a line on the disk; where that fails, NotSaved and the file as it was."""
        before = os.fstat(self._handle).st_size
        try:
            if os.write(self._handle, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._handle)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, before)
            problem = f"the {self.what} was not saved: {reason(error)}"
            raise NotSaved(f"{self.path}: {problem}") from error
