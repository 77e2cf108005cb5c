"""An append-only file beside the truth file that holds every step since the last save.

One JSON value a line. The first line, the header, names the state of the truth file on which the
steps stand and carries that file's content, so that nothing depends on other programs::

    {"spotlab": 1, "base": sha256, "page": {…}, "source": base64 of zlib of the truth file}
    {"do": "Draw sofa", "edits": [{"insert": {…}, "at": 3}]}
    {"undo": "Draw sofa", "edits": [{"remove": {…}, "at": 3}]}
    {"saving": sha256, "steps": 2}

``saving`` comes before the truth file is replaced and says how many steps will be in it: whichever
of the two states the file is found in after a kill, the journal knows what it lacks. A last line
without its end, from a kill in the middle of a write, does not count.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import threading
import zlib
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from spotlab.editing.document import Edit, Insert, Remove, Replace
from spotlab.editing.history import Kind, Step
from spotlab.errors import SpotlabError, reason
from spotlab.model import Page, Primitive, Region

try:
    import fcntl
except ImportError:  # pragma: no cover  Windows has no advisory locks
    fcntl = None  # type: ignore[assignment]

VERSION = 1


class InUse(SpotlabError):
    """Another window is editing the page."""


def digest(source: bytes) -> str:
    """Names the state of a truth file; an empty one stands for no file."""
    return hashlib.sha256(source).hexdigest()


def journal_path(truth_path: Path) -> Path:
    """The journal of a truth file lies beside it."""
    return truth_path.with_name(truth_path.name + ".journal")


@dataclass(frozen=True)
class Recorded:
    """What a journal holds.

    Attributes
    ----------
    base : str
        The digest of the truth file on which the steps stand.
    page : Page
        The page, as it was then.
    source : bytes
        The truth file's content; empty where there was none.
    steps : tuple of (kind, Step)
        In the order in which they were taken.
    saves : tuple of (str, int)
        Digests of the truth files that were to be written, with how many steps each holds.
    """

    base: str
    page: Page
    source: bytes
    steps: tuple[tuple[Kind, Step], ...] = ()
    saves: tuple[tuple[str, int], ...] = ()

    def steps_after(self, state: str) -> tuple[tuple[Kind, Step], ...] | None:
        """The steps that a truth file in this state lacks; None if the journal never knew it."""
        known = dict(((self.base, 0), *self.saves))
        return self.steps[known[state] :] if state in known else None


class Journal:
    """Writes a page's steps; the file exists only while there are some that no save holds.

    What cannot be written (a full disk) is kept and written before the next record; ``trouble``
    says why, and is empty otherwise. Safe to be called from two threads.
    """

    def __init__(self, truth_path: Path) -> None:
        self.path = journal_path(truth_path)
        self.trouble = ""
        self.count = 0  # steps since `begin`
        self._base: tuple[Page, bytes] | None = None
        self._handle: int | None = None
        self._size = 0
        self._pending = b""
        self._lock = threading.RLock()

    def begin(self, page: Page, source: bytes) -> None:
        """Start over on the truth file with this content; the old journal goes."""
        with self._lock:
            had = self._handle is not None
            self.release()
            self._base = (page, source)
            if had:
                with contextlib.suppress(OSError):
                    self.path.unlink()

    def record(self, kind: Kind, step: Step) -> None:
        """Append a step and hand it to the system, so that it outlives this process.

        Raises
        ------
        InUse
            Another window is editing the page.
        """
        edits = [_edit_as_json(edit) for edit in step.edits]
        with self._lock:
            self._append(_line({kind: step.name, "edits": edits}))
            self.count += 1

    def announce(self, state: str, steps: int) -> None:
        """Append that the truth file is about to become this; on the disk before this returns."""
        with self._lock:
            if self._handle is not None:
                self._append(_line({"saving": state, "steps": steps}))
                with contextlib.suppress(OSError):
                    os.fsync(self._handle)

    def resume(self, recorded: Recorded, kept: int) -> None:
        """Go on appending to the file that is there, after its first ``kept`` bytes."""
        self._open()
        self._base = None
        self.count = len(recorded.steps)
        self._size = kept

    def release(self) -> None:
        """Close the file and leave it where it is."""
        with self._lock:
            if self._handle is not None:
                os.close(self._handle)
            self._handle = None
            self._size = self.count = 0
            self._pending = b""
            self.trouble = ""

    def _append(self, line: bytes) -> None:
        if self._base is not None:
            self._pending = _header(*self._base)
            self._base = None
        self._pending += line
        try:
            if self._handle is None:
                self._open()
            assert self._handle is not None
            os.ftruncate(self._handle, self._size)  # what a full disk cut off goes
            os.lseek(self._handle, self._size, os.SEEK_SET)
            written = 0
            while written < len(self._pending):
                written += os.write(self._handle, self._pending[written:])
        except OSError as error:
            self.trouble = f"{self.path} cannot be written: {reason(error)}"
            return
        self._size += len(self._pending)
        self._pending = b""
        self.trouble = ""

    def _open(self) -> None:
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        if not _lock(handle):
            os.close(handle)
            raise InUse(f"{self.path.stem} is being edited in another window")
        self._handle = handle
        self._size = 0


def _lock(handle: int) -> bool:
    """Take the file for this process; False only where another one has it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


