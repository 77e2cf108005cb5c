"""A user who does anything at all, from a seed, and who is killed now and then.

``python -m tests.soak.random_user --seeds 20 --events 10000 --kills 15`` runs the whole window on a
small collection. Each seed's program is killed that often at random moments; what the next program
finds must be what was shown last. The last program of a seed ends by itself: what it has saved must
be what it shows, and undoing everything must give the files as they were opened, byte for byte.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.walk.walker import use_screen

SIZE = (1440, 900)
BATCH = 40  # deeds between two looks at whether everything has settled
PIPE = 1 << 16


@dataclass
class Told:
    """What a program has told of itself before it ended.

    Attributes
    ----------
    events : int
        Mouse and key events that were sent.
    shown : dict of str to list of str
        By truth file: digests of what was shown, the latest last.
    faults : list of str
    ended : bool
        Whether it came to its end.
    """

    events: int = 0
    shown: dict[str, list[str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    ended: bool = False


def digest_of(document: object) -> str:
    """What tells one state of a page's truth from another."""
    regions = [
        (r.id, r.label, r.points, r.primitive, r.comment, r.uncertain)
        for r in document  # type: ignore[attr-defined]
    ]
    checked = document.page.checked  # type: ignore[attr-defined]
    return hashlib.sha256(repr((regions, checked)).encode()).hexdigest()[:16]


def run_seed(seed: int, events: int, kills: int, log: Callable[[str], object]) -> Told:
    """One user: ``kills`` programs that are killed and one that ends by itself."""
    rng = random.Random(seed)
    whole = Told()
    with tempfile.TemporaryDirectory(prefix="random-user-") as name:
        home = Path(name)
        _make_home(home)
        for turn in range(kills + 1):
            last = turn == kills
            after = None if last else rng.uniform(0.5, 6.0)
            left = max(0, events - whole.events) if last else 0  # a killed one goes on until then
            told = _run_program(home, seed * 1000 + turn, left, after)
            whole.events += told.events
            whole.faults += told.faults
            if last and not told.ended:
                whole.faults.append("the last program did not come to its end")
            if not last:
                whole.faults += _lost_after_kill(told)
    log(f"seed {seed}: {whole.events} events, {kills} kills, {len(whole.faults)} faults")
    return whole


def _make_home(home: Path) -> None:
    for kind in ("CONFIG", "STATE", "CACHE", "DATA"):
        os.environ[f"XDG_{kind}_HOME"] = str(home / kind.lower())
    os.environ["HOME"] = str(home)
    use_screen(SIZE, home)
    # all that programs need is imported once, before they are forked; none has a thread yet
    from tests.soak import random_deeds  # noqa: F401, PLC0415 - Qt needs to know its screen first
    from tests.walk.situations import write_collection  # noqa: PLC0415

    write_collection(home / "collection" / "pages")


def _run_program(home: Path, seed: int, events: int, killed_after: float | None) -> Told:
    """Fork a program that tells of itself through a pipe, and kill it after so many seconds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code = 1
        try:
            User(home, seed, writing).act(events, endless=killed_after is not None)
            code = 0
        except BaseException:
            _tell(writing, "fault", traceback.format_exc())
        os._exit(code)
    os.close(writing)
    told = _listen(reading, child, killed_after)
    os.close(reading)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and killed_after is None:
        told.faults.append(f"the program was ended by signal {os.WTERMSIG(status)}")
    for fault in told.faults:
        print(f"--- seed {seed}\n{fault}\n", flush=True)
    return told


def _listen(reading: int, child: int, killed_after: float | None) -> Told:
    told, buffer, begun = Told(), b"", None
    while True:
        waiting = 0.05 if killed_after is not None else 600.0
        if select.select([reading], [], [], waiting)[0]:
            piece = os.read(reading, PIPE)
            if not piece:
                return told
            buffer += piece
            *lines, buffer = buffer.split(b"\0")
            for line in lines:
                begun = begun or time.monotonic()
                _note(told, line.decode())
        elif killed_after is None:
            told.faults.append("the program hangs")
            os.kill(child, signal.SIGKILL)
        if killed_after is not None and begun and time.monotonic() - begun > killed_after:
            os.kill(child, signal.SIGKILL)
            killed_after, begun = 600.0, None


def _note(told: Told, line: str) -> None:
    what, _, rest = line.partition("\n")
    match what:
        case "events":
            told.events = int(rest)
        case "shown":
            path, _, digest = rest.partition("\n")
            told.shown.setdefault(path, []).append(digest)
        case "fault":
            told.faults.append(rest)
        case "ended":
            told.ended = True


def _tell(writing: int, what: str, rest: str) -> None:
    os.write(writing, f"{what}\n{rest}\0".encode())


def _lost_after_kill(told: Told) -> list[str]:
    """What a killed program had shown and a new one does not find; nothing is written."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            for fault in _compare(told):
                _tell(writing, "fault", fault)
        except BaseException:
            _tell(writing, "fault", traceback.format_exc())
        os._exit(0)
    os.close(writing)
    found = _listen(reading, child, None)
    os.close(reading)
    os.waitpid(child, 0)
    for fault in found.faults:
        print(fault, flush=True)
    return found.faults


