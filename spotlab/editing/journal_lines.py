"""Lines of a journal: one JSON value each, with a checksum and its writer's signature.

The first line, the header, names the state of the truth file on which the steps stand and carries
that file's content, so that nothing depends on other programs::

    {"spotlab": 1, "lease": {…}, "base": sha256, "page": {…}, "source": base64 of zlib of the file,
     "signed": …, "sum": crc32}
    {"do": "Draw sofa", "edits": [{"insert": {…}, "at": 3}], "n": 1, "signed": …, "sum": crc32}
    {"undo": "Draw sofa", "edits": [{"remove": {…}, "at": 3}], "n": 2, "signed": …, "sum": crc32}
    {"saving": sha256, "steps": 2, "signed": …, "sum": crc32}

``saving`` comes before the truth file is replaced and says how many steps will be in it: whichever
of the two states the file is found in after a kill, the journal knows what it lacks. ``n`` numbers
the steps, so that it is known how many are missing. ``lease`` says which process writes the
journal; the process that goes on with a journal adds a ``saving`` line with a lease of its own.

``signed`` is a keyed digest of what stands before it, with a key that only this user has: a line
that somebody else has written, or added, does not have it. It is in every line, so that a damaged
line takes no other with it.

Every line is read for itself. It counts if its checksum is right for its bytes, or for what was
understood of them (somebody may have changed the line ends, or a newer version knows more fields).
Journals of version 0.5 have neither checksums nor numbers; their lines count if they make sense. A
last line without its end, from a kill in the middle of a write, counts only if it is whole.

A lease tells a journal that a living program writes from one that a killed program left. On one
machine a lock on the file tells it, too. Locks need not reach from one machine to another, and some
file systems have none; the writer therefore renews the file's time every `RENEW_AFTER` seconds for
as long as it has unsaved steps. A lease on another machine counts until the file is `STALE_AFTER`
seconds old. One on this machine counts where there are no locks, as long as its process is there::

    "lease": {"host": "atlas", "boot": "f3c1…", "process": 4711, "time": "2026-11-29T10:00:00Z"}
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import os
import re
import socket
import time
import zlib
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from spotlab import trust
from spotlab.editing.edit_json import (
    edits_as_json,
    edits_from_json,
    encoded,
    natural_number,
    of_type,
    page_as_json,
    page_from_json,
)
from spotlab.editing.history import Kind, Step
from spotlab.formats.rows.files import MAXIMUM_BYTES
from spotlab.model import Page

RENEW_AFTER = 10.0  # seconds
STALE_AFTER = 300.0  # seconds; other machines may see a file's time a minute late
_LONGEST_HOST = 64  # characters of a name that are shown


@dataclass(frozen=True)
class Lease:
    """The writer of a journal.

    Attributes
    ----------
    host : str
        The name of the machine.
    boot : str
        Names the time from one start of the machine to its next; empty where the system has no
        such name.
    process : int
    time : str
        When the lease was written, in UTC.
    """

    host: str
    boot: str
    process: int
    time: str

    @property
    def is_of_this_boot(self) -> bool:
        """True if the writer ran, or runs, on this machine, which has not been restarted since."""
        return self.boot == boot_id() and (bool(self.boot) or self.host == socket.gethostname())

    @property
    def shown_host(self) -> str:
        """The machine's name as it may be shown, whoever wrote it."""
        return "".join(filter(str.isprintable, self.host))[:_LONGEST_HOST] or "another machine"

    def is_alive(self, renewed: float, has_locks: bool, held_here: bool) -> bool:
        """Tell whether the writer goes on writing a journal that nobody has locked.

        Parameters
        ----------
        renewed : float
            When the file was changed, in seconds since 1970.
        has_locks : bool
            Whether a program of this machine that has the file open would have locked it.
        held_here : bool
            Whether this process is writing the file.
        """
        fresh = abs(time.time() - renewed) < STALE_AFTER
        if self.is_of_this_boot:
            if has_locks or not fresh:
                return False
            return held_here if self.process == os.getpid() else _is_running(self.process)
        restarted = self.host == socket.gethostname() and renewed < _booted_at()
        return fresh and not restarted