def is_in_use(truth_path: Path) -> bool:
    """Whether a living process, or another session of this one, holds the page's journal."""
    try:
        handle = os.open(journal_path(truth_path), os.O_RDWR)
    except OSError:
        return False
    try:
        return not _lock(handle)
    finally:
        os.close(handle)


def read_journal(path: Path) -> tuple[Recorded | None, int]:
    """What the journal holds and how many of its bytes make sense; None without a whole header.

    Reading stops at the first line that is torn or makes no sense: what stands before it counts.
    """
    try:
        content = path.read_bytes()
    except OSError:
        return None, 0
    recorded: Recorded | None = None
    steps: list[tuple[Kind, Step]] = []
    saves: list[tuple[str, int]] = []
    kept = 0
    for line in content.split(b"\n")[:-1]:
        try:
            value = json.loads(line)
            if recorded is None:
                recorded = _header_from_json(value)
            elif "saving" in value:
                saves.append((str(value["saving"]), int(value["steps"])))
            else:
                steps.append(_step_from_json(value))
        except (ValueError, LookupError, TypeError, AttributeError, StopIteration, zlib.error):
            break
        kept += len(line) + 1
    if recorded is None:
        return None, 0
    return replace(recorded, steps=tuple(steps), saves=tuple(saves)), kept


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _header(page: Page, source: bytes) -> bytes:
    return _line(
        {
            "spotlab": VERSION,
            "base": digest(source),
            "page": _page_as_json(page),
            "source": base64.b64encode(zlib.compress(source, 1)).decode(),
        }
    )


def _header_from_json(value: dict[str, Any]) -> Recorded:
    if value["spotlab"] != VERSION:
        raise ValueError(f"journal version {value['spotlab']}")
    source = zlib.decompress(base64.b64decode(value["source"]))
    return Recorded(value["base"], _page_from_json(value["page"]), source)


def _step_from_json(value: dict[str, Any]) -> tuple[Kind, Step]:
    kinds: tuple[Kind, ...] = ("do", "merge", "undo", "redo")
    kind = next(kind for kind in kinds if kind in value)
    return kind, Step(value[kind], tuple(_edit_from_json(edit) for edit in value["edits"]))


def _edit_as_json(edit: Edit) -> dict[str, Any]:
    match edit:
        case Insert(region, index):
            return {"insert": _region_as_json(region), "at": index}
        case Remove(region, index):
            return {"remove": _region_as_json(region), "at": index}
        case Replace(Page() as before, Page() as after):
            return {"page": _page_as_json(before), "by": _page_as_json(after)}
        case Replace(Region() as before, Region() as after):
            return {"replace": _region_as_json(before), "by": _region_as_json(after)}
    raise TypeError(f"{edit!r} is not an edit")


def _edit_from_json(value: dict[str, Any]) -> Edit:
    if "insert" in value:
        return Insert(_region_from_json(value["insert"]), value["at"])
    if "remove" in value:
        return Remove(_region_from_json(value["remove"]), value["at"])
    if "page" in value:
        return Replace(_page_from_json(value["page"]), _page_from_json(value["by"]))
    return Replace(_region_from_json(value["replace"]), _region_from_json(value["by"]))


def _region_as_json(region: Region) -> dict[str, Any]:
    return asdict(region)


def _region_from_json(value: dict[str, Any]) -> Region:
    points = tuple((float(x), float(y)) for x, y in value["points"])
    return Region(**{**value, "points": points, "primitive": Primitive(value["primitive"])})


def _page_as_json(page: Page) -> dict[str, Any]:
    return {**asdict(page), "image": str(page.image)}


def _page_from_json(value: dict[str, Any]) -> Page:
    return Page(**{**value, "image": Path(value["image"])})
