"""An append-only file that holds every step since the last save, whatever happens to the program.

`journal_lines` says what stands in it, `journal_file` where it lies. How safe a step is:

- It has been handed to the system before it is shown, so that it outlives the program. Where the
  place beside the truth file refuses, the user's state folder takes the whole journal.
- It is on the disk, power cuts included, at most `SYNC_AFTER` seconds and one ``fsync`` later; that
  is done in a thread, so that no stroke waits for the disk.
- Before a truth file is replaced, the journal with all its steps is on the disk; the journal goes
  when the new truth file is on the disk, and its name in the folder.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence, Set
from pathlib import Path

from spotlab.editing.bulk_edits import MANY
from spotlab.editing.history import Kind, Step
from spotlab.editing.journal_file import (
    InUse,
    JournalFile,
    has_journal,
    is_in_use,
    journal_path,
    journal_paths,
)
from spotlab.editing.journal_lines import (
    Recorded,
    RecordedStep,
    digest,
    header_line,
    parse_journal,
    saving_line,
    step_line,
)
from spotlab.editing.prepared_outlines import PreparedOutlines
from spotlab.errors import NotSaved, reason
from spotlab.files import read_file
from spotlab.model import Page, Region

__all__ = [
    "InUse", "Journal", "Recorded", "digest", "has_journal", "is_in_use", "journal_path",
    "read_journal",
]  # fmt: skip

SYNC_AFTER = 0.5  # seconds from a step until it begins to be made durable


class Journal:
    """Writes a page's steps; the file exists only while there are some that no save holds.

    What can be written nowhere is kept and written before the next record; ``trouble`` says why,
    and is empty otherwise. Safe to be called from several threads.
    """

    def __init__(self, truth_path: Path) -> None:
        self.trouble = ""
        self.count = 0  # steps since `begin`
        beside, in_state_folder = journal_paths(truth_path)
        name = truth_path.name
        self._places = [
            JournalFile(beside, name),
            JournalFile(in_state_folder, name, own_folder=True),
        ]
        self._begun: tuple[Page, bytes] | None = None
        self._prepared: tuple[Page, bytes, bytearray] | None = None
        self._outlines = PreparedOutlines()
        self._content = bytearray()  # of the whole journal: another place may have to take it
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None

    @property
    def path(self) -> Path | None:
        """Where the steps are; None while there are none, or they could be written nowhere."""
        with self._lock:
            whole = [place for place in self._places if place.is_open and self._holds(place)]
            return whole[0].path if whole and self._content else None

    def begin(self, page: Page, source: bytes) -> None:
        """Start over on the truth file with this content; the old journal goes."""
        with self._lock:
            for place in self._places:
                place.remove()
            self._reset()
            self._begun = (page, source)

    def prepare_begun(self, regions: Sequence[Region]) -> None:
        """Do for the journal that was begun what the first step would wait for; see `prepare`."""
        if self._begun:
            self.prepare(*self._begun, regions)

    def prepare(self, page: Page, source: bytes, regions: Sequence[Region]) -> None:
        """Do beforehand, in any thread, what steps on this content would wait for.

        Parameters
        ----------
        page : Page
        source : bytes
            The content of the truth file; the first line of a journal on it is made.
        regions : sequence of Region
            Those of the page, in their order; many of them may go in one step.
        """
        self._prepared = page, source, header_line(page, source)
        self._outlines = PreparedOutlines(regions if len(regions) >= MANY else ())

    def record(self, kind: Kind, step: Step) -> None:
        """Append a step and hand it to the system, so that it outlives this process.

        Raises
        ------
        InUse
            Another window is editing the page.
        """
        with self._lock:
            line = step_line(RecordedStep(self.count + 1, kind, step), self._outlines)
            before = len(self._content)
            if self._begun:
                self._content += self._header(*self._begun)
            self._content += line
            try:
                self._write()
            except InUse:
                del self._content[before:]
                raise
            self._begun = None
            self.count += 1

    def announce(self, state: str, steps: int) -> None:
        """Append that the truth file is about to become this; on the disk before this returns."""
        with self._lock:
            if self._content:
                self._content += saving_line(state, steps)
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
            self._drop_superseded()

    def rewrite(self, page: Page, source: bytes, steps: Sequence[tuple[Kind, Step]]) -> None:
        """Begin a new journal with these steps."""
        with self._lock:
            self._begun = (page, source)
            self.count = len(steps)
            if steps:
                numbered = [RecordedStep(n, *step) for n, step in enumerate(steps, 1)]
                lines = [header_line(page, source), *map(step_line, numbered)]
                self._content = bytearray(b"".join(lines))
                self._begun = None
                self._write()
            if not self.trouble:
                self._drop_superseded()

    def supersede(self, paths: Set[Path]) -> None:
        """What lies in these places goes as soon as its steps are elsewhere."""
        for place in self._places:
            place.superseded = place.path in paths

    def avoid(self, path: Path) -> None:
        """Leave what lies there alone and write elsewhere."""
        self._place(path).blocked = True

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
        for place in self._places:
            if place.superseded:
                place.remove()

    def _header(self, page: Page, source: bytes) -> bytearray:
        if self._prepared is not None:
            of, content, line = self._prepared
            if content is source and of == page:
                return line
        return header_line(page, source)

    def _reset(self) -> None:
        self._begun = None
        self._content = bytearray()
        self.count = 0
        self.trouble = ""

    def _write(self) -> None:
        """Write what is missing in the place that was used last, or else all in another one."""
        refused = ""
        for place in tuple(self._places):
            try:
                place.write(self._content)
            except (OSError, NotSaved) as error:
                why = reason(error) if isinstance(error, OSError) else str(error)
                refused = refused or f"{place.path} cannot be written: {why}"
                continue
            self._prefer(place)
            self.trouble = ""
            self._sync_soon()
            return
        self.trouble = refused

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
    """What the journal holds.

    Raises
    ------
    OSError
        It cannot be read: it is missing, a folder, …
    """
    return parse_journal(read_file(path))