def own_lease() -> Lease:
    """The lease of this process, made now."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Lease(socket.gethostname(), boot_id(), os.getpid(), now)


def lease_as_json(lease: Lease) -> dict[str, Any]:
    """A lease as a line of a journal has it."""
    return asdict(lease)


def lease_from_json(value: Any) -> Lease | None:
    """The lease that a line has; None where it makes no sense, as in journals of older versions."""
    kinds = {"host": str, "boot": str, "process": int, "time": str}
    if not isinstance(value, dict) or any(
        type(value.get(name)) is not kind for name, kind in kinds.items()
    ):
        return None
    return Lease(**{name: value[name] for name in kinds})


@lru_cache
def boot_id() -> str:
    """Name the time since this machine was started; empty where the system has no such name."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _booted_at() -> float:
    """Tell when this machine was started, in seconds since 1970; 0 where nothing tells it."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return 0.0 if clock is None else time.time() - time.clock_gettime(clock)


def _is_running(process: int) -> bool:
    """Tell whether there is such a process; taken for granted where asking could disturb it."""
    if os.name != "nt" and process > 0:
        with contextlib.suppress(PermissionError, OverflowError):
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                return False
    return True


VERSION = 1
_SUM = re.compile(rb',"sum":"([0-9a-f]{8})"\}')
_LEASE = re.compile(rb'"lease":(\{[^{}]*\})')
_SIGNED = re.compile(rb',"signed":"([0-9a-f]{32})"')
_KINDS: tuple[Kind, ...] = ("do", "merge", "undo", "redo")
_SUM_BYTES = len(b',"sum":"01234567"}')
_SIGNED_BYTES = len(b',"signed":""') + 32
_END_BYTES = _SIGNED_BYTES + _SUM_BYTES + 1
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class _Header(NamedTuple):
    """The first line."""

    base: str
    page: Page
    source: bytes
    lease: Lease | None = None


class _Saving(NamedTuple):
    """The truth file is about to hold so many steps."""

    state: str
    steps: int
    lease: Lease | None = None


@dataclass(frozen=True)
class RecordedStep:
    """A step with its number in the journal, from 1."""

    number: int
    kind: Kind
    step: Step


@dataclass(frozen=True)
class Recorded:
    """The readable part of a journal.

    Attributes
    ----------
    base : str or None
        The digest of the truth file on which the steps stand; None where the header is damaged.
    page : Page or None
        The page, as it was then.
    source : bytes
        The truth file's content; empty where there was none.
    steps : tuple of RecordedStep
        In the order in which they were taken.
    saves : tuple of (str, int)
        Digests of the truth files that were to be written, with how many steps each holds.
    total : int
        How many steps there were, damaged ones included.
    damaged : bool
        Something is not as it was written.
    content : bytes
        What may be appended to; empty if a new journal has to be begun.
    foreign : int
        How many of its readable lines this user's spotlab has not signed.
    lease : Lease or None
        Of the process that wrote it last; None in journals of older versions.
    """

    base: str | None = None
    page: Page | None = None
    source: bytes = b""
    steps: tuple[RecordedStep, ...] = ()
    saves: tuple[tuple[str, int], ...] = ()
    total: int = 0
    damaged: bool = False
    content: bytes = b""
    foreign: int = 0
    lease: Lease | None = None

    def knows(self, state: str) -> bool:
        """Tell whether the truth file was ever in this state, as far as the journal tells."""
        return state in self._states()

    def steps_after(self, state: str) -> tuple[RecordedStep, ...]:
        """The steps that a truth file in this state lacks; all where the state is not known."""
        held = self._states().get(state, 0)
        return tuple(step for step in self.steps if step.number > held)

    def lost_after(self, state: str) -> int:
        """Count the steps that a truth file in this state lacks and that cannot be read."""
        held = self._states().get(state, 0)
        return max(0, self.total - held - len(self.steps_after(state)))

    def _states(self) -> dict[str, int]:
        return dict(((self.base or "", 0), *self.saves))


def digest(source: bytes) -> str:
    """Names the state of a truth file; an empty one stands for no file."""
    return hashlib.sha256(source).hexdigest()


def signing_key() -> bytes:
    """This user's key for the lines of journals; deriving it takes longer than signing a line."""
    return bytes.fromhex(trust.sign("journal", b""))


