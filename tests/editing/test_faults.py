"""Really killed, really full, really read-only: at most an unfinished step is missing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from spotlab.editing.journal import journal_path
from spotlab.editing.journal_lines import signing_key
from spotlab.editing.session import EditingSession
from spotlab.formats.rows.files import clear_stale
from spotlab.formats.truth import page_xml
from spotlab.model import Page
from tests.editing.killed import draw, in_a_child

WATCHED = ("write", "fsync", "replace", "ftruncate", "unlink", "open", "lseek", "link", "close")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def scenario(folder: Path, acknowledged: int) -> None:
    """Eight steps with two saves; every step that is through is reported on a pipe."""
    session = EditingSession.open(folder / "plan.xml", Page(folder / "plan.png", 100, 80))
    for number in range(8):
        draw(session, f"number {number}")
        os.write(acknowledged, b".")
        if number in (2, 5):
            session.save()
    session.history.undo()
    os.write(acknowledged, b"u")


def killing_at(call: int, spare: int) -> None:
    """Kill this process when it makes its n-th call that can change a file."""
    count = 0
    for name in WATCHED:
        original = getattr(os, name)

        def counted(*args: object, original: Callable[..., object] = original, **more: object):
            nonlocal count
            if args and args[0] == spare:
                return original(*args, **more)
            count += 1
            if count == call:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*args, **more)

        setattr(os, name, counted)


@pytest.mark.parametrize(
    "beside",
    [
        pytest.param(True, id="beside"),
        pytest.param(False, id="in the second place", marks=pytest.mark.slow),
    ],
)
def test_a_kill_at_any_system_call_loses_at_most_an_unfinished_step(
    tmp_path: Path, beside: bool
) -> None:
    call = 0
    while True:
        call += 1
        folder = tmp_path / str(call)
        folder.mkdir()
        if not beside:
            journal_path(folder / "plan.xml").mkdir()
        reader, writer = os.pipe()

        def work(writer: int = writer, call: int = call, folder: Path = folder) -> None:
            killing_at(call, writer)
            scenario(folder, writer)

        ended = in_a_child(work)
        os.close(writer)
        through = os.read(reader, 100)
        os.close(reader)
        page = Page(folder / "plan.png", 100, 80)
        session = EditingSession.open(folder / "plan.xml", page)
        drawn = [region.label for region in session.document]
        steps = through.count(b".")
        expected = [f"number {number}" for number in range(steps)]
        if b"u" in through:
            assert drawn == expected[:-1]
        else:
            # one more step may be in the journal although nobody has been told
            one_more = [[*expected, f"number {steps}"]] if steps < 8 else [expected[:-1]]
            assert drawn in [expected, *one_more], f"killed at call {call} after {steps} steps"
        assert not list(folder.glob("*.recovered*"))
        if steps > 3:
            page_xml.read(folder / "plan.xml")  # whole, whatever happened
        session.close()
        clear_stale([folder / "plan.xml"])
        assert not list(folder.glob(".*")), "nothing half-written stays"
        if ended == 0:
            break
        assert os.WTERMSIG(ended) == signal.SIGKILL
    assert call > 40, "the scenario makes many calls; a kill at each has been tried"


def test_a_kill_at_any_system_call_of_a_recovery_loses_nothing(tmp_path: Path) -> None:
    """The journal is damaged; there is a window that was killed while it took it over."""
    session = EditingSession.open(tmp_path / "plan.xml", Page(tmp_path / "plan.png", 100, 80))
    for number in range(6):
        draw(session, f"number {number}")
    session.close()
    lines = journal_path(session.path).read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:3], b"{" + lines[3], *lines[4:]])
    expected = [f"number {number}" for number in (0, 1, 3, 4, 5)]
    for call in range(1, 1000):
        folder = tmp_path / str(call)
        folder.mkdir()
        page = Page(folder / "plan.png", 100, 80)
        journal_path(folder / "plan.xml").write_bytes(damaged)

        def work(call: int = call, folder: Path = folder, page: Page = page) -> None:
            killing_at(call, -1)
            EditingSession.open(folder / "plan.xml", page)

        ended = in_a_child(work)
        session = EditingSession.open(folder / "plan.xml", page)
        assert [region.label for region in session.document] == expected
        assert [path.read_bytes() for path in folder.glob("*.damaged*")] == [damaged]
        session.save()
        session.close()
        assert not journal_path(session.path).exists()
        if ended == 0:
            break
    assert 5 < call < 1000


@pytest.mark.slow
def test_a_program_killed_at_random_moments_loses_nothing(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from spotlab.editing.session import EditingSession
from spotlab.model import Page, Region
folder = Path(sys.argv[1])
session = EditingSession.open(folder / "plan.xml", Page(folder / "plan.png", 100, 80))
for number in range(len(session.document), 100_000):
    region = Region(((0, 0), (10, 0), (10, 10)), f"n{number}")
    session.history.do("Draw", session.document.adding(region))
    print(number, flush=True)
    if number % 7 == 0:
        session.save()
"""
    last = -1
    for round in range(6):
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        for _ in range(5 + 9 * round):
            last = int(process.stdout.readline())
        process.kill()
        rest = process.stdout.read().split("\n")
        last = max([last, *(int(line) for line in rest[:-1] if line)])
        process.wait()
        session = EditingSession.open(tmp_path / "plan.xml", Page(tmp_path / "plan.png", 100, 80))
        assert len(session.document) in (last + 1, last + 2)
        assert [region.label for region in session.document] == [
            f"n{n}" for n in range(len(session.document))
        ]
        session.close()


def test_what_is_durable_when(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step soon after it; the journal before the truth file is replaced, its name after."""
    events: list[str] = []
    synced = threading.Event()
    fsync, replace = os.fsync, os.replace

    def note_fsync(handle: int) -> None:
        name = os.path.basename(os.readlink(f"/proc/self/fd/{handle}"))
        events.append("temporary" if name.endswith(".tmp") else name)
        fsync(handle)
        if name == tmp_path.name:
            synced.set()

    def note_replace(old: str, new: str) -> None:
        events.append("replace")
        replace(old, new)

    signing_key()  # once in a user's life
    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    session = EditingSession.open(tmp_path / "plan.xml", Page(tmp_path / "plan.png", 100, 80))
    draw(session, "sofa")
    assert synced.wait(30), "without another step or a save"
    assert events == ["plan.xml.journal", tmp_path.name]
    events.clear()
    session.save()
    assert events == ["plan.xml.journal", "temporary", "replace", tmp_path.name]