def _compare(told: Told) -> list[str]:
    from spotlab.editing.session import EditingSession  # noqa: PLC0415 - after the fork
    from spotlab.editing.unfinished import find_unfinished  # noqa: PLC0415
    from spotlab.model import Page  # noqa: PLC0415

    faults = []
    if find_unfinished({Path(name).parent for name in told.shown}):
        return faults  # the next window finishes that step first: tests.soak.killed_steps
    for name, digests in told.shown.items():
        path = Path(name)
        with tempfile.TemporaryDirectory() as copied:
            beside = Path(copied) / path.parent.name
            shutil.copytree(path.parent, beside)
            page = Page(beside / f"{path.stem}.png", 320, 240)
            session = EditingSession.open(beside / path.name, page)
            found = digest_of(session.document)
            if found != digests[-1]:  # a step may have been kept just before it would be shown
                session.history.undo()
                if digest_of(session.document) != digests[-1]:
                    earlier = found in digests
                    faults.append(
                        f"{path.name}: what was shown last is not there after a kill; "
                        f"{'an earlier state is' if earlier else 'what is there was not shown'}"
                    )
            session.close()
    return faults


class User:
    """Does what the random numbers say to a window of its own."""

    def __init__(self, home: Path, seed: int, writing: int) -> None:
        from spotlab.gui.kit import theme  # noqa: PLC0415
        from spotlab.gui.window.app import application  # noqa: PLC0415
        from tests.soak.random_deeds import RandomDeeds  # noqa: PLC0415
        from tests.walk.opened import Guard  # noqa: PLC0415
        from tests.walk.situations import open_window, settle  # noqa: PLC0415 - after the fork
        from tests.walk.watch import Watch  # noqa: PLC0415

        self.writing = writing
        self.watch = Watch()
        self._settle = settle
        self._faults = 0
        self._first: dict[str, bytes] = {}
        with self.watch.listening():
            theme.apply(application(), "light")
            self.window = open_window(home / "settings.json", SIZE)
            self.window.workbench.page_changed.connect(self._attach)
            self.window.open_paths([home / "collection" / "pages"])
            settle()
        self.guard = Guard()
        self.deeds = RandomDeeds(self.window, random.Random(seed))
        self._tell_faults()

    def act(self, events: int, *, endless: bool) -> None:
        """Do that many events, or more until somebody kills this; then look whether all is well."""
        from PySide6.QtCore import QEvent  # noqa: PLC0415
        from PySide6.QtWidgets import QApplication  # noqa: PLC0415

        self.guard.start()
        with self.watch.listening():
            done = 0
            while endless or self.deeds.events < events:
                name, deed = self.deeds.choose()
                with self.watch.while_doing(f"deed {done}, {name}"):
                    self.guard.do(deed)
                    QApplication.processEvents()
                    self.deeds.tidy()
                done += 1
                if done % BATCH == 0:
                    with self.watch.while_doing("settle"):
                        self._settle()
                        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
                    _tell(self.writing, "events", str(self.deeds.events))
                self._tell_faults()
            self.guard.stop()
            with self.watch.while_doing("end"):
                self._check()
        self._tell_faults()
        _tell(self.writing, "events", str(self.deeds.events))
        _tell(self.writing, "ended", "")

    def _attach(self) -> None:
        """Tell of the open page whenever it changes."""
        session = self.window.workbench.session
        if session is None:
            return
        name = str(session.path)
        if getattr(session, "told_of", False):
            return
        session.told_of = True  # type: ignore[attr-defined]
        self._first[name] = session.path.read_bytes() if session.path.exists() else b""
        tell = self._tell_shown
        session.document.changed.connect(lambda _: tell(name, session.document))
        tell(name, session.document)

    def _tell_shown(self, name: str, document: object) -> None:
        _tell(self.writing, "shown", f"{name}\n{digest_of(document)}")

    def _tell_faults(self) -> None:
        for fault in self.watch.faults[self._faults :]:
            _tell(self.writing, "fault", fault)
        self._faults = len(self.watch.faults)

    def _check(self) -> None:
        """What was saved is what is shown; undoing everything gives the first bytes."""
        from spotlab.formats.truth import page_xml  # noqa: PLC0415

        workbench = self.window.workbench
        self.deeds.tidy()
        self._settle()
        if not workbench.autosave.finish():
            self.watch.note(f"not saved: {workbench.autosave.failure}")
        for session in workbench.sessions:
            if session.path.exists():
                there = page_xml.parse(session.path.read_bytes(), session.path)
                saved = [(r.id, r.label, r.points) for r in there.regions]
                shown = [(r.id, r.label, r.points) for r in session.document]
                if saved != shown:
                    self.watch.note(f"{session.path.name} holds something else than is shown")
            while session.history.undo():
                pass
        if not workbench.autosave.finish():
            self.watch.note(f"not saved after undoing: {workbench.autosave.failure}")
        for session in workbench.sessions:
            first = self._first.get(str(session.path), b"")
            now = session.path.read_bytes() if first else b""
            if now != first:
                differs = difflib.unified_diff(*(it.decode().splitlines() for it in (first, now)))
                self.watch.note(
                    f"{session.path.name} is not as it was first, all steps undone:\n"
                    + "\n".join(differs)
                )


def main() -> None:
    """Run the seeds that the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--events", type=int, default=2000, help="for each seed, at least")
    parser.add_argument("--kills", type=int, default=2, help="for each seed")
    given = parser.parse_args()
    start, events, faults = time.monotonic(), 0, 0
    for seed in range(given.seed, given.seed + given.seeds):
        told = run_seed(seed, given.events, given.kills, lambda text: print(text, flush=True))
        events += told.events
        faults += len(told.faults)
    kills = given.seeds * given.kills
    took = time.monotonic() - start
    print(f"{events} events, {given.seeds} seeds, {kills} kills, {faults} faults, {took:.0f} s")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