def header_line(page: Page, source: bytes, key: bytes, lease: Lease) -> bytearray:
    """The first line of a journal on a truth file with this content."""
    return _signed_line(_as_json(_Header(digest(source), page, source, lease)), key)


def step_line(recorded: RecordedStep, key: bytes) -> bytearray:
    """The line of a step."""
    return _signed_line(_as_json(recorded), key)


def saving_line(state: str, steps: int, key: bytes, lease: Lease | None = None) -> bytearray:
    """The line that says that the truth file is about to hold so many steps."""
    return _signed_line(_as_json(_Saving(state, steps, lease)), key)


def parse_journal(content: bytes) -> Recorded:
    """All that can be read of a journal; never raises, whatever it holds."""
    reading = _Reading(signing_key(), damaged=content.startswith(_BYTE_ORDER_MARK))
    *lines, torn = content.removeprefix(_BYTE_ORDER_MARK).split(b"\n")
    for line in lines:
        reading.take(line)
    reading.take_torn(torn)
    appendable = reading.exact and not reading.damaged
    base, page, source, _ = reading.header or (None, None, b"", None)
    return Recorded(
        base,
        page,
        source,
        tuple(reading.steps),
        tuple((each.state, each.steps) for each in reading.saves),
        reading.position,
        reading.damaged,
        content[: len(content) - len(torn)] if appendable else b"",
        reading.foreign,
        reading.lease,
    )


def find_lease(content: bytes) -> Lease | None:
    """The last lease in a journal, found without reading its other lines; None if damaged."""
    at = content.rfind(b'"lease":{')
    match = _LEASE.match(content, at) if at >= 0 else None
    if match is None:
        return None
    end = content.find(b"\n", at)
    line = content[content.rfind(b"\n", 0, at) + 1 : len(content) if end < 0 else end].strip()
    try:
        return lease_from_json(json.loads(match[1])) if _is_whole(line) else None
    except ValueError:
        return None


@dataclass
class _Reading:
    """A journal while it is read."""

    key: bytes
    damaged: bool
    exact: bool = True  # every line has its checksum
    header: _Header | None = None
    steps: list[RecordedStep] = field(default_factory=list)
    saves: list[_Saving] = field(default_factory=list)
    position: int = 0  # the number of the last step, as far as is known
    begun: bool = False
    foreign: int = 0
    lease: Lease | None = None

    def take(self, line: bytes) -> None:
        text = line.strip(b" \t\r")
        self.damaged |= text != line
        said = self._parse(text) if text else None
        first, self.begun = not self.begun, True
        if said is None:
            self.damaged = True
            self.position += bool(text.strip(b"\0")) and not first
        elif isinstance(said, RecordedStep):
            last = self.steps[-1].number if self.steps else 0
            self.position = said.number if said.number > last else self.position + 1
            self.steps.append(RecordedStep(self.position, said.kind, said.step))
        elif isinstance(said, _Header):
            self.header = said
            self.lease = said.lease or self.lease
        else:
            self.saves.append(said)
            self.lease = said.lease or self.lease

    def take_torn(self, line: bytes) -> None:
        """Take the rest behind the last line's end: of a killed write, or of a power cut."""
        if _SUM.search(line):  # all of it was written
            self.take(line)
            self.exact = False
        elif b"\0" in line or (line and not self.begun):
            self.take(line)

    def _parse(self, text: bytes) -> RecordedStep | _Header | _Saving | None:
        try:
            value = json.loads(text)
            given = value.pop("sum", None)
            signature = value.pop("signed", None)
            said = self._understood(value)
            if given is None:
                self.exact = False
                self.damaged |= signature is not None
                own = f',"signed":"{signature}","sum"'.encode()
                self.foreign += own not in _signed_line(_as_json(said), self.key)[-_END_BYTES:]
            elif _is_whole(text):
                self.foreign += not _is_signed(text[:-_SUM_BYTES], self.key)
            else:
                self.damaged = True
                end = f'"{given}"}}\n'.encode()
                if not _signed_line(_as_json(said), self.key).endswith(end):
                    if not _line(_as_json(said), signature).endswith(end):
                        return None
                    self.foreign += 1
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, zlib.error):
            return None
        except RecursionError:
            return None
        return said

    def _understood(self, value: dict[str, Any]) -> RecordedStep | _Header | _Saving:
        if "spotlab" in value:
            self.damaged |= value["spotlab"] != VERSION
            return _header_from_json(value)
        if "saving" in value:
            lease = lease_from_json(value.get("lease"))
            return _Saving(of_type(value["saving"], str), natural_number(value["steps"]), lease)
        [kind] = [kind for kind in _KINDS if kind in value]
        edits = edits_from_json(of_type(value["edits"], list))
        number = natural_number(value.get("n", self.position + 1))
        return RecordedStep(number, kind, Step(of_type(value[kind], str), edits))


