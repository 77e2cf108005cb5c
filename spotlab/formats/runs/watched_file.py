"""Decides when the changed file of a run is to be read again: when nobody writes it any more."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from spotlab.formats.runs.file_state import FileState

QUIET = 0.2  # seconds without a change before a file is read
PATIENCE = 1.5  # seconds after which what is wrong is said, and a shorter file is believed


class Step(Enum):
    """What is to be done about a file."""

    WAIT = "wait"
    READ = "read"
    READ_PATIENTLY = "read patiently"
    TELL = "tell"


@dataclass
class WatchedFile:
    """One run's file or folder, as it was at each look.

    Attributes
    ----------
    path : Path
    read : FileState
        Of the reading that is shown.
    problem : str
        Why what is there now cannot be used; empty as long as nothing is known.
    """

    path: Path
    read: FileState
    problem: str = ""
    _seen: FileState = ()
    _since: float = field(default=-1.0)
    _tried: int = 0  # times that this state was read
    _told: bool = False

    def look(self, now: float, state: FileState, being_written: bool) -> Step:
        """Take note of how the file is now, and say what is to be done.

        Parameters
        ----------
        now : float
            Time in seconds, of any clock that does not go back.
        state : FileState
            Empty where the file is gone.
        being_written : bool
            Whether a process has it open for writing.
        """
        if state == self.read:
            self._forget()
            return Step.WAIT
        if state != self._seen or self._since < 0:
            self._forget()
            self._seen, self._since = state, now
            return Step.WAIT
        still = now - self._since
        if not state or being_written:
            self.problem = "it is still being written" if state else "it is gone"
            return self._tell(still)
        waits = (QUIET, PATIENCE)
        if self._tried == len(waits):
            return self._tell(still)
        if still < waits[self._tried]:
            return Step.WAIT
        self._tried += 1
        return Step.READ if self._tried == 1 else Step.READ_PATIENTLY

    def refuse(self, problem: str) -> None:
        """What was read cannot be used."""
        self.problem = problem

    def _tell(self, still: float) -> Step:
        if self._told or still < PATIENCE or not self.problem:
            return Step.WAIT
        self._told = True
        return Step.TELL

    def _forget(self) -> None:
        self._seen, self._since, self._tried, self._told, self.problem = (), -1.0, 0, False, ""