def _as_json(said: RecordedStep | _Header | _Saving) -> dict[str, Any]:
    match said:
        case RecordedStep(number, kind, step):
            return {
                kind: step.name,
                "edits": edits_as_json(step.edits, undone=kind == "undo"),
                "n": number,
            }
        case _Header(base, page, source, lease):
            packed = base64.b64encode(zlib.compress(source, 1)).decode()
            by = {"lease": lease_as_json(lease)} if lease else {}
            content = {"base": base, "page": page_as_json(page), "source": packed}
            return {"spotlab": VERSION, **by, **content}
        case _Saving(state, steps, lease):
            by = {"lease": lease_as_json(lease)} if lease else {}
            return {"saving": state, "steps": steps, **by}


def _signed_line(value: dict[str, Any], key: bytes) -> bytearray:
    line = encoded(value)
    del line[-1:]
    line += b',"signed":"%s"' % _signature(line, key)  # a line may be long: it is not copied
    return _ended(line)


def _line(value: dict[str, Any], signature: object) -> bytearray:
    """The line as somebody else has signed it, or nobody."""
    return _ended(encoded(value if signature is None else {**value, "signed": signature})[:-1])


def _ended(line: bytearray) -> bytearray:
    line += f',"sum":"{_sum(line)}"}}\n'.encode()
    return line


def _is_whole(line: bytes) -> bool:
    """Tell whether a line has the right checksum at its end."""
    match = _SUM.fullmatch(line, max(0, len(line) - _SUM_BYTES))
    return match is not None and _sum(line[: match.start()]) == match[1].decode()


def _signature(body: bytes | bytearray, key: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=16, key=key).hexdigest().encode()


def _is_signed(line: bytes, key: bytes) -> bool:
    """Tell whether a line, without its checksum, has this user's signature at its end."""
    match = _SIGNED.fullmatch(line, max(0, len(line) - _SIGNED_BYTES))
    return match is not None and hmac.compare_digest(
        match[1], _signature(line[: match.start()], key)
    )


def _sum(body: bytes | bytearray) -> str:
    return f"{zlib.crc32(body):08x}"


def _header_from_json(value: dict[str, Any]) -> _Header:
    packed = base64.b64decode(of_type(value["source"], str))
    unpacking = zlib.decompressobj()
    source = unpacking.decompress(packed, MAXIMUM_BYTES)
    if not unpacking.eof:
        raise ValueError("cut off, or larger than a truth file may be")
    lease = lease_from_json(value.get("lease"))
    return _Header(of_type(value["base"], str), page_from_json(value["page"]), source, lease)
